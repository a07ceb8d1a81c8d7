//! Dividends and divisors by where their quotients lie.

use std::ops::RangeInclusive;

use values::float::FloatFormat;
use values::random::Random;

use crate::elements::scaled;
use crate::exact::number::{largest, smallest_exponent};
use crate::families::classes::{DRAWN, hardest_quotients, one, significand};
use crate::inputs::Tuple;

/// The operands of a class beyond the special values.
pub(super) fn of_class(
    class: &str,
    format: &FloatFormat,
    random: &mut Random,
) -> Option<Vec<Tuple>> {
    let smallest = smallest_exponent(format);
    Some(match class {
        "interior" => anywhere(format, random, -4..=4),
        "wide" => anywhere(format, random, -format.bias / 2..=format.bias / 2),
        "powers_of_two" => {
            let limit = format.bias - 2;
            let field = format.significand_bits;
            let pairs = anywhere(format, random, -limit..=limit);
            pairs.into_iter().map(|[a, b]| [a, b >> field << field]).collect()
        }
        "exact" => exact(format, random),
        "hardest" => {
            let precision = format.precision();
            let found = hardest_quotients(precision, precision, DRAWN, random).into_iter();
            let placed = found.filter_map(|quotient| {
                let exponent = random.between(-3, 3) as i32;
                pair(format, random, quotient, exponent)
            });
            placed.collect()
        }
        "overflow" => overflow(format, random),
        "underflow" => underflow(format, random),
        "subnormal_results" => anywhere(format, random, smallest - 1..=1 - format.bias),
        "subnormal_ties" => subnormal_ties(format, random),
        "subnormal_hardest" => subnormal_hardest(format, random),
        _ => return None,
    })
}

/// A quotient of these significands with a sign each; `exponent` is that of the dividend less that of
/// the divisor, and both are such that the operands are normal.
fn pair(
    format: &FloatFormat,
    random: &mut Random,
    [dividend, divisor]: [u64; 2],
    exponent: i32,
) -> Option<Tuple> {
    let [low, high] = [1 - format.bias, format.bias];
    let of_divisor =
        random.between(low.max(low - exponent).into(), high.min(high - exponent).into());
    let unit = of_divisor as i32 - format.significand_bits as i32;
    let pair = [scaled(format, dividend, unit + exponent)?, scaled(format, divisor, unit)?];
    let signs = random.bits();
    Some([0, 1].map(|k| if signs >> k & 1 == 1 { format.negated(pair[k]) } else { pair[k] }))
}

/// Random operands whose exponents differ by one of `exponents`.
fn anywhere(
    format: &FloatFormat,
    random: &mut Random,
    exponents: RangeInclusive<i32>,
) -> Vec<Tuple> {
    let (low, high) = (i128::from(*exponents.start()), i128::from(*exponents.end()));
    (0..DRAWN)
        .filter_map(|_| {
            let significands = [(); 2].map(|()| significand(random, format.precision()));
            let exponent = random.between(low, high) as i32;
            pair(format, random, significands, exponent)
        })
        .collect()
}

/// Each pair with all signs.
fn with_signs(format: &FloatFormat, pairs: &[Tuple]) -> Vec<Tuple> {
    let minus = |bits| format.negated(bits);
    let signed = |&[a, b]: &Tuple| [[a, b], [minus(a), b], [a, minus(b)], [minus(a), minus(b)]];
    pairs.iter().flat_map(signed).collect()
}

/// Products of factors of half the precision, over one of the factors.
fn exact(format: &FloatFormat, random: &mut Random) -> Vec<Tuple> {
    let half = format.precision() / 2;
    let factors = (0..DRAWN / 4).map(|_| [(); 2].map(|()| significand(random, half)));
    let pairs = factors.filter_map(|[quotient, divisor]| {
        Some([scaled(format, quotient * divisor, 0)?, scaled(format, divisor, 0)?])
    });
    with_signs(format, &pairs.collect::<Vec<_>>())
}

fn overflow(format: &FloatFormat, random: &mut Random) -> Vec<Tuple> {
    let (one, largest, two_up) = (one(format), largest(format), 1 << format.significand_bits);
    let (half, smallest_normal) = (one - two_up, two_up);
    let around = with_signs(
        format,
        &[
            [largest, one],
            [largest, one - 1],
            [largest, one + 1],
            [largest - 1, one - 1],
            [largest - 2, one - 1],
            [largest, half],
            [largest - (two_up - 1), half],
            [largest, smallest_normal],
            [largest, 1],
            [one, smallest_normal],
            [one, 1],
        ],
    );
    [around, anywhere(format, random, format.bias - 1..=format.bias + 2)].concat()
}

fn underflow(format: &FloatFormat, random: &mut Random) -> Vec<Tuple> {
    let (largest, binade) = (largest(format), 1 << format.significand_bits);
    let (two, four) = (one(format) + binade, one(format) + 2 * binade);
    let around = with_signs(
        format,
        &[
            [1, two],
            [1, two - 1],
            [1, two + 1],
            [3, two],
            [2, four],
            [3, four],
            [1, largest],
            [binade, largest],
            [binade - 1, largest],
        ],
    );
    let smallest = smallest_exponent(format);
    [around, anywhere(format, random, smallest - 3..=smallest)].concat()
}

/// Significands of the lowest binade over powers of two, of which every number of bits is dropped
/// but for a half, and odd multiples of a half by small factors.
fn subnormal_ties(format: &FloatFormat, random: &mut Random) -> Vec<Tuple> {
    let (bits, smallest) = (format.precision(), smallest_exponent(format));
    let mut pairs = Vec::new();
    for dropped in 1..bits {
        for even in [false, true] {
            let kept = significand(random, bits) >> dropped;
            // The last bit that is kept decides, but for the first bit, which is set.
            let kept = if even && kept != 1 { kept & !1 } else { kept | 1 };
            let dividend = kept << dropped | 1 << (dropped - 1);
            pairs.push([scaled(format, dividend, smallest), scaled(format, 1, dropped as i32)]);
        }
    }
    for factor in [3, 5, 7, 9, 11] {
        let odd = random.between(1, 20) as u64 * 2 + 1;
        let exponent = format.bias - 8;
        pairs.push([
            scaled(format, odd * factor, exponent + smallest),
            scaled(format, 2 * factor, exponent),
        ]);
    }
    let pairs: Vec<Tuple> = pairs.into_iter().filter_map(|[a, b]| Some([a?, b?])).collect();
    let signs = |[a, b]: Tuple| [[a, b], [format.negated(a), b]];
    pairs.into_iter().flat_map(signs).collect()
}

fn subnormal_hardest(format: &FloatFormat, random: &mut Random) -> Vec<Tuple> {
    let mut pairs = Vec::new();
    for kept in 1..format.precision() {
        for quotient in hardest_quotients(format.precision(), kept, 6, random) {
            // Of `kept` bits, the last is the smallest subnormal number. The first is that of 1 where
            // the dividend is not below the divisor, else that of 1/2.
            let first = i32::from(quotient[0] < quotient[1]);
            let exponent = smallest_exponent(format) + kept as i32 - 1 + first;
            pairs.extend(pair(format, random, quotient, exponent));
        }
    }
    pairs
}
