//! What operators have in common whose elements are composed of several operations, each of which is rounded.

use values::dtype::{DType, Kind};
use values::element::Element;
use values::float::FloatFormat;
use values::tensor::Tensor;

use crate::exact::composed::{self, Computed};
use crate::exact::{Conforming, Deviation, Share};
use crate::operator::Allowed;
use crate::real::Real;

/// What is allowed of an output, by the computation of each element and the places of its operands.
pub(crate) struct Elements<C, O> {
    pub(crate) format: &'static FloatFormat,
    /// The element at an index, computed to so many bits.
    pub(crate) compute: C,
    /// The operands of an index.
    pub(crate) operands: O,
}

impl<C, O> Allowed for Elements<C, O>
where
    C: Fn(usize, u32) -> Computed,
    O: Fn(usize) -> Vec<Element>,
{
    fn at(&self, index: usize) -> Conforming {
        composed::conforming(self.format, |bits| (self.compute)(index, bits))
    }

    fn real(&self, index: usize, bits: u32) -> Option<Real> {
        composed::real(|bits| (self.compute)(index, bits), bits)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        composed::deviation(self.format, |bits| (self.compute)(index, bits), actual)
    }

    fn judged(&self, index: usize, actual: [u64; 2]) -> (Conforming, [Deviation; 2]) {
        composed::judged(self.format, |bits| (self.compute)(index, bits), actual)
    }

    fn share(&self, index: usize, actual: u64) -> Option<Share> {
        composed::share(self.format, |bits| (self.compute)(index, bits), actual)
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        (self.operands)(index)
    }
}

/// The format of a float type.
pub(crate) fn format_of(dtype: DType) -> Option<&'static FloatFormat> {
    match dtype.kind() {
        Kind::Float(format) => Some(format),
        Kind::Int { .. } | Kind::Bool | Kind::Complex(_) | Kind::String => None,
    }
}

/// The value of the element of a tensor at a place; nothing is known of one that is not there.
pub(crate) fn value(tensor: &Tensor, place: usize, bits: u32) -> Computed {
    let element = tensor.element(place).and_then(|element| u64::try_from(element).ok());
    match (element, format_of(tensor.dtype())) {
        (Some(element), Some(format)) => Computed::element(format, element, bits),
        _ => Computed::open(composed::Exact::Undefined, FOREIGN),
    }
}

/// The value of an attribute that is a float32.
pub(crate) fn attribute(pattern: u32, bits: u32) -> Computed {
    Computed::element(&FloatFormat::FLOAT32, pattern.into(), bits)
}

/// Why nothing is known of what does not belong to the operator.
const FOREIGN: &str = "the operands are not those of the operator";
