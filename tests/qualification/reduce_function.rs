//! Norms, logarithms of sums, and sums and means of several tensors, computed wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Broadcasting, Conversion, Indexing, SpecialValues,
};
use onnx_conformance::dtype::DType::{Float32, Int32};
use onnx_conformance::tensor::Tensor;

use crate::accumulated::{but_last, in_float16, numbers, of, reduced, with_operand};
use crate::arg_extremum::int;
use crate::defect::{Defect, Wrong};
use crate::reduction::floats;
use crate::request::{Request, changed};

const L1: &[&str] = &["ReduceL1"];
const L2: &[&str] = &["ReduceL2"];
const SQUARES: &[&str] = &["ReduceSumSquare"];
const LOG_SUM: &[&str] = &["ReduceLogSum"];
const LOG_SUM_EXP: &[&str] = &["ReduceLogSumExp"];
const SUM: &[&str] = &["Sum"];
const MEAN: &[&str] = &["Mean"];

fn sum(elements: &[f32], term: impl Fn(f64) -> f64) -> f64 {
    elements.iter().map(|element| term(f64::from(*element))).sum()
}

/// The input as it is, where no axes are gone along on request.
fn untouched(request: &Request<'_>, right: Outcome) -> Outcome {
    let is_noop = int(request, "noop_with_empty_axes") == Some(1);
    let has_axes = request.operands.get(1).is_some_and(|axes| axes.elements() > 0);
    match is_noop && !has_axes {
        true => changed(right, |_| request.operands[0].clone()),
        false => right,
    }
}

/// The request with the last of several operands made another one, element by element.
fn with_last(request: &Request<'_>, right: Outcome, element: impl Fn(f32) -> f32) -> Outcome {
    match request.operands.len() {
        0..3 => right,
        count => {
            let last = floats(&request.operands[count - 1], element);
            with_operand(request, count - 1, last)
        }
    }
}

