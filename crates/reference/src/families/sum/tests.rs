//! Sums and differences against those of the machine: of integers in 128 bits, of floats in binary64 and
//! binary32, whose operations IEEE 754 defines.

use values::dtype::Kind;
use values::random::Random;

use super::*;
use crate::inputs::patterns::specials;
use crate::operators::tests::nearest;

fn conforming(addition: Addition, dtype: DType, operands: [u64; 2]) -> Conforming {
    let elements = operands.map(|bits| Element::Bits(dtype, bits.into()));
    addition.conforming(dtype, &elements)
}

/// The result of the machine; of 16 bits it is that of binary64, which has more than twice their bits and
/// two, rounded once more.
fn of_machine(addition: Addition, dtype: DType, [a, b]: [u64; 2]) -> f64 {
    let Kind::Float(format) = dtype.kind() else { panic!("{dtype}") };
    let [x, y] = [a, b].map(|bits| format.to_f64(bits));
    let [x32, y32] = [a, b].map(|bits| f32::from_bits(bits as u32));
    match (addition, dtype) {
        (Addition::Sum, DType::Float32) => (x32 + y32).into(),
        (Addition::Difference, DType::Float32) => (x32 - y32).into(),
        (Addition::Sum, DType::Float64) => x + y,
        (Addition::Difference, DType::Float64) => x - y,
        (Addition::Sum, _) => nearest(format, x + y),
        (Addition::Difference, _) => nearest(format, x - y),
    }
}

/// Pairs of special values and of their neighbours, of any bits, of numbers that are near each other in magnitude,
/// and of such as cancel.
fn pairs(format: &FloatFormat) -> Vec<[u64; 2]> {
    let mut random = Random::new(7);
    let (all, field) = (u64::MAX >> (64 - format.width()), format.significand_bits);
    let specials = specials(format);
    let mut pairs: Vec<[u64; 2]> =
        specials.iter().flat_map(|&a| specials.iter().map(move |&b| [a, b])).collect();
    for _ in 0..60_000 {
        let [a, b] = [random.bits() & all, random.bits() & all];
        let apart = random.below(2 * u64::from(field) + 6);
        let near = (a ^ b & ((1 << field) - 1)).wrapping_sub(apart << field) & all;
        let next =
            (a ^ 1 << (format.width() - 1)).wrapping_add(random.below(5)).wrapping_sub(2) & all;
        pairs.extend([[a, b], [a, near], [near, a ^ 1 << (format.width() - 1)], [a, next]]);
    }
    pairs
}

#[test]
fn sums_and_differences_of_floats_are_those_of_the_machine() {
    for dtype in [DType::Float16, DType::Bfloat16, DType::Float32, DType::Float64] {
        let Kind::Float(format) = dtype.kind() else { panic!("{dtype}") };
        let pairs = pairs(format);
        assert!(pairs.len() > 100_000);
        for addition in [Addition::Sum, Addition::Difference] {
            for &pair in &pairs {
                let machine = of_machine(addition, dtype, pair);
                let is_machine = match conforming(addition, dtype, pair) {
                    Conforming::One(bits) => format.to_f64(bits).to_bits() == machine.to_bits(),
                    Conforming::AnyNan(_) => machine.is_nan(),
                    _ => false,
                };
                assert!(is_machine, "{addition:?} {dtype} {pair:x?}: {machine:e}");
            }
        }
    }
}

#[test]
fn the_rounding_of_these_tests_is_that_of_the_conversion_to_float32() {
    let mut random = Random::new(1);
    for _ in 0..100_000 {
        let number = f64::from_bits(random.bits() >> 3 | 0x3000 << 48);
        let expected = f64::from(number as f32);
        assert_eq!(nearest(&FloatFormat::FLOAT32, number), expected, "{number:e}");
    }
    assert_eq!(nearest(&FloatFormat::FLOAT16, 65519.99), 65504.0);
    assert_eq!(nearest(&FloatFormat::FLOAT16, -65520.0), f64::NEG_INFINITY);
}

#[test]
fn eight_bit_integers_wrap_for_every_pair() {
    for (a, b) in (0..=u8::MAX).flat_map(|a| (0..=u8::MAX).map(move |b| (a, b))) {
        let pair = [a.into(), b.into()];
        let exact = |addition, a: i128, b: i128| match addition {
            Addition::Sum => a + b,
            Addition::Difference => a - b,
        };
        for addition in [Addition::Sum, Addition::Difference] {
            let unsigned = exact(addition, a.into(), b.into()).rem_euclid(256);
            let signed = exact(addition, (a as i8).into(), (b as i8).into()).rem_euclid(256);
            let is = |dtype, expected: i128| {
                assert_eq!(conforming(addition, dtype, pair), Conforming::One(expected as u64));
            };
            is(DType::Uint8, unsigned);
            is(DType::Int8, signed);
        }
    }
    for dtype in [DType::Int64, DType::Uint64] {
        assert_eq!(conforming(Addition::Sum, dtype, [u64::MAX; 2]), Conforming::One(u64::MAX - 1));
        assert_eq!(conforming(Addition::Difference, dtype, [0, 1]), Conforming::One(u64::MAX));
    }
}

