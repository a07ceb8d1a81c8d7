//! The audit of one case by the reference.

use std::collections::BTreeMap;

use bytes::Bytes;
use reference::call::NoCall;
use reference::exact::{Conforming, Deviation, Ulps};
use reference::operator::{Allowed, Call, TensorType};
use values::dtype::Kind;
use values::element::Element as Value;

use super::document::{Case, Element, Output, Status};
use crate::corpus::case::{self, CaseError};
use crate::corpus::selection::Selection;
use crate::corpus::suite::Suite;
use crate::judge::compare::operands_shown;
use crate::judge::verdict::allowed;
use crate::run::{CaseResult, widen};
use crate::tensor::{self, Tensor, coordinates};

/// How many of the elements of an output that are not allowed are listed.
const TOLD: usize = 8;

/// The audit of the case in these files; `None` if its model is not selected.
pub(super) fn case(
    id: String,
    suite: Suite,
    files: &BTreeMap<String, Bytes>,
    selection: &Selection,
) -> Option<Case> {
    let decoded = case::Case::decode(&id, files);
    let is_other = |read: &case::Case| !selection.takes_model(&read.model);
    if decoded.as_ref().is_ok_and(is_other) {
        return None;
    }
    Some(audited(id, suite, decoded))
}

fn audited(id: String, suite: Suite, decoded: Result<case::Case, CaseError>) -> Case {
    let known = match &decoded {
        Ok(read) => CaseResult::not_run(&id, suite, read),
        Err(error) => CaseResult::undecodable(&id, suite, error),
    };
    let CaseResult { operator, opset, message: reason, .. } = known;
    let status = Status::Unreadable;
    let mut told = Case { id, operator, opset, status, reason, outputs: Vec::new() };
    let Ok(read) = decoded else { return told };
    let ports = read.model.outputs();
    for set in read.data_sets.iter().filter(|_| read.manifest.expect.is_of_values()) {
        let (call, types) = match Call::of(&read.model, &set.inputs, suite) {
            Ok(known) => known,
            Err(NoCall::Unknown) => {
                let reason = "the reference does not know what computes this".to_owned();
                return Case { status: Status::Unknown, reason: Some(reason), ..told };
            }
            Err(NoCall::Invalid(invalid)) => {
                return Case { status: Status::Invalid, reason: Some(invalid.to_string()), ..told };
            }
        };
        let outputs = call.operator.reference.allowed(&call, &types);
        for (at, (port, expected)) in ports.iter().zip(&set.outputs).enumerate() {
            let (tensor::Value::Tensor(expected), Some(inferred), Some(allowed)) =
                (expected, types.get(at), outputs.get(at))
            else {
                let reason = format!("the reference does not know output `{}`", port.name);
                return Case { status: Status::Unknown, reason: Some(reason), ..told };
            };
            let actual = TensorType::of(expected);
            if actual != *inferred {
                if actual.dtype == inferred.dtype && is_open(inferred, &**allowed) {
                    let reason = Some("no element is decided".to_owned());
                    return Case { status: Status::Undecided, reason, ..told };
                }
                let name = &port.name;
                let reason = format!("output `{name}` is {actual}, by the reference {inferred}");
                return Case { status: Status::Invalid, reason: Some(reason), ..told };
            }
            told.outputs.push(output(read.output_name(set, &port.name), expected, &**allowed));
        }
    }
    let any = |count: fn(&Output) -> u64| told.outputs.iter().any(|output| count(output) > 0);
    let (status, reason) = match &told.outputs[..] {
        [] => (Status::Undecided, Some("the case expects no values")),
        _ if any(|output| output.impossible) => (Status::Impossible, None),
        _ if any(|output| output.undecided) && !any(|output| output.elements) => {
            (Status::Undecided, Some("no element is decided"))
        }
        _ => (Status::Allowed, None),
    };
    Case { status, reason: reason.map(str::to_owned), ..told }
}

/// Whether nothing is decided of an output, its shape included.
fn is_open(output: &TensorType, allowed: &dyn Allowed) -> bool {
    let elements: usize = output.shape.iter().product();
    elements > 0 && (0..elements).all(|index| !allowed.at(index).is_decided())
}

