//! ReduceMax, ReduceMin and TopK computed wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{
    Conversion, Indexing, SpecialValues,
};
use onnx_conformance::dtype::DType::{Float32, Int8, Int32, Int64, Uint8, Uint32};
use onnx_conformance::kernels::Attribute;
use onnx_conformance::tensor::{Tensor, Value};

use crate::arg_extremum::{int, with_int};
use crate::defect::Defect;
use crate::request::{Request, as_other, changed, of_type, picked};

const MAX: &[&str] = &["ReduceMax"];
const MIN: &[&str] = &["ReduceMin"];
const TOPK: &[&str] = &["TopK"];

/// The request with other data.
fn with_data(request: &Request<'_>, data: Tensor) -> Outcome {
    let mut other = request.clone();
    other.operands[0] = data;
    other.computed()
}

/// The integers of a tensor of int64.
pub(crate) fn integers(tensor: &Tensor) -> Vec<i64> {
    (0..tensor.elements()).map(|at| tensor.element(at).unwrap() as i64).collect()
}

/// The same tensor of float32 with each element made another one.
pub(crate) fn floats(tensor: &Tensor, element: impl Fn(f32) -> f32) -> Tensor {
    let all = (0..tensor.elements()).map(|at| f32::from_bits(tensor.element(at).unwrap() as u32));
    let all: Vec<f32> = all.map(element).collect();
    Tensor::from_values(Float32, tensor.shape().to_vec(), all).unwrap()
}

/// The request on axes of which each is made another one, whether they are an attribute or an input.
pub(crate) fn with_axes(request: &Request<'_>, axis: fn(i64) -> i64) -> Outcome {
    let mut other = request.clone();
    if let Some(Attribute::Ints(axes)) = other.attributes.get_mut("axes") {
        axes.iter_mut().for_each(|it| *it = axis(*it));
    }
    if let Some(axes) = other.operands.get_mut(1) {
        let all: Vec<i64> = integers(axes).into_iter().map(axis).collect();
        *axes = Tensor::from_values(Int64, axes.shape().to_vec(), all).unwrap();
    }
    other.computed()
}

/// Both outputs of TopK made others.
fn both(right: Outcome, change: impl FnOnce(&Tensor, &Tensor) -> [Tensor; 2]) -> Outcome {
    match &right {
        Outcome::Outputs(outputs) => match outputs.as_slice() {
            [Value::Tensor(values), Value::Tensor(places)] => {
                Outcome::Outputs(change(values, places).map(Value::from).to_vec())
            }
            _ => right,
        },
        _ => right,
    }
}

/// The places of TopK made others, by where each is in the output.
fn places(right: Outcome, place: impl Fn(usize, i64) -> i64) -> Outcome {
    both(right, |values, places| {
        let all = integers(places).into_iter().enumerate();
        let all: Vec<i64> = all.map(|(at, it)| place(at, it)).collect();
        let places = Tensor::from_values(Int64, places.shape().to_vec(), all).unwrap();
        [values.clone(), places]
    })
}

