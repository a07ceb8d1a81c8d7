//! Reshape of every type, by every kind of entry, and the lists that are no shape.

use crate::tests::{FLOATS, Statement, Trial, consumed_inputs, moved, run, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::{self, *};
use values::tensor::Tensor;

#[test]
fn the_kernel_does_what_is_stated_here() {
    let shape = ("shape", Attribute::Ints(vec![1, 1]), Attribute::Int(0));
    let zero = [("allowzero", Attribute::Int(1), Attribute::Int(2))];
    let packed = [Int2, Int4, Uint2, Uint4];
    let sonnx = [&crate::tests::SONNX_NUMBERS[..], &[Bool, String], &packed].concat();
    Statement {
        name: "Reshape",
        versions: &[
            (1, &FLOATS, &[consumed_inputs(), shape]),
            (5, &moved(15), &[]),
            (13, &moved(16), &[]),
            (14, &moved(16), &zero),
            (19, &moved(20), &zero),
            (21, &moved(22), &zero),
            (23, &moved(23), &zero),
            (24, &moved(24), &zero),
            (25, &DType::ALL, &zero),
        ],
        sonnx: Some(&sonnx),
        is_elementwise: false,
        keeps_ones: true,
    }
    .check_by(&Trial {
        needed: &[("shape", Attribute::Ints(vec![1, 1]))],
        inputs: |operator, dtype| Trial::with_list(operator, dtype, &[1, 1]),
        ..Trial::PLAIN
    });
}

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
