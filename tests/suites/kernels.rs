//! Kernels for tests behind the backend trait: right ones, written apart from the library's, of which
//! a mutant changes a part.

use std::collections::BTreeMap;

use half::{bf16, f16};
use onnx_conformance::backend::{
    Answer, Backend, Identity, Outcome, Refusal, RefusalKind, Stage, Task,
};
use onnx_conformance::dtype::{DType, Kind, integer};
use onnx_conformance::kernels::{Attribute, Attributes, find};
use onnx_conformance::model::Model;
use onnx_conformance::onnx::proto::NodeProto;
use onnx_conformance::onnx::proto::attribute_proto::AttributeType;
use onnx_conformance::tensor::{Tensor, Value};

/// Arithmetic on elements as bits. `None` refuses.
#[derive(Clone, Copy)]
pub(crate) struct Kernels {
    pub(crate) div: fn(DType, u64, u64) -> Option<u64>,
    pub(crate) sqrt: fn(DType, u64) -> u64,
    /// What becomes of the node's attributes before they are obeyed.
    pub(crate) attributes: fn(&mut Attributes),
}

/// Right kernels.
pub(crate) const RIGHT: Kernels = Kernels { div, sqrt, attributes: |_| () };

impl Backend for Kernels {
    fn identity(&self) -> Identity {
        Identity { name: "test".into(), version: "1".into(), details: BTreeMap::new() }
    }

    fn run(&self, task: &Task<'_>) -> Answer {
        match self.compute(task.model, task.inputs) {
            None => {
                let (stage, kind) = (Stage::Run, RefusalKind::Invalid);
                Outcome::Refused(Refusal { stage, kind, message: "refused".to_owned() })
            }
            Some(tensor) => Outcome::Outputs(vec![tensor.into()]),
        }
        .into()
    }
}

impl Kernels {
    fn compute(&self, model: &Model, inputs: &[Value]) -> Option<Tensor> {
        let Model::Onnx(model) = model else { return None };
        let [node] = model.graph().node.as_slice() else { return None };
        let operator = find(node.op_type(), model.opset("")?)?;
        let inputs: Vec<&Tensor> = inputs.iter().flat_map(Value::tensors).collect();
        let dtype = inputs.first()?.dtype();
        let same = inputs.iter().all(|input| input.dtype() == dtype);
        if !same || inputs.len() != node.input.len() || !operator.types().contains(&dtype) {
            return None;
        }
        let mut attributes = attributes(node);
        (self.attributes)(&mut attributes);
        let shapes: Vec<_> = inputs.iter().map(|input| input.shape()).collect();
        let plan = operator.broadcast(&attributes, &shapes).ok()?;
        let element = |input: usize, k| {
            inputs[input].element(plan.operand_index(input, k)?).map(|bits| bits as u64)
        };
        let elements = (0..plan.elements()).map(|k| match inputs.len() {
            1 => Some((self.sqrt)(dtype, element(0, k)?)),
            _ => (self.div)(dtype, element(0, k)?, element(1, k)?),
        });
        let width = dtype.bits()? as usize / 8;
        let mut bytes = Vec::new();
        for bits in elements {
            bytes.extend_from_slice(&bits?.to_le_bytes()[..width]);
        }
        Tensor::from_bits(dtype, plan.shape().to_vec(), bytes.into()).ok()
    }
}

fn attributes(node: &NodeProto) -> Attributes {
    let value = |attribute: &onnx_conformance::onnx::proto::AttributeProto| match attribute.r#type()
    {
        AttributeType::Int => Attribute::Int(attribute.i()),
        AttributeType::Ints => Attribute::Ints(attribute.ints.clone()),
        _ => Attribute::Other,
    };
    node.attribute.iter().map(|a| (a.name().to_owned(), value(a))).collect()
}

/// The value of a float element, exactly.
pub(crate) fn value(dtype: DType, bits: u64) -> f64 {
    let Kind::Float(format) = dtype.kind() else { panic!("{dtype} is no float type") };
    format.to_f64(bits)
}

/// The float element nearest to a value.
pub(crate) fn nearest(dtype: DType, value: f64) -> u64 {
    match dtype {
        DType::Float16 => f16::from_f64(value).to_bits().into(),
        DType::Bfloat16 => bf16::from_f64(value).to_bits().into(),
        DType::Float32 => (value as f32).to_bits().into(),
        _ => value.to_bits(),
    }
}

pub(crate) fn is_float(dtype: DType) -> bool {
    matches!(dtype.kind(), Kind::Float(_))
}

/// The integer with these bits.
pub(crate) fn int(dtype: DType, bits: u64) -> i128 {
    let Kind::Int { signed, bits: width } = dtype.kind() else { panic!("{dtype} is no int") };
    integer(bits.into(), signed, width)
}

/// Division: of floats through binary64, whose quotient rounds to the narrower types as the exact one
/// does (Figueroa, *When is double rounding innocuous?*, 1995).
pub(crate) fn div(dtype: DType, a: u64, b: u64) -> Option<u64> {
    if is_float(dtype) {
        return Some(nearest(dtype, value(dtype, a) / value(dtype, b)));
    }
    int(dtype, a).checked_div(int(dtype, b)).map(|quotient| quotient as u64)
}

/// Square roots, likewise through binary64.
pub(crate) fn sqrt(dtype: DType, x: u64) -> u64 {
    nearest(dtype, value(dtype, x).sqrt())
}
