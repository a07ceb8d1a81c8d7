//! The results that the documents print in their examples, against exact arithmetic and against the
//! type that the result must have.

use super::{Finding, Kind, Level};
use crate::oracle::real::{self, Rational};

/// Bits of the roots that printed digits are compared with; the documents print fewer than 40.
const ROOT_BITS: u32 = 64;

/// What an example computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Formula {
    Quotient,
    /// The quotient without its fraction.
    Truncated,
    Root,
}

/// The examples of one section: operands and the result printed for them.
struct Examples {
    document: &'static str,
    section: &'static str,
    requirement: &'static str,
    /// Tag of the statement that results have the operands' type.
    result_type: Option<&'static str>,
    formula: Formula,
    /// Operands, the second empty for a root, and result.
    lines: &'static [[&'static str; 3]],
}

const EXAMPLES: [Examples; 6] = [
    Examples {
        document: "sonnx-div",
        section: "Div (real, real), informal specification",
        requirement: "E_DIV_REAL_FUNC_0010",
        result_type: None,
        formula: Formula::Quotient,
        lines: &[["4.4", "2.2", "2"], ["0.5", "1", "0.5"], ["24.8", "4", "6.2"]],
    },
    Examples {
        document: "sonnx-div",
        section: "Div (float, float), informal specification",
        requirement: "E_DIV_FLOAT_FUNC_0010",
        result_type: None,
        formula: Formula::Quotient,
        lines: &[
            ["3.0", "3.0", "1.0"],
            ["4.5", "2.0", "2.25"],
            ["16.0", "4.0", "4.0"],
            ["25.5", "5.0", "5.1"],
            ["24.25", "4.0", "6.0625"],
            ["3.25", "3.0", "1.0833"],
        ],
    },
    Examples {
        document: "sonnx-div",
        section: "Div (int, int), informal specification",
        requirement: "E_DIV_INT_FUNC_0010",
        result_type: Some("E_DIV_INT_CONSTR_C_0020"),
        formula: Formula::Truncated,
        lines: &[
            ["6", "3", "2"],
            ["5", "3", "1"],
            ["-35", "3", "-11"],
            ["10", "3", "3"],
            ["10", "2", "5"],
            ["21", "4", "5"],
            ["1", "1", "1"],
            ["30", "5", "6"],
            ["9", "4", "2"],
        ],
    },
    Examples {
        document: "sonnx-div-draft",
        section: "Informal specification",
        requirement: "P_DIVDRAFT_FUNC_0010",
        result_type: Some("P_DIVDRAFT_TYPES_0020"),
        formula: Formula::Quotient,
        lines: &[
            ["6", "3", "2"],
            ["9", "3", "3"],
            ["35", "5", "7"],
            ["3", "3", "1"],
            ["4", "2", "2"],
            ["16", "4", "4"],
            ["0", "1", "0"],
            ["25", "5", "5"],
            ["24", "4", "6"],
            ["1", "11", "0.09090909"],
            ["3", "22", "0.13636364"],
            ["5", "33", "0.15151515"],
            ["7", "-44", "-0.15909091"],
            ["9", "-55", "-0.16363636"],
            ["12", "66", "0.18181818"],
            ["6", "3", "2."],
            ["9", "3", "3."],
            ["35", "0", "inf"],
        ],
    },
    Examples {
        document: "sonnx-sqrt",
        section: "Sqrt (real), informal specification",
        requirement: "P_SQRT_REAL_FUNC_0010",
        result_type: None,
        formula: Formula::Root,
        lines: &[
            ["1", "", "1"],
            ["2", "", "1.41421354"],
            ["4", "", "2"],
            ["0.25", "", "0.5"],
            ["2.25", "", "1.5"],
            ["0.0", "", "0.0"],
            ["0.1", "", "0.31622776"],
            ["10", "", "3.16227770"],
            ["1000", "", "31.62277603"],
        ],
    },
    Examples {
        document: "onnx-div",
        section: "Div - 14, examples",
        requirement: "P_ONNX_DIV14_FUNC_0010",
        result_type: None,
        formula: Formula::Quotient,
        lines: &[["3", "1", "3."], ["4", "2", "2."]],
    },
];

