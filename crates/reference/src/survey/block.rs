//! Many results of one piece at a time.
//!
//! The loops are plain Rust which the compiler vectorises, compiled once for each instruction set. Whatever copy runs, a polynomial's
//! value is within its bound.

use multiversion::multiversion;

use super::near::{Approximation, NORMAL, SMALLEST};

/// Results of at least this magnitude may be infinite.
const LARGEST: f64 = f32::MAX as f64;

/// What is known of a result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Judged {
    /// Nothing but by exact arithmetic.
    Undecided,
    /// It is a NaN or an infinity, where a number is right.
    NoNumber,
    /// Whether it is right, by its error in units in the last place, which is within the margin.
    Decided { error: f64, margin: f64 },
}

/// What was seen of a block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    /// Results that are not the nearest ones.
    pub(super) wrong: u32,
    /// Zeros among them that stand for a subnormal number.
    pub(super) flushed: u32,
    /// Results that are not decided.
    pub(super) undecided: u32,
    /// Between which the largest error of those that are lies, in units in the last place.
    pub(super) least: f64,
    pub(super) most: f64,
}

/// A result, as floats.
struct Looked {
    error: f64,
    margin: f64,
    is_right: bool,
    is_wrong: bool,
    is_flushed: bool,
}

/// What is known of one result.
pub(super) fn judge<A: Approximation>(function: &A, operand: [u8; 4], result: [u8; 4]) -> Judged {
    let Looked { error, margin, is_right, is_wrong, .. } = look(function, operand, result);
    if is_right || is_wrong {
        return Judged::Decided { error, margin };
    }
    let [real, bound] = function.at(operand);
    let is_number = real.abs() + bound < LARGEST && real.abs() - bound > SMALLEST;
    if is_number && !f32::from_le_bytes(result).is_finite() {
        return Judged::NoNumber;
    }
    Judged::Undecided
}

#[inline(always)]
fn look<A: Approximation>(function: &A, operand: [u8; 4], result: [u8; 4]) -> Looked {
    let [real, bound] = function.at(operand);
    let actual = f64::from(f32::from_le_bytes(result));
    let magnitude = real.abs();
    // The real value lies between these two; where they are of different binades, its unit in the last place is not known.
    let [low, high] = [binade_of(magnitude - bound), binade_of(magnitude + bound)];
    // One over the unit, by exponents: that of the reciprocal is the opposite, and of the unit 23 less.
    let units = f64::from_bits(((2 * 1023 + 23) << 52_u64) - low);
    let (error, margin) = ((actual - real).abs() * units, bound * units);
    let same_sign = (actual.to_bits() ^ real.to_bits()) >> 63 == 0;
    let is_known = (low == high) & (magnitude + bound < LARGEST);
    // A zero may be right whichever its sign is, below half of the smallest number.
    let is_right = (error + margin < 0.5) & same_sign & is_known & (magnitude > bound);
    let is_apart = (error - margin > 0.5) & is_known & (magnitude - bound > SMALLEST);
    let is_zero = actual == 0.0;
    // Whether the right result is subnormal may not be known next to the smallest normal one.
    let is_at_normal =
        is_zero & (magnitude > NORMAL - 2.0 * SMALLEST) & (magnitude < NORMAL + SMALLEST);
    let is_wrong = is_apart & (error < f64::from(f32::MAX)) & !is_at_normal;
    let is_flushed = is_wrong & is_zero & (magnitude < NORMAL);
    Looked { error, margin, is_right, is_wrong, is_flushed }
}

/// The bits of the power of two at or below a number, of which the least is that of normal numbers of float32.
#[inline(always)]
fn binade_of(number: f64) -> u64 {
    let number = if number > NORMAL { number } else { NORMAL };
    number.to_bits() & f64::INFINITY.to_bits()
}

/// What is seen of the results of a block, by the copy for the widest instruction set that this processor has.
#[multiversion(
    targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma",),
    dispatcher = "direct"
)]
pub(super) fn see<A: Approximation>(
    function: &A,
    operands: &[[u8; 4]],
    results: &[[u8; 4]],
) -> Seen {
    let len = operands.len().min(results.len());
    let (operands, results) = (&operands[..len], &results[..len]);
    let [mut wrong, mut flushed, mut undecided] = [0_u64; 3];
    // The bits of numbers from 0 on are in their order, below them are those of negative ones, and the largest integer is found by
    // vectors.
    let [mut least, mut most] = [0_i64; 2];
    for at in 0..len {
        let looked = look(function, operands[at], results[at]);
        let is_decided = looked.is_right | looked.is_wrong;
        wrong += u64::from(looked.is_wrong);
        flushed += u64::from(looked.is_flushed);
        undecided += u64::from(!is_decided);
        let decided = i64::from(is_decided).wrapping_neg();
        least = least.max((looked.error - looked.margin).to_bits().cast_signed() & decided);
        most = most.max((looked.error + looked.margin).to_bits().cast_signed() & decided);
    }
    let count = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
    Seen {
        wrong: count(wrong),
        flushed: count(flushed),
        undecided: count(undecided),
        least: f64::from_bits(least.cast_unsigned()),
        most: f64::from_bits(most.cast_unsigned()),
    }
}

