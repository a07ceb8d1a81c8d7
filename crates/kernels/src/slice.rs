//! Slice: of the listed dimensions the elements between a start and an end, by a step.

use super::moving::gathered;
use super::reshaping::{axis_of, integer_list, integers, list, moving, refused};
use super::signature::{AttributeSpec, Domain, Input, Restriction, SONNX_FLOAT, Shapes};
use super::{Attributes, Call, Kernel, KernelError};
use DType::{
    Bfloat16, Bool, Float16, Float32, Float64, Int8, Int16, Int32, Int64, String as Text, Uint8,
    Uint16, Uint32, Uint64,
};
use values::dtype::DType;
use values::tensor::Tensor;

pub(super) static SLICE: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Slice",
    inputs: &[
        Input::new("data"),
        Input::index("starts").since(10),
        Input::index("ends").since(10),
        Input::index("axes").optional().since(10),
        Input::index("steps").optional().since(10),
    ],
    is_elementwise: false,
    slices: None,
    versions: &[
        moving(1, 15, &[AXES, ENDS, STARTS]),
        moving(10, 15, &[]),
        moving(11, 15, &[]),
        moving(13, 16, &[]),
    ],
    restricted: &[Restriction {
        types: &[SONNX_TYPES, INDICES, INDICES, INDICES, INDICES],
        shapes: Shapes::Free,
        needed: &["starts", "ends", "axes", "steps"],
        problem: Some(problem),
        ..SONNX_FLOAT
    }],
    run: |call| {
        let data = call.input(0).ok_or_else(|| refused(call, "there is no data"))?;
        let cuts = cuts(call, data.shape())?;
        let shape: Vec<usize> = cuts.iter().map(|cut| cut.count).collect();
        gathered(data, data.shape(), None, &shape, |dimension, at| Some(cuts[dimension].place(at)))
    },
};

const AXES: AttributeSpec = integer_list("axes");
const ENDS: AttributeSpec = integer_list("ends");
const STARTS: AttributeSpec = integer_list("starts");

const INDICES: &[DType] = &[Int32, Int64];

/// What SONNX names.
#[rustfmt::skip]
const SONNX_TYPES: &[DType] = &[
    Bool, Text, Bfloat16, Float16, Float32, Float64, Int8, Int16, Int32, Int64,
    Uint8, Uint16, Uint32, Uint64,
];

/// What is left of a dimension.
#[derive(Clone, Copy)]
struct Cut {
    first: usize,
    /// From one place to the next, forward or backward.
    stride: usize,
    is_backward: bool,
    count: usize,
}

impl Cut {
    const fn place(&self, at: usize) -> usize {
        let way = at * self.stride;
        if self.is_backward { self.first - way } else { self.first + way }
    }

    /// Of a dimension of this size, which a tensor has, so that it is below 2^63.
    fn new(size: usize, start: i64, end: i64, step: i64) -> Self {
        // The number of places before an index: none or all of them where it lies outside.
        let before = |index: i64| {
            let index = if index < 0 { index.saturating_add_unsigned(size as u64) } else { index };
            usize::try_from(index).map_or(0, |index| index.min(size))
        };
        let stride = usize::try_from(step.unsigned_abs()).unwrap_or(usize::MAX);
        if step > 0 {
            let (first, end) = (before(start), before(end));
            let count = end.saturating_sub(first).div_ceil(stride);
            return Self { first, stride, is_backward: false, count };
        }
        let first = before(start).min(size.saturating_sub(1));
        // Backward the end is the place after the last one taken: of one below 0 none is left out.
        let is_below = |index: i64| index < 0 && index.saturating_add_unsigned(size as u64) < 0;
        let left_out = if is_below(end) { 0 } else { before(end) + 1 };
        let count = (first + 1).saturating_sub(left_out).div_ceil(stride);
        Self { first, stride, is_backward: true, count: if size == 0 { 0 } else { count } }
    }
}

/// What is left of each dimension.
fn cuts(call: &Call<'_>, sizes: &[usize]) -> Result<Vec<Cut>, KernelError> {
    let missing = || refused(call, "starts and ends are not both given");
    let starts = list(call, 1, "starts")?.ok_or_else(missing)?;
    let ends = list(call, 2, "ends")?.ok_or_else(missing)?;
    let count = starts.len();
    let axes = match list(call, 3, "axes")? {
        Some(axes) => axes,
        None => (0..).take(count).collect(),
    };
    let steps = list(call, 4, "steps")?.unwrap_or_else(|| vec![1; count]);
    if [ends.len(), axes.len(), steps.len()] != [count; 3] {
        return Err(refused(call, "the lists have not as many entries"));
    }
    let whole = |&size: &usize| Cut { first: 0, stride: 1, is_backward: false, count: size };
    let mut cuts: Vec<Cut> = sizes.iter().map(whole).collect();
    let mut is_cut = vec![false; sizes.len()];
    for at in 0..count {
        let axis = axis_of(call, axes[at], sizes.len(), 1)?;
        if std::mem::replace(&mut is_cut[axis], true) {
            return Err(refused(call, "a dimension is listed twice"));
        }
        if steps[at] == 0 {
            return Err(refused(call, "a step is 0"));
        }
        cuts[axis] = Cut::new(sizes[axis], starts[at], ends[at], steps[at]);
    }
    Ok(cuts)
}

/// What SONNX excludes: anything but an entry of each list for each dimension, starts and ends outside, and ends
/// on the other side of their starts.
fn problem(operands: &[Option<&Tensor>], _: &Attributes) -> Option<&'static str> {
    let [Some(data), lists @ ..] = operands else { return None };
    let lists: Vec<Vec<i64>> = lists.iter().flatten().map(|list| integers(list)).collect();
    let [starts, ends, axes, steps] = lists.as_slice() else { return None };
    let sizes = data.shape();
    if sizes.is_empty() {
        return Some("the data have a dimension");
    }
    if lists.iter().any(|list| list.len() != sizes.len()) {
        return Some("each dimension has an entry in every list");
    }
    for at in 0..sizes.len() {
        let rank = sizes.len() as i64;
        let axis = if axes[at] < 0 { axes[at].saturating_add(rank) } else { axes[at] };
        let Some(&size) = usize::try_from(axis).ok().and_then(|axis| sizes.get(axis)) else {
            return Some("each entry of `axes` is a dimension");
        };
        let Ok(size) = i64::try_from(size) else { return Some("sizes are below 2^63") };
        let is_backward = steps[at] < 0;
        let (lowest, highest) = if is_backward { (-size - 1, size - 1) } else { (-size, size) };
        let (start, end) = (starts[at], ends[at]);
        if !(-size..size).contains(&start) || !(lowest..=highest).contains(&end) {
            return Some("starts and ends lie within their dimensions");
        }
        let [start, end] = [start, end].map(|at| if at < 0 { at + size } else { at });
        if is_backward && start < end || !is_backward && start > end {
            return Some("no end lies on the other side of its start");
        }
    }
    None
}

#[cfg(test)]
mod tests;
