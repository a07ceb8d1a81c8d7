//! Hard powers: of floats those next to midpoints and numbers, exact ones, those of bases next to 1, and those at
//! thresholds; of integers those around the ends of the type.

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use values::dtype::{DType, Kind};
use values::float::FloatFormat;

use super::boundaries::Powers;
use crate::exact::number::Int;
use crate::families::function::one;
use crate::hard::{Radicand, radicands, rest_of_odd_square, square_roots};
use crate::inputs::Parts;
use crate::inputs::patterns::{at_boundaries, corners, exponents, listed_pairs, pairs, specials};
use crate::inputs::{Indexed, Sieve, Signed, Space, Tuple};

/// Rests of squares and of roots.
const RESTS: u64 = 1 << 11;

/// Bases of each exact power, from either end.
const BASES: u64 = 1 << 7;

/// Steps of a base from 1, with either sign.
const STEPS: [u64; 4] = [1, 2, 3, 7];

/// Those of a type.
pub(super) fn parts(dtype: DType) -> Option<Parts> {
    match dtype.kind() {
        Kind::Float(format) => Some(vec![
            ("special values", pairs(specials(format))),
            ("exponents", every_exponent(*format)),
            ("squares near midpoints", squares(*format)),
            ("roots near midpoints", roots(*format)),
            ("ties and numbers", exact(*format)),
            ("next to 1", next_to_one(*format)),
            ("thresholds", at_boundaries(&Powers, dtype)),
        ]),
        Kind::Int { signed, bits } => {
            let int = Int { signed, bits };
            Some(vec![
                ("next to ends", next_to_ends(int)),
                ("thresholds", at_boundaries(&Powers, dtype)),
            ])
        }
        Kind::Bool | Kind::Complex(_) | Kind::String => None,
    }
}

/// The element `significand * 2^exponent`, which every format has.
fn small(format: &FloatFormat, significand: u64, exponent: i32) -> u64 {
    format.encode(significand, exponent).unwrap_or_else(|| one(format))
}

/// Bases of every exponent with the significand fields 0, 1 and all ones, and both signs, to the power of few numbers: of
/// them, and of what is next to a third.
fn every_exponent(format: FloatFormat) -> Box<dyn Space> {
    let third = 1_u64 << format.precision();
    let few = [
        (1, -2),
        (1, -1),
        (1, 0),
        (3, -1),
        (1, 1),
        (3, 0),
        (5, 1),
        (third / 3, -(third.ilog2() as i32)),
    ];
    let few = few.map(|(significand, exponent)| small(&format, significand, exponent));
    let field = format.significand_bits;
    let fields = [0, 1, (1 << field) - 1];
    let len = exponents(&format) * 3 * few.len() as u64;
    let pair = move |index: u64| {
        let (exponent, index) =
            (few[(index % few.len() as u64) as usize], index / few.len() as u64);
        [(index / 3) << field | fields[(index % 3) as usize], exponent]
    };
    Box::new(Signed::new(format, Indexed::new(len, pair)))
}

/// Bases whose squares are within few units of their own last place of a midpoint between two numbers: the roots modulo
/// the power of two that is cut off, of both signs. Squares are in the middle of the exponents and at either end.
fn squares(format: FloatFormat) -> Box<dyn Space> {
    let (precision, two) = (format.precision(), small(&format, 1, 1));
    let places = [0, format.bias / 2 - 1, -format.bias / 2 + 1];
    let solve = move |index: u64| {
        let (longer, index) = ((index % 2) as u32, index / 2);
        let cut = precision - 1 + longer;
        let found = square_roots((1 << (cut - 1)) + rest_of_odd_square(index), cut);
        let base = move |root: u128| {
            // Of a root modulo 2^(p - 1) the highest bit is free.
            let base = root as u64 | u64::from(longer == 0) << (precision - 1);
            let length = u128::BITS - (u128::from(base) * u128::from(base)).leading_zeros();
            (base >> (precision - 1) == 1 && length == precision + cut).then_some(base)
        };
        let unit = format.significand_bits as i32;
        let placed = move |base: u64| {
            places.into_iter().filter_map(move |place| format.encode(base, place - unit))
        };
        let signed = move |base| [[base, two], [format.negated(base), two]];
        found.into_iter().filter_map(base).flat_map(placed).flat_map(signed)
    };
    Box::new(Sieve::new(2 * RESTS.min(1 << precision.saturating_sub(4)), solve))
}

