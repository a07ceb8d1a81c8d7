//! Aspects: how type, shape, values, refusal and accuracy of a case came out, each by itself.
//!
//! A requirement states one or several of them, and its status comes from those alone: a wrong
//! value says nothing against a requirement on the output's shape.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::compare::{Element, Form, OutputComparison, WorstElement};
use crate::outcome::Expect;
use crate::text::words;
use values::dtype::Kind;
use values::float::Class;

/// What a requirement states something about, and what is judged on a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Aspect {
    /// The element types of the outputs.
    Type,
    /// The shapes of the outputs.
    Shape,
    /// The elements of the outputs.
    Value,
    /// That what lies outside the specification is refused.
    Refusal,
    /// How far elements lie from the exact results.
    Accuracy,
}

/// How one aspect of a case came out. Ordered by what counts for several data sets: the greatest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AspectResult {
    /// The case does not ask about it.
    NotAsked,
    /// It conforms.
    Passed,
    /// Neither specification nor profile decides it.
    Undecided,
    /// It could not be judged: nothing was executed, or another aspect stood in the way.
    #[default]
    NotJudged,
    /// It does not conform.
    Failed,
}

/// How each aspect of a case came out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Aspects {
    /// The element types of the outputs.
    #[serde(rename = "type")]
    pub dtype: AspectResult,
    /// The shapes of the outputs.
    pub shape: AspectResult,
    /// The elements of the outputs.
    pub value: AspectResult,
    /// The refusal, where one was to be given or was given.
    pub refusal: AspectResult,
    /// The errors of the elements.
    pub accuracy: AspectResult,
}

impl Aspect {
    /// Every aspect, in the order of the documents.
    pub const ALL: [Self; 5] =
        [Self::Type, Self::Shape, Self::Value, Self::Refusal, Self::Accuracy];

    /// Whether the profile's rule decides it: the others are the same under every profile.
    pub const fn is_of_elements(self) -> bool {
        matches!(self, Self::Value | Self::Accuracy)
    }
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl fmt::Display for AspectResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl AspectResult {
    /// The name used in reports, in words.
    pub fn words(self) -> String {
        words(self)
    }
}

impl Aspects {
    /// The same for all.
    pub const fn all(result: AspectResult) -> Self {
        Self { dtype: result, shape: result, value: result, refusal: result, accuracy: result }
    }

    /// One result for what a case with this expectation asks about.
    pub const fn asked(expect: Expect, result: AspectResult) -> Self {
        const NOT_ASKED: AspectResult = AspectResult::NotAsked;
        match expect {
            Expect::Values => Self { refusal: NOT_ASKED, ..Self::all(result) },
            Expect::Refusal => Self { refusal: result, ..Self::all(NOT_ASKED) },
            Expect::ValuesOrRefusal | Expect::Undecided => Self::all(result),
        }
    }

    /// How this one came out.
    pub const fn get(&self, aspect: Aspect) -> AspectResult {
        match aspect {
            Aspect::Type => self.dtype,
            Aspect::Shape => self.shape,
            Aspect::Value => self.value,
            Aspect::Refusal => self.refusal,
            Aspect::Accuracy => self.accuracy,
        }
    }

    /// All results, with their aspects.
    pub fn results(&self) -> impl Iterator<Item = (Aspect, AspectResult)> {
        Aspect::ALL.map(|aspect| (aspect, self.get(aspect))).into_iter()
    }

    /// How it came out of two data sets together: of each aspect the one that counts.
    pub fn with(self, other: Self) -> Self {
        Self {
            dtype: self.dtype.max(other.dtype),
            shape: self.shape.max(other.shape),
            value: self.value.max(other.value),
            refusal: self.refusal.max(other.refusal),
            accuracy: self.accuracy.max(other.accuracy),
        }
    }

