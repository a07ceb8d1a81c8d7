//! The error bounds of the accuracy notes, against exact errors on directed operands.

use num_traits::{Signed, Zero};

use super::documents::Reading;
use super::formula::{Formula, Real};
use super::number::Number;
use super::outcome::{Outcome, Typed};
use super::statements::{Bound, Statement};
use super::{Cause, DefectKind, Finding, Level, grouped, region, rows};
use crate::accuracy::unit_roundoff;
use crate::dtype::{self, DType};
use crate::oracle::real::{self, Enclosure, Rational};

/// A bound's value for some operands, and the true error.
struct Sample<T> {
    operands: T,
    /// Magnitude of the error, or for roots something that is certainly no larger.
    error: Rational,
    /// The bound, or for roots something that is certainly no smaller.
    bound: Rational,
}

impl<T> Sample<T> {
    /// A sample by the result that is meant, the one that comes of the errors, and the bound on these.
    fn new(operands: T, ideal: Enclosure, actual: Enclosure, bound: Enclosure) -> Option<Self> {
        let error = Enclosure::apply("-", &[actual, ideal])?;
        let magnitude = |number| Enclosure::apply("abs", &[number]);
        Some(Self { operands, error: magnitude(error)?.lower, bound: magnitude(bound)?.upper })
    }
}

/// Bounds that do not hold, and bounds that no error comes near.
pub(super) fn check(sections: &[Reading<'_>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for reading in sections {
        let Some(bound) = &reading.section.bound else { continue };
        for statement in &bound.states {
            for &dtype in &bound.types {
                let samples = introduced(*reading, bound, statement, dtype);
                let show = |bits: &Vec<u64>| region::example(bits, *reading, dtype);
                findings.extend(judge(reading, statement, dtype.name(), &samples, show));
            }
            if bound.types.is_empty() {
                let samples = propagated(reading, bound, statement);
                findings.extend(judge(reading, statement, "reals", &samples, |reals| shown(reals)));
            }
        }
    }
    findings
}

/// The errors that an operation introduces: the difference between the one conforming result and the real
/// one.
fn introduced(
    reading: Reading<'_>,
    bound: &Bound,
    statement: &Statement,
    dtype: DType,
) -> Vec<Sample<Vec<u64>>> {
    let typed = Typed::new(reading, dtype);
    let patterns = match &bound.patterns[..] {
        [] => rows::patterns(dtype).collect(),
        some => some.to_vec(),
    };
    let number = |(of, bits): (&DType, &u64)| Number::of(*of, *bits)?.finite().cloned();
    let sample = |bits: Vec<u64>| {
        let operands: Vec<_> = typed
            .types
            .iter()
            .zip(&bits)
            .map(|operand| number(operand).map(Enclosure::point))
            .collect::<Option<_>>()?;
        let result = match bound.step_by_step {
            true => typed.rounded(reading.formula(), &bits)?.number.finite()?.clone(),
            false => {
                let Some(Outcome::Bits(result)) = typed.resolved(Outcome::Oracle, &bits) else {
                    return None;
                };
                number((&typed.result, &result))?
            }
        };
        let names = |name: &str| introduced_name(reading, bound, dtype, &operands, name);
        let limit = statement.formula.value(&names)?;
        Sample::new(bits, reading.exact(&operands)?, Enclosure::point(result), limit)
    };
    let choices: Vec<Vec<u64>> = typed
        .types
        .iter()
        .map(|of| if *of == dtype { patterns.clone() } else { rows::directed(*of) })
        .collect();
    products(&choices).into_iter().filter_map(sample).collect()
}

/// The meaning of a name in a bound on the errors that are introduced in a type.
pub(super) fn introduced_name(
    reading: Reading<'_>,
    bound: &Bound,
    dtype: DType,
    operands: &[Enclosure],
    name: &str,
) -> Option<Enclosure> {
    match (name, dtype.kind()) {
        ("u", dtype::Kind::Float(format)) => Some(Enclosure::point(unit_roundoff(format))),
        ("smallest normal", dtype::Kind::Float(format)) => {
            Some(Enclosure::point(real::power_of_two(1 - format.bias)))
        }
        _ => match bound.names.get(name) {
            Some(formula) => formula.value(&|name| reading.operand(name, operands)),
            None => reading.operand(name, operands),
        },
    }
}

/// Numbers by name.
type Named = Vec<(String, Enclosure)>;

fn find_in(named: &Named, name: &str) -> Option<Enclosure> {
    Some(named.iter().find(|(named, _)| named == name)?.1.clone())
}

/// The errors that exact results inherit from operands with errors.
fn propagated(reading: &Reading<'_>, bound: &Bound, statement: &Statement) -> Vec<Sample<Named>> {
    let operands = reading.operands();
    let sample = |values: &[Formula], errors: &[Formula]| {
        let mut named = Named::new();
        let (mut ideal, mut given) = (Vec::new(), Vec::new());
        for (operand, (value, error)) in operands.iter().zip(values.iter().zip(errors)) {
            let value = value.value::<Enclosure>(&|_| None)?;
            let is_exact = bound.without_error.iter().any(|name| name == operand);
            let error = error.value(&|name| (name == *operand).then(|| value.clone()))?;
            if is_exact && !error.lower.is_zero() {
                return None;
            }
            given.push(Enclosure::apply("+", &[value.clone(), error.clone()])?);
            ideal.push(value.clone());
            named.extend([((*operand).to_owned(), value), (format!("{operand}e"), error)]);
        }
        let find = |name: &str| match bound.names.get(name) {
            Some(formula) => formula.value(&|name| find_in(&named, name)),
            None => find_in(&named, name),
        };
        let is_positive =
            |formula: &Formula| formula.value(&find).is_some_and(|value| value.lower.is_positive());
        if !bound.positive.iter().all(is_positive) {
            return None;
        }
        let limit = statement.formula.value(&find)?;
        Sample::new(named, reading.exact(&ideal)?, reading.exact(&given)?, limit)
    };
    let values = tuples(&bound.values, operands.len());
    let errors = tuples(&bound.errors, operands.len());
    let both = values.iter().flat_map(|values| errors.iter().map(move |errors| (values, errors)));
    both.filter_map(|(values, errors)| sample(values, errors)).collect()
}

