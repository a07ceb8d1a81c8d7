//! Where operands come from: special values, number theory, and seeded random numbers that favour
//! the edges of a format.

use onnx_conformance::dtype::{DType, Kind};
use onnx_conformance::float::FloatFormat;
use onnx_conformance::hard::{dividend, radicands};
use onnx_conformance::random;

/// The float types that the oracle knows.
pub(crate) const FLOATS: [DType; 8] = [
    DType::Float8E4M3Fn,
    DType::Float8E4M3Fnuz,
    DType::Float8E5M2,
    DType::Float8E5M2Fnuz,
    DType::Float16,
    DType::Bfloat16,
    DType::Float32,
    DType::Float64,
];

pub(crate) fn format_of(dtype: DType) -> &'static FloatFormat {
    match dtype.kind() {
        Kind::Float(format) => format,
        _ => panic!("{dtype} is no float type"),
    }
}

/// Random numbers, and operands made of them.
pub(crate) struct Random(random::Random);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(random::Random::new(seed))
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.bits() % limit
    }

    /// Any pattern of the format.
    pub(crate) fn pattern(&mut self, format: &FloatFormat) -> u64 {
        self.bits() >> (64 - format.width())
    }

    /// A significand field: uniform, or with few bits set or cleared at either end.
    fn significand(&mut self, format: &FloatFormat) -> u64 {
        let mask = (1 << format.significand_bits) - 1;
        let few = self.below(16);
        mask & match self.below(5) {
            0 => few,
            1 => !few,
            2 => few << (format.significand_bits - 1).min(4),
            _ => self.bits(),
        }
    }

    /// Two patterns of which the quotient's exponent is uniform, near the subnormal range, or near
    /// the overflow threshold.
    pub(crate) fn pair(&mut self, format: &FloatFormat) -> [u64; 2] {
        let exponents = 1_i64 << format.exponent_bits;
        let field = i64::from(format.significand_bits);
        let target = match self.below(4) {
            0 => self.below(8) as i64 - 4,
            1 => 1 - i64::from(format.bias) - self.below(field as u64 + 3) as i64,
            2 => exponents - 2 - i64::from(format.bias) - self.below(3) as i64 + 1,
            _ => return [self.pattern(format), self.pattern(format)],
        };
        // A divisor whose exponent leaves room for the dividend's.
        let (least, most) = ((-target).max(0), (exponents - 1 - target).min(exponents - 1));
        let divisor = least + self.below((most - least).max(0) as u64 + 1) as i64;
        let dividend = (divisor + target).clamp(0, exponents - 1);
        [dividend, divisor].map(|exponent| {
            let sign = self.below(2) << (format.width() - 1);
            sign | (exponent as u64) << format.significand_bits | self.significand(format)
        })
    }

    /// A pattern of which the square root is taken.
    pub(crate) fn radicand(&mut self, format: &FloatFormat) -> u64 {
        let sign = u64::from(self.below(16) == 0) << (format.width() - 1);
        let exponent = self.below(1 << format.exponent_bits) << format.significand_bits;
        sign | exponent | self.significand(format)
    }
}

/// One or more of every class and edge, of both signs.
pub(crate) fn specials(format: &FloatFormat) -> Vec<u64> {
    let (field, width) = (format.significand_bits, format.width());
    let one = (format.bias as u64) << field;
    let top = 1_u64 << (width - 1);
    let normal = 1_u64 << field;
    let infinity = ((1_u64 << format.exponent_bits) - 1) << field;
    let mut magnitudes = vec![0, 1, 2, 3, normal - 1, normal, normal + 1, one - 1, one, one + 1];
    magnitudes.extend([one + normal, one + normal + normal / 2, one - normal, top / 2]);
    magnitudes
        .extend((infinity.saturating_sub(3)..(infinity + 3).min(top)).chain([top - 2, top - 1]));
    magnitudes.extend([infinity + normal / 2, infinity + normal / 2 + 1]);
    magnitudes.iter().flat_map(|magnitude| [*magnitude, magnitude | top]).collect()
}

const RESTS: [i64; 8] = [1, -1, 2, -2, 3, -3, 5, -5];

/// Pairs whose quotients lie as close to the middle of two numbers, or to a number, as quotients
/// can, at random exponents.
pub(crate) fn near_quotients(
    format: &FloatFormat,
    random: &mut Random,
    count: usize,
) -> Vec<[u64; 2]> {
    let precision = format.precision();
    let mut pairs = Vec::new();
    while pairs.len() < count {
        // m of p + 1 bits is the middle of two numbers, m of p bits a number.
        let bits = precision + random.below(2) as u32;
        let b = 1 | 1 << (precision - 1) | random.bits() >> (64 - precision);
        let shift = bits - 1 + random.below(2) as u32;
        let rest = RESTS[random.below(8) as usize];
        let Some(a) = dividend(precision, bits, b, rest, shift) else { continue };
        let [a, b] = [a, b].map(|significand| {
            let exponent = random.below(2 * format.bias as u64) as i32 - format.bias;
            format.encode(significand, exponent - precision as i32)
        });
        pairs.extend(a.zip(b).map(|(a, b)| [a, b]));
    }
    pairs
}

