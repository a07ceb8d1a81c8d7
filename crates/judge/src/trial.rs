//! Trials: what an implementation did, judged by what is expected and by what the reference allows.

mod sample;

use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

use reference::brackets::{self, Example};
use reference::call::NoCall;
use reference::elements::tensor_of;
use reference::exact::Conforming;
use reference::operator::{Allowed, Call, Specification, TensorType};
use sample::{Picked, in_whole, picked};
use values::model::Model;
use values::tensor::{Tensor, Value, element_count};

use crate::compare::{OutputComparison, ReferenceOutput, compare, observe, refutes};
use crate::outcome::{Expect, Outcome, Refusal, RefusalKind, no_answer_within};
use crate::profile::{Profile, Strictness, Tolerance};
use crate::verdict::{self, AspectResult, Aspects, Verdict};
pub use sample::{Extent, LEAST, Sample, operands_of};

/// A model on some inputs, or a call of one operator, and what is expected of it: what an
/// implementation is judged on. The [front page](crate) has an example.
///
/// Where nothing is stated, the reference alone says what is expected. It knows models of a single
/// operator; of all others some outputs have to be stated, or the verdict is `out_of_domain`.
pub struct Trial<'a> {
    /// Names of the outputs.
    names: Vec<String>,
    call: Result<(Call, Vec<TensorType>), NoCall>,
    /// The model and its inputs, where it is not given as a call.
    model: Option<(&'a Model, &'a [Value])>,
    expected: OnceLock<Expected<'a>>,
    tolerance: Tolerance,
    sample: Option<Sample>,
}

/// What is expected, and who says so.
struct Expected<'a> {
    expect: Expect,
    /// A value for each output; none where no values are expected.
    outputs: Cow<'a, [Value]>,
    by: By,
}

/// Who says what is expected.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    /// Somebody, who may be wrong.
    Others,
    /// Somebody who claims to agree with the reference.
    Agreeing,
    /// The reference itself.
    Reference,
}

/// What an implementation did on one data set, judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// Why, where it is not simply a pass; may have several lines.
    pub message: Option<String>,
    /// How each aspect came out by itself.
    pub aspects: Aspects,
    /// How strictly the outputs were judged, the laxest of them; none where none was.
    pub strictness: Option<Strictness>,
    /// The outputs that were compared, or those that were returned where nothing is expected:
    /// counts, largest errors and the worst elements of each.
    pub outputs: Vec<OutputComparison>,
    /// Whether it is a fail by what somebody stated alone: the reference, within the limits of the profile `onnx-exact`,
    /// allows what was returned, and does not allow what was stated.
    pub is_allowed: bool,
}

impl<'a> Trial<'a> {
    /// A model on these inputs, in the order of [`Model::inputs`], of which trailing ones may be left out;
    /// held to a specification.
    pub fn of_model(model: &'a Model, inputs: &'a [Value], specification: Specification) -> Self {
        let names = model.outputs().iter().map(|port| port.name.clone()).collect();
        let call = Call::of(model, inputs, specification);
        Self { model: Some((model, inputs)), ..Self::new(names, call) }
    }

    /// A call, with the types of its outputs as [`Call::new`] gives them.
    pub fn of_call(call: Call, types: Vec<TensorType>) -> Self {
        let name = |at| call.version.output(at).map_or_else(String::new, |port| port.name_at(at));
        let asked = (0..call.outputs).filter(|&at| call.asks_for(at));
        Self::new(asked.map(name).collect(), Ok((call, types)))
    }

    fn new(names: Vec<String>, call: Result<(Call, Vec<TensorType>), NoCall>) -> Self {
        let (expected, tolerance) = (OnceLock::new(), Tolerance::default());
        Self { names, call, model: None, expected, tolerance, sample: None }
    }

    /// The same where somebody states what is expected: a value for each output, or none if no values are
    /// expected.
    #[must_use]
    pub fn expecting(self, expect: Expect, outputs: &'a [Value]) -> Self {
        self.expected_by(By::Others, expect, outputs)
    }

    /// Likewise, by somebody who claims to agree with the reference: where that is not so, the case is at
    /// fault, whatever an implementation does.
    #[must_use]
    pub fn agreeing_on(self, expect: Expect, outputs: &'a [Value]) -> Self {
        self.expected_by(By::Agreeing, expect, outputs)
    }

