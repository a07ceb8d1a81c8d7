//! Sums of every type, along any dimensions.

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
    let operator = find("ReduceSum", opset).unwrap();
    if opset < 13 {
        attributes.insert("axes".to_owned(), Attribute::Ints(axes.to_vec()));
        return run(operator, &[data], &attributes);
    }
    run(operator, &[data, &tensor(Int64, &[axes.len()], axes)], &attributes)
}

#[test]
fn elements_are_added_along_the_dimensions_that_are_listed() {
    let data = tensor(Float32, &[2, 2, 2], &[1_f32, 2., 3., 4., 5., 6., 7., 8.]);
    for opset in [11, 13] {
        let of = |axes: &[i64], keeps| reduced(opset, &data, axes, &[("keepdims", keeps)]);
        assert_eq!(of(&[1], 0), Ok(tensor(Float32, &[2, 2], &[4_f32, 6., 12., 14.])));
        assert_eq!(of(&[-1, 0], 1), Ok(tensor(Float32, &[1, 2, 1], &[14_f32, 22.])));
        assert_eq!(of(&[], 0), Ok(tensor(Float32, &[], &[36_f32])));
        assert!(of(&[3], 0).is_err() && of(&[-4], 0).is_err());
    }
    let noop = [("noop_with_empty_axes", 1), ("keepdims", 0)];
    assert_eq!(reduced(13, &data, &[], &noop), Ok(data));
}

#[test]
fn short_floats_are_added_in_float32_and_integers_wrap() {
    // 2048 and 1 and 1 is 2050, which additions in float16 do not get to.
    let data = tensor(Float16, &[3], &[0x6800_u16, 0x3c00, 0x3c00]);
    assert_eq!(reduced(13, &data, &[0], &[]), Ok(tensor(Float16, &[1], &[0x6801_u16])));
    let data = tensor(Bfloat16, &[3], &[0x4380_u16, 0x3f80, 0x3f80]);
    assert_eq!(reduced(13, &data, &[0], &[]), Ok(tensor(Bfloat16, &[1], &[0x4381_u16])));
    let data = tensor(Int32, &[2], &[i32::MAX, 1]);
    assert_eq!(reduced(13, &data, &[0], &[]), Ok(tensor(Int32, &[1], &[i32::MIN])));
    let none = tensor::<u32>(Uint32, &[0, 2], &[]);
    assert_eq!(reduced(13, &none, &[0], &[]), Ok(tensor(Uint32, &[1, 2], &[0_u32; 2])));
}
