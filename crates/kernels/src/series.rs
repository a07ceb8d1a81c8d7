//! Functions of numbers of float64 by series, without branches, so that loops over them vectorise: for the results of float32
//! and narrower types.
//!
//! Operands are numbers of float32, or what few operations made of such. Series are cut where what is left is less
//! than 2^-53 of the result; what rounding adds is a few units in the last place of float64. So results are less than 2^-48 off,
//! relatively, and float32 gets less than 0.5 + 2^-23 ULP.

/// The logarithm of 2 in two parts, the first with so few digits that its products with exponents are exact (as in
/// FreeBSD's `e_exp.c`).
const LN_2: [f64; 2] = [6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10];

/// Next to this the unit in the last place is 1: a sum with it holds an integer in its low bits.
const UNIT: f64 = 1.5 * (1_u64 << 52) as f64;

/// e^x, beyond float32's range where the exact one is.
#[inline(always)]
pub(super) fn exp(x: f64) -> f64 {
    let Power { less, scale } = Power::of(x);
    (less + 1.0) * scale
}

/// e^x - 1, which has the sign of x where it is zero.
#[inline(always)]
pub(super) fn exp_minus_1(x: f64) -> f64 {
    let Power { less, scale } = Power::of(x);
    less * scale - (1.0 - scale)
}

/// A power of e as (1 + less) scale.
struct Power {
    less: f64,
    scale: f64,
}

impl Power {
    /// With k the integer nearest to x / ln 2 and r = x - k ln 2, e^x is 2^k e^r. |r| is at most 0.347, for which
    /// Taylor's series up to r^13 leaves out less than 2^-57.
    #[inline(always)]
    fn of(x: f64) -> Self {
        /// 1 / n! from 13 to 1.
        const INVERSE_FACTORIALS: [f64; 13] = {
            let (mut terms, mut n, mut factorial) = ([1.0; 13], 1, 1_u64);
            while n <= terms.len() {
                factorial *= n as u64;
                terms[13 - n] = 1.0 / factorial as f64;
                n += 1;
            }
            terms
        };
        // Of what lies beyond 160 float32 has infinity and zero too.
        let x = x.clamp(-160.0, 160.0);
        let shifted = x * std::f64::consts::LOG2_E + UNIT;
        let k = shifted - UNIT;
        let r = (x - k * LN_2[0]) - k * LN_2[1];
        let scale = f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
        Self { less: horner(&INVERSE_FACTORIALS, r) * r, scale }
    }
}

/// The natural logarithm.
///
/// With x = 2^k m and m between sqrt(1/2) and sqrt(2) it is k ln 2 + 2 atanh s, s = (m - 1) / (m + 1). |s| is less than 0.172,
/// for which the series of atanh s / s up to s^20 leaves out less than 2^-57.
#[inline(always)]
pub(super) fn ln(x: f64) -> f64 {
    /// The bits of sqrt(1/2).
    const LEAST: u64 = 0x3fe6_a09e_667f_3bcd;
    /// 1 / (2n + 1) from 10 to 1.
    const INVERSES: [f64; 10] = inverses(1.0);
    // Twos complement, so that negative exponents have their sign.
    let exponent = (x.to_bits().wrapping_sub(LEAST) as i64 >> 52) as u64;
    let m = f64::from_bits(x.to_bits().wrapping_sub(exponent << 52));
    let k = f64::from_bits(UNIT.to_bits().wrapping_add(exponent)) - UNIT;
    let s = (m - 1.0) / (m + 1.0);
    let (square, twice) = (s * s, 2.0 * s);
    let number =
        k * LN_2[0] + (twice + (twice * (square * horner(&INVERSES, square)) + k * LN_2[1]));
    let number = if x < f64::INFINITY { number } else { x };
    let number = if x == 0.0 { f64::NEG_INFINITY } else { number };
    if x < 0.0 { f64::NAN } else { number }
}

/// ln(1 + x) for x > -1.
#[inline(always)]
pub(super) fn ln_1_plus(x: f64) -> f64 {
    let sum = 1.0 + x;
    // What was lost in the sum, of one that is not so large that it does not count.
    let lost = (x - (sum - 1.0)) / sum;
    ln(sum) + if x < 1e18 { lost } else { 0.0 }
}

