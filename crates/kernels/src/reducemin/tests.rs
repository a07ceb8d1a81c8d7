//! The smallest element of every type.

use crate::tests::{Statement, Trial, WIDE, run, tensor};
use crate::{Attribute, Attributes, find};
use values::dtype::DType::{Bfloat16, Bool, Float32, Int8, Uint8};

#[test]
fn the_kernel_does_what_is_stated_here() {
    let keepdims = ("keepdims", Attribute::Int(1), Attribute::Int(2));
    let axes = ("axes", Attribute::Ints(vec![1]), Attribute::Int(1));
    let noop = ("noop_with_empty_axes", Attribute::Int(1), Attribute::Int(-1));
    let early = [axes, keepdims.clone()];
    let late = [keepdims, noop];
    let bytes = [&WIDE[..], &[Int8, Uint8]].concat();
    let shorts = [&bytes[..], &[Bfloat16]].concat();
    let all = [&shorts[..], &[Bool]].concat();
    Statement {
        name: "ReduceMin",
        versions: &[
            (1, &WIDE, &early),
            (11, &WIDE, &early),
            (12, &bytes, &early),
            (13, &shorts, &early),
            (18, &shorts, &late),
            (20, &all, &late),
        ],
        sonnx: None,
        is_elementwise: false,
        keeps_ones: true,
    }
    .check_by(&Trial::PLAIN);
}

#[test]
fn the_smallest_is_found_and_of_no_elements_the_largest_of_the_type() {
    let smallest = |data| run(find("ReduceMin", 20).unwrap(), &[&data], &Attributes::new());
    let data = tensor(Float32, &[2, 2], &[3_f32, -1.0, f32::NEG_INFINITY, 7.0]);
    assert_eq!(smallest(data), Ok(tensor(Float32, &[1, 1], &[f32::NEG_INFINITY])));
    let none = tensor::<f32>(Float32, &[0, 2], &[]);
    assert_eq!(smallest(none), Ok(tensor(Float32, &[1, 1], &[f32::INFINITY])));
    assert_eq!(smallest(tensor::<u8>(Uint8, &[0], &[])), Ok(tensor(Uint8, &[1], &[255_u8])));
    assert_eq!(smallest(tensor::<u8>(Bool, &[0], &[])), Ok(tensor(Bool, &[1], &[1_u8])));
    assert_eq!(smallest(tensor(Bool, &[2], &[1_u8, 0])), Ok(tensor(Bool, &[1], &[0_u8])));
}
