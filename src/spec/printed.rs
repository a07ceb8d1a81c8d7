//! The results that the documents print in their examples, against exact arithmetic and against the
//! type that the result must have.

use num_traits::Zero;

use super::documents::Reading;
use super::formula::decimal;
use super::reading::RowAnswer;
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

/// Whether the printed result is within half a unit of its last digit of the exact one, as the rows round or
/// wrap it; `None` where either is no number.
fn is_rounding_of_exact(reading: &Reading<'_>, line: &str) -> Option<bool> {
    let (operands, result) = line.split_once(" = ")?;
    let (printed, unit) = decimal(result)?;
    let half = unit / Rational::from_integer(2.into());
    let operands =
        numbers(operands).into_iter().map(|number| Some(Enclosure::point(decimal(number)?.0)));
    let exact = reading.exact(&operands.collect::<Option<Vec<_>>>()?)?;
    let mut answers = reading.section.rows.iter().map(|row| row.then);
    let rounds = |answer: &RowAnswer| {
        matches!(answer, RowAnswer::Truncated | RowAnswer::RoundedDown | RowAnswer::Wrapped)
    };
    let answer = answers.find(rounds).unwrap_or(RowAnswer::Formula);
    let exact = match answer {
        RowAnswer::Wrapped => wrapped(&exact, *reading.section.types.first()?)?,
        _ => answer.rounded(exact)?,
    };
    Some(exact.lower >= &printed - &half && exact.upper <= printed + half)
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

/// The numbers in a formula.
fn numbers(formula: &str) -> Vec<&str> {
    let is_of_number = |symbol: char| symbol.is_ascii_digit() || ".-".contains(symbol);
    let words = formula.split(|symbol| !is_of_number(symbol));
    words.filter(|word| word.contains(|symbol: char| symbol.is_ascii_digit())).collect()
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
        let quotient = |line| is_rounding_of_exact(section("P_DIVDRAFT_FUNC_0010"), line);
        assert_eq!(quotient("7 / -44 = -0.15909091"), Some(true));
        assert_eq!(quotient("7 / -44 = -0.15909090"), Some(false));
        assert_eq!(quotient("35 / 0 = inf"), None);
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
