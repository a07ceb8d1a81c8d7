//! A task of one operator, taken apart, so that a defect can read it otherwise.

use onnx_conformance::backend::{Outcome, Refusal, RefusalKind, Stage, Task};
use onnx_conformance::dtype::DType;
use onnx_conformance::kernels::{
    Attribute, Attributes, Operator, attributes, find, find_in_openvino,
};
use onnx_conformance::model::Model;
use onnx_conformance::onnx;
use onnx_conformance::openvino::{self, Layer, Operation};
use onnx_conformance::tensor::{Tensor, Value};

/// One operator on its operands.
#[derive(Clone)]
pub(crate) struct Request<'t> {
    pub(crate) task: Task<'t>,
    pub(crate) operator: Operator,
    pub(crate) attributes: Attributes,
    pub(crate) operands: Vec<Tensor>,
    /// Of each input of the node its place among the operands; none where it is left out.
    pub(crate) places: Vec<Option<usize>>,
}

/// The operators whose defects know that inputs may be left out between others.
const WITH_GAPS: [&str; 9] = [
    "Attention",
    "CausalConvWithState",
    "DFT",
    "DeformConv",
    "GRU",
    "LSTM",
    "LinearAttention",
    "RNN",
    "Resize",
];

impl<'t> Request<'t> {
    /// The request of a task, where no input is left out between others, unless the defects of the operator
    /// know of it.
    pub(crate) fn of(task: &Task<'t>) -> Option<Self> {
        let request = Self::with_gaps(task)?;
        let has_gap = request.places.contains(&None);
        (!has_gap || WITH_GAPS.contains(&request.operator.name())).then_some(request)
    }

    /// The request of a task, where its model has a single operator, which has a kernel and reads the
    /// model's inputs, all tensors.
    pub(crate) fn with_gaps(task: &Task<'t>) -> Option<Self> {
        let (operator, attributes, named) = match task.model {
            Model::Onnx(model) => of_node(model)?,
            Model::OpenVino(model) => of_layer(model)?,
        };
        let tensor = |at: usize| match task.inputs.get(at)? {
            Value::Tensor(tensor) => Some(tensor.clone()),
            _ => None,
        };
        let mut count = 0..;
        let places = named.iter().map(|at| at.and_then(|_| count.next())).collect();
        let operands = named.into_iter().flatten().map(tensor).collect::<Option<_>>()?;
        Some(Self { task: *task, operator, attributes, operands, places })
    }

    /// Whether there are two operands, and the second is a single number for many of the first.
    pub(crate) fn has_one_number_for_many(&self) -> bool {
        let [many, one] = &self.operands[..] else { return false };
        many.elements() > 1 && one.elements() == 1
    }

    /// The operand that is given for an input.
    pub(crate) fn given(&mut self, input: usize) -> Option<&mut Tensor> {
        let place = self.places.get(input).copied().flatten()?;
        self.operands.get_mut(place)
    }

    /// Leaves an input out.
    pub(crate) fn leave_out(&mut self, input: usize) {
        if let Some(place) = self.places.get_mut(input) {
            *place = None;
        }
    }

    /// The type of the first operand; where there is none, the one that is declared of the output.
    pub(crate) fn dtype(&self) -> DType {
        let declared = || match self.task.model {
            Model::Onnx(model) => model.outputs().first()?.value_type.dtype(),
            Model::OpenVino(_) => None,
        };
        self.operands.first().map(Tensor::dtype).or_else(declared).unwrap()
    }

    /// The request with another value of an attribute, or without it.
    pub(crate) fn with(&self, name: &str, value: Option<Attribute>) -> Self {
        let mut other = self.clone();
        other.attributes.remove(name);
        other.attributes.extend(value.map(|value| (name.to_owned(), value)));
        other
    }

    /// What the library's kernel makes of this request where an attribute is ignored.
    pub(crate) fn without(&self, name: &str) -> Outcome {
        self.with(name, None).computed()
    }

