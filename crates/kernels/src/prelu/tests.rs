//! Leaked elements, and where the slopes of each version lie.

use half::f16;

use crate::tests::{read, run, tensor};
use crate::{Attributes, KernelError, find};
use values::dtype::DType::*;
use values::tensor::Tensor;

fn prelu(opset: i64, x: &Tensor, slope: &Tensor) -> Result<Tensor, KernelError> {
    run(find("PRelu", opset).unwrap(), &[x, slope], &Attributes::new())
}

#[test]
fn every_float16_stays_or_is_multiplied() {
    let all: Vec<u16> = (0..=u16::MAX).collect();
    let x = tensor(Float16, &[1 << 16], &all);
    for factor in [0.5, -3.3, 0.01, f32::INFINITY, f32::NAN] {
        let slope = tensor(Float16, &[1], &[f16::from_f32(factor)]);
        let results: Vec<f16> = read(&prelu(16, &x, &slope).unwrap());
        for (bits, result) in all.iter().zip(results) {
            let x = f16::from_bits(*bits);
            let product = f16::from_f32(f16::from_f32(factor).to_f32() * x.to_f32());
            let expected = if x.to_f32() < 0.0 { product } else { x };
            let same = expected.to_bits() == result.to_bits();
            assert!(same || expected.is_nan() && result.is_nan(), "{factor} {x}");
        }
    }
}

#[test]
fn integers_wrap_and_unsigned_ones_stay() {
    let (x, slope) = (tensor(Int32, &[4], &[-2, 3, i32::MIN, 0]), tensor(Int32, &[1], &[-1]));
    assert_eq!(read::<i32>(&prelu(9, &x, &slope).unwrap()), [2, 3, i32::MIN, 0]);
    let (x, slope) = (tensor(Uint64, &[2], &[u64::MAX, 3]), tensor(Uint64, &[], &[7_u64]));
    assert_eq!(prelu(16, &x, &slope), Ok(x));
}

#[test]
fn slopes_lie_along_the_channels_at_first_and_along_the_last_dimensions_later() {
    let x = tensor(Float32, &[2, 3, 3], &[-1_f32; 18]);
    let slope = tensor(Float32, &[3], &[1_f32, 2.0, 3.0]);
    let channels: Vec<f32> = (0..18).map(|at| -[1.0, 2.0, 3.0][at / 3 % 3]).collect();
    let last: Vec<f32> = (0..18).map(|at| -[1.0, 2.0, 3.0][at % 3]).collect();
    for opset in [1, 6] {
        assert_eq!(read::<f32>(&prelu(opset, &x, &slope).unwrap()), channels);
        let one = tensor(Float32, &[1, 1], &[2_f32]);
        assert_eq!(read::<f32>(&prelu(opset, &x, &one).unwrap()), [-2.0; 18]);
        let two = tensor(Float32, &[2], &[2_f32; 2]);
        assert!(matches!(prelu(opset, &x, &two), Err(KernelError::Shapes { .. })));
        assert!(matches!(prelu(opset, &slope, &slope), Err(KernelError::Shapes { .. })));
    }
    for opset in [7, 9, 16] {
        assert_eq!(read::<f32>(&prelu(opset, &x, &slope).unwrap()), last);
        assert!(matches!(prelu(opset, &slope, &x), Err(KernelError::Shapes { .. })));
    }
}
