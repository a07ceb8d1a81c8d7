//! Lines of known mean and variance, in both types of the first stage.

use crate::tests::{read, run, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use half::{bf16, f16};
use values::dtype::DType::{Bfloat16, Float16, Float32};
use values::tensor::Tensor;

fn all(
    inputs: &[Option<&Tensor>],
    outputs: usize,
    list: &[(&str, i64)],
    epsilon: f32,
) -> Result<Vec<Tensor>, KernelError> {
    let int = |&(name, value): &(&str, i64)| (name.to_owned(), Attribute::Int(value));
    let mut attributes: Attributes = list.iter().map(int).collect();
    attributes.insert("epsilon".to_owned(), Attribute::Float(epsilon));
    find("LayerNormalization", 17).unwrap().run_for(outputs, inputs, &attributes)
}

#[test]
fn lines_are_normalized_scaled_and_shifted_and_their_statistics_told() {
    let x = tensor(Float32, &[2, 2], &[1_f32, 3.0, 10.0, 18.0]);
    let scale = tensor(Float32, &[2], &[1_f32, 2.0]);
    let shift = tensor(Float32, &[1], &[0.5_f32]);
    let outputs = all(&[Some(&x), Some(&scale), Some(&shift)], 3, &[], 0.0).unwrap();
    assert_eq!(read::<f32>(&outputs[0]), [-0.5, 2.5, -0.5, 2.5]);
    assert_eq!((read::<f32>(&outputs[1]), outputs[1].shape()), (vec![2.0, 14.0], &[2, 1][..]));
    assert_eq!(read::<f32>(&outputs[2]), [1.0, 0.25]);
    let whole = all(&[Some(&x), Some(&scale)], 2, &[("axis", 0)], 0.0).unwrap();
    assert_eq!((read::<f32>(&whole[1]), whole[1].shape()), (vec![8.0], &[1, 1][..]));
    assert_eq!(whole.len(), 2);
    assert_eq!(
        run(find("LayerNormalization", 17).unwrap(), &[&x, &scale], &Attributes::new())
            .unwrap()
            .shape(),
        [2, 2]
    );
}

#[test]
fn the_first_stage_is_in_the_type_that_is_named() {
    let data = [300.0, -300.0, 500.0, -500.0].map(f16::from_f32);
    let [x, scale] = [&data, &[f16::ONE; 4]].map(|all| tensor(Float16, &[1, 4], all));
    let outputs = all(&[Some(&x), Some(&scale)], 3, &[], 0.0).unwrap();
    let inverse = read::<f32>(&outputs[2])[0];
    assert!((inverse - 1.0 / 170_000_f32.sqrt()).abs() < 1e-9, "{inverse}");
    let outputs = all(&[Some(&x), Some(&scale)], 3, &[("stash_type", 16)], 0.0).unwrap();
    assert_eq!(outputs[2].dtype(), Bfloat16);
    assert_eq!(read::<bf16>(&outputs[2]), [bf16::from_f32(inverse)]);
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let x = tensor(Float32, &[1, 3], &[1_f32, 2.0, 3.0]);
    for (shape, list) in [
        (&[2, 3][..], &[][..]),
        (&[2], &[]),
        (&[1, 1, 3], &[]),
        (&[3], &[("axis", 2)]),
        (&[3], &[("axis", -3)]),
        (&[3], &[("axis", i64::MIN)]),
        (&[3], &[("stash_type", 11)]),
    ] {
        let count = shape.iter().product();
        let scale = tensor(Float32, shape, &vec![1_f32; count]);
        let error = all(&[Some(&x), Some(&scale)], 1, list, 1.0).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{shape:?} {list:?}");
    }
}
