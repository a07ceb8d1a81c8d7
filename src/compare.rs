//! Comparison of outputs with what was expected, element by element.
//!
//! A comparison counts and measures; whether an element conforms is the [`Profile`]'s rule. It does
//! no I/O and computes no verdict.
//!
//! [`Profile`]: crate::profile::Profile

use crate::dtype::DType;

/// How many of the worst elements of an output are kept.
pub const WORST_KEPT: usize = 8;

/// One tensor of an output, compared.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputComparison {
    /// Name of the graph output; within a sequence with the place, as in `y[2]`.
    pub name: String,
    /// Expected element type (or `sequence`, `optional` where there is no tensor).
    pub type_name: String,
    /// Expected shape.
    pub shape: Vec<usize>,
    /// Elements compared.
    pub elements: u64,
    /// Elements that do not conform.
    pub mismatches: u64,
    /// Largest distance in ULP of the output's own format, over the elements where it is defined
    /// (floating point, both finite). For integers the distance in units.
    pub max_ulp: Option<u64>,
    /// Largest absolute difference, over the elements where both are finite numbers.
    pub max_abs_error: Option<f64>,
    /// Largest absolute difference relative to the expected value, where that is not 0.
    pub max_rel_error: Option<f64>,
    /// Elements that are NaN on both sides but differ in sign or payload.
    pub nan_sign_or_payload_differs: u64,
    /// The worst elements, mismatches first, at most [`WORST_KEPT`].
    pub worst: Vec<WorstElement>,
    /// Why the tensors could not be compared element by element (shape, type, structure).
    pub problem: Option<String>,
}

/// An element that differs from the expected one.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstElement {
    /// Coordinates in the output.
    pub index: Vec<usize>,
    /// The operands it was computed from, where the operator is element-wise and they are known.
    pub inputs: Vec<Element>,
    /// The expected element.
    pub expected: Element,
    /// The element the backend returned.
    pub actual: Element,
    /// Distance as in [`OutputComparison::max_ulp`].
    pub ulp: Option<u64>,
}

/// One element with its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Element {
    /// A number, as bits in the low end.
    Bits(DType, u128),
    /// A string, as bytes.
    String(bytes::Bytes),
}

impl OutputComparison {
    /// A comparison of nothing yet, for an output of this name, type and expected shape.
    #[must_use]
    pub fn empty(name: &str, type_name: &str, shape: &[usize]) -> Self {
        Self {
            name: name.to_owned(),
            type_name: type_name.to_owned(),
            shape: shape.to_vec(),
            elements: 0,
            mismatches: 0,
            max_ulp: None,
            max_abs_error: None,
            max_rel_error: None,
            nan_sign_or_payload_differs: 0,
            worst: Vec::new(),
            problem: None,
        }
    }

    /// Whether everything that was compared conforms.
    #[must_use]
    pub const fn conforms(&self) -> bool {
        self.mismatches == 0 && self.problem.is_none()
    }
}