/// The dimension that a request of TopK goes along, and its size; none where there is none.
fn stretch(request: &Request<'_>) -> Option<(usize, usize)> {
    let shape = request.operands[0].shape();
    let axis = int(request, "axis").unwrap_or(-1);
    let axis = if axis < 0 { axis + shape.len() as i64 } else { axis };
    let axis = usize::try_from(axis).ok()?;
    shape.get(axis).map(|&size| (axis, size))
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "reducemax-starts-at-zero",
        class: SpecialValues,
        says: "The largest element is never below zero.",
        operators: MAX,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| changed(right, |it| floats(&it, |it| {
            if it < 0.0 { 0.0 } else { it }
        }))),
    },
    Defect {
        id: "reducemax-nan-passed-over",
        class: SpecialValues,
        says: "A NaN is passed over, so that minus infinity comes of nothing but NaN.",
        operators: MAX,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| {
            let without = |it: f32| if it.is_nan() { f32::NEG_INFINITY } else { it };
            with_data(request, floats(&request.operands[0], without))
        }),
    },
    Defect {
        id: "reducemax-negative-axis-first",
        class: Indexing,
        says: "A negative axis is the first dimension.",
        operators: MAX,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| match request.operator.since_version() {
            1 => right,
            _ => with_axes(request, |axis| axis.max(0)),
        }),
    },
    Defect {
        id: "reducemax-dimensions-dropped-by-default",
        class: Indexing,
        says: "The dimensions are left out where nothing is said.",
        operators: MAX,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| match int(request, "keepdims") {
            None => with_int(request, "keepdims", 0),
            Some(_) => right,
        }),
    },
    Defect {
        id: "reducemin-unsigned-as-signed",
        class: Conversion,
        says: "Unsigned integers are compared as signed ones.",
        operators: MIN,
        types: &[Uint32],
        caught_by: "onnx",
        wrong: of_type!(Uint32, |request, right| {
            let data = &request.operands[0];
            match &right {
                Outcome::Outputs(_) => {
                    changed(with_data(request, as_other(data, Int32, data.shape())), |it| {
                        as_other(&it, Uint32, it.shape())
                    })
                }
                _ => right,
            }
        }),
    },
    Defect {
        id: "reducemin-of-none-zero",
        class: SpecialValues,
        says: "The smallest of no elements is zero.",
        operators: MIN,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| match request.operands[0].elements() {
            0 => changed(right, |it| floats(&it, |_| 0.0)),
            _ => right,
        }),
    },
    Defect {
        id: "reducemin-empty-axes-always-all",
        class: Indexing,
        says: "Without axes all dimensions are gone along, though none are asked for.",
        operators: MIN,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| match int(request, "noop_with_empty_axes") {
            Some(1) => with_int(request, "noop_with_empty_axes", 0),
            _ => right,
        }),
    },
    Defect {
        id: "reducemin-first-axis-alone",
        class: Indexing,
        says: "Of several axes the first one alone is gone along.",
        operators: MIN,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| {
            let mut other = request.clone();
            if let Some(Attribute::Ints(axes)) = other.attributes.get_mut("axes") {
                axes.truncate(1);
            }
            match other.operands.get_mut(1) {
                Some(axes) if axes.elements() > 1 => *axes = picked(axes, &[0], &[1]),
                _ => {}
            }
            match right {
                Outcome::Outputs(_) => other.computed(),
                refused => refused,
            }
        }),
    },
    Defect {
        id: "topk-last-of-ties-first",
        class: Indexing,
        says: "Of equal elements the one with the higher index comes first.",
        operators: TOPK,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| {
            let x = &request.operands[0];
            let Some((axis, size)) = stretch(request) else { return right };
            let step: usize = x.shape()[axis + 1..].iter().product();
            let turned = |at: usize| {
                let place = at / step % size;
                at - place * step + (size - 1 - place) * step
            };
            let turned: Vec<usize> = (0..x.elements()).map(turned).collect();
            let found = with_data(request, picked(x, &turned, x.shape()));
            places(found, |_, place| size as i64 - 1 - place)
        }),
    },
    Defect {
        id: "topk-places-in-16-bits",
        class: Conversion,
        says: "Places are counted in 16 bits.",
        operators: TOPK,
        types: &[Uint8],
        caught_by: "onnx",
        wrong: of_type!(Uint8, |request, right| places(right, |_, place| place & 0xffff)),
    },
    Defect {
        id: "topk-places-in-the-tensor",
        class: Indexing,
        says: "Places are those in the whole tensor.",
        operators: TOPK,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| {
            let Some((axis, size)) = stretch(request) else { return right };
            let shape = request.operands[0].shape();
            let step: usize = shape[axis + 1..].iter().product();
            both(right, |values, found| {
                let k = found.shape()[axis];
                let all = integers(found).into_iter().enumerate().map(|(at, place)| {
                    let (outer, inner) = (at / step / k, at % step);
                    ((outer * size + place as usize) * step + inner) as i64
                });
                let all: Vec<i64> = all.collect();
                let shape = found.shape().to_vec();
                [values.clone(), Tensor::from_values(Int64, shape, all).unwrap()]
            })
        }),
    },
    Defect {
        id: "topk-default-axis-first",
        class: Indexing,
        says: "Without an axis the first dimension is gone along.",
        operators: TOPK,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| match int(request, "axis") {
            None => with_int(request, "axis", 0),
            Some(_) => right,
        }),
    },
    Defect {
        id: "topk-bytes-signed",
        class: Conversion,
        says: "Bytes are compared as signed ones.",
        operators: TOPK,
        types: &[Uint8],
        caught_by: "onnx",
        wrong: of_type!(Uint8, |request, right| {
            let x = &request.operands[0];
            let signed = as_other(x, Int8, x.shape());
            match with_data(request, signed) {
                Outcome::Outputs(_) if request.operator.since_version() < 11 => right,
                found => both(found, |values, places| {
                    [as_other(values, Uint8, values.shape()), places.clone()]
                }),
            }
        }),
    },
];
