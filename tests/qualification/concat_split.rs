//! Concat and Split done wrongly.

use onnx_conformance::backend::{Outcome, RefusalKind};
use onnx_conformance::documents::qualification::document::Class::{
    Conversion, Indexing, SpecialValues,
};
use onnx_conformance::dtype::DType::{Float32, Int16, Int64, Uint8};
use onnx_conformance::kernels::Attribute;
use onnx_conformance::tensor::{Tensor, Value};

use crate::defect::{Defect, Wrong};
use crate::request::{Request, changed, elementwise, of_type, picked, refused};

const CONCAT: &[&str] = &["Concat"];
const SPLIT: &[&str] = &["Split"];

fn int(request: &Request<'_>, name: &str) -> Option<i64> {
    match request.attributes.get(name) {
        Some(Attribute::Int(value)) => Some(*value),
        _ => None,
    }
}

/// The request with another integer attribute.
fn with_int(request: &Request<'_>, name: &str, value: i64) -> Outcome {
    let mut other = request.clone();
    other.attributes.insert(name.to_owned(), Attribute::Int(value));
    other.computed()
}

/// The request with the first operands alone, one at least.
fn with_first(request: &Request<'_>, count: usize) -> Outcome {
    let mut other = request.clone();
    other.operands.truncate(count.max(1));
    other.computed()
}

/// The tensors of an outcome, if there are any.
fn tensors(outcome: &Outcome) -> Option<Vec<Tensor>> {
    let Outcome::Outputs(values) = outcome else { return None };
    values.iter().map(|value| value.tensors().first().map(|&tensor| tensor.clone())).collect()
}

/// Several outputs.
fn outputs(tensors: Vec<Tensor>) -> Outcome {
    Outcome::Outputs(tensors.into_iter().map(Value::from).collect())
}

/// The sizes that a request of Split lists.
fn listed(request: &Request<'_>) -> Option<Vec<i64>> {
    if let Some(Attribute::Ints(list)) = request.attributes.get("split") {
        return Some(list.clone());
    }
    let list = request.operands.get(1).filter(|list| list.dtype() == Int64)?;
    Some((0..list.elements()).map(|at| list.element(at).unwrap() as i64).collect())
}

/// The request of Split with these sizes listed, for as many outputs.
fn with_sizes(request: &Request<'_>, sizes: &[i64]) -> Outcome {
    let mut other = request.clone();
    other.attributes.remove("num_outputs");
    let list = Tensor::from_values(Int64, vec![sizes.len()], sizes.to_vec()).unwrap();
    match other.attributes.get_mut("split") {
        Some(attribute) => *attribute = Attribute::Ints(sizes.to_vec()),
        None => {
            other.operands.truncate(1);
            other.operands.push(list);
        }
    }
    let operands: Vec<_> = other.operands.iter().map(Some).collect();
    match other.operator.run_for(sizes.len(), &operands, &other.attributes) {
        Ok(tensors) => outputs(tensors),
        Err(error) => refused(RefusalKind::Error, &error.to_string()),
    }
}

