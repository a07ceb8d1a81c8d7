//! Calls of the operators that keep the order of elements, and of those that tell of shapes.

use onnx_conformance::dtype::DType;
use onnx_conformance::reference::operator::AttributeValue::Int;

use super::drawn::{Draw, Drawn, Draws, list};

/// How calls of an operator are drawn.
pub(super) fn draw(operator: &str) -> Option<Draw> {
    Some(match operator {
        "Flatten" => flatten,
        "Reshape" => reshape,
        "Shape" => shape,
        "Size" => size,
        "Squeeze" => squeeze,
        "Unsqueeze" => unsqueeze,
        _ => return None,
    })
}

fn flatten(draws: &mut Draws, dtype: DType) -> Drawn {
    let shape = draws.shape([0, 5], 300);
    let rank = shape.len() as i64;
    let axis = draws.between(-rank, rank);
    let is_left_out = axis == 1 && draws.is_one_in(2);
    let data = draws.tensor(dtype, &shape);
    Drawn::new(vec![Some(data)]).with_some("axis", (!is_left_out).then_some(Int(axis)))
}

/// The prime factors of a number other than 0.
fn factors(mut number: usize) -> Vec<usize> {
    let mut factors = Vec::new();
    for factor in 2.. {
        while number.is_multiple_of(factor) {
            factors.push(factor);
            number /= factor;
        }
        if number == 1 {
            return factors;
        }
    }
    factors
}

fn reshape(draws: &mut Draws, dtype: DType) -> Drawn {
    let shape = draws.shape([0, 5], 300);
    let data = draws.tensor(dtype, &shape);
    if data.elements() == 0 {
        // Zeros are sizes, or those of the data at their places.
        let is_kept = draws.is_one_in(2);
        let order = if is_kept { draws.order(shape.len()) } else { (0..shape.len()).collect() };
        let sizes: Vec<i64> = order.into_iter().map(|at| shape[at] as i64).collect();
        return Drawn::new(vec![Some(data), list(&sizes)]).with("allowzero", Int(is_kept.into()));
    }
    let least = usize::from(data.elements() > 1);
    let mut sizes = vec![1_i64; draws.below(6 - least) + least];
    if !sizes.is_empty() {
        for factor in factors(data.elements()) {
            let at = draws.below(sizes.len());
            sizes[at] *= factor as i64;
        }
    }
    let (keeps, allow_zero) = draws.flag(false);
    for (at, size) in sizes.iter_mut().enumerate() {
        let is_own = shape.get(at).is_some_and(|own| *own as i64 == *size);
        if !keeps && is_own && draws.is_one_in(2) {
            *size = 0;
        }
    }
    if !sizes.is_empty() && draws.is_one_in(2) {
        let at = draws.below(sizes.len());
        sizes[at] = -1;
    }
    Drawn::new(vec![Some(data), list(&sizes)]).with_some("allowzero", allow_zero)
}

fn squeeze(draws: &mut Draws, dtype: DType) -> Drawn {
    let mut shape = draws.shape([0, 5], 300);
    for _ in 0..draws.below(3) {
        let at = draws.below(shape.len() + 1);
        shape.insert(at, 1);
    }
    let single: Vec<usize> = (0..shape.len()).filter(|at| shape[*at] == 1).collect();
    let axes = draws.some(single.len()).into_iter().map(|at| draws.index(single[at], shape.len()));
    let axes: Vec<i64> = axes.collect();
    let axes = if draws.is_one_in(3) { None } else { list(&axes) };
    Drawn::new(vec![Some(draws.tensor(dtype, &shape)), axes])
}

fn unsqueeze(draws: &mut Draws, dtype: DType) -> Drawn {
    let shape = draws.shape([0, 4], 300);
    let count = draws.below(4);
    let rank = shape.len() + count;
    let axes = draws.order(rank).into_iter().take(count).map(|at| draws.index(at, rank));
    let axes: Vec<i64> = axes.collect();
    Drawn::new(vec![Some(draws.tensor(dtype, &shape)), list(&axes)])
}

/// Of many dimensions, most of which have one element.
fn shape(draws: &mut Draws, dtype: DType) -> Drawn {
    let mut shape = draws.shape([0, 4], 100);
    for _ in 0..draws.below(60) {
        let at = draws.below(shape.len() + 1);
        shape.insert(at, 1);
    }
    let most = shape.len() as i64 + 2;
    let mut end = || draws.is_one_in(2).then(|| Int(draws.between(-most, most)));
    let (start, end) = (end(), end());
    Drawn::new(vec![Some(draws.tensor(dtype, &shape))])
        .with_some("start", start)
        .with_some("end", end)
}

fn size(draws: &mut Draws, dtype: DType) -> Drawn {
    let shape = draws.shape([0, 5], 100);
    Drawn::new(vec![Some(draws.tensor(dtype, &shape))])
}
