//! Whole calls that the documents print as examples, against the reference of the operator.

use num_traits::ToPrimitive;
use serde::{Deserialize, Deserializer, de};

use super::documents::Reading;
use super::number::{Number, Rounded};
use super::{Cause, DefectKind, Finding, Level};
use crate::dtype::{DType, Kind};
use crate::oracle::quiet_nan;
use reference::elements;
use reference::operator::{AttributeValue, Attributes, Call, Specification};
use values::element::Element;
use values::tensor::{Tensor, element_count};

/// An example of a call: its inputs, and the outputs that are printed for it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Printed {
    /// Where it stands in the section.
    place: String,
    #[serde(default, deserialize_with = "attributes")]
    attributes: Attributes,
    #[serde(deserialize_with = "tensors")]
    inputs: Vec<PrintedTensor>,
    #[serde(deserialize_with = "tensors")]
    outputs: Vec<PrintedTensor>,
}

/// A tensor, or why what is printed is none.
type PrintedTensor = Result<Tensor, String>;

fn attributes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Attributes, D::Error> {
    let table = toml::Table::deserialize(deserializer)?.into_iter();
    let read = |(name, value): (String, toml::Value)| {
        let value = match &value {
            toml::Value::Integer(value) => Some(AttributeValue::Int(*value)),
            toml::Value::String(text) => Some(AttributeValue::Text(text.clone())),
            toml::Value::Array(all) => {
                let all = all.iter().map(toml::Value::as_integer).collect::<Option<_>>();
                all.map(AttributeValue::Ints)
            }
            _ => None,
        };
        let told = || de::Error::custom(format!("`{name}` is of no kind that examples have"));
        Ok((name.clone(), value.ok_or_else(told)?))
    };
    table.map(read).collect()
}

fn tensors<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PrintedTensor>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    let read = |text: &String| {
        tensor(text).ok_or_else(|| de::Error::custom(format!("`{text}` is no tensor")))
    };
    texts.iter().map(read).collect()
}

/// A tensor such as `float64 [2,2] 1 2.5 -inf NaN`; a single element stands for all.
fn tensor(text: &str) -> Option<PrintedTensor> {
    let mut words = text.split_whitespace();
    let dtype: DType = words.next()?.parse().ok()?;
    let sizes = words.next()?.strip_prefix('[')?.strip_suffix(']')?;
    let sizes = sizes.split(',').filter(|size| !size.is_empty());
    let shape: Vec<usize> = sizes.map(|size| size.parse().ok()).collect::<Option<_>>()?;
    let bits: Vec<u64> = words.map(|word| element(dtype, word)).collect::<Option<_>>()?;
    let count = element_count(&shape).ok()?;
    let bits = match &bits[..] {
        [one] => vec![*one; count],
        _ => bits,
    };
    if bits.len() != count {
        return Some(Err(format!("{} elements are printed for the shape {shape:?}", bits.len())));
    }
    elements::tensor(dtype, &shape, &bits).ok().map(Ok)
}

/// The element of a type that is nearest to a printed number.
fn element(dtype: DType, text: &str) -> Option<u64> {
    let number = Number::parse(text)?;
    match dtype.kind() {
        Kind::Float(format) if number == Number::Nan => Some(quiet_nan(format)),
        Kind::Float(_) => Rounded { number, dtype: Some(dtype) }.bits(),
        Kind::Int { bits, .. } => {
            let value = number.finite().filter(|number| number.is_integer())?.to_i64()?;
            #[expect(clippy::cast_sign_loss, reason = "two's complement is meant")]
            Some(value as u64 & (u64::MAX >> (u64::BITS - bits)))
        }
        _ => None,
    }
}

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

    #[test]
    fn tensors_are_read_as_they_are_printed() {
        let read = tensor("float16 [2,2] 1 -inf 0.5 NaN").unwrap().unwrap();
        assert_eq!(read.shape(), [2, 2]);
        let bits: Vec<_> = (0..4).map(|at| read.element(at).unwrap()).collect();
        assert_eq!(bits, [0x3c00, 0xfc00, 0x3800, 0x7e00]);
        assert_eq!(tensor("int8 [3] -1").unwrap().unwrap().element(2), Some(0xff));
        assert_eq!(tensor("int64 [] 7").unwrap().unwrap().shape(), [0_usize; 0]);
        assert!(tensor("float16 [2] 1 2 3").unwrap().is_err());
        for text in ["int8 [1] 0.5", "int8 2 1 1", "number [1] 1"] {
            assert!(tensor(text).is_none(), "{text}");
        }
    }

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