    /// The aspects of outputs that were compared with what was expected. A wrong type or shape keeps
    /// the elements from being judged, not the other of the two.
    pub fn of_outputs(outputs: &[OutputComparison]) -> Self {
        let formed = |wrong: &[Form], unknown: &[Form]| {
            let is_of = |forms: &[Form]| outputs.iter().any(|output| forms.contains(&output.form));
            match (is_of(wrong), is_of(unknown)) {
                (true, _) => AspectResult::Failed,
                (false, true) => AspectResult::NotJudged,
                (false, false) => AspectResult::Passed,
            }
        };
        let is_biased = outputs.iter().any(|it| it.whole.is_some_and(|whole| !whole.conforms()));
        let of_elements = |wrong: u64| {
            let decided: u64 = outputs.iter().map(|output| output.elements).sum();
            let undecided: u64 = outputs.iter().map(|output| output.undecided).sum();
            if wrong > 0 || is_biased {
                AspectResult::Failed
            } else if outputs.iter().any(|output| output.form != Form::Same) {
                AspectResult::NotJudged
            } else if decided == 0 && undecided > 0 {
                AspectResult::Undecided
            } else {
                AspectResult::Passed
            }
        };
        use Form::{OtherLength, OtherShape, OtherStructure, OtherType, OtherTypeAndShape};
        Self {
            dtype: formed(&[OtherType, OtherTypeAndShape, OtherStructure], &[OtherLength]),
            shape: formed(&[OtherShape, OtherTypeAndShape, OtherLength], &[OtherStructure]),
            value: of_elements(outputs.iter().map(|output| output.mismatches).sum()),
            refusal: AspectResult::NotAsked,
            accuracy: of_elements(outputs.iter().map(inaccurate).sum()),
        }
    }
}

/// Elements that do not conform and of which an error can be told. A NaN has no exact value, and the
/// other zero no error; where not every mismatch is among the worst elements that are kept, all count.
fn inaccurate(output: &OutputComparison) -> u64 {
    let listed = output.worst.iter().take(usize::try_from(output.mismatches).unwrap_or(usize::MAX));
    let without_error = listed.filter(|worst| has_no_error(worst)).count() as u64;
    if without_error == output.mismatches { 0 } else { output.mismatches }
}

fn has_no_error(worst: &WorstElement) -> bool {
    let expects_nan = matches!(&worst.expected, Element::Bits(dtype, bits)
        if matches!(dtype.kind(), Kind::Float(format) if format.class(*bits as u64) == Class::Nan));
    expects_nan || worst.ulp == Some(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use AspectResult::{Failed, NotAsked, NotJudged, Passed, Undecided};
    use values::dtype::DType;

    fn output(elements: u64, mismatches: u64, form: Form) -> OutputComparison {
        let output = OutputComparison::empty("y", "float32", &[4]);
        OutputComparison { elements, mismatches, form, ..output }
    }

    fn of(output: OutputComparison) -> [AspectResult; 5] {
        let aspects = Aspects::of_outputs(&[output]);
        Aspect::ALL.map(|aspect| aspects.get(aspect))
    }

    #[test]
    fn a_wrong_value_leaves_type_and_shape_passed() {
        assert_eq!(of(output(4, 0, Form::Same)), [Passed, Passed, Passed, NotAsked, Passed]);
        assert_eq!(of(output(4, 1, Form::Same)), [Passed, Passed, Failed, NotAsked, Failed]);
    }

    #[test]
    fn a_wrong_shape_or_type_leaves_the_other_as_it_is_and_the_elements_unjudged() {
        let of = |form| of(output(0, 0, form));
        assert_eq!(of(Form::OtherShape), [Passed, Failed, NotJudged, NotAsked, NotJudged]);
        assert_eq!(of(Form::OtherType), [Failed, Passed, NotJudged, NotAsked, NotJudged]);
        assert_eq!(of(Form::OtherTypeAndShape), [Failed, Failed, NotJudged, NotAsked, NotJudged]);
        let [structure, length] = [of(Form::OtherStructure), of(Form::OtherLength)];
        assert_eq!(structure, [Failed, NotJudged, NotJudged, NotAsked, NotJudged]);
        assert_eq!(length, [NotJudged, Failed, NotJudged, NotAsked, NotJudged]);
    }

    #[test]
    fn elements_that_nothing_decides_leave_type_and_shape_judged() {
        let undecided = OutputComparison { undecided: 4, ..output(0, 0, Form::Same) };
        assert_eq!(of(undecided), [Passed, Passed, Undecided, NotAsked, Undecided]);
    }

    #[test]
    fn an_element_without_an_error_is_wrong_but_not_inaccurate() {
        let worst = |expected: f32, ulp| WorstElement {
            index: vec![0],
            inputs: Vec::new(),
            expected: Element::Bits(DType::Float32, expected.to_bits().into()),
            actual: Element::Bits(DType::Float32, 1.0_f32.to_bits().into()),
            ulp,
        };
        let with = |mismatches, worst: &[WorstElement]| {
            let one = output(9, mismatches, Form::Same);
            Aspects::of_outputs(&[OutputComparison { worst: worst.to_vec(), ..one }])
        };
        let (nan, zero) = (worst(f32::NAN, None), worst(0.0, Some(0)));
        let of = with(2, &[nan.clone(), zero.clone()]);
        assert_eq!((of.value, of.accuracy), (Failed, Passed));
        assert_eq!(with(1, &[worst(f32::INFINITY, None)]).accuracy, Failed);
        assert_eq!(with(2, &[nan.clone(), worst(1.5, Some(7))]).accuracy, Failed);
        assert_eq!(with(9, &[nan, zero]).accuracy, Failed, "what is not kept counts");
    }

    #[test]
    fn of_several_data_sets_the_worst_counts_for_each_aspect() {
        let one = Aspects::of_outputs(&[output(4, 1, Form::Same)]);
        let other = Aspects::asked(Expect::Values, NotJudged);
        let both = Aspects { value: Failed, accuracy: Failed, ..other };
        assert_eq!((one.with(other), other.with(one)), (both, both));
    }
}
