//! One case explained element by element: what it was computed from, what the specifications say,
//! the exact value, the numbers next to it, and what came back.

use std::fmt::Write;
use std::time::Duration;

use num_traits::{Signed, Zero};

use crate::backend::{Backend, Outcome};
use crate::case::Case;
use crate::compare::{Element, Operation};
use crate::dtype::{DType, Kind};
use crate::oracle::real::{self, Enclosure, Rational};
use crate::oracle::{self, Conforming, Deviation};
use crate::profile::Profile;
use crate::run::{CaseResult, Operands, execute_keeping_outcomes};
use crate::spec::documents::readings;
use crate::spec::reading::{self, Equality, Reading, Sort};
use crate::tensor::{Tensor, Value, coordinates, row_major};

/// Elements that are explained where none is chosen and none differs.
const SHOWN: usize = 3;

/// Significant decimal digits of an exact value that are shown.
const DIGITS: usize = 25;

/// Runs a case, for which the backend has this time, and explains its elements: the one at these coordinates, or those that differ most
/// from what was expected, or the first few.
#[must_use]
pub fn explain(
    backend: &dyn Backend,
    case: &Case,
    profile: &Profile,
    time: Duration,
    known: CaseResult,
    element: Option<&[usize]>,
) -> String {
    let suite = known.suite;
    let (result, outcomes) = execute_keeping_outcomes(backend, case, profile, time, known);
    let mut text = String::new();
    line(&mut text, 0, "case", &result.id);
    line(
        &mut text,
        0,
        "operator",
        &format!("{}, opset {}", result.operators.join(", "), result.opset),
    );
    line(&mut text, 0, "verdict", &format!("{} under profile {}", result.verdict, profile.name()));
    if let Some(message) = &result.message {
        line(&mut text, 0, "because", message);
    }
    for id in &result.requirements {
        line(&mut text, 0, "verifies", id);
    }
    for (set, outcome) in case.data_sets.iter().zip(&outcomes) {
        let Some(operands) = Operands::of(&case.model, &set.inputs) else {
            text += "\nThe case is not one element-wise operator with a specification here.\n";
            continue;
        };
        let Some(operation) = operands.operation(suite) else { continue };
        let actual = match outcome {
            Outcome::Outputs(outputs) => match outputs.first() {
                Some(Value::Tensor(tensor)) => Some(tensor),
                Some(Value::Sequence(_) | Value::Optional(_)) | None => None,
            },
            Outcome::Refused(_)
            | Outcome::Crashed { .. }
            | Outcome::TimedOut
            | Outcome::Fault { .. } => None,
        };
        let shape = operands.shape().to_vec();
        let chosen: Vec<Vec<usize>> = match element {
            Some(element) => vec![element.to_vec()],
            None => {
                let worst: Vec<_> = result
                    .outputs
                    .iter()
                    .flat_map(|output| output.worst.iter().map(|worst| worst.index.clone()))
                    .take(SHOWN)
                    .collect();
                let first = (0..operands.elements().min(SHOWN)).map(|at| coordinates(at, &shape));
                if worst.is_empty() { first.collect() } else { worst }
            }
        };
        for index in chosen {
            let Some(at) = row_major(&index, &shape) else {
                let _ = writeln!(text, "\nThere is no element {index:?} in shape {shape:?}.");
                continue;
            };
            let _ = writeln!(text, "\nelement {index:?}");
            explain_element(&mut text, operation, &operands.of_element(at), actual, at);
        }
    }
    text
}

