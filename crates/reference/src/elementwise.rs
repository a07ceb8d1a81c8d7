//! Element-wise operators: one function from operands to what conforms, applied to broadcast tensors.

use values::dtype::DType;
use values::element::Element;

use crate::broadcast::Broadcast;
use crate::call::Call;
use crate::exact::{Conforming, Deviation};
use crate::operator::{Allowed, Invalid, TensorType};
use crate::real::Real;

/// What an element-wise operator computes from the operands of one element.
pub trait Elementwise: Send + Sync {
    /// Which results of the type conform; anything where the operands are not the function's own.
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming;

    /// The exact result, known to `bits` bits at least; `None` where there is none.
    fn real(&self, dtype: DType, operands: &[Element], bits: u32) -> Option<Real>;

    /// How far the element `actual` of the type is from the exact result.
    fn deviation(&self, dtype: DType, operands: &[Element], actual: u64) -> Deviation;
}

/// Why elements are not decided whose operands are not those of the function.
pub(crate) const FOREIGN: Conforming =
    Conforming::Unspecified("the operands are not those of the operator");

/// The bits of operands, all of one type.
#[inline]
#[must_use]
pub fn bits_of<const N: usize>(dtype: DType, operands: &[Element]) -> Option<[u64; N]> {
    let operands: &[Element; N] = operands.try_into().ok()?;
    let mut bits = [0; N];
    for (bits, operand) in bits.iter_mut().zip(operands) {
        match operand {
            Element::Bits(of, operand) if *of == dtype => *bits = u64::try_from(*operand).ok()?,
            Element::Bits(..) | Element::String(_) => return None,
        }
    }
    Some(bits)
}

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
