//! One element of an output with a reference: what conforms, and how far a result is from the exact one.

use reference::elementwise::Elementwise;
use reference::exact::{Conforming, Deviation};
use reference::operator::{Allowed, Operator, each_once};
use values::dtype::{DType, Kind};
use values::element::Element;

/// An output that the reference knows: its operator, and what is allowed of its elements.
#[derive(Clone, Copy)]
pub struct ReferenceOutput<'a> {
    /// The operator, on which profiles decide.
    pub operator: &'static Operator,
    /// What is allowed.
    pub allowed: &'a dyn Allowed,
}

/// An element-wise function with its operands, and the type of its result.
#[derive(Clone)]
pub(crate) struct ElementCall<'a> {
    pub(crate) function: &'a dyn Elementwise,
    pub(crate) dtype: DType,
    pub(crate) operands: Vec<Element>,
}

impl ElementCall<'_> {
    pub(crate) fn conforming(&self) -> Conforming {
        self.function.conforming(self.dtype, &self.operands)
    }

    pub(crate) fn deviation(&self, actual: u64) -> Deviation {
        self.function.deviation(self.dtype, &self.operands, actual)
    }
}

/// What the reference knows of the element at an index.
pub(super) struct Known<'a> {
    pub(super) conforming: Conforming,
    /// Where the operator is element-wise.
    pub(super) call: Option<ElementCall<'a>>,
}

impl<'a> Known<'a> {
    /// Likewise, and how far each of two elements is from the exact result; of real numbers alone.
    pub(super) fn of(
        reference: &ReferenceOutput<'a>,
        dtype: DType,
        index: usize,
        elements: [&Element; 2],
    ) -> (Self, [Deviation; 2]) {
        let allowed = reference.allowed;
        let call = allowed.function().map(|function| ElementCall {
            function,
            dtype,
            operands: allowed.operands(index),
        });
        let (conforming, deviations) = match (real(dtype, elements), &call) {
            (Some(elements), None) => allowed.judged(index, elements),
            (Some(elements), Some(call)) => {
                (call.conforming(), each_once(elements, |actual| call.deviation(actual)))
            }
            (None, None) => (allowed.at(index), [Deviation::NoRealResult; 2]),
            (None, Some(call)) => (call.conforming(), [Deviation::NoRealResult; 2]),
        };
        (Self { conforming, call }, deviations)
    }
}

/// The bits of elements that are real numbers, or may be.
fn real(dtype: DType, elements: [&Element; 2]) -> Option<[u64; 2]> {
    match (dtype.kind(), elements) {
        (Kind::Float(_) | Kind::Int { .. }, [Element::Bits(_, a), Element::Bits(_, b)]) => {
            Some([*a as u64, *b as u64])
        }
        _ => None,
    }
}
