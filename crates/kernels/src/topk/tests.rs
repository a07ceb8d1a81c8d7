//! The largest and the smallest elements of every type, and their places.

use crate::tests::tensor;
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::{Float32, Int64};
use values::tensor::Tensor;

fn top(
    opset: i64,
    x: &Tensor,
    k: i64,
    attributes: &[(&str, i64)],
) -> Result<Vec<Tensor>, KernelError> {
    let int = |&(name, value): &(&str, i64)| (name.to_owned(), Attribute::Int(value));
    let mut attributes: Attributes = attributes.iter().map(int).collect();
    let operator = find("TopK", opset).unwrap();
    if opset < 10 {
        attributes.insert("k".to_owned(), Attribute::Int(k));
        return operator.run(&[Some(x)], &attributes);
    }
    operator.run(&[Some(x), Some(&tensor(Int64, &[1], &[k]))], &attributes)
}

#[test]
fn elements_come_in_order_and_of_equal_ones_the_lower_place_first() {
    let rows = [[3.0, 1.0, 3.0, 2.0], [0.0, -0.0, -1.0, f32::INFINITY]];
    let x = tensor(Float32, &[2, 4], rows.as_flattened());
    for opset in [1, 10, 11, 24] {
        let expected = vec![
            tensor(Float32, &[2, 3], &[3.0, 3.0, 2.0, f32::INFINITY, 0.0, -0.0]),
            tensor(Int64, &[2, 3], &[0_i64, 2, 3, 3, 0, 1]),
        ];
        assert_eq!(top(opset, &x, 3, &[]), Ok(expected));
    }
    let smallest = [("largest", 0), ("axis", -2)];
    let expected = vec![
        tensor(Float32, &[1, 4], &[0.0, -0.0, -1.0, 2.0_f32]),
        tensor(Int64, &[1, 4], &[1_i64, 1, 1, 0]),
    ];
    assert_eq!(top(24, &x, 1, &smallest), Ok(expected));
    let nan = tensor(Float32, &[3], &[1.0, f32::NAN, 2.0]);
    assert_eq!(top(24, &nan, 3, &[]).unwrap()[1], tensor(Int64, &[3], &[1_i64, 2, 0]));
    let cube = tensor(Float32, &[2, 2, 2], &[1_f32, 8.0, 3.0, 2.0, 5.0, 0.0, 1.0, 7.0]);
    let middle = top(24, &cube, 1, &[("axis", 1)]).unwrap();
    assert_eq!(middle[0], tensor(Float32, &[2, 1, 2], &[3_f32, 8.0, 5.0, 7.0]));
    assert_eq!(middle[1], tensor(Int64, &[2, 1, 2], &[1_i64, 0, 0, 1]));
}

#[test]
fn what_cannot_be_given_is_refused() {
    let x = tensor(Float32, &[2, 1], &[1_f32, 2.0]);
    for (opset, k) in [(24, 2), (24, 0), (24, -1), (1, 2), (1, -1), (10, i64::MAX)] {
        let error = top(opset, &x, k, &[]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{k}");
    }
    for axis in [2, -3, i64::MIN] {
        assert!(top(24, &x, 1, &[("axis", axis)]).is_err());
    }
    let operator = find("TopK", 24).unwrap();
    for k in [tensor(Int64, &[], &[1_i64]), tensor(Int64, &[2], &[1_i64, 1])] {
        assert!(operator.run(&[Some(&x), Some(&k)], &Attributes::new()).is_err());
    }
    let first = find("TopK", 1).unwrap();
    assert!(first.run(&[Some(&x)], &Attributes::new()).is_err());
    let empty = tensor::<f32>(Float32, &[0, 1 << 40, 3], &[]);
    assert_eq!(top(24, &empty, 2, &[]).unwrap()[1].shape(), [0, 1 << 40, 2]);
    assert_eq!(top(1, &x, 0, &[]).unwrap()[0].shape(), [2, 0]);
}
