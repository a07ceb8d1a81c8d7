//! Comparison of outputs with what was expected, element by element.
//!
//! A comparison counts and measures; whether an element conforms is the [`Profile`]'s rule: by the
//! expected element, or by the oracle from the operands, where the expected element decides nothing.
//! What the rule does not decide is counted apart. A comparison does no I/O and computes no verdict.
//!
//! Under the `onnx` profile the result is that of the official runner's `assert_similar_outputs`,
//! but for these, where that one is lax or stumbles:
//!
//! - Sequences are compared whole. The official runner walks over the shorter output, and over
//!   the rows of each tensor in a sequence, so it misses a truncated sequence and the shape and type
//!   of an empty tensor, and raises an error on tensors without dimensions and on strings.
//! - Optional values are compared: none with none, a value with a value.
//! - An empty tensor of another type than string is not accepted for an empty tensor of strings.

use crate::profile::{Profile, Strictness, Tolerance};
use crate::text::grouped;
use reference::exact::{Conforming, Share, Ulps};
use reference::operator::OperatorKind;
use values::tensor::{Tensor, Value};

mod difference;
mod element_call;
mod judge;
mod limits;
mod tally;
mod text;
mod whole;
mod words;

use difference::Difference;
pub use element_call::ReferenceOutput;
use judge::Judge;
use tally::Tally;
pub use text::text_difference;
pub use values::element::Element;
pub use whole::Whole;
pub use words::element_line;

/// How many of the worst elements of an output are kept.
pub const WORST_KEPT: usize = 8;

/// How many of the first elements that a backend returned are kept.
pub const RETURNED_KEPT: usize = 16;

/// How many operands of an element are listed: all of any operator except a sum of many terms.
const OPERANDS_SHOWN: usize = 16;

/// How many unexpected tensors of one output are listed.
const OBSERVED: usize = 64;

/// Operands as documents list them: the first ones, and how many more there are.
pub fn operands_shown(operands: &[Element]) -> Vec<String> {
    let more = operands.len().saturating_sub(OPERANDS_SHOWN);
    let more = (more > 0).then(|| format!("and {} more", grouped(more as u64)));
    operands.iter().take(OPERANDS_SHOWN).map(ToString::to_string).chain(more).collect()
}

/// Whether a text is what [`operands_shown`] ends with where there are more.
pub fn is_count_of_more(text: &str) -> bool {
    let count = text.strip_prefix("and ").and_then(|text| text.strip_suffix(" more"));
    let count = count.and_then(|count| count.replace(',', "").parse().ok());
    count.is_some_and(|count: u64| count > 0 && text == format!("and {} more", grouped(count)))
}

/// One tensor of an output, compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OutputComparison {
    /// Name of the graph output; within a sequence with the place, as in `y[2]`.
    pub name: String,
    /// Expected element type (or `sequence`, `optional` where there is no tensor).
    pub type_name: String,
    /// Expected shape.
    pub shape: Vec<usize>,
    /// Elements that were decided.
    pub elements: u64,
    /// Elements that the profile does not decide. Nothing is measured on them.
    pub undecided: u64,
    /// Elements that do not conform.
    pub mismatches: u64,
    /// How strictly they are judged; none where nothing is expected, or no tensor.
    pub strictness: Option<Strictness>,
    /// Largest error against the exact results, whatever the profile, where the reference knows them.
    pub max_error: Option<Ulps>,
    /// That of the expected elements.
    pub expected_max_error: Option<Ulps>,
    /// Largest share of its bound that a number takes, where a bound decides: at most 1 where all elements conform, and
    /// more where one does not. `None` where no bound decides, or an element that does not conform takes no share, such
    /// as a NaN in place of a number.
    pub share_of_bound: Option<Share>,
    /// What the errors of all elements come to together, where the profile judges them so.
    pub whole: Option<Whole>,
    /// Expected elements that the reference does not allow.
    pub expected_not_conforming: u64,
    /// The first of these.
    pub expected_fault: Option<ExpectedFault>,
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
    /// The first elements that were returned, at most [`RETURNED_KEPT`].
    pub returned: Vec<Element>,
    /// What differs between the texts of an output of strings that does not conform, in lines.
    pub text_difference: Option<String>,
    /// Why the tensors could not be compared element by element (shape, type, structure).
    pub problem: Option<String>,
    /// The same as one of a few.
    pub form: Form,
}

