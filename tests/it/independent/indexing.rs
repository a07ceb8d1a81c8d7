//! Calls of the operators that move elements from or to where a tensor of indices says.

use onnx_conformance::dtype::{DType, Kind};
use onnx_conformance::reference::operator::AttributeValue::Int;
use onnx_conformance::tensor::{Tensor, coordinates};

use super::drawn::{Draw, Drawn, Draws, integers, text};

/// How calls of an operator are drawn.
pub(super) fn draw(operator: &str) -> Option<Draw> {
    Some(match operator {
        "Gather" => gather,
        "GatherElements" => gather_elements,
        "GatherND" => gather_nd,
        "Scatter" => |draws, dtype| scattered(draws, dtype, None),
        "ScatterElements" => scatter_elements,
        "ScatterND" => scatter_nd,
        _ => return None,
    })
}

/// Indices into a dimension, from its begin and from its end.
fn indices(draws: &mut Draws, of: DType, shape: &[usize], size: usize) -> Tensor {
    let count = shape.iter().product();
    let indices = (0..count).map(|_| {
        let place = draws.below(size);
        draws.index(place, size)
    });
    integers(of, shape, &indices.collect::<Vec<i64>>())
}

fn gather(draws: &mut Draws, dtype: DType) -> Drawn {
    let mut shape = draws.shape([1, 4], 100);
    let (axis, attribute) = draws.axis(shape.len(), 0);
    shape[axis] = shape[axis].max(1);
    let places = draws.shape([0, 2], 3 * shape[axis]);
    let of = draws.index_type();
    let indices = indices(draws, of, &places, shape[axis]);
    Drawn::new(vec![Some(draws.tensor(dtype, &shape)), Some(indices)]).with_some("axis", attribute)
}

/// A shape that is as long as another one or shorter, but along one dimension.
fn within(draws: &mut Draws, shape: &[usize], axis: usize, along: usize) -> Vec<usize> {
    let size = |(at, size): (usize, &usize)| match at == axis {
        true => along,
        false if draws.is_one_in(3) => draws.below(size + 1),
        false => *size,
    };
    shape.iter().enumerate().map(size).collect()
}

fn gather_elements(draws: &mut Draws, dtype: DType) -> Drawn {
    let mut shape = draws.shape([1, 5], 300);
    let (axis, attribute) = draws.axis(shape.len(), 0);
    shape[axis] = shape[axis].max(1);
    let along = draws.below(2 * shape[axis] + 1);
    let places = within(draws, &shape, axis, along);
    let of = draws.index_type();
    let indices = indices(draws, of, &places, shape[axis]);
    Drawn::new(vec![Some(draws.tensor(dtype, &shape)), Some(indices)]).with_some("axis", attribute)
}

/// Rows of indices, each into the dimensions of these sizes.
fn rows(draws: &mut Draws, outer: &[usize], sizes: &[usize]) -> Tensor {
    let count: usize = outer.iter().product();
    let row = |_| {
        let place = |size: &usize| {
            let place = draws.below(*size);
            draws.index(place, *size)
        };
        sizes.iter().map(place).collect::<Vec<i64>>()
    };
    let rows: Vec<i64> = (0..count).flat_map(row).collect();
    integers(DType::Int64, &[outer, &[sizes.len()]].concat(), &rows)
}

fn gather_nd(draws: &mut Draws, dtype: DType) -> Drawn {
    let mut shape = draws.shape([1, 5], 150);
    let batch = draws.below(shape.len());
    let width = draws.below(shape.len() - batch) + 1;
    for size in &mut shape[batch..batch + width] {
        *size = (*size).max(1);
    }
    let others = draws.shape([0, 2], 3 * shape[batch..batch + width].iter().product::<usize>());
    let outer = [&shape[..batch], &others].concat();
    let indices = rows(draws, &outer, &shape[batch..batch + width]);
    let is_left_out = batch == 0 && draws.is_one_in(2);
    let batch = (!is_left_out).then_some(Int(batch as i64));
    Drawn::new(vec![Some(draws.tensor(dtype, &shape)), Some(indices)])
        .with_some("batch_dims", batch)
}

/// How updates meet elements, by name; only of numbers is it said what they make together.
fn reduction(draws: &mut Draws, dtype: DType) -> Option<&'static str> {
    let is_number = matches!(dtype.kind(), Kind::Float(_) | Kind::Int { .. });
    let all = [None, Some("none"), Some("add"), Some("mul"), Some("max"), Some("min")];
    draws.one_of(if is_number { &all } else { &all[..2] })
}

fn scatter_elements(draws: &mut Draws, dtype: DType) -> Drawn {
    let reduction = reduction(draws, dtype);
    scattered(draws, dtype, reduction)
}

fn scattered(draws: &mut Draws, dtype: DType, reduction: Option<&'static str>) -> Drawn {
    let mut shape = draws.shape([1, 5], 250);
    let (axis, attribute) = draws.axis(shape.len(), 0);
    shape[axis] = shape[axis].max(1);
    let size = shape[axis];
    let is_reduced = !matches!(reduction, None | Some("none"));
    let along = draws.below(if is_reduced { 2 * size + 1 } else { size + 1 });
    let places = within(draws, &shape, axis, along);
    let of = draws.index_type();
    let indices = if is_reduced {
        indices(draws, of, &places, size)
    } else {
        // No two updates are of one element: along the dimension each of a line has a place of its own.
        let stride: usize = places[axis + 1..].iter().product();
        let lines: usize = places.iter().product::<usize>().checked_div(along).unwrap_or(0);
        let orders: Vec<Vec<usize>> = (0..lines).map(|_| draws.order(size)).collect();
        let index = |at: usize| {
            let line = at / (stride * along) * stride + at % stride;
            draws.index(orders[line][coordinates(at, &places)[axis]], size)
        };
        let all: Vec<i64> = (0..lines * along).map(index).collect();
        integers(of, &places, &all)
    };
    let [data, updates] = [&shape, &places].map(|shape| Some(draws.tensor(dtype, shape)));
    Drawn::new(vec![data, Some(indices), updates])
        .with_some("axis", attribute)
        .with_some("reduction", reduction.map(text))
}

fn scatter_nd(draws: &mut Draws, dtype: DType) -> Drawn {
    let mut shape = draws.shape([1, 5], 250);
    let width = draws.below(shape.len()) + 1;
    for size in &mut shape[..width] {
        *size = (*size).max(1);
    }
    let (first, rest) = shape.split_at(width);
    let parts: usize = first.iter().product();
    let reduction = reduction(draws, dtype);
    let (outer, indices) = if matches!(reduction, None | Some("none")) {
        let mut outer = draws.shape([0, 2], parts);
        if outer.iter().product::<usize>() > parts {
            outer = vec![parts];
        }
        let order = draws.order(parts).into_iter().take(outer.iter().product());
        let row = |part| {
            let places = coordinates(part, first);
            let index = |(place, size): (usize, &usize)| draws.index(place, *size);
            places.into_iter().zip(first).map(index).collect::<Vec<i64>>()
        };
        let all: Vec<i64> = order.flat_map(row).collect();
        let indices = integers(DType::Int64, &[&outer[..], &[width]].concat(), &all);
        (outer, indices)
    } else {
        let outer = draws.shape([0, 2], 2 * parts);
        let indices = rows(draws, &outer, first);
        (outer, indices)
    };
    let updates = draws.tensor(dtype, &[&outer, rest].concat());
    Drawn::new(vec![Some(draws.tensor(dtype, &shape)), Some(indices), Some(updates)])
        .with_some("reduction", reduction.map(text))
}
