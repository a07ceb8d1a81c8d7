//! Locations between elements, masks, groups, and what does not fit.

use crate::tests::{ones, read, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::{Float16, Float32};
use values::tensor::Tensor;

fn deformed(inputs: [Option<&Tensor>; 5], list: &[(&str, &[i64])]) -> Result<Tensor, KernelError> {
    let value = |(name, values): &(&str, &[i64])| {
        let value = match name.ends_with("group") {
            true => Attribute::Int(values[0]),
            false => Attribute::Ints(values.to_vec()),
        };
        ((*name).to_owned(), value)
    };
    let attributes: Attributes = list.iter().map(value).collect();
    Ok(find("DeformConv", 22).unwrap().run(&inputs, &attributes)?.remove(0))
}

/// What a single weight of 1 makes of a row, at places that are moved by these offsets.
fn moved(x: &[f32], offsets: &[f32]) -> Vec<f32> {
    let row = tensor(Float32, &[1, 1, x.len()], x);
    let offset = tensor(Float32, &[1, 1, x.len()], offsets);
    let w = ones(Float32, &[1, 1, 1]);
    read(&deformed([Some(&row), Some(&w), Some(&offset), None, None], &[]).unwrap())
}

#[test]
fn elements_are_taken_between_others_and_zeros_beyond_them() {
    assert_eq!(moved(&[1., 2., 4., 8.], &[0.5, -0.25, 0.0, 0.5]), [1.5, 1.75, 4.0, 4.0]);
    assert_eq!(moved(&[1., 2., 4., 8.], &[-0.75, 3.0, -9.0, f32::NAN]), [0.25, 0.0, 0.0, 0.0]);
    let (x, w) =
        (tensor(Float32, &[1, 1, 2, 2], &[1_f32, 2., 3., 5.]), ones(Float32, &[1, 1, 1, 1]));
    let mut offsets = [0_f32; 8];
    (offsets[0], offsets[4]) = (0.5, 0.25);
    let offset = tensor(Float32, &[1, 2, 2, 2], &offsets);
    let all = deformed([Some(&x), Some(&w), Some(&offset), None, None], &[]).unwrap();
    // The row is moved first: half of either row, and a quarter of the second column.
    assert_eq!(read::<f32>(&all), [2.375, 2.0, 3.0, 5.0]);
}

#[test]
fn masks_groups_and_biases_are_those_of_their_channels() {
    let x = tensor(Float32, &[1, 2, 2], &[1_f32, 2., 10., 20.]);
    let w = tensor(Float32, &[2, 1, 1], &[1_f32, 2.]);
    let b = tensor(Float32, &[2], &[100_f32, 200.]);
    let offset = tensor(Float32, &[1, 2, 2], &[0.5_f32, 0., 0., -1.]);
    let mask = tensor(Float32, &[1, 2, 2], &[2_f32, 1., 0.5, 0.]);
    let inputs = [Some(&x), Some(&w), Some(&offset), Some(&b), Some(&mask)];
    let groups = [("group", &[2][..]), ("offset_group", &[2])];
    assert_eq!(read::<f32>(&deformed(inputs, &groups).unwrap()), [103., 102., 210., 200.]);
    let inputs = [Some(&x), Some(&w), Some(&offset), None, Some(&mask)];
    assert_eq!(read::<f32>(&deformed(inputs, &groups).unwrap()), [3., 2., 10., 0.]);
}

#[test]
fn short_floats_are_summed_before_they_are_rounded() {
    let x = tensor(Float16, &[1, 3, 1], &[0x6800_u16, 0x3c00, 0x3c00]);
    let (w, offset) = (ones(Float16, &[1, 3, 1]), tensor(Float16, &[1, 1, 1], &[0_u16]));
    let y = deformed([Some(&x), Some(&w), Some(&offset), None, None], &[]).unwrap();
    assert_eq!(y, tensor(Float16, &[1, 1, 1], &[0x6801_u16]));
}

#[test]
fn what_does_not_fit_is_refused() {
    let (x, w) = (ones(Float32, &[1, 2, 3, 3]), ones(Float32, &[2, 2, 2, 2]));
    let offset = |channels| ones(Float32, &[1, channels, 2, 2]);
    let (eight, four, two) = (offset(8), offset(4), ones(Float32, &[2]));
    let run = |inputs: [Option<&Tensor>; 5], list: &[(&str, &[i64])]| deformed(inputs, list);
    let (x, w, two) = (Some(&x), Some(&w), Some(&two));
    assert!(run([x, w, Some(&eight), two, Some(&four)], &[]).is_ok());
    for (offsets, masks, list) in [
        (&four, &four, &[][..]),
        (&eight, &eight, &[]),
        (&eight, &four, &[("offset_group", &[2][..])]),
        (&eight, &four, &[("offset_group", &[0])]),
        (&eight, &four, &[("offset_group", &[3])]),
        (&eight, &four, &[("group", &[2])]),
        (&eight, &four, &[("kernel_shape", &[1, 2])]),
        (&eight, &four, &[("pads", &[1, 0, 0, 0])]),
        (&eight, &four, &[("strides", &[0, 1])]),
    ] {
        let error = run([x, w, Some(offsets), two, Some(masks)], list).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{list:?}");
    }
    assert!(run([x, w, Some(&eight), Some(&ones(Float32, &[1])), None], &[]).is_err());
}