/// Whether an output has the form that was expected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// It has: its elements are compared.
    #[default]
    Same,
    /// A tensor of another shape.
    OtherShape,
    /// A tensor of another element type.
    OtherType,
    /// A tensor of another element type and shape.
    OtherTypeAndShape,
    /// A sequence of another length.
    OtherLength,
    /// No tensor, sequence or optional where one was expected.
    OtherStructure,
}

/// An expected element that the reference does not allow.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectedFault {
    /// Coordinates in the output.
    pub index: Vec<usize>,
    /// The expected element.
    pub expected: Element,
    /// What the reference allows.
    pub conforming: Conforming,
}

/// An element that differs from the expected one.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstElement {
    /// Coordinates in the output.
    pub index: Vec<usize>,
    /// The operands it was computed from, where they are known, as documents tell them.
    pub inputs: Vec<String>,
    /// The expected element.
    pub expected: Element,
    /// The element the backend returned.
    pub actual: Element,
    /// Distance as in [`OutputComparison::max_ulp`].
    pub ulp: Option<u64>,
}

impl OutputComparison {
    /// A comparison of nothing yet, for an output of this name, type and expected shape.
    pub fn empty(name: &str, type_name: &str, shape: &[usize]) -> Self {
        Self {
            name: name.to_owned(),
            type_name: type_name.to_owned(),
            shape: shape.to_vec(),
            ..Self::default()
        }
    }

    /// Whether everything that was compared conforms.
    pub fn conforms(&self) -> bool {
        let is_whole = self.whole.is_none_or(|whole| whole.conforms());
        self.mismatches == 0 && self.problem.is_none() && is_whole
    }
}

/// Compares the output `name` with what was expected: one comparison for each expected tensor, or
/// for the sequence or optional that holds none or cannot be compared.
///
/// `reference` is what is allowed of an output that is a tensor. Without it the profile's fallback
/// rule decides.
pub fn compare(
    profile: &Profile,
    tolerance: Tolerance,
    name: &str,
    expected: &Value,
    actual: &Value,
    reference: Option<&ReferenceOutput<'_>>,
) -> Vec<OutputComparison> {
    let without_tensor = |form: Form, problem: Option<String>| {
        let empty = OutputComparison::empty(name, expected.kind(), &[]);
        vec![OutputComparison { problem, form, ..empty }]
    };
    match (expected, actual) {
        (Value::Tensor(expected), Value::Tensor(actual)) => {
            vec![compare_tensors(profile, tolerance, name, expected, actual, reference)]
        }
        (Value::Sequence(expected), Value::Sequence(actual)) => {
            if expected.len() != actual.len() {
                let (expected, actual) = (expected.len(), actual.len());
                let problem =
                    format!("expected a sequence of length {expected}, got length {actual}");
                return without_tensor(Form::OtherLength, Some(problem));
            }
            if expected.is_empty() {
                return without_tensor(Form::Same, None);
            }
            let places = expected.iter().zip(actual).enumerate();
            places
                .flat_map(|(place, (expected, actual))| {
                    let name = format!("{name}[{place}]");
                    compare(profile, tolerance, &name, expected, actual, None)
                })
                .collect()
        }
        (Value::Optional(None), Value::Optional(None)) => without_tensor(Form::Same, None),
        (Value::Optional(Some(expected)), Value::Optional(Some(actual))) => {
            compare(profile, tolerance, name, expected, actual, reference)
        }
        (Value::Tensor(expected), _) => vec![OutputComparison {
            strictness: Some(strictness(profile, expected, reference)),
            problem: Some(format!("expected a tensor, got {}", described(actual))),
            form: Form::OtherStructure,
            ..OutputComparison::empty(name, expected.dtype().name(), expected.shape())
        }],
        (Value::Sequence(_) | Value::Optional(_), _) => without_tensor(
            Form::OtherStructure,
            Some(format!("expected {}, got {}", described(expected), described(actual))),
        ),
    }
}

