//! Clipped elements of every version and form of bounds.

use half::f16;

use crate::tests::{read, tensor};
use crate::{Attribute, Attributes, KernelError, find};
use values::dtype::DType::*;
use values::tensor::Tensor;

fn clip(
    opset: i64,
    inputs: &[Option<&Tensor>],
    bounds: [Option<f32>; 2],
) -> Result<Tensor, KernelError> {
    let named = ["min", "max"].into_iter().zip(bounds);
    let attributes: Attributes = named
        .filter_map(|(name, bound)| Some((name.to_owned(), Attribute::Float(bound?))))
        .collect();
    find("Clip", opset).unwrap().run(inputs, &attributes).map(|mut outputs| outputs.remove(0))
}

#[test]
fn integers_are_clipped_to_bounds_that_are_given() {
    let bytes: Vec<i8> = (i8::MIN..=i8::MAX).collect();
    let x = tensor(Int8, &[256], &bytes);
    for (min, max) in [(-5_i8, 7_i8), (7, -5), (i8::MIN, i8::MAX), (0, 0)] {
        let (low, high) = (tensor(Int8, &[], &[min]), tensor(Int8, &[], &[max]));
        let with = |bounds: [Option<&Tensor>; 2]| -> Vec<i8> {
            read(&clip(13, &[Some(&x), bounds[0], bounds[1]], [None; 2]).unwrap())
        };
        let all = |one: &dyn Fn(i8) -> i8| -> Vec<i8> { bytes.iter().map(|x| one(*x)).collect() };
        assert_eq!(with([Some(&low), Some(&high)]), all(&|x| x.max(min).min(max)));
        assert_eq!(with([None, Some(&high)]), all(&|x| x.min(max)));
        assert_eq!(with([Some(&low), None]), all(&|x| x.max(min)));
    }
    let (x, min) = (tensor(Uint64, &[2], &[u64::MAX, 3]), tensor(Uint64, &[], &[u64::MAX - 1]));
    assert_eq!(
        read::<u64>(&clip(12, &[Some(&x), Some(&min)], [None; 2]).unwrap()),
        [u64::MAX, u64::MAX - 1]
    );
}

#[test]
fn floats_keep_zeros_nan_and_what_no_bound_says() {
    let values = [f32::NEG_INFINITY, -2.0, -0.0, 0.0, 2.0, f32::INFINITY];
    let x = tensor(Float32, &[6], &values);
    let clipped = |min: f32, max: f32| {
        let (min, max) = (tensor(Float32, &[], &[min]), tensor(Float32, &[], &[max]));
        let output = clip(13, &[Some(&x), Some(&min), Some(&max)], [None; 2]).unwrap();
        read::<f32>(&output).into_iter().map(f32::to_bits).collect::<Vec<_>>()
    };
    let bits = |values: [f32; 6]| values.map(f32::to_bits).to_vec();
    assert_eq!(clipped(0.0, 1.0), bits([0.0, 0.0, -0.0, 0.0, 1.0, 1.0]));
    assert_eq!(clipped(f32::NAN, 1.0), bits([f32::NEG_INFINITY, -2.0, -0.0, 0.0, 1.0, 1.0]));
    assert_eq!(clipped(f32::NAN, f32::NAN), bits(values));
    assert_eq!(clipped(1.0, -1.0), bits([-1.0; 6]));
    let nan = tensor(Float16, &[1], &[f16::NAN]);
    let zero = tensor(Float16, &[], &[f16::ZERO]);
    let output = clip(11, &[Some(&nan), Some(&zero), Some(&zero)], [None; 2]).unwrap();
    assert!(read::<f16>(&output)[0].is_nan());
    assert_eq!(clip(11, &[Some(&x)], [None; 2]), Ok(x));
}

#[test]
fn attributes_are_the_nearest_numbers_of_each_type() {
    let x = tensor(Float16, &[2], &[f16::ZERO, f16::MAX]);
    let output = clip(6, &[Some(&x)], [Some(0.1), Some(1000.3)]).unwrap();
    assert_eq!(read::<f16>(&output), [f16::from_f32(0.1), f16::from_f32(1000.3)]);
    let infinite = tensor(Float64, &[2], &[f64::INFINITY, 1e300]);
    let output = clip(1, &[Some(&infinite)], [None; 2]).unwrap();
    assert_eq!(read::<f64>(&output), [f64::from(f32::MAX); 2]);
}

#[test]
fn bounds_that_are_no_scalars_are_refused() {
    let x = tensor(Float32, &[2], &[1_f32; 2]);
    let one = tensor(Float32, &[1], &[1_f32]);
    let error = clip(13, &[Some(&x), Some(&one)], [None; 2]).unwrap_err();
    assert_eq!(error.to_string(), "Clip-13 cannot take shapes [2] and [1]: bounds are scalars");
    let wide = tensor(Float64, &[], &[1_f64]);
    let error = clip(13, &[Some(&x), None, Some(&wide)], [None; 2]).unwrap_err();
    assert!(matches!(error, KernelError::TypesDiffer { .. }));
}
