//! Operators that give elements another shape, or tell of it, wrongly.

use onnx_conformance::backend::{Outcome, RefusalKind};
use onnx_conformance::documents::qualification::document::Class::{Conversion, Indexing};
use onnx_conformance::dtype::DType::{Float32, Int64};
use onnx_conformance::kernels::Attribute;
use onnx_conformance::tensor::Tensor;

use crate::defect::{Defect, Wrong};
use crate::request::{Request, as_other, changed, of_type, picked, refused};

/// The list of integers that a request gives, as an attribute of this name or as its second operand.
fn list(request: &Request<'_>, name: &str) -> Option<Vec<i64>> {
    if let Some(Attribute::Ints(list)) = request.attributes.get(name) {
        return Some(list.clone());
    }
    let operand = request.operands.get(1)?;
    Some((0..operand.elements()).map(|at| operand.element(at).unwrap() as i64).collect())
}

/// The request with another list.
fn with_list(request: &Request<'_>, name: &str, list: &[i64]) -> Outcome {
    let mut other = request.clone();
    match other.operands.get_mut(1) {
        Some(operand) => {
            *operand = Tensor::from_values(Int64, vec![list.len()], list.to_vec()).unwrap();
        }
        None => {
            other.attributes.insert(name.to_owned(), Attribute::Ints(list.to_vec()));
        }
    }
    other.computed()
}

/// The request with another integer attribute.
fn with_int(request: &Request<'_>, name: &str, value: i64) -> Outcome {
    let mut other = request.clone();
    other.attributes.insert(name.to_owned(), Attribute::Int(value));
    other.computed()
}

fn int(request: &Request<'_>, name: &str) -> Option<i64> {
    match request.attributes.get(name) {
        Some(Attribute::Int(value)) => Some(*value),
        _ => None,
    }
}