fn explain_element(
    text: &mut String,
    operation: Operation,
    operands: &[Element],
    actual: Option<&Tensor>,
    at: usize,
) {
    let bits: Vec<(DType, u64)> = operands
        .iter()
        .filter_map(|operand| match operand {
            Element::Bits(dtype, bits) => Some((*dtype, u64::try_from(*bits).ok()?)),
            Element::String(_) => None,
        })
        .collect();
    let (names, dtype): (&[&str], DType) = match (operation, bits.as_slice()) {
        (Operation::Div(_), [(dtype, _), _]) => (&["A", "B"], *dtype),
        (Operation::Sqrt, [(dtype, _)]) => (&["X"], *dtype),
        _ => return,
    };
    for (name, (dtype, bits)) in names.iter().zip(&bits) {
        line(text, 2, name, &described(*dtype, *bits));
    }
    let exact = exact(operation, dtype, &bits);
    match &exact {
        Some(exact) => line(text, 2, "exact", &decimal(exact)),
        None => line(text, 2, "exact", "there is no real result"),
    }
    let conforming = match operation {
        Operation::Div(division) => oracle::div(division, dtype, bits[0].1, bits[1].1),
        Operation::Sqrt => oracle::sqrt(dtype, bits[0].1),
    };
    if let (Some(Conforming::One(nearest)), Some(exact)) = (conforming, &exact) {
        for (label, bits) in neighbours(dtype, nearest, exact) {
            line(text, 2, label, &described(dtype, bits));
        }
    }
    let allowed = match conforming {
        Some(Conforming::One(bits)) => described(dtype, bits),
        Some(Conforming::AnyNan(_)) => "any NaN".to_owned(),
        Some(Conforming::RefusalOr(bits)) => format!("a refusal, or {}", described(dtype, bits)),
        Some(Conforming::Undecided(reason)) => format!("anything: {reason}"),
        None => "not known".to_owned(),
    };
    line(text, 2, "conforms", &allowed);
    let returned = actual.and_then(|actual| actual.element(at));
    match returned.and_then(|bits| u64::try_from(bits).ok()) {
        Some(bits_returned) => {
            let deviation = match operation {
                Operation::Div(_) => oracle::div_error(dtype, bits[0].1, bits[1].1, bits_returned),
                Operation::Sqrt => oracle::sqrt_error(dtype, bits[0].1, bits_returned),
            };
            let error = match deviation {
                Some(Deviation::Ulps(ulps)) => format!(", {ulps} ULP from the exact value"),
                Some(Deviation::Unbounded) => ", not near the exact value at all".to_owned(),
                Some(Deviation::NoRealResult) | None => String::new(),
            };
            let judged = match conforming.map(|conforming| conforming.accepts(bits_returned)) {
                Some(true) => "conforms",
                Some(false) => "does not conform",
                None => "not judged",
            };
            line(text, 2, "actual", &format!("{}{error}", described(dtype, bits_returned)));
            line(text, 2, "", judged);
        }
        None => line(text, 2, "actual", "nothing was returned"),
    }
    for reading in readings().iter().filter(|reading| speaks(reading, operation, dtype)) {
        rows(text, reading, dtype, &bits);
    }
}

/// Whether a document's case analysis is about this operation on this type.
fn speaks(reading: &Reading, operation: Operation, dtype: DType) -> bool {
    let same = match (reading.operation, operation) {
        (reading::Operation::Div(ours), Operation::Div(theirs)) => ours == theirs,
        (reading::Operation::Sqrt, Operation::Sqrt) => true,
        _ => false,
    };
    let is_float = |dtype: DType| matches!(dtype.kind(), Kind::Float(_));
    same && reading.dtypes.iter().any(|of| is_float(*of) == is_float(dtype))
}

/// The rows of a reading that apply to the operands.
fn rows(text: &mut String, reading: &Reading, dtype: DType, bits: &[(DType, u64)]) {
    let sort =
        |at: usize| bits.get(at).or(bits.first()).and_then(|(_, bits)| Sort::of(dtype, *bits));
    let (Some(a), Some(b)) = (sort(0), sort(1)) else { return };
    if !reading.scope.contains(a, b) {
        return;
    }
    let covering = reading.covering(a, b, Equality::Comparison);
    if covering.is_empty() {
        line(text, 2, reading.document, "no row applies");
    }
    for row in covering {
        let tag = reading.rows.get(row).map_or("", |row| row.requirement);
        line(text, 2, reading.document, &format!("{}: {tag}", reading.describe(row)));
    }
}

/// The real quotient or root; `None` where there is none.
fn exact(operation: Operation, dtype: DType, bits: &[(DType, u64)]) -> Option<Enclosure> {
    let value = |at: usize| bits.get(at).and_then(|(_, bits)| real::value(dtype, *bits));
    match operation {
        Operation::Div(_) => real::div(&value(0)?, &value(1)?).map(Enclosure::point),
        // A decimal digit takes less than 4 bits.
        Operation::Sqrt => real::sqrt(&value(0)?, 4 * DIGITS as u32),
    }
}

/// The numbers of the type next to the exact value, of which `nearest` is one; none where the exact
/// value is a number of the type, or `nearest` is no number.
fn neighbours(dtype: DType, nearest: u64, exact: &Enclosure) -> Vec<(&'static str, u64)> {
    let Some(value) = real::value(dtype, nearest) else { return Vec::new() };
    if exact.exact() == Some(&value) {
        return Vec::new();
    }
    let below = value < exact.upper;
    let toward_zero = below == exact.lower.is_negative();
    let step = |bits: u64| match dtype.kind() {
        Kind::Float(_) if toward_zero => bits.checked_sub(1),
        Kind::Float(_) => bits.checked_add(1),
        Kind::Int { bits: width, .. } => {
            let other = if below { bits.wrapping_add(1) } else { bits.wrapping_sub(1) };
            Some(other & (u64::MAX >> (64 - width)))
        }
        _ => None,
    };
    match step(nearest) {
        Some(other) if below => vec![("below", nearest), ("above", other)],
        Some(other) => vec![("below", other), ("above", nearest)],
        None => Vec::new(),
    }
}