/// Pairs whose quotients lie as close to the overflow threshold as quotients can: a power of two, and
/// the quotients next below it, of neighbours and of the largest significand by the smallest.
pub(crate) fn near_overflow(format: &FloatFormat) -> Vec<[u64; 2]> {
    let (low, high) = (1 << format.significand_bits, 2 << format.significand_bits);
    let divisors = (0..4).flat_map(|k| [low + k, high - 1 - k]);
    let neighbours = divisors.flat_map(|b| [b - 1, b, b + 1].map(|a| ([a, b], 0)));
    let significands: Vec<_> = neighbours.chain([([high - 1, low], 1)]).collect();
    let mut pairs = Vec::new();
    for exponent in -2 * format.bias..0 {
        for ([a, b], above) in &significands {
            let a = format.encode(*a, exponent + format.bias + 1 - above);
            let b = format.encode(*b, exponent);
            pairs.extend(a.zip(b).map(|(a, b)| [a, b]));
        }
    }
    pairs
}

/// Pairs whose quotients lie exactly in the middle of two subnormal numbers, or of zero, or of the
/// smallest normal number and their neighbours.
pub(crate) fn subnormal_ties(
    format: &FloatFormat,
    random: &mut Random,
    count: usize,
) -> Vec<[u64; 2]> {
    let precision = format.precision();
    let lowest = 1 - format.bias - format.significand_bits as i32;
    let mut pairs = Vec::new();
    while pairs.len() < count {
        let bits = 1 + random.below(u64::from(precision)) as u32;
        let odd = |random: &mut Random, bits: u32| 1 | random.bits() & ((1 << bits) - 1);
        let m = odd(random, bits);
        let b = odd(random, precision - (m.ilog2() + 1));
        let exponent = lowest + random.below(2 * format.bias as u64) as i32;
        let a = format.encode(m * b, exponent + lowest - 1);
        let b = format.encode(b, exponent);
        pairs.extend(a.zip(b).map(|(a, b)| [a, b]));
    }
    pairs
}

/// Numbers whose roots lie as close to the middle of two numbers, or to a number, as roots can: the
/// significand times a power of two is a square less a small rest.
pub(crate) fn near_roots(format: &FloatFormat, random: &mut Random, count: usize) -> Vec<u64> {
    let precision = format.precision();
    // The odd squares are 1 modulo 8.
    let rests = (0..1 << (precision - 4)).step_by(8).flat_map(|step| [1 + step, 1 - step]);
    let places = rests.flat_map(|rest| [(precision + 1, rest), (precision, rest)]);
    let radicands = places.flat_map(|(bits, rest)| radicands(precision, bits, rest));
    let numbers = radicands.filter_map(|radicand| {
        let even = random.below(format.bias as u64) as i32 * 2 - format.bias / 2 * 2;
        let exponent = even + i32::from(radicand.odd) - format.significand_bits as i32;
        format.encode(radicand.significand, exponent)
    });
    numbers.take(count).collect()
}

#[test]
fn directed_quotients_are_as_close_as_they_claim() {
    let mut random = Random::new(1);
    let format = &FloatFormat::FLOAT32;
    for [a, b] in near_quotients(format, &mut random, 200) {
        let [a, b] = [a, b].map(|bits| format.to_f64(bits));
        // In units of half an ULP, the quotient is within 5 / 2^23 of an integer.
        let quotient = a / b;
        let binade = 2_f64.powi(quotient.log2().floor() as i32);
        let halves = quotient / binade * 2_f64.powi(24);
        assert!((halves - halves.round()).abs() <= 1.5e-6 * 2.0, "{a:e} / {b:e}: {halves}");
    }
}

#[test]
fn directed_roots_are_as_close_as_they_claim() {
    let mut random = Random::new(1);
    let format = &FloatFormat::FLOAT32;
    for x in near_roots(format, &mut random, 200) {
        let root = format.to_f64(x).sqrt();
        let binade = 2_f64.powi(root.log2().floor() as i32);
        let halves = root / binade * 2_f64.powi(24);
        let distance = (halves - halves.round()).abs();
        assert!(distance < 1e-4, "{x:#x}: {halves}");
    }
}
