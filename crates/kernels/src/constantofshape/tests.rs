//! ConstantOfShape by values of every type, and the lists that are no shape.

use crate::tests::{ones, run, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::{self, *};
use values::tensor::Tensor;

fn made(since: i64, list: &[i64], value: Option<Tensor>) -> Result<Tensor, KernelError> {
    let value = value.map(|value| ("value".to_owned(), Attribute::Tensor(value)));
    let list = tensor(Int64, &[list.len()], list);
    let operator = find("ConstantOfShape", since).unwrap();
    run(operator, &[&list], &Attributes::from_iter(value))
}

#[test]
fn every_type_that_a_version_gives_is_given() {
    let mut counts = Vec::new();
    for since in [9, 20, 21, 23, 24, 25] {
        let is_given = |dtype: &DType| made(since, &[], Some(ones(*dtype, &[1]))).is_ok();
        counts.push(DType::ALL.iter().filter(|dtype| is_given(dtype)).count());
    }
    assert_eq!(counts, [12, 17, 19, 20, 21, 23]);
    assert!(
        [String, Complex64, Complex128].into_iter().all(|dtype| made(
            25,
            &[1],
            Some(ones(dtype, &[]))
        )
        .is_err())
    );
}

#[test]
fn zeros_are_made_or_the_value_everywhere() {
    assert_eq!(made(9, &[2], None).unwrap(), tensor(Float32, &[2], &[0_f32; 2]));
    let five = Some(tensor(Uint8, &[1], &[5_u8]));
    assert_eq!(made(9, &[2, 2], five.clone()).unwrap(), tensor(Uint8, &[2, 2], &[5_u8; 4]));
    assert_eq!(made(9, &[], five).unwrap(), tensor(Uint8, &[], &[5_u8]));
    let packed = Tensor::from_bits(Uint4, vec![1], vec![5].into()).unwrap();
    let three = Tensor::from_bits(Uint4, vec![3], vec![0x55, 5].into()).unwrap();
    assert_eq!(made(25, &[3], Some(packed)).unwrap(), three);
}

#[test]
fn lists_that_are_no_shape_are_refused() {
    for list in [&[-1][..], &[2, i64::MIN], &[1 << 62, 8]] {
        assert_eq!(made(9, list, None).unwrap_err().kind(), ErrorKind::Invalid, "{list:?}");
    }
    assert_eq!(made(9, &[1 << 62], None).unwrap_err().kind(), ErrorKind::Unsupported);
}