/// An expected output, element by element.
fn output(name: String, expected: &Tensor, reference: &dyn Allowed) -> Output {
    let mut told = Output {
        name,
        type_name: expected.dtype().name().to_owned(),
        shape: widen(expected.shape()),
        elements: 0,
        undecided: 0,
        impossible: 0,
        max_error_ulp: None,
        worst: Vec::new(),
    };
    let mut largest = None;
    let mut worst: Vec<(Option<Ulps>, usize, Value, Conforming)> = Vec::new();
    for index in 0..expected.elements() {
        let Some(element) = Value::of(expected, index) else { break };
        let conforming = reference.at(index);
        if !conforming.is_decided() {
            told.undecided += 1;
            continue;
        }
        told.elements += 1;
        let error = error(reference, index, &element);
        largest = largest.max(error);
        if !conforming.accepts_element(&element) {
            told.impossible += 1;
            // What has no error, as a NaN for a number, is worse than any that has.
            let rank = |error: &Option<Ulps>| (error.is_none(), *error);
            let place = worst.partition_point(|(other, ..)| rank(other) >= rank(&error));
            worst.insert(place, (error, index, element, conforming));
            worst.truncate(TOLD);
        }
    }
    told.max_error_ulp = largest.map(Ulps::with_fraction);
    let tell =
        |(error, index, element, conforming): (Option<Ulps>, usize, Value, Conforming)| Element {
            index: widen(&coordinates(index, expected.shape())),
            inputs: operands_shown(&reference.operands(index)),
            expected: element.to_string(),
            allowed: allowed(&element, &conforming),
            error_ulp: error.map(Ulps::with_fraction),
        };
    told.worst = worst.into_iter().map(tell).collect();
    told
}

/// How far an element is from the exact result; of real numbers alone.
fn error(reference: &dyn Allowed, index: usize, element: &Value) -> Option<Ulps> {
    let Value::Bits(dtype, bits) = element else { return None };
    if !matches!(dtype.kind(), Kind::Float(_) | Kind::Int { .. }) {
        return None;
    }
    match reference.deviation(index, u64::try_from(*bits).ok()?) {
        Deviation::Ulps(error) => Some(error),
        Deviation::NoRealResult | Deviation::Unbounded => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reference::real::Real;
    use values::dtype::DType;

    /// Squares of the indices, of which the last is not decided.
    struct Squares;

    impl Allowed for Squares {
        fn at(&self, index: usize) -> Conforming {
            match index {
                3 => Conforming::Unspecified("a test"),
                _ => Conforming::One((index * index) as u64),
            }
        }

        fn real(&self, _: usize, _: u32) -> Option<Real> {
            None
        }

        fn deviation(&self, index: usize, actual: u64) -> Deviation {
            let distance = u128::from(actual).abs_diff((index * index) as u128);
            Deviation::Ulps(Ulps::new(distance << Ulps::FRACTION_BITS, true))
        }

        fn operands(&self, index: usize) -> Vec<Value> {
            vec![Value::Bits(DType::Uint8, index as u128)]
        }
    }

    #[test]
    fn elements_that_are_not_allowed_are_counted_and_the_worst_come_first() {
        let of = |values: Vec<u8>| Tensor::from_values(DType::Uint8, vec![5], values).unwrap();
        let right = output("y".to_owned(), &of(vec![0, 1, 4, 200, 16]), &Squares);
        assert_eq!((right.elements, right.undecided, right.impossible), (4, 1, 0));
        assert_eq!(right.max_error_ulp.as_deref(), Some("0 (=0/2^20)"));
        let wrong = output("y".to_owned(), &of(vec![0, 2, 4, 200, 10]), &Squares);
        assert_eq!((wrong.elements, wrong.undecided, wrong.impossible), (4, 1, 2));
        let told = wrong.worst.iter().map(|one| (&one.index[..], &*one.expected, &*one.allowed));
        assert_eq!(told.collect::<Vec<_>>(), [(&[4][..], "10", "16"), (&[1], "2", "1")]);
        assert_eq!(wrong.max_error_ulp.as_deref(), Some("6 (=6291456/2^20)"));
        assert_eq!(wrong.worst[0].inputs, ["4"]);
    }
}
