//! Negations of every 8- and 16-bit element, of the ends of the others, and of every length.

use crate::slices;
use values::dtype::DType::{self, *};

/// The negations of values of a type.
fn negated<T: bytemuck::Pod>(dtype: DType, values: &[T]) -> Vec<T> {
    let mut results = values.to_vec();
    results.fill(T::zeroed());
    let bytes = bytemuck::cast_slice_mut(&mut results);
    let done = slices("Neg").unwrap()(dtype, &[bytemuck::cast_slice(values)], bytes);
    assert_eq!(done, Some(Ok(())));
    results
}

#[test]
fn only_the_sign_bit_of_floats_flips() {
    let halves: Vec<u16> = (0..=u16::MAX).collect();
    let flipped: Vec<u16> = halves.iter().map(|bits| bits ^ 0x8000).collect();
    // A machine may make a NaN quiet that it widens, but nothing is widened here.
    assert_eq!(negated(Float16, &halves), flipped);
    assert_eq!(negated(Bfloat16, &halves), flipped);
    for word in [0, 1, 0x007f_ffff, 0x0080_0000, 0x3f80_0000, 0x7f7f_ffff, 0x7f80_0000_u32] {
        assert_eq!(negated(Float32, &[word, word | 1 << 31]), [word | 1 << 31, word]);
    }
    for word in [0, 1, (1 << 52) - 1, 1 << 52, 1.0_f64.to_bits(), f64::INFINITY.to_bits()] {
        assert_eq!(negated(Float64, &[word, word | 1 << 63]), [word | 1 << 63, word]);
    }
    assert!(negated(Float32, &[f32::NAN])[0].is_nan() && negated(Float64, &[f64::NAN])[0].is_nan());
}

#[test]
fn integers_are_taken_from_zero_and_the_least_stays() {
    let bytes: Vec<i8> = (i8::MIN..=i8::MAX).collect();
    for (x, y) in bytes.iter().zip(negated(Int8, &bytes)) {
        assert_eq!((i16::from(*x) + i16::from(y)) % 256, 0, "{x} {y}");
    }
    let shorts: Vec<i16> = (i16::MIN..=i16::MAX).collect();
    for (x, y) in shorts.iter().zip(negated(Int16, &shorts)) {
        assert_eq!((i32::from(*x) + i32::from(y)) % 65_536, 0, "{x} {y}");
    }
    assert_eq!(negated(Int8, &[i8::MIN]), [i8::MIN]);
    assert_eq!(negated(Int16, &[i16::MIN]), [i16::MIN]);
    let ints = [i32::MIN, i32::MIN + 1, -1, 0, 1, i32::MAX];
    assert_eq!(negated(Int32, &ints), [i32::MIN, i32::MAX, 1, 0, -1, i32::MIN + 1]);
    let longs = [i64::MIN, i64::MIN + 1, -(1 << 53) - 1, 0, i64::MAX];
    assert_eq!(negated(Int64, &longs), [i64::MIN, i64::MAX, (1 << 53) + 1, 0, i64::MIN + 1]);
}

#[test]
fn every_length_gives_the_same_negations() {
    for len in (0..70).chain([1023, 1024, 1025]) {
        let values: Vec<i32> = (0..len).collect();
        let expected: Vec<i32> = (0..len).map(|x| 0 - x).collect();
        assert_eq!(negated(Int32, &values), expected);
    }
}
