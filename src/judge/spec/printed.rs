//! The results that the documents print in their examples, against exact arithmetic and against the
//! type that the result must have.

use num_traits::{One, Zero};

use super::documents::Reading;
use super::formula::decimal;
use super::number::{Number, Rounded};
use super::reading::{Datum, Equality, RowAnswer};
use super::{Cause, DefectKind, Finding, Level};
use crate::dtype::{DType, Kind};
use crate::oracle::real::{Enclosure, Rational};

const OF: (DefectKind, Level) = (DefectKind::Contradiction, Level::Warning);

/// Printed digits that are not the exact result's, and results printed in another type than the
/// operands have.
pub(super) fn check(sections: &[Reading<'_>]) -> Vec<Finding> {
    let findings = sections.iter().flat_map(|reading| [wrong_digits(reading), wrong_type(reading)]);
    findings.flatten().collect()
}

fn wrong_digits(reading: &Reading<'_>) -> Option<Finding> {
    let examples = &reading.section.examples;
    let is_wrong = |line: &&&str| is_rounding_of_exact(reading, line) == Some(false);
    let wrong: Vec<&str> = examples.iter().filter(is_wrong).copied().collect();
    let example = (*wrong.first()?).to_owned();
    let message = format!(
        "{} of {} printed results are not the exact result rounded to the digits printed: {}",
        wrong.len(),
        examples.len(),
        wrong.join(", "),
    );
    let finding = reading.finding("examples", OF, wrong.len() as u64, example, message);
    let cause = Cause::PrintedDigits;
    Some(Finding { against: "exact".to_owned(), cause, ..finding })
}

fn wrong_type(reading: &Reading<'_>) -> Option<Finding> {
    let result_type = reading.section.result_type?;
    let examples = &reading.section.examples;
    let is_integer = |text: &&str| text.parse::<i64>().is_ok();
    let is_wrong = |line: &&&str| {
        let parts = line.split_once(" = ");
        parts.is_some_and(|(operands, result)| {
            numbers(operands).iter().all(is_integer) && !is_integer(&result)
        })
    };
    let wrong: Vec<&str> = examples.iter().filter(is_wrong).copied().collect();
    let example = (*wrong.first()?).to_owned();
    let message = format!(
        "the result has the operands' type, yet {} of {} examples {} integers and print what is no \
         integer",
        wrong.len(),
        examples.len(),
        reading.operation.verb,
    );
    let finding = reading.finding("examples", OF, wrong.len() as u64, example, message);
    let against = reading.section.requirement.to_owned();
    let cause = Cause::PrintedType;
    Some(Finding { requirement: result_type.into(), against, cause, ..finding })
}

/// Whether the printed result is what the first row that applies gives for the printed operands: the same special value,
/// or a number within half a unit of its last digit of the exact one, as the row rounds or wraps it. `None` where
/// either is not known.
fn is_rounding_of_exact(reading: &Reading<'_>, line: &str) -> Option<bool> {
    let (operands, result) = line.split_once(" = ")?;
    let printed = Number::parse(result)?;
    let operands: Vec<Number> =
        numbers(operands).into_iter().map(Number::parse).collect::<Option<_>>()?;
    let data: Vec<Datum> = operands.iter().cloned().map(Datum::printed).collect();
    if data.len() != reading.operands().len() || !reading.speaks_of(&data) {
        return None;
    }
    let rows = &reading.section.rows;
    let row = reading.covering(&data, Equality::Datum).first().and_then(|row| rows.get(*row));
    let answer = match row {
        Some(row) => &row.then,
        None if rows.is_empty() => &RowAnswer::Formula,
        None => return None,
    };
    let exact = match stated(reading, answer, &operands)? {
        Stated::Value(expected) => return Some(agree(&expected, &printed, result)),
        Stated::Exact(exact) => exact,
    };
    let (printed, unit) = (printed.finite()?, decimal(result)?.1);
    let half = unit / Rational::from_integer(2.into());
    Some(exact.lower >= printed - &half && exact.upper <= printed + half)
}

/// What a row gives for numbers.
enum Stated {
    /// This very value.
    Value(Number),
    /// A real number, which is printed rounded.
    Exact(Enclosure),
}

fn stated(reading: &Reading<'_>, answer: &RowAnswer, operands: &[Number]) -> Option<Stated> {
    let formula = match answer {
        RowAnswer::Of(own) => own,
        _ => reading.formula(),
    };
    let negative = operands.iter().filter(|operand| operand.sort().negative).count() % 2 == 1;
    let zero = |negative| Stated::Value(Number::Finite(Rational::zero(), negative));
    Some(match answer {
        RowAnswer::True => Stated::Value(Number::exactly(Rational::one())),
        RowAnswer::False | RowAnswer::Zero => zero(false),
        RowAnswer::NegativeZero => zero(true),
        RowAnswer::SignedZero => zero(negative),
        RowAnswer::ZeroSignedBy(operand) => {
            zero(reading.operand(operand, operands)?.sort().negative)
        }
        RowAnswer::Infinity => Stated::Value(Number::Infinite(false)),
        RowAnswer::SignedInfinity => Stated::Value(Number::Infinite(negative)),
        RowAnswer::Nan => Stated::Value(Number::Nan),
        RowAnswer::NotNan | RowAnswer::Undefined | RowAnswer::ImplementationDependent => {
            return None;
        }
        RowAnswer::Of(formula) if formula.name().is_some() => {
            Stated::Value(reading.operand(formula.name()?, operands)?)
        }
        _ => {
            let finite = |operand: &Number| Some(Enclosure::point(operand.finite()?.clone()));
            match operands.iter().map(finite).collect::<Option<Vec<_>>>() {
                Some(operands) => {
                    let exact = formula.value(&|name| reading.operand(name, &operands))?;
                    Stated::Exact(match answer {
                        RowAnswer::Wrapped => wrapped(&exact, *reading.section.types.first()?)?,
                        _ => answer.rounded(exact)?,
                    })
                }
                None => {
                    let exact = |number: &Number| Rounded { number: number.clone(), dtype: None };
                    let operands: Vec<Rounded> = operands.iter().map(exact).collect();
                    let value = formula.value(&|name| reading.operand(name, &operands))?;
                    Stated::Value(value.number)
                }
            }
        }
    })
}

/// Whether a printed value is the one that is expected; a zero is printed with its sign or without.
fn agree(expected: &Number, printed: &Number, text: &str) -> bool {
    let has_sign = text.starts_with(['+', '-']);
    match (expected, printed) {
        (Number::Finite(a, a_negative), Number::Finite(b, b_negative)) => {
            a == b && (!has_sign || !a.is_zero() || a_negative == b_negative)
        }
        _ => expected == printed,
    }
}

/// The number of an integer type that an exact one is modulo 2^n.
fn wrapped(exact: &Enclosure, dtype: DType) -> Option<Enclosure> {
    let Kind::Int { signed, bits } = dtype.kind() else { return None };
    let modulus = Rational::from_integer((1_u128 << bits).into());
    let half = &modulus / Rational::from_integer(2.into());
    let least = if signed { -half } else { Rational::zero() };
    let exact = exact.exact()?;
    let turns = ((exact - least) / &modulus).floor();
    Some(Enclosure::point(exact - turns * modulus))
}

/// The numbers in a formula, infinities, NaN and truth values among them.
fn numbers(formula: &str) -> Vec<&str> {
    let is_of_number = |symbol: char| symbol.is_ascii_alphanumeric() || ".-+".contains(symbol);
    let words = formula.split(|symbol| !is_of_number(symbol));
    let is_number = |word: &&str| {
        let magnitude = word.trim_start_matches(['-', '+']);
        magnitude.starts_with(|symbol: char| symbol.is_ascii_digit())
            || ["inf", "NaN", "True", "False"].contains(&magnitude)
    };
    words.filter(is_number).collect()
}

#[cfg(test)]
mod tests {
    use super::super::documents::Documents;
    use super::*;

    #[test]
    fn digits_are_right_to_half_a_unit_of_the_last_one() {
        let documents = Documents::load().unwrap();
        let sections = documents.sections();
        let section = |tag| sections.iter().find(|one| one.section.requirement == tag).unwrap();
        let root = |line| is_rounding_of_exact(section("P_SQRT_REAL_FUNC_0010"), line);
        assert_eq!(root("sqrt(2) = 1.41421356"), Some(true));
        assert_eq!(root("sqrt(2) = 1.41421354"), Some(false));
        assert_eq!(root("sqrt(2) = 1.4"), Some(true));
        assert_eq!(root("sqrt(2) = NaN"), None);
        assert_eq!(root("sqrt(2) = no number"), None);
        let quotient = |line| is_rounding_of_exact(section("P_DIVDRAFT_FUNC_0010"), line);
        assert_eq!(quotient("7 / -44 = -0.15909091"), Some(true));
        assert_eq!(quotient("7 / -44 = -0.15909090"), Some(false));
        assert_eq!(quotient("35 / 0 = inf"), Some(true));
        assert_eq!(quotient("35 / 0 = -inf"), Some(false));
        let truncated = |line| is_rounding_of_exact(section("E_DIV_INT_FUNC_0010"), line);
        assert_eq!(truncated("-35 / 3 = -11"), Some(true));
        assert_eq!(truncated("-35 / 3 = -12"), Some(false));
        let wrapped = |line| is_rounding_of_exact(section("P_SUB_INT_FUNC_0012"), line);
        assert_eq!(wrapped("100 - 200 = 156"), Some(true));
        assert_eq!(wrapped("100 - 200 = -100"), Some(false));
        let wrapped = |line| is_rounding_of_exact(section("P_SUB_INT_FUNC_0014"), line);
        assert_eq!(wrapped("10 - -120 = -126"), Some(true));
        assert_eq!(wrapped("-128 - 1 = 127"), Some(true));
        assert_eq!(wrapped("10 - -120 = 130"), Some(false));
    }
}