/// An element as decimal and bits, with its class where it is a float.
fn described(dtype: DType, bits: u64) -> String {
    let element = Element::Bits(dtype, bits.into());
    match dtype.kind() {
        Kind::Float(format) => {
            format!("{element}, {}", format!("{:?}", format.class(bits)).to_lowercase())
        }
        _ => element.to_string(),
    }
}

/// An exact value in decimal: all digits where they are few, else the first ones.
fn decimal(value: &Enclosure) -> String {
    let lower = &value.lower;
    if lower.is_zero() {
        return "0".to_owned();
    }
    let ten = Rational::from_integer(10.into());
    let magnitude = lower.abs();
    // The exponent e with 10^e <= magnitude < 10^(e + 1).
    let mut exponent = 0_i32;
    let mut scaled = magnitude.clone();
    while scaled >= ten {
        scaled /= &ten;
        exponent += 1;
    }
    while scaled < Rational::from_integer(1.into()) {
        scaled *= &ten;
        exponent -= 1;
    }
    let mut digits = String::new();
    while digits.len() < DIGITS && !scaled.is_zero() {
        let digit = scaled.trunc();
        digits += &digit.to_integer().to_string();
        scaled = (scaled - digit) * &ten;
    }
    let all = scaled.is_zero() && value.exact().is_some();
    let sign = if lower.is_negative() { "-" } else { "" };
    let more = if all { "" } else { "..." };
    let (first, rest) = digits.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
    let length = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    match exponent {
        -6..0 => format!("{sign}0.{}{digits}{more}", zeros(-exponent - 1)),
        0 => format!("{sign}{first}{point}{rest}{more}"),
        1..=20 if all && exponent >= length - 1 => {
            format!("{sign}{digits}{}", zeros(exponent + 1 - length))
        }
        1..=20 if exponent < length - 1 => {
            let (whole, fraction) = digits.split_at(exponent.unsigned_abs() as usize + 1);
            format!("{sign}{whole}.{fraction}{more}")
        }
        _ => format!("{sign}{first}{point}{rest}{more} x 10^{exponent}"),
    }
}

fn line(text: &mut String, indent: usize, label: &str, value: &str) {
    let _ = writeln!(text, "{:indent$}{label:<17} {value}", "");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quotient(a: i64, b: i64) -> String {
        decimal(&Enclosure::point(Rational::new(a.into(), b.into())))
    }

    #[test]
    fn exact_values_are_shown_whole_or_cut_with_a_mark() {
        assert_eq!(quotient(0, 5), "0");
        assert_eq!(quotient(6, 4), "1.5");
        assert_eq!(quotient(-7, 2), "-3.5");
        assert_eq!(quotient(1, 3), "0.3333333333333333333333333...");
        assert_eq!(quotient(300, 1), "300");
        assert_eq!(quotient(1001, 8), "125.125");
        assert_eq!(quotient(-1000, 3), "-333.3333333333333333333333...");
        assert_eq!(quotient(1, 1000), "0.001");
        assert_eq!(quotient(1, 10_000_000), "1 x 10^-7");
    }

    #[test]
    fn an_irrational_root_is_never_shown_as_whole() {
        let root = real::sqrt(&Rational::from_integer(2.into()), 100).unwrap();
        assert_eq!(decimal(&root), "1.414213562373095048801688...");
    }

    #[test]
    fn the_neighbours_enclose_the_exact_value() {
        let third = Enclosure::point(Rational::new(1.into(), 3.into()));
        let single = neighbours(DType::Float32, 0x3eaa_aaab, &third);
        assert_eq!(single, [("below", 0x3eaa_aaaa), ("above", 0x3eaa_aaab)]);
        let minus = Enclosure::point(Rational::new((-1).into(), 3.into()));
        let single = neighbours(DType::Float32, 0xbeaa_aaab, &minus);
        assert_eq!(single, [("below", 0xbeaa_aaab), ("above", 0xbeaa_aaaa)]);
        let int = Enclosure::point(Rational::new((-7).into(), 2.into()));
        assert_eq!(neighbours(DType::Int8, 0xfd, &int), [("below", 0xfc), ("above", 0xfd)]);
        // Divide-1 may round down: the result is then the one below.
        assert_eq!(neighbours(DType::Int8, 0xfc, &int), [("below", 0xfc), ("above", 0xfd)]);
        let half = Enclosure::point(Rational::new(1.into(), 2.into()));
        assert_eq!(neighbours(DType::Float32, 0x3f00_0000, &half), []);
    }
}
