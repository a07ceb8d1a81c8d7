//! Where elements come from: all of a type where they are few enough; special values and boundaries, all pairs of
//! them, and seeded random elements that lie near each other, near the ends of the range, or anywhere.

use onnx_conformance::dtype::{DType, Kind};
use onnx_conformance::float::FloatFormat;
use onnx_conformance::random::Random;

/// Of how many bits all operands together may be for every combination of them to be taken.
fn combined_bits(types: &[DType]) -> u32 {
    types.iter().map(|dtype| width(*dtype)).sum()
}

/// Bits of an element that tell it from others, or of the number of a string.
pub(crate) fn width(dtype: DType) -> u32 {
    if dtype == DType::Bool { 1 } else { dtype.bits().unwrap_or(64) }
}

/// Strings that are short, long, alike, and of characters of one byte and more.
const TEXTS: [&str; 16] = [
    "",
    " ",
    "a",
    "A",
    "aa",
    "ab",
    "b",
    "0",
    "-1.5",
    "nan",
    "a b\tc\n",
    "\u{e4}",
    "a\u{308}",
    "\u{65e5}\u{672c}",
    "\u{1f600}",
    "a long string, which no array of short ones holds: abcdefghijklmnopqrstuvwxyz0123456789",
];

/// The string of a number: one of those above, or any letters.
pub(crate) fn text(number: u128) -> String {
    if let Some(text) = usize::try_from(number).ok().and_then(|number| TEXTS.get(number)) {
        return (*text).to_owned();
    }
    let mut random = Random::new(number as u64);
    let letters = ['a', 'b', 'z', 'A', '0', ' ', '\u{e9}', '\u{3b1}'];
    (0..random.below(9)).map(|_| letters[random.below(8) as usize]).collect()
}

/// Columns of operands of these types: every combination where there are at most as many as `wanted`, else all pairs
/// of directed ones, and random ones up to that number, 500 at least.
pub(crate) fn columns(types: &[DType], wanted: usize, seed: u64) -> Vec<Vec<u128>> {
    let bits = combined_bits(types);
    if bits < usize::BITS - 1 && 1 << bits <= wanted {
        return every(types);
    }
    let mut columns = vec![Vec::new(); types.len()];
    let all: Vec<_> = types.iter().map(|dtype| directed(*dtype)).collect();
    let second = all.get(1).map_or(1, Vec::len);
    for at in 0..all[0].len() * second {
        for (operand, (column, directed)) in columns.iter_mut().zip(&all).enumerate() {
            let index = match operand {
                0 => at / second,
                1 => at % second,
                // Whatever the others are, each comes by turns.
                _ => at.wrapping_mul(7) / 3,
            };
            column.push(directed[index % directed.len()]);
        }
    }
    let mut random = Random::new(seed);
    let count = wanted.max(columns[0].len() + 500);
    while columns[0].len() < count {
        for (column, bits) in columns.iter_mut().zip(together(types, &mut random)) {
            column.push(bits);
        }
    }
    columns
}

/// Every combination, the last operand changing fastest.
fn every(types: &[DType]) -> Vec<Vec<u128>> {
    let mut below = combined_bits(types);
    let count = 1_u128 << below;
    let column = |dtype: &DType| {
        below -= width(*dtype);
        (0..count).map(|at| at >> below & ((1 << width(*dtype)) - 1)).collect()
    };
    types.iter().map(column).collect()
}

/// Special values and boundaries of a type.
pub(crate) fn directed(dtype: DType) -> Vec<u128> {
    match dtype.kind() {
        Kind::Float(format) if format.width() > 8 => of_float(format),
        Kind::Int { signed, bits } if bits > 4 => of_integer(signed, bits),
        Kind::Complex(format) => {
            let parts = [0, 1 << (format.width() - 1), of_float(format)[20], infinity(format)];
            let quiet = infinity(format) | 1 << (format.significand_bits - 1);
            let parts = parts.into_iter().chain([quiet | 5, (1 << format.width()) - 1]);
            let both =
                |real: u128| parts.clone().map(move |imaginary| real | imaginary << format.width());
            parts.clone().flat_map(both).collect()
        }
        Kind::String => (0..TEXTS.len() as u128).collect(),
        _ => (0..1 << width(dtype)).collect(),
    }
}

fn infinity(format: &FloatFormat) -> u128 {
    ((1 << format.exponent_bits) - 1) << format.significand_bits
}