    fn expected_by(self, by: By, expect: Expect, outputs: &'a [Value]) -> Self {
        let outputs = Cow::Borrowed(outputs);
        Self { expected: Expected { expect, outputs, by }.into(), ..self }
    }

    /// The same with another tolerance than the official runner's default, for profiles that ask for closeness.
    #[must_use]
    pub fn within(self, tolerance: Tolerance) -> Self {
        Self { tolerance, ..self }
    }

    /// The same with outputs of these names.
    #[must_use]
    pub fn with_names(self, names: Vec<String>) -> Self {
        Self { names, ..self }
    }

    /// The same where not all elements of a large output are judged, unless somebody states what is expected: a
    /// comparison's elements are those that were.
    #[must_use]
    pub fn sampling(self, sample: Sample) -> Self {
        Self { sample: Some(sample), ..self }
    }

    /// Values that conform, one for each output, where all that the call has are specified.
    pub fn conforming(&self) -> Option<Vec<Value>> {
        let (call, types) = self.call.as_ref().ok()?;
        examples(call, types).filter(|(expect, _)| expect.is_of_values()).map(|(_, values)| values)
    }

    /// Judges what an implementation did: a function of trial, profile and outcome alone.
    pub fn judge(&self, profile: &Profile, outcome: &Outcome) -> Judgement {
        if let (Some(sample), Outcome::Outputs(outputs)) = (&self.sample, outcome)
            && self.expected.get().is_none_or(|expected| expected.by == By::Reference)
            && let Ok((call, types)) = &self.call
            && let Some(judgement) = self.of_sample(sample, profile, call, types, outputs)
        {
            return judgement;
        }
        if let Some(fault) = self.contradiction() {
            return Judgement::broken(Verdict::Fault, fault);
        }
        let unjudged = match outcome {
            Outcome::Outputs(outputs) => match self.of_outputs(profile, outputs) {
                failed if failed.verdict == Verdict::Fail && self.is_allowed(outputs) => {
                    return failed.by_stated_outputs_alone();
                }
                // Outputs of another type or shape were not set beside what was expected.
                failed if failed.verdict == Verdict::Fail => failed,
                judged => return judged,
            },
            Outcome::Refused(refusal) => self.of_refusal(refusal),
            Outcome::TimedOut(time) => Judgement::broken(Verdict::Timeout, no_answer_within(*time)),
            Outcome::Fault { message } => Judgement::broken(Verdict::Fault, message.clone()),
            Outcome::Crashed { message } => Judgement::broken(Verdict::Crash, message.clone()),
        };
        if !self.is_agreeing() {
            return unjudged;
        }
        // What is wrong with the case itself does not depend on what became of it.
        let expected = self.compared(profile, self.expected(), &self.expected().outputs);
        self.fault(&expected).unwrap_or(unjudged)
    }