/// The arctangent.
///
/// That of a number beyond 1 is a quarter of a turn less that of its inverse, and that of a number beyond tan(pi/8) an eighth and that of (x -
/// 1) / (x + 1). What is left is at most 0.4143, for which the series of atan x / x up to x^40 leaves out less than 2^-57.
#[inline(always)]
pub(super) fn atan(x: f64) -> f64 {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};
    const TAN_OF_EIGHTH: f64 = 0.414_213_562_373_095_03;
    /// The same as above, with alternating signs, from 20 on.
    const INVERSES: [f64; 20] = inverses(-1.0);
    let magnitude = x.abs();
    let is_inverse = magnitude > 1.0;
    let part = if is_inverse { 1.0 / magnitude } else { magnitude };
    let is_beyond = part > TAN_OF_EIGHTH;
    let rest = if is_beyond { (part - 1.0) / (part + 1.0) } else { part };
    let square = rest * rest;
    let angle = rest + rest * (square * horner(&INVERSES, square));
    let angle = if is_beyond { FRAC_PI_4 + angle } else { angle };
    let angle = if is_inverse { FRAC_PI_2 - angle } else { angle };
    angle.copysign(x)
}

/// The error function.
///
/// It is 2 / sqrt pi x e^-x^2 times the sum of (2 x^2)^n / (1 3 5 ... (2n + 1)), of which all terms are positive. From 4 on it is 1 in float32
/// and narrower types; up to there the sum up to n = 63 leaves out less than 2^-60.
#[inline(always)]
pub(super) fn erf(x: f64) -> f64 {
    /// 2^n / (1 3 5 ... (2n + 1)) from n = 63 to 0, in parts: loops over as many as all of them are not unrolled.
    const PARTS: [[f64; 16]; 4] = {
        let (mut parts, mut n, mut term) = ([[1.0; 16]; 4], 0, 1.0);
        while n < 64 {
            parts[3 - n / 16][15 - n % 16] = term;
            n += 1;
            term *= 2.0 / (2 * n + 1) as f64;
        }
        parts
    };
    let x = x.clamp(-4.0, 4.0);
    let square = x * x;
    let [first, second] = [horner(&PARTS[0], square), horner(&PARTS[1], square)];
    let [third, last] = [horner(&PARTS[2], square), horner(&PARTS[3], square)];
    let power = {
        let fourth = (square * square) * (square * square);
        (fourth * fourth) * (fourth * fourth)
    };
    let sum = ((first * power + second) * power + third) * power + last;
    std::f64::consts::FRAC_2_SQRT_PI * x * exp(-square) * sum
}

/// The complement of the error function of x / sqrt 2, for a number x of float32 of at least 1/2.
///
/// With z = x / sqrt 2 it is e^-z^2 z / 2 pi times the sum of e^(-n^2 / 4) / (n^2 / 4 + z^2) over all integers n, less
/// 2 / (e^(4 pi z) - 1) where z is below 2 pi: the trapezoidal rule with steps of 1/2, which leaves out less than e^(-4 pi^2) (F. Matta and A. Reichel, "Uniform
/// computation of the error function and other related functions", Mathematics of Computation 25 (114), 1971). Of the sum what is beyond n
/// = 12 is less than 2^-60. The square of x, and half of it, are exact.
#[inline(always)]
pub(super) fn complement_over_root_of_2(x: f64) -> f64 {
    use std::f64::consts::{FRAC_1_SQRT_2, PI};
    /// e^(-n^2 / 4) from n = 1 to 12.
    const WEIGHTS: [f64; 12] = [
        0.778_800_783_071_404_9,
        0.367_879_441_171_442_33,
        0.105_399_224_561_864_33,
        0.018_315_638_888_734_18,
        1.930_454_136_227_709_3e-3,
        1.234_098_040_866_795_6e-4,
        4.785_117_392_129_01e-6,
        1.125_351_747_192_591_2e-7,
        1.605_228_055_185_611_6e-9,
        1.388_794_386_496_402_1e-11,
        7.287_724_095_819_692e-14,
        2.319_522_830_243_569_6e-16,
    ];
    let z = x * FRAC_1_SQRT_2;
    let square = 0.5 * (x * x);
    let mut sum = 0.0;
    let mut n = WEIGHTS.len();
    while n > 0 {
        sum += WEIGHTS[n - 1] / ((n * n) as f64 * 0.25 + square);
        n -= 1;
    }
    let trapezoids = z / (2.0 * PI) * (1.0 / square + 2.0 * sum);
    let pole = if z < 2.0 * PI { exp(-4.0 * PI * z) } else { 0.0 };
    exp(-square) * trapezoids - 2.0 * pole / (1.0 - pole)
}

/// The sine of a number of float32.
#[inline(always)]
pub(super) fn sin(x: f64) -> f64 {
    let [sine, _] = sin_cos(x);
    sine
}

/// The cosine of a number of float32.
#[inline(always)]
pub(super) fn cos(x: f64) -> f64 {
    let [_, cosine] = sin_cos(x);
    cosine
}

/// The tangent of a number of float32.
#[inline(always)]
pub(super) fn tan(x: f64) -> f64 {
    let [sine, cosine] = sin_cos(x);
    sine / cosine
}

