//! Sines, cosines and tangents of large angles: their parts of a turn in integers, and polynomials of these in float64.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::near::{Approximation, horner};
use crate::elementwise::Periodic;
use crate::exact::interval::Interval;

/// Which float32 angles these are for: those of at least this exponent.
pub(super) const FIRST_EXPONENT: i64 = 2;

/// Bits of a part of a turn.
const TURN_BITS: i64 = 96;

/// How far sine and cosine are from the real ones at most: `docs/numerics.md`.
const BOUND: f64 = 1.0 / (1_u64 << 48) as f64;

/// The coefficients of the sine over x, and of the cosine, in powers of x^2.
const SINE: [f64; 8] = [
    1.0,
    -1.0 / 6.0,
    1.0 / 120.0,
    -1.0 / 5040.0,
    1.0 / 362_880.0,
    -1.0 / 39_916_800.0,
    1.0 / 6_227_020_800.0,
    -1.0 / 1_307_674_368_000.0,
];
const COSINE: [f64; 9] = [
    1.0,
    -1.0 / 2.0,
    1.0 / 24.0,
    -1.0 / 720.0,
    1.0 / 40_320.0,
    -1.0 / 3_628_800.0,
    1.0 / 479_001_600.0,
    -1.0 / 87_178_291_200.0,
    1.0 / 20_922_789_888_000.0,
];

/// A periodic function of the angles of one binade.
#[derive(Clone, Copy, Debug)]
pub(super) struct Angles {
    pub(super) function: Periodic,
    /// The part of a turn that one unit of the significand is: its leading 64 bits, and 32 more.
    unit: [u64; 2],
}

impl Angles {
    /// The function of angles with this exponent.
    pub(super) fn new(function: Periodic, exponent: i64) -> Option<Self> {
        // Turns are 2 pi; those before the point, up to 2^102, do not count.
        let precision = 384;
        let turns = Interval::power_of_two(exponent - 23 - 1 + TURN_BITS, precision)
            .divided_by(&Interval::pi(precision))?;
        let [below, _] = turns.integers();
        let part: BigInt = below % (BigInt::from(1) << TURN_BITS);
        let high = (&part >> 32_u32).to_u64()?;
        let low = (part % (BigInt::from(1) << 32_u32)).to_u64()?;
        Some(Self { function, unit: [high, low] })
    }
}

/// The sines, cosines or tangents of angles: a type of each, so that no loop asks for every element which of them it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sines(pub(super) Angles);
#[derive(Clone, Copy, Debug)]
pub(super) struct Cosines(pub(super) Angles);
#[derive(Clone, Copy, Debug)]
pub(super) struct Tangents(pub(super) Angles);

impl Approximation for Sines {
    #[inline(always)]
    fn at(&self, operand: [u8; 4]) -> [f64; 2] {
        let [sine, _] = self.0.sine_and_cosine(operand);
        [sine, BOUND]
    }
}

impl Approximation for Cosines {
    #[inline(always)]
    fn at(&self, operand: [u8; 4]) -> [f64; 2] {
        let [_, cosine] = self.0.sine_and_cosine(operand);
        [cosine, BOUND]
    }
}

impl Approximation for Tangents {
    #[inline(always)]
    fn at(&self, operand: [u8; 4]) -> [f64; 2] {
        let [sine, cosine] = self.0.sine_and_cosine(operand);
        let tangent = sine / cosine;
        // Both are off by the bound, and the quotient is rounded.
        let of_both = BOUND * 1.01 * (1.0 + tangent.abs()) / cosine.abs();
        [tangent, of_both + f64::EPSILON * tangent.abs()]
    }
}

impl Angles {
    #[inline(always)]
    fn sine_and_cosine(&self, operand: [u8; 4]) -> [f64; 2] {
        let bits = u32::from_le_bytes(operand);
        let significand = u64::from(bits & 0x7f_ffff | 0x80_0000);
        // The part of a turn, in steps of 2^-64 of it, cut off.
        let turn =
            significand.wrapping_mul(self.unit[0]).wrapping_add((significand * self.unit[1]) >> 32);
        // The nearest quarter, and what is left.
        let quarter = turn.wrapping_add(1 << 61) >> 62;
        let rest = turn.wrapping_sub(quarter << 62).cast_signed();
        #[expect(clippy::cast_precision_loss, reason = "the bound has room for it")]
        let angle = rest as f64 * (std::f64::consts::TAU / 18_446_744_073_709_551_616.0);
        let square = angle * angle;
        let sine = angle * horner(&SINE, square);
        let cosine = horner(&COSINE, square);
        // Of the whole angle they are, by quarters, (s, c), (c, -s), (-s, -c) and (-c, s): chosen and given signs by their bits, as
        // loops with branches do not vectorise.
        let other = (sine.to_bits() ^ cosine.to_bits()) & (quarter & 1).wrapping_neg();
        let of_sine = (quarter & 2) << 62 ^ u64::from(bits >> 31) << 63;
        let of_cosine = ((quarter + 1) & 2) << 62;
        [
            f64::from_bits(sine.to_bits() ^ other ^ of_sine),
            f64::from_bits(cosine.to_bits() ^ other ^ of_cosine),
        ]
    }
}
