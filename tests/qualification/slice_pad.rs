//! Slice and Pad computed wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{
    Conversion, Indexing, SpecialValues,
};
use onnx_conformance::dtype::DType::{Float32, Int32, Int64, Uint8};
use onnx_conformance::kernels::Attribute;
use onnx_conformance::tensor::{Tensor, Value, coordinates, row_major};

use crate::defect::{Defect, Wrong};
use crate::request::{Request, changed, elementwise, of_type, picked};

const SLICE: &[&str] = &["Slice"];
const PAD: &[&str] = &["Pad"];

/// The integers of an operand, or those of an attribute where there is no such operand.
fn list(request: &Request<'_>, at: usize, name: &str) -> Option<Vec<i64>> {
    if let Some(Attribute::Ints(list)) = request.attributes.get(name) {
        return Some(list.clone());
    }
    let operand = request.operands.get(at)?;
    let elements = (0..operand.elements()).map(|at| operand.element(at).unwrap());
    Some(match operand.dtype() {
        Int32 => elements.map(|bits| i64::from(bits as i32)).collect(),
        _ => elements.map(|bits| bits as i64).collect(),
    })
}

/// The request with another list in the place of an operand.
fn with_list(request: &Request<'_>, at: usize, list: &[i64]) -> Outcome {
    let mut other = request.clone();
    if let Some(operand) = other.operands.get_mut(at) {
        let shape = vec![list.len()];
        *operand = match operand.dtype() {
            Int32 => {
                let list = list.iter().map(|&entry| entry as i32).collect();
                Tensor::from_values(Int32, shape, list).unwrap()
            }
            _ => Tensor::from_values(Int64, shape, list.to_vec()).unwrap(),
        };
    }
    other.computed()
}

/// The entries of a slice by all of its lists, each with the size of its dimension: start, end, step, size.
fn entries(request: &Request<'_>) -> Option<Vec<[i64; 4]>> {
    let [starts, ends, axes] =
        [(1, "starts"), (2, "ends"), (3, "axes")].map(|(at, name)| list(request, at, name));
    let (starts, ends, axes) = (starts?, ends?, axes?);
    let steps = list(request, 4, "steps").unwrap_or_else(|| vec![1; starts.len()]);
    let sizes = request.operands[0].shape();
    let entry = |at: usize| {
        let axis = axes.get(at)?;
        let axis = if *axis < 0 { axis.checked_add(sizes.len() as i64)? } else { *axis };
        let size = *sizes.get(usize::try_from(axis).ok()?)? as i64;
        Some([*starts.get(at)?, *ends.get(at)?, *steps.get(at)?, size])
    };
    (0..starts.len()).map(entry).collect()
}

/// The request with ends made anew of the entries.
fn with_ends(request: &Request<'_>, right: Outcome, end: impl Fn([i64; 4]) -> i64) -> Outcome {
    match entries(request) {
        Some(entries) if request.operands.len() > 2 && matches!(right, Outcome::Outputs(_)) => {
            let ends: Vec<i64> = entries.into_iter().map(end).collect();
            with_list(request, 2, &ends)
        }
        _ => right,
    }
}

/// The request with other paddings, made of those that it has.
fn with_pads(request: &Request<'_>, right: Outcome, pads: impl Fn(&[i64]) -> Vec<i64>) -> Outcome {
    let name = if request.operator.since_version() == 1 { "paddings" } else { "pads" };
    match (list(request, 1, name), &right) {
        (Some(given), Outcome::Outputs(_)) => {
            let mut other = request.clone();
            let pads = pads(&given);
            match other.operands.get(1) {
                Some(_) => return with_list(request, 1, &pads),
                None => other.attributes.insert(name.to_owned(), Attribute::Ints(pads)),
            };
            other.computed()
        }
        _ => right,
    }
}

