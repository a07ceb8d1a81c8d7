//! Where operands come from: special values, number theory, and seeded random numbers that favour
//! the edges of a format.

use onnx_conformance::dtype::{DType, Kind};
use onnx_conformance::float::{Class, FloatFormat};

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

/// SplitMix64 (Steele, Lea, Flood: *Fast Splittable Pseudorandom Number Generators*, 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
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

/// The number `significand * 2^exponent` where the format holds it.
pub(crate) fn encode(format: &FloatFormat, significand: u64, exponent: i64) -> Option<u64> {
    let field = i64::from(format.significand_bits);
    let lowest = 1 - i64::from(format.bias) - field;
    let trailing = i64::from(significand.trailing_zeros());
    let (mut significand, mut exponent) = (significand >> trailing, exponent + trailing);
    while significand >> field == 0 && exponent > lowest {
        (significand, exponent) = (significand << 1, exponent - 1);
    }
    if significand >> (field + 1) != 0 || exponent < lowest {
        return None;
    }
    let bits = (((exponent - lowest) as u64) << field) + significand;
    let finite = matches!(format.class(bits), Class::Subnormal | Class::Normal);
    (bits >> (format.width() - 1) == 0 && finite).then_some(bits)
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

/// Inverse of an odd number modulo 2^64: Newton's iteration doubles the correct bits from 3.
fn inverse(odd: u64) -> u64 {
    (0..5)
        .fold(odd, |inverse, _| inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse))))
}

/// Square root modulo 2^64 of a number that is 1 modulo 8: y = 1/sqrt(r) by Newton's iteration
/// y (3 - r y^2) / 2, of which each step doubles the correct bits, less one.
fn root_modulo(square: u64) -> u64 {
    let mut y = 1_u64;
    for _ in 0..6 {
        let twice = 3_u64.wrapping_sub(square.wrapping_mul(y).wrapping_mul(y));
        y = y.wrapping_mul(twice >> 1);
    }
    y.wrapping_mul(square)
}

const fn len(significand: u64) -> u32 {
    u64::BITS - significand.leading_zeros()
}

/// Significands (a, b) of p bits with `a * 2^shift = m * b + rest` for this odd m, where `rest / b`
/// is how far the quotient is from m.
fn near_quotient(precision: u32, m: u64, shift: u32, rest: i64) -> Option<[u64; 2]> {
    let top = if shift < precision { 1 << (precision - 1) } else { 0 };
    let b = inverse(m).wrapping_mul((rest as u64).wrapping_neg()) & ((1 << shift) - 1) | top;
    let product = u128::from(m) * u128::from(b);
    let a = u64::try_from(product.checked_add_signed(i128::from(rest))? >> shift).ok()?;
    (len(a) == precision && len(b) == precision).then_some([a, b])
}

const RESTS: [i64; 8] = [1, -1, 2, -2, 3, -3, 5, -5];

/// Pairs whose quotients lie as close to the middle of two numbers, or to a number, as quotients
/// can, at random exponents.
pub(crate) fn near_quotients(
    format: &FloatFormat,
    random: &mut Random,
    count: usize,
) -> Vec<[u64; 2]> {
    let precision = format.significand_bits + 1;
    let mut pairs = Vec::new();
    while pairs.len() < count {
        // m of p + 1 bits is the middle of two numbers, m of p bits a number.
        let bits = precision + random.below(2) as u32;
        let m = 1 | 1 << (bits - 1) | (random.bits() & ((1 << (bits - 1)) - 1));
        let shift = bits - 1 + random.below(2) as u32;
        let rest = RESTS[random.below(8) as usize];
        let Some(significands) = near_quotient(precision, m, shift, rest) else { continue };
        let [a, b] = significands.map(|significand| {
            let exponent = random.below(2 * format.bias as u64) as i64 - i64::from(format.bias);
            encode(format, significand, exponent - i64::from(precision))
        });
        pairs.extend(a.zip(b).map(|(a, b)| [a, b]));
    }
    pairs
}