/// The dimension that a request of Split goes along, where it has such a one.
fn dimension(request: &Request<'_>) -> Option<usize> {
    let rank = request.operands[0].shape().len() as i64;
    let axis = int(request, "axis").unwrap_or(0);
    let axis = if axis < 0 { axis + rank } else { axis };
    usize::try_from(axis).ok().filter(|_| axis < rank)
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "concat-negative-axis-off-by-one",
        class: Indexing,
        says: "An axis counted from the end is one too far in front.",
        operators: CONCAT,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| match int(request, "axis") {
            Some(axis @ ..0) if matches!(right, Outcome::Outputs(_)) => {
                let rank = request.operands[0].shape().len() as i64;
                with_int(request, "axis", (axis + rank - 1).max(0))
            }
            _ => right,
        }),
    },
    Defect {
        id: "concat-ends-at-empty-input",
        class: Indexing,
        says: "Inputs behind an empty one are left out.",
        operators: CONCAT,
        types: &[Float32],
        caught_by: "sonnx onnx",
        wrong: of_type!(Float32, |request, right| {
            let empty = request.operands.iter().position(|input| input.elements() == 0);
            match empty {
                Some(empty) if tensors(&right).is_some() => with_first(request, empty + 1),
                _ => right,
            }
        }),
    },
    Defect {
        id: "concat-sixteen-inputs",
        class: Indexing,
        says: "Inputs behind the sixteenth are left out.",
        operators: CONCAT,
        types: &[Uint8, Int16],
        caught_by: "sonnx onnx",
        wrong: Wrong::Tensors(|request, right| match request.dtype() {
            Uint8 | Int16 if request.operands.len() > 16 => with_first(request, 16),
            _ => right,
        }),
    },
    Defect {
        id: "concat-single-rows-repeated",
        class: Indexing,
        says: "A single row beside several is repeated as often, instead of being refused.",
        operators: CONCAT,
        types: &[Float32],
        caught_by: "sonnx onnx",
        wrong: of_type!(Float32, |request, right| {
            let shapes = request.shapes();
            match (shapes.as_slice(), int(request, "axis")) {
                ([first, second], Some(1)) if matches!(second[..], [1, _]) && first.len() == 2 => {
                    let (rows, size) = (first[0], second[1]);
                    let places: Vec<usize> = (0..rows * size).map(|at| at % size).collect();
                    let mut other = request.clone();
                    other.operands[1] = picked(&request.operands[1], &places, &[rows, size]);
                    other.computed()
                }
                _ => right,
            }
        }),
    },
    Defect {
        id: "concat-payload-lost",
        class: SpecialValues,
        says: "Every NaN comes out as the same one.",
        operators: CONCAT,
        types: &[Float32],
        caught_by: "sonnx",
        wrong: of_type!(Float32, |request, right| elementwise(request, right, |_, _, bits| {
            if f32::from_bits(bits as u32).is_nan() { 0x7fc0_0000 } else { bits }
        })),
    },
    Defect {
        id: "concat-place-in-16-bits",
        class: Conversion,
        says: "Places in the output are counted in 16 bits.",
        operators: CONCAT,
        types: &[Uint8],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|_, right| {
            changed(right, |tensor| {
                let places: Vec<usize> = (0..tensor.elements()).map(|at| at & 0xffff).collect();
                picked(&tensor, &places, tensor.shape())
            })
        }),
    },
    Defect {
        id: "split-last-part-larger",
        class: Indexing,
        says: "What is no multiple of the number of parts makes the last one larger instead of smaller.",
        operators: SPLIT,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| {
            let size = dimension(request).map(|axis| request.operands[0].shape()[axis] as i64);
            match (int(request, "num_outputs"), size, tensors(&right)) {
                (Some(parts), Some(size), Some(_)) => {
                    let mut sizes = vec![size / parts; parts as usize];
                    *sizes.last_mut().unwrap() += size % parts;
                    with_sizes(request, &sizes)
                }
                _ => right,
            }
        }),
    },
    Defect {
        id: "split-default-axis-last",
        class: Indexing,
        says: "Without an axis the last dimension is split.",
        operators: SPLIT,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| match int(request, "axis") {
            None if tensors(&right).is_some() => {
                with_int(request, "axis", request.operands[0].shape().len() as i64 - 1)
            }
            _ => right,
        }),
    },
    Defect {
        id: "split-parts-begin-at-the-first",
        class: Indexing,
        says: "Every part begins where the first one does.",
        operators: SPLIT,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| match (tensors(&right), dimension(request)) {
            (Some(parts), Some(axis)) => {
                let data = &request.operands[0];
                let row: usize = data.shape()[axis..].iter().product();
                let from_first = |part: Tensor| {
                    let width: usize = part.shape()[axis..].iter().product();
                    let place = |at: usize| at / width * row + at % width;
                    let places: Vec<usize> = (0..part.elements()).map(place).collect();
                    picked(data, &places, part.shape())
                };
                outputs(parts.into_iter().map(from_first).collect())
            }
            _ => right,
        }),
    },
    Defect {
        id: "split-sum-not-checked",
        class: Indexing,
        says: "Listed sizes may leave a rest, which is in no part.",
        operators: SPLIT,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| {
            let size = dimension(request).map(|axis| request.operands[0].shape()[axis] as i64);
            match (listed(request), size) {
                (Some(mut sizes), Some(size)) if tensors(&right).is_none() => {
                    let sum = sizes.iter().fold(0_i64, |sum, &size| sum.saturating_add(size));
                    sizes.push(size - sum);
                    match tensors(&with_sizes(request, &sizes)) {
                        Some(mut parts) if size > sum => {
                            parts.pop();
                            outputs(parts)
                        }
                        _ => right,
                    }
                }
                _ => right,
            }
        }),
    },
    Defect {
        id: "split-list-before-number",
        class: Indexing,
        says: "Where sizes are listed and their number is given, the number is ignored.",
        operators: SPLIT,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| match (
            listed(request),
            int(request, "num_outputs")
        ) {
            (Some(sizes), Some(_)) => with_sizes(request, &sizes),
            _ => right,
        }),
    },
];