    fn expected(&self) -> &Expected<'a> {
        self.expected.get_or_init(|| self.by_reference())
    }

    /// What the reference expects, where nobody else says what is.
    fn by_reference(&self) -> Expected<'a> {
        let (expect, outputs) = match &self.call {
            Ok((call, types)) => examples(call, types).unwrap_or((Expect::Undecided, Vec::new())),
            Err(NoCall::Invalid(_)) => (Expect::Refusal, Vec::new()),
            Err(NoCall::Unknown) => (Expect::Undecided, Vec::new()),
        };
        Expected { expect, outputs: outputs.into(), by: By::Reference }
    }

    fn is_agreeing(&self) -> bool {
        self.expected().by == By::Agreeing
    }

    /// What those who claim to agree with the reference say of the call, and the reference does not.
    fn contradiction(&self) -> Option<String> {
        if !self.is_agreeing() {
            return None;
        }
        let Expected { expect, outputs, .. } = self.expected();
        match (&self.call, *expect) {
            (Err(NoCall::Invalid(invalid)), Expect::Values | Expect::ValuesOrRefusal) => {
                Some(format!(
                    "the case expects values, but by the reference the call is invalid: {invalid}"
                ))
            }
            (Ok(_), Expect::Refusal) => Some(
                "the case expects a refusal, but by the reference the call is valid".to_owned(),
            ),
            (Ok((call, types)), Expect::Undecided) => {
                let outputs = call.operator.reference.allowed(call, types);
                let is_decided = |(allowed, output): (Box<dyn Allowed + '_>, &TensorType)| {
                    let elements = output.shape.iter().product();
                    (0..elements).any(|index| allowed.at(index).is_decided())
                };
                outputs.into_iter().zip(types).any(is_decided).then(|| {
                    "the case says that nothing is decided, but the reference decides an element".to_owned()
                })
            }
            (Ok((_, types)), expect) if expect.is_of_values() => {
                let mut outputs = self.names.iter().zip(&**outputs).zip(types);
                outputs.find_map(|((name, output), inferred)| {
                    let expected = match output {
                        Value::Tensor(tensor) => TensorType::of(tensor),
                        Value::Sequence(_) | Value::Optional(_) => return None,
                    };
                    (expected != *inferred).then(|| {
                        format!(
                            "the case expects output `{name}` to be {expected}, but by the reference it is \
                             {inferred}"
                        )
                    })
                })
            }
            _ => None,
        }
    }

    /// The judgement of a case that claims to agree with the reference, and expects an element that is not
    /// allowed.
    fn fault(&self, comparisons: &[OutputComparison]) -> Option<Judgement> {
        let fault = verdict::of_expected(comparisons).filter(|_| self.is_agreeing())?;
        Some(Judgement::broken(Verdict::Fault, fault).with_outputs(comparisons.to_vec()))
    }

    /// A case of others that makes an invalid call, or expects an output of a type that its operator does not
    /// give, decides nothing.
    fn of_refusal(&self, refusal: &Refusal) -> Judgement {
        let Expected { expect, outputs, by } = self.expected();
        let is_other = |(expected, inferred): (&Value, &TensorType)| match expected {
            Value::Tensor(tensor) => tensor.dtype() != inferred.dtype,
            Value::Sequence(_) | Value::Optional(_) => false,
        };
        let is_amiss = match &self.call {
            _ if *by != By::Others => false,
            Ok((_, types)) => outputs.iter().zip(types).any(is_other),
            Err(NoCall::Invalid(_)) => true,
            Err(NoCall::Unknown) => {
                self.model.and_then(|(model, inputs)| Call::invalid_in(model, inputs)).is_some()
            }
        };
        of_refusal(refusal, if is_amiss { Expect::Undecided } else { *expect })
    }

    fn of_outputs(&self, profile: &Profile, outputs: &[Value]) -> Judgement {
        let Expected { expect, outputs: expected, by } = self.expected();
        let expect = *expect;
        if !expect.is_of_values() {
            let values = if outputs.len() == 1 { "a value" } else { "values" };
            let message = match (expect, &self.call) {
                (Expect::Refusal, _) => {
                    format!("accepts more than the specification: returned {values}")
                }
                (_, Err(NoCall::Unknown)) if *by == By::Reference => {
                    format!(
                        "no outputs are stated, and the reference knows none; returned {values}"
                    )
                }
                _ => format!("no specification decides; returned {values}"),
            };
            let named = self.names.iter().zip(outputs);
            let observed = named.flat_map(|(name, value)| observe(name, value)).collect();
            let aspects = Aspects::asked(expect, AspectResult::Undecided);
            return Judgement::of(Verdict::OutOfDomain, Some(message), aspects)
                .with_outputs(observed);
        }
        if outputs.len() != self.names.len() {
            let (returned, wanted) = (outputs.len(), self.names.len());
            let message = format!("{returned} outputs were returned, but the graph has {wanted}");
            return Judgement::broken(Verdict::Fail, message);
        }
        let comparisons = self.compared(profile, self.expected(), outputs);
        if let Some(fault) = self.fault(&comparisons) {
            return fault;
        }
        // Counted apart from the comparison, which has to compare as many.
        let promised =
            expected.iter().flat_map(Value::tensors).map(|it| it.elements() as u64).sum();
        Judgement::of_comparisons(comparisons, promised)
    }

    /// The judgement of some of the elements of each output; `None` where all are to be judged, the outputs are not of
    /// the call's form, or nothing is decided of them.
    fn of_sample(
        &self,
        sample: &Sample,
        profile: &Profile,
        call: &Call,
        types: &[TensorType],
        outputs: &[Value],
    ) -> Option<Judgement> {
        let tensors = outputs.iter().map(|value| match value {
            Value::Tensor(tensor) => Some(tensor),
            Value::Sequence(_) | Value::Optional(_) => None,
        });
        let tensors: Vec<&Tensor> = tensors.collect::<Option<_>>()?;
        let mut pairs = tensors.iter().zip(types);
        if tensors.len() != types.len()
            || !pairs.all(|(it, inferred)| TensorType::of(it) == *inferred)
        {
            return None;
        }
        let allowed = call.operator.reference.allowed(call, types);
        let (kind, places) = (call.operator.kind, tensors.iter().zip(&allowed));
        let places: Vec<_> =
            places.map(|(tensor, allowed)| sample.places(kind, tensor, &**allowed)).collect();
        if places.iter().all(Option::is_none) {
            return None;
        }
        let (mut comparisons, mut promised, mut is_decided) = (Vec::new(), 0, false);
        for ((name, (tensor, allowed)), places) in
            self.names.iter().zip(tensors.iter().zip(&allowed)).zip(places)
        {
            let places = places.unwrap_or_else(|| (0..tensor.elements()).collect());
            let allowed = Picked { allowed: &**allowed, places: &places };
            let (mut is_specified, mut is_open) = (false, false);
            let elements = (0..places.len()).map(|index| {
                let conforming = allowed.at(index);
                is_specified |= !matches!(conforming, Conforming::Unspecified(_));
                is_open |= !conforming.is_decided();
                conforming.example_element(tensor.dtype())
            });
            let expected = tensor_of(tensor.dtype(), &[places.len()], elements.collect()).ok()?;
            is_decided |= is_specified || !is_open;
            promised += places.len() as u64;
            let (expected, actual) = (expected.into(), picked(tensor, &places)?.into());
            let reference =
                ReferenceOutput { operator: call.operator, allowed: &allowed, is_expected: true };
            let compared =
                compare(profile, self.tolerance, name, &expected, &actual, Some(&reference));
            comparisons
                .extend(compared.into_iter().map(|one| in_whole(one, &places, tensor.shape())));
        }
        is_decided.then(|| Judgement::of_comparisons(comparisons, promised))
    }

    /// Whether the reference allows what was returned, and not what others stated.
    fn is_allowed(&self, outputs: &[Value]) -> bool {
        let stated = self.expected();
        let Ok(profile) = Profile::named("onnx-exact") else { return false };
        if stated.by != By::Others || self.call.is_err() || self.refutes(&profile, outputs) {
            return false;
        }
        let own = self.by_reference();
        let allows = |outputs: &[Value]| {
            let compared = self.compared(&profile, &own, outputs);
            compared.len() == own.outputs.len() && compared.iter().all(OutputComparison::conforms)
        };
        own.expect.is_of_values() && allows(outputs) && !allows(&stated.outputs)
    }

    /// Whether an element that was returned is one that the reference does not allow. What is returned fails then, which
    /// is known long before [`Self::judge`] has measured how wrong all elements are; otherwise it may fail or not.
    pub fn refutes(&self, profile: &Profile, outputs: &[Value]) -> bool {
        let stated = self.expected();
        let mut is_refuted = false;
        if !stated.expect.is_of_values() || outputs.len() != self.names.len() {
            return false;
        }
        self.beside(stated, outputs, |_, expected, actual, reference| {
            is_refuted = is_refuted || refutes(profile, expected, actual, reference);
        });
        is_refuted
    }

    /// The outputs beside those that were expected, and beside what the reference allows, compared.
    fn compared(
        &self,
        profile: &Profile,
        expected: &Expected<'_>,
        outputs: &[Value],
    ) -> Vec<OutputComparison> {
        let compared = self.beside(expected, outputs, |name, expected, actual, reference| {
            compare(profile, self.tolerance, name, expected, actual, reference)
        });
        compared.into_iter().flatten().collect()
    }

    /// What is made of each output's name, what was expected and what was returned, and what the reference allows.
    fn beside<T>(
        &self,
        Expected { outputs: expected, by, .. }: &Expected<'_>,
        outputs: &[Value],
        mut make: impl FnMut(&str, &Value, &Value, Option<&ReferenceOutput<'_>>) -> T,
    ) -> Vec<T> {
        let known = self.call.as_ref().ok();
        let allowed: Vec<Box<dyn Allowed + '_>> = known
            .map_or_else(Vec::new, |(call, types)| call.operator.reference.allowed(call, types));
        let of_output = |at: usize, expected: &Value| {
            let (call, types) = known?;
            // What is allowed speaks of elements of the type and shape that the output has.
            let Value::Tensor(tensor) = expected else { return None };
            let fits = types.get(at).is_some_and(|inferred| *inferred == TensorType::of(tensor));
            let allowed = allowed.get(at).filter(|_| fits)?;
            let is_expected = *by == By::Reference;
            Some(ReferenceOutput { operator: call.operator, allowed: &**allowed, is_expected })
        };
        let pairs = expected.iter().zip(outputs).enumerate();
        let named = self.names.iter().zip(pairs);
        named
            .map(|(name, (at, (expected, actual)))| {
                make(name, expected, actual, of_output(at, expected).as_ref())
            })
            .collect()
    }
}

