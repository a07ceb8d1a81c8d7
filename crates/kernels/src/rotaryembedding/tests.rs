//! Pairs of both kinds, and what does not fit together.

use crate::tests::{read, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::{Float32, Int64};
use values::tensor::Tensor;

fn run(x: &Tensor, ids: Option<&[i64]>, list: &[(&str, i64)]) -> Result<Vec<f32>, KernelError> {
    let int = |&(name, value): &(&str, i64)| (name.to_owned(), Attribute::Int(value));
    let attributes: Attributes = list.iter().map(int).collect();
    let shape: &[usize] = if ids.is_some() { &[2, 2] } else { &[1, 2, 2] };
    let cosines = tensor(Float32, shape, &[1_f32, 1.0, 0.0, 0.5]);
    let sines = tensor(Float32, shape, &[0_f32, 0.0, 1.0, 0.5]);
    let ids = ids.map(|ids| tensor(Int64, &[1, ids.len()], ids));
    let inputs = [Some(x), Some(&cosines), Some(&sines), ids.as_ref()];
    let outputs = find("RotaryEmbedding", 23).unwrap().run(&inputs, &attributes)?;
    Ok(read(&outputs[0]))
}

#[test]
fn pairs_of_each_head_are_turned() {
    let numbers: Vec<f32> = (1..=8).map(|it| it as f32).collect();
    let x = tensor(Float32, &[1, 2, 4], &numbers);
    let halves = run(&x, None, &[("num_heads", 1)]).unwrap();
    assert_eq!(halves, [1.0, 2.0, 3.0, 4.0, -7.0, -1.0, 5.0, 7.0]);
    let neighbours = run(&x, Some(&[1, 0]), &[("num_heads", 1), ("interleaved", 1)]).unwrap();
    assert_eq!(neighbours, [-2.0, 1.0, -0.5, 3.5, 5.0, 6.0, 7.0, 8.0]);
    let x = tensor(Float32, &[1, 1, 2, 4], &numbers);
    assert_eq!(run(&x, None, &[]).unwrap(), halves);
}

#[test]
fn what_is_not_turned_stays() {
    let numbers: Vec<f32> = (1..=12).map(|it| it as f32).collect();
    let x = tensor(Float32, &[1, 2, 6], &numbers);
    let list = [("num_heads", 1), ("rotary_embedding_dim", 4)];
    let all = run(&x, None, &list).unwrap();
    assert_eq!(all[..6], numbers[..6]);
    assert_eq!(all[6..], [-9.0, -1.0, 7.0, 9.0, 11.0, 12.0]);
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let x = tensor(Float32, &[1, 2, 4], &[1_f32; 8]);
    for (ids, list) in [
        (None, &[][..]),
        (None, &[("num_heads", 3)]),
        (None, &[("num_heads", 4)]),
        (None, &[("num_heads", 1), ("rotary_embedding_dim", 3)]),
        (None, &[("num_heads", 1), ("rotary_embedding_dim", 6)]),
        (None, &[("num_heads", 1), ("rotary_embedding_dim", -4)]),
        (Some(&[0_i64, 2][..]), &[("num_heads", 1)]),
        (Some(&[0, -1]), &[("num_heads", 1)]),
        (Some(&[0]), &[("num_heads", 1)]),
    ] {
        let error = run(&x, ids, list).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{ids:?} {list:?}");
    }
}