/// The elements of the data in the places of an output of Pad in a mode, each dimension's by how far it is from the
/// first one and by its size; where all dimensions are padded.
fn placed(
    request: &Request<'_>,
    right: Outcome,
    mode: &str,
    place: impl Fn(i64, i64) -> i64,
) -> Outcome {
    let is_asked = request.attributes.get("mode") == Some(&Attribute::Text(mode.to_owned()));
    let data = &request.operands[0];
    let pads = list(request, 1, "pads").filter(|pads| pads.len() == 2 * data.shape().len());
    let (Some(pads), true, Outcome::Outputs(outputs)) = (pads, is_asked, &right) else {
        return right;
    };
    let shape = outputs[0].tensors()[0].shape().to_vec();
    let from = |index: usize| {
        let at = coordinates(index, &shape).into_iter().zip(&pads).zip(data.shape());
        // A wrong place beyond the data is that of its nearest element.
        let places = at.map(|((at, begin), &size)| {
            place(at as i64 - begin, size as i64).min(size as i64 - 1).max(0) as usize
        });
        row_major(&places.collect::<Vec<_>>(), data.shape()).unwrap()
    };
    let places: Vec<usize> = (0..shape.iter().product()).map(from).collect();
    Outcome::Outputs(vec![picked(data, &places, &shape).into()])
}

const CENTER: &[&str] = &["CenterCropPad"];

