//! What queries see, and what does not fit together.

use crate::tests::{read, tensor};
use crate::{Attribute, Attributes, KernelError, find};
use values::dtype::DType::{Bool, Float32, Int64};
use values::tensor::Tensor;

/// Y, or another output, of so many queries of 0 and keys of 1 with the values 1, 2, 4 and so on.
fn run(
    [queries, keys]: [usize; 2],
    others: [Option<&Tensor>; 4],
    list: &[(&str, i64)],
    output: usize,
) -> Result<Vec<f32>, KernelError> {
    let int = |&(name, value): &(&str, i64)| (name.to_owned(), Attribute::Int(value));
    let attributes: Attributes = list.iter().map(int).collect();
    let q = tensor(Float32, &[1, 1, queries, 1], &vec![0_f32; queries]);
    let k = tensor(Float32, &[1, 1, keys, 1], &vec![1_f32; keys]);
    let powers: Vec<f32> = (0..keys).map(|at| f32::from(1_u8 << at)).collect();
    let v = tensor(Float32, &[1, 1, keys, 1], &powers);
    let inputs = [Some(&q), Some(&k), Some(&v)].into_iter().chain(others);
    let inputs: Vec<_> = inputs.collect();
    let outputs = find("Attention", 25).unwrap().run_for(output + 1, &inputs, &attributes)?;
    Ok(read(&outputs[output]))
}

const NONE: [Option<&Tensor>; 4] = [None; 4];

#[test]
fn queries_see_keys_by_frontiers_windows_masks_and_counts() {
    assert_eq!(run([1, 4], NONE, &[], 0).unwrap(), [3.75]);
    assert_eq!(run([2, 4], NONE, &[("is_causal", 1)], 0).unwrap(), [1.0, 1.5]);
    let window = [("left_window_size", 0), ("right_window_size", 1)];
    assert_eq!(run([2, 4], NONE, &window, 0).unwrap(), [1.5, 3.0]);
    let mask = tensor(Bool, &[2, 3], &[1_u8, 0, 1, 0, 0, 0]);
    let masked = [Some(&mask), None, None, None];
    assert_eq!(run([2, 4], masked, &[], 0).unwrap(), [2.5, 0.0]);
    let weights = run([2, 4], masked, &[("qk_matmul_output_mode", 3)], 3).unwrap();
    assert_eq!(weights, [0.5, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let counts = tensor(Int64, &[1], &[3_i64]);
    let counted = [None, None, None, Some(&counts)];
    assert_eq!(run([2, 4], counted, &[("is_causal", 1)], 0).unwrap()[0], 1.5);
}

#[test]
fn a_past_comes_first() {
    let past = tensor(Float32, &[1, 1, 1, 1], &[8_f32]);
    let given = [None, Some(&past), Some(&past), None];
    assert_eq!(run([1, 2], given, &[("is_causal", 1)], 0).unwrap(), [4.5]);
    assert_eq!(run([1, 2], given, &[], 2).unwrap(), [8.0, 1.0, 2.0]);
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let past = tensor(Float32, &[1, 1, 1, 1], &[8_f32]);
    let counts = tensor(Int64, &[1], &[3_i64]);
    assert!(run([1, 4], [None, Some(&past), None, None], &[], 0).is_err());
    assert!(run([1, 4], [None, Some(&past), Some(&past), Some(&counts)], &[], 0).is_err());
    assert!(run([1, 4], [Some(&past), None, None, None], &[("is_causal", 2)], 0).is_err());
    let short = tensor(Bool, &[2], &[1_u8, 1]);
    assert!(run([1, 4], [Some(&short), None, None, Some(&counts)], &[], 0).is_err());
    let counts = tensor(Int64, &[2], &[3_i64, 3]);
    assert!(run([1, 4], [None, None, None, Some(&counts)], &[], 0).is_err());
}
