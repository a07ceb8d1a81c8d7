//! The operands of the cases of Mul, by class.

use values::dtype::{DType, Kind};
use values::float::FloatFormat;
use values::random::Random;

use crate::case_table::Own;
use crate::elements::scaled;
use crate::exact::number::{Int, largest, smallest_exponent};
use crate::families::classes::{one, significand};
use crate::hard::inverse;
use crate::inputs::Tuple;

/// Tuples that are drawn for a class.
const DRAWN: usize = 32;

/// What Mul makes itself for its cases.
pub(super) const OWN: Own = Own { class: of_class, ..Own::NONE };

fn of_class(class: &str, dtype: DType, random: &mut Random) -> Option<Vec<Tuple>> {
    match dtype.kind() {
        Kind::Float(format) => of_floats(class, format, random),
        // What the classes of integers are taken from is the same for all.
        Kind::Int { signed, bits } => of_integers(class, Int { signed, bits }, &mut random.clone()),
        Kind::Bool | Kind::Complex(_) | Kind::String => None,
    }
}

fn of_floats(class: &str, format: &FloatFormat, random: &mut Random) -> Option<Vec<Tuple>> {
    let anywhere = |random: &mut Random, low: i32, high: i32| -> Vec<Tuple> {
        let drawn = (0..DRAWN).filter_map(|_| {
            let pair = [(); 2].map(|()| significand(random, format.precision()));
            placed(format, random, pair, low, high)
        });
        drawn.collect()
    };
    let (smallest, most) = (smallest_exponent(format), format.bias);
    Some(match class {
        "interior" => anywhere(random, -4, 4),
        "wide" => anywhere(random, smallest + 2, most - 2),
        "near_ties" => near_ties(format, random),
        "overflow" => {
            [around(format, largest(format)), anywhere(random, most - 1, most + 1)].concat()
        }
        "underflow" => [around(format, 1), anywhere(random, smallest - 3, smallest)].concat(),
        "subnormal" => [
            around(format, 1 << format.significand_bits),
            subnormal_ties(format, random),
            anywhere(random, smallest, 1 - format.bias),
        ]
        .concat(),
        _ => return None,
    })
}

/// Normal numbers of these significands, of any signs, whose exponents sum up to one from `low` to
/// `high`.
fn placed(
    format: &FloatFormat,
    random: &mut Random,
    significands: Tuple,
    low: i32,
    high: i32,
) -> Option<Tuple> {
    let (least, most) = (1 - format.bias, format.bias);
    let sum = random.between(low.into(), high.into()) as i32;
    let first = random.between(least.max(sum - most).into(), most.min(sum - least).into()) as i32;
    let field = format.significand_bits as i32;
    let signs = random.bits();
    let mut pair = [0; 2];
    for (at, exponent) in [first, sum - first].into_iter().enumerate() {
        let bits = scaled(format, significands[at], exponent - field)?;
        pair[at] = if signs >> at & 1 == 1 { format.negated(bits) } else { bits };
    }
    Some(pair)
}

/// The neighbours of a number by the neighbours of 1, and its half and quarter by those of 2 and 4,
/// with both signs.
fn around(format: &FloatFormat, number: u64) -> Vec<Tuple> {
    let one = one(format);
    let binade = 1 << format.significand_bits;
    let mut pairs = Vec::new();
    for (first, second) in [(number, one), (number, one - binade), (one + binade, number)] {
        for first in [first.saturating_sub(1).max(1), first, (first + 1).min(largest(format))] {
            for second in
                [second.saturating_sub(1).max(1), second, (second + 1).min(largest(format))]
            {
                pairs.extend([[first, second], [format.negated(first), second]]);
            }
        }
    }
    pairs
}

/// Tuples of significands whose product ends in a half of the last place that is kept, or in the next
/// numbers below and above that: of p-bit factors those that are that odd multiple of the inverse of an
/// odd one modulo the power of two that is cut off.
fn near_ties(format: &FloatFormat, random: &mut Random) -> Vec<Tuple> {
    let p = format.precision();
    let mut pairs = Vec::new();
    for at in 0..DRAWN {
        // A product below 2^(2p - 1) has p - 1 bits too many, another p.
        let cut = p - 1 + (at as u32 & 1);
        let odd = significand(random, p) | 1;
        let half = 1_u64 << (cut - 1);
        for rest in [half - 1, half, half + 1] {
            let factor = rest.wrapping_mul(inverse(odd)) & ((1 << cut) - 1);
            let factor = if cut < p { factor | 1 << (p - 1) } else { factor };
            let product = u128::from(factor) * u128::from(odd);
            if factor >> (p - 1) == 1 && product >> (p + cut - 1) == 1 {
                pairs.extend(placed(format, random, [factor, odd], -3, 3));
            }
        }
    }
    pairs
}

/// Numbers of the lowest binade by powers of two, of which every number of bits is cut off but for a
/// half, the last bit that is kept being odd or even.
fn subnormal_ties(format: &FloatFormat, random: &mut Random) -> Vec<Tuple> {
    let p = format.precision();
    let mut pairs = Vec::new();
    for cut in 1..p {
        for last in 0..2 {
            let kept = (significand(random, p) >> cut) & !1 | last;
            let first = scaled(
                format,
                (kept | 1 << (p - 1 - cut)) << cut | 1 << (cut - 1),
                smallest_exponent(format),
            );
            let second = scaled(format, 1, -(cut as i32));
            pairs.extend(first.zip(second).map(|(a, b)| [a, format.negated(b)]));
        }
    }
    pairs
}

/// Products within the range of a type, above and below it: corners, the last factors within and the
/// first beyond, and any.
fn of_integers(class: &str, int: Int, random: &mut Random) -> Option<Vec<Tuple>> {
    let is_of = match class {
        "representable" => |int: Int, product: i128| int.holds(product),
        "above" => |int: Int, product| product > int.max(),
        "below" => |int: Int, product| product < int.min(),
        _ => return None,
    };
    let top = 1_i128 << (int.bits - u32::from(int.signed));
    let (min, max) = (int.min(), int.max());
    let holds = |x: &i128| int.holds(*x);
    let corners = [min, min + 1, -2, -1, 0, 1, 2, 3, top / 2, max - 1, max];
    let corners: Vec<i128> = corners.into_iter().filter(holds).collect();
    let mut pairs: Vec<[i128; 2]> =
        corners.iter().flat_map(|&a| corners.iter().map(move |&b| [a, b])).collect();
    for _ in 0..DRAWN {
        let length = random.between(1, i128::from(top.ilog2()) - 1);
        let factor = random.between(1 << length, (2 << length) - 1).min(max);
        let sign = |random: &mut Random| if int.signed && random.bits() & 1 == 1 { -1 } else { 1 };
        let within = max / factor;
        let below = min / factor;
        let any = random.between(1, max);
        for other in [within, within + 1, below, below - 1, any, sign(random) * any] {
            pairs.push([sign(random) * factor, other]);
            pairs.push([other, factor]);
        }
    }
    pairs.retain(|pair| pair.iter().all(holds));
    let found = pairs.into_iter().filter(|[a, b]| is_of(int, a.saturating_mul(*b)));
    Some(found.map(|pair| pair.map(|value| int.wrap(value))).collect())
}
