//! Elements at their indices, in outputs of every shape.

use crate::tests::{read, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::{Float32, Int64};

fn unpooled(
    shape: &[usize],
    indices: &[i64],
    output: Option<&[i64]>,
    attributes: &[(&str, &[i64])],
) -> Result<Vec<f32>, KernelError> {
    let values: Vec<f32> = (1..=indices.len()).map(|at| at as f32).collect();
    let (x, i) = (tensor(Float32, shape, &values), tensor(Int64, shape, indices));
    let output = output.map(|list| tensor(Int64, &[list.len()], list));
    let ints = |(name, list): &(&str, &[i64])| ((*name).to_owned(), Attribute::Ints(list.to_vec()));
    let attributes: Attributes = attributes.iter().map(ints).collect();
    let inputs = [Some(&x), Some(&i), output.as_ref()];
    Ok(read(&find("MaxUnpool", 22).unwrap().run(&inputs, &attributes)?.remove(0)))
}

const TWO: &[(&str, &[i64])] = &[("kernel_shape", &[2]), ("strides", &[2])];

#[test]
fn elements_are_at_their_indices() {
    assert_eq!(unpooled(&[1, 2, 1], &[3, 0], None, TWO).unwrap(), [2.0, 0.0, 0.0, 1.0]);
    let padded = [TWO, &[("pads", &[1, 0])]].concat();
    assert_eq!(unpooled(&[1, 1, 2], &[0, 2], None, &padded).unwrap(), [1.0, 0.0, 2.0]);
    assert_eq!(unpooled(&[1, 1, 2], &[2, 0], Some(&[1, 1, 3]), &padded).unwrap(), [2.0, 0.0, 1.0]);
    // By the coordinates of the smaller tensor.
    let wide: &[(&str, &[i64])] = &[("kernel_shape", &[1, 2])];
    let all = unpooled(&[1, 1, 2, 1], &[1, 2], Some(&[1, 1, 2, 3]), wide).unwrap();
    assert_eq!(all, [0.0, 1.0, 0.0, 2.0, 0.0, 0.0]);
}

#[test]
fn what_does_not_fit_is_refused() {
    for (indices, output, attributes) in [
        (&[0, 4][..], None, TWO),
        (&[0, -1], None, TWO),
        (&[0, 1], Some(&[4][..]), TWO),
        (&[0, 1], Some(&[1, 1, -4]), TWO),
        (&[0, 1], None, &TWO[1..]),
        (&[0, 1], None, &[("kernel_shape", &[2][..]), ("pads", &[3, 2])]),
    ] {
        let error = unpooled(&[1, 1, 2], indices, output, attributes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{indices:?} {output:?} {attributes:?}");
    }
    let far = [("kernel_shape", &[i64::MAX][..]), ("strides", &[i64::MAX])];
    assert!(unpooled(&[1, 1, 2], &[0, 1], None, &far).is_err());
}
