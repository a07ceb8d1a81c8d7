//! ArgMax and ArgMin computed wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{
    Conversion, Indexing, SpecialValues,
};
use onnx_conformance::dtype::DType::{Float32, Int64, Uint8};
use onnx_conformance::kernels::Attribute;
use onnx_conformance::tensor::Tensor;

use crate::defect::{Defect, Wrong};
use crate::request::{Request, changed, of_type};

const MAX: &[&str] = &["ArgMax"];
const MIN: &[&str] = &["ArgMin"];

/// The value of an integer attribute that is given.
pub(crate) fn int(request: &Request<'_>, name: &str) -> Option<i64> {
    match request.attributes.get(name) {
        Some(Attribute::Int(value)) => Some(*value),
        _ => None,
    }
}

/// What comes of the request with another integer attribute.
pub(crate) fn with_int(request: &Request<'_>, name: &str, value: i64) -> Outcome {
    let mut other = request.clone();
    other.attributes.insert(name.to_owned(), Attribute::Int(value));
    other.computed()
}

/// Each place made another one.
fn places(right: Outcome, place: impl Fn(i64) -> i64) -> Outcome {
    changed(right, |tensor| {
        let all = (0..tensor.elements()).map(|at| tensor.element(at).unwrap() as i64);
        let all: Vec<i64> = all.map(place).collect();
        Tensor::from_values(Int64, tensor.shape().to_vec(), all).unwrap()
    })
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "argmax-nan-not-seen",
        class: SpecialValues,
        says: "A NaN takes part as the smallest number.",
        operators: MAX,
        types: &[Float32],
        caught_by: "sonnx",
        wrong: of_type!(Float32, |request, right| {
            let data = &request.operands[0];
            let values = (0..data.elements())
                .map(|at| f32::from_bits(data.element(at).unwrap() as u32))
                .map(|value| if value.is_nan() { f32::NEG_INFINITY } else { value });
            let values: Vec<f32> = values.collect();
            if data.elements() == 0 {
                return right;
            }
            let mut other = request.clone();
            other.operands[0] =
                Tensor::from_values(Float32, data.shape().to_vec(), values).unwrap();
            other.computed()
        }),
    },
    Defect {
        id: "argmax-place-in-16-bits",
        class: Conversion,
        says: "Places are counted in 16 bits.",
        operators: MAX,
        types: &[Uint8],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|_, right| places(right, |place| place & 0xffff)),
    },
    Defect {
        id: "argmin-default-axis-last",
        class: Indexing,
        says: "Without an axis the last dimension is gone along.",
        operators: MIN,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| match int(request, "axis") {
            None if request.operator.since_version() >= 11 => with_int(request, "axis", -1),
            _ => right,
        }),
    },
    Defect {
        id: "argmin-last-of-ties",
        class: Indexing,
        says: "The last of equal elements is told where nothing is asked for.",
        operators: MIN,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| match int(request, "select_last_index") {
            None if request.operator.since_version() >= 12 => {
                with_int(request, "select_last_index", 1)
            }
            _ => right,
        }),
    },
];
