//! ScatterElements of every type, along every dimension and with every reduction.

use bytes::Bytes;

use crate::tests::{ones, read, run, tensor};
use crate::{Attribute, Attributes, KernelError, find};
use values::dtype::DType::{Bool, Float16, Float32, Int8, Int32, Int64, String as Text, Uint8};
use values::tensor::Tensor;

fn scattered(inputs: [&Tensor; 3], axis: i64, reduction: &str) -> Result<Tensor, KernelError> {
    let attributes = Attributes::from([
        ("axis".to_owned(), Attribute::Int(axis)),
        ("reduction".to_owned(), Attribute::Text(reduction.to_owned())),
    ]);
    run(find("ScatterElements", 18).unwrap(), &inputs, &attributes)
}

#[test]
fn updates_go_where_they_lie_but_for_the_axis() {
    let data = tensor(Uint8, &[3, 3], &[0_u8; 9]);
    let indices = tensor(Int32, &[2, 3], &[1_i32, 0, 2, 0, -1, 1]);
    let updates = tensor(Uint8, &[2, 3], &[10_u8, 11, 12, 20, 21, 22]);
    let rows = scattered([&data, &indices, &updates], 0, "none").unwrap();
    assert_eq!(read::<u8>(&rows), [20, 11, 0, 10, 0, 22, 0, 21, 12]);
    let columns = scattered([&data, &indices, &updates], -1, "none").unwrap();
    assert_eq!(read::<u8>(&columns), [11, 10, 12, 20, 22, 21, 0, 0, 0]);
    let texts = |all: &[&'static str]| {
        let all: Vec<Bytes> = all.iter().map(|&text| Bytes::from(text)).collect();
        Tensor::from_strings(vec![all.len()], all).unwrap()
    };
    let indices = tensor(Int64, &[1], &[-1_i64]);
    let output = scattered([&texts(&["a", "b"]), &indices, &texts(&["c"])], 0, "none").unwrap();
    assert_eq!(output, texts(&["a", "c"]));
}

#[test]
fn reductions_take_one_update_after_the_other() {
    let indices = tensor(Int64, &[4], &[1_i64, 1, 0, 1]);
    let data = tensor(Int8, &[3], &[100_i8, 2, 3]);
    let updates = tensor(Int8, &[4], &[3_i8, -5, 100, 7]);
    let of = |reduction: &str| -> Vec<i8> {
        read(&scattered([&data, &indices, &updates], 0, reduction).unwrap())
    };
    assert_eq!(of("add"), [-56, 7, 3]);
    assert_eq!(of("mul"), [16, 46, 3]);
    assert_eq!(of("max"), [100, 7, 3]);
    assert_eq!(of("min"), [100, -5, 3]);
    let floats = |values: &[f32]| tensor(Float32, &[values.len()], values);
    let inputs = [&floats(&[0.0, 1.0, 5.0]), &indices, &floats(&[1.0, f32::NAN, -0.0, 2.0])];
    let largest: Vec<f32> = read(&scattered(inputs, 0, "max").unwrap());
    assert!(largest[0] == 0.0 && largest[1].is_nan() && largest[2] == 5.0);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let of = |data: &[usize], indices: (&[usize], i64), updates: &[usize], axis| {
        let all = vec![indices.1; indices.0.iter().product()];
        let at = tensor(Int64, indices.0, &all);
        scattered([&ones(Float16, data), &at, &ones(Float16, updates)], axis, "none")
    };
    assert!(of(&[2, 2], (&[1, 2], 1), &[1, 2], 0).is_ok());
    assert!(of(&[0, 2], (&[0, 5], 1), &[0, 5], 0).is_ok());
    for (data, indices, index, updates, axis) in [
        (&[2, 2][..], &[1, 2][..], 2, &[1, 2][..], 0),
        (&[2, 2], &[1, 2], -3, &[1, 2], 0),
        (&[2, 2], &[1, 2], 0, &[2, 1], 0),
        (&[2, 2], &[1, 2], 0, &[1, 2], 2),
        (&[2, 2], &[2], 0, &[2], 0),
        (&[2, 2], &[1, 3], 0, &[1, 3], 0),
        (&[], &[], 0, &[], 0),
    ] {
        assert!(of(data, (indices, index), updates, axis).is_err(), "{data:?} {indices:?} {index}");
    }
    let at = tensor(Int64, &[1], &[0_i64]);
    for one in [Bool, Text].map(|dtype| ones(dtype, &[1])) {
        assert!(scattered([&one, &at, &one], 0, "add").is_err());
    }
    let (one, none) = (ones(Bool, &[1]), tensor::<i64>(Int64, &[0], &[]));
    assert!(scattered([&one, &none, &ones(Bool, &[0])], 0, "add").is_ok());
}
