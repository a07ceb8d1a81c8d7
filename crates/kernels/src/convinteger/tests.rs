//! Convolutions written out, with every attribute, and what is refused.

use crate::tests::{read, tensor};
use crate::{Attribute, Attributes, KernelError, find};
use values::dtype::DType::{Int8, Uint8};
use values::tensor::Tensor;

fn list(name: &str, values: &[i64]) -> (String, Attribute) {
    (name.to_owned(), Attribute::Ints(values.to_vec()))
}

fn text(name: &str, value: &str) -> (String, Attribute) {
    (name.to_owned(), Attribute::Text(value.to_owned()))
}

fn convolved(
    inputs: &[&Tensor],
    attributes: &[(String, Attribute)],
) -> Result<(Vec<usize>, Vec<i32>), KernelError> {
    let inputs: Vec<_> = inputs.iter().copied().map(Some).collect();
    let attributes: Attributes = attributes.iter().cloned().collect();
    let outputs = find("ConvInteger", 10).unwrap().run(&inputs, &attributes)?;
    Ok((outputs[0].shape().to_vec(), read(&outputs[0])))
}

fn bytes(shape: &[usize], values: &[u8]) -> Tensor {
    tensor(Uint8, shape, values)
}

fn signed(shape: &[usize], values: &[i8]) -> Tensor {
    tensor(Int8, shape, values)
}

#[test]
fn padding_strides_and_dilations_move_the_weights() {
    let x = bytes(&[1, 1, 5], &[11, 12, 13, 14, 15]);
    let (w, zero) = (signed(&[1, 1, 2], &[1, 10]), bytes(&[], &[10]));
    let of = |attributes: &[_]| convolved(&[&x, &w, &zero], attributes).unwrap().1;
    assert_eq!(of(&[]), [21, 32, 43, 54]);
    assert_eq!(of(&[list("pads", &[1, 2])]), [10, 21, 32, 43, 54, 5, 0]);
    assert_eq!(of(&[list("strides", &[3])]), [21, 54]);
    assert_eq!(of(&[list("strides", &[i64::MAX])]), [21]);
    assert_eq!(of(&[list("dilations", &[3])]), [41, 52]);
    assert_eq!(of(&[text("auto_pad", "SAME_UPPER")]), [21, 32, 43, 54, 5]);
    assert_eq!(of(&[text("auto_pad", "SAME_LOWER")]), [10, 21, 32, 43, 54]);
    let same = [text("auto_pad", "SAME_UPPER"), list("dilations", &[2])];
    assert_eq!(of(&same), [20, 31, 42, 53, 4]);
    let same = [text("auto_pad", "SAME_LOWER"), list("strides", &[4])];
    assert_eq!(of(&same), [10, 54]);
}

#[test]
fn groups_have_channels_and_zero_points_of_their_own() {
    let x = bytes(&[1, 2, 2], &[1, 2, 3, 4]);
    let w = signed(&[2, 1, 1], &[1, 10]);
    let zero = signed(&[2], &[0, 1]);
    let group = [("group".to_owned(), Attribute::Int(2))];
    let inputs = [&x, &w, &bytes(&[], &[0]), &zero];
    assert_eq!(convolved(&inputs, &group), Ok((vec![1, 2, 2], vec![1, 2, 27, 36])));
    for zero in [signed(&[1, 2], &[0; 2]), signed(&[3], &[0; 3])] {
        let error = convolved(&[&x, &w, &bytes(&[], &[0]), &zero], &group).unwrap_err();
        assert!(matches!(error, KernelError::Shapes { .. }), "{error}");
    }
    let error = convolved(&[&x, &w, &bytes(&[2], &[0; 2])], &group).unwrap_err();
    assert!(matches!(error, KernelError::Shapes { .. }), "{error}");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let (x, w) = (bytes(&[1, 2, 5], &[1; 10]), signed(&[2, 2, 2], &[1; 8]));
    let group = |count| ("group".to_owned(), Attribute::Int(count));
    for attributes in [
        vec![group(0)],
        vec![group(2)],
        vec![group(-1)],
        vec![list("strides", &[0])],
        vec![list("strides", &[1, 1])],
        vec![list("dilations", &[0])],
        vec![list("dilations", &[5])],
        vec![list("dilations", &[i64::MAX])],
        vec![list("pads", &[1])],
        vec![list("pads", &[-1, 1])],
        vec![list("pads", &[0, i64::MAX])],
        vec![list("kernel_shape", &[3])],
        vec![text("auto_pad", "SAME_UPPER"), list("pads", &[0, 0])],
    ] {
        let error = convolved(&[&x, &w], &attributes).unwrap_err();
        assert!(matches!(error, KernelError::Shapes { .. }), "{error} {attributes:?}");
    }
    let far = convolved(&[&x, &w], &[list("pads", &[1 << 60, 0])]).unwrap_err();
    assert!(matches!(far, KernelError::TooLarge { .. }), "{far}");
    for (x, w) in [(&[1, 2][..], &[2, 2, 2][..]), (&[1, 2, 5], &[2, 2]), (&[1, 2, 1], &[2, 2, 2])] {
        let count = x.iter().product();
        let x = bytes(x, &vec![1; count]);
        let w = signed(w, &vec![1; w.iter().product()]);
        assert!(convolved(&[&x, &w], &[]).is_err());
    }
}

#[test]
fn of_no_channels_the_sums_are_zeros_however_large_the_weights_are() {
    let huge = 1_usize << 40;
    let of = |dtype, shape: Vec<usize>| Tensor::from_bits(dtype, shape, Vec::new().into()).unwrap();
    let (x, w) = (of(Uint8, vec![1, 0, huge, huge]), of(Int8, vec![2, 0, huge, huge]));
    assert_eq!(convolved(&[&x, &w], &[]), Ok((vec![1, 2, 1, 1], vec![0, 0])));
}