/// Whether an element that is not the expected one is none of those that the reference allows, so that a tensor of the
/// expected type and shape does not conform. Nothing is measured, and what the profile does not leave to the reference
/// is not looked at.
pub fn refutes(
    profile: &Profile,
    expected: &Value,
    actual: &Value,
    reference: Option<&ReferenceOutput<'_>>,
) -> bool {
    let (Value::Tensor(expected), Value::Tensor(actual), Some(_)) = (expected, actual, reference)
    else {
        return false;
    };
    let judge = Judge::new(profile, Tolerance::default(), expected.dtype(), reference);
    let is_of_form = expected.dtype() == actual.dtype() && expected.shape() == actual.shape();
    let comparison = OutputComparison::default();
    is_of_form && Tally::new(judge, [expected, actual], reference, comparison).refutes()
}

/// How far one element is from another, as [`OutputComparison::max_ulp`] measures; `None` where that is not
/// defined, or they are of two types.
pub fn distance(expected: &Element, actual: &Element) -> Option<u64> {
    match (expected, actual) {
        (Element::Bits(dtype, expected), Element::Bits(of, actual)) if dtype == of => {
            Difference::between(dtype.kind(), *expected, *actual).ulp
        }
        _ => None,
    }
}

/// Records an output that nothing is expected of: every element is undecided. Of a sequence of many
/// tensors the first ones are recorded, and how many more there are.
pub fn observe(name: &str, actual: &Value) -> Vec<OutputComparison> {
    let mut observed = observe_all(name, actual);
    if observed.len() > OBSERVED {
        let more = observed.split_off(OBSERVED);
        let name = format!("{name}, and {} more tensors", grouped(more.len() as u64));
        let undecided = more.iter().map(|one| one.undecided).sum();
        observed.push(OutputComparison {
            undecided,
            ..OutputComparison::empty(&name, actual.kind(), &[])
        });
    }
    observed
}

fn observe_all(name: &str, actual: &Value) -> Vec<OutputComparison> {
    match actual {
        Value::Tensor(tensor) => vec![OutputComparison {
            undecided: tensor.elements() as u64,
            returned: first_of(tensor),
            ..OutputComparison::empty(name, tensor.dtype().name(), tensor.shape())
        }],
        Value::Sequence(values) => values
            .iter()
            .enumerate()
            .flat_map(|(place, value)| observe_all(&format!("{name}[{place}]"), value))
            .collect(),
        Value::Optional(Some(value)) => observe_all(name, value),
        Value::Optional(None) => vec![OutputComparison::empty(name, actual.kind(), &[])],
    }
}

fn first_of(tensor: &Tensor) -> Vec<Element> {
    (0..RETURNED_KEPT).map_while(|index| Element::of(tensor, index)).collect()
}

fn described(value: &Value) -> &'static str {
    match value {
        Value::Tensor(_) => "a tensor",
        Value::Sequence(_) => "a sequence",
        Value::Optional(Some(_)) => "an optional with a value",
        Value::Optional(None) => "an optional without a value",
    }
}

fn strictness(
    profile: &Profile,
    expected: &Tensor,
    reference: Option<&ReferenceOutput<'_>>,
) -> Strictness {
    profile.strictness(reference.map(|known| known.operator), expected.dtype())
}

