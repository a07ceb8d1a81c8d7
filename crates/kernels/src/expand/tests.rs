//! Expand of every type, and of shapes that go together or do not.

use crate::tests::{run, tensor};
use crate::{Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::{Int64, Uint8};
use values::tensor::Tensor;

fn expanded(from: &[usize], list: &[i64]) -> Result<Tensor, KernelError> {
    let bytes: Vec<u8> = (0..from.iter().product::<usize>() as u8).collect();
    let (data, list) = (tensor(Uint8, from, &bytes), tensor(Int64, &[list.len()], list));
    run(find("Expand", 13).unwrap(), &[&data, &list], &Attributes::new())
}

#[test]
fn sizes_of_1_are_repeated_from_either_side() {
    let rows = tensor(Uint8, &[2, 3], &[0_u8, 1, 2, 0, 1, 2]);
    let columns = tensor(Uint8, &[2, 3], &[0_u8, 0, 0, 1, 1, 1]);
    assert_eq!(expanded(&[3], &[2, 3]).unwrap(), rows);
    assert_eq!(expanded(&[3], &[2, 1]).unwrap(), rows);
    assert_eq!(expanded(&[2, 1], &[3]).unwrap(), columns);
    assert_eq!(expanded(&[2, 1], &[1, 3]).unwrap(), columns);
    assert_eq!(expanded(&[], &[]).unwrap(), tensor(Uint8, &[], &[0_u8]));
    assert_eq!(expanded(&[1, 3], &[0, 1]).unwrap().shape(), [0, 3]);
}

#[test]
fn shapes_that_do_not_go_together_are_refused() {
    for list in [&[2, 2][..], &[0, 3], &[2, -1], &[2], &[i64::MIN], &[1 << 62, 8, 2, 3]] {
        assert_eq!(expanded(&[2, 3], list).unwrap_err().kind(), ErrorKind::Invalid, "{list:?}");
    }
    assert_eq!(expanded(&[1], &[1 << 40]).unwrap_err().kind(), ErrorKind::Unsupported);
}
