//! What tests may let pass by the guidelines, against the accuracy notes of the operators.

use num_traits::{Signed, ToPrimitive, Zero};

use super::bounds::{decimal, introduced_name, scientific, tuples};
use super::documents::Reading;
use super::statements::{Bound, Statement, Tolerance};
use super::{Cause, DefectKind, Finding, Level, grouped, is_float};
use crate::dtype::{self, DType};
use crate::oracle::real::{self, Enclosure, Rational};

/// What a tolerance allows beyond the bounds on introduced errors: one finding for each tolerance, type and bound.
pub(super) fn check(sections: &[Reading<'_>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for reading in sections {
        let Some(tolerance) = &reading.section.tolerance else { continue };
        for other in sections {
            let Some(bound) = &other.section.bound else { continue };
            let is_of_floats = bound.types.iter().any(|dtype| is_float(*dtype));
            for statement in bound.states.iter().filter(|_| is_of_floats) {
                let of_type =
                    |dtype: &DType| looser(*reading, tolerance, (*other, bound, statement), *dtype);
                findings.extend(tolerance.types.iter().filter_map(of_type));
            }
        }
    }
    findings
}

/// A finding where a tolerance allows more than a bound for some operands.
fn looser(
    reading: Reading<'_>,
    tolerance: &Tolerance,
    (other, bound, statement): (Reading<'_>, &Bound, &Statement),
    dtype: DType,
) -> Option<Finding> {
    let mut samples = 0_u64;
    // The result, what the tolerance allows for it, and the bound.
    let mut looser: Vec<(Rational, Rational, Rational)> = Vec::new();
    for operands in tuples(&tolerance.values, other.operands().len()) {
        let operands: Option<Vec<Enclosure>> =
            operands.iter().map(|value| value.value(&|_| None)).collect();
        let Some(operands) = operands else { continue };
        let Some(exact) = other.exact(&operands) else { continue };
        let names = |name: &str| introduced_name(other, bound, dtype, &operands, name);
        let Some(limit) = statement.formula.value(&names) else { continue };
        let unit = ulp(&exact.lower, dtype)?;
        let names = |name: &str| match name {
            "Y" => Some(exact.clone()),
            "ulp" => Some(Enclosure::point(unit.clone())),
            _ => None,
        };
        let Some(allowed) = tolerance.states.formula.value(&names) else { continue };
        samples += 1;
        if allowed.lower > limit.upper {
            looser.push((exact.lower, allowed.lower, limit.upper));
        }
    }
    let (exact, allowed, limit) = looser.first()?;
    let (text, of) = (&tolerance.states.text, &statement.text);
    let (key, tag) = (other.document.key, other.section.requirement);
    let (count, all) = (grouped(looser.len() as u64), grouped(samples));
    let ratios = looser.iter().filter(|(_, _, limit)| !limit.is_zero());
    let least = ratios.map(|(_, allowed, limit)| allowed / limit).min();
    let times = least.map_or_else(String::new, |least| {
        format!(
            "; that is at least {} times as much",
            grouped(least.to_integer().to_u64().unwrap_or(0))
        )
    });
    let message = format!(
        "the tolerance {text} allows more for {dtype} than the bound {of} of {key} ({tag}) for {count} of {all} \
         directed operands{times}"
    );
    let example = format!(
        "{key}, Y = {}: tolerance {}, bound {}",
        decimal(exact),
        scientific(allowed),
        scientific(limit)
    );
    let of = (DefectKind::Bound, Level::Warning);
    let finding = reading.finding(dtype.name(), of, looser.len() as u64, example, message);
    Some(Finding {
        against: format!("{tag}: {}", statement.text),
        cause: Cause::LooseTolerance,
        ..finding
    })
}

/// The unit in the last place of a number in a float type.
fn ulp(number: &Rational, dtype: DType) -> Option<Rational> {
    let dtype::Kind::Float(format) = dtype.kind() else { return None };
    // The lengths leave two powers of two to choose from.
    let quotient = number.numer().bits() as i64 - number.denom().bits() as i64;
    let quotient = i32::try_from(quotient).ok()?.clamp(1 - format.bias, format.bias);
    let is_below = number.abs() < real::power_of_two(quotient);
    let exponent = if number.is_zero() { 1 - format.bias } else { quotient - i32::from(is_below) };
    let exponent = exponent.max(1 - format.bias);
    Some(real::power_of_two(exponent - format.significand_bits as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_those_of_the_numbers_binade_and_of_the_smallest_and_largest_beyond() {
        let dtype::Kind::Float(format) = DType::Float16.kind() else { panic!() };
        let unit = |number: Rational| ulp(&number, DType::Float16).unwrap();
        let small = real::power_of_two(-24);
        for exponent in -30..20 {
            let of_power = real::power_of_two(exponent.clamp(-14, 15) - 10);
            let third = &small / Rational::from_integer(3.into());
            assert_eq!(unit(real::power_of_two(exponent)), of_power);
            assert_eq!(unit(-(real::power_of_two(exponent) + &third)), of_power, "{exponent}");
            let below = real::power_of_two((exponent - 1).clamp(-14, 15) - 10);
            assert_eq!(unit(real::power_of_two(exponent) - &third * &third), below, "{exponent}");
        }
        assert_eq!(unit(Rational::zero()), real::power_of_two(1 - format.bias - 10));
        assert_eq!(ulp(&small, DType::Int8), None);
    }
}
