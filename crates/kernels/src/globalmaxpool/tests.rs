//! The largest element of each channel, and what has none.

use crate::tests::{run, tensor};
use crate::{Attributes, find};
use values::dtype::DType::Float32;

#[test]
fn each_channel_has_one_element_and_one_without_elements_is_refused() {
    let operator = find("GlobalMaxPool", 22).unwrap();
    let of = |shape: &[usize], values: &[f32]| {
        run(operator, &[&tensor(Float32, shape, values)], &Attributes::new())
    };
    let data = [1.0, -0.0, 0.0, -3.0, 2.0, -1.0, -5.0, -6.0];
    let pooled = of(&[1, 2, 2, 2], &data).unwrap();
    assert_eq!(pooled, tensor(Float32, &[1, 2, 1, 1], &[1_f32, 2.0]));
    let zero = of(&[1, 1, 2], &[-0.0, 0.0]).unwrap();
    assert_eq!(zero, tensor(Float32, &[1, 1, 1], &[0_f32]));
    let nan = of(&[1, 1, 3], &[f32::INFINITY, f32::NAN, 1.0]).unwrap();
    assert_ne!(nan, of(&[1, 1, 3], &[f32::INFINITY, 0.0, 1.0]).unwrap());
    assert_eq!(of(&[0, 2, 0], &[]).unwrap().shape(), [0, 2, 1]);
    let refused: [&[usize]; 4] = [&[], &[0], &[0, 1], &[1, 1, 0]];
    for shape in refused {
        assert!(of(shape, &vec![0.0; shape.iter().product()]).is_err() || shape.is_empty());
    }
}
