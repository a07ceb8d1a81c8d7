//! The operands of the cases of Add and Sub, by class.

use values::dtype::{DType, Kind};
use values::float::FloatFormat;
use values::random::Random;

use super::Addition;
use crate::case_table::Own;
use crate::exact::number::{Int, largest};
use crate::families::classes::significand;
use crate::inputs::Tuple;

/// Tuples that are drawn for a class.
const DRAWN: usize = 32;

/// What Add makes itself for its cases.
pub(crate) const OF_SUMS: Own = Own {
    class: |class, dtype, random| of_class(Addition::Sum, class, dtype, random),
    ..Own::NONE
};

/// The same of Sub.
pub(crate) const OF_DIFFERENCES: Own = Own {
    class: |class, dtype, random| of_class(Addition::Difference, class, dtype, random),
    ..Own::NONE
};

fn of_class(
    addition: Addition,
    class: &str,
    dtype: DType,
    random: &mut Random,
) -> Option<Vec<Tuple>> {
    match dtype.kind() {
        Kind::Float(format) => {
            let mut pairs = of_floats(class, format, random)?;
            if addition == Addition::Difference {
                pairs.iter_mut().for_each(|[_, b]| *b = format.negated(*b));
            }
            Some(pairs)
        }
        Kind::Int { signed, bits } => {
            // What the classes of integers are taken from is the same for all.
            of_integers(addition, class, Int { signed, bits }, &mut random.clone())
        }
        Kind::Bool | Kind::Complex(_) | Kind::String => None,
    }
}

/// The operands of a sum.
fn of_floats(class: &str, format: &FloatFormat, random: &mut Random) -> Option<Vec<Tuple>> {
    let (p, least, most) = (format.precision() as i32, 1 - format.bias, format.bias);
    let count = 0..DRAWN;
    Some(match class {
        "interior" => count.map(|_| drawn(format, random, [-4, 4], [-4, 4])).collect(),
        "wide" => count.map(|_| drawn(format, random, [least, most], [-p - 2, p + 2])).collect(),
        "far" => {
            let far = 2 * format.bias;
            count.map(|_| drawn(format, random, [most - p, most], [-far, -p - 1])).collect()
        }
        "near_ties" => near_ties(format, random),
        "cancellation" => cancellation(format, random),
        "zero_sums" => cancelled(format, random),
        "overflow" => overflow(format, random),
        "subnormal" => subnormal(format, random),
        _ => return None,
    })
}

/// A number with an exponent, the nearest that normal numbers have, of any sign.
fn number(format: &FloatFormat, random: &mut Random, significand: u64, exponent: i32) -> u64 {
    let biased = (exponent + format.bias).clamp(1, 2 * format.bias) as u64;
    let field = significand & ((1 << format.significand_bits) - 1);
    let magnitude = biased << format.significand_bits | field;
    if random.bits() & 1 == 1 { format.negated(magnitude) } else { magnitude }
}

/// Normal numbers, the first with an exponent in a range, the second with one so much higher.
fn drawn(
    format: &FloatFormat,
    random: &mut Random,
    [low, high]: [i32; 2],
    [lower, upper]: [i32; 2],
) -> Tuple {
    let first = random.between(low.into(), high.into()) as i32;
    let second = first + random.between(lower.into(), upper.into()) as i32;
    [first, second].map(|exponent| {
        let significand = significand(random, format.precision());
        number(format, random, significand, exponent)
    })
}

/// Numbers at every distance at which the smaller one's last bits are half of the larger one's last place, and as close
/// to that below and above as it gets; the last bit that is kept is odd or even.
fn near_ties(format: &FloatFormat, random: &mut Random) -> Vec<Tuple> {
    let p = format.precision();
    let mut pairs = Vec::new();
    for apart in 1..=p {
        for end in [0, 1, 2] {
            let larger = significand(random, p);
            let above = significand(random, p) >> apart << apart;
            let half = (1_u64 << (apart - 1)) + end - 1;
            let smaller = above + half;
            if smaller >> (p - 1) == 1 {
                let exponent = random.between(-3, 3) as i32;
                let pair = [(larger, exponent), (smaller, exponent - apart as i32)];
                pairs.push(pair.map(|(bits, exponent)| number(format, random, bits, exponent)));
            }
        }
    }
    pairs
}

