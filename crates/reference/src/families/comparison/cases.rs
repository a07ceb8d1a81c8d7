//! The operands of the cases of comparisons, by class.

use values::dtype::{DType, Kind};
use values::float::FloatFormat;
use values::random::Random;

use crate::case_table::Own;
use crate::exact::number::{Int, largest};
use crate::exact::quiet_nan;
use crate::inputs::Tuple;

/// What the comparisons make themselves for their cases.
pub(crate) const OWN: Own = Own { class: of_class, ..Own::NONE };

fn of_class(class: &str, dtype: DType, _: &mut Random) -> Option<Vec<Tuple>> {
    let (each, next) = match dtype.kind() {
        Kind::Float(format) => floats(format),
        Kind::Int { signed, bits } => integers(Int { signed, bits }),
        Kind::Bool => (vec![0, 1], Vec::new()),
        Kind::Complex(_) | Kind::String => (Vec::new(), Vec::new()),
    };
    Some(match class {
        "pairs" => each.iter().flat_map(|&a| each.iter().map(move |&b| [a, b])).collect(),
        "neighbours" => next.into_iter().flat_map(|[a, b]| [[a, b], [b, a], [a, a]]).collect(),
        _ => return None,
    })
}

/// NaNs of both kinds and signs, infinities, zeros, and the numbers at the ends of their classes; and numbers with
/// those next to them, whose difference narrower types do not hold.
fn floats(format: &FloatFormat) -> (Vec<u64>, Vec<Tuple>) {
    let (normal, infinity) = (1 << format.significand_bits, largest(format) + 1);
    let one = (format.bias as u64) << format.significand_bits;
    let magnitudes =
        [quiet_nan(format), infinity + 1, infinity, 0, 1, normal, one, largest(format)];
    let each = magnitudes.into_iter().flat_map(|bits| [bits, format.negated(bits)]).collect();
    let lower = [0, 1, normal - 1, normal, one - 1, one, largest(format) - 1, largest(format)];
    let pairs = lower.into_iter().map(|bits| [bits, bits + 1]);
    let next = pairs.flat_map(|pair| [pair, pair.map(|bits| format.negated(bits))]).collect();
    (each, next)
}

/// The ends of the type, small numbers, and those with one half of their bits; and numbers with those next to them,
/// among them some that no float type holds.
fn integers(int: Int) -> (Vec<u64>, Vec<Tuple>) {
    let half = 1 << (int.bits / 2);
    let values = [int.min(), int.min() + 1, -half, -2, -1, 0, 1, 2, half, half + 1]
        .into_iter()
        .chain([int.max() - 1, int.max()]);
    let each = values.filter_map(|value| int.element(value)).collect();
    let lower = [8, 11, 16, 24, 31, 32, 53, 62, 63].map(|bit| 1_i128 << bit);
    let lower = lower.into_iter().flat_map(|power| [power - 1, power, -power - 1, -power]);
    let lower = lower.chain([int.max() - 1, int.min()]);
    let next = lower.filter_map(|value| Some([int.element(value)?, int.element(value + 1)?]));
    (each, next.collect())
}