/// Whether operands follow each other by their bits.
#[multiversion(
    targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma",),
    dispatcher = "direct"
)]
pub(super) fn are_consecutive(operands: &[[u8; 4]]) -> bool {
    let Some(first) = operands.first() else { return true };
    let mut expected = u32::from_le_bytes(*first);
    let mut differences = 0;
    for operand in operands {
        differences |= u32::from_le_bytes(*operand) ^ expected;
        expected = expected.wrapping_add(1);
    }
    differences == 0
}

/// Whether any two results in the same place differ in other bits than these, and are neither NaNs nor zeros.
#[multiversion(
    targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma",),
    dispatcher = "direct"
)]
pub(super) fn differ_otherwise(results: &[[u8; 4]], others: &[[u8; 4]], bits: u32) -> bool {
    let len = results.len().min(others.len());
    let mut count = 0_u32;
    for at in 0..len {
        let [a, b] = [u32::from_le_bytes(results[at]), u32::from_le_bytes(others[at])];
        let [x, y] = [f32::from_bits(a), f32::from_bits(b)];
        let are_nans = x.is_nan() & y.is_nan();
        let are_zeros = (x == 0.0) & (y == 0.0);
        count += u32::from((a ^ b != bits) & !are_nans & !are_zeros);
    }
    count > 0
}

/// How many results are in the wrong order: less than the one before, or greater where they are to fall.
#[multiversion(
    targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma",),
    dispatcher = "direct"
)]
pub(super) fn out_of_order(results: &[[u8; 4]], falls: bool) -> u64 {
    let len = results.len().saturating_sub(1);
    let (before, after) = (&results[..len], &results[results.len() - len..]);
    let (mut fewer, mut more) = (0_u32, 0_u32);
    for at in 0..len {
        // No NaN is greater or less than anything, and zeros are equal.
        let (a, b) = (f32::from_le_bytes(before[at]), f32::from_le_bytes(after[at]));
        fewer += u32::from(b < a);
        more += u32::from(b > a);
    }
    u64::from(if falls { more } else { fewer })
}

/// Whether any result is that of the one before, or both are NaNs.
#[multiversion(
    targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma",),
    dispatcher = "direct"
)]
pub(super) fn has_equal_neighbours(results: &[[u8; 4]]) -> bool {
    let len = results.len().saturating_sub(1);
    let (before, after) = (&results[..len], &results[results.len() - len..]);
    let mut count = 0_u32;
    for at in 0..len {
        let [a, b] = [before[at], after[at]].map(u32::from_le_bytes);
        let are_nans = f32::from_bits(a).is_nan() & f32::from_bits(b).is_nan();
        count += u32::from((a == b) | are_nans);
    }
    count > 0
}

/// The places of results that have other bits.
pub(super) fn others(results: &[[u8; 4]], bits: u32) -> Vec<usize> {
    if !has_others(results, bits) {
        return Vec::new();
    }
    (0..results.len()).filter(|at| u32::from_le_bytes(results[*at]) != bits).collect()
}

/// Whether any result has other bits.
#[multiversion(
    targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma",),
    dispatcher = "direct"
)]
pub(super) fn has_others(results: &[[u8; 4]], bits: u32) -> bool {
    let mut differences = 0;
    for result in results {
        differences |= u32::from_le_bytes(*result) ^ bits;
    }
    differences != 0
}

/// The places of results that are not NaNs.
pub(super) fn numbers(results: &[[u8; 4]]) -> Vec<usize> {
    if !has_numbers(results) {
        return Vec::new();
    }
    (0..results.len()).filter(|at| !f32::from_le_bytes(results[*at]).is_nan()).collect()
}

/// Whether any result is not a NaN.
#[multiversion(
    targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma",),
    dispatcher = "direct"
)]
pub(super) fn has_numbers(results: &[[u8; 4]]) -> bool {
    let mut count = 0_u32;
    for result in results {
        count += u32::from(!f32::from_le_bytes(*result).is_nan());
    }
    count > 0
}
