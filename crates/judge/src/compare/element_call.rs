//! One element of an output with a reference: what conforms, and how far a result is from the exact one.

use reference::elementwise::Elementwise;
use reference::exact::{Conforming, Deviation};
use reference::operator::{Allowed, Operator};
use values::dtype::{DType, Kind};
use values::element::Element;

/// An output that the reference knows: its operator, and what is allowed of its elements.
#[derive(Clone, Copy)]
pub struct ReferenceOutput<'a> {
    /// The operator, on which profiles decide.
    pub operator: &'static Operator,
    /// The allowed elements.
    pub allowed: &'a dyn Allowed,
    /// Whether the expected elements are examples of these: where one is of what is not specified, it decides
    /// nothing under any rule.
    pub is_expected: bool,
}

/// An element-wise function with its operands, and the type of its result.
#[derive(Clone)]
pub(crate) struct ElementCall<'a> {
    pub(crate) function: &'a dyn Elementwise,
    pub(crate) dtype: DType,
    operands: Vec<Element>,
    /// Results of the function so far, which are cheaper to look up than to compute.
    judged: Option<Judged>,
}

/// What conforms, and how far some elements are from the exact result.
#[derive(Clone)]
struct Judged {
    conforming: Conforming,
    deviations: [(u64, Deviation); 2],
}

impl<'a> ElementCall<'a> {
    pub(crate) const fn new(
        function: &'a dyn Elementwise,
        dtype: DType,
        operands: Vec<Element>,
    ) -> Self {
        Self { function, dtype, operands, judged: None }
    }

    /// The same function of other operands: another one in this place.
    pub(crate) fn with_operand(&self, at: usize, operand: Element) -> Self {
        let mut operands = self.operands.clone();
        if let Some(replaced) = operands.get_mut(at) {
            *replaced = operand;
        }
        Self::new(self.function, self.dtype, operands)
    }

    pub(crate) fn operands(&self) -> &[Element] {
        &self.operands
    }

    /// Asks what conforms, and of each of these elements how far it is from the exact result.
    fn judge(&mut self, elements: [u64; 2]) -> (Conforming, [Deviation; 2]) {
        let (conforming, of) = self.function.judged(self.dtype, &self.operands, elements);
        let deviations = [0, 1].map(|at| (elements[at], of[at]));
        self.judged = Some(Judged { conforming: conforming.clone(), deviations });
        (conforming, of)
    }

    pub(crate) fn conforming(&self) -> Conforming {
        match &self.judged {
            Some(judged) => judged.conforming.clone(),
            None => self.function.conforming(self.dtype, &self.operands),
        }
    }

    pub(crate) fn deviation(&self, actual: u64) -> Deviation {
        let known = self.judged.iter().flat_map(|judged| judged.deviations);
        match known.into_iter().find(|(element, _)| *element == actual) {
            Some((_, deviation)) => deviation,
            None => self.function.deviation(self.dtype, &self.operands, actual),
        }
    }
}

/// What the reference determines about the element at an index.
pub(super) struct Known<'a> {
    pub(super) conforming: Conforming,
    /// Where the operator is element-wise.
    pub(super) call: Option<ElementCall<'a>>,
    /// Whether the expected element is an example of nothing.
    pub(super) is_open: bool,
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
        let mut call = allowed
            .function()
            .map(|function| ElementCall::new(function, dtype, allowed.operands(index)));
        let (conforming, deviations) = match (real(dtype, elements), &mut call) {
            (Some(elements), None) => allowed.judged(index, elements),
            (Some(elements), Some(call)) => call.judge(elements),
            (None, None) => (allowed.at(index), [Deviation::NoRealResult; 2]),
            (None, Some(call)) => (call.conforming(), [Deviation::NoRealResult; 2]),
        };
        let is_open = reference.is_expected && matches!(conforming, Conforming::Unspecified(_));
        (Self { conforming, call, is_open }, deviations)
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
