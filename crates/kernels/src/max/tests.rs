//! The largest of every pair of 8-bit elements and of many others, of several inputs, and in every version.

use crate::tests::{read, run, tensor};
use crate::{Attributes, KernelError, find, slices};
use values::dtype::DType::{self, *};

/// The largest of each two values of a type.
fn of<T: bytemuck::Pod>(dtype: DType, a: &[T], b: &[T]) -> Vec<T> {
    let mut results = a.to_vec();
    results.fill(T::zeroed());
    let operands = [bytemuck::cast_slice(a), bytemuck::cast_slice(b)];
    let done = slices("Max").unwrap()(dtype, &operands, bytemuck::cast_slice_mut(&mut results));
    assert_eq!(done, Some(Ok(())));
    results
}

#[test]
fn every_pair_of_8_bit_integers_has_its_largest() {
    for a in 0..=u8::MAX {
        let all: Vec<u8> = (0..=u8::MAX).collect();
        let unsigned: Vec<u8> = all.iter().map(|b| u16::from(a).max(u16::from(*b)) as u8).collect();
        assert_eq!(of(Uint8, &[a; 256], &all), unsigned);
        let wide = |byte: u8| i32::from(byte as i8);
        let signed: Vec<u8> = all.iter().map(|b| wide(a).max(wide(*b)) as u8).collect();
        assert_eq!(of(Int8, &[a; 256], &all), signed);
    }
    let ends = [i64::MIN, (1 << 53) + 1, -1];
    assert_eq!(of(Int64, &ends, &[0, 1 << 53, -2]), [0, (1 << 53) + 1, -1]);
    assert_eq!(of(Uint64, &[u64::MAX], &[1 << 63]), [u64::MAX]);
}

#[test]
fn half_floats_are_ordered_as_signed_magnitudes_and_nan_stays() {
    // Above every infinity lie the NaNs.
    for (dtype, infinity) in [(Float16, 0x7c00_u16), (Bfloat16, 0x7f80)] {
        let order = |bits: u16| {
            let magnitude = i32::from(bits & 0x7fff);
            // -0 lies below 0.
            if bits >> 15 == 1 { -magnitude - 1 } else { magnitude }
        };
        let all: Vec<u16> = (0..=u16::MAX).collect();
        for b in [0, 0x8000, 1, 0x8001, 0x3c00, 0xbc00, infinity, infinity | 0x8000, infinity + 1] {
            let results = of(dtype, &all, &vec![b; all.len()]);
            for (a, result) in all.iter().zip(results) {
                let is_nan = |bits: u16| bits & 0x7fff > infinity;
                match is_nan(*a) || is_nan(b) {
                    true => assert!(is_nan(result), "{a:x} {b:x}"),
                    false => assert_eq!(order(result), order(*a).max(order(b)), "{a:x} {b:x}"),
                }
            }
        }
    }
    assert!(of(Float32, &[f32::NAN, 1.0], &[1.0, f32::NAN]).iter().all(|it| it.is_nan()));
    assert!(of(Float64, &[f64::NAN, 1.0], &[1.0, f64::NAN]).iter().all(|it| it.is_nan()));
    let zeros = of(Float32, &[0.0_f32, -0.0], &[-0.0, 0.0]);
    assert!(zeros.iter().all(|zero| zero.to_bits() == 0));
}

#[test]
fn any_number_of_inputs_has_its_largest() {
    let inputs = [[3_i32, 6, 1], [2, 3, 7], [5, 4, 6]].map(|values| tensor(Int32, &[3], &values));
    let operator = find("Max", 13).unwrap();
    let all: Vec<_> = inputs.iter().collect();
    assert_eq!(read::<i32>(&run(operator, &all, &Attributes::new()).unwrap()), [5, 6, 7]);
    assert_eq!(run(operator, &all[..1], &Attributes::new()), Ok(inputs[0].clone()));
    assert!(matches!(run(operator, &[], &Attributes::new()), Err(KernelError::Arity { .. })));
    let rows: Vec<i32> = (0..5000).map(|at| at % 7).collect();
    let (long, row) = (tensor(Int32, &[1000, 5], &rows), tensor(Int32, &[5], &[3; 5]));
    let scalar = tensor(Int32, &[], &[3]);
    let expected: Vec<i32> = rows.iter().map(|&it| it.max(3)).collect();
    let results = run(operator, &[&scalar, &long, &row], &Attributes::new()).unwrap();
    assert_eq!((results.shape(), read::<i32>(&results)), (&[1000, 5][..], expected));
}

#[test]
fn the_versions_before_8_want_equal_shapes() {
    let (row, matrix) = (tensor(Float32, &[3], &[1_f32; 3]), tensor(Float32, &[2, 3], &[1_f32; 6]));
    for opset in [1, 6] {
        let error = run(find("Max", opset).unwrap(), &[&matrix, &row], &Attributes::new());
        assert!(matches!(error, Err(KernelError::Shapes { .. })));
    }
    assert_eq!(run(find("Max", 8).unwrap(), &[&row, &matrix], &Attributes::new()), Ok(matrix));
}
