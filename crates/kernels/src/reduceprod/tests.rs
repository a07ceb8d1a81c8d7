//! Products of every type, along any dimensions.

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
    let operator = find("ReduceProd", opset).unwrap();
    if opset < 18 {
        attributes.insert("axes".to_owned(), Attribute::Ints(axes.to_vec()));
        return run(operator, &[data], &attributes);
    }
    run(operator, &[data, &tensor(Int64, &[axes.len()], axes)], &attributes)
}

#[test]
fn elements_are_multiplied_along_the_dimensions_that_are_listed() {
    let data = tensor(Float32, &[2, 3], &[1_f32, 2., 6., -1., 0.5, 4.]);
    assert_eq!(reduced(18, &data, &[1], &[]), Ok(tensor(Float32, &[2, 1], &[12_f32, -2.])));
    assert_eq!(reduced(11, &data, &[-2], &[]), Ok(tensor(Float32, &[1, 3], &[-1_f32, 1., 24.])));
    assert_eq!(reduced(13, &data, &[], &[]), Ok(tensor(Float32, &[1, 1], &[-24_f32])));
    let none = tensor::<f32>(Float32, &[0, 2], &[]);
    assert_eq!(reduced(18, &none, &[0], &[]), Ok(tensor(Float32, &[1, 2], &[1_f32; 2])));
}

#[test]
fn short_floats_are_multiplied_in_float32_and_integers_wrap() {
    // 2^15 times 2 times 0.5 leaves float16 on the way.
    let data = tensor(Float16, &[3], &[0x7800_u16, 0x4000, 0x3800]);
    assert_eq!(reduced(18, &data, &[0], &[]), Ok(tensor(Float16, &[1], &[0x7800_u16])));
    let data = tensor(Bfloat16, &[2], &[0x4040_u16, 0x3fc0]);
    assert_eq!(reduced(18, &data, &[0], &[]), Ok(tensor(Bfloat16, &[1], &[0x4090_u16])));
    let data = tensor(Int32, &[2], &[i32::MIN, -1]);
    assert_eq!(reduced(18, &data, &[0], &[]), Ok(tensor(Int32, &[1], &[i32::MIN])));
    let data = tensor(Uint32, &[2], &[u32::MAX, 2]);
    assert_eq!(reduced(18, &data, &[0], &[]), Ok(tensor(Uint32, &[1], &[u32::MAX - 1])));
}
