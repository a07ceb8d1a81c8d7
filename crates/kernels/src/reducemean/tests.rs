//! Means of every type, along any dimensions.

use crate::tests::{run, tensor};
use crate::{Attribute, Attributes, KernelError, find};
use values::dtype::DType::{Bfloat16, Float16, Float32, Int32, Int64, Uint32};
use values::tensor::Tensor;

fn reduced(
    opset: i64,
    data: &Tensor,
    axes: &[i64],
    attributes: &[(&str, i64)],
) -> Result<Tensor, KernelError> {
    let int = |&(name, value): &(&str, i64)| (name.to_owned(), Attribute::Int(value));
    let mut attributes: Attributes = attributes.iter().map(int).collect();
    let operator = find("ReduceMean", opset).unwrap();
    if opset < 18 {
        attributes.insert("axes".to_owned(), Attribute::Ints(axes.to_vec()));
        return run(operator, &[data], &attributes);
    }
    run(operator, &[data, &tensor(Int64, &[axes.len()], axes)], &attributes)
}

#[test]
fn means_are_divided_by_the_number_of_elements() {
    let data = tensor(Float32, &[2, 3], &[1_f32, 2., 6., -1., 0., 4.]);
    assert_eq!(reduced(18, &data, &[1], &[]), Ok(tensor(Float32, &[2, 1], &[3_f32, 1.])));
    assert_eq!(reduced(11, &data, &[-2], &[]), Ok(tensor(Float32, &[1, 3], &[0_f32, 1., 5.])));
    assert_eq!(reduced(13, &data, &[], &[]), Ok(tensor(Float32, &[1, 1], &[2_f32])));
    let short = tensor(Float16, &[2], &[0x3c00_u16, 0x3c01]);
    assert_eq!(reduced(18, &short, &[0], &[]), Ok(tensor(Float16, &[1], &[0x3c00_u16])));
    let short = tensor(Bfloat16, &[2], &[0x3f80_u16, 0x3f82]);
    assert_eq!(reduced(18, &short, &[0], &[]), Ok(tensor(Bfloat16, &[1], &[0x3f81_u16])));
}

#[test]
fn means_of_integers_are_rounded_towards_zero_and_of_none_there_is_no_number() {
    let data = tensor(Int32, &[2, 2], &[1, 2, -1, -2]);
    assert_eq!(reduced(18, &data, &[1], &[]), Ok(tensor(Int32, &[2, 1], &[1, -1])));
    let data = tensor(Uint32, &[2], &[4_u32, 7]);
    assert_eq!(reduced(18, &data, &[0], &[]), Ok(tensor(Uint32, &[1], &[5_u32])));
    let none = tensor::<f32>(Float32, &[0, 1], &[]);
    let mean: Vec<f32> = crate::tests::read(&reduced(18, &none, &[0], &[]).unwrap());
    assert!(mean[0].is_nan());
    assert!(reduced(18, &tensor::<i32>(Int32, &[0, 1], &[]), &[0], &[]).is_err());
    let other = tensor::<i32>(Int32, &[0, 1], &[]);
    assert_eq!(reduced(18, &other, &[1], &[]), Ok(other));
}
