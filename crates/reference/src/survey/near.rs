//! Values of functions of float32 that float64 has near the real ones.

use crate::exact::Ulps;

/// The highest power of a polynomial.
pub(super) const DEGREE: usize = 5;

/// The smallest normal number, and the smallest of all.
pub(super) const NORMAL: f64 = f32::MIN_POSITIVE as f64;
pub(super) const SMALLEST: f64 = NORMAL * f32::EPSILON as f64;

/// One unit in the last place of float32 at a number.
pub(super) fn unit(number: f64) -> f64 {
    let binade = number.abs().max(NORMAL).to_bits() & f64::INFINITY.to_bits();
    f64::from_bits(binade) * f64::from(f32::EPSILON)
}

/// What gives values of a function that are near the real ones.
///
/// `at` and what it calls must be `#[inline(always)]`, and no closures: only what is inlined into a copy of a loop is compiled for its
/// instruction set.
pub(super) trait Approximation {
    /// The value at an operand, and how far it is from the real one at most.
    fn at(&self, operand: [u8; 4]) -> [f64; 2];
}

/// The error of a result where the real value is beside the operand, farther from zero or nearer; `None` where float64 does not have it.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a number from 0 on, which is an integer"
)]
pub(super) fn error_beside(farther: bool, operand: [u8; 4], result: [u8; 4]) -> Option<Ulps> {
    let [at, result] = [operand, result].map(|bits| f64::from(f32::from_le_bytes(bits)));
    // Differences of numbers so near to each other are exact, and those to 0.
    if result != 0.0 && !(0.25..4.0).contains(&(result / at)) {
        return None;
    }
    // Nearer to zero than a power of two units are half as large.
    let is_power = at.to_bits() & ((1 << 52) - 1) == 0 && at.abs() > NORMAL;
    let unit = if is_power && !farther { unit(at) / 2.0 } else { unit(at) };
    let outwards = (result - at) * at.signum();
    let steps = outwards.abs() / unit * (1_u64 << Ulps::FRACTION_BITS) as f64;
    // The real value is next to nothing from the operand: towards the result, or away from it.
    let is_less = outwards != 0.0 && (outwards > 0.0) == farther;
    Some(Ulps::new(steps as u128 + u128::from(!is_less), false))
}

/// A function near an operand: of the distance to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Polynomial {
    /// The operand.
    pub(super) middle: f64,
    /// Those of the powers of the distance, from that of the 0th on.
    pub(super) coefficients: [f64; DEGREE + 1],
    /// How far any value, as computed in float64, is from the real one at most.
    pub(super) bound: f64,
}

impl Approximation for Polynomial {
    #[inline(always)]
    fn at(&self, operand: [u8; 4]) -> [f64; 2] {
        let distance = f64::from(f32::from_le_bytes(operand)) - self.middle;
        [horner(&self.coefficients, distance), self.bound]
    }
}

/// A polynomial, by its coefficients from that of the 0th power on.
#[inline(always)]
pub(super) fn horner<const N: usize>(coefficients: &[f64; N], at: f64) -> f64 {
    let (mut sum, mut left) = (0.0, N);
    while left > 0 {
        left -= 1;
        sum = sum * at + coefficients[left];
    }
    sum
}
