//! States that are written and read token by token, by hand.

use crate::tests::{read, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::{Float16, Float32};
use values::tensor::Tensor;

fn floats(shape: &[usize], all: &[f32]) -> Tensor {
    let count = shape.iter().product();
    let all: Vec<f32> = all.iter().copied().cycle().take(count).collect();
    tensor(Float32, shape, &all)
}

fn run(
    inputs: &[Option<&Tensor>],
    heads: [i64; 2],
    rule: &str,
    scale: f32,
) -> Result<Vec<Tensor>, KernelError> {
    let attributes = Attributes::from([
        ("q_num_heads".to_owned(), Attribute::Int(heads[0])),
        ("kv_num_heads".to_owned(), Attribute::Int(heads[1])),
        ("update_rule".to_owned(), Attribute::Text(rule.to_owned())),
        ("scale".to_owned(), Attribute::Float(scale)),
    ]);
    find("LinearAttention", 27).unwrap().run(inputs, &attributes)
}

fn numbers(outputs: &[Tensor]) -> [Vec<f32>; 2] {
    [read(&outputs[0]), read(&outputs[1])]
}

#[test]
fn tokens_are_written_to_the_state_and_read_at_once() {
    let q = floats(&[1, 2, 2], &[1.0, 10.0, 100.0, 1.0]);
    let k = floats(&[1, 2, 2], &[1.0, 2.0, 3.0, -1.0]);
    let v = floats(&[1, 2, 1], &[5.0, 7.0]);
    let past = floats(&[1, 1, 2, 1], &[1000.0, 2000.0]);
    let all = run(&[Some(&q), Some(&k), Some(&v), Some(&past)], [1, 1], "linear", 1.0).unwrap();
    assert_eq!(numbers(&all), [vec![21_105.0, 104_603.0], vec![1026.0, 2003.0]]);
    let all = run(&[Some(&q), Some(&k), Some(&v)], [1, 1], "linear", 0.0).unwrap();
    let root = 0.5_f64.sqrt();
    assert_eq!(numbers(&all)[0], [(105.0 * root) as f32, (2603.0 * root) as f32]);
}

#[test]
fn decays_are_powers_of_e_of_each_head_or_of_each_row() {
    let ones = floats(&[1, 1, 4], &[1.0]);
    let zeros = floats(&[1, 1, 4], &[0.0]);
    let past = floats(&[1, 2, 2, 2], &[8.0, 16.0]);
    let log = 0.5_f32.ln();
    let states = |decay: &Tensor| {
        let inputs = [Some(&ones), Some(&zeros), Some(&ones), Some(&past), Some(decay)];
        numbers(&run(&inputs, [2, 2], "gated", 1.0).unwrap())[1].clone()
    };
    let of_heads = states(&floats(&[1, 1, 2], &[0.0, log]));
    assert_eq!(of_heads, [8.0, 16.0, 8.0, 16.0, 4.0, 8.0, 4.0, 8.0]);
    let of_rows = states(&floats(&[1, 1, 4], &[log, 0.0, f32::NEG_INFINITY, 0.0]));
    assert_eq!(of_rows, [4.0, 8.0, 8.0, 16.0, 0.0, 0.0, 8.0, 16.0]);
}

#[test]
fn what_the_state_has_for_a_key_is_replaced_in_part() {
    let one = floats(&[1, 1, 2], &[1.0, 0.0]);
    let v = floats(&[1, 1, 1], &[10.0]);
    let past = floats(&[1, 1, 2, 1], &[4.0, 3.0]);
    let beta = floats(&[1, 1, 1], &[0.5]);
    let inputs = [Some(&one), Some(&one), Some(&v), Some(&past), None, Some(&beta)];
    let all = run(&inputs, [1, 1], "delta", 1.0).unwrap();
    assert_eq!(numbers(&all), [vec![7.0], vec![7.0, 3.0]]);
    let decay = floats(&[1, 1, 1], &[f32::NEG_INFINITY]);
    let inputs = [Some(&one), Some(&one), Some(&v), Some(&past), Some(&decay), Some(&beta)];
    let all = run(&inputs, [1, 1], "gated_delta", 2.0).unwrap();
    assert_eq!(numbers(&all), [vec![10.0], vec![5.0, 0.0]]);
}

#[test]
fn heads_of_queries_share_those_of_keys_in_order_and_a_beta_may_be_of_all() {
    let q = floats(&[1, 1, 4], &[1.0, 2.0, 3.0, 4.0]);
    let k = floats(&[1, 1, 2], &[1.0]);
    let v = floats(&[1, 1, 2], &[10.0, 100.0]);
    let beta = floats(&[1, 1, 1], &[2.0]);
    let inputs = [Some(&q), Some(&k), Some(&v), None, None, Some(&beta)];
    let all = run(&inputs, [4, 2], "delta", 1.0).unwrap();
    assert_eq!(numbers(&all), [vec![20.0, 40.0, 600.0, 800.0], vec![20.0, 200.0]]);
}

#[test]
fn the_state_keeps_its_own_type() {
    let half = tensor(Float16, &[1, 1, 1], &[0x3c00_u16]);
    let past = floats(&[1, 1, 1, 1], &[2049.0]);
    let all = run(&[Some(&half), Some(&half), Some(&half), Some(&past)], [1, 1], "linear", 1.0);
    let all = all.unwrap();
    assert_eq!(read::<f32>(&all[1]), [2050.0]);
    assert_eq!(read::<u16>(&all[0]), [0x6801]);
    let all = run(&[Some(&half), Some(&half), Some(&half)], [1, 1], "linear", 1.0).unwrap();
    assert_eq!(all[1].dtype(), Float16);
}

#[test]
fn what_does_not_fit_is_refused() {
    let ones = |shape: &[usize]| floats(shape, &[1.0]);
    let (q, k, v) = (ones(&[1, 2, 8]), ones(&[1, 2, 4]), ones(&[1, 2, 6]));
    let refuses = |inputs: &[Option<&Tensor>], heads, rule: &str| {
        let error = run(inputs, heads, rule, 1.0).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{rule}");
    };
    let all = [Some(&q), Some(&k), Some(&v)];
    assert!(run(&all, [4, 2], "linear", 1.0).is_ok());
    for heads in [[3, 2], [0, 0], [4, -2], [4, 3], [2, 2]] {
        refuses(&all, heads, "linear");
    }
    refuses(&all, [4, 2], "gated");
    refuses(&all, [4, 2], "delta");
    let with = |at: usize, shape: &[usize], rule: &str| {
        let tensor = ones(shape);
        let mut inputs = vec![Some(&q), Some(&k), Some(&v), None, None, None];
        inputs[at] = Some(&tensor);
        refuses(&inputs, [4, 2], rule);
    };
    with(3, &[1, 2, 2, 2], "linear");
    with(4, &[1, 2, 6], "gated");
    with(4, &[1, 1, 2], "gated");
    with(5, &[1, 2, 3], "delta");
    with(5, &[1, 2, 4], "delta");
    with(1, &[1, 2, 6], "linear");
    with(2, &[1, 3, 6], "linear");
}
