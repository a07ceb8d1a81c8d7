//! Convolutions of floats with a bias; the shapes are those of ConvInteger, whose tests try them all.

use crate::tests::{ones, read, tensor};
use crate::{Attribute, Attributes, KernelError, find};
use values::dtype::DType::{Float16, Float32};
use values::tensor::Tensor;

fn convolved(inputs: [&Tensor; 3], list: &[(&str, &[i64])]) -> Result<Vec<f32>, KernelError> {
    let ints = |(name, values): &(&str, &[i64])| {
        let value = match *name {
            "group" => Attribute::Int(values[0]),
            _ => Attribute::Ints(values.to_vec()),
        };
        ((*name).to_owned(), value)
    };
    let attributes: Attributes = list.iter().map(ints).collect();
    let outputs = find("Conv", 22).unwrap().run(&inputs.map(Some), &attributes)?;
    Ok(read(&outputs[0]))
}

#[test]
fn each_output_channel_has_its_weights_and_its_bias() {
    let x = tensor(Float32, &[1, 2, 3], &[1_f32, 2., 3., 10., 20., 30.]);
    let w = tensor(Float32, &[2, 2, 2], &[1_f32, 2., 0.5, 0., 0., -1., 1., 1.]);
    let b = tensor(Float32, &[2], &[100_f32, -100.]);
    assert_eq!(convolved([&x, &w, &b], &[]), Ok(vec![110., 118., -72., -53.]));
    let pads = ("pads", &[1, 0][..]);
    assert_eq!(
        convolved([&x, &w, &b], &[pads, ("strides", &[2])]),
        Ok(vec![102., 118., -91., -53.])
    );
    let one = tensor(Float32, &[2, 1, 1], &[2_f32, 3.]);
    let group = [("group", &[2][..])];
    assert_eq!(convolved([&x, &one, &b], &group), Ok(vec![102., 104., 106., -70., -40., -10.]));
    for bias in [ones(Float32, &[3]), ones(Float32, &[]), ones(Float32, &[1, 2])] {
        assert!(convolved([&x, &w, &bias], &[]).is_err());
    }
    assert!(convolved([&x, &one, &b], &[]).is_err());
}

#[test]
fn short_floats_are_summed_in_float32() {
    let x = tensor(Float16, &[1, 3, 1], &[0x6800_u16, 0x3c00, 0x3c00]);
    let w = ones(Float16, &[1, 3, 1]);
    let inputs = [&x, &w].map(Some);
    let found = find("Conv", 22).unwrap().run(&inputs, &Attributes::new()).unwrap();
    assert_eq!(found, [tensor(Float16, &[1, 1, 1], &[0x6801_u16])]);
}