/// How firmly outputs are expected of a call, and some that conform; 0 stands for elements of which nothing is
/// specified. None where the reference does not know an output.
fn examples(call: &Call, types: &[TensorType]) -> Option<(Expect, Vec<Value>)> {
    let (mut is_decided, mut may_refuse, mut outputs) = (false, false, Vec::new());
    for (allowed, output) in call.operator.reference.allowed(call, types).iter().zip(types) {
        let (mut is_specified, mut is_open) = (false, false);
        let count = element_count(&output.shape).ok()?;
        let told = brackets::examples(&**allowed, count);
        let element = |index| {
            let told = told.get(index).and_then(Example::conforming);
            let conforming = told.unwrap_or_else(|| allowed.at(index));
            is_specified |= !matches!(conforming, Conforming::Unspecified(_));
            is_open |= !conforming.is_decided();
            conforming.example_element(output.dtype)
        };
        let elements = (0..count).map(element).collect();
        outputs.push(tensor_of(output.dtype, &output.shape, elements).ok()?.into());
        // An output of which nothing is specified has no bearing on the others.
        is_decided |= is_specified || !is_open;
        may_refuse |= is_specified && is_open;
    }
    let expect = match (is_decided, may_refuse) {
        (true, false) => Expect::Values,
        (true, true) => Expect::ValuesOrRefusal,
        (false, _) => Expect::Undecided,
    };
    (outputs.len() == types.len()).then_some((expect, outputs))
}