/// What comes of the input turned round, turned back, where each size of it and of the output is as the function says.
fn turned_round(request: &Request<'_>, right: Outcome, holds: fn(usize, usize) -> bool) -> Outcome {
    let round = |tensor: &Tensor| {
        let places: Vec<usize> = (0..tensor.elements()).rev().collect();
        picked(tensor, &places, tensor.shape())
    };
    let input = request.operands[0].shape().to_vec();
    let mut other = request.clone();
    other.operands[0] = round(&request.operands[0]);
    changed(right, |output| {
        let mut sizes = input.iter().zip(output.shape());
        match (sizes.all(|(from, to)| holds(*from, *to)), other.computed()) {
            (true, Outcome::Outputs(outputs)) => match outputs.as_slice() {
                [Value::Tensor(tensor)] => round(tensor),
                _ => output,
            },
            _ => output,
        }
    })
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "slice-backward-end-clamped-to-0",
        class: Indexing,
        says: "Stepping backward, an end before the first element is clamped to it, which then is left out.",
        operators: SLICE,
        types: &[Float32],
        caught_by: "sonnx onnx",
        wrong: of_type!(Float32, |request, right| {
            with_ends(
                request,
                right,
                |[_, end, step, size]| {
                    if step < 0 && end < -size { 0 } else { end }
                },
            )
        }),
    },
    Defect {
        id: "slice-last-step-incomplete",
        class: Indexing,
        says: "Of a step that goes beyond the end no element comes.",
        operators: SLICE,
        types: &[Float32],
        caught_by: "sonnx onnx",
        wrong: of_type!(Float32, |request, right| {
            with_ends(request, right, |[start, end, step, size]| {
                let within = |at: i64| if at < 0 { at.saturating_add(size) } else { at };
                let (start, last) = (within(start).clamp(0, size), within(end).clamp(0, size));
                let whole = last.saturating_sub(start) / step.max(1) * step.max(1);
                if step > 0 && last > start { start + whole } else { end }
            })
        }),
    },
    Defect {
        id: "slice-negative-axis-from-the-first",
        class: Indexing,
        says: "A negative axis is counted from the first dimension.",
        operators: SLICE,
        types: &[Float32],
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| {
            let rank = request.operands[0].shape().len() as i64;
            match list(request, 3, "axes") {
                Some(axes)
                    if request.operands.len() > 3 && matches!(right, Outcome::Outputs(_)) =>
                {
                    let axis = |&axis: &i64| match axis {
                        ..0 if axis >= -rank => -1 - axis,
                        _ => axis,
                    };
                    with_list(request, 3, &axes.iter().map(axis).collect::<Vec<_>>())
                }
                _ => right,
            }
        }),
    },
    Defect {
        id: "slice-end-of-int32-overflows",
        class: Conversion,
        says: "The largest int32 as an end has the size added to it and becomes negative.",
        operators: SLICE,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| {
            let is_narrow = request.operands.get(2).is_some_and(|ends| ends.dtype() == Int32);
            with_ends(request, right, |[_, end, _, size]| {
                if is_narrow && end == i64::from(i32::MAX) { i64::MIN >> 32 | size } else { end }
            })
        }),
    },
    Defect {
        id: "slice-place-in-16-bits",
        class: Conversion,
        says: "Places are counted in 16 bits.",
        operators: SLICE,
        types: &[Uint8],
        caught_by: "onnx",
        wrong: of_type!(Uint8, |request, right| {
            let data = &request.operands[0];
            if data.elements() <= 1 << 16 {
                return right;
            }
            let mut other = request.clone();
            let places: Vec<usize> = (0..data.elements()).map(|at| at & 0xffff).collect();
            other.operands[0] = picked(data, &places, data.shape());
            other.computed()
        }),
    },
    Defect {
        id: "pad-reflection-repeats-the-edge",
        class: Indexing,
        says: "A reflection begins with the first or the last element itself.",
        operators: PAD,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| {
            placed(request, right, "reflect", |at, size| match at {
                ..0 => -1 - at,
                _ if at >= size => 2 * size - 1 - at,
                _ => at,
            })
        }),
    },
    Defect {
        id: "pad-wraps-once",
        class: Indexing,
        says: "Elements are wrapped around a dimension once, and beyond that the edge is repeated.",
        operators: PAD,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| {
            placed(request, right, "wrap", |at, size| {
                let at = if at < 0 {
                    at + size
                } else if at >= size {
                    at - size
                } else {
                    at
                };
                at.clamp(0, size - 1)
            })
        }),
    },
    Defect {
        id: "pad-ends-beside-beginnings",
        class: Indexing,
        says: "The two paddings of a dimension are taken to follow each other.",
        operators: PAD,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| {
            with_pads(request, right, |pads| {
                let beginnings = pads.iter().step_by(2);
                beginnings.chain(pads.iter().skip(1).step_by(2)).copied().collect()
            })
        }),
    },
    Defect {
        id: "pad-nothing-removed",
        class: Indexing,
        says: "A negative padding is taken as none.",
        operators: PAD,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| {
            with_pads(request, right, |pads| pads.iter().map(|&count| count.max(0)).collect())
        }),
    },
    Defect {
        id: "pad-sign-of-zero-lost",
        class: SpecialValues,
        says: "A zero comes out without its sign.",
        operators: PAD,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| {
            elementwise(request, right, |_, _, bits| if bits == 0x8000_0000 { 0 } else { bits })
        }),
    },
    Defect {
        id: "centercroppad-window-half-an-element-late",
        class: Indexing,
        says: "A window begins half an element after the middle where the difference is odd.",
        operators: CENTER,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| turned_round(request, right, |from, to| from >= to)),
    },
    Defect {
        id: "centercroppad-padding-half-an-element-late",
        class: Indexing,
        says: "What is odd of the padding comes before the elements.",
        operators: CENTER,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| turned_round(request, right, |from, to| from <= to)),
    },
    Defect {
        id: "centercroppad-axes-sorted",
        class: Indexing,
        says: "The sizes are those of the dimensions in their order, whatever the order of `axes`.",
        operators: CENTER,
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            let (Some(Attribute::Ints(axes)), Outcome::Outputs(_)) =
                (request.attributes.get("axes"), &right)
            else {
                return right;
            };
            let mut sorted = axes.clone();
            sorted.sort_unstable();
            request.with("axes", Some(Attribute::Ints(sorted))).computed()
        }),
    },
];
