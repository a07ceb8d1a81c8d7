//! Softmax and LogSoftmax computed wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Indexing, SpecialValues,
};
use onnx_conformance::dtype::DType::Float32;

use crate::arg_extremum::{int, with_int};
use crate::defect::{Defect, Wrong};
use crate::normalization::{line, numbers, places, renumbered};
use crate::request::Request;

const SOFTMAX: &[&str] = &["Softmax"];
const LOGSOFTMAX: &[&str] = &["LogSoftmax"];

/// Whether it is a call of the newest version that has elements.
fn is_of_newest(request: &Request<'_>, right: &Outcome) -> bool {
    request.dtype() == Float32
        && request.operator.since_version() >= 13
        && request.operands[0].elements() > 0
        && matches!(right, Outcome::Outputs(_))
}

/// A defect that is wrong on such calls alone.
macro_rules! newest {
    (|$request:ident, $right:ident| $result:expr) => {
        Wrong::Tensors(|$request, $right| match is_of_newest($request, &$right) {
            true => $result,
            false => $right,
        })
    };
}

/// Each element made anew of it and its line.
fn by_line(request: &Request<'_>, right: Outcome, element: fn(f64, &[f64], f64) -> f64) -> Outcome {
    let (line, x) = (line(request), numbers(&request.operands[0]));
    renumbered(right, 0, |at, right| {
        let all: Vec<f64> = places(at, line).map(|place| x[place]).collect();
        element(x[at], &all, right)
    })
}

/// The power of e, rounded to float32.
fn power(x: f64) -> f64 {
    f64::from(x.exp() as f32)
}

fn largest(all: &[f64]) -> f64 {
    all.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// The whole from one axis on is one line, as before version 13.
fn coerced(request: &Request<'_>, right: Outcome, are_logarithms: bool) -> Outcome {
    let shape = request.operands[0].shape();
    let axis = int(request, "axis").unwrap_or(-1);
    let axis = if axis < 0 { axis + shape.len() as i64 } else { axis } as usize;
    let line = (shape[axis..].iter().product(), 1);
    let x = numbers(&request.operands[0]);
    renumbered(right, 0, |at, _| {
        let all: Vec<f64> = places(at, line).map(|place| x[place]).collect();
        let largest = largest(&all);
        let sum: f64 = all.iter().map(|x| (x - largest).exp()).sum();
        let distance = x[at] - largest;
        if are_logarithms { distance - sum.ln() } else { distance.exp() / sum }
    })
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "softmax-largest-not-subtracted",
        class: Arithmetic,
        says: "Powers of e are taken of the elements themselves, and overflow.",
        operators: SOFTMAX,
        types: &[Float32],
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: newest!(|request, right| by_line(request, right, |x, all, _| {
            let sum = all.iter().fold(0.0, |sum: f32, x| sum + power(*x) as f32);
            power(x) / f64::from(sum)
        })),
    },
    Defect {
        id: "softmax-axis-off-by-one",
        class: Indexing,
        says: "Lines are along the dimension before the one that is asked for.",
        operators: SOFTMAX,
        types: &[Float32],
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: newest!(|request, right| match int(request, "axis") {
            Some(axis @ 1..) => with_int(request, "axis", axis - 1),
            _ => right,
        }),
    },
    Defect {
        id: "softmax-last-element-dropped",
        class: Indexing,
        says: "The sum lacks the last element of its line.",
        operators: SOFTMAX,
        types: &[Float32],
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: newest!(|request, right| by_line(request, right, |x, all, _| {
            let largest = largest(all);
            let sum: f64 = all[..all.len() - 1].iter().map(|x| (x - largest).exp()).sum();
            (x - largest).exp() / sum
        })),
    },
    Defect {
        id: "softmax-coerced-to-two-dimensions",
        class: Indexing,
        says: "All dimensions from the axis on are one line, as in version 11.",
        operators: SOFTMAX,
        types: &[Float32],
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: newest!(|request, right| coerced(request, right, false)),
    },
    Defect {
        id: "softmax-coarse-power",
        class: Arithmetic,
        says: "The power of e is off by 2^-18 of it for elements below the largest.",
        operators: SOFTMAX,
        types: &[Float32],
        caught_by: "sonnx onnx onnx-1.22.0-exact",
        wrong: newest!(|request, right| by_line(request, right, |x, all, right| {
            if x < largest(all) { right * (1.0 + 2_f64.powi(-18)) } else { right }
        })),
    },
    Defect {
        id: "logsoftmax-of-a-lost-share",
        class: SpecialValues,
        says: "The logarithm is taken of the share in float32, which may be 0.",
        operators: LOGSOFTMAX,
        types: &[Float32],
        caught_by: "onnx",
        wrong: newest!(|request, right| by_line(request, right, |_, _, right| {
            f64::from(right.exp() as f32).ln()
        })),
    },
    Defect {
        id: "logsoftmax-largest-not-subtracted",
        class: Arithmetic,
        says: "Powers of e are taken of the elements themselves, and overflow.",
        operators: LOGSOFTMAX,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: newest!(|request, right| by_line(request, right, |x, all, _| {
            let sum = all.iter().fold(0.0, |sum: f32, x| sum + power(*x) as f32);
            x - f64::from(sum).ln()
        })),
    },
    Defect {
        id: "logsoftmax-default-axis-1",
        class: Indexing,
        says: "Without an axis lines are along the second dimension, as in version 11.",
        operators: LOGSOFTMAX,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: newest!(|request, right| match int(request, "axis") {
            None if request.operands[0].shape().len() > 1 => with_int(request, "axis", 1),
            _ => right,
        }),
    },
    Defect {
        id: "logsoftmax-coerced-to-two-dimensions",
        class: Indexing,
        says: "All dimensions from the axis on are one line, as in version 11.",
        operators: LOGSOFTMAX,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: newest!(|request, right| coerced(request, right, true)),
    },
];
