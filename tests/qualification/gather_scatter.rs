//! Operators that take or write elements where indices say, wrongly.

use onnx_conformance::backend::{Outcome, RefusalKind};
use onnx_conformance::documents::qualification::document::Class::{Conversion, Indexing};
use onnx_conformance::dtype::DType::{Float32, Int32, Int64, Uint8};
use onnx_conformance::kernels::Attribute;
use onnx_conformance::tensor::Tensor;

use crate::defect::{Defect, Wrong};
use crate::request::{Request, of_type, refused};

const GATHER: &[&str] = &["Gather"];
const GATHER_ND: &[&str] = &["GatherND"];
const GATHER_ELEMENTS: &[&str] = &["GatherElements"];
const SCATTER_ELEMENTS: &[&str] = &["ScatterElements"];
const TENSOR_SCATTER: &[&str] = &["TensorScatter"];
const SCATTER_ND: &[&str] = &["ScatterND"];

fn axis(request: &Request<'_>) -> Option<i64> {
    match request.attributes.get("axis") {
        Some(Attribute::Int(value)) => Some(*value),
        _ => None,
    }
}

/// The request with another axis.
fn with_axis(request: &Request<'_>, value: i64) -> Outcome {
    let mut other = request.clone();
    other.attributes.insert("axis".to_owned(), Attribute::Int(value));
    other.computed()
}

/// The last dimension in the place of the default.
fn with_last_axis(request: &Request<'_>, right: Outcome) -> Outcome {
    if axis(request).is_none() { with_axis(request, -1) } else { right }
}

/// The request with the places that samples are written from on made others, where there are any and it is not refused.
fn with_places(
    request: &Request<'_>,
    right: Outcome,
    place: impl Fn(&[i64], usize) -> i64,
) -> Outcome {
    let (Some(places), Outcome::Outputs(_)) = (request.operands.get(2), &right) else {
        return right;
    };
    let all: Vec<i64> =
        (0..places.elements()).map(|at| places.element(at).unwrap() as i64).collect();
    let others = (0..all.len()).map(|at| place(&all, at)).collect();
    let mut other = request.clone();
    other.operands[2] = Tensor::from_values(Int64, places.shape().to_vec(), others).unwrap();
    other.computed()
}

/// The indices of a request.
fn indices(request: &Request<'_>) -> Option<Vec<i64>> {
    let indices = &request.operands[1];
    let all = (0..indices.elements()).map(|at| indices.element(at).unwrap());
    match indices.dtype() {
        Int32 => Some(all.map(|bits| i64::from(bits as i32)).collect()),
        Int64 => Some(all.map(|bits| bits as i64).collect()),
        _ => None,
    }
}

/// The request with each index made another one.
fn with_indices(request: &Request<'_>, right: Outcome, place: impl Fn(i64) -> i64) -> Outcome {
    let Some(all) = indices(request) else { return right };
    let mut other = request.clone();
    let shape = other.operands[1].shape().to_vec();
    let all = all.into_iter().map(place);
    other.operands[1] = match other.operands[1].dtype() {
        Int32 => Tensor::from_values(Int32, shape, all.map(|index| index as i32).collect()),
        _ => Tensor::from_values(Int64, shape, all.collect()),
    }
    .unwrap();
    other.computed()
}

/// Negative indices are taken for the first place.
fn negative_is_first(request: &Request<'_>, right: Outcome) -> Outcome {
    match indices(request) {
        Some(all) if all.iter().any(|&index| index < 0) => {
            with_indices(request, right, |index| index.max(0))
        }
        _ => right,
    }
}

/// Indices beyond the dimension are taken for the last place.
fn clamped(request: &Request<'_>, right: Outcome) -> Outcome {
    let shape = request.operands[0].shape();
    let axis = axis(request).unwrap_or(0);
    let axis = if axis < 0 { axis.wrapping_add(shape.len() as i64) } else { axis };
    match usize::try_from(axis).ok().and_then(|axis| shape.get(axis)) {
        Some(&size) if size > 0 && matches!(right, Outcome::Refused(_)) => {
            with_indices(request, right, |index| index.min(size as i64 - 1))
        }
        _ => right,
    }
}

