//! Transposed convolutions written out, with every attribute, and what is refused.

use crate::tests::{ones, read, tensor};
use crate::{Attribute, Attributes, KernelError, find};
use values::dtype::DType::Float32;
use values::tensor::Tensor;

type List<'a> = (&'a str, &'a [i64]);

fn spread(
    inputs: &[&Tensor],
    auto: &str,
    list: &[List<'_>],
) -> Result<(Vec<usize>, Vec<f32>), KernelError> {
    let ints = |(name, values): &List<'_>| {
        let value = match *name {
            "group" => Attribute::Int(values[0]),
            _ => Attribute::Ints(values.to_vec()),
        };
        ((*name).to_owned(), value)
    };
    let mut attributes: Attributes = list.iter().map(ints).collect();
    if !auto.is_empty() {
        attributes.insert("auto_pad".to_owned(), Attribute::Text(auto.to_owned()));
    }
    let inputs: Vec<_> = inputs.iter().copied().map(Some).collect();
    let outputs = find("ConvTranspose", 22).unwrap().run(&inputs, &attributes)?;
    Ok((outputs[0].shape().to_vec(), read(&outputs[0])))
}

#[test]
fn elements_lie_a_stride_apart_and_weights_a_dilation() {
    let x = tensor(Float32, &[1, 1, 3], &[1_f32, 2., 3.]);
    let w = tensor(Float32, &[1, 1, 2], &[1_f32, 10.]);
    let of = |auto: &str, list: &[List<'_>]| spread(&[&x, &w], auto, list).unwrap().1;
    assert_eq!(of("", &[]), [1., 12., 23., 30.]);
    assert_eq!(of("", &[("strides", &[2])]), [1., 10., 2., 20., 3., 30.]);
    assert_eq!(of("", &[("dilations", &[2])]), [1., 2., 13., 20., 30.]);
    assert_eq!(of("", &[("pads", &[1, 2])]), [12.]);
    let more = [("strides", &[3][..]), ("output_padding", &[2])];
    assert_eq!(of("", &more), [1., 10., 0., 2., 20., 0., 3., 30., 0., 0.]);
    assert_eq!(of("", &[("output_shape", &[3])]), [12., 23., 30.]);
    assert_eq!(of("SAME_UPPER", &[("output_shape", &[3])]), [1., 12., 23.]);
    assert_eq!(of("SAME_LOWER", &[]), [12., 23., 30.]);
    assert_eq!(of("SAME_UPPER", &[]), [1., 12., 23.]);
    assert_eq!(of("VALID", &[]), [1., 12., 23., 30.]);
    let ignored = [("output_shape", &[2][..]), ("pads", &[3, 3])];
    assert_eq!(of("", &ignored), [12., 23.]);
}

#[test]
fn groups_have_channels_of_their_own_and_outputs_a_bias() {
    let x = tensor(Float32, &[1, 2, 1], &[1_f32, 2.]);
    let w = tensor(Float32, &[2, 2, 1], &[1_f32, 10., 100., 1000.]);
    let b = tensor(Float32, &[2], &[0.5_f32, -0.5]);
    assert_eq!(spread(&[&x, &w, &b], "", &[]), Ok((vec![1, 2, 1], vec![201.5, 2009.5])));
    let found = spread(&[&x, &w], "", &[("group", &[2])]);
    assert_eq!(found, Ok((vec![1, 4, 1], vec![1., 10., 200., 2000.])));
    assert!(spread(&[&x, &w, &ones(Float32, &[1])], "", &[]).is_err());
}

#[test]
fn what_does_not_go_together_is_refused() {
    let (x, w) = (ones(Float32, &[1, 2, 3]), ones(Float32, &[2, 2, 2]));
    for (name, values) in [
        ("group", &[0][..]),
        ("group", &[3]),
        ("strides", &[0]),
        ("strides", &[i64::MAX]),
        ("dilations", &[0]),
        ("dilations", &[i64::MAX]),
        ("pads", &[1]),
        ("pads", &[-1, 0]),
        ("pads", &[3, 2]),
        ("pads", &[0, i64::MAX]),
        ("kernel_shape", &[3]),
        ("output_padding", &[1]),
        ("output_padding", &[-1]),
        ("output_shape", &[-1]),
        ("output_shape", &[1, 1]),
    ] {
        assert!(spread(&[&x, &w], "", &[(name, values)]).is_err(), "{name} {values:?}");
    }
    assert!(spread(&[&x, &w], "SAME_UPPER", &[("pads", &[0, 0])]).is_err());
    let far = spread(&[&x, &w], "", &[("strides", &[1 << 60])]).unwrap_err();
    assert!(matches!(far, KernelError::TooLarge { .. }), "{far}");
    for (x, w) in [(&[1, 2][..], &[2, 2][..]), (&[1, 2, 3], &[2, 2]), (&[1, 3, 3], &[2, 2, 2])] {
        assert!(spread(&[&ones(Float32, x), &ones(Float32, w)], "", &[]).is_err());
    }
}
