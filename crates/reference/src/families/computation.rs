//! What operators have in common whose elements are composed of several operations, each of which is rounded.

use std::cell::RefCell;

use values::dtype::{DType, Kind};
use values::element::Element;
use values::float::FloatFormat;
use values::tensor::Tensor;

use crate::exact::composed::{self, BITS, Computed};
use crate::exact::{Conforming, Deviation, Share};
use crate::operator::Allowed;
use crate::real::Real;

/// What is allowed of an output, by the computation of each element and the places of its operands.
pub(crate) struct Elements<C, O> {
    format: &'static FloatFormat,
    compute: C,
    operands: O,
    /// The last element that was computed to [`BITS`], which is asked for again as long as it is judged.
    latest: RefCell<Option<(usize, Computed)>>,
}

impl<C: Fn(usize, u32) -> Computed, O> Elements<C, O> {
    /// By the element at an index, computed to so many bits, and the operands of an index.
    pub(crate) const fn new(format: &'static FloatFormat, compute: C, operands: O) -> Self {
        Self { format, compute, operands, latest: RefCell::new(None) }
    }

    fn computed(&self, index: usize, bits: u32) -> Computed {
        let is_kept = bits == BITS;
        if let Some((of, known)) = &*self.latest.borrow()
            && is_kept
            && *of == index
        {
            return known.clone();
        }
        let computed = (self.compute)(index, bits);
        if is_kept {
            *self.latest.borrow_mut() = Some((index, computed.clone()));
        }
        computed
    }
}

impl<C, O> Allowed for Elements<C, O>
where
    C: Fn(usize, u32) -> Computed,
    O: Fn(usize) -> Vec<Element>,
{
    fn at(&self, index: usize) -> Conforming {
        composed::conforming(self.format, |bits| self.computed(index, bits))
    }

    fn real(&self, index: usize, bits: u32) -> Option<Real> {
        composed::real(|bits| self.computed(index, bits), bits)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        composed::deviation(self.format, |bits| self.computed(index, bits), actual)
    }

    fn judged(&self, index: usize, actual: [u64; 2]) -> (Conforming, [Deviation; 2]) {
        composed::judged(self.format, |bits| self.computed(index, bits), actual)
    }

    fn share(&self, index: usize, actual: u64) -> Option<Share> {
        composed::share(self.format, |bits| self.computed(index, bits), actual)
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