/// Rows of indices are read as columns.
fn columns_for_rows(request: &Request<'_>, right: Outcome) -> Outcome {
    let shape = request.operands[1].shape().to_vec();
    match (indices(request), &shape[..]) {
        (Some(all), &[rows, width]) if rows > 1 && width > 1 => {
            let turned = (0..rows * width).map(|at| all[at % width * rows + at / width]);
            let mut other = request.clone();
            other.operands[1] = Tensor::from_values(Int64, shape, turned.collect()).unwrap();
            other.computed()
        }
        _ => right,
    }
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "gather-default-axis-last",
        class: Indexing,
        says: "Without an axis the last dimension is indexed into.",
        operators: GATHER,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| with_last_axis(request, right)),
    },
    Defect {
        id: "gather-negative-index-is-first",
        class: Indexing,
        says: "A negative index takes the first entry.",
        operators: GATHER,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| negative_is_first(request, right)),
    },
    Defect {
        id: "gather-index-clamped",
        class: Indexing,
        says: "An index beyond the end takes the last entry.",
        operators: GATHER,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| clamped(request, right)),
    },
    Defect {
        id: "gather-index-of-16-bits",
        class: Conversion,
        says: "Indices are kept in 16 bits.",
        operators: GATHER,
        types: &[Uint8],
        caught_by: "onnx",
        wrong: of_type!(Uint8, |request, right| {
            with_indices(request, right, |index| index & 0xffff)
        }),
    },
    Defect {
        id: "gathernd-negative-index-is-first",
        class: Indexing,
        says: "A negative index in a row is taken for the first one.",
        operators: GATHER_ND,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| negative_is_first(request, right)),
    },
    Defect {
        id: "gathernd-indices-column-major",
        class: Indexing,
        says: "Rows of indices are read as columns.",
        operators: GATHER_ND,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| columns_for_rows(request, right)),
    },
    Defect {
        id: "gatherelements-default-axis-last",
        class: Indexing,
        says: "Without an axis indices say the place along the last dimension.",
        operators: GATHER_ELEMENTS,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| with_last_axis(request, right)),
    },
    Defect {
        id: "gatherelements-negative-index-refused",
        class: Indexing,
        says: "Negative indices are refused.",
        operators: GATHER_ELEMENTS,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| match indices(request) {
            Some(all) if all.iter().any(|&index| index < 0) => {
                refused(RefusalKind::Error, "a negative index")
            }
            _ => right,
        }),
    },
    Defect {
        id: "gatherelements-index-of-32-bits",
        class: Conversion,
        says: "Of indices of 64 bits the upper half is lost.",
        operators: GATHER_ELEMENTS,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| {
            with_indices(request, right, |index| i64::from(index as i32))
        }),
    },
    Defect {
        id: "gatherelements-negative-axis-off-by-one",
        class: Indexing,
        says: "An axis counted from the end is one too far in front.",
        operators: GATHER_ELEMENTS,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| match axis(request) {
            Some(axis @ -2..=-1) => with_axis(request, axis - 1),
            _ => right,
        }),
    },
    Defect {
        id: "scatterelements-default-axis-last",
        class: Indexing,
        says: "Without an axis indices say the place along the last dimension.",
        operators: SCATTER_ELEMENTS,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| with_last_axis(request, right)),
    },
    Defect {
        id: "scatterelements-negative-index-is-first",
        class: Indexing,
        says: "An update at a negative index goes to the first place.",
        operators: SCATTER_ELEMENTS,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| negative_is_first(request, right)),
    },
    Defect {
        id: "scatterelements-index-clamped",
        class: Indexing,
        says: "An update beyond the end goes to the last place.",
        operators: SCATTER_ELEMENTS,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| clamped(request, right)),
    },
    Defect {
        id: "scatternd-negative-index-is-first",
        class: Indexing,
        says: "A negative index in a row is taken for the first one.",
        operators: SCATTER_ND,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| negative_is_first(request, right)),
    },
    Defect {
        id: "scatternd-indices-column-major",
        class: Indexing,
        says: "Rows of indices are read as columns.",
        operators: SCATTER_ND,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| columns_for_rows(request, right)),
    },
    Defect {
        id: "scatternd-index-of-8-bits",
        class: Conversion,
        says: "Indices are kept in 8 bits.",
        operators: SCATTER_ND,
        types: &[Uint8],
        caught_by: "onnx",
        wrong: of_type!(Uint8, |request, right| {
            with_indices(request, right, |index| index & 0xff)
        }),
    },
    Defect {
        id: "tensorscatter-place-of-the-first-sample",
        class: Indexing,
        says: "Every sample is written from the place of the first one on.",
        operators: TENSOR_SCATTER,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| with_places(request, right, |all, _| all[0])),
    },
    Defect {
        id: "tensorscatter-circular-stops-at-the-end",
        class: Indexing,
        says: "What wraps around is written up to the end of the cache, and begins early enough for that.",
        operators: TENSOR_SCATTER,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            let [cache, update, ..] = request.operands.as_slice() else { return right };
            let axis = axis(request).unwrap_or(-2).rem_euclid(cache.shape().len().max(1) as i64);
            let lengths = [cache, update].map(|it| it.shape().get(axis as usize).copied());
            let [Some(length), Some(written)] = lengths else { return right };
            let (length, written) = (length as i64, written as i64);
            with_places(request, right, |all, at| match length {
                0 => all[at],
                _ => all[at].rem_euclid(length).min(length - written),
            })
        }),
    },
    Defect {
        id: "tensorscatter-update-one-place-late",
        class: Indexing,
        says: "Circular writing begins one place after the one that is named.",
        operators: TENSOR_SCATTER,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            let is_circular =
                request.attributes.get("mode") == Some(&Attribute::Text("circular".to_owned()));
            match is_circular {
                true => with_places(request, right, |all, at| all[at].wrapping_add(1)),
                false => right,
            }
        }),
    },
];
