//! Comparison of outputs with what was expected, element by element.
//!
//! A comparison counts and measures; whether an element conforms is the [`Profile`]'s rule. It does
//! no I/O and computes no verdict.
//!
//! Under the `onnx` profile the result is that of the official runner's `assert_similar_outputs`,
//! but for these, where that one is lax or stumbles:
//!
//! - Sequences are compared whole. The official runner walks over the shorter output, and over
//!   the rows of each tensor in a sequence, so it misses a truncated sequence and the shape and type
//!   of an empty tensor, and raises an error on tensors without dimensions and on strings.
//! - Optional values are compared: none with none, a value with a value.
//! - An empty tensor of another type than string is not accepted for an empty tensor of strings.

use crate::profile::{Profile, Tolerance};
use crate::tensor::{Tensor, Value};

mod difference;
mod element;
mod tally;
mod text;

pub use element::Element;
use tally::Tally;
pub use text::text_difference;

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
    /// Largest distance in ULP of the output's own format, over the elements where it is defined:
    /// of one class among NaN, either infinity, and finite. For integers the distance in units,
    /// for complex numbers the larger of the parts'.
    pub max_ulp: Option<u64>,
    /// Largest absolute difference, over the elements where both are finite numbers; rounded to
    /// binary64. Of complex numbers the modulus of the difference.
    pub max_abs_error: Option<f64>,
    /// Largest absolute difference relative to the expected value, where that is not 0.
    pub max_rel_error: Option<f64>,
    /// Elements that are NaN on both sides but differ in sign or payload.
    pub nan_sign_or_payload_differs: u64,
    /// The worst elements among those whose bits differ, mismatches first, at most
    /// [`WORST_KEPT`]. Then by distance, an undefined one being the largest, by absolute
    /// difference, and by place.
    pub worst: Vec<WorstElement>,
    /// What differs between the texts of an output of strings that does not conform, in lines.
    pub text_difference: Option<String>,
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

/// Gives the operands of the element at a row-major index of an element-wise operator's output.
pub type Operands<'a> = &'a dyn Fn(usize) -> Vec<Element>;

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
            text_difference: None,
            problem: None,
        }
    }

    /// Whether everything that was compared conforms.
    #[must_use]
    pub const fn conforms(&self) -> bool {
        self.mismatches == 0 && self.problem.is_none()
    }
}

/// Compares the output `name` with what was expected: one comparison for each expected tensor, or
/// for the sequence or optional that holds none or cannot be compared.
///
/// `operands` is asked about the worst elements of an output that is a tensor.
#[must_use]
pub fn compare(
    profile: Profile,
    tolerance: Tolerance,
    name: &str,
    expected: &Value,
    actual: &Value,
    operands: Option<Operands<'_>>,
) -> Vec<OutputComparison> {
    let without_tensor = |problem: Option<String>| {
        vec![OutputComparison { problem, ..OutputComparison::empty(name, expected.kind(), &[]) }]
    };
    match (expected, actual) {
        (Value::Tensor(expected), Value::Tensor(actual)) => {
            vec![compare_tensors(profile, tolerance, name, expected, actual, operands)]
        }
        (Value::Sequence(expected), Value::Sequence(actual)) => {
            if expected.len() != actual.len() {
                return without_tensor(Some(format!(
                    "expected a sequence of length {}, got length {}",
                    expected.len(),
                    actual.len()
                )));
            }
            if expected.is_empty() {
                return without_tensor(None);
            }
            let places = expected.iter().zip(actual).enumerate();
            places
                .flat_map(|(place, (expected, actual))| {
                    let name = format!("{name}[{place}]");
                    compare(profile, tolerance, &name, expected, actual, None)
                })
                .collect()
        }
        (Value::Optional(None), Value::Optional(None)) => without_tensor(None),
        (Value::Optional(Some(expected)), Value::Optional(Some(actual))) => {
            compare(profile, tolerance, name, expected, actual, operands)
        }
        (Value::Tensor(expected), _) => vec![OutputComparison {
            problem: Some(format!("expected a tensor, got {}", described(actual))),
            ..OutputComparison::empty(name, expected.dtype().name(), expected.shape())
        }],
        (Value::Sequence(_) | Value::Optional(_), _) => without_tensor(Some(format!(
            "expected {}, got {}",
            described(expected),
            described(actual)
        ))),
    }
}

fn described(value: &Value) -> &'static str {
    match value {
        Value::Tensor(_) => "a tensor",
        Value::Sequence(_) => "a sequence",
        Value::Optional(Some(_)) => "an optional with a value",
        Value::Optional(None) => "an optional without a value",
    }
}

fn compare_tensors(
    profile: Profile,
    tolerance: Tolerance,
    name: &str,
    expected: &Tensor,
    actual: &Tensor,
    operands: Option<Operands<'_>>,
) -> OutputComparison {
    let comparison = OutputComparison::empty(name, expected.dtype().name(), expected.shape());
    let same_type = expected.dtype() == actual.dtype();
    let same_shape = expected.shape() == actual.shape();
    let problem = match (same_type, same_shape) {
        (true, true) => {
            return Tally::of(profile, tolerance, expected, actual)
                .into_comparison(comparison, expected, actual, operands);
        }
        (true, false) => {
            format!("expected shape {:?}, got {:?}", expected.shape(), actual.shape())
        }
        (false, true) => format!("expected type {}, got {}", expected.dtype(), actual.dtype()),
        (false, false) => format!(
            "expected {} of shape {:?}, got {} of shape {:?}",
            expected.dtype(),
            expected.shape(),
            actual.dtype(),
            actual.shape()
        ),
    };
    OutputComparison { problem: Some(problem), ..comparison }
}
