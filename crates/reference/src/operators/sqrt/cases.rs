//! The operands of the cases of Sqrt, by where their roots lie.

use values::dtype::{DType, Kind};
use values::float::FloatFormat;
use values::random::Random;

use crate::case_table::Own;
use crate::elements::scaled;
use crate::families::classes::{DRAWN, hardest_radicands, significand};
use crate::hard::Radicand;
use crate::inputs::Tuple;

/// What Sqrt makes itself for its cases.
pub(super) const OWN: Own = Own { class: of_class, ..Own::NONE };

fn of_class(class: &str, dtype: DType, random: &mut Random) -> Option<Vec<Tuple>> {
    let Kind::Float(format) = dtype.kind() else { return None };
    let lengths = 1..=format.significand_bits;
    let (least, most) = (1 - format.bias, format.bias);
    let radicands: Vec<u64> = match class {
        "interior" => positive(format, random, -8, 8),
        "wide" => positive(format, random, least, most),
        "subnormal" => {
            let of = |len: u32| [1_u64 << (len - 1), significand(random, len), (1 << len) - 1];
            lengths.flat_map(of).collect()
        }
        "squares" => squares(format, random),
        "next_to_squares" => {
            squares(format, random).into_iter().flat_map(|x| [x - 1, x + 1]).collect()
        }
        "hardest" => hardest(format, random),
        "negative" => {
            let normal = positive(format, random, least, most).into_iter();
            let subnormal = lengths.map(|len| significand(random, len));
            normal.chain(subnormal).map(|x| format.negated(x)).collect()
        }
        _ => return None,
    };
    Some(radicands.into_iter().map(|x| [x, 0]).collect())
}

/// Random normal numbers with exponents from `low` to `high`.
fn positive(format: &FloatFormat, random: &mut Random, low: i32, high: i32) -> Vec<u64> {
    (0..DRAWN)
        .filter_map(|_| {
            let exponent = random.between(low.into(), high.into()) as i32;
            let unit = exponent - format.significand_bits as i32;
            scaled(format, significand(random, format.precision()), unit)
        })
        .collect()
}

/// Squares of numbers of half the precision, times even powers of two.
fn squares(format: &FloatFormat, random: &mut Random) -> Vec<u64> {
    let random_roots = (0..DRAWN / 2).map(|_| significand(random, format.precision() / 2));
    let roots: Vec<u64> = (1..16).chain(random_roots).collect();
    let square = |root: u64| {
        let exponent = 2 * random.between(-5, 2) as i32;
        scaled(format, root * root, exponent)
    };
    roots.into_iter().filter_map(square).collect()
}

fn hardest(format: &FloatFormat, random: &mut Random) -> Vec<u64> {
    let place = |radicand: Radicand| {
        // With this exponent a significand lies between 1 and 2.
        let unit = -(format.significand_bits as i32);
        let even = 2 * random.between(-3, 3) as i32;
        scaled(format, radicand.significand, unit + even + i32::from(radicand.odd))
    };
    hardest_radicands(format.precision(), DRAWN).into_iter().filter_map(place).collect()
}
