//! Channels of known mean and variance.

use crate::tests::{ones, read, run, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::{Float32, Float64};
use values::tensor::Tensor;

fn normalized(opset: i64, inputs: &[&Tensor], epsilon: f32) -> Result<Tensor, KernelError> {
    let attributes = Attributes::from([("epsilon".to_owned(), Attribute::Float(epsilon))]);
    run(find("InstanceNormalization", opset).unwrap(), inputs, &attributes)
}

#[test]
fn each_channel_of_each_instance_has_its_own_mean_and_variance() {
    let data = [1.0, 3.0, 10.0, 18.0, -1.0, 1.0, 5.0, 5.0_f64];
    let input = tensor(Float64, &[2, 2, 2], &data);
    let [scale, shift] = [[1.0, 2.0], [0.0, 0.5_f64]].map(|all| tensor(Float64, &[2], &all));
    let output = normalized(22, &[&input, &scale, &shift], 0.0).unwrap();
    let output = read::<f64>(&output);
    assert_eq!(output[..6], [-1.0, 1.0, -1.5, 2.5, -1.0, 1.0]);
    assert!(output[6..].iter().all(|x| x.is_nan()), "no variance and no epsilon");
    let output = read::<f64>(&normalized(22, &[&input, &scale, &shift], 3.0).unwrap());
    assert_eq!((output[0], output[6]), (-0.5, 0.5));
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let ones = |shape: &[usize]| ones(Float32, shape);
    for (opset, x, scale, shift) in [
        (22, &[2, 3][..], &[3][..], &[3][..]),
        (22, &[2, 3, 1], &[2], &[3]),
        (22, &[2, 3, 1], &[3], &[3, 1]),
        (1, &[2, 3, 1], &[3], &[3]),
        (1, &[2, 3, 1, 1, 1], &[3], &[3]),
    ] {
        let inputs = [ones(x), ones(scale), ones(shift)];
        let error = normalized(opset, &inputs.each_ref(), 1.0).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{x:?}");
    }
    let empty = [ones(&[2, 2, 0]), ones(&[2]), ones(&[2])];
    assert_eq!(normalized(22, &empty.each_ref(), 1.0).unwrap().shape(), [2, 2, 0]);
}
