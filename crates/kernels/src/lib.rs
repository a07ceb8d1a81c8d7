//! The operators of the built-in runtime, on dense tensors: those of the one list in this file, each in
//! every version that ONNX or OpenVINO has of it.
//!
//! [`find`] gives the version that an operator set of ONNX has, [`find_in_openvino`] that of
//! OpenVINO's; [`Operator::run`] computes it. Each operator is one file, with what it states of its
//! versions and what computes it, and one line of the list in this one. Floats follow IEEE 754 with
//! round to nearest, ties to even, for every operand. Nothing here shares arithmetic with an oracle
//! that judges it.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic"))]

mod broadcast;
mod div;
mod divide;
mod elementwise;
mod exp;
mod matmul;
mod mul;
mod narrow;
mod neg;
mod operand;
mod operator;
mod signature;
mod simd;
mod sqrt;
mod strides;
mod transpose;
mod types;
mod r#where;

use std::collections::BTreeMap;

pub use self::broadcast::Broadcast;
pub use self::div::{Divide, divide};
pub use self::exp::{Exponential, exponential};
pub use self::mul::{Multiply, multiply};
use self::operator::{Call, Kernel};
pub use self::operator::{ErrorKind, KernelError, Operator};
use self::signature::Domain;
pub use self::signature::{Document, Restriction, Slices};
pub use self::sqrt::{SquareRoot, square_root};

/// Every operator.
static KERNELS: &[&Kernel] = &[
    &div::DIV,
    &divide::DIVIDE,
    &exp::EXP,
    &matmul::MATMUL,
    &mul::MUL,
    &neg::NEG,
    &sqrt::SQRT,
    &transpose::TRANSPOSE,
    &r#where::WHERE,
];

/// Elements worked on at a time, in several passes: the blocks of two operands and the output stay
/// in the first-level cache, at 8 bytes an element too.
const BLOCK: usize = 1024;

/// The largest output in bytes. Protobuf limits a message to 2 GiB, so no case can expect more.
const MAX_OUTPUT: usize = 1 << 31;

/// Value of an operator's attribute, as far as the operators here have any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attribute {
    /// `INT`
    Int(i64),
    /// `INTS`
    Ints(Vec<i64>),
    /// Text, as which OpenVINO writes every attribute.
    Text(String),
    /// Any other kind.
    Other,
}

/// Attributes of a node by name.
pub type Attributes = BTreeMap<String, Attribute>;

/// The operator's version in an operator set of ONNX's default domain; `None` where these kernels
/// do not have the operator. A set newer than the newest version here has that version.
pub fn find(op_type: &str, opset: i64) -> Option<Operator> {
    find_in(Domain::Onnx, op_type, opset)
}

/// The kernel on slices of an operator of ONNX's default domain, in its newest version.
pub fn slices(op_type: &str) -> Option<Slices> {
    find(op_type, i64::MAX)?.kernel.slices
}

/// The operator's version in an operator set of OpenVINO (1 for `opset1`); `None` where these
/// kernels do not have the operator.
pub fn find_in_openvino(op_type: &str, opset: i64) -> Option<Operator> {
    find_in(Domain::OpenVino, op_type, opset)
}

fn find_in(domain: Domain, name: &str, opset: i64) -> Option<Operator> {
    let of_name = |kernel: &&&Kernel| kernel.domain == domain && kernel.name == name;
    let kernel = KERNELS.iter().find(of_name)?;
    let version = kernel.versions.iter().rfind(|version| version.since <= opset)?;
    Some(Operator { kernel, version })
}

#[cfg(test)]
mod tests;