/// The sine and the cosine of a number of float32.
///
/// The number is M 2^e, and its part of a turn M times the bits of 2^e / 2 pi next to the point: 96 of them, of which what is
/// cut off makes less than 2^-72 of a turn. No multiple of a quarter of a turn is nearer to a number of float32 than 2^-30, so that the sine
/// of what is left is less than 2^-38 off, relatively, at the worst, and less than 2^-48 where it is at least 2^-20. Beyond an eighth of a
/// turn another quarter is nearer: what is left is at most pi / 4, for which Taylor's series up to x^15 and x^16 leave out less
/// than 2^-53.
#[inline(always)]
fn sin_cos(x: f64) -> [f64; 2] {
    const SINE: [f64; 8] = alternating(1);
    const COSINE: [f64; 9] = alternating(0);
    /// One turn in steps of 2^-64 of one, and the part of a step that one of the further bits is.
    const STEP: f64 = std::f64::consts::TAU / 18_446_744_073_709_551_616.0;
    const FURTHER: f64 = 1.0 / 4_294_967_296.0;
    let bits = (x as f32).to_bits();
    let [high, low] = bits_of_turn(u64::from(bits >> 23 & 0xff));
    let significand = u64::from(bits & 0x7f_ffff | 0x80_0000);
    let products = [significand.wrapping_mul(high), significand * low];
    let turn = products[0].wrapping_add(products[1] >> 32);
    let quarter = turn.wrapping_add(1 << 61) >> 62;
    let rest = turn.wrapping_sub(quarter << 62) as i64;
    let further = (products[1] & 0xffff_ffff) as f64 * FURTHER;
    let magnitude = x.abs();
    let reduced = (rest as f64 + further) * STEP;
    let angle = if magnitude < 0.75 { magnitude } else { reduced };
    let square = angle * angle;
    let sine = angle * horner(&SINE, square);
    let cosine = horner(&COSINE, square);
    // Of the whole angle they are, by quarters, (s, c), (c, -s), (-s, -c) and (-c, s): chosen and given signs by their bits, as
    // loops with branches do not vectorise.
    let is_odd = (quarter & 1).wrapping_neg();
    let [s, c] = [sine.to_bits(), cosine.to_bits()];
    let other = (s ^ c) & is_odd;
    let sign = x.to_bits() & 1 << 63;
    let sine = f64::from_bits(s ^ other ^ (quarter & 2) << 62 ^ sign);
    let cosine = f64::from_bits(c ^ other ^ ((quarter + 1) & 2) << 62);
    // It is -0, which changes no sum, of a number, and a NaN of an infinity.
    let none = (x * 0.0).copysign(-1.0);
    [sine + none, cosine + none]
}

/// Bits of 2^e / 2 pi, with e the exponent of the last bit of the significand, by the exponent field of float32: those of the first 96 places
/// after the point, the first 64 and 32 more. Shifted and chosen by masks, as loops that look into tables do not vectorise.
#[inline(always)]
fn bits_of_turn(field: u64) -> [u64; 2] {
    /// The places of 1 / 2 pi.
    const WORDS: [u64; 4] = [
        0x28be_60db_9391_054a,
        0x7f09_d5f4_7d4d_3770,
        0x36d8_a566_4f10_e410,
        0x7f94_58ea_f7ae_f158,
    ];
    // Three words of zeros come before them.
    let first = field + (3 * 64 - 150);
    let (word, offset) = (first >> 6, first & 63);
    let at = |number: u64| u64::from(word == number).wrapping_neg();
    let [one, two, three, four] = [at(1), at(2), at(3), at(4)];
    let words = [
        WORDS[0] & three | WORDS[1] & four,
        WORDS[0] & two | WORDS[1] & three | WORDS[2] & four,
        WORDS[0] & one | WORDS[1] & two | WORDS[2] & three | WORDS[3] & four,
    ];
    let high = words[0] << offset | words[1] >> 1 >> (63 - offset);
    let low = words[1] << offset | words[2] >> 1 >> (63 - offset);
    [high, low >> 32]
}

/// (-1)^n / (2n + first)! from n = N - 1 to 0.
const fn alternating<const N: usize>(first: usize) -> [f64; N] {
    let (mut terms, mut n, mut factorial, mut factors) = ([0.0; N], 0, 1.0, 0);
    while n < N {
        while factors < 2 * n + first {
            factors += 1;
            factorial *= factors as f64;
        }
        terms[N - 1 - n] = if n % 2 == 0 { 1.0 / factorial } else { -1.0 / factorial };
        n += 1;
    }
    terms
}

/// 1 / (2n + 1) times the nth power of a sign, from n = N to 1.
const fn inverses<const N: usize>(sign: f64) -> [f64; N] {
    let (mut terms, mut n, mut power) = ([0.0; N], 1, sign);
    while n <= N {
        terms[N - n] = power / (2 * n + 1) as f64;
        power *= sign;
        n += 1;
    }
    terms
}

