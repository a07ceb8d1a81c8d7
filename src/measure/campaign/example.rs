//! Counterexamples: inputs whose result is wrong.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::check::Check;
use crate::dtype::DType;
use crate::oracle::Deviation;
use crate::tensor::Tensor;
use reference::elements::{self, ElementError};
use values::element::Element;

/// How many of the first and of the worst counterexamples are kept.
pub(super) const KEPT: usize = 16;

/// An input with a wrong result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Its place in the space.
    pub index: u64,
    /// The operands.
    pub operands: Vec<Element>,
    /// What the implementation gave.
    pub actual: Element,
    /// How far that is from the real result.
    pub error: Deviation,
}

/// How wrong a result is, in the order of the worst: by its distance from the real result, then a
/// NaN or an infinity for a number, then a wrong result where there is no real one.
pub(super) fn severity(error: Deviation) -> (bool, Deviation) {
    (error == Deviation::NoRealResult, error)
}

/// The inputs of a call on examples, a tensor each; those that are scalars are the same in all examples.
pub(super) fn operands(check: &Check, examples: &[Example]) -> Result<Vec<Tensor>, ElementError> {
    let of = |(at, &dtype): (usize, &DType)| {
        let shape = [examples.len()];
        let shape = check.shape(at, &shape);
        let given = examples.iter().take(shape.iter().product());
        elements::tensor_of(dtype, shape, given.map(|one| one.operands[at].clone()).collect())
    };
    check.operands().iter().enumerate().map(of).chain(check.example_of_type().map(Ok)).collect()
}

/// Examples in groups that have the same scalars among their operands: a call has one of each. They are a single group where there are no
/// scalars.
pub(super) fn by_scalars<'a>(check: &Check, examples: &'a [Example]) -> Vec<Cow<'a, [Example]>> {
    let scalars = check.scalars();
    if scalars.is_empty() {
        return vec![examples.into()];
    }
    // No scalar is a string.
    let bits = |scalar: &Element| match scalar {
        Element::Bits(_, bits) => *bits,
        Element::String(_) => 0,
    };
    let mut groups = BTreeMap::<Vec<u128>, Vec<Example>>::new();
    for example in examples {
        let scalars = example.operands.get(scalars.clone()).unwrap_or_default();
        groups.entry(scalars.iter().map(bits).collect()).or_default().push(example.clone());
    }
    groups.into_values().map(Cow::from).collect()
}

/// An element of each example as a tensor of one dimension.
pub(super) fn tensor(
    dtype: DType,
    examples: &[Example],
    element: impl Fn(&Example) -> Element,
) -> Result<Tensor, ElementError> {
    elements::tensor_of(dtype, &[examples.len()], examples.iter().map(element).collect())
}
