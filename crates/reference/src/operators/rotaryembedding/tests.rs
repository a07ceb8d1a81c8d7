//! Pairs of both kinds, in both shapes.

use super::*;
use crate::operator::{AttributeValue, Attributes, Specification};

struct Inputs {
    x: (Vec<usize>, Vec<f32>),
    caches: (Vec<usize>, [Vec<f32>; 2]),
    ids: Option<(Vec<usize>, Vec<i64>)>,
}

fn call(inputs: Inputs, list: &[(&str, i64)]) -> Option<Vec<Conforming>> {
    let attributes: Attributes = list
        .iter()
        .map(|(name, value)| ((*name).to_owned(), AttributeValue::Int(*value)))
        .collect();
    let singles =
        |shape: &[usize], all: Vec<f32>| Tensor::from_values(Float32, shape.to_vec(), all).ok();
    let count = inputs.x.1.len();
    let (shape, caches) = inputs.caches;
    let [cosines, sines] = caches.map(|all| singles(&shape, all));
    let ids = inputs.ids.and_then(|(shape, ids)| Tensor::from_values(Int64, shape, ids).ok());
    let inputs = vec![singles(&inputs.x.0, inputs.x.1), cosines, sines, ids];
    let version = ROTARYEMBEDDING.newest();
    let made = Call::new(&ROTARYEMBEDDING, version, Specification::Onnx, attributes, inputs);
    let (call, types) = made.ok()?;
    let allowed = ROTARYEMBEDDING.reference.allowed(&call, &types);
    Some((0..count).map(|index| allowed[0].at(index)).collect())
}

fn accept(all: &[Conforming], numbers: &[f32]) -> bool {
    let bits = |x: f32| u128::from(x.to_bits());
    all.len() == numbers.len()
        && all.iter().zip(numbers).all(|(one, x)| one.example() == Some(bits(*x)))
}

/// Two tokens of two heads of four elements, and caches of three positions: angles of 0, a quarter turn, and both of one half.
fn inputs(ids: &[i64]) -> Inputs {
    Inputs {
        x: (vec![1, 2, 8], (1..=16).map(|it| it as f32).collect()),
        caches: (
            vec![3, 2],
            [vec![1.0, 1.0, 0.0, 0.0, 0.5, 1.0], vec![0.0, 0.0, 1.0, 1.0, 0.5, 0.0]],
        ),
        ids: Some((vec![1, 2], ids.to_vec())),
    }
}

#[test]
fn halves_of_each_head_are_turned_by_the_angle_of_their_token() {
    let all = call(inputs(&[0, 1]), &[("num_heads", 2)]).unwrap();
    let first: Vec<f32> = (1..=8).map(|it| it as f32).collect();
    let second = [-11.0, -12.0, 9.0, 10.0, -15.0, -16.0, 13.0, 14.0];
    assert!(accept(&all, &[first, second.to_vec()].concat()), "{all:?}");
}

#[test]
fn neighbours_are_turned_where_they_are_interleaved() {
    let all = call(inputs(&[1, 2]), &[("num_heads", 2), ("interleaved", 1)]).unwrap();
    let first = [-2.0, 1.0, -4.0, 3.0, -6.0, 5.0, -8.0, 7.0];
    let second = [-0.5, 9.5, 11.0, 12.0, -0.5, 13.5, 15.0, 16.0];
    assert!(accept(&all, &[first, second].concat()), "{all:?}");
}

#[test]
fn what_is_beyond_the_turned_part_stays_and_heads_may_come_first() {
    let caches = (vec![1, 2, 1], [vec![0.0; 2], vec![1.0; 2]]);
    let x = (vec![1, 2, 2, 4], (1..=16).map(|it| it as f32).collect());
    let all = call(Inputs { x, caches, ids: None }, &[("rotary_embedding_dim", 2)]).unwrap();
    let turned = |x: [f32; 4]| [-x[1], x[0], x[2], x[3]];
    let expected: Vec<f32> =
        (0..4).flat_map(|at| turned([1, 2, 3, 4].map(|it| (4 * at + it) as f32))).collect();
    assert!(accept(&all, &expected), "{all:?}");
    assert!(matches!(all[2], Conforming::Same(_)) && !matches!(all[1], Conforming::Same(_)));
}

#[test]
fn what_does_not_fit_together_is_refused_and_negative_positions_are_open() {
    let heads = [("num_heads", 2)];
    assert!(call(inputs(&[0, 3]), &heads).is_none() && call(inputs(&[0, -4]), &heads).is_none());
    let open = call(inputs(&[0, -1]), &heads).unwrap();
    assert!(open[..8].iter().all(Conforming::is_decided));
    assert!(!open[8..].iter().any(Conforming::is_decided));
    for list in [&[][..], &[("num_heads", 3)], &[("num_heads", 0)], &[("num_heads", 8)]] {
        assert!(call(inputs(&[0, 1]), list).is_none(), "{list:?}");
    }
    for turned in [2, 3, 6, -2] {
        let list = [("num_heads", 2), ("rotary_embedding_dim", turned)];
        assert!(call(inputs(&[0, 1]), &list).is_none(), "{turned}");
    }
    let without = Inputs { ids: None, ..inputs(&[]) };
    assert!(call(without, &heads).is_none());
}
