//! Clipped elements against the machine's comparisons.

use values::random::Random;
use values::tensor::Tensor;

use super::*;
use crate::elements::tensor;
use crate::signature::{AttributeValue, Attributes};

const FLOAT16: &FloatFormat = &FloatFormat::FLOAT16;

fn of(dtype: DType, is_sonnx: bool, since: i64, min: Option<u64>, max: Option<u64>) -> Clipping {
    let some = |bound: Option<u64>| vec![bound];
    Clipping { dtype, is_sonnx, since, min: some(min), max: some(max) }
}

/// The document's lines for numbers, literally.
fn literally(x: f64, [min, max]: [f64; 2]) -> f64 {
    let [min, max] = [
        if min.is_nan() { f64::NEG_INFINITY } else { min },
        if max.is_nan() { f64::INFINITY } else { max },
    ];
    if min <= max {
        if x < min {
            min
        } else if x > max {
            max
        } else {
            x
        }
    } else {
        max
    }
}

/// Checks one element of a float type by its values.
fn check(dtype: DType, value: &dyn Fn(u64) -> f64, x: u64, [min, max]: [u64; 2]) {
    let bits = |bound| Some(bound);
    let is_same = |found: &Conforming, expected: f64| match found {
        Conforming::AnyNan(_) => expected.is_nan(),
        other => other.number().is_some_and(|bits| value(bits).to_bits() == expected.to_bits()),
    };
    let expected = literally(value(x), [value(min), value(max)]);
    let sonnx = of(dtype, true, 13, bits(min), bits(max)).conforming(x);
    assert!(is_same(&sonnx, expected), "{x:x} {min:x} {max:x} {sonnx:?} {expected}");
    let onnx = of(dtype, false, 13, bits(min), bits(max)).conforming(x);
    let before = of(dtype, false, 12, bits(min), bits(max)).conforming(x);
    if value(min).is_nan() || value(max).is_nan() {
        assert!(!before.is_decided());
        let is_any_of = |one: &Conforming| match one {
            Conforming::AnyNan(_) => true,
            one => one
                .number()
                .is_some_and(|bits| value(bits) == expected || value(min).is_nan() && bits == max),
        };
        let all = match onnx {
            Conforming::OneOf(all) => all,
            one => vec![one],
        };
        assert!(all.iter().all(is_any_of) && all.iter().any(|one| is_same(one, expected)));
        assert!(all.iter().any(|one| matches!(one, Conforming::AnyNan(_))));
        return;
    }
    let is_empty = value(min) > value(max);
    assert_eq!(before.is_decided(), !is_empty);
    if !is_empty {
        assert_eq!(before, onnx);
    }
    let zeros = [x, min, max].into_iter().filter(|bits| value(*bits) == 0.0);
    let signs: Vec<bool> = zeros.map(|zero| value(zero).is_sign_negative()).collect();
    let is_open = expected == 0.0 && signs.contains(&true) && signs.contains(&false);
    let also_nan = is_empty && value(x).is_nan();
    assert_eq!(matches!(onnx, Conforming::OneOf(_)), is_open || also_nan, "{x:x} {min:x} {max:x}");
    let Conforming::OneOf(all) = onnx else { return assert!(is_same(&onnx, expected)) };
    assert!(is_same(&all[0], expected) && all.len() == 2);
}

#[test]
fn every_float16_and_bfloat16_and_many_others_are_clipped_as_the_document_has_it() {
    let wide = |bits: u64| f64::from(f32::from_bits((bits as u32) << 16));
    let bounds = [0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7bff, 0x7e00, 1, 0x8001];
    for (min, max) in bounds.into_iter().flat_map(|min| bounds.map(|max| (min, max))) {
        for x in (0..1 << 16).step_by(1 + usize::from(min != 0) * 6) {
            check(DType::Float16, &|bits| FLOAT16.to_f64(bits), x, [min, max]);
        }
    }
    for x in 0..1 << 16 {
        check(DType::Bfloat16, &wide, x, [0xbf80, 0x3f80]);
        check(DType::Bfloat16, &wide, x, [0x3f80, 0x8000]);
    }
    let mut random = Random::new(3);
    for _ in 0..100_000 {
        let [x, min, max] = [random.bits(), random.bits(), random.bits()];
        check(DType::Float64, &f64::from_bits, x, [min, max]);
        check(DType::Float64, &f64::from_bits, x, [x, max]);
        let short = |bits: u64| bits & 0xffff_ffff;
        let value = |bits: u64| f64::from(f32::from_bits(bits as u32));
        check(DType::Float32, &value, short(x), [short(min), short(max)]);
        check(DType::Float32, &value, short(x), [short(x + 1), short(max)]);
    }
}