impl Judgement {
    /// A judgement that rests on no output.
    fn of(verdict: Verdict, message: Option<String>, aspects: Aspects) -> Self {
        let (strictness, outputs) = (None, Vec::new());
        Self { verdict, message, aspects, strictness, outputs, is_allowed: false }
    }

    /// A fail that the reference does not share.
    fn by_stated_outputs_alone(self) -> Self {
        const WHY: &str = "the specification allows what was returned, and not the recorded output";
        let message = self.message.map_or_else(|| WHY.to_owned(), |it| format!("{it}; {WHY}"));
        Self { message: Some(message), is_allowed: true, ..self }
    }

    /// The judgement where there is no answer that could be judged.
    fn broken(verdict: Verdict, message: String) -> Self {
        Self::of(verdict, Some(message), Aspects::all(AspectResult::Failed))
    }

    /// The judgement of outputs that were compared, of which so many elements were to be.
    fn of_comparisons(comparisons: Vec<OutputComparison>, promised: u64) -> Self {
        let (verdict, message) = verdict::of_comparison(&comparisons, promised);
        let aspects = match verdict {
            Verdict::Fault => Aspects::all(AspectResult::Failed),
            _ => Aspects::of_outputs(&comparisons),
        };
        Self::of(verdict, message, aspects).with_outputs(comparisons)
    }

    /// The judgement with these outputs, and how strictly they were judged.
    fn with_outputs(self, outputs: Vec<OutputComparison>) -> Self {
        let strictness = outputs.iter().filter_map(|output| output.strictness).min();
        Self { strictness, outputs, ..self }
    }
}

