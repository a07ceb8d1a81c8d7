//! Maxima and minima against the order of the machine's numbers.

use values::dtype::{DType, Kind};
use values::random::Random;

use super::*;

fn conforming(is_largest: bool, dtype: DType, operands: &[u64]) -> Conforming {
    let elements: Vec<_> = operands.iter().map(|&bits| Element::Bits(dtype, bits.into())).collect();
    Extremum { is_largest, is_total: false }.conforming(dtype, &elements)
}

/// Checks the results of floats by their values.
fn check_floats(dtype: DType, value: fn(u64) -> f64, [a, b]: [u64; 2]) {
    let Kind::Float(format) = dtype.kind() else { panic!("{dtype}") };
    for is_largest in [true, false] {
        let found = conforming(is_largest, dtype, &[a, b]);
        let (x, y) = (value(a), value(b));
        let is_x = if is_largest { x >= y } else { x <= y };
        let expected = match (x.is_nan(), y.is_nan()) {
            (true, true) => vec![Conforming::AnyNan(format)],
            (true, false) => vec![Conforming::AnyNan(format), Conforming::One(b)],
            (false, true) => vec![Conforming::AnyNan(format), Conforming::One(a)],
            _ if x == y && a != b => {
                let zeros = [0, format.negated(0)];
                zeros[usize::from(!is_largest)..]
                    .iter()
                    .chain(&zeros[..usize::from(!is_largest)])
                    .map(|zero| Conforming::One(*zero))
                    .collect()
            }
            _ => vec![Conforming::One(if is_x { a } else { b })],
        };
        assert_eq!(Some(found), Conforming::one_of(expected), "{dtype} {a:#x} {b:#x}");
    }
}

#[test]
fn pairs_of_floats_of_8_bits_all_and_of_others_many_are_ordered_by_their_values() {
    let of_16 = |dtype: DType| match dtype {
        DType::Float16 => (|bits| FloatFormat::FLOAT16.to_f64(bits)) as fn(u64) -> f64,
        _ => |bits| f64::from(f32::from_bits((bits as u32) << 16)),
    };
    let mut random = Random::new(1);
    for dtype in [DType::Float16, DType::Bfloat16] {
        for a in 0..1 << 16 {
            let other = random.bits() & 0xffff;
            let near = [a, a ^ 0x8000, (a + 1) & 0xffff, other, 0x7e00, 0, 0x8000];
            near.into_iter().for_each(|b| check_floats(dtype, of_16(dtype), [a, b]));
        }
    }
    for _ in 0..100_000 {
        let [a, b] = [random.bits(), random.bits()];
        let narrow = |bits| f64::from(f32::from_bits(bits as u32));
        for b in [b & 0xffff_ffff, a & 0xffff_ffff ^ 1, (a & 0xffff_ffff) ^ (1 << 31)] {
            check_floats(DType::Float32, narrow, [a & 0xffff_ffff, b]);
        }
        for b in [b, a ^ 1, a ^ (1 << 63), 0x7ff0_0000_0000_0001] {
            check_floats(DType::Float64, f64::from_bits, [a, b]);
        }
    }
    let float8 = |bits| FloatFormat::FLOAT8E5M2.to_f64(bits);
    for (a, b) in (0..256).flat_map(|a| (0..256).map(move |b| (a, b))) {
        check_floats(DType::Float8E5M2, float8, [a, b]);
    }
}

#[test]
fn integers_are_ordered_by_their_values() {
    let mut random = Random::new(2);
    let check = |dtype: DType, value: &dyn Fn(u64) -> i128, [a, b]: [u64; 2]| {
        let [largest, smallest] = if value(a) >= value(b) { [a, b] } else { [b, a] };
        assert_eq!(conforming(true, dtype, &[a, b]), Conforming::One(largest));
        assert_eq!(conforming(false, dtype, &[a, b]), Conforming::One(smallest));
    };
    for (a, b) in (0..256).flat_map(|a| (0..256).map(move |b| (a, b))) {
        check(DType::Int8, &|bits| (bits as i8).into(), [a, b]);
        check(DType::Uint8, &|bits| bits.into(), [a, b]);
    }
    for _ in 0..100_000 {
        let [a, b] = [random.bits(), random.bits() >> (random.bits() & 63)];
        check(DType::Int16, &|bits| (bits as i16).into(), [a, b].map(|bits| bits & 0xffff));
        check(DType::Uint16, &|bits| bits.into(), [a, b].map(|bits| bits & 0xffff));
        check(DType::Int32, &|bits| (bits as i32).into(), [a, b].map(|bits| bits & 0xffff_ffff));
        check(DType::Uint32, &|bits| bits.into(), [a, b].map(|bits| bits & 0xffff_ffff));
        check(DType::Int64, &|bits| bits.cast_signed().into(), [a, b]);
        check(DType::Uint64, &|bits| bits.into(), [a, b]);
    }
}

#[test]
fn any_number_of_elements_has_its_extremum_and_one_is_its_own() {
    let all = [0xff_u64, 3, 0x80, 7];
    assert_eq!(conforming(true, DType::Int8, &all), Conforming::One(7));
    assert_eq!(conforming(false, DType::Int8, &all), Conforming::One(0x80));
    assert_eq!(conforming(true, DType::Int8, &[0xff]), Conforming::One(0xff));
    let nan = Conforming::AnyNan(&FloatFormat::FLOAT16);
    assert_eq!(conforming(true, DType::Float16, &[0x7e01]), nan);
    assert_eq!(conforming(true, DType::Float16, &[]), FOREIGN);
    let among = conforming(true, DType::Float16, &[0x3c00, 0x7e01, 0x4000]);
    assert_eq!(among, Conforming::OneOf(vec![nan, Conforming::One(0x4000)]));
}

#[test]
fn sonnx_orders_zeros_and_has_nan_absorb() {
    let total = |operands: &[u64]| {
        let elements: Vec<_> =
            operands.iter().map(|&bits| Element::Bits(DType::Float16, bits.into())).collect();
        Extremum { is_largest: true, is_total: true }.conforming(DType::Float16, &elements)
    };
    assert_eq!(
        [total(&[0, 0x8000]), total(&[0x8000, 0])],
        [Conforming::One(0), Conforming::One(0)]
    );
    assert_eq!(total(&[0x8000, 0x8000]), Conforming::One(0x8000));
    let nan = Conforming::AnyNan(&FloatFormat::FLOAT16);
    assert_eq!([total(&[0x7c00, 0x7e01]), total(&[0xfe00, 0x7c00])], [nan.clone(), nan]);
}
