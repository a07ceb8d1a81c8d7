//! GatherND of every type, of single elements and of parts, in batches and without.

use crate::tests::{read, run, tensor};
use crate::{Attribute, Attributes, KernelError, find};
use values::dtype::DType::{Int64, Uint8};

fn gathered(
    shape: &[usize],
    of_indices: &[usize],
    indices: &[i64],
    batches: i64,
) -> Result<(Vec<usize>, Vec<u8>), KernelError> {
    let data: Vec<u8> = (0..shape.iter().product::<usize>() as u8).collect();
    let inputs = [&tensor(Uint8, shape, &data), &tensor(Int64, of_indices, indices)];
    let attributes = Attributes::from([("batch_dims".to_owned(), Attribute::Int(batches))]);
    let output = run(find("GatherND", 13).unwrap(), &inputs, &attributes)?;
    Ok((output.shape().to_vec(), read(&output)))
}

#[test]
fn rows_take_elements_or_parts_within_their_batch() {
    let of = |shape: &[usize], of_indices: &[usize], indices: &[i64], batches| {
        gathered(shape, of_indices, indices, batches).unwrap()
    };
    assert_eq!(of(&[2, 2], &[2, 2], &[0, 0, -1, 1], 0), (vec![2], vec![0, 3]));
    assert_eq!(of(&[2, 2], &[2, 1], &[1, 0], 0), (vec![2, 2], vec![2, 3, 0, 1]));
    assert_eq!(of(&[2, 2, 2], &[2, 1], &[1, 0], 1), (vec![2, 2], vec![2, 3, 4, 5]));
    assert_eq!(of(&[2, 3], &[2, 2, 1], &[2, 0, 1, -1], 1), (vec![2, 2], vec![2, 0, 4, 5]));
    assert_eq!(of(&[2, 2], &[2], &[1, 0], 0), (vec![], vec![2]));
    assert_eq!(of(&[0, 3], &[0, 1], &[], 1), (vec![0], vec![]));
}

#[test]
fn what_does_not_go_together_is_refused() {
    for (shape, of_indices, indices, batches) in [
        (&[2, 2][..], &[1, 1][..], &[2][..], 0),
        (&[2, 2], &[1, 1], &[-3], 0),
        (&[2, 2], &[1, 2], &[0, 2], 0),
        (&[2, 2], &[1, 3], &[0, 0, 0], 0),
        (&[2, 2], &[1, 0], &[], 0),
        (&[2, 2], &[], &[0], 0),
        (&[], &[1, 0], &[], 0),
        (&[2, 2], &[1, 1], &[0], 1),
        (&[2, 2], &[2, 2], &[0; 4], 1),
        (&[2, 2], &[2, 2, 1], &[0; 4], 2),
        (&[2, 2, 2], &[2, 1], &[0; 2], 2),
        (&[2, 2], &[2, 1], &[0; 2], -1),
        (&[2, 2], &[2, 1], &[0; 2], i64::MAX),
    ] {
        let output = gathered(shape, of_indices, indices, batches);
        assert!(output.is_err(), "{shape:?} {of_indices:?} {indices:?} {batches}");
    }
}
