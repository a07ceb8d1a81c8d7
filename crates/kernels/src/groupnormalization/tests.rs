//! Groups of known mean and variance, in both versions.

use crate::tests::{read, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::Float32;
use values::tensor::Tensor;

fn all(since: i64, own: [&[f32]; 2], list: &[(&str, i64)]) -> Result<Tensor, KernelError> {
    let int = |&(name, value): &(&str, i64)| (name.to_owned(), Attribute::Int(value));
    let mut attributes: Attributes = list.iter().map(int).collect();
    attributes.insert("epsilon".to_owned(), Attribute::Float(0.0));
    let x = [1_f32, 3.0, 3.0, 1.0, 10.0, 18.0, 10.0, 18.0];
    let x = tensor(Float32, &[1, 4, 2], &x);
    let [scale, bias] = own.map(|all| tensor(Float32, &[all.len()], all));
    let inputs = [Some(&x), Some(&scale), Some(&bias)];
    let outputs = find("GroupNormalization", since).unwrap().run(&inputs, &attributes)?;
    Ok(outputs.into_iter().next().unwrap())
}

#[test]
fn groups_are_scaled_by_group_and_later_by_channel() {
    let by_group = all(18, [&[1.0, 2.0], &[0.0, 1.0]], &[("num_groups", 2)]).unwrap();
    assert_eq!(read::<f32>(&by_group), [-1.0, 1.0, 1.0, -1.0, -1.0, 3.0, -1.0, 3.0]);
    let own: [&[f32]; 2] = [&[1.0, 2.0, 3.0, 4.0], &[0.0, 0.0, 1.0, 0.0]];
    let by_channel = all(21, own, &[("num_groups", 2)]).unwrap();
    assert_eq!(read::<f32>(&by_channel), [-1.0, 1.0, 2.0, -2.0, -2.0, 4.0, -4.0, 4.0]);
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let ones: &[f32] = &[1.0; 4];
    for (since, count, list) in [
        (18, 4, &[("num_groups", 2)][..]),
        (21, 2, &[("num_groups", 2)]),
        (21, 4, &[("num_groups", 3)]),
        (21, 4, &[("num_groups", 0)]),
        (21, 4, &[("num_groups", -4)]),
        (21, 4, &[]),
        (21, 4, &[("num_groups", 2), ("stash_type", 6)]),
        (18, 2, &[("num_groups", 2), ("stash_type", 1)]),
    ] {
        let error = all(since, [&ones[..count]; 2], list).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{since} {count} {list:?}");
    }
}
