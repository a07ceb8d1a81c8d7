//! Elements and products against the machine's.

use values::float::FloatFormat;
use values::random::Random;
use values::tensor::Tensor;

use super::*;
use crate::elements::tensor;
use crate::operator::{Attributes, Specification};

fn conforming(dtype: DType, [x, slope]: [u64; 2]) -> Conforming {
    Parametric.conforming(dtype, &[x, slope].map(|bits| Element::Bits(dtype, bits.into())))
}

#[test]
fn every_element_of_16_bits_stays_or_is_multiplied() {
    let value = |bits: u64| FloatFormat::FLOAT16.to_f64(bits);
    for slope in [0x3c00_u64, 0x3800, 0xb555, 0x0001, 0x7bff, 0x7c00, 0x7e00, 0x8000] {
        for x in 0..1 << 16 {
            let found = conforming(DType::Float16, [x, slope]);
            let (number, factor) = (value(x), value(slope));
            if number.is_nan() || number < 0.0 && (number * factor).is_nan() {
                assert_eq!(found, Conforming::AnyNan(&FloatFormat::FLOAT16));
                continue;
            }
            let bits = found.number().unwrap();
            if number < 0.0 {
                // A product of 22 bits is exact here, and the nearest is within half a unit.
                let (exact, nearest) = (number * factor, value(bits));
                let beyond = exact.abs() >= 65520.0;
                assert_eq!(nearest.is_infinite(), beyond, "{x:#x} {slope:#x}");
                let around = [bits.wrapping_sub(1), bits + 1].map(value);
                let is_nearest = beyond
                    || around
                        .iter()
                        .filter(|it| it.is_finite())
                        .all(|other| (nearest - exact).abs() <= (other - exact).abs());
                assert!(is_nearest, "{x:#x} {slope:#x}");
            } else {
                assert_eq!(bits, x);
            }
        }
    }
}

#[test]
fn wider_floats_and_integers_have_the_machines_products() {
    let mut random = Random::new(6);
    for _ in 0..100_000 {
        let [x, slope] = [random.bits(), random.bits()];
        let [a, b] = [x, slope].map(f64::from_bits);
        let expected = if a < 0.0 { a * b } else { a };
        assert!(conforming(DType::Float64, [x, slope]).accepts(expected.to_bits()));
        let [a, b] = [x, slope].map(|bits| f32::from_bits(bits as u32));
        let expected = if a < 0.0 { a * b } else { a };
        let short = [x, slope].map(|bits| bits & 0xffff_ffff);
        assert!(conforming(DType::Float32, short).accepts(expected.to_bits().into()));
        let bfloat = [x, slope].map(|bits| bits & 0xffff);
        let [a, b] = bfloat.map(|bits| f32::from_bits((bits as u32) << 16));
        let found = conforming(DType::Bfloat16, bfloat);
        match found.number() {
            Some(bits) if a < 0.0 => {
                let found = f32::from_bits((bits as u32) << 16);
                let close =
                    (found - a * b).abs() <= (a * b).abs() / 256.0 + f32::from_bits(1 << 15);
                assert!(close || found.is_infinite() && (a * b).abs() > 3.38e38, "{a} {b}");
            }
            Some(bits) => assert_eq!(bits, bfloat[0]),
            None => assert!(a.is_nan() || (a * b).is_nan()),
        }
        let [a, b] = [x, slope].map(u64::cast_signed);
        let expected = if a < 0 { a.wrapping_mul(b) } else { a };
        let found = conforming(DType::Int64, [x, slope]);
        assert_eq!(found, Conforming::One(expected.cast_unsigned()));
        let [a, b] = [x, slope].map(|bits| bits as i32);
        let expected = if a < 0 { a.wrapping_mul(b) } else { a };
        let found = conforming(DType::Int32, short);
        assert_eq!(found, Conforming::One(expected.cast_unsigned().into()));
        assert_eq!(conforming(DType::Uint64, [x, slope]), Conforming::One(x));
        assert_eq!(conforming(DType::Uint32, short), Conforming::One(short[0]));
    }
    for (a, b) in (i8::MIN..=i8::MAX).flat_map(|a| (i8::MIN..=i8::MAX).map(move |b| (a, b))) {
        let expected = if a < 0 { a.wrapping_mul(b) } else { a };
        let found = conforming(DType::Int8, [a, b].map(|it| it.cast_unsigned().into()));
        assert_eq!(found, Conforming::One(expected.cast_unsigned().into()));
    }
}

#[test]
fn errors_are_those_of_the_branch() {
    let operands = [0xbc01_u64, 0x3c01].map(|bits| Element::Bits(DType::Float16, bits.into()));
    assert_eq!(
        Parametric.deviation(DType::Float16, &operands, 0xbc02),
        Multiplication.deviation(DType::Float16, &operands, 0xbc02)
    );
    let operands = [0x3c01_u64, 0x3c01].map(|bits| Element::Bits(DType::Float16, bits.into()));
    let stays = distance(DType::Float16, 0x3c01, 0x3c01);
    assert_eq!(Parametric.deviation(DType::Float16, &operands, 0x3c01), stays);
}

#[test]
fn slopes_are_shared_or_of_channels_at_first_and_broadcast_to_the_elements_later() {
    let ones = |shape: &[usize]| -> Tensor {
        let count: usize = shape.iter().product();
        tensor(DType::Float32, shape, &vec![0x3f80_0000; count]).unwrap()
    };
    let takes = |since: i64, x: &[usize], slope: &[usize]| {
        let inputs = vec![Some(ones(x)), Some(ones(slope))];
        let version = PRELU.version(since).unwrap();
        Call::new(&PRELU, version, Specification::Onnx, Attributes::new(), inputs).is_ok()
    };
    for since in [1, 6] {
        assert!(takes(since, &[2, 3, 4], &[3]) && takes(since, &[2, 3], &[1, 1, 1]));
        assert!(takes(since, &[3], &[1]) && takes(since, &[2, 3], &[]));
        assert!(!takes(since, &[2, 3, 4], &[4]) && !takes(since, &[3], &[3]));
        assert!(!takes(since, &[2, 3], &[2, 3]));
    }
    for since in [7, 9, 16] {
        assert!(takes(since, &[2, 3, 4], &[4]) && takes(since, &[2, 3, 4], &[3, 1]));
        assert!(!takes(since, &[2, 3, 4], &[3]) && !takes(since, &[3], &[2, 3]));
        assert!(!takes(since, &[1], &[3]) && !takes(since, &[3], &[1, 3]));
    }
}