/// Numbers less others that are next to them, or differ in one bit; and of exponents next to each other.
fn cancellation(format: &FloatFormat, random: &mut Random) -> Vec<Tuple> {
    let field = format.significand_bits;
    let mut pairs = Vec::new();
    for bit in 0..field {
        let bits = significand(random, format.precision());
        let exponent = random.between((2 - format.bias).into(), format.bias.into()) as i32;
        let a = number(format, random, bits, exponent);
        pairs.push([a, format.negated(a ^ 1 << bit)]);
    }
    // The last number of a binade and the first of the next one.
    for exponent in [2 - format.bias, 0, format.bias] {
        let power = number(format, random, 0, exponent);
        pairs.push([power, format.negated(power - 1)]);
        pairs.push([power - 1, format.negated(power)]);
        pairs.push([power + 1, format.negated(power - 1)]);
    }
    pairs
}

/// Numbers, infinities left out, and what cancels them.
fn cancelled(format: &FloatFormat, random: &mut Random) -> Vec<Tuple> {
    let any =
        (0..DRAWN / 2).map(|_| drawn(format, random, [1 - format.bias, format.bias], [0, 0])[0]);
    let ends =
        [1, (1 << format.significand_bits) - 1, 1 << format.significand_bits, largest(format)];
    let numbers = any.chain(ends.into_iter().flat_map(|bits| [bits, format.negated(bits)]));
    numbers.map(|bits| [bits, format.negated(bits)]).collect()
}

/// Sums next to the largest number: that with its halves, with half of its last place and with the neighbours of these; and
/// any of the highest exponents.
fn overflow(format: &FloatFormat, random: &mut Random) -> Vec<Tuple> {
    let (largest, binade) = (largest(format), 1 << format.significand_bits);
    let half_unit = largest & !(binade - 1);
    let half_unit = half_unit - u64::from(format.precision()) * binade;
    let mut pairs = Vec::new();
    let seconds = [half_unit - 1, half_unit, half_unit + 1, 2 * binade, 1];
    for first in [largest - 1, largest] {
        pairs.extend(seconds.iter().flat_map(|&second| [[first, second], [second, first]]));
    }
    let half = largest - binade;
    pairs.extend([[half, half], [half, half + 1], [half + 1, half + 1], [largest, largest]]);
    let negated: Vec<Tuple> =
        pairs.iter().map(|pair| pair.map(|bits| format.negated(bits))).collect();
    pairs.extend(negated);
    let most = format.bias;
    pairs.extend((0..DRAWN).map(|_| drawn(format, random, [most - 1, most], [-1, 1])));
    pairs
}

/// Sums of subnormal numbers, and of numbers of the lowest exponents: all are exact.
fn subnormal(format: &FloatFormat, random: &mut Random) -> Vec<Tuple> {
    let normal = 1_u64 << format.significand_bits;
    let ends = [1, 2, normal / 2, normal - 1, normal, normal + 1];
    let mut pairs: Vec<Tuple> =
        ends.into_iter().flat_map(|a| ends.map(|b| [a, format.negated(b)])).collect();
    pairs.extend([[normal - 1, 1], [normal / 2, normal / 2], [normal - 1, normal - 1]]);
    for _ in 0..DRAWN {
        let signs = random.bits();
        let mut pair = [(); 2].map(|()| random.below(2 * normal).max(1));
        for (at, bits) in pair.iter_mut().enumerate() {
            *bits = if signs >> at & 1 == 1 { format.negated(*bits) } else { *bits };
        }
        pairs.push(pair);
    }
    pairs
}

/// Results within the range of a type, above and below it: corners, the last operands within and the first beyond, and
/// any.
fn of_integers(
    addition: Addition,
    class: &str,
    int: Int,
    random: &mut Random,
) -> Option<Vec<Tuple>> {
    let (min, max) = (int.min(), int.max());
    let is_of = |result: i128| match class {
        "representable" => Some(int.holds(result)),
        "above" => Some(result > max),
        "below" => Some(result < min),
        _ => None,
    };
    is_of(0)?;
    let corners = [min, min + 1, -2, -1, 0, 1, 2, max / 2, max / 2 + 1, max - 1, max];
    let mut pairs: Vec<[i128; 2]> =
        corners.iter().flat_map(|&a| corners.iter().map(move |&b| [a, b])).collect();
    for _ in 0..DRAWN / 2 {
        let first = random.between(min, max);
        let ends = [max, max + 1, min, min - 1];
        let others = ends.map(|end| match addition {
            Addition::Sum => end - first,
            Addition::Difference => first - end,
        });
        let any = random.between(min, max);
        pairs.extend(others.into_iter().chain([any]).map(|other| [first, other]));
    }
    pairs.retain(|pair| pair.iter().all(|&value| int.holds(value)));
    let found = pairs.into_iter().filter(|&[a, b]| is_of(addition.of(a, b)) == Some(true));
    Some(found.map(|pair| pair.map(|value| int.wrap(value))).collect())
}
