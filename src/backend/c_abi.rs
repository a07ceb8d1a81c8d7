//! The C ABI: a shared library of plain C kernels, served behind the adapter protocol.
//!
//! The library has a function for each operator and element type that it implements, as
//! `adapters/c/onnx_kernels.h` declares them:
//!
//! ```c
//! int32_t onnx_div_float32(const float *a, const float *b, float *c, size_t n);
//! int32_t onnx_sqrt_float32(const float *x, float *y, size_t n);
//! ```
//!
//! Each works on `n` elements and returns 0 for success. The ABI has no shapes and no attributes:
//! models of one node on operands of one shape and type can be asked for, and no other.

mod buffer;
mod library;

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use bytes::Bytes;

use self::library::{Kernel, Library};
use reference::operator::Domain;
use reference::operators;

use crate::backend::serve::Runtime;
use crate::backend::{Identity, Refusal, RefusalKind};
use crate::check::Check;
use crate::corpus::Digest;
use crate::dtype::{DType, Kind};
use crate::onnx::Model;
use crate::onnx::proto::NodeProto;
use crate::tensor::{Tensor, Value};

/// Whether the ABI has an element type: an integer of whole bytes or a float of two and more, float16
/// and bfloat16 as the bits in a `uint16_t`.
const fn has_type(dtype: DType) -> bool {
    match dtype.kind() {
        Kind::Int { bits, .. } => bits >= 8,
        Kind::Float(format) => format.width() >= 16,
        Kind::Bool | Kind::Complex(_) | Kind::String => false,
    }
}

/// A shared library as a runtime.
#[derive(Debug)]
pub struct CAbi {
    library: Library,
    identity: Identity,
}

/// The library cannot be loaded.
#[derive(Debug, thiserror::Error)]
#[error("failed to load the library `{path}`; is it a shared library for this machine?", path = path.display())]
pub struct OpenError {
    path: PathBuf,
    source: libloading::Error,
}

/// A model of one node: its kernel, and its operands' positions among the model's inputs.
#[derive(Debug)]
pub struct Plan<'l> {
    kernel: Kernel<'l>,
    dtype: DType,
    operands: Vec<usize>,
}

impl CAbi {
    /// Loads a shared library, running its initialisers.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let library =
            Library::open(path).map_err(|source| OpenError { path: path.to_owned(), source })?;
        let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into());
        let name = stem.strip_prefix("lib").map_or(stem.clone(), str::to_owned);
        // A shared library has no version: what was tested is identified by its content.
        let version = match File::open(path).and_then(Digest::of_reader) {
            Ok((digest, _)) => format!("sha256:{:.12}", digest.to_string()),
            Err(_) => "unknown".to_owned(),
        };
        let loader = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));
        let details = BTreeMap::from([("loader".to_owned(), loader.to_owned())]);
        Ok(Self { library, identity: Identity { name, version, details } })
    }
}

impl<'l> Runtime for &'l CAbi {
    type Loaded = Plan<'l>;

    fn identity(&self) -> Identity {
        self.identity.clone()
    }

    fn load(&self, model: &Model, _: &Bytes) -> Result<Plan<'l>, Refusal> {
        let unsupported = |message| Refusal::load(RefusalKind::Unsupported, message);
        let Some((node, operands)) = single(model) else {
            let message = format!(
                "the C ABI takes a single operator on the model's inputs, not {}",
                model.operators().join(", ")
            );
            return Err(unsupported(message));
        };
        if !node.output.iter().eq(model.outputs().iter().map(|port| &port.name)) {
            let message = "the C ABI gives the operator's output, and the model has another";
            return Err(unsupported(message.to_owned()));
        }
        let operand = operands.first().and_then(|&at| model.inputs().get(at));
        let dtype = operand.and_then(|port| port.value_type.dtype());
        let Some(dtype) = dtype.filter(|&dtype| has_type(dtype)) else {
            let name = dtype.map_or("an unknown type", DType::name);
            return Err(unsupported(format!("the C ABI has no functions on {name}")));
        };
        let symbol = format!("onnx_{}_{dtype}", node.op_type().to_lowercase());
        // A function is never called with other arguments than the operator has.
        let arity = operators::find(Domain::Onnx, node.op_type())
            .and_then(|operator| Check::new(operator, dtype))
            .map(|check| check.operator().arity());
        let count = operands.len();
        if !(1..=2).contains(&count) || arity != Some(count) {
            let name = node.op_type();
            return Err(unsupported(format!("the C ABI has no {name} of {count} operands")));
        }
        match self.library.kernel(&symbol, count) {
            Some(kernel) => Ok(Plan { kernel, dtype, operands }),
            None => Err(unsupported(format!("the library has no function `{symbol}`"))),
        }
    }

    fn run(&self, plan: &mut Plan<'l>, inputs: Vec<Value>) -> Result<Vec<Value>, Refusal> {
        let unsupported = |message| Refusal::run(RefusalKind::Unsupported, message);
        let mut operands: Vec<&Tensor> = Vec::new();
        for &at in &plan.operands {
            match inputs.get(at) {
                Some(Value::Tensor(operand)) => operands.push(operand),
                Some(value) => {
                    return Err(unsupported(format!("the C ABI has no {} values", value.kind())));
                }
                None => {
                    let message = "an operand is left out".to_owned();
                    return Err(Refusal::run(RefusalKind::Invalid, message));
                }
            }
        }
        for operand in &operands {
            if operand.dtype() != plan.dtype {
                let message = format!("operands of {} and {}", plan.dtype, operand.dtype());
                return Err(unsupported(message + " in one call; the C ABI has one type"));
            }
            if operand.shape() != operands[0].shape() {
                let (left, right) = (operands[0].shape(), operand.shape());
                let message = format!("operands of shape {left:?} and {right:?}");
                return Err(unsupported(message + "; the C ABI does not broadcast"));
            }
        }
        let output = plan.kernel.run(&operands);
        let output = output.map_err(|error| Refusal::run(RefusalKind::Error, error.to_string()))?;
        Ok(vec![Value::Tensor(output)])
    }
}

/// The one node of a model, of ONNX's own operators and without attributes, with the positions of its
/// operands among the model's inputs.
fn single(model: &Model) -> Option<(&NodeProto, Vec<usize>)> {
    let [node] = model.graph().node.as_slice() else { return None };
    let input = |name: &String| model.inputs().iter().position(|port| port.name == *name);
    let operands = node.input.iter().map(input).collect::<Option<Vec<_>>>()?;
    (model.is_standard(node) && node.attribute.is_empty()).then_some((node, operands))
}
