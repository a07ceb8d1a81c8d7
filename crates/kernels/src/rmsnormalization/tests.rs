//! Lines of known roots, in the types of both stages.

use crate::tests::{read, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use half::f16;
use values::dtype::DType::{Float16, Float32};
use values::tensor::Tensor;

fn all(
    x: &Tensor,
    scale: &Tensor,
    list: &[(&str, i64)],
    epsilon: f32,
) -> Result<Tensor, KernelError> {
    let int = |&(name, value): &(&str, i64)| (name.to_owned(), Attribute::Int(value));
    let mut attributes: Attributes = list.iter().map(int).collect();
    attributes.insert("epsilon".to_owned(), Attribute::Float(epsilon));
    let outputs = find("RMSNormalization", 23).unwrap();
    Ok(outputs.run_for(1, &[Some(x), Some(scale)], &attributes)?.remove(0))
}

#[test]
fn lines_are_divided_by_their_roots_and_scaled() {
    let x = tensor(Float32, &[2, 2], &[1_f32, -7.0, 4.0, 4.0]);
    let scale = tensor(Float32, &[2], &[1_f32, 2.0]);
    assert_eq!(read::<f32>(&all(&x, &scale, &[], 0.0).unwrap()), [0.2, -2.8, 1.0, 2.0]);
    let whole = all(&x, &scale, &[("axis", -2)], 79.5).unwrap();
    assert_eq!(read::<f32>(&whole), [0.1, -1.4, 0.4, 0.8]);
    assert_eq!(whole.shape(), [2, 2]);
}

#[test]
fn the_first_stage_is_in_the_type_that_is_named_and_the_result_in_that_of_scale() {
    let x = tensor(Float16, &[1, 2], &[300.0, -300.0].map(f16::from_f32));
    let scale = tensor(Float32, &[], &[1_f32]);
    let wide = all(&x, &scale, &[], 0.0).unwrap();
    assert_eq!((wide.dtype(), read::<f32>(&wide)), (Float32, vec![1.0, -1.0]));
    let x = tensor(Float32, &[1, 2], &[2049_f32, 2049.0]);
    let narrow = all(&x, &scale, &[("stash_type", 10)], 2048.0 * 2048.0).unwrap();
    // Epsilon is beyond float16.
    assert_eq!(read::<f32>(&narrow), [0.0, 0.0]);
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let x = tensor(Float32, &[1, 3], &[1_f32, 2.0, 3.0]);
    for (shape, list) in [
        (&[2, 3][..], &[][..]),
        (&[2], &[]),
        (&[1, 1, 3], &[]),
        (&[3], &[("axis", 2)]),
        (&[3], &[("axis", -3)]),
        (&[3], &[("axis", i64::MIN)]),
        (&[3], &[("stash_type", 6)]),
    ] {
        let count = shape.iter().product();
        let scale = tensor(Float32, shape, &vec![1_f32; count]);
        let error = all(&x, &scale, list, 1.0).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{shape:?} {list:?}");
    }
}
