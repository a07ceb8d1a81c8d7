//! Whole calls that the documents print as examples, against the reference of the operator.

use super::documents::Reading;
use super::printed_call::Printed;
use super::{Cause, DefectKind, Finding, Level};
use reference::operator::{Call, Specification};
use values::element::Element;
use values::tensor::element_count;

/// Examples that the operator refuses, and those that print other outputs than it gives.
pub(super) fn check(sections: &[Reading<'_>]) -> Vec<Finding> {
    sections.iter().flat_map(of_section).collect()
}

fn of_section(reading: &Reading<'_>) -> Vec<Finding> {
    let calls = &reading.section.calls;
    let mut refused = Vec::new();
    let mut wrong = Vec::new();
    for call in calls {
        match judge(reading, call) {
            None => {}
            Some(Flaw::Refused(why)) => refused.push(format!("{} ({why})", call.place)),
            Some(Flaw::Differs(what)) => wrong.push(format!("{} ({what})", call.place)),
        }
    }
    let all = calls.len();
    let told = |flawed: Vec<String>, cause: Cause, what: &str| {
        let example = flawed.first()?.clone();
        let message = format!("{} of {all} examples {what}: {}", flawed.len(), flawed.join("; "));
        let of = (DefectKind::Contradiction, Level::Warning);
        let finding = reading.finding("examples", of, flawed.len() as u64, example, message);
        Some(Finding { against: "reference".to_owned(), cause, ..finding })
    };
    let refused = told(refused, Cause::RefusedExample, "are calls that the operator does not take");
    let wrong = told(wrong, Cause::PrintedTensor, "print other outputs than the operator gives");
    refused.into_iter().chain(wrong).collect()
}

/// What is the matter with an example.
enum Flaw {
    Refused(String),
    Differs(String),
}

fn judge(reading: &Reading<'_>, printed: &Printed) -> Option<Flaw> {
    let operator = reading.operator?;
    let version = match reading.section.based_on_version {
        Some(since) => operator.version(since)?,
        None => operator.newest(),
    };
    let all = printed.inputs.iter().chain(&printed.outputs);
    if let Some(why) = all.filter_map(|tensor| tensor.as_ref().err()).next() {
        return Some(Flaw::Differs(why.clone()));
    }
    let inputs = printed.inputs.iter().flatten().cloned().map(Some).collect();
    let attributes = printed.attributes.clone();
    let outputs = printed.outputs.len();
    let call =
        Call::for_outputs(outputs, operator, version, Specification::Onnx, attributes, inputs);
    let (call, types) = match call {
        Ok(call) => call,
        Err(invalid) => return Some(Flaw::Refused(invalid.to_string())),
    };
    let allowed = operator.reference.allowed(&call, &types);
    for ((of, allowed), printed) in types.iter().zip(&allowed).zip(printed.outputs.iter().flatten())
    {
        if of.shape != printed.shape() {
            let what = format!("{:?} is printed as {:?}", of.shape, printed.shape());
            return Some(Flaw::Differs(what));
        }
        let count = element_count(&of.shape).unwrap_or(0);
        let differs = |at: &usize| {
            let element = Element::of(printed, *at);
            !element.is_some_and(|element| allowed.at(*at).accepts_element(&element))
        };
        if let Some(at) = (0..count).find(differs) {
            let element = Element::of(printed, at).map_or_else(String::new, |one| one.to_string());
            return Some(Flaw::Differs(format!("{element} at index {at}")));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::documents::Documents;
    use super::*;
    use reference::elements;

    #[test]
    fn an_altered_element_or_shape_of_an_example_is_found() {
        let documents = Documents::load().unwrap();
        let mut altered = 0;
        for reading in documents.sections() {
            for call in &reading.section.calls {
                if judge(&reading, call).is_some() {
                    continue;
                }
                let output = call.outputs[0].as_ref().unwrap();
                let (shape, dtype) = ([output.shape(), &[1]].concat(), output.dtype());
                let other = elements::blank(dtype, &shape).unwrap();
                let wrong = Printed { outputs: vec![Ok(other)], ..call.clone() };
                assert!(
                    matches!(judge(&reading, &wrong), Some(Flaw::Differs(_))),
                    "{}",
                    call.place
                );
                altered += 1;
            }
        }
        assert!(altered >= 20, "{altered}");
    }
}