/// The verdict and why, and below it each output with the worst of its elements that do not conform.
impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.verdict)?;
        self.message.iter().try_for_each(|message| write!(f, ": {message}"))?;
        self.outputs.iter().try_for_each(|output| write!(f, "\n{output}"))
    }
}

/// Verdict on an orderly refusal. Having no implementation is never a pass.
fn of_refusal(refusal: &Refusal, expect: Expect) -> Judgement {
    use AspectResult::{Failed, NotAsked, NotJudged, Passed, Undecided};
    let (verdict, message, aspects) = match (refusal.kind, expect) {
        (RefusalKind::Unsupported, _) => {
            let aspects = Aspects::asked(expect, NotJudged);
            (Verdict::Unsupported, Some(refusal.message.clone()), aspects)
        }
        // Nothing was returned of what was to be.
        (_, Expect::Values) => (Verdict::Fail, Some(refusal.to_string()), Aspects::all(Failed)),
        (_, Expect::Refusal | Expect::ValuesOrRefusal) => {
            (Verdict::Pass, None, Aspects { refusal: Passed, ..Aspects::all(NotAsked) })
        }
        (_, Expect::Undecided) => {
            (Verdict::OutOfDomain, Some(refusal.to_string()), Aspects::all(Undecided))
        }
    };
    Judgement::of(verdict, message, aspects)
}

#[cfg(test)]
mod tests {
    use reference::operator::{Attributes, Domain};
    use reference::operators;
    use values::tensor::Tensor;

    use super::*;

    fn ints(values: &[i32]) -> Tensor {
        Tensor::from_vec(vec![values.len()], values.to_vec()).unwrap()
    }

    fn floats(values: &[f32]) -> Tensor {
        Tensor::from_vec(vec![values.len()], values.to_vec()).unwrap()
    }

    fn trial<'a>(operator: &str, inputs: &[Tensor]) -> Trial<'a> {
        let operator = operators::find(Domain::Onnx, operator).unwrap();
        let inputs = inputs.iter().cloned().map(Some).collect();
        let (specification, attributes) = (Specification::Onnx, Attributes::new());
        let called = Call::new(operator, operator.newest(), specification, attributes, inputs);
        called.map_or_else(
            |invalid| Trial::new(vec!["y".to_owned()], Err(invalid.into())),
            |(call, types)| Trial::of_call(call, types),
        )
    }

    fn judged(trial: &Trial<'_>, profile: &str, output: Tensor) -> Judgement {
        trial.judge(&Profile::named(profile).unwrap(), &Outcome::Outputs(vec![output.into()]))
    }

    fn refused(trial: &Trial<'_>, kind: RefusalKind) -> Verdict {
        let refusal = Outcome::Refused(Refusal::run(kind, "no".to_owned()));
        trial.judge(&Profile::named("exact").unwrap(), &refusal).verdict
    }

