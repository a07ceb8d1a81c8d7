//! Biases, scales of channels, and both orders of rounding and the zero point.

use values::dtype::DType::{Int8, Uint8};

use super::*;
use crate::exact::Conforming;
use crate::operator::{Attributes, Specification};

fn f32s(shape: &[usize], values: &[f32]) -> Option<Tensor> {
    Tensor::from_values(Float32, shape.to_vec(), values.to_vec()).ok()
}

fn signed(shape: &[usize], values: &[i8]) -> Option<Tensor> {
    Tensor::from_values(Int8, shape.to_vec(), values.to_vec()).ok()
}

fn convolved(
    scale: Option<Tensor>,
    zero: Option<Tensor>,
    bias: Option<Tensor>,
) -> Result<Vec<Conforming>, Invalid> {
    let bytes = |shape: &[usize], values: &[u8]| {
        Tensor::from_values(Uint8, shape.to_vec(), values.to_vec()).ok()
    };
    let (x, w) = (bytes(&[1, 1, 2], &[11, 12]), signed(&[2, 1, 1], &[1, 3]));
    let x_zero = bytes(&[], &[10]);
    let (one, two) = (f32s(&[], &[1.0]), f32s(&[], &[2.0]));
    let inputs = vec![x, one, x_zero, w, scale, zero, two, signed(&[], &[1]), bias];
    let (version, attributes) = (QLINEARCONV.newest(), Attributes::new());
    let (call, types) = Call::new(&QLINEARCONV, version, Specification::Onnx, attributes, inputs)?;
    let allowed = QLINEARCONV.reference.allowed(&call, &types);
    let count: usize = types[0].shape.iter().product();
    Ok((0..count).map(|index| allowed[0].at(index)).collect())
}

#[test]
fn channels_have_their_scale_zero_point_and_bias() {
    let (scales, zeros) = (f32s(&[2], &[4.0, 10.0]), signed(&[2], &[0, 1]));
    let numbers = |all: &[i8]| -> Vec<Conforming> {
        all.iter().map(|own| Conforming::One(u64::from(*own as u8))).collect()
    };
    assert_eq!(convolved(scales.clone(), zeros.clone(), None), Ok(numbers(&[3, 5, 11, 21])));
    let bias = |shape: &[usize]| {
        let values = [100, -1, 5][..shape.iter().product()].to_vec();
        Tensor::from_values(Int32, shape.to_vec(), values).ok()
    };
    let own = convolved(scales.clone(), zeros.clone(), bias(&[2]));
    assert_eq!(own, Ok(numbers(&[127, 127, 6, 16])));
    for shape in [&[][..], &[1], &[3], &[1, 2]] {
        assert!(convolved(scales.clone(), zeros.clone(), bias(shape)).is_err());
    }
    assert!(convolved(scales, signed(&[], &[0]), None).is_err());
}

#[test]
fn a_tie_may_be_rounded_with_the_zero_point_or_without() {
    // 1/2 and 3/2, to which 1 is added.
    let own = convolved(f32s(&[], &[1.0]), signed(&[], &[0]), None).unwrap();
    assert!(own[0].accepts(1) && own[0].accepts(2) && !own[0].accepts(0), "{own:?}");
    assert_eq!(own[1], Conforming::One(2));
    assert!(own[2].accepts(3) && own[2].accepts(2) && !own[2].accepts(4), "{own:?}");
}
