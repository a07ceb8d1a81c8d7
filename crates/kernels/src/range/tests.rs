//! How many elements there are, and which.

use crate::tests::{read, run, tensor};
use crate::{Attributes, ErrorKind, KernelError, find};
use half::f16;
use values::dtype::DType::{Float16, Float32, Float64, Int16, Int32, Int64};
use values::tensor::Tensor;

fn range<T: bytemuck::Pod + Send + Sync>(
    dtype: values::dtype::DType,
    all: [T; 3],
) -> Result<Tensor, KernelError> {
    let inputs = all.map(|one| tensor(dtype, &[], &[one]));
    run(find("Range", 27).unwrap(), &inputs.each_ref(), &Attributes::new())
}

#[test]
fn sequences_end_before_the_limit() {
    let ints = |all| range::<i32>(Int32, all).map(|output| read::<i32>(&output)).unwrap();
    assert_eq!(ints([3, 10, 3]), [3, 6, 9]);
    assert_eq!(ints([3, 9, 3]), [3, 6]);
    assert_eq!(ints([10, 4, -2]), [10, 8, 6]);
    assert!(ints([10, 10, -3]).is_empty() && ints([30, 10, 3]).is_empty());
    assert_eq!(ints([i32::MIN, i32::MAX, i32::MAX]), [i32::MIN, -1, i32::MAX - 1]);
    let shorts = range::<i16>(Int16, [i16::MAX, i16::MIN, i16::MIN]).unwrap();
    assert_eq!(read::<i16>(&shorts), [i16::MAX, -1]);
    let longs = range::<i64>(Int64, [i64::MIN, i64::MAX, i64::MAX]).unwrap();
    assert_eq!(read::<i64>(&longs), [i64::MIN, -1, i64::MAX - 1]);
}

#[test]
fn the_number_of_floats_is_that_of_the_exact_quotient() {
    let count = |all| range::<f64>(Float64, all).map(|output| output.elements()).unwrap();
    // Three times 0.1 is more than 0.3, and ten times less than 1 and a bit.
    assert_eq!(count([0.0, 0.3, 0.1]), 3);
    assert_eq!(count([0.0, 1.0, 0.1]), 10);
    assert_eq!(count([0.0, 1.0_f64.next_up(), 0.1]), 11);
    assert_eq!(count([0.0, -0.3, -0.1]), 3);
    assert_eq!(count([1.0, f64::NEG_INFINITY, 1.0]), 0);
    assert_eq!(count([0.0, 5.0, f64::INFINITY]), 0);
    let floats = range::<f32>(Float32, [1.0, 5.0, 2.0]).unwrap();
    assert_eq!(read::<f32>(&floats), [1.0, 3.0]);
    let halves = range(Float16, [2046.0, 2050.0, 1.0].map(f16::from_f32)).unwrap();
    let wanted = [2046.0, 2047.0, 2048.0, 2048.0].map(f16::from_f32);
    assert_eq!(read::<f16>(&halves), wanted);
}

#[test]
fn what_has_no_number_of_elements_is_refused() {
    let nan = f32::NAN;
    for all in [[0.0, 5.0, 0.0], [nan, 1.0, 1.0], [0.0, nan, 1.0], [0.0, 1.0, nan]] {
        assert_eq!(range(Float32, all).unwrap_err().kind(), ErrorKind::Invalid, "{all:?}");
    }
    assert!(range(Float32, [0.0, f32::INFINITY, 1.0]).is_err());
    assert!(range(Int32, [0, 5, 0]).is_err());
    // More than memory holds.
    assert!(range(Int64, [i64::MIN, i64::MAX, 1]).is_err());
    assert!(range(Float64, [0.0, 1e300, 1e-300]).is_err());
    let list = tensor(Float32, &[1], &[1_f32]);
    let one = tensor(Float32, &[], &[1_f32]);
    assert!(run(find("Range", 11).unwrap(), &[&list, &one, &one], &Attributes::new()).is_err());
}
