//! Which numbers are boundaries of a type.

use num_bigint::BigInt;
use num_traits::Zero;
use values::dtype::DType;
use values::float::FloatFormat;

use super::Boundary;
use crate::exact::Number;
use crate::exact::number::{Int, Magnitude, greatest, smallest_exponent};
use crate::exact::real::{Rational, overflow_threshold, power_of_two};

/// The boundaries of a type, of floats those that are not negative; none for types without exact
/// arithmetic.
pub fn of(dtype: DType) -> Vec<Boundary> {
    let numbers = match Number::of(dtype) {
        Some(Number::Float(format)) => floats(format),
        Some(Number::Int(int)) => integers(int),
        None => Vec::new(),
    };
    numbers.into_iter().map(|(name, at)| Boundary { name, at }).collect()
}

/// `significand * 2^exponent`.
fn scaled(significand: u64, exponent: i32) -> Rational {
    Rational::from(BigInt::from(significand)) * power_of_two(exponent)
}

/// Those of which there is one each come first, then those of several exponents.
///
/// Halfway points are odd multiples of half a unit. Those among normal numbers are multiples of 3 as well,
/// since a product that is exactly there needs factors.
fn floats(format: &'static FloatFormat) -> Vec<(&'static str, Rational)> {
    let (precision, unit) = (format.precision() as i32, smallest_exponent(format));
    // Significands: of the largest subnormal number, of an odd and an even number in the middle of the
    // subnormal ones.
    let subnormals = (1 << (precision - 1)) - 1;
    let [even, odd] = [0, 1].map(|last| (1 << (precision / 2)) + last);
    // Past the largest number by so many sixteenths of its unit that a small factor leaves an element.
    let Magnitude { significand, exponent } = greatest(format);
    let mut beyond = (1..8).map(|sixteenths| 16 * significand + sixteenths);
    let product = beyond.find(|n| (17..1 << 10).step_by(2).any(|factor| n % factor == 0));
    let mut numbers = vec![
        ("zero", Rational::zero()),
        ("half of the smallest subnormal number", scaled(1, unit - 1)),
        ("smallest subnormal number", scaled(1, unit)),
        ("halfway above an even subnormal number", scaled(2 * even + 1, unit - 1)),
        ("halfway above an odd subnormal number", scaled(2 * odd + 1, unit - 1)),
        ("largest subnormal number", scaled(subnormals, unit)),
        ("halfway to the smallest normal number", scaled(2 * subnormals + 1, unit - 1)),
        ("three quarters to the smallest normal number", scaled(4 * subnormals + 3, unit - 2)),
        ("smallest normal number", scaled(subnormals + 1, unit)),
        ("halfway to a power of two", scaled((2 << precision) - 1, -precision - 1)),
        ("largest number", scaled(significand, exponent)),
        (
            "between the largest number and the overflow threshold",
            scaled(product.unwrap_or_default(), exponent - 4),
        ),
        ("overflow threshold", overflow_threshold(format)),
    ];
    let (lowest, highest) = (1 - format.bias, exponent + precision - 1);
    // Above the first such number of three binades, in halves of their units.
    for (rest, name) in [(9, "halfway above an even number"), (3, "halfway above an odd number")] {
        let half = (1_u64 << precision..).find(|half| half % 12 == rest).unwrap_or_default();
        let tie = |binade| (name, scaled(half, binade - precision));
        numbers.extend([lowest, 0, highest].map(tie));
    }
    // Every exponent; of a format with more than 8 bits for it every sixteenth of the range, and those whose
    // field has a single bit that is set, or not set.
    let exponents = (lowest + 1..=highest).filter(|exponent| {
        let (field, bits) = ((exponent + format.bias) as u32, format.exponent_bits);
        bits <= 8 || field % 128 == 0 || [1, bits - 1].contains(&field.count_ones())
    });
    numbers.extend(exponents.map(|exponent| ("power of two", power_of_two(exponent))));
    numbers
}

fn integers(int: Int) -> Vec<(&'static str, Rational)> {
    let bits = int.bits - u32::from(int.signed);
    let number = |value: i128| Rational::from(BigInt::from(value));
    let mut numbers = Vec::new();
    if int.signed {
        numbers.push(("minimum", number(int.min())));
        numbers.extend((1..bits).rev().map(|bit| ("negative power of two", number(-(1 << bit)))));
        numbers.push(("minus one", number(-1)));
    }
    numbers.extend([("zero", number(0)), ("one", number(1))]);
    numbers.extend((1..bits).map(|bit| ("power of two", number(1 << bit))));
    numbers.push(("maximum", number(int.max())));
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(dtype: DType, name: &str) -> Vec<Rational> {
        of(dtype).into_iter().filter(|it| it.name == name).map(|it| it.at).collect()
    }

    #[test]
    fn powers_of_two_are_of_every_exponent_and_of_chosen_ones_of_float64() {
        let powers = |from: i32, to| (from..=to).map(power_of_two).collect::<Vec<_>>();
        assert_eq!(at(DType::Float16, "power of two"), powers(-13, 15));
        assert_eq!(at(DType::Float32, "power of two"), powers(-125, 127));
        assert_eq!(at(DType::Bfloat16, "power of two"), powers(-125, 127));
        let of_float64 = at(DType::Float64, "power of two");
        assert_eq!(of_float64.len(), 32);
        for exponent in [-1021, -1019, -895, -639, 0, 1, 129, 1022, 1023] {
            assert!(of_float64.contains(&power_of_two(exponent)), "{exponent}");
        }
    }

    #[test]
    fn ties_are_of_the_lowest_binade_that_of_1_and_the_highest() {
        let ties = |name, halves: [u64; 3]| {
            let ties = [-14, 0, 15].into_iter().zip(halves);
            let ties: Vec<_> = ties.map(|(binade, half)| scaled(half, binade - 11)).collect();
            assert_eq!(at(DType::Float16, name), ties);
        };
        // 2,049 is 3 times 683, 2,055 is 3 times 685.
        ties("halfway above an even number", [2049; 3]);
        ties("halfway above an odd number", [2055; 3]);
    }
}