/// Every sequence of so many of some choices; the last one changes first.
pub(super) fn tuples<T: Clone>(choices: &[T], length: usize) -> Vec<Vec<T>> {
    products(&vec![choices.to_vec(); length])
}

/// Every sequence of one of each list; the last one changes first.
fn products<T: Clone>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    lists.iter().fold(vec![Vec::new()], |tuples, choices| {
        let longer = |tuple: Vec<T>| {
            choices.iter().map(move |choice| [&tuple[..], std::slice::from_ref(choice)].concat())
        };
        tuples.into_iter().flat_map(longer).collect()
    })
}

/// A finding where an error exceeds the bound, or is not the one stated, or where none reaches nine tenths
/// of it.
fn judge<T>(
    reading: &Reading<'_>,
    Statement { text, relation, .. }: &Statement,
    domain: &'static str,
    samples: &[Sample<T>],
    show: impl Fn(&T) -> String,
) -> Option<Finding> {
    let is_wrong = |sample: &&Sample<T>| match &**relation {
        "=" => sample.error != sample.bound,
        "<" => sample.error >= sample.bound,
        _ => sample.error > sample.bound,
    };
    let wrong: Vec<&Sample<T>> = samples.iter().filter(is_wrong).collect();
    let (count, all) = (grouped(wrong.len() as u64), grouped(samples.len() as u64));
    let largest = samples.iter().map(|sample| &sample.error).max()?;
    let (what, message) = if relation == "=" {
        let below = wrong.iter().filter(|one| one.bound < one.error).count();
        let (below, above) = (grouped(below as u64), grouped((wrong.len() - below) as u64));
        let message = format!(
            "the formula {text} is not the error for {count} of {all} operands of {domain}: too small \
             for {below}, too large for {above}"
        );
        ("by the formula", message)
    } else {
        let message = format!(
            "the bound {text} does not hold for {count} of {all} operands of {domain}; the largest \
             error among them is {}",
            in_digits(largest),
        );
        ("bound", message)
    };
    let finding = |level, cause, count: usize, example, message| {
        let finding =
            reading.finding(domain, (DefectKind::Bound, level), count as u64, example, message);
        Finding { against: text.clone(), cause, ..finding }
    };
    if let Some(Sample { operands, error, bound }) = wrong.first() {
        let (error, bound) = (in_digits(error), in_digits(bound));
        let example = format!("{}: error {error}, {what} {bound}", show(operands));
        let cause = if relation == "=" { Cause::WrongError } else { Cause::UnsoundBound };
        return Some(finding(Level::Error, cause, wrong.len(), example, message));
    }
    let nine_tenths = Rational::new(9.into(), 10.into());
    let mut bounded = samples.iter().filter(|sample| !sample.bound.is_zero());
    let first = bounded.clone().next()?;
    if relation == "=" || bounded.any(|sample| sample.error >= &sample.bound * &nine_tenths) {
        return None;
    }
    let message = format!(
        "the bound {text} is not tight: no error of {all} operands of {domain} reaches nine tenths of it"
    );
    Some(finding(Level::Note, Cause::LooseBound, samples.len(), show(&first.operands), message))
}

/// Operands that are real numbers, as `A = 1, Ae = 0.25`.
fn shown(operands: &[(String, Enclosure)]) -> String {
    let all: Vec<_> = operands
        .iter()
        .map(|(name, value)| format!("{name} = {}", decimal(&value.lower)))
        .collect();
    all.join(", ")
}

/// A number as decimal with at most six places, rounded towards zero.
pub(super) fn decimal(number: &Rational) -> String {
    const PLACES: usize = 6;
    let scaled = (number.abs() * Rational::from_integer(1_000_000.into())).to_integer();
    let digits = format!("{scaled:0>width$}", width = PLACES + 1);
    let (whole, fraction) = digits.split_at(digits.len() - PLACES);
    let sign = if number.is_negative() { "-" } else { "" };
    let text = format!("{sign}{whole}.{fraction}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A number as decimal where its places show it, else with a power of ten.
fn in_digits(number: &Rational) -> String {
    let hundredth = Rational::new(1.into(), 100.into());
    if number.is_zero() || number.abs() >= hundredth { decimal(number) } else { scientific(number) }
}

/// A magnitude with three significant digits and a power of ten, rounded towards zero.
pub(super) fn scientific(number: &Rational) -> String {
    if number.is_zero() {
        return "0".to_owned();
    }
    let ten = Rational::from_integer(10.into());
    let mut exponent = 0;
    while number.abs() >= ten.pow(exponent + 1) {
        exponent += 1;
    }
    while number.abs() < ten.pow(exponent) {
        exponent -= 1;
    }
    let digits = (number.abs() * ten.pow(2 - exponent)).to_integer().to_string();
    let (first, rest) = digits.split_at(1);
    format!("{first}.{rest}e{exponent}")
}
