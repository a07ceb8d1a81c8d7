//! The smallest element of every type.

use crate::tests::{run, tensor};
use crate::{Attributes, find};
use values::dtype::DType::{Bool, Float32, Uint8};

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
