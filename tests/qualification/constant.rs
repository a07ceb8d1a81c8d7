//! Constants that are read or laid out wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::documents::qualification::document::Class::{
    Conversion, Indexing, SpecialValues, TypeHandling,
};
use onnx_conformance::dtype::DType::{Float32, Float64, Int64, String as Text};
use onnx_conformance::kernels::Attribute;
use onnx_conformance::onnx::Sparse;
use onnx_conformance::tensor::Tensor;

use crate::defect::{Defect, Wrong};
use crate::request::{Request, as_other, changed, elementwise, picked};

const CONSTANT: &[&str] = &["Constant"];

/// The integers of a tensor.
fn integers(tensor: &Tensor) -> Vec<i64> {
    (0..tensor.elements()).map(|at| tensor.element(at).unwrap() as i64).collect()
}

/// The request with other indices of its sparse tensor, where it has some.
fn with_indices(
    request: &Request<'_>,
    right: Outcome,
    other: impl Fn(&Sparse, &Tensor) -> Vec<i64>,
) -> Outcome {
    let Some(Attribute::Sparse(sparse)) = request.attributes.get("sparse_value") else {
        return right;
    };
    let Some(indices) = sparse.indices.as_ref().filter(|indices| indices.dtype() == Int64) else {
        return right;
    };
    let shape = indices.shape().to_vec();
    let indices = Tensor::from_values(Int64, shape, other(sparse, indices)).unwrap();
    let other = Sparse { indices: Some(indices), ..sparse.clone() };
    request.with("sparse_value", Some(Attribute::Sparse(other))).computed()
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "constant-single-is-a-list",
        class: Indexing,
        says: "A single number or text comes as a list of one.",
        operators: CONSTANT,
        types: &[Float32, Int64, Text],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            let is_single = ["value_float", "value_int", "value_string"]
                .iter()
                .any(|name| request.attributes.contains_key(*name));
            changed(right, |tensor| match tensor.strings() {
                _ if !is_single => tensor,
                Some(strings) => Tensor::from_strings(vec![1], strings.to_vec()).unwrap(),
                None => as_other(&tensor, tensor.dtype(), &[1]),
            })
        }),
    },
    Defect {
        id: "constant-integers-as-doubles",
        class: Conversion,
        says: "Integers of attributes are kept as doubles.",
        operators: CONSTANT,
        types: &[Int64],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| match request.attributes.iter().next() {
            _ if matches!(right, Outcome::Refused(_)) => right,
            Some((name, Attribute::Int(value))) => {
                request.with(name, Some(Attribute::Int(*value as f64 as i64))).computed()
            }
            Some((name, Attribute::Ints(values))) => {
                let values = values.iter().map(|&value| value as f64 as i64);
                request.with(name, Some(Attribute::Ints(values.collect()))).computed()
            }
            _ => right,
        }),
    },
    Defect {
        id: "constant-payload-lost",
        class: SpecialValues,
        says: "Every NaN comes out as the same one.",
        operators: CONSTANT,
        types: &[Float32],
        caught_by: "sonnx",
        wrong: Wrong::Tensors(|request, right| {
            elementwise(request, right, |_, _, bits| {
                if f32::from_bits(bits as u32).is_nan() { 0x7fc0_0000 } else { bits }
            })
        }),
    },
    Defect {
        id: "constant-matrix-by-columns",
        class: Indexing,
        says: "The elements of a matrix are stored column by column.",
        operators: CONSTANT,
        types: &[Float32],
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| match request.attributes.get("value") {
            Some(Attribute::Tensor(value)) if value.dtype() == Float32 => {
                changed(right, |tensor| match *tensor.shape() {
                    [rows, columns] => {
                        let place = |at: usize| at % rows * columns + at / rows;
                        let places: Vec<usize> = (0..rows * columns).map(place).collect();
                        picked(&tensor, &places, &[rows, columns])
                    }
                    _ => tensor,
                })
            }
            _ => right,
        }),
    },
    Defect {
        id: "constant-empty-texts-lost",
        class: Conversion,
        says: "Empty texts of a list are left out.",
        operators: CONSTANT,
        types: &[Text],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| match request.attributes.get("value_strings") {
            Some(Attribute::Texts(texts)) => {
                let texts = texts.iter().filter(|text| !text.is_empty()).cloned();
                request.with("value_strings", Some(Attribute::Texts(texts.collect()))).computed()
            }
            _ => right,
        }),
    },
    Defect {
        id: "constant-first-value-taken",
        class: TypeHandling,
        says: "Of several values the first is taken.",
        operators: CONSTANT,
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            let mut first = request.clone();
            match request.attributes.iter().next() {
                Some((name, value)) if request.attributes.len() > 1 => {
                    first.attributes = [(name.clone(), value.clone())].into();
                    first.computed()
                }
                _ => right,
            }
        }),
    },
    Defect {
        id: "constant-sparse-coordinates-reversed",
        class: Indexing,
        says: "The coordinates of stored elements are read from the last dimension on.",
        operators: CONSTANT,
        types: &[Float32, Float64],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| match right {
            Outcome::Outputs(_) => with_indices(request, right, |sparse, indices| {
                let rank = sparse.dims.len();
                let all = integers(indices);
                if indices.shape().len() != 2 {
                    return all;
                }
                let reversed = all.chunks(rank).flat_map(|place| place.iter().rev().copied());
                reversed.collect()
            }),
            refused => refused,
        }),
    },
    Defect {
        id: "constant-sparse-order-ignored",
        class: Indexing,
        says: "Stored elements may come in any order.",
        operators: CONSTANT,
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| match &right {
            Outcome::Refused(_) if request.task.suite == Suite::Onnx => {
                with_indices(request, right, |_, indices| {
                    let mut all = integers(indices);
                    if indices.shape().len() == 1 {
                        all.sort_unstable();
                    }
                    all
                })
            }
            _ => right,
        }),
    },
    Defect {
        id: "constant-sonnx-any-attribute",
        class: TypeHandling,
        says: "Under SONNX, too, every attribute is taken.",
        operators: CONSTANT,
        types: &[Float32, Int64],
        caught_by: "sonnx",
        wrong: Wrong::Tensors(|request, right| {
            let is_other = request.task.suite == Suite::Sonnx
                && !request.attributes.contains_key("value")
                && !request.attributes.is_empty();
            if is_other { request.computed() } else { right }
        }),
    },
];
