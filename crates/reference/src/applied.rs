//! Element-wise operators: a function applied to broadcast tensors.

use values::dtype::DType;
use values::element::Element;

use crate::boundaries::BoundaryInputs;
use crate::broadcast::Broadcast;
use crate::elementwise::Elementwise;
use crate::exact::{Conforming, Deviation};
use crate::operator::{Allowed, Attributes, Call, Invalid, Reference, Specification, TensorType};
use crate::real::Real;

/// What is allowed of an operator that applies a function to each element of its broadcast inputs. The output
/// has the type of the last input.
pub(crate) struct Pointwise<F> {
    /// The function that a specification asks for, with these attributes.
    pub(crate) function: fn(Specification, &Attributes) -> F,
    /// How the inputs of a call lie along its output, or the restriction that it breaks.
    pub(crate) broadcast: fn(&Call) -> Result<Broadcast, Invalid>,
    /// Operands at the boundaries of its results, where it computes.
    pub(crate) boundaries: Option<&'static dyn BoundaryInputs>,
}

impl<F: Elementwise + 'static> Reference for Pointwise<F> {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let shape = (self.broadcast)(call)?.shape().to_vec();
        let last = call.inputs.len().saturating_sub(1);
        Ok(vec![TensorType::new(call.input(last)?.dtype(), shape)?])
    }

    fn allowed<'a>(&self, call: &'a Call, outputs: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let function = (self.function)(call.specification, &call.attributes);
        match ((self.broadcast)(call), outputs) {
            (Ok(broadcast), [output]) => {
                vec![Box::new(Applied { function, call, broadcast, dtype: output.dtype })]
            }
            _ => Vec::new(),
        }
    }

    fn elementwise(
        &self,
        specification: Specification,
        attributes: &Attributes,
    ) -> Option<Box<dyn Elementwise>> {
        Some(Box::new((self.function)(specification, attributes)))
    }

    fn boundaries(&self) -> Option<&'static dyn BoundaryInputs> {
        self.boundaries
    }
}

/// What is allowed of an output.
struct Applied<'a, F> {
    function: F,
    call: &'a Call,
    broadcast: Broadcast,
    dtype: DType,
}

impl<F: Elementwise> Allowed for Applied<'_, F> {
    fn at(&self, index: usize) -> Conforming {
        self.function.conforming(self.dtype, &self.operands(index))
    }

    fn real(&self, index: usize, bits: u32) -> Option<Real> {
        self.function.real(self.dtype, &self.operands(index), bits)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        self.function.deviation(self.dtype, &self.operands(index), actual)
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        let inputs = self.call.inputs.iter().flatten().enumerate();
        inputs
            .filter_map(|(operand, tensor)| {
                Element::of(tensor, self.broadcast.source(operand, index))
            })
            .collect()
    }

    fn function(&self) -> Option<&dyn Elementwise> {
        Some(&self.function)
    }
}
