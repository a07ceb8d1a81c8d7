//! Element-wise functions: from the operands of one element to what conforms.

use values::dtype::DType;
use values::element::Element;

use crate::exact::{Conforming, Deviation, each_once};
use crate::real::Real;

/// What an element-wise operator computes from the operands of one element.
pub trait Elementwise: Send + Sync {
    /// Which results of the type conform; anything where the operands are not the function's own.
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming;

    /// The exact result, known to `bits` bits at least; `None` where there is none.
    fn real(&self, dtype: DType, operands: &[Element], bits: u32) -> Option<Real>;

    /// How far the element `actual` of the type is from the exact result.
    fn deviation(&self, dtype: DType, operands: &[Element], actual: u64) -> Deviation;

    /// Both: which results conform, and how far each of these is from the exact one. For those that find them out
    /// together.
    fn judged(
        &self,
        dtype: DType,
        operands: &[Element],
        actual: [u64; 2],
    ) -> (Conforming, [Deviation; 2]) {
        let of = |actual| self.deviation(dtype, operands, actual);
        (self.conforming(dtype, operands), each_once(actual, of))
    }

    /// Whether the exact result is a number of the type that every implementation has to give, however
    /// large an error it is allowed elsewhere, such as e^0.
    fn is_exact_point(&self, _dtype: DType, _operands: &[Element]) -> bool {
        false
    }

    /// What operands are told apart by where the result does not tell it, such as which of two numbers that are
    /// not equal is greater.
    fn distinction(&self, _operands: &[Element]) -> u64 {
        0
    }
}

/// Why elements are not decided whose operands are not those of the function.
pub(crate) const FOREIGN: Conforming =
    Conforming::Unspecified("the operands are not those of the operator");

/// The bits of operands, all of one type.
#[inline]
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
