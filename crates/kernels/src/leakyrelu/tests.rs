//! Leaked elements of every 16-bit float, and with every form of `alpha`.

use half::{bf16, f16};

use crate::tests::{read, run, tensor};
use crate::{Attribute, Attributes, find, slices};
use values::dtype::DType::*;
use values::tensor::Tensor;

fn leaked(alpha: Option<f32>, x: &Tensor) -> Tensor {
    let attribute = |alpha| ("alpha".to_owned(), Attribute::Float(alpha));
    let attributes: Attributes = alpha.map(attribute).into_iter().collect();
    run(find("LeakyRelu", 16).unwrap(), &[x], &attributes).unwrap()
}

#[test]
fn every_16_bit_float_is_multiplied_where_it_is_negative_and_stays_elsewhere() {
    let all: Vec<u16> = (0..=u16::MAX).collect();
    for alpha in [0.01, 0.5, -3.3, 0.0] {
        let halves: Vec<u16> = read(&leaked(Some(alpha), &tensor(Float16, &[1 << 16], &all)));
        for (bits, result) in all.iter().zip(halves) {
            let (x, result) = (f16::from_bits(*bits), f16::from_bits(result));
            // The product of two significands of 11 bits is exact in float32.
            let product = f16::from_f32(f16::from_f32(alpha).to_f32() * x.to_f32());
            let expected = if x.to_f32() < 0.0 { product } else { x };
            let same = expected.to_bits() == result.to_bits();
            assert!(same || expected.is_nan() && result.is_nan(), "{alpha} {x}");
        }
        let halves: Vec<u16> = read(&leaked(Some(alpha), &tensor(Bfloat16, &[1 << 16], &all)));
        for (bits, result) in all.iter().zip(halves) {
            let (x, result) = (bf16::from_bits(*bits), bf16::from_bits(result));
            let product = bf16::from_f32(bf16::from_f32(alpha).to_f32() * x.to_f32());
            let expected = if x.to_f32() < 0.0 { product } else { x };
            let same = expected.to_bits() == result.to_bits();
            assert!(same || expected.is_nan() && result.is_nan(), "{alpha} {x}");
        }
    }
}

#[test]
fn alpha_is_a_hundredth_where_it_is_not_given() {
    let x = tensor(Float32, &[4], &[-1_f32, -0.0, 0.0, 3.0]);
    let results: Vec<u32> = read(&leaked(None, &x));
    assert_eq!(results, [-0.01_f32, -0.0, 0.0, 3.0].map(f32::to_bits));
    let x = tensor(Float64, &[2], &[-1_f64, 1.0]);
    assert_eq!(read::<f64>(&leaked(None, &x)), [-f64::from(0.01_f32), 1.0]);
    let mut results = [0_f32; 2];
    let operands = [-100_f32, 7.0];
    let done = slices("LeakyRelu").unwrap()(
        Float32,
        &[bytemuck::cast_slice(&operands)],
        bytemuck::cast_slice_mut(&mut results),
    );
    assert_eq!((done, results), (Some(Ok(())), [-1.0, 7.0]));
}