    #[test]
    fn the_reference_alone_judges_where_nothing_is_stated() {
        let div = trial("Div", &[floats(&[1.0, -1.0]), floats(&[3.0, 0.0])]);
        for profile in Profile::NAMES {
            let right = judged(&div, profile, floats(&[1.0 / 3.0, f32::NEG_INFINITY]));
            assert_eq!(right.verdict, Verdict::Pass, "{profile}: {right}");
            let wrong = judged(&div, profile, floats(&[0.5, f32::NEG_INFINITY]));
            assert_eq!(wrong.verdict, Verdict::Fail, "{profile}: {wrong}");
        }
        assert_eq!(refused(&div, RefusalKind::Error), Verdict::Fail);
        assert_eq!(refused(&div, RefusalKind::Unsupported), Verdict::Unsupported);
        insta::assert_snapshot!(judged(&div, "exact", floats(&[0.5, 0.0])), @r"
        fail: output `C`: 2 of 2 elements differ, by up to 5,592,405 ULP, 5592405.333334 ULP from the exact result
        C: 2 of 2 elements differ
          C[1]: expected -inf (0xff800000), got 0 (0x00000000), from -1 (0xbf800000), 0 (0x00000000)
          C[0]: expected 0.33333334 (0x3eaaaaab), got 0.5 (0x3f000000), 5,592,405 ULP apart, from 1 (0x3f800000), 3 (0x40400000)
        ");
    }

    #[test]
    fn what_is_refuted_fails_and_what_conforms_or_is_open_is_not_refuted() {
        let exp = trial("Exp", &[floats(&[0.0, 1.0])]);
        let e = 1.0_f32.exp();
        let next = |by: u32| f32::from_bits(e.to_bits() + by);
        let outputs = [[1.0, e], [1.0, next(1)], [1.0, next(64)], [2.0, e]].map(|of| floats(&of));
        for profile in ["exact", "onnx-exact"] {
            let named = Profile::named(profile).unwrap();
            for output in &outputs {
                let is_wrong = judged(&exp, profile, output.clone()).verdict == Verdict::Fail;
                assert_eq!(exp.refutes(&named, &[output.clone().into()]), is_wrong, "{profile}");
            }
            assert!(exp.refutes(&named, &[outputs[2].clone().into()]));
            assert!(!exp.refutes(&named, &[floats(&[2.0]).into()]), "of another shape");
            assert!(!exp.refutes(&named, &[]));
        }
        let div = trial("Div", &[ints(&[7]), ints(&[0])]);
        assert!(!div.refutes(&Profile::named("exact").unwrap(), &[ints(&[9]).into()]));
    }

    #[test]
    fn an_element_that_the_reference_leaves_open_decides_nothing_under_any_rule() {
        let div = trial("Div", &[ints(&[7, 7]), ints(&[2, 0])]);
        for profile in ["onnx", "ieee754", "exact"] {
            let Judgement { verdict, outputs, .. } = judged(&div, profile, ints(&[3, 9]));
            let counts = (outputs[0].elements, outputs[0].undecided);
            assert_eq!((verdict, counts), (Verdict::Pass, (1, 1)), "{profile}");
            assert_eq!(judged(&div, profile, ints(&[4, 0])).verdict, Verdict::Fail, "{profile}");
        }
        assert_eq!(refused(&div, RefusalKind::Error), Verdict::Pass);
        let open = trial("Div", &[ints(&[7]), ints(&[0])]);
        assert_eq!(judged(&open, "exact", ints(&[0])).verdict, Verdict::OutOfDomain);
        assert_eq!(refused(&open, RefusalKind::Error), Verdict::OutOfDomain);
    }

    #[test]
    fn a_result_that_is_allowed_fails_by_a_recorded_output_that_is_not_and_says_so() {
        let recorded = [floats(&[2.5]).into()];
        let sqrt = || trial("Sqrt", &[floats(&[4.0])]).expecting(Expect::Values, &recorded);
        let right = judged(&sqrt(), "onnx", floats(&[2.0]));
        assert_eq!((right.verdict, right.is_allowed), (Verdict::Fail, true));
        assert!(
            right
                .message
                .unwrap()
                .ends_with("allows what was returned, and not the recorded output")
        );
        let wrong = judged(&sqrt(), "onnx", floats(&[3.0]));
        assert_eq!((wrong.verdict, wrong.is_allowed), (Verdict::Fail, false));
        assert_eq!(judged(&sqrt(), "exact", floats(&[2.0])).verdict, Verdict::Pass);
        let div = trial("Div", &[floats(&[1.0]), floats(&[3.0])]);
        let both = [floats(&[1.0 / 3.0]).into()];
        let close = judged(&div.expecting(Expect::Values, &both), "ieee754", floats(&[0.5]));
        assert!(!close.is_allowed);
    }

    #[test]
    fn what_the_steps_of_a_function_body_give_conforms_where_the_profile_accepts_bodies() {
        let softplus = trial("Softplus", &[floats(&[100.0, -20.0])]);
        let by_steps = || floats(&[f32::INFINITY, 0.0]);
        assert_eq!(judged(&softplus, "onnx-exact", by_steps()).verdict, Verdict::Pass);
        assert_eq!(judged(&softplus, "exact", by_steps()).verdict, Verdict::Fail);
        let neither = judged(&softplus, "onnx-exact", floats(&[f32::INFINITY, 1e-8]));
        assert_eq!((neither.verdict, neither.outputs[0].mismatches), (Verdict::Fail, 1));
    }

    #[test]
    fn an_invalid_call_is_to_be_refused() {
        let invalid = trial("Div", &[ints(&[7]), floats(&[2.0])]);
        assert_eq!(refused(&invalid, RefusalKind::Invalid), Verdict::Pass);
        let accepted = judged(&invalid, "exact", ints(&[3]));
        assert_eq!(accepted.verdict, Verdict::OutOfDomain);
        assert_eq!(accepted.outputs[0].returned.len(), 1);
    }

    #[test]
    fn what_the_reference_does_not_know_is_judged_by_stated_outputs_alone() {
        let unknown = || Trial::new(vec!["y".to_owned()], Err(NoCall::Unknown));
        let nothing = judged(&unknown(), "onnx", floats(&[1.0]));
        assert_eq!(nothing.verdict, Verdict::OutOfDomain);
        let stated = [floats(&[1.0]).into()];
        let trial = unknown().expecting(Expect::Values, &stated);
        assert_eq!(judged(&trial, "onnx", floats(&[1.0])).verdict, Verdict::Pass);
        assert_eq!(judged(&trial, "onnx", floats(&[1.1])).verdict, Verdict::Fail);
        let trial = trial.within(Tolerance { rtol: 0.2, atol: 0.0 });
        assert_eq!(judged(&trial, "onnx", floats(&[1.1])).verdict, Verdict::Pass);
    }

    #[test]
    fn a_sample_has_the_extremes_and_says_how_many_elements_it_judged() {
        let x: Vec<f32> = (1..=4096).map(|i| i as f32).collect();
        let y = |wrong: &[usize]| {
            let mut y: Vec<f32> = x.iter().map(|x| x.sqrt()).collect();
            wrong.iter().for_each(|&at| y[at] *= 1.5);
            floats(&y)
        };
        let sample = |extent| Sample { extent, seed: 7 };
        let of = |extent, wrong: &[usize]| {
            judged(&trial("Sqrt", &[floats(&x)]).sampling(sample(extent)), "exact", y(wrong))
        };
        let right = of(Extent::Elements(100), &[]);
        assert_eq!((right.verdict, right.outputs[0].elements), (Verdict::Pass, 100));
        assert_eq!(right.outputs[0].shape, [4096]);
        // The largest and the smallest are always among them.
        for at in [0, 4095] {
            let wrong = of(Extent::Elements(100), &[at]);
            assert_eq!(wrong.verdict, Verdict::Fail);
            assert_eq!(wrong.outputs[0].worst[0].index, [at]);
        }
        assert_eq!(of(Extent::Operands(1000), &[]).outputs[0].elements, 1000);
        assert_eq!(of(Extent::Operands(10), &[]).outputs[0].elements, LEAST as u64);
        assert_eq!(of(Extent::Operands(5000), &[]).outputs[0].elements, 4096);
        // All are judged where somebody states what is expected.
        let stated = [y(&[]).into()];
        let trial = trial("Sqrt", &[floats(&x)]).sampling(sample(Extent::Elements(100)));
        let trial = trial.agreeing_on(Expect::Values, &stated);
        assert_eq!(judged(&trial, "exact", y(&[])).outputs[0].elements, 4096);
    }

    #[test]
    fn whoever_claims_to_agree_with_the_reference_has_to() {
        let of = || trial("Sqrt", &[floats(&[4.0])]);
        let wrong = [floats(&[3.0]).into()];
        let [right, claimed] = [floats(&[2.0]), floats(&[3.0])];
        assert_eq!(
            judged(&of().expecting(Expect::Values, &wrong), "exact", right.clone()).verdict,
            Verdict::Pass
        );
        let agreeing = of().agreeing_on(Expect::Values, &wrong);
        for output in [right, claimed] {
            assert_eq!(judged(&agreeing, "exact", output).verdict, Verdict::Fault);
        }
        assert_eq!(refused(&agreeing, RefusalKind::Unsupported), Verdict::Fault);
        assert_eq!(
            refused(&of().agreeing_on(Expect::Refusal, &[]), RefusalKind::Error),
            Verdict::Fault
        );
    }
}