/// Each element of an output of float32 made another one.
fn each(right: Outcome, element: impl Fn(f32) -> f32) -> Outcome {
    changed(right, |output| floats(&output, &element))
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "reducel1-signed",
        class: Arithmetic,
        says: "Elements are added with their signs.",
        operators: L1,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| reduced(request, right, |it| sum(it, |x| x) as f32)),
    },
    Defect {
        id: "reducel1-magnitude-of-the-sum",
        class: Arithmetic,
        says: "The magnitude is that of the sum.",
        operators: L1,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            reduced(request, right, |it| sum(it, |x| x).abs() as f32)
        }),
    },
    Defect {
        id: "reducel1-noop-keeps-signs",
        class: SpecialValues,
        says: "Where no axes are gone along, the elements keep their signs.",
        operators: L1,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| untouched(request, right)),
    },
    Defect {
        id: "reducesumsquare-square-of-the-sum",
        class: Arithmetic,
        says: "The sum is squared instead of the elements.",
        operators: SQUARES,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            reduced(request, right, |it| sum(it, |x| x).powi(2) as f32)
        }),
    },
    Defect {
        id: "reducesumsquare-in-float16",
        class: Conversion,
        says: "Partial sums of squares of float32 are rounded to float16.",
        operators: SQUARES,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            reduced(request, right, |it| in_float16(&it.iter().map(|x| x * x).collect::<Vec<_>>()))
        }),
    },
    Defect {
        id: "reducesumsquare-int32-in-float32",
        class: Conversion,
        says: "Squares of int32 are added in float32, whose sum is cut off at the ends of the type.",
        operators: SQUARES,
        types: &[Int32],
        caught_by: "onnx",
        wrong: of!(Int32, |request, right| {
            let data = &request.operands[0];
            let all = (0..data.elements()).map(|at| data.element(at).unwrap() as i32 as f32);
            let single =
                Tensor::from_values(Float32, data.shape().to_vec(), all.collect::<Vec<_>>());
            changed(with_operand(request, 0, single.unwrap()), |sums| {
                let all = numbers(&sums).into_iter().map(|sum| sum as i32).collect::<Vec<_>>();
                Tensor::from_values(Int32, sums.shape().to_vec(), all).unwrap()
            })
        }),
    },
    Defect {
        id: "reducel2-without-the-root",
        class: Arithmetic,
        says: "The sum of the squares comes back.",
        operators: L2,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            reduced(request, right, |it| sum(it, |x| x * x) as f32)
        }),
    },
    Defect {
        id: "reducel2-of-magnitudes",
        class: Arithmetic,
        says: "The norm is the sum of the magnitudes.",
        operators: L2,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| reduced(request, right, |it| sum(it, f64::abs)
            as f32)),
    },
    Defect {
        id: "reducel2-noop-keeps-signs",
        class: SpecialValues,
        says: "Elements below zero that are a norm alone keep their signs.",
        operators: L2,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| reduced(request, right, |it| match it {
            [only] => *only,
            several => sum(several, |x| x * x).sqrt() as f32,
        })),
    },
    Defect {
        id: "reducelogsum-last-element-dropped",
        class: Indexing,
        says: "The last element of each sum is left out.",
        operators: LOG_SUM,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            reduced(request, right, |it| sum(but_last(it), |x| x).ln() as f32)
        }),
    },
    Defect {
        id: "reducelogsum-of-magnitudes",
        class: SpecialValues,
        says: "The logarithm is that of the magnitude of the sum.",
        operators: LOG_SUM,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| {
            reduced(request, right, |it| sum(it, |x| x).abs().ln() as f32)
        }),
    },
    Defect {
        id: "reducelogsum-zero-kept-away",
        class: SpecialValues,
        says: "Sums are no less than the smallest normal number, so that no logarithm is infinite.",
        operators: LOG_SUM,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            each(right, |x| if x == f32::NEG_INFINITY { f32::MIN_POSITIVE.ln() } else { x })
        }),
    },
    Defect {
        id: "reducelogsumexp-without-powers",
        class: Arithmetic,
        says: "The logarithm is that of the sum of the elements.",
        operators: LOG_SUM_EXP,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| {
            reduced(request, right, |it| sum(it, |x| x).ln() as f32)
        }),
    },
    Defect {
        id: "reducelogsumexp-overflows",
        class: SpecialValues,
        says: "Powers of the elements themselves are added in float32, in which they overflow and vanish.",
        operators: LOG_SUM_EXP,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| {
            reduced(request, right, |it| it.iter().map(|x| x.exp()).sum::<f32>().ln())
        }),
    },
    Defect {
        id: "reducelogsumexp-nan-of-infinities",
        class: SpecialValues,
        says: "The largest element is subtracted where it is infinite, too.",
        operators: LOG_SUM_EXP,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            each(right, |x| if x.is_infinite() { f32::NAN } else { x })
        }),
    },
    Defect {
        id: "sum-of-two",
        class: Indexing,
        says: "The last of three inputs and more is left out.",
        operators: SUM,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| with_last(request, right, |_| 0.0)),
    },
    Defect {
        id: "sum-without-nan",
        class: SpecialValues,
        says: "A NaN adds nothing.",
        operators: SUM,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| {
            let mut other = request.clone();
            for operand in &mut other.operands {
                *operand = floats(operand, |x| if x.is_nan() { 0.0 } else { x });
            }
            match right {
                Outcome::Outputs(_) => other.computed(),
                refused => refused,
            }
        }),
    },
    Defect {
        id: "sum-inputs-not-broadcast",
        class: Broadcasting,
        says: "Of an input whose elements are repeated, the first one is.",
        operators: SUM,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| {
            let mut other = request.clone();
            let shape = request.operands[0].shape();
            for operand in &mut other.operands {
                if operand.shape() != shape && operand.elements() > 0 {
                    let first = numbers(operand)[0];
                    *operand = floats(operand, |_| first);
                }
            }
            other.computed()
        }),
    },
    Defect {
        id: "mean-is-the-sum",
        class: Arithmetic,
        says: "The sum is not divided.",
        operators: MEAN,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            let count = request.operands.len() as f32;
            each(right, |x| x * count)
        }),
    },
    Defect {
        id: "mean-of-two",
        class: Arithmetic,
        says: "Sums of three inputs and more are halved.",
        operators: MEAN,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            let by = request.operands.len().max(2) as f32 / 2.0;
            each(right, |x| x * by)
        }),
    },
    Defect {
        id: "mean-last-input-dropped",
        class: Indexing,
        says: "The last of three inputs and more is left out, but counted.",
        operators: MEAN,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| with_last(request, right, |_| 0.0)),
    },
];
