//! A toy of a runtime: a few operators on tensors of float32 and int32 that have one shape.
//!
//! A runtime of your own has types of its own for models and tensors: `load` is given the bytes of the model's file,
//! and `run` makes its tensors from the shapes and slices of these.

use std::collections::HashMap;

use onnx_conformance::backend::{Identity, Refusal, RefusalKind, Runtime};
use onnx_conformance::bytes::Bytes;
use onnx_conformance::dtype::DType;
use onnx_conformance::onnx::Model;
use onnx_conformance::onnx::proto::GraphProto;
use onnx_conformance::tensor::{Native, Tensor, Value};

/// The runtime.
#[derive(Debug, Default)]
pub struct Toy;

impl Toy {
    /// The runtime, ready to load models.
    pub fn new() -> Self {
        // Where answers are expected of it, what a runtime prints is none.
        println!("the toy is there");
        if has_defect("start") {
            std::process::abort();
        }
        Self
    }
}

impl Runtime for Toy {
    type Loaded = GraphProto;

    fn identity(&self) -> Identity {
        Identity::new("toy", env!("CARGO_PKG_VERSION"))
    }

    fn load(&self, model: &Model, _file: &Bytes) -> Result<GraphProto, Refusal> {
        let is_here = |name: &String| {
            !has_defect("nothing") && (f32::unary(name).is_some() || f32::binary(name).is_some())
        };
        match model.operators().iter().find(|name| !is_here(name)) {
            Some(name) => Err(Refusal::unsupported(format!("there is no {name}"))),
            None => Ok(model.graph().clone()),
        }
    }

    fn run(&self, graph: &mut GraphProto, inputs: Vec<Value>) -> Result<Vec<Value>, Refusal> {
        let names = graph.input.iter().map(|port| port.name());
        let mut values: HashMap<_, _> = names.zip(inputs).collect();
        for node in &graph.node {
            let of = |name: &String| match values.get(&**name) {
                Some(Value::Tensor(tensor)) => Ok(tensor),
                _ => Err(Refusal::unsupported(format!("`{name}` is no tensor that is given"))),
            };
            let inputs = node.input.iter().map(of).collect::<Result<Vec<_>, _>>()?;
            let output = output(node.op_type(), &inputs)?;
            values.insert(node.output[0].as_str(), output.into());
        }
        let missing = |name| Refusal::run(RefusalKind::Invalid, format!("nothing gives `{name}`"));
        let mut output = |name| values.remove(name).ok_or_else(|| missing(name));
        graph.output.iter().map(|port| output(port.name())).collect()
    }
}

/// The output of an operator.
fn output(operator: &str, inputs: &[&Tensor]) -> Result<Tensor, Refusal> {
    match inputs[0].dtype() {
        DType::Float32 => computed::<f32>(operator, inputs),
        DType::Int32 => computed::<i32>(operator, inputs),
        other => Err(Refusal::unsupported(format!("there is no {operator} of {other}"))),
    }
}

/// The output of an operator of numbers of one type.
fn computed<T: Number>(operator: &str, inputs: &[&Tensor]) -> Result<Tensor, Refusal> {
    if inputs.iter().any(|input| input.dtype() != T::DTYPE) {
        let message = "the inputs are of several types".to_owned();
        return Err(Refusal::run(RefusalKind::Invalid, message));
    }
    let shape = inputs[0].shape();
    if inputs.iter().any(|input| input.shape() != shape) {
        return Err(Refusal::unsupported("nothing is broadcast here"));
    }
    let missing = || Refusal::unsupported(format!("there is no {operator} of {}", T::DTYPE));
    let elements = elements::<T>(operator, inputs).ok_or_else(missing)?;
    Tensor::from_vec(shape.to_vec(), elements)
        .map_err(|error| Refusal::run(RefusalKind::Error, error.to_string()))
}

/// The elements of an output; none where the operator is not one of numbers of this type.
fn elements<T: Number>(operator: &str, inputs: &[&Tensor]) -> Option<Vec<T>> {
    match inputs {
        [x] => {
            let function = T::unary(operator)?;
            Some(x.as_slice::<T>()?.iter().map(|x| function(*x)).collect())
        }
        [a, b] => {
            let function = T::binary(operator)?;
            let (a, b) = (a.as_slice::<T>()?, b.as_slice::<T>()?);
            Some(a.iter().zip(b.iter()).map(|(a, b)| function(*a, *b)).collect())
        }
        _ => None,
    }
}

/// A type of numbers, and what each operator does with them.
trait Number: Native {
    fn unary(operator: &str) -> Option<fn(Self) -> Self>;
    fn binary(operator: &str) -> Option<fn(Self, Self) -> Self>;
}

impl Number for f32 {
    fn unary(operator: &str) -> Option<fn(Self) -> Self> {
        Some(match operator {
            // -0 is not less than 0.
            "Abs" if has_defect("sign") => |x| if x < 0.0 { -x } else { x },
            "Abs" => Self::abs,
            "Neg" => |x| -x,
            "Relu" => |x| x.max(0.0),
            "Sqrt" if has_defect("crash") => {
                |x| if x < 0.0 { std::process::abort() } else { x.sqrt() }
            }
            "Sqrt" => Self::sqrt,
            _ => return None,
        })
    }

    fn binary(operator: &str) -> Option<fn(Self, Self) -> Self> {
        Some(match operator {
            "Add" => |a, b| a + b,
            "Mul" => |a, b| a * b,
            "Sub" => |a, b| a - b,
            _ => return None,
        })
    }
}

impl Number for i32 {
    fn unary(operator: &str) -> Option<fn(Self) -> Self> {
        Some(match operator {
            "Abs" => Self::wrapping_abs,
            "Neg" if has_defect("hang") => |_| loop {
                std::thread::park();
            },
            "Neg" => Self::wrapping_neg,
            "Relu" => |x| x.max(0),
            _ => return None,
        })
    }

    fn binary(operator: &str) -> Option<fn(Self, Self) -> Self> {
        Some(match operator {
            "Add" => Self::wrapping_add,
            "Mul" => Self::wrapping_mul,
            "Sub" => Self::wrapping_sub,
            _ => return None,
        })
    }
}

/// Whether the toy is to do this wrong, so that its test can be seen to find it.
fn has_defect(name: &str) -> bool {
    std::env::var("TOY_DEFECT").is_ok_and(|defect| defect == name)
}
