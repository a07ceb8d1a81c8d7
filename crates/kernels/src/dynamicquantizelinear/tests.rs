//! The three outputs of data of either sign.

use crate::tests::{read, tensor};
use crate::{Attributes, find};
use values::dtype::DType::*;
use values::tensor::Tensor;

fn quantized(x: &[f32]) -> (Vec<u8>, f32, u8) {
    let x = tensor(Float32, &[x.len()], x);
    let operator = find("DynamicQuantizeLinear", 11).unwrap();
    let outputs = operator.run_for(3, &[Some(&x)], &Attributes::new()).unwrap();
    let [y, scale, zero]: [Tensor; 3] = outputs.try_into().unwrap();
    (read(&y), read::<f32>(&scale)[0], read::<u8>(&zero)[0])
}

#[test]
fn the_range_has_zero_in_it() {
    assert_eq!(quantized(&[-255.0, 0.0, 255.0]), (vec![0, 128, 255], 2.0, 128));
    assert_eq!(quantized(&[255.0, 102.5, 103.5]), (vec![255, 102, 104], 1.0, 0));
    assert_eq!(quantized(&[-255.0, -1.0, -3.4]), (vec![0, 254, 252], 1.0, 255));
}