#[test]
fn integers_are_clipped_by_their_values() {
    let mut random = Random::new(4);
    let types = [
        (DType::Int8, 8, true),
        (DType::Uint8, 8, false),
        (DType::Int16, 16, true),
        (DType::Uint16, 16, false),
        (DType::Int32, 32, true),
        (DType::Uint32, 32, false),
        (DType::Int64, 64, true),
        (DType::Uint64, 64, false),
    ];
    for (dtype, width, is_signed) in types {
        let value = |bits: u64| {
            let up = 64 - width;
            if is_signed { i128::from((bits << up).cast_signed() >> up) } else { bits.into() }
        };
        let check = |x: u64, min: u64, max: u64| {
            let expected = if value(min) > value(max) {
                max
            } else if value(x) < value(min) {
                min
            } else if value(x) > value(max) {
                max
            } else {
                x
            };
            for is_sonnx in [true, false] {
                let found = of(dtype, is_sonnx, 13, Some(min), Some(max)).conforming(x);
                assert_eq!(found, Conforming::One(expected), "{dtype} {x:x} {min:x} {max:x}");
            }
        };
        for _ in 0..100_000 / 8 {
            let [x, min, max] = [(); 3].map(|()| random.bits() >> (64 - width));
            check(x, min, max);
        }
        for x in 0..256 {
            (0..256).for_each(|min| check(x, min, 100));
        }
    }
}

/// What conforms for elements of a call of a version with these attributes and bounds.
fn call(since: i64, attributes: &[(&str, f32)], inputs: Vec<Option<Tensor>>) -> Vec<Conforming> {
    let attribute =
        |(name, value): &(&str, f32)| ((*name).to_owned(), AttributeValue::Float(value.to_bits()));
    let attributes: Attributes = attributes.iter().map(attribute).collect();
    let version = CLIP.version(since).unwrap();
    let (call, types) = Call::new(&CLIP, version, Specification::Onnx, attributes, inputs).unwrap();
    let allowed = CLIP.reference.allowed(&call, &types).remove(0);
    (0..types[0].shape[0]).map(|at| allowed.at(at)).collect()
}

#[test]
fn a_bound_that_is_left_out_is_the_largest_number_or_none() {
    let x = tensor(DType::Float16, &[3], &[0xfc00, 0x7c00, 0x3c00]).unwrap();
    let either = |bits: [u64; 2]| Conforming::OneOf(bits.map(Conforming::One).to_vec());
    let expected = [either([0xfc00, 0xfbff]), either([0x7c00, 0x7bff]), Conforming::One(0x3c00)];
    for since in [1, 6] {
        assert_eq!(call(since, &[], vec![Some(x.clone())]), expected);
    }
    for since in [11, 12, 13] {
        assert_eq!(call(since, &[], vec![Some(x.clone())]), expected);
        let two = tensor(DType::Float16, &[], &[0x4000]).unwrap();
        let clipped = call(since, &[], vec![Some(x.clone()), Some(two.clone())]);
        assert_eq!(
            clipped,
            [Conforming::One(0x4000), expected[1].clone(), Conforming::One(0x4000)]
        );
        let clipped = call(since, &[], vec![Some(x.clone()), None, Some(two)]);
        let [low, _, one] = expected.clone();
        assert_eq!(clipped, [low, Conforming::One(0x4000), one]);
    }
    // Of float64 the first versions' default may be that of float32.
    let bits = [1e300_f64, f64::INFINITY, -1.0].map(f64::to_bits);
    let clipped = call(6, &[], vec![Some(tensor(DType::Float64, &[3], &bits).unwrap())]);
    let [float32, float64] = [f64::from(f32::MAX), f64::MAX].map(f64::to_bits);
    let expected =
        [either([float32, bits[0]]), either([float32, float64]), Conforming::One(bits[2])];
    assert_eq!(clipped, expected);
}

#[test]
fn bounds_that_are_attributes_are_the_nearest_numbers() {
    let x = tensor(DType::Float16, &[2], &[0, 0x4000]).unwrap();
    let clipped = call(6, &[("min", 0.1), ("max", 1e9)], vec![Some(x.clone())]);
    assert_eq!(clipped, [Conforming::One(0x2e66), Conforming::One(0x4000)]);
    let clipped = call(6, &[("min", 3.0), ("max", 1.0)], vec![Some(x)]);
    assert!(clipped.iter().all(|one| !one.is_decided()));
    assert_eq!(converted(FLOAT16, f32::NAN.to_bits()), 0x7e00);
    assert_eq!(converted(FLOAT16, (-0.0_f32).to_bits()), 0x8000);
}

#[test]
fn bounds_are_scalars() {
    let bound = tensor(DType::Float16, &[1], &[0]).unwrap();
    let x = tensor(DType::Float16, &[1], &[0]).unwrap();
    let refused = Call::new(
        &CLIP,
        CLIP.newest(),
        Specification::Onnx,
        Attributes::new(),
        vec![Some(x), Some(bound)],
    );
    assert!(refused.unwrap_err().to_string().contains("scalars"));
}
