//! Range computed wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Conversion, Indexing,
};
use onnx_conformance::dtype::DType::{Float16, Float32, Int16};
use onnx_conformance::float::FloatFormat;
use onnx_conformance::tensor::Tensor;

use crate::defect::{Defect, Wrong};
use crate::kernels::nearest;
use crate::normalization::{numbers, renumbered};
use crate::request::{Request, changed, picked};

const RANGE: &[&str] = &["Range"];

/// The three numbers of a call that gives something.
fn inputs(request: &Request<'_>, right: &Outcome) -> Option<[f64; 3]> {
    let of = |at: usize| numbers(&request.operands[at]).first().copied();
    matches!(right, Outcome::Outputs(_)).then(|| Some([of(0)?, of(1)?, of(2)?])).flatten()
}

fn first(tensor: &Tensor, count: usize) -> Tensor {
    let all: Vec<usize> = (0..count.min(tensor.elements())).collect();
    let shape = [all.len()];
    picked(tensor, &all, &shape)
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "range-count-rounded-down",
        class: Indexing,
        says: "The number of elements is rounded down.",
        operators: RANGE,
        types: &[Float32],
        caught_by: "sonnx onnx",
        wrong: Wrong::Tensors(|request, right| match inputs(request, &right) {
            Some([start, limit, delta]) if request.dtype() == Float32 => {
                let count = ((limit - start) / delta).floor().max(0.0) as usize;
                changed(right, |tensor| first(&tensor, count))
            }
            _ => right,
        }),
    },
    Defect {
        id: "range-falling-is-empty",
        class: Indexing,
        says: "A negative delta gives no elements.",
        operators: RANGE,
        types: &[Float32],
        caught_by: "sonnx onnx",
        wrong: Wrong::Tensors(|request, right| match inputs(request, &right) {
            Some([_, _, ..0.0]) if request.dtype() == Float32 => {
                changed(right, |tensor| first(&tensor, 0))
            }
            _ => right,
        }),
    },
    Defect {
        id: "range-limit-included",
        class: Indexing,
        says: "The limit is the last element where a step reaches it.",
        operators: RANGE,
        types: &[Float32],
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| match inputs(request, &right) {
            Some([start, limit, delta]) if request.dtype() == Float32 => {
                let steps = (limit - start) / delta;
                if steps < 0.0 || steps.fract() != 0.0 {
                    return right;
                }
                let all = (0..=steps as usize).map(|at| start as f32 + at as f32 * delta as f32);
                let all: Vec<f32> = all.collect();
                changed(right, |_| Tensor::from_values(Float32, vec![all.len()], all).unwrap())
            }
            _ => right,
        }),
    },
    Defect {
        id: "range-added-up-in-float16",
        class: Conversion,
        says: "Elements of float16 are added up in float16, and steps are lost.",
        operators: RANGE,
        types: &[Float16],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| match inputs(request, &right) {
            Some([start, _, delta]) if request.dtype() == Float16 => {
                let half = |x: f64| FloatFormat::FLOAT16.to_f64(nearest(Float16, x));
                renumbered(right, 0, |at, _| (0..at).fold(start, |sum, _| half(sum + delta)))
            }
            _ => right,
        }),
    },
    Defect {
        id: "range-distance-in-16-bits",
        class: Arithmetic,
        says: "The limit less the start is computed in 16 bits.",
        operators: RANGE,
        types: &[Int16],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            if request.dtype() != Int16 || !matches!(right, Outcome::Outputs(_)) {
                return right;
            }
            let of = |at: usize| request.operands[at].element(0).unwrap() as u16 as i16;
            let (distance, delta) = (of(1).wrapping_sub(of(0)), of(2));
            let count = (f64::from(distance) / f64::from(delta)).ceil().max(0.0) as usize;
            changed(right, |tensor| first(&tensor, count))
        }),
    },
];
