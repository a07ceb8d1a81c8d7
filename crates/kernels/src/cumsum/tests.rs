//! Sums from either end, with the element in its place or without.

use crate::tests::{ones, run, tensor};
use crate::{Attribute, Attributes, KernelError, find};
use values::dtype::DType::{Float16, Float32, Int32, Int64};
use values::tensor::Tensor;

fn summed(data: &Tensor, axis: i64, exclusive: i64, reverse: i64) -> Result<Tensor, KernelError> {
    let attributes = [("exclusive", exclusive), ("reverse", reverse)];
    let int = |(name, value): (&str, i64)| (name.to_owned(), Attribute::Int(value));
    let attributes: Attributes = attributes.into_iter().map(int).collect();
    run(find("CumSum", 14).unwrap(), &[data, &tensor(Int64, &[], &[axis])], &attributes)
}

#[test]
fn sums_go_along_the_dimension_in_either_direction() {
    let data = tensor(Int32, &[2, 3], &[1, 2, 3, 10, 20, 30]);
    let of = |axis, exclusive, reverse| {
        crate::tests::read::<i32>(&summed(&data, axis, exclusive, reverse).unwrap())
    };
    assert_eq!(of(1, 0, 0), [1, 3, 6, 10, 30, 60]);
    assert_eq!(of(-1, 1, 0), [0, 1, 3, 0, 10, 30]);
    assert_eq!(of(1, 0, 1), [6, 5, 3, 60, 50, 30]);
    assert_eq!(of(1, 1, 1), [5, 3, 0, 50, 30, 0]);
    assert_eq!(of(0, 0, 0), [1, 2, 3, 11, 22, 33]);
    let large = tensor(Int32, &[2], &[i32::MAX, 1]);
    assert_eq!(summed(&large, 0, 0, 0), Ok(tensor(Int32, &[2], &[i32::MAX, i32::MIN])));
    // 2048, 2049 and 2050, of which float16 does not hold the second: the sum goes on from it in float32.
    let short = tensor(Float16, &[3], &[0x6800_u16, 0x3c00, 0x3c00]);
    let expected = tensor(Float16, &[3], &[0x6800_u16, 0x6800, 0x6801]);
    assert_eq!(summed(&short, 0, 0, 0), Ok(expected));
    let empty = tensor::<f32>(Float32, &[2, 0], &[]);
    assert_eq!(summed(&empty, 1, 0, 0), Ok(empty.clone()));
    let other = tensor::<f32>(Float32, &[0, 2], &[]);
    assert_eq!(summed(&other, 1, 1, 0), Ok(other.clone()));
}

#[test]
fn what_has_no_such_dimension_is_refused() {
    let data = ones(Float32, &[2, 3]);
    for axis in [2, -3, i64::MIN, i64::MAX] {
        assert!(summed(&data, axis, 0, 0).is_err(), "{axis}");
    }
    assert!(summed(&ones(Float32, &[]), 0, 0, 0).is_err());
    let operator = find("CumSum", 14).unwrap();
    for axis in [tensor(Int64, &[1], &[0_i64]), tensor(Int64, &[2], &[0_i64, 1])] {
        assert!(run(operator, &[&data, &axis], &Attributes::new()).is_err());
    }
}
