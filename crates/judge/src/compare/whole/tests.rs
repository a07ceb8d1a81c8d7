//! Orders of summation, right ones and wrong ones, by their errors in all elements.

use reference::operator::Call;
use reference::operators::matmul::MATMUL;
use reference::signature::{Attributes, Specification};
use values::dtype::DType;
use values::random::Random;

use super::*;

const ROWS: usize = 24;
const TERMS: usize = 48;

/// A matrix of numbers from 1 on and below 2, of random bits, all of them with this sign or with random ones.
fn matrix(seed: u64, negative: bool) -> Vec<f32> {
    let mut random = Random::new(seed);
    let number = |bits: u64| f32::from_bits(0x3f80_0000 | (bits as u32 & 0x7f_ffff));
    let mut sign = || if negative && random.bits() & 1 == 1 { -1.0 } else { 1.0 };
    let signs: Vec<f32> = (0..ROWS * TERMS).map(|_| sign()).collect();
    signs.into_iter().map(|sign| sign * number(random.bits())).collect()
}

/// What an order of summation makes of the product of two matrices, and what its errors come to.
fn measured(negative: bool, order: impl Fn(&[(f32, f32)]) -> f32) -> (bool, Whole) {
    let [a, b] = [matrix(1, negative), matrix(2, negative)];
    let tensor = |shape: [usize; 2], all: &[f32]| {
        Tensor::from_values(DType::Float32, shape.to_vec(), all.to_vec()).unwrap()
    };
    let inputs = vec![Some(tensor([ROWS, TERMS], &a)), Some(tensor([TERMS, ROWS], &b))];
    let (version, of) = (MATMUL.newest(), Specification::Onnx);
    let (call, types) =
        Call::for_outputs(1, &MATMUL, version, of, Attributes::new(), inputs).unwrap();
    let all = MATMUL.reference.allowed(&call, &types);
    let element = |at: usize| {
        let (row, column) = (at / ROWS, at % ROWS);
        let pair = |term: usize| (a[row * TERMS + term], b[term * ROWS + column]);
        order(&(0..TERMS).map(pair).collect::<Vec<_>>())
    };
    let elements: Vec<f32> = (0..ROWS * ROWS).map(element).collect();
    let conforms = |at: usize| all[0].at(at).accepts(elements[at].to_bits().into());
    let conforming = (0..elements.len()).all(conforms);
    (conforming, Whole::of(&*all[0], &tensor([ROWS, ROWS], &elements)).unwrap())
}

/// Adds up the products of pairs.
type Order = fn(&[(f32, f32)]) -> f32;

fn left_to_right(pairs: &[(f32, f32)]) -> f32 {
    pairs.iter().fold(0.0, |sum, (a, b)| sum + a * b)
}

fn pairwise(pairs: &[(f32, f32)]) -> f32 {
    match pairs {
        [(a, b)] => a * b,
        _ => {
            let (left, right) = pairs.split_at(pairs.len() / 2);
            pairwise(left) + pairwise(right)
        }
    }
}

fn in_lanes(pairs: &[(f32, f32)]) -> f32 {
    let mut lanes = [0.0_f32; 8];
    for (at, (a, b)) in pairs.iter().enumerate() {
        lanes[at % 8] = a.mul_add(*b, lanes[at % 8]);
    }
    lanes.iter().sum()
}

fn wide(pairs: &[(f32, f32)]) -> f32 {
    pairs.iter().fold(0.0, |sum, (a, b)| sum + f64::from(*a) * f64::from(*b)) as f32
}

/// The number without its last bits: of so many that are kept of float32's 24.
fn truncated(number: f64, bits: u32) -> f32 {
    let kept = f64::from_bits(number.to_bits() & !((1 << (53 - bits)) - 1));
    kept as f32
}

#[test]
fn orders_that_round_to_nearest_lean_to_no_side_and_scatter_by_less_than_they_may() {
    let orders: [Order; 4] = [left_to_right, pairwise, in_lanes, wide];
    for negative in [false, true] {
        for (at, order) in orders.into_iter().enumerate() {
            let (conforming, whole) = measured(negative, order);
            assert!(conforming && whole.conforms(), "{at}: {whole:?}");
            assert_eq!(whole.elements, (ROWS * ROWS) as u64);
            assert!(whole.bias.max(whole.spread) > Share::NONE, "{at}: {whole:?}");
        }
    }
}

#[test]
fn truncation_leans_to_one_side_though_each_element_conforms() {
    let truncating = |pairs: &[(f32, f32)]| {
        let add = |sum: f32, (a, b): &(f32, f32)| {
            truncated(f64::from(sum) + f64::from(*a) * f64::from(*b), 24)
        };
        pairs.iter().fold(0.0, add)
    };
    let (conforming, whole) = measured(false, truncating);
    assert!(conforming, "each element conforms");
    assert!(whole.bias > Share::ALL, "{whole:?}");
}

#[test]
fn an_accumulator_of_fewer_bits_scatters_more_though_each_element_conforms() {
    let narrow = |pairs: &[(f32, f32)]| {
        let add = |sum: f32, (a, b): &(f32, f32)| {
            // Rounded to nearest, in 21 bits.
            let sum = f64::from(sum) + f64::from(*a) * f64::from(*b);
            let half = f64::from_bits((sum.to_bits() >> 52 << 52) - (21 << 52));
            truncated(sum + half, 21)
        };
        pairs.iter().fold(0.0, add)
    };
    let (conforming, whole) = measured(false, narrow);
    assert!(conforming, "each element conforms");
    assert!(whole.bias <= Share::ALL && whole.spread > Share::ALL, "{whole:?}");
}