    /// The shapes of the operands.
    pub(crate) fn shapes(&self) -> Vec<Vec<usize>> {
        self.operands.iter().map(|operand| operand.shape().to_vec()).collect()
    }

    /// What the library's kernel makes of this request.
    pub(crate) fn computed(&self) -> Outcome {
        let operands: Vec<_> = match self.places.contains(&None) {
            true => self.places.iter().map(|at| self.operands.get((*at)?)).collect(),
            false => self.operands.iter().map(Some).collect(),
        };
        // An output that is left out has the empty name.
        let named: Vec<bool> = match self.task.model {
            Model::Onnx(model) => {
                let node = model.graph().node.first();
                node.map_or_else(Vec::new, |node| {
                    node.output.iter().map(|it| !it.is_empty()).collect()
                })
            }
            Model::OpenVino(_) => vec![true],
        };
        match self.operator.run_for(named.len(), &operands, &self.attributes) {
            Ok(tensors) => {
                let asked = tensors.into_iter().zip(named).filter(|(_, is_named)| *is_named);
                Outcome::Outputs(asked.map(|(tensor, _)| tensor.into()).collect())
            }
            Err(error) => refused(RefusalKind::Error, &error.to_string()),
        }
    }

    /// What it makes of operands whose elements are picked by these functions, for an output of a
    /// shape.
    pub(crate) fn gathered(
        &self,
        shape: &[usize],
        pick: impl Fn(usize, usize) -> usize,
    ) -> Outcome {
        let elements: usize = shape.iter().product();
        let gather = |(which, operand): (usize, &Tensor)| {
            let indices: Vec<usize> = (0..elements).map(|k| pick(which, k)).collect();
            picked(operand, &indices, shape)
        };
        let operands = self.operands.iter().enumerate().map(gather).collect();
        let mut attributes = self.attributes.clone();
        for name in ["axis", "broadcast", "auto_broadcast"] {
            attributes.remove(name);
        }
        Self { attributes, operands, ..self.clone() }.computed()
    }
}

/// A tensor of the elements at these places.
pub(crate) fn picked(tensor: &Tensor, indices: &[usize], shape: &[usize]) -> Tensor {
    let (dtype, shape) = (tensor.dtype(), shape.to_vec());
    if let Some(strings) = tensor.strings() {
        let strings = indices.iter().map(|&at| strings[at].clone()).collect();
        return Tensor::from_strings(shape, strings).unwrap();
    }
    let elements = indices.iter().map(|&at| tensor.element(at).unwrap());
    Tensor::from_elements(dtype, shape, elements).unwrap()
}

/// The same bits as another type or in another shape.
pub(crate) fn as_other(tensor: &Tensor, dtype: DType, shape: &[usize]) -> Tensor {
    Tensor::from_bits(dtype, shape.to_vec(), tensor.bits().unwrap().clone()).unwrap()
}

/// What becomes of the one tensor of an outcome; a refusal stays one.
pub(crate) fn changed(outcome: Outcome, change: impl FnOnce(Tensor) -> Tensor) -> Outcome {
    match outcome {
        Outcome::Outputs(outputs) => match outputs.as_slice() {
            [Value::Tensor(tensor)] => Outcome::Outputs(vec![change(tensor.clone()).into()]),
            _ => Outcome::Outputs(outputs),
        },
        other => other,
    }
}

