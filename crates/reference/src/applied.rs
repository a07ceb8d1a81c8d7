//! Element-wise functions applied to broadcast tensors.

use values::dtype::DType;
use values::element::Element;

use crate::broadcast::Broadcast;
use crate::elementwise::Elementwise;
use crate::exact::{Conforming, Deviation};
use crate::operator::{Allowed, Call, Invalid, TensorType};
use crate::real::Real;

/// What is allowed of an element-wise operator's output.
pub(crate) struct Applied<'a, F> {
    pub(crate) function: F,
    pub(crate) call: &'a Call,
    pub(crate) broadcast: Broadcast,
    pub(crate) dtype: DType,
}

impl<'a, F: Elementwise + 'a> Applied<'a, F> {
    /// The output of a function applied to the broadcast inputs of a call; none where they do not go
    /// together, which the operator's `infer` has refused.
    pub(crate) fn outputs(
        function: F,
        call: &'a Call,
        broadcast: Result<Broadcast, Invalid>,
        outputs: &[TensorType],
    ) -> Vec<Box<dyn Allowed + 'a>> {
        match (broadcast, outputs) {
            (Ok(broadcast), [output]) => {
                vec![Box::new(Self { function, call, broadcast, dtype: output.dtype })]
            }
            _ => Vec::new(),
        }
    }
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
