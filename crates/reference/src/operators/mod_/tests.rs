//! Remainders against the machine's, which are exact.

use values::random::Random;

use super::*;
use crate::operator::Specification;

const INT_TYPES: [(DType, u32, bool); 8] = [
    (DType::Int8, 8, true),
    (DType::Uint8, 8, false),
    (DType::Int16, 16, true),
    (DType::Uint16, 16, false),
    (DType::Int32, 32, true),
    (DType::Uint32, 32, false),
    (DType::Int64, 64, true),
    (DType::Uint64, 64, false),
];

fn conforming(function: Remainder, dtype: DType, operands: [u64; 2]) -> Conforming {
    let elements = operands.map(|bits| Element::Bits(dtype, bits.into()));
    function.conforming(dtype, &elements)
}

const fn of(fmod: bool, since: i64) -> Remainder {
    Remainder { fmod, since }
}

#[test]
fn remainders_of_integers_have_the_sign_of_the_divisor_or_of_the_dividend() {
    let mut random = Random::new(7);
    for (dtype, width, is_signed) in INT_TYPES {
        let value = |bits: u64| {
            let up = 64 - width;
            if is_signed { i128::from((bits << up).cast_signed() >> up) } else { bits.into() }
        };
        let wrapped = |value: i128| value as u64 & u64::MAX >> (64 - width);
        let check = |pair: [u64; 2]| {
            let [a, b] = pair.map(value);
            if b == 0 {
                let all = [of(false, 10), of(true, 10), of(false, 13), of(true, 13)];
                assert!(all.iter().all(|it| !conforming(*it, dtype, pair).is_decided()));
                return;
            }
            // Euclid's remainder is not negative.
            let euclid = a.rem_euclid(b);
            let floored = if b < 0 && euclid != 0 { euclid + b } else { euclid };
            assert_eq!(conforming(of(false, 13), dtype, pair), Conforming::One(wrapped(floored)));
            let truncated = wrapped(a - b * (a / b));
            assert_eq!(conforming(of(true, 13), dtype, pair), Conforming::RefusalOr(truncated));
            if a == 0 {
                assert!(!conforming(of(false, 10), dtype, pair).is_decided());
                return;
            }
            assert_eq!(conforming(of(false, 10), dtype, pair), Conforming::One(wrapped(floored)));
            assert_eq!(conforming(of(true, 10), dtype, pair), Conforming::One(truncated));
        };
        match width {
            8 => (0..256).for_each(|a| (0..256).for_each(|b| check([a, b]))),
            _ => {
                for _ in 0..100_000 {
                    let [a, b] = [random.bits(), random.bits() >> (random.bits() % 64)];
                    check([a, b].map(|bits| bits & u64::MAX >> (64 - width)));
                }
                let least = 1 << (width - 1);
                check([least, u64::MAX >> (64 - width)]);
            }
        }
    }
}

/// Checks a remainder of floats by their values.
fn check(dtype: DType, value: &dyn Fn(u64) -> f64, pair: [u64; 2]) {
    let [x, y] = pair.map(value);
    let found = conforming(of(true, 13), dtype, pair);
    let expected = x % y;
    match &found {
        Conforming::AnyNan(_) => assert!(expected.is_nan(), "{x} % {y}"),
        Conforming::OneOf(zeros) => {
            assert!(x == 0.0 && x.is_sign_negative() && y != 0.0);
            assert!(zeros.iter().all(|zero| value(zero.number().unwrap()) == 0.0));
        }
        other => {
            let result = value(other.number().unwrap());
            assert_eq!(result.to_bits(), expected.to_bits(), "{x} % {y}");
        }
    }
    let early = conforming(of(true, 10), dtype, pair);
    match x == 0.0 && !y.is_nan() || y == 0.0 && !x.is_nan() {
        true => assert!(!early.is_decided()),
        false => assert_eq!(early, found),
    }
    assert_eq!(conforming(of(false, 13), dtype, pair), found, "floats have one remainder");
}

#[test]
fn remainders_of_floats_are_those_of_fmod_and_exact() {
    let mut random = Random::new(8);
    let half = |bits: u64| FloatFormat::FLOAT16.to_f64(bits);
    let bfloat = |bits: u64| f64::from(f32::from_bits((bits as u32) << 16));
    let single = |bits: u64| f64::from(f32::from_bits(bits as u32));
    for y in [0_u64, 0x8000, 1, 0x8003, 0x3c00, 0xb555, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x0400] {
        (0..1 << 16).for_each(|x| check(DType::Float16, &half, [x, y]));
        (0..1 << 16).step_by(3).for_each(|x| check(DType::Bfloat16, &bfloat, [x, y]));
    }
    for _ in 0..100_000 {
        let pair = [random.bits(), random.bits()];
        check(DType::Float16, &half, pair.map(|bits| bits & 0xffff));
        check(DType::Bfloat16, &bfloat, pair.map(|bits| bits & 0xffff));
        check(DType::Float32, &single, pair.map(|bits| bits & 0xffff_ffff));
        check(DType::Float64, &f64::from_bits, pair);
        // Operands of close exponents, and of far ones whose quotient is large.
        let [a, b] = pair;
        check(DType::Float64, &f64::from_bits, [a, a ^ (b >> 10)]);
        check(DType::Float32, &single, [a & 0xffff_ffff, (a ^ (b >> 40)) & 0xffff_ffff]);
    }
    let ends = [f64::MAX, f64::from_bits(1)].map(f64::to_bits);
    check(DType::Float64, &f64::from_bits, ends);
    check(DType::Float64, &f64::from_bits, [f64::MAX, 3.0].map(f64::to_bits));
    check(DType::Float64, &f64::from_bits, [ends[1], ends[0]]);
    for (x, y) in (0..256).flat_map(|x| (0..256).map(move |y| (x, y))) {
        check(DType::Float8E5M2, &|bits| FloatFormat::FLOAT8E5M2.to_f64(bits), [x, y]);
    }
}