/// Pairs whose quotients lie as close to the overflow threshold as quotients can.
pub(crate) fn near_overflow(format: &FloatFormat) -> Vec<[u64; 2]> {
    let precision = format.significand_bits + 1;
    let m = (1 << (precision + 1)) - 1;
    // The threshold is m * 2^scale.
    let scale = i64::from(format.bias) - i64::from(precision);
    let mut pairs = Vec::new();
    for rest in RESTS {
        for shift in [precision, precision + 1] {
            let Some([a, b]) = near_quotient(precision, m, shift, rest) else { continue };
            for exponent in -2 * i64::from(format.bias)..0 {
                let a = encode(format, a, exponent + scale + i64::from(shift));
                let b = encode(format, b, exponent);
                pairs.extend(a.zip(b).map(|(a, b)| [a, b]));
            }
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
    let precision = format.significand_bits + 1;
    let lowest = 1 - i64::from(format.bias) - i64::from(format.significand_bits);
    let mut pairs = Vec::new();
    while pairs.len() < count {
        let bits = 1 + random.below(u64::from(precision)) as u32;
        let odd = |random: &mut Random, bits: u32| 1 | random.bits() & ((1 << bits) - 1);
        let m = odd(random, bits);
        let b = odd(random, precision - len(m));
        let exponent = lowest + random.below(2 * format.bias as u64) as i64;
        let a = encode(format, m * b, exponent + lowest - 1);
        let b = encode(format, b, exponent);
        pairs.extend(a.zip(b).map(|(a, b)| [a, b]));
    }
    pairs
}

/// Numbers whose roots lie as close to the middle of two numbers, or to a number, as roots can: the
/// significand times a power of two is a square y^2 less a small rest.
pub(crate) fn near_roots(format: &FloatFormat, random: &mut Random, count: usize) -> Vec<u64> {
    let precision = format.significand_bits + 1;
    let mut numbers = Vec::new();
    // The odd squares are 1 modulo 8.
    for rest in (0_i64..).flat_map(|step| [1 + 8 * step, 1 - 8 * step]) {
        if numbers.len() >= count {
            break;
        }
        let root = root_modulo(rest as u64);
        // y of p + 1 bits is the middle of two numbers, y of p bits a number.
        for (bits, square_bits) in [(1, 2), (1, 1), (0, 0), (0, -1)] {
            let bits = precision + bits;
            let drop = (2 * precision).checked_add_signed(square_bits).unwrap() - precision;
            let half = 1 << (drop - 1);
            for y in [root, root.wrapping_neg(), root ^ half, root.wrapping_neg() ^ half] {
                let top = if drop < bits { 1 << (bits - 1) } else { 0 };
                let y = y & ((1 << drop) - 1) | top;
                let square = u128::from(y) * u128::from(y);
                let x = square.checked_add_signed(-i128::from(rest)).unwrap_or(0) >> drop;
                let exponent = random.below(format.bias as u64) as i64 * 2 - i64::from(format.bias);
                let exponent = exponent - i64::from(precision);
                let parity = (exponent - i64::from(drop)).rem_euclid(2);
                if len(y) == bits && len(x as u64) == precision && x >> 64 == 0 {
                    numbers.extend(encode(format, x as u64, exponent + parity));
                }
            }
        }
    }
    numbers
}

#[test]
fn directed_quotients_are_as_close_as_they_claim() {
    let mut random = Random(1);
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
    let mut random = Random(1);
    let format = &FloatFormat::FLOAT32;
    for x in near_roots(format, &mut random, 200) {
        let root = format.to_f64(x).sqrt();
        let binade = 2_f64.powi(root.log2().floor() as i32);
        let halves = root / binade * 2_f64.powi(24);
        let distance = (halves - halves.round()).abs();
        assert!(distance < 1e-4, "{x:#x}: {halves}");
    }
}