/// Bases whose roots are as near to a midpoint as any: to the power of 1/2.
fn roots(format: FloatFormat) -> Box<dyn Space> {
    let (precision, half) = (format.precision(), small(&format, 1, -1));
    let rests = RESTS.min(1 << precision.saturating_sub(7));
    let solve = move |index: u64| {
        let unit = format.significand_bits as i32;
        let base = move |Radicand { significand, odd }: Radicand| {
            Some([format.encode(significand, i32::from(odd) - unit)?, half])
        };
        radicands(precision, precision + 1, rest_of_odd_square(index)).into_iter().filter_map(base)
    };
    Box::new(Sieve::new(rests, solve))
}

/// Integers whose powers have as many bits as the precision, which are numbers of the format, or one more, which are
/// halfway between two, and the numbers next to them; and such powers of two of these as bases, of which the integers are roots.
fn exact(format: FloatFormat) -> Box<dyn Space> {
    let precision = format.precision();
    let mut all: Vec<Tuple> = Vec::new();
    let mut around = |base: Option<u64>, exponent: u64| {
        let next = base.into_iter().flat_map(|base| [base - 1, base, base + 1]);
        all.extend(next.map(|base| [base, exponent]));
    };
    for power in 2..=precision + 1 {
        // From the longest integer whose power is too short to the longest whose power has one bit more than the precision.
        let [least, most] =
            [precision - 1, precision + 1].map(|bits| largest_root((1 << bits) - 1, power) as u64);
        let odd = |base: &u64| base % 2 == 1 && *base > 1;
        let ends =
            (least..=least.saturating_add(2 * BASES)).chain(most.saturating_sub(2 * BASES)..=most);
        for base in ends.filter(|base| *base <= most).filter(odd) {
            around(format.encode(base, 0), small(&format, power.into(), 0));
            if power.is_power_of_two() {
                let whole = base.checked_pow(power).and_then(|it| format.encode(it, 0));
                around(whole, small(&format, 1, -(power.ilog2() as i32)));
            }
        }
    }
    Box::new(Signed::new(format, listed_pairs(all)))
}

/// Bases a few units of the last place from 1, whose logarithms lose nearly all bits, to the power of numbers of every exponent
/// with the significand fields 0, 1 and all ones.
fn next_to_one(format: FloatFormat) -> Box<dyn Space> {
    let (one, field) = (one(&format), format.significand_bits);
    let fields = [0, 1, (1 << field) - 1];
    let bases = 2 * STEPS.len() as u64;
    let pair = move |index: u64| {
        let (step, index) = (index % bases, index / bases);
        let by = STEPS[(step / 2) as usize];
        let base = if step.is_multiple_of(2) { one + by } else { one - by };
        [base, (index / 3) << field | fields[(index % 3) as usize]]
    };
    Box::new(Signed::new(format, Indexed::new(bases * 3 * exponents(&format), pair)))
}

/// The integers around each root of each end of the type, to the power of which it is one; and the corners of the type to
/// the power of few numbers.
fn next_to_ends(int: Int) -> Box<dyn Space> {
    let mut all: Vec<[i128; 2]> = Vec::new();
    for power in 1..int.bits {
        let most = 1_u128 << (int.bits - u32::from(int.signed));
        let root = largest_root(most, power);
        let around = [root - 1, root, root + 1, root + 2];
        all.extend(
            around.into_iter().flat_map(|base| [[base, power.into()], [-base, power.into()]]),
        );
    }
    let few = corners(int).into_iter().flat_map(|base| (-1..=3).map(move |power| [base, power]));
    all.extend(few);
    let element = |[base, power]: [i128; 2]| Some([int.element(base)?, int.element(power)?]);
    Box::new(listed_pairs(all.into_iter().filter_map(element).collect()))
}

/// The largest integer whose power is at most a number of up to 64 bits.
fn largest_root(number: u128, power: u32) -> i128 {
    BigUint::from(number).nth_root(power).to_i128().unwrap_or_default()
}
