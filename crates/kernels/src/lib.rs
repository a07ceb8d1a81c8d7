//! The operators of the built-in runtime, on dense tensors: those of the one list in this file, each in
//! every version that ONNX or OpenVINO has of it.
//!
//! [`find`] gives the version that an operator set of ONNX has, [`find_in_openvino`] that of
//! OpenVINO's; [`Operator::run`] computes it. Each operator is one file, with what it states of its
//! versions and what computes it, and one line of the list in this one. Floats follow IEEE 754 with
//! round to nearest, ties to even, for every operand. Nothing here shares arithmetic with an oracle
//! that judges it.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic"))]

mod abs;
mod add;
mod and;
mod arg_extremum;
mod argmax;
mod argmin;
mod attribute;
mod blocks;
mod broadcast;
mod cast;
mod castlike;
mod ceil;
mod clip;
mod comparison;
mod concat;
mod constantofshape;
mod conversion;
mod convinteger;
mod copies;
mod depthtospace;
mod dequantizelinear;
mod div;
mod divide;
mod dynamicquantizelinear;
mod elementwise;
mod equal;
mod exp;
mod expand;
mod flatten;
mod floor;
mod gather;
mod gatherelements;
mod gathernd;
mod globalmaxpool;
mod greater;
mod greaterorequal;
mod gru;
mod identity;
mod integer_products;
mod isinf;
mod isnan;
mod leakyrelu;
mod less;
mod lessorequal;
mod logic;
mod lstm;
mod matmul;
mod matmulinteger;
mod max;
mod maxpool;
mod min;
mod modulo;
mod moving;
mod mul;
mod narrow;
mod neg;
mod not;
mod operand;
mod operator;
mod or;
mod pad;
mod pooling;
mod prelu;
mod qlinearconv;
mod qlinearmatmul;
mod quantization;
mod quantizelinear;
mod reciprocal;
mod recurrent;
mod reduce_extremum;
mod reducemax;
mod reducemin;
mod relu;
mod reshape;
mod reshaping;
mod resize;
mod rnn;
mod round;
mod scatterelements;
mod scattering;
mod scatternd;
mod shape;
mod sign;
mod signature;
mod simd;
mod size;
mod slice;
mod spacetodepth;
mod split;
mod sqrt;
mod squeeze;
mod strides;
mod sub;
mod tile;
mod topk;
mod transpose;
mod trilu;
mod types;
mod unsqueeze;
mod r#where;
mod xor;

pub use self::attribute::{Attribute, Attributes, attributes};

pub use self::add::{Add, add};
pub use self::broadcast::Broadcast;
pub use self::div::{Divide, divide};
pub use self::exp::{Exponential, exponential};
pub use self::mul::{Multiply, multiply};
use self::operator::{Call, Kernel};
pub use self::operator::{ErrorKind, KernelError, Operator};
pub use self::reciprocal::{Reciprocal, reciprocal};
use self::signature::Domain;
pub use self::signature::{Document, Problem, Restriction, Shapes, Slices};
pub use self::sqrt::{SquareRoot, square_root};
pub use self::sub::{Subtract, subtract};

/// Every operator. One whose first versions have other inputs than the later ones is there twice, the older
/// kernel first.
static KERNELS: &[&Kernel] = &[
    &abs::ABS,
    &add::ADD,
    &and::AND,
    &argmax::ARGMAX,
    &argmin::ARGMIN,
    &cast::CAST,
    &castlike::CASTLIKE,
    &ceil::CEIL,
    &clip::CLIP,
    &concat::CONCAT,
    &constantofshape::CONSTANTOFSHAPE,
    &convinteger::CONVINTEGER,
    &depthtospace::DEPTHTOSPACE,
    &dequantizelinear::DEQUANTIZELINEAR,
    &div::DIV,
    &divide::DIVIDE,
    &dynamicquantizelinear::DYNAMICQUANTIZELINEAR,
    &equal::EQUAL,
    &exp::EXP,
    &expand::EXPAND,
    &flatten::FLATTEN,
    &floor::FLOOR,
    &gather::GATHER,
    &gatherelements::GATHERELEMENTS,
    &gathernd::GATHERND,
    &globalmaxpool::GLOBALMAXPOOL,
    &greater::GREATER,
    &greaterorequal::GREATEROREQUAL,
    &gru::GRU,
    &identity::IDENTITY,
    &isinf::ISINF,
    &isnan::ISNAN,
    &leakyrelu::LEAKYRELU,
    &less::LESS,
    &lessorequal::LESSOREQUAL,
    &lstm::LSTM,
    &matmul::MATMUL,
    &matmulinteger::MATMULINTEGER,
    &max::MAX,
    &maxpool::MAXPOOL,
    &min::MIN,
    &modulo::MOD,
    &mul::MUL,
    &neg::NEG,
    &not::NOT,
    &or::OR,
    &pad::PAD,
    &prelu::PRELU,
    &qlinearconv::QLINEARCONV,
    &qlinearmatmul::QLINEARMATMUL,
    &quantizelinear::QUANTIZELINEAR,
    &reciprocal::RECIPROCAL,
    &reducemax::REDUCEMAX,
    &reducemin::REDUCEMIN,
    &relu::RELU,
    &reshape::RESHAPE,
    &resize::RESIZE_10,
    &resize::RESIZE_11,
    &resize::RESIZE,
    &rnn::RNN,
    &round::ROUND,
    &scatterelements::SCATTERELEMENTS,
    &scatternd::SCATTERND,
    &shape::SHAPE,
    &sign::SIGN,
    &size::SIZE,
    &slice::SLICE,
    &spacetodepth::SPACETODEPTH,
    &split::SPLIT_1,
    &split::SPLIT,
    &sqrt::SQRT,
    &squeeze::SQUEEZE,
    &sub::SUB,
    &tile::TILE_1,
    &tile::TILE,
    &topk::TOPK,
    &transpose::TRANSPOSE,
    &trilu::TRILU,
    &unsqueeze::UNSQUEEZE,
    &r#where::WHERE,
    &xor::XOR,
];

/// Elements worked on at a time, in several passes: the blocks of two operands and the output stay
/// in the first-level cache, at 8 bytes an element too.
const BLOCK: usize = 1024;

/// The largest output in bytes. Protobuf limits a message to 2 GiB, so no case can expect more.
const MAX_OUTPUT: usize = 1 << 31;

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
    let of_name = KERNELS.iter().filter(|kernel| kernel.domain == domain && kernel.name == name);
    let versions = of_name
        .flat_map(|kernel| kernel.versions.iter().map(move |version| Operator { kernel, version }));
    let mut no_later = versions.filter(|operator| operator.version.since <= opset);
    no_later.next_back()
}

#[cfg(test)]
mod tests;
