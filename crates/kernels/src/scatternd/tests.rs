//! ScatterND of every type, of single elements and of parts.

use crate::tests::{ones, read, run, tensor};
use crate::{Attribute, Attributes, KernelError, find};
use values::dtype::DType::{Int32, Int64, Uint8};
use values::tensor::Tensor;

fn scattered(
    shape: &[usize],
    (of_indices, indices): (&[usize], &[i64]),
    of_updates: &[usize],
    reduction: &str,
) -> Result<Vec<u8>, KernelError> {
    let count = |shape: &[usize]| shape.iter().product::<usize>() as u8;
    let data = tensor(Uint8, shape, &(0..count(shape)).collect::<Vec<_>>());
    let updates: Vec<u8> = (100..100 + count(of_updates)).collect();
    let inputs = [&data, &tensor(Int64, of_indices, indices), &tensor(Uint8, of_updates, &updates)];
    let attributes =
        Attributes::from([("reduction".to_owned(), Attribute::Text(reduction.to_owned()))]);
    let output = run(find("ScatterND", 18).unwrap(), &inputs, &attributes)?;
    assert_eq!(output.shape(), shape);
    Ok(read(&output))
}

#[test]
fn updates_go_to_elements_or_to_parts() {
    let elements = scattered(&[2, 3], (&[2, 2], &[1, 0, -2, -1]), &[2], "none");
    assert_eq!(elements.unwrap(), [0, 1, 101, 100, 4, 5]);
    let rows = scattered(&[3, 2], (&[2, 1], &[2, 0]), &[2, 2], "none");
    assert_eq!(rows.unwrap(), [102, 103, 2, 3, 100, 101]);
    let one = scattered(&[2, 2, 2], (&[2], &[1, 0]), &[2], "add");
    assert_eq!(one.unwrap(), [0, 1, 2, 3, 104, 106, 6, 7]);
    assert_eq!(scattered(&[2], (&[0], &[]), &[2], "none").unwrap(), [100, 101]);
    assert_eq!(scattered(&[2], (&[0, 1], &[]), &[0], "none").unwrap(), [0, 1]);
    let twice = scattered(&[2, 2], (&[2, 1], &[1, 1]), &[2, 2], "min");
    assert_eq!(twice.unwrap(), [0, 1, 2, 3]);
    assert!(scattered(&[2, 0], (&[1, 1], &[1]), &[1, 0], "mul").unwrap().is_empty());
}

#[test]
fn what_does_not_go_together_is_refused() {
    for (shape, of_indices, indices, of_updates) in [
        (&[2, 2][..], &[1, 1][..], &[2][..], &[1, 2][..]),
        (&[2, 2], &[1, 1], &[-3], &[1, 2]),
        (&[2, 2], &[1, 2], &[0, 2], &[1]),
        (&[2, 2], &[1, 3], &[0, 0, 0], &[1]),
        (&[2, 2], &[1, 1], &[0], &[2]),
        (&[2, 2], &[1, 1], &[0], &[1, 1]),
        (&[2, 2], &[], &[0], &[2, 2]),
        (&[], &[1, 0], &[], &[1]),
        (&[0, 2], &[1, 1], &[0], &[1, 2]),
    ] {
        let output = scattered(shape, (of_indices, indices), of_updates, "none");
        assert!(output.is_err(), "{shape:?} {of_indices:?} {indices:?}");
    }
    let (one, zero) = (ones(Uint8, &[1]), tensor(Int32, &[1, 1], &[0_i32]));
    let inputs: [&Tensor; 3] = [&one, &zero, &one];
    let error = run(find("ScatterND", 18).unwrap(), &inputs, &Attributes::new()).unwrap_err();
    assert!(matches!(error, KernelError::InputType { .. }), "{error}");
}