fn compare_tensors(
    profile: &Profile,
    tolerance: Tolerance,
    name: &str,
    expected: &Tensor,
    actual: &Tensor,
    reference: Option<&ReferenceOutput<'_>>,
) -> OutputComparison {
    let comparison = OutputComparison {
        strictness: Some(strictness(profile, expected, reference)),
        returned: first_of(actual),
        ..OutputComparison::empty(name, expected.dtype().name(), expected.shape())
    };
    let same_type = expected.dtype() == actual.dtype();
    let same_shape = expected.shape() == actual.shape();
    let (form, problem) = match (same_type, same_shape) {
        (true, true) => {
            let judge = Judge::new(profile, tolerance, expected.dtype(), reference);
            let is_exact = matches!(judge, Judge::Exact(_));
            let compared = Tally::new(judge, [expected, actual], reference, comparison).run();
            let is_decided = compared.mismatches == 0 && compared.undecided == 0;
            let of_all = reference.filter(|known| {
                let is_accumulated = known.operator.kind == OperatorKind::Accumulated;
                profile.judges_whole() && is_exact && is_decided && is_accumulated
            });
            let whole = of_all.and_then(|known| Whole::of(known.allowed, actual));
            return OutputComparison { whole, ..compared };
        }
        (true, false) => (
            Form::OtherShape,
            format!("expected shape {:?}, got {:?}", expected.shape(), actual.shape()),
        ),
        (false, true) => {
            (Form::OtherType, format!("expected type {}, got {}", expected.dtype(), actual.dtype()))
        }
        (false, false) => (
            Form::OtherTypeAndShape,
            format!(
                "expected {} of shape {:?}, got {} of shape {:?}",
                expected.dtype(),
                expected.shape(),
                actual.dtype(),
                actual.shape()
            ),
        ),
    };
    OutputComparison { problem: Some(problem), form, ..comparison }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use reference::operator::Allowed;
    use reference::operators::sqrt::SQRT;
    use reference::real::Real;

    use reference::exact::Deviation;

    use super::*;
    use values::dtype::DType;

    fn singles(values: &[f32]) -> Value {
        let shape = vec![values.len()];
        Tensor::from_values(DType::Float32, shape, values.to_vec()).unwrap().into()
    }

    fn strings(values: &[&str]) -> Value {
        let strings = values.iter().map(|text| Bytes::from((*text).to_owned())).collect();
        Tensor::from_strings(vec![values.len()], strings).unwrap().into()
    }

    fn under(profile: &str, expected: &Value, actual: &Value) -> Vec<OutputComparison> {
        compare(
            &Profile::named(profile).unwrap(),
            Tolerance::default(),
            "y",
            expected,
            actual,
            None,
        )
    }

    fn exact(expected: &Value, actual: &Value) -> Vec<OutputComparison> {
        under("ieee754", expected, actual)
    }

    fn some(value: Value) -> Value {
        Value::Optional(Some(Box::new(value)))
    }

    #[test]
    fn an_equal_output_conforms_and_measures_zero() {
        let y = singles(&[f32::NAN, 0.0, 1.5]);
        let expected = OutputComparison {
            elements: 3,
            strictness: Some(Strictness::Exact),
            max_ulp: Some(0),
            max_abs_error: Some(0.0),
            max_rel_error: Some(0.0),
            returned: [0x7fc0_0000, 0, 0x3fc0_0000]
                .map(|x| Element::Bits(DType::Float32, x))
                .into(),
            ..OutputComparison::empty("y", "float32", &[3])
        };
        assert_eq!(exact(&y, &y), [expected]);
    }

    #[test]
    fn what_nothing_is_expected_of_is_observed_and_not_judged() {
        let y = Value::Sequence(vec![singles(&[1.5; 40])]);
        let [seen] = &observe("y", &y)[..] else { panic!() };
        assert_eq!((seen.name.as_str(), seen.undecided, seen.elements), ("y[0]", 40, 0));
        assert_eq!(seen.returned.len(), RETURNED_KEPT);
    }

    #[test]
    fn what_no_element_defines_is_not_measured() {
        let [nan] = &exact(&singles(&[f32::NAN]), &singles(&[f32::NAN]))[..] else { panic!() };
        assert_eq!((nan.max_ulp, nan.max_abs_error, nan.max_rel_error), (Some(0), None, None));
        let [zero] = &exact(&singles(&[0.0]), &singles(&[0.0]))[..] else { panic!() };
        assert_eq!((zero.max_abs_error, zero.max_rel_error), (Some(0.0), None));
        let [none] = &exact(&singles(&[]), &singles(&[]))[..] else { panic!() };
        let empty = OutputComparison::empty("y", "float32", &[0]);
        assert_eq!(*none, OutputComparison { strictness: Some(Strictness::Exact), ..empty });
    }

    #[test]
    fn a_nan_of_other_bits_conforms_and_is_counted_and_shown() {
        let outputs = exact(&singles(&[f32::NAN, 1.0]), &singles(&[-f32::NAN, 1.0]));
        assert!(outputs[0].conforms());
        assert_eq!(outputs[0].nan_sign_or_payload_differs, 1);
        assert_eq!(outputs[0].worst[0].actual.to_string(), "NaN (0xffc00000)");
    }

    #[test]
    fn the_worst_are_mismatches_then_by_distance_then_by_place() {
        let expected = singles(&[1.0, 1.0, 2.0, 1.0, 0.0, 1.0, 100.0]);
        let tenth = 1.0 + 0.1;
        let actual = singles(&[1.0, 1.000_01, 2.2, f32::NAN, -0.0, tenth, 100.001]);
        let outputs = under("onnx", &expected, &actual);
        assert_eq!(outputs[0].mismatches, 3);
        let order: Vec<usize> = outputs[0].worst.iter().map(|worst| worst.index[0]).collect();
        // NaN; the two a tenth too large, of which the larger is further away; then what conforms.
        assert_eq!(order, [3, 2, 5, 6, 1, 4]);
        assert_eq!(outputs[0].worst[0].ulp, None);
        assert_eq!(outputs[0].worst[5].ulp, Some(0));
    }

    /// What is not specified, with operands that tell which elements were asked for.
    #[derive(Default)]
    struct Recorder(std::cell::RefCell<Vec<usize>>);

    impl Allowed for Recorder {
        fn at(&self, _: usize) -> Conforming {
            Conforming::Unspecified("a test")
        }

        fn real(&self, _: usize, _: u32) -> Option<Real> {
            None
        }

        fn deviation(&self, _: usize, _: u64) -> Deviation {
            Deviation::NoRealResult
        }

        fn operands(&self, index: usize) -> Vec<Element> {
            self.0.borrow_mut().push(index);
            vec![Element::Bits(DType::Int8, index as u128)]
        }
    }

    #[test]
    fn only_the_worst_are_kept_and_the_first_of_equals() {
        let expected = singles(&[1.0; 3000]);
        let mut values = [1.5_f32; 3000];
        values[2000] = 2.0;
        let allowed = Recorder::default();
        let reference = ReferenceOutput { operator: &SQRT, allowed: &allowed, is_expected: false };
        let (profile, tolerance) = (Profile::named("onnx").unwrap(), Tolerance::default());
        let outputs =
            compare(&profile, tolerance, "y", &expected, &singles(&values), Some(&reference));
        assert_eq!(outputs[0].mismatches, 3000);
        assert_eq!(outputs[0].max_abs_error, Some(1.0));
        assert_eq!(allowed.0.into_inner(), [2000, 0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(outputs[0].worst.len(), WORST_KEPT);
        assert_eq!(outputs[0].worst[7].inputs, [Element::Bits(DType::Int8, 6).to_string()]);
    }

    #[test]
    fn elements_after_the_first_chunk_are_found_at_their_coordinates() {
        for dtype in [
            DType::Int2,
            DType::Uint4,
            DType::Float6E2M3,
            DType::Int8,
            DType::Float16,
            DType::Complex128,
        ] {
            let shape = vec![3, 20_001];
            let length = dtype.packed_len(60_003).unwrap();
            let zeros = Tensor::from_bits(dtype, shape.clone(), vec![0; length].into()).unwrap();
            let mut data = vec![0; length];
            data[length - 1] = 1;
            let last = Tensor::from_bits(dtype, shape, data.into()).unwrap();
            let outputs = exact(&zeros.into(), &last.into());
            assert_eq!((outputs[0].elements, outputs[0].mismatches), (60_003, 1), "{dtype}");
            // The first bit of the last byte is one of this element.
            let element = match dtype.bits().unwrap() as usize {
                narrow @ ..8 => (length - 1) * 8 / narrow,
                _ => 60_002,
            };
            assert_eq!(outputs[0].worst[0].index, [2, element - 40_002], "{dtype}");
        }
    }

    #[test]
    fn strings_must_be_equal_under_every_profile_that_compares_them() {
        for profile in ["onnx", "ieee754", "sonnx"] {
            let outputs = under(profile, &strings(&["a", "b"]), &strings(&["a", "c"]));
            assert_eq!((outputs[0].elements, outputs[0].mismatches), (2, 1));
            assert_eq!(outputs[0].worst[0].expected.to_string(), "\"b\"");
            let difference = outputs[0].text_difference.as_deref().unwrap();
            assert_eq!(difference, "-[1] \"b\"\n+[1] \"c\"");
        }
        assert_eq!(exact(&strings(&["a"]), &strings(&["a"]))[0].text_difference, None);
    }

    #[test]
    fn sequences_are_compared_by_place() {
        let expected = Value::Sequence(vec![
            singles(&[1.0]),
            Value::Sequence(vec![singles(&[1.0]), singles(&[2.0, 3.0])]),
        ]);
        let outputs = exact(&expected, &expected);
        let names: Vec<&str> = outputs.iter().map(|output| output.name.as_str()).collect();
        assert_eq!(names, ["y[0]", "y[1][0]", "y[1][1]"]);
        assert_eq!(outputs.iter().map(|output| output.elements).sum::<u64>(), 4);
    }

    #[test]
    fn operands_of_a_long_sum_are_counted_and_not_all_told() {
        let operands = vec![Element::Bits(DType::Int8, 1); 2062];
        let told = operands_shown(&operands);
        assert_eq!((told.len(), told[16].as_str()), (17, "and 2,046 more"));
        assert_eq!(operands_shown(&operands[..16]).len(), 16);
    }

    #[test]
    fn an_endless_sequence_that_nothing_is_expected_of_is_counted_and_not_all_told() {
        let sequence = Value::Sequence(vec![singles(&[1.0, 2.0]); 1000]);
        let observed = observe("y", &sequence);
        assert_eq!((observed.len(), observed[64].name.as_str()), (65, "y, and 936 more tensors"));
        assert_eq!(observed.iter().map(|one| one.undecided).sum::<u64>(), 2000);
        assert_eq!(observe("y", &Value::Sequence(vec![singles(&[1.0]); 64])).len(), 64);
    }

    #[test]
    fn what_is_not_the_same_kind_type_or_shape_is_a_problem_that_names_both() {
        let vector = || singles(&[1.0]);
        let doubles = Tensor::from_values(DType::Float64, vec![2], vec![1.0_f64; 2]).unwrap();
        let table = [
            (vector(), singles(&[1.0, 1.0]), "expected shape [1], got [2]"),
            (singles(&[1.0, 1.0]), doubles.clone().into(), "expected type float32, got float64"),
            (vector(), doubles.into(), "expected float32 of shape [1], got float64 of shape [2]"),
            (vector(), Value::Sequence(vec![vector()]), "expected a tensor, got a sequence"),
            (Value::Sequence(vec![vector()]), vector(), "expected a sequence, got a tensor"),
            (
                Value::Sequence(vec![vector(), vector()]),
                Value::Sequence(vec![vector()]),
                "expected a sequence of length 2, got length 1",
            ),
            (
                some(vector()),
                Value::Optional(None),
                "expected an optional with a value, got an optional without a value",
            ),
            (
                Value::Optional(None),
                some(vector()),
                "expected an optional without a value, got an optional with a value",
            ),
            (some(vector()), vector(), "expected an optional with a value, got a tensor"),
        ];
        for (expected, actual, problem) in table {
            for profile in Profile::NAMES {
                let outputs = under(profile, &expected, &actual);
                assert_eq!(outputs.len(), 1);
                assert_eq!(outputs[0].problem.as_deref(), Some(problem));
                assert_ne!(outputs[0].form, Form::Same);
                assert_eq!(outputs[0].elements, 0);
                assert!(!outputs[0].conforms());
            }
        }
    }

    #[test]
    fn absent_values_and_empty_sequences_conform_to_their_like() {
        for (value, kind) in
            [(Value::Optional(None), "optional"), (Value::Sequence(Vec::new()), "sequence")]
        {
            assert_eq!(exact(&value, &value), [OutputComparison::empty("y", kind, &[])]);
        }
        assert_eq!(exact(&some(singles(&[1.0])), &some(singles(&[1.0])))[0].elements, 1);
    }
}