/// Printed digits that are not the exact result's, and results printed in another type than the
/// operands have.
pub(super) fn check() -> Vec<Finding> {
    EXAMPLES
        .iter()
        .flat_map(|examples| [wrong_digits(examples), wrong_type(examples)])
        .flatten()
        .collect()
}

fn wrong_digits(examples: &Examples) -> Option<Finding> {
    let wrong: Vec<_> = examples
        .lines
        .iter()
        .filter(|line| is_rounding_of_exact(examples.formula, line) == Some(false))
        .map(|line| shown(examples.formula, line))
        .collect();
    let message = format!(
        "{} of {} printed results are not the exact result rounded to the digits printed: {}",
        wrong.len(),
        examples.lines.len(),
        wrong.join(", "),
    );
    finding(examples, examples.requirement, &wrong, "exact", message)
}

fn wrong_type(examples: &Examples) -> Option<Finding> {
    let result_type = examples.result_type?;
    let is_integer = |text: &&str| text.parse::<i64>().is_ok();
    let wrong: Vec<_> = examples
        .lines
        .iter()
        .filter(|[a, b, result]| is_integer(a) && is_integer(b) && !is_integer(result))
        .map(|line| shown(examples.formula, line))
        .collect();
    let message = format!(
        "the result has the operands' type, yet {} of {} examples divide integers and print what \
         is no integer",
        wrong.len(),
        examples.lines.len(),
    );
    finding(examples, result_type, &wrong, examples.requirement, message)
}

fn finding(
    examples: &Examples,
    requirement: &'static str,
    wrong: &[String],
    against: &str,
    message: String,
) -> Option<Finding> {
    Some(Finding {
        document: examples.document,
        section: examples.section,
        domain: "examples",
        requirement,
        kind: Kind::Contradiction,
        level: Level::Warning,
        count: wrong.len() as u64,
        example: wrong.first()?.clone(),
        against: against.to_owned(),
        message,
    })
}

/// Whether the printed result is within half a unit of its last digit of the exact one; `None`
/// where either is no number.
fn is_rounding_of_exact(formula: Formula, [a, b, result]: &[&str; 3]) -> Option<bool> {
    let (printed, unit) = decimal(result)?;
    let half = unit / Rational::from_integer(2.into());
    let (a, _) = decimal(a)?;
    let exact = match formula {
        Formula::Quotient => real::Enclosure::point(real::div(&a, &decimal(b)?.0)?),
        Formula::Truncated => real::Enclosure::point(real::div(&a, &decimal(b)?.0)?.trunc()),
        Formula::Root => real::sqrt(&a, ROOT_BITS)?,
    };
    Some(exact.lower >= &printed - &half && exact.upper <= printed + half)
}

/// A decimal and the unit of its last digit.
fn decimal(text: &str) -> Option<(Rational, Rational)> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let unit = format!("1/1{}", "0".repeat(fraction.len())).parse::<Rational>().ok()?;
    let digits = format!("{whole}{fraction}").parse::<Rational>().ok()?;
    Some((digits * &unit, unit))
}

fn shown(formula: Formula, [a, b, result]: &[&str; 3]) -> String {
    match formula {
        Formula::Quotient | Formula::Truncated => format!("{a} / {b} = {result}"),
        Formula::Root => format!("sqrt({a}) = {result}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_right_to_half_a_unit_of_the_last_one() {
        let root = |result| is_rounding_of_exact(Formula::Root, &["2", "", result]);
        assert_eq!(root("1.41421356"), Some(true));
        assert_eq!(root("1.41421354"), Some(false));
        assert_eq!(root("1.4"), Some(true));
        assert_eq!(root("NaN"), None);
        let quotient = |a, b, result| is_rounding_of_exact(Formula::Quotient, &[a, b, result]);
        assert_eq!(quotient("7", "-44", "-0.15909091"), Some(true));
        assert_eq!(quotient("7", "-44", "-0.15909090"), Some(false));
        assert_eq!(quotient("35", "0", "inf"), None);
    }
}
