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
    allowed: &'a dyn Allowed,
    index: usize,
}

impl<'a> Known<'a> {
    pub(super) fn of(reference: &ReferenceOutput<'a>, dtype: DType, index: usize) -> Self {
        let allowed = reference.allowed;
        let call = allowed.function().map(|function| ElementCall {
            function,
            dtype,
            operands: allowed.operands(index),
        });
        let conforming = call.as_ref().map_or_else(|| allowed.at(index), ElementCall::conforming);
        Self { conforming, call, allowed, index }
    }

    /// How far an element is from the exact result; of real numbers alone.
    pub(super) fn deviation(&self, actual: &Element) -> Deviation {
        match (actual, &self.call) {
            (Element::Bits(dtype, actual), call)
                if matches!(dtype.kind(), Kind::Float(_) | Kind::Int { .. }) =>
            {
                let actual = *actual as u64;
                let by_index = || self.allowed.deviation(self.index, actual);
                call.as_ref().map_or_else(by_index, |call| call.deviation(actual))
            }
            _ => Deviation::NoRealResult,
        }
    }
}
