//! Reshape of every type, by every kind of entry, and the lists that are no shape.

use crate::tests::{run, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::*;
use values::tensor::Tensor;

/// The shape that bytes of one shape get by a list.
fn reshaped(from: &[usize], list: &[i64], allow_zero: bool) -> Result<Vec<usize>, KernelError> {
    let bytes: Vec<u8> = (0..from.iter().product::<usize>() as u8).collect();
    let (data, list) = (tensor(Uint8, from, &bytes), tensor(Int64, &[list.len()], list));
    let allow_zero = ("allowzero".to_owned(), Attribute::Int(i64::from(allow_zero)));
    let reshape = find("Reshape", 25).unwrap();
    let output: Tensor = run(reshape, &[&data, &list], &Attributes::from([allow_zero]))?;
    assert_eq!(output.bits(), data.bits());
    Ok(output.shape().to_vec())
}

#[test]
fn entries_are_sizes_or_stand_for_those_of_the_input_or_for_the_rest() {
    for (from, list, to) in [
        (&[2, 3][..], &[3, 2][..], &[3, 2][..]),
        (&[2, 3, 4], &[0, 6, -1], &[2, 6, 2]),
        (&[2, 3], &[-1], &[6]),
        (&[1, 1], &[], &[]),
        (&[], &[1, -1], &[1, 1]),
        (&[0, 3], &[0, 9], &[0, 9]),
    ] {
        assert_eq!(reshaped(from, list, false).unwrap(), to);
    }
    assert_eq!(reshaped(&[0, 3], &[9, 0], true).unwrap(), [9, 0]);
}

#[test]
fn lists_that_are_no_shape_of_so_many_elements_are_refused() {
    for list in [&[7][..], &[-1, -1], &[4, -1], &[-2, -3], &[2, 3, 0], &[i64::MAX, i64::MAX]] {
        assert_eq!(reshaped(&[2, 3], list, false).unwrap_err().kind(), ErrorKind::Invalid);
    }
    assert_eq!(reshaped(&[0, 3], &[0, -1], true).unwrap_err().kind(), ErrorKind::Invalid);
    assert_eq!(reshaped(&[0, 3], &[0, -1], false).unwrap_err().kind(), ErrorKind::Invalid);
    assert_eq!(reshaped(&[2, 3], &[0, 3], true).unwrap_err().kind(), ErrorKind::Invalid);
}