/// A polynomial, by its coefficients from that of the highest power on.
#[inline(always)]
fn horner<const N: usize>(coefficients: &[f64; N], x: f64) -> f64 {
    let (mut sum, mut at) = (0.0, 0);
    while at < N {
        sum = sum * x + coefficients[at];
        at += 1;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of float32 of all sizes and both signs.
    fn numbers() -> impl Iterator<Item = f64> {
        (0..u32::MAX).step_by(50_021).map(|bits| f64::from(f32::from_bits(bits)))
    }

    /// Checks that a function is as near to another one as is promised.
    #[track_caller]
    fn check(
        series: fn(f64) -> f64,
        expected: fn(f64) -> f64,
        operands: impl Iterator<Item = f64>,
    ) {
        let mut count = 0;
        for x in operands {
            let (actual, expected) = (series(x), expected(x));
            let is_near = (actual - expected).abs() <= expected.abs() * 2.0_f64.powi(-49);
            let is_same = actual == expected || actual.is_nan() && expected.is_nan();
            assert!(is_same || is_near, "{x:e}: {actual:e}, not {expected:e}");
            count += 1;
        }
        assert!(count > 10_000, "{count}");
    }

    #[test]
    fn powers_are_near_the_exact_ones_as_far_as_float32_reaches() {
        let finite = || numbers().filter(|x| x.abs() < 160.0);
        check(exp, libm::exp, finite());
        check(exp_minus_1, libm::expm1, finite());
        let beyond = [1e3, -1e3, f64::INFINITY, f64::NEG_INFINITY].map(|x| exp(x) as f32);
        assert_eq!(beyond, [f32::INFINITY, 0.0, f32::INFINITY, 0.0]);
        assert!(exp(f64::NAN).is_nan());
        assert!(exp_minus_1(-0.0).is_sign_negative() && exp_minus_1(0.0).is_sign_positive());
    }

    #[test]
    fn logarithms_are_near_the_exact_ones() {
        check(ln, libm::log, numbers());
        check(ln_1_plus, libm::log1p, numbers().filter(|x| *x > -0.99));
        // Next to 1 a logarithm is small.
        let next_to_1 =
            (0..40_000).map(|at| 1.0 + f64::from(at - 20_000) * f64::from(f32::EPSILON));
        check(ln, libm::log, next_to_1);
    }

    #[test]
    fn the_error_function_is_near_the_exact_one() {
        check(erf, libm::erf, numbers().filter(|x| x.abs() < 4.0));
        assert_eq!([5.0, -9.0, f64::INFINITY].map(|x| erf(x) as f32), [1.0, -1.0, 1.0]);
        assert!(erf(f64::NAN).is_nan());
    }

    #[test]
    fn the_complement_of_the_error_function_is_near_the_exact_one() {
        // Float64 holds the quotient by the root less than exactly: the function of it changes by 2 z^2 times as much.
        let complement = |x: f64| libm::erfc(x * std::f64::consts::FRAC_1_SQRT_2);
        for x in (0..200_000).map(|at| f64::from(0.5 + at as f32 / 12_345.0)) {
            let (actual, expected) = (complement_over_root_of_2(x), complement(x));
            let margin = expected * (x * x + 8.0) * f64::EPSILON;
            assert!((actual - expected).abs() <= margin, "{x}: {actual:e}, not {expected:e}");
        }
    }

    #[test]
    fn sines_and_their_like_are_near_the_exact_ones_however_large_the_angle_is() {
        for (series, expected) in [
            (sin as fn(f64) -> f64, libm::sin as fn(f64) -> f64),
            (cos, libm::cos),
            (tan, libm::tan),
        ] {
            check(series, expected, numbers());
            check(series, expected, (0..30_000).map(|at| f64::from(at as f32 / 300.0)));
        }
        assert!(sin(-0.0).is_sign_negative());
        // Numbers of float32 near multiples of a quarter of a turn.
        let multiples = (1..400).map(|quarters| f64::from(quarters) * std::f64::consts::FRAC_PI_2);
        for x in multiples.map(|x| f64::from(x as f32)) {
            for (actual, expected) in [(sin(x), libm::sin(x)), (cos(x), libm::cos(x))] {
                assert!((actual - expected).abs() <= expected.abs() * 2.0_f64.powi(-38), "{x}");
            }
        }
    }

    #[test]
    fn arctangents_are_near_the_exact_ones() {
        check(atan, libm::atan, numbers());
        check(atan, libm::atan, (0..30_000).map(|at| f64::from(at) / 20_000.0));
        assert!(atan(-0.0).is_sign_negative());
    }
}
