//! The operands of the cases of Reciprocal, by where their reciprocals lie.

use values::dtype::{DType, Kind};
use values::float::FloatFormat;
use values::random::Random;

use crate::case_table::Own;
use crate::elements::scaled;
use crate::families::classes::{DRAWN, significand};
use crate::inputs::Tuple;

/// What Reciprocal makes itself for its cases.
pub(super) const OWN: Own = Own { class: of_class, ..Own::NONE };

fn of_class(class: &str, dtype: DType, random: &mut Random) -> Option<Vec<Tuple>> {
    let Kind::Float(format) = dtype.kind() else { return None };
    let (least, most) = (1 - format.bias, format.bias);
    let found: Vec<u64> = match class {
        "interior" => numbers(format, random, -8, 8),
        "wide" => numbers(format, random, least, most),
        "powers_of_two" => {
            let powers = (1..2 * format.bias as u64).map(|field| field << format.significand_bits);
            powers.step_by((format.bias as usize).div_ceil(DRAWN)).collect()
        }
        "hardest" => hardest(format, random),
        // The reciprocals of the lowest ones overflow, those of the highest are subnormal.
        "subnormal" => {
            let lengths = 1..=format.significand_bits;
            lengths.flat_map(|len| [1 << (len - 1), significand(random, len)]).collect()
        }
        "subnormal_results" => numbers(format, random, most - 1, most),
        _ => return None,
    };
    let signs = random.bits();
    let signed = found.into_iter().enumerate().map(|(at, x)| {
        let x = if signs >> (at % 64) & 1 == 1 { format.negated(x) } else { x };
        [x, 0]
    });
    Some(signed.collect())
}

/// Normal numbers with exponents from `low` to `high`.
fn numbers(format: &FloatFormat, random: &mut Random, low: i32, high: i32) -> Vec<u64> {
    let numbers = (0..DRAWN).filter_map(|_| {
        let unit = random.between(low.into(), high.into()) as i32 - format.significand_bits as i32;
        scaled(format, significand(random, format.precision()), unit)
    });
    numbers.collect()
}

/// Numbers just below powers of two, whose reciprocals lie just above midpoints or numbers, and just above them.
fn hardest(format: &FloatFormat, random: &mut Random) -> Vec<u64> {
    let (low, high) = (1 << format.significand_bits, 2 << format.significand_bits);
    let near = (1..=DRAWN as u64 / 2).flat_map(|j| [high - j, low + j]);
    let placed = near.filter_map(|significand| {
        let exponent = random.between(-5, 5) as i32;
        scaled(format, significand, exponent - format.significand_bits as i32)
    });
    placed.collect()
}
