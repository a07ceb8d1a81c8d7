//! The error bounds of the accuracy notes, against exact errors on directed operands.

use std::fmt;

use num_traits::{Signed, Zero};

use super::region::element;
use super::{Finding, Kind, Level, grouped};
use crate::accuracy::{self, Arithmetic, Operand, published_bounds};
use crate::dtype::DType;
use crate::float::FloatFormat;
use crate::oracle::real::{self, Rational};
use crate::oracle::{self, Conforming, Division};

/// Bits that roots are enclosed to: far more than any two numbers compared here differ by.
const ROOT_BITS: u32 = 96;

const SECTION: &str = "numerical accuracy note";

/// A bound as the note states it.
struct Bound {
    document: &'static str,
    requirement: &'static str,
    /// The numbers that the operands are taken from.
    domain: &'static str,
    /// The bound as a formula.
    formula: &'static str,
    /// Whether the error must stay below the bound instead of reaching it.
    strict: bool,
}

/// The operands of a sample; put into words only where they are shown.
enum Operands {
    Elements {
        dtype: DType,
        bits: [u64; 2],
    },
    /// Names and values.
    Reals(Vec<(&'static str, Rational)>),
}

/// What a bound says for some operands, and what is true.
struct Sample {
    operands: Operands,
    /// Magnitude of the error, or for roots something that is certainly no larger.
    error: Rational,
    /// The bound, or for roots something that is certainly no smaller.
    bound: Rational,
}

/// Bounds that do not hold, and bounds that no error comes near.
pub(super) fn check() -> Vec<Finding> {
    let mut findings = Vec::new();
    for dtype in [DType::Int8, DType::Uint8] {
        let bound = Bound {
            document: "sonnx-div",
            requirement: "P_DIV_INT_ACC_0010",
            domain: dtype.name(),
            formula: "|introduced error| < 0.5",
            strict: true,
        };
        findings.extend(judge(&bound, &integer_division(dtype)));
    }
    let float = Bound {
        document: "sonnx-div",
        requirement: "P_DIV_FLOAT_ACC_0010",
        domain: "float16",
        formula: "|introduced error| <= u * max(|A/B|, smallest normal)",
        strict: false,
    };
    findings.extend(judge(&float, &float_division()));
    let propagated = Bound {
        document: "sonnx-div",
        requirement: "P_DIV_REAL_ACC_0020",
        domain: "reals",
        formula: "|propagated error| <= (|Ae| + |A*Be/B|) / |B + Be|",
        strict: false,
    };
    findings.extend(judge(&propagated, &division(accuracy::div_propagated_bound)));
    let first_form = Bound {
        document: "sonnx-div",
        requirement: "P_DIV_REAL_ACC_0020",
        domain: "reals",
        formula: "propagated error = (Ae*B - Be*A) / (B^2 * (B + Be))",
        strict: false,
    };
    findings.extend(unequal(&first_form, &division(published_bounds::div_propagated)));
    let root = Bound {
        document: "sonnx-sqrt",
        requirement: "P_SQRT_REAL_ACC_0020",
        domain: "reals",
        formula: "|propagated error| <= |Xe / (2 sqrt(X))|",
        strict: false,
    };
    findings.extend(judge(&root, &square_root()));
    findings
}

/// A finding where an error exceeds the bound, or where none reaches nine tenths of it.
fn judge(bound: &Bound, samples: &[Sample]) -> Option<Finding> {
    let exceeds = |sample: &&Sample| {
        sample.error > sample.bound || bound.strict && sample.error == sample.bound
    };
    let beyond: Vec<&Sample> = samples.iter().filter(exceeds).collect();
    let largest = samples.iter().map(|sample| &sample.error).max()?;
    if let Some(first) = beyond.first() {
        let message = format!(
            "the bound {} does not hold for {} of {} operands of {}; the largest error among \
             them is {}",
            bound.formula,
            grouped(beyond.len() as u64),
            grouped(samples.len() as u64),
            bound.domain,
            decimal(largest),
        );
        let example = format!(
            "{}: error {}, bound {}",
            first.operands,
            decimal(&first.error),
            decimal(&first.bound)
        );
        return Some(finding(bound, Level::Error, beyond.len(), example, message));
    }
    let nine_tenths = Rational::new(9.into(), 10.into());
    let near = |sample: &&Sample| sample.error >= &sample.bound * &nine_tenths;
    let needed = samples.iter().find(|sample| !sample.bound.is_zero())?;
    if samples.iter().filter(|sample| !sample.bound.is_zero()).any(|sample| near(&sample)) {
        return None;
    }
    let message = format!(
        "the bound {} is not tight: no error of {} operands of {} reaches nine tenths of it",
        bound.formula,
        grouped(samples.len() as u64),
        bound.domain,
    );
    Some(finding(bound, Level::Note, samples.len(), needed.operands.to_string(), message))
}

/// A finding where a formula is not the error, in which direction it is off and by what.
fn unequal(formula: &Bound, samples: &[Sample]) -> Option<Finding> {
    let unequal: Vec<_> = samples.iter().filter(|one| one.error != one.bound).collect();
    let first = unequal.first()?;
    let below = unequal.iter().filter(|one| one.bound < one.error).count();
    let message = format!(
        "the formula {} is not the error for {} of {} operands of reals: too small for {}, too \
         large for {}",
        formula.formula,
        grouped(unequal.len() as u64),
        grouped(samples.len() as u64),
        grouped(below as u64),
        grouped((unequal.len() - below) as u64),
    );
    let example = format!(
        "{}: error {}, by the formula {}",
        first.operands,
        decimal(&first.error),
        decimal(&first.bound)
    );
    Some(finding(formula, Level::Error, unequal.len(), example, message))
}

fn finding(bound: &Bound, level: Level, count: usize, example: String, message: String) -> Finding {
    Finding {
        document: bound.document,
        section: SECTION,
        domain: bound.domain,
        requirement: bound.requirement,
        kind: Kind::Bound,
        level,
        count: count as u64,
        example,
        against: bound.formula.to_owned(),
        message,
    }
}

/// The fraction that a truncated quotient discards, for every pair that has a quotient.
fn integer_division(dtype: DType) -> Vec<Sample> {
    let bound = published_bounds::integer_div_introduced();
    let patterns = 0..1_u64 << dtype.bits().unwrap_or(0);
    pairs(patterns)
        .filter_map(|(a, b)| {
            let error = introduced(dtype, a, b)?;
            Some(Sample {
                operands: Operands::Elements { dtype, bits: [a, b] },
                error,
                bound: bound.clone(),
            })
        })
        .collect()
}

/// Directed elements of float16: the ends of its ranges and what lies next to them, 1 and its
/// neighbours, and significands that leave long remainders.
const DIRECTED: [u64; 17] = [
    0x0001, 0x0002, 0x0003, 0x01ff, 0x03ff, 0x0400, 0x0401, 0x07ff, 0x3555, 0x3bff, 0x3c00, 0x3c01,
    0x3c02, 0x3fff, 0x4248, 0x7800, 0x7bff,
];

fn float_division() -> Vec<Sample> {
    let arithmetic = Arithmetic::Float(&FloatFormat::FLOAT16);
    pairs(DIRECTED)
        .filter_map(|(a, b)| {
            let error = introduced(DType::Float16, a, b)?;
            let value = |bits| real::value(DType::Float16, bits);
            let quotient = real::div(&value(a)?, &value(b)?)?;
            let bound = accuracy::div_introduced(arithmetic, &quotient).ok()?;
            let operands = Operands::Elements { dtype: DType::Float16, bits: [a, b] };
            Some(Sample { operands, error, bound })
        })
        .collect()
}

/// Magnitude of the difference between the one conforming quotient and the real one.
fn introduced(dtype: DType, a: u64, b: u64) -> Option<Rational> {
    let Conforming::One(quotient) = oracle::div(Division::Div, dtype, a, b)? else { return None };
    let value = |bits| real::value(dtype, bits);
    Some((value(quotient)? - real::div(&value(a)?, &value(b)?)?).abs())
}

/// Exact errors that a quotient inherits from its operands, beside what a formula makes of them.
fn division<E>(formula: impl Fn(&Operand, &Operand) -> Result<Rational, E>) -> Vec<Sample> {
    let halves = |range: std::ops::RangeInclusive<i64>| range.map(|half| rational(half, 2));
    let errors = [0, 1, -1].map(|quarter| rational(quarter, 4));
    let mut samples = Vec::new();
    for a in halves(-6..=6) {
        for b in halves(-6..=6) {
            for [a_error, b_error] in squared(&errors) {
                let a = Operand { value: a.clone(), error: a_error.clone() };
                let b = Operand { value: b.clone(), error: b_error.clone() };
                let (Ok(error), Ok(bound)) = (accuracy::div_propagated(&a, &b), formula(&a, &b))
                else {
                    continue;
                };
                let operands = Operands::Reals(vec![
                    ("A", a.value),
                    ("Ae", a.error),
                    ("B", b.value),
                    ("Be", b.error),
                ]);
                samples.push(Sample { operands, error: error.abs(), bound: bound.abs() });
            }
        }
    }
    samples
}

/// Exact errors that a root inherits, beside the note's bound to first order.
fn square_root() -> Vec<Sample> {
    let mut samples = Vec::new();
    for value in (1..=16).map(|quarter| rational(quarter, 4)) {
        for share in [-4, -3, -2, -1, 0, 1, 2, 3, 4].map(|quarter| rational(quarter, 4)) {
            let x = Operand { value: value.clone(), error: &value * share };
            let (Ok(error), Ok(bound)) = (
                accuracy::sqrt_propagated(&x, ROOT_BITS),
                published_bounds::sqrt_propagated_bound(&x, ROOT_BITS),
            ) else {
                continue;
            };
            let certain = error.lower.abs().min(error.upper.abs());
            let operands = Operands::Reals(vec![("X", x.value), ("Xe", x.error)]);
            samples.push(Sample { operands, error: certain, bound });
        }
    }
    samples
}

fn pairs(
    patterns: impl IntoIterator<Item = u64, IntoIter: Clone>,
) -> impl Iterator<Item = (u64, u64)> {
    let patterns = patterns.into_iter();
    patterns.clone().flat_map(move |a| patterns.clone().map(move |b| (a, b)))
}

fn squared(errors: &[Rational]) -> impl Iterator<Item = [&Rational; 2]> {
    errors.iter().flat_map(move |first| errors.iter().map(move |second| [first, second]))
}

impl fmt::Display for Operands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Elements { dtype, bits: [a, b] } => {
                write!(f, "A = {}, B = {}", element(*dtype, *a), element(*dtype, *b))
            }
            Self::Reals(named) => {
                let all: Vec<_> = named
                    .iter()
                    .map(|(name, value)| format!("{name} = {}", decimal(value)))
                    .collect();
                f.write_str(&all.join(", "))
            }
        }
    }
}

fn rational(numerator: i64, denominator: i64) -> Rational {
    Rational::new(numerator.into(), denominator.into())
}

/// A number as decimal with at most six places, rounded towards zero.
fn decimal(number: &Rational) -> String {
    const PLACES: usize = 6;
    let scaled = (number.abs() * Rational::from_integer(1_000_000.into())).to_integer();
    let digits = format!("{scaled:0>width$}", width = PLACES + 1);
    let (whole, fraction) = digits.split_at(digits.len() - PLACES);
    let sign = if number.is_negative() { "-" } else { "" };
    let text = format!("{sign}{whole}.{fraction}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
