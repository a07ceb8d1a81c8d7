//! The operands of the cases of Exp, by class.

use values::dtype::{DType, Kind};
use values::float::{Class, FloatFormat};
use values::random::Random;

use super::boundaries;
use crate::case_table::Own;
use crate::elements::scaled;
use crate::exact::exponential::hardest;
use crate::exact::number::{Value, largest, smallest_exponent};
use crate::exact::real::{overflow_threshold, power_of_two};
use crate::inputs::{Tuple, specials};

/// What Exp makes itself for its cases.
pub(super) const OWN: Own = Own { class: of_class, ..Own::NONE };

fn of_class(class: &str, dtype: DType, random: &mut Random) -> Option<Vec<Tuple>> {
    let Kind::Float(format) = dtype.kind() else { return None };
    let numbers = |x: &u64| matches!(Value::of(format, *x), Value::Zero | Value::Finite(_));
    // Every boundary of the result with the operands next to it.
    let around = |boundary| -> Vec<u64> {
        let Some([below, above]) = boundaries::around(dtype, &boundary) else { return Vec::new() };
        let steps =
            |bits: u64| [bits.wrapping_sub(2), bits.wrapping_sub(1), bits, bits + 1, bits + 2];
        steps(below).into_iter().chain(steps(above)).filter(numbers).collect()
    };
    let threshold = overflow_threshold(format);
    let first_infinite =
        boundaries::around(dtype, &threshold).map_or(largest(format) + 1, |[_, above]| above);
    let is_above = |x: &u64| !format.is_negative(*x) && *x >= first_infinite;
    let special_numbers = || {
        let all = specials(format).into_iter().flat_map(|(_, values)| values);
        all.filter(|&bits| matches!(format.class(bits), Class::Subnormal | Class::Normal))
    };
    let operands: Vec<u64> = match class {
        "overflow" => {
            let all = around(threshold).into_iter().chain(special_numbers());
            all.chain(of_all_sizes(format, random)).filter(is_above).collect()
        }
        "special_numbers" => special_numbers().filter(|x| !is_above(x)).collect(),
        "thresholds" => {
            let (smallest, field) = (smallest_exponent(format), format.significand_bits as i32);
            let normal = smallest + field;
            let powers = [smallest - 1, smallest, smallest + 1, normal, -1, 0, 1, format.bias];
            let boundaries = std::iter::once(threshold).chain(powers.map(power_of_two));
            boundaries.flat_map(around).filter(|x| !is_above(x)).collect()
        }
        "sizes" => of_all_sizes(format, random).into_iter().filter(|x| !is_above(x)).collect(),
        "hardest" => hardest(format).filter(|x| numbers(x) && !is_above(x)).collect(),
        _ => return None,
    };
    Some(operands.into_iter().map(|x| [x, 0]).collect())
}

/// Numbers of all sizes, the same for every class. Above the largest exponent all results are infinities or
/// zeros; below 2^-p they are 1 or next to it.
fn of_all_sizes(format: &FloatFormat, random: &Random) -> Vec<u64> {
    let mut random = random.clone();
    let field = format.significand_bits as i32;
    let exponents = smallest_exponent(format) + field..=format.bias.ilog2() as i32 + 1;
    let mut sizes = Vec::new();
    for exponent in exponents.filter(|exponent| *exponent > -field - 2 || exponent % 16 == 0) {
        for _ in 0..4 {
            let significand = random.bits() >> (64 - format.precision()) | 1 << field;
            let bits = scaled(format, significand, exponent - field);
            sizes.extend(bits.into_iter().flat_map(|bits| [bits, format.negated(bits)]));
        }
    }
    sizes
}
