//! Operands for the cases of functions: numbers of all sizes.

use values::dtype::{DType, Kind};
use values::float::FloatFormat;
use values::random::Random;

use crate::case_table::Own;
use crate::elements::scaled;
use crate::exact::number::{largest, smallest_exponent};
use crate::inputs::Tuple;

use super::one;

/// What the functions make themselves for their cases.
pub(crate) const OWN: Own = Own { class: of_class, ..Own::NONE };

/// Exponents this far from that of 1 are all there; of those beyond every sixteenth is.
const NEAR: i32 = 12;

fn of_class(class: &str, dtype: DType, random: &mut Random) -> Option<Vec<Tuple>> {
    let Kind::Float(format) = dtype.kind() else { return None };
    let all = sizes(format, random);
    let (one, sign) = (one(format), 1 << (format.width() - 1));
    let operands: Vec<u64> = match class {
        "positive_sizes" => all,
        "sizes" => all.into_iter().flat_map(|x| [x, x | sign]).collect(),
        "sizes_from_1" => all.into_iter().filter(|x| *x >= one).collect(),
        "sizes_below_1" => {
            all.into_iter().filter(|x| *x < one).flat_map(|x| [x, x | sign]).collect()
        }
        // The numbers next to 1, and those whose last bits make up a half or a quarter.
        "next_to_1" => {
            let steps =
                [0, 1, 2, 3].into_iter().chain((2..format.significand_bits).map(|bit| 1 << bit));
            steps.flat_map(|step| [one - step / 2, one + step]).collect()
        }
        _ => return None,
    };
    Some(operands.into_iter().map(|x| [x, 0]).collect())
}

/// Positive numbers of all sizes, subnormal ones among them.
fn sizes(format: &FloatFormat, random: &mut Random) -> Vec<u64> {
    let field = format.significand_bits as i32;
    let exponents = smallest_exponent(format) + field..=format.bias;
    let chosen = exponents.filter(|exponent| exponent.abs() <= NEAR || exponent % 16 == 0);
    let mut sizes = vec![1, 3, (1 << field) - 1, largest(format)];
    for exponent in chosen {
        let significand = random.bits() >> (64 - format.precision()) | 1 << field;
        sizes.extend(scaled(format, significand, exponent - field));
    }
    sizes
}