/// The tensor of the same elements in this shape, in the place of a refusal.
fn taken(request: &Request<'_>, right: Outcome, shape: &[usize]) -> Outcome {
    let data = &request.operands[0];
    match right {
        Outcome::Refused(_) if shape.iter().product::<usize>() == data.elements() => {
            Outcome::Outputs(vec![as_other(data, data.dtype(), shape).into()])
        }
        other => other,
    }
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "reshape-zero-is-one",
        class: Indexing,
        says: "A size of 0 stands for 1 instead of the input's own size.",
        operators: &["Reshape"],
        types: &[Float32],
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| match list(request, "shape") {
            Some(sizes) if sizes.contains(&0) && int(request, "allowzero") != Some(1) => {
                let sizes: Vec<i64> =
                    sizes.iter().map(|&size| size + i64::from(size == 0)).collect();
                with_list(request, "shape", &sizes)
            }
            _ => right,
        }),
    },
    Defect {
        id: "reshape-open-size-twice",
        class: Indexing,
        says: "Of two open sizes the second is taken for 1.",
        operators: &["Reshape"],
        types: &[Float32],
        caught_by: "sonnx onnx",
        wrong: of_type!(Float32, |request, right| match list(request, "shape") {
            Some(mut sizes) if sizes.iter().filter(|&&size| size == -1).count() == 2 => {
                let last = sizes.iter().rposition(|&size| size == -1).unwrap();
                sizes[last] = 1;
                with_list(request, "shape", &sizes)
            }
            _ => right,
        }),
    },
    Defect {
        id: "reshape-column-major",
        class: Indexing,
        says: "Matrices are read column by column.",
        operators: &["Reshape"],
        types: &[Float32],
        caught_by: "sonnx onnx",
        wrong: of_type!(Float32, |request, right| match request.operands[0].shape() {
            &[rows, columns] => changed(right, |tensor| {
                let order: Vec<usize> =
                    (0..rows * columns).map(|at| at % rows * columns + at / rows).collect();
                picked(&request.operands[0], &order, tensor.shape())
            }),
            _ => right,
        }),
    },
    Defect {
        id: "flatten-default-axis-0",
        class: Indexing,
        says: "Without an axis everything is flattened.",
        operators: &["Flatten"],
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| match int(request, "axis") {
            None => with_int(request, "axis", 0),
            Some(_) => right,
        }),
    },
    Defect {
        id: "flatten-negative-axis-off-by-one",
        class: Indexing,
        says: "An axis counted from the end is one too far behind.",
        operators: &["Flatten"],
        types: &[Float32],
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| match int(request, "axis") {
            Some(axis @ ..0) => {
                with_int(request, "axis", axis + request.operands[0].shape().len() as i64 + 1)
            }
            _ => right,
        }),
    },
    Defect {
        id: "flatten-axis-clamped",
        class: Indexing,
        says: "An axis beyond the last dimension is taken for the end.",
        operators: &["Flatten"],
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| match int(request, "axis") {
            Some(axis @ 1..) => {
                with_int(request, "axis", axis.min(request.operands[0].shape().len() as i64))
            }
            _ => right,
        }),
    },
    Defect {
        id: "squeeze-other-sizes",
        class: Indexing,
        says: "A listed dimension of another size stays where it is, without a word.",
        operators: &["Squeeze"],
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| {
            let shape = request.operands[0].shape().to_vec();
            let axes = list(request, "axes").unwrap_or_default();
            let is_there = |&axis: &i64| usize::try_from(axis).is_ok_and(|at| at < shape.len());
            if axes.iter().all(is_there) { taken(request, right, &shape) } else { right }
        }),
    },
    Defect {
        id: "squeeze-negative-axes-refused",
        class: Indexing,
        says: "Dimensions counted from the end are refused.",
        operators: &["Squeeze"],
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| match list(request, "axes") {
            Some(axes) if axes.iter().any(|&axis| axis < 0) => {
                refused(RefusalKind::Error, "a negative axis")
            }
            _ => right,
        }),
    },
    Defect {
        id: "unsqueeze-places-of-the-input",
        class: Indexing,
        says: "Places are counted in the input, one after the other.",
        operators: &["Unsqueeze"],
        types: &[Float32],
        caught_by: "sonnx onnx",
        wrong: of_type!(Float32, |request, right| {
            let axes = list(request, "axes").unwrap_or_default();
            changed(right, |tensor| {
                let mut shape = request.operands[0].shape().to_vec();
                for axis in axes.iter().rev() {
                    let rank = tensor.shape().len() as i64;
                    let place = if *axis < 0 { axis + rank } else { *axis } as usize;
                    shape.insert(place.min(shape.len()), 1);
                }
                as_other(&tensor, Float32, &shape)
            })
        }),
    },
    Defect {
        id: "unsqueeze-doubles-taken",
        class: Indexing,
        says: "A place that is listed twice makes one dimension.",
        operators: &["Unsqueeze"],
        types: &[Float32],
        caught_by: "sonnx onnx",
        wrong: of_type!(Float32, |request, right| {
            let axes = list(request, "axes").unwrap_or_default();
            match axes[..] {
                [one, other] if one == other => with_list(request, "axes", &[one]),
                _ => right,
            }
        }),
    },
    Defect {
        id: "unsqueeze-negative-of-the-input",
        class: Indexing,
        says: "Places are counted from the end of the input instead of the output's.",
        operators: &["Unsqueeze"],
        types: &[Float32],
        caught_by: "sonnx onnx",
        wrong: of_type!(Float32, |request, right| {
            let rank = request.operands[0].shape().len() as i64;
            let axes = list(request, "axes").unwrap_or_default();
            let is_back = |axis: &i64| (-rank..0).contains(axis);
            if axes.iter().any(is_back) {
                let moved = |&axis: &i64| if is_back(&axis) { axis + rank } else { axis };
                with_list(request, "axes", &axes.iter().map(moved).collect::<Vec<_>>())
            } else {
                right
            }
        }),
    },
    Defect {
        id: "shape-end-included",
        class: Indexing,
        says: "The size at the end is told as well.",
        operators: &["Shape"],
        types: &[Float32],
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| match int(request, "end") {
            Some(end @ 1..1000) => with_int(request, "end", end + 1),
            _ => right,
        }),
    },
    Defect {
        id: "shape-places-not-clamped",
        class: Indexing,
        says: "A place outside the dimensions is refused.",
        operators: &["Shape"],
        types: &[Float32],
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| {
            let rank = request.operands[0].shape().len() as i64;
            let is_outside = |name| int(request, name).is_some_and(|at| at > rank || at < -rank);
            match is_outside("start") || is_outside("end") {
                true => refused(RefusalKind::Error, "no such dimension"),
                false => right,
            }
        }),
    },
    Defect {
        id: "size-of-scalars-zero",
        class: Indexing,
        says: "A scalar has no elements.",
        operators: &["Size"],
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| match request.operands[0].shape() {
            [] => number(0),
            _ => right,
        }),
    },
    Defect {
        id: "size-of-empty-dimensions-left-out",
        class: Indexing,
        says: "Dimensions of size 0 are not counted.",
        operators: &["Size"],
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| {
            let sizes = request.operands[0].shape().iter().filter(|&&size| size != 0);
            if request.operands[0].elements() == 0 { number(sizes.product()) } else { right }
        }),
    },
    Defect {
        id: "size-in-16-bits",
        class: Conversion,
        says: "Elements are counted in 16 bits.",
        operators: &["Size"],
        types: &[onnx_conformance::dtype::DType::Uint2],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| match request.operands[0].elements() {
            count @ 65_536.. => number(count & 0xffff),
            _ => right,
        }),
    },
];

/// A scalar of int64.
fn number(count: usize) -> Outcome {
    Outcome::Outputs(vec![Tensor::from_values(Int64, vec![], vec![count as i64]).unwrap().into()])
}