/// Checks a remainder of floats that has the divisor's sign by their values. That of `fmod` is exact in float64, so that one rounding of its
/// sum with the divisor is left, and another one to a narrower type that changes nothing.
fn check_floored(
    dtype: DType,
    value: &dyn Fn(u64) -> f64,
    narrow: &dyn Fn(f64) -> f64,
    pair: [u64; 2],
) {
    let [x, y] = pair.map(value);
    let truncated = x % y;
    let expected = match truncated {
        0.0 => truncated.copysign(y),
        _ if truncated.is_sign_negative() == y.is_sign_negative() => truncated,
        _ => narrow(truncated + y),
    };
    match conforming(of(false, 28), dtype, pair) {
        Conforming::AnyNan(_) => assert!(expected.is_nan(), "{x} by {y}"),
        other => {
            let result = value(other.number().unwrap());
            assert_eq!(result.to_bits(), expected.to_bits(), "{x} by {y}");
        }
    }
}

#[test]
fn remainders_of_floats_with_the_divisors_sign_are_rounded_once() {
    let mut random = Random::new(9);
    let single = |bits: u64| f64::from(f32::from_bits(bits as u32));
    let to_single = |number: f64| f64::from(number as f32);
    let special = [0.0, -0.0, 1.0, -1.0, -1e-30, 3.5, f32::MAX, f32::MIN, f32::INFINITY, f32::NAN];
    let special = || special.into_iter().chain([f32::NEG_INFINITY, f32::from_bits(1)]);
    for (x, y) in special().flat_map(|x| special().map(move |y| (x, y))) {
        let pair = [x, y].map(|number| number.to_bits().into());
        check_floored(DType::Float32, &single, &to_single, pair);
        let wide = [x, y].map(|number| f64::from(number).to_bits());
        check_floored(DType::Float64, &f64::from_bits, &std::convert::identity, wide);
    }
    for _ in 0..100_000 {
        let [a, b] = [random.bits(), random.bits()];
        for pair in [[a, b], [a, a ^ (b >> 10)], [a, a ^ (b >> 40)]] {
            check_floored(DType::Float64, &f64::from_bits, &std::convert::identity, pair);
            let pair = pair.map(|bits| bits & 0xffff_ffff);
            check_floored(DType::Float32, &single, &to_single, pair);
        }
    }
}

#[test]
fn a_dividend_of_negative_zero_keeps_its_sign_by_negative_divisors_since_version_28() {
    let [zero, one] = [0.0_f32, 1.0].map(|number| u64::from(number.to_bits()));
    let negative = 1 << 31;
    for since in [13, 28] {
        let of = |y: u64| conforming(of(true, since), DType::Float32, [zero | negative, y]);
        assert!(matches!(of(one), Conforming::OneOf(_)));
        assert_eq!(matches!(of(one | negative), Conforming::OneOf(_)), since == 13);
    }
    assert_eq!(conforming(of(true, 28), DType::Int8, [249, 3]), Conforming::One(255));
}

#[test]
fn floats_need_the_attribute_and_integers_do_not() {
    let call = |dtype: DType, since: i64, fmod: Option<i64>| {
        let one = crate::elements::ones(dtype, &[2]).unwrap();
        let attribute = |fmod| ("fmod".to_owned(), AttributeValue::Int(fmod));
        let attributes = fmod.into_iter().map(attribute).collect();
        let inputs = vec![Some(one.clone()), Some(one)];
        let version = MOD.version(since).unwrap();
        Call::new(&MOD, version, Specification::Onnx, attributes, inputs).is_ok()
    };
    for since in [10, 13] {
        let floats = [None, Some(0), Some(1), Some(2)].map(|it| call(DType::Float32, since, it));
        assert_eq!(floats, [false, false, true, false]);
        let integers = [None, Some(0), Some(1), Some(2)].map(|it| call(DType::Int8, since, it));
        assert_eq!(integers, [true, true, true, false]);
    }
    for dtype in [DType::Float32, DType::Int8] {
        let taken = [None, Some(0), Some(1), Some(2)].map(|it| call(dtype, 28, it));
        assert_eq!(taken, [true, true, true, false]);
    }
}