/// The one tensor of an outcome with each element made anew, by its type, of the operands that it is
/// computed from, if the operator is element-wise, and of what it was.
pub(crate) fn elementwise(
    request: &Request<'_>,
    right: Outcome,
    element: impl Fn(DType, &[u64], u64) -> u64,
) -> Outcome {
    let shapes = request.shapes();
    let shapes: Vec<&[usize]> = shapes.iter().map(Vec::as_slice).collect();
    let plan = request.operator.broadcast(&request.attributes, &shapes).ok();
    let operand = |which: usize, k| {
        let at = plan.as_ref()?.operand_index(which, k)?;
        request.operands[which].element(at).map(|bits| bits as u64)
    };
    changed(right, |tensor| {
        let Some(width) = tensor.dtype().bits().filter(|bits| (8..=64).contains(bits)) else {
            return tensor;
        };
        let mut bytes = Vec::with_capacity(tensor.elements() * width as usize / 8);
        for k in 0..tensor.elements() {
            let operands: Vec<u64> =
                (0..request.operands.len()).filter_map(|which| operand(which, k)).collect();
            let right = tensor.element(k).unwrap() as u64;
            let result = element(tensor.dtype(), &operands, right);
            bytes.extend_from_slice(&result.to_le_bytes()[..width as usize / 8]);
        }
        Tensor::from_bits(tensor.dtype(), tensor.shape().to_vec(), bytes.into()).unwrap()
    })
}

/// A defect that is wrong on requests of one type alone.
macro_rules! of_type {
    ($dtype:ident, |$request:ident, $right:ident| $result:expr) => {
        $crate::defect::Wrong::Tensors(|$request, $right| match $request.dtype() {
            $dtype => $result,
            _ => $right,
        })
    };
}
pub(crate) use of_type;

/// Another function of one element: of its type, its bits and the right result.
macro_rules! of_one_element {
    (|$dtype:ident, $x:ident, $right:ident| $result:expr) => {
        $crate::defect::Wrong::Tensors(|request, right| {
            $crate::request::elementwise(request, right, |$dtype, operands, $right| {
                let $x = operands[0];
                $result
            })
        })
    };
}
pub(crate) use of_one_element;

/// What becomes of a request whose operands are not broadcast but read at places that follow from
/// their number of elements and the place in the output.
pub(crate) fn gathered_like(
    request: &Request<'_>,
    right: Outcome,
    place: impl Fn(usize, usize) -> usize,
) -> Outcome {
    let is_limited =
        ["axis", "broadcast"].iter().any(|name| request.attributes.contains_key(*name));
    match &right {
        Outcome::Outputs(outputs) if !is_limited => match outputs[0].tensors().first() {
            Some(tensor) if tensor.elements() > 0 => {
                let shape = tensor.shape().to_vec();
                request.gathered(&shape, |which, k| place(request.operands[which].elements(), k))
            }
            _ => right,
        },
        _ => right,
    }
}

pub(crate) fn refused(kind: RefusalKind, message: &str) -> Outcome {
    Outcome::Refused(Refusal { stage: Stage::Run, kind, message: message.to_owned() })
}

type Parts = (Operator, Attributes, Vec<Option<usize>>);

fn of_node(model: &onnx::Model) -> Option<Parts> {
    let [node] = model.graph().node.as_slice() else { return None };
    let place = |name: &String| match name.as_str() {
        "" => Some(None),
        name => model.inputs().iter().position(|port| port.name == name).map(Some),
    };
    let operands = node.input.iter().map(place).collect::<Option<_>>()?;
    Some((find(node.op_type(), model.opset("")?)?, attributes(node), operands))
}

fn of_layer(model: &openvino::Model) -> Option<Parts> {
    let of = |layer: &Layer| match &layer.operation {
        Operation::Operator { op_type, opset, attributes } => {
            let text =
                |(name, value): (&String, &String)| (name.clone(), Attribute::Text(value.clone()));
            let attributes = attributes.iter().map(text).collect();
            Some((find_in_openvino(op_type, (*opset)?)?, attributes, layer.operands.clone()))
        }
        Operation::Parameter { .. } | Operation::Result => None,
    };
    let (operator, attributes, layers) = model.layers().iter().find_map(of)?;
    let is_parameter =
        |at: &usize| matches!(model.layers()[*at].operation, Operation::Parameter { .. });
    let parameters: Vec<usize> = (0..model.layers().len()).filter(is_parameter).collect();
    let place = |at: &usize| parameters.iter().position(|parameter| parameter == at);
    let operands = layers.iter().map(|at| place(at).map(Some)).collect::<Option<_>>()?;
    Some((operator, attributes, operands))
}