fn of_float(format: &FloatFormat) -> Vec<u128> {
    let (field, bias) = (format.significand_bits, format.bias as u128);
    let (one, infinity, unit) = (bias << field, infinity(format), 1_u128 << field);
    let mut magnitudes = vec![0, 1, 2, 3, unit / 2, unit - 1, unit, unit + 1];
    magnitudes.extend([one - 1, one, one + 1, one + unit / 2, one + unit, one + unit + unit / 4]);
    // 0.5 and 1.5 and their neighbours; the least numbers without a fraction, and below them.
    magnitudes.extend([one - unit - 1, one - unit, one - unit + 1, one + unit / 2 + 1]);
    magnitudes.extend([one + unit * u128::from(field) - 1, one + unit * u128::from(field)]);
    magnitudes.extend([infinity - unit, infinity - 2, infinity - 1, infinity, infinity + 1]);
    magnitudes.extend([infinity + unit / 2, infinity + unit / 2 + 5, infinity + unit - 1]);
    let sign = 1 << (format.width() - 1);
    magnitudes.iter().flat_map(|magnitude| [*magnitude, magnitude | sign]).collect()
}

fn of_integer(signed: bool, bits: u32) -> Vec<u128> {
    let all = (1_u128 << bits) - 1;
    let mut values = vec![0, 1, 2, 3, 5, 7, 10, 100, all, all - 1, all - 2, all - 6];
    let half = 1 << (bits - 1);
    values.extend([half - 2, half - 1, half, half + 1]);
    for power in (bits / 4..bits - 1).step_by(bits as usize / 4) {
        let power = 1 << power;
        values.extend([power - 1, power, power + 1]);
        values.extend(signed.then_some(all + 1 - power));
    }
    values
}

/// Random operands, which in half of the cases have to do with each other.
fn together(types: &[DType], random: &mut Random) -> Vec<u128> {
    let mut operands: Vec<u128> = types.iter().map(|dtype| any(*dtype, random)).collect();
    let [.., before, last] = types else { return operands };
    let at = types.len() - 2;
    if before == last && random.bits().is_multiple_of(2) {
        operands[at + 1] = match before.kind() {
            Kind::Float(format) if format.width() > 8 => related(format, operands[at], random),
            Kind::Int { bits, .. } => {
                let near = operands[at].wrapping_add(u128::from(random.bits() % 5)).wrapping_sub(2);
                near & ((1 << bits) - 1)
            }
            _ => operands[at],
        };
    }
    operands
}

/// An element of any size.
pub(crate) fn any(dtype: DType, random: &mut Random) -> u128 {
    let bits = u128::from(random.bits()) | u128::from(random.bits()) << 64;
    let width = width(dtype);
    let bits = bits & (u128::MAX >> (128 - width));
    match dtype.kind() {
        // Around 1, where results are neither 0 nor infinite.
        Kind::Float(format) if format.width() > 8 && random.bits().is_multiple_of(2) => {
            let field = format.significand_bits;
            let spread = 2 * u64::from(field) + 4;
            let exponent = random.bits() % spread + format.bias as u64 - spread / 2;
            let others = bits & !(infinity(format));
            others | u128::from(exponent) << field
        }
        // Of any length.
        Kind::Int { signed, bits: width } if random.bits().is_multiple_of(2) => {
            let short = bits >> (random.bits() % u64::from(width));
            let negative = signed && random.bits().is_multiple_of(2);
            (if negative { short.wrapping_neg() } else { short }) & ((1 << width) - 1)
        }
        _ => bits,
    }
}

/// One of an exponent near that of another, or whose product or quotient with it lies near an end of the range.
fn related(format: &FloatFormat, other: u128, random: &mut Random) -> u128 {
    let (field, exponents) = (format.significand_bits, 1_i64 << format.exponent_bits);
    let of_other = (other >> field) as i64 & (exponents - 1);
    let (bias, spread) = (i64::from(format.bias), i64::from(field) + 3);
    let near = (random.bits() % (2 * spread as u64)) as i64 - spread;
    let exponent = match random.bits() % 4 {
        0 => of_other + near,
        1 => bias - of_other + near / 2,
        2 => exponents + bias - 2 - of_other + near / 8,
        _ => of_other,
    };
    let fraction = match random.bits() % 3 {
        0 => other ^ u128::from(random.bits() % 8),
        _ => u128::from(random.bits()),
    } & ((1 << field) - 1);
    let sign = u128::from(random.bits() % 2) << (format.width() - 1);
    sign | (exponent.clamp(0, exponents - 1) as u128) << field | fraction
}