#[test]
fn zeros_have_the_sign_that_both_have_or_plus_and_opposite_infinities_have_no_sum() {
    let float16 = |addition, pair| conforming(addition, DType::Float16, pair);
    let (sum, difference) = (Addition::Sum, Addition::Difference);
    let [zero, minus_zero, one, minus_one] = [0x0000, 0x8000, 0x3c00, 0xbc00];
    for (a, b, expected) in [
        (zero, zero, zero),
        (zero, minus_zero, zero),
        (minus_zero, zero, zero),
        (minus_zero, minus_zero, minus_zero),
        (one, minus_one, zero),
        (minus_one, one, zero),
        (minus_zero, one, one),
    ] {
        assert_eq!(float16(sum, [a, b]), Conforming::One(expected), "{a:x} + {b:x}");
        let negated = b ^ 0x8000;
        assert_eq!(float16(difference, [a, negated]), Conforming::One(expected), "{a:x} - {b:x}");
    }
    let (nan, [infinity, minus]) = (Conforming::AnyNan(&FloatFormat::FLOAT16), [0x7c00, 0xfc00]);
    assert_eq!(float16(sum, [infinity, minus]), nan);
    assert_eq!(float16(difference, [minus, minus]), nan);
    assert_eq!(float16(sum, [minus, minus]), Conforming::One(minus));
    assert_eq!(float16(difference, [one, infinity]), Conforming::One(minus));
    // 8 bits without infinities, and without a negative zero: 448 + 448, and 1 - 1.
    let any = Conforming::AnyNan(&FloatFormat::FLOAT8E4M3FN);
    assert_eq!(conforming(sum, DType::Float8E4M3Fn, [0x7e, 0x7e]), any);
    assert_eq!(conforming(difference, DType::Float8E4M3Fnuz, [0x40, 0x40]), Conforming::One(0));
}

#[test]
fn a_bit_far_below_the_last_place_decides_next_to_a_tie() {
    let float64 = |pair: [f64; 2]| {
        let found = conforming(Addition::Sum, DType::Float64, pair.map(f64::to_bits));
        found.example().map(|bits| f64::from_bits(bits as u64))
    };
    let half = f64::EPSILON / 2.0;
    assert_eq!(float64([1.0, half]), Some(1.0));
    assert_eq!(float64([1.0, half.next_up()]), Some(1.0 + f64::EPSILON));
    assert_eq!(float64([1.0 + f64::EPSILON, half.next_down()]), Some(1.0 + f64::EPSILON));
    // Of a power of two the place below is half as large.
    assert_eq!(float64([1.0, -half / 2.0]), Some(1.0));
    assert_eq!(float64([1.0, (-half / 2.0).next_down()]), Some(1.0 - half));
    assert_eq!(float64([f64::MAX, f64::from_bits(1)]), Some(f64::MAX));
    assert_eq!(float64([-f64::MAX, f64::from_bits(1)]), Some(-f64::MAX));
}

#[test]
fn errors_are_told_in_units_of_the_exact_sum() {
    let error = |pair: [u64; 2], actual| {
        let pair = pair.map(|bits| Element::Bits(DType::Float16, bits.into()));
        match Addition::Difference.deviation(DType::Float16, &pair, actual) {
            Deviation::Ulps(ulps) => ulps.to_string(),
            other => format!("{other:?}"),
        }
    };
    // 2048 + 1 is a tie: half of the unit 2.
    assert_eq!(
        (error([0x6800, 0xbc00], 0x6800), error([0x6800, 0xbc00], 0x6801)),
        ("0.5".into(), "0.5".into())
    );
    // 1 - 1 is 0, of either sign, and the smallest number is one unit away.
    assert_eq!(
        (error([0x3c00, 0x3c00], 0x8000), error([0x3c00, 0x3c00], 0x0001)),
        ("0".into(), "1".into())
    );
    // 2^15 less the smallest subnormal number: 2^-24 of it, in units of 2^4 below.
    assert_eq!(error([0x7800, 0x0001], 0x7800), "0.000001");
    assert_eq!(error([0x7c00, 0x3c00], 0x7c00), "NoRealResult");
}
