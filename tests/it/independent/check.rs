//! A call that is computed elsewhere, and the tensors that it is made of.

use onnx_conformance::dtype::DType;
use onnx_conformance::reference::operator::{
    Attributes, Call, Operator, Specification, TensorType,
};
use onnx_conformance::tensor::Tensor;

use super::operands::text;

/// A call of the newest version of an operator.
pub(crate) struct Check {
    pub(crate) call: Call,
    pub(crate) outputs: Vec<TensorType>,
    /// The type that it counts for: that of the operands that are computed with.
    pub(crate) dtype: DType,
}

impl Check {
    pub(super) fn new(
        operator: &'static Operator,
        dtype: DType,
        attributes: Attributes,
        inputs: Vec<Option<Tensor>>,
    ) -> Self {
        let outputs = operator.newest().outputs.len();
        Self::for_outputs(outputs, operator, dtype, attributes, inputs)
    }

    /// The call for the first so many outputs.
    pub(super) fn for_outputs(
        outputs: usize,
        operator: &'static Operator,
        dtype: DType,
        attributes: Attributes,
        inputs: Vec<Option<Tensor>>,
    ) -> Self {
        let (version, onnx) = (operator.newest(), Specification::Onnx);
        let given = format!("{attributes:?} {inputs:?}");
        let made = Call::for_outputs(outputs, operator, version, onnx, attributes, inputs);
        let told = |error| panic!("{operator} {dtype}: {error}: {given}");
        let (call, outputs) = made.unwrap_or_else(told);
        Self { call, outputs, dtype }
    }

    /// Elements of all outputs.
    pub(crate) fn elements(&self) -> usize {
        self.outputs.iter().map(|output| output.shape.iter().product::<usize>()).sum()
    }

    /// The types of the inputs and outputs, such as `float32 to int8`.
    pub(crate) fn types(&self) -> String {
        let names = |types: Vec<&str>| types.join(", ");
        let inputs = self.call.inputs.iter().flatten().map(|input| input.dtype().name()).collect();
        let outputs = self.outputs.iter().map(|output| output.dtype.name()).collect();
        format!("{} to {}", names(inputs), names(outputs))
    }

    /// The call for readers: operator, attributes, and types with shapes.
    pub(crate) fn told(&self) -> String {
        let shapes = self.call.inputs.iter().flatten().map(Tensor::shape).collect::<Vec<_>>();
        let (types, attributes) = (self.types(), &self.call.attributes);
        format!("{} {types} of {shapes:?} {attributes:?}", self.call.operator)
    }
}

/// How many elements are wanted of a type, or all of a narrow one.
pub(super) fn narrow(dtype: DType, wanted: usize) -> usize {
    if dtype.bits().is_some_and(|bits| bits <= 16) { wanted.max(1 << 16) } else { wanted }
}

/// A vector of elements.
pub(super) fn vector(dtype: DType, elements: &[u128]) -> Tensor {
    tensor(dtype, vec![elements.len()], elements)
}

/// A tensor of elements, each given by its bits; of strings by their numbers.
pub(super) fn tensor(dtype: DType, shape: Vec<usize>, elements: &[u128]) -> Tensor {
    if dtype == DType::String {
        let texts = elements.iter().map(|number| text(*number).into());
        return Tensor::from_strings(shape, texts.collect()).unwrap();
    }
    Tensor::from_elements(dtype, shape, elements.iter().copied()).unwrap()
}
