//! MaxPool and GlobalMaxPool computed wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Conversion, Indexing, SpecialValues,
};
use onnx_conformance::dtype::DType::{Float32, Int8, Int64, Uint8};
use onnx_conformance::kernels::Attribute;
use onnx_conformance::tensor::{Tensor, Value};

use crate::defect::{Defect, Wrong};
use crate::request::{Request, as_other, of_type};

const MAX: &[&str] = &["MaxPool"];
const GLOBAL: &[&str] = &["GlobalMaxPool"];

/// The outcome of the request with what is changed of its attributes, where it has outputs and the named
/// attribute has this value.
fn with(
    request: &Request<'_>,
    right: Outcome,
    name: &str,
    value: &Attribute,
    other: Option<Attribute>,
) -> Outcome {
    if !matches!(right, Outcome::Outputs(_)) || request.attributes.get(name) != Some(value) {
        return right;
    }
    request.with(name, other).computed()
}

/// The outcome with another tensor in the place of one output, where it is there.
fn output(right: Outcome, place: usize, change: impl FnOnce(&Tensor) -> Tensor) -> Outcome {
    let Outcome::Outputs(mut outputs) = right else { return right };
    if let Some(Value::Tensor(tensor)) = outputs.get(place) {
        outputs[place] = change(tensor).into();
    }
    Outcome::Outputs(outputs)
}

/// A tensor of float32 with each element made anew of its place and what it was.
fn floats(tensor: &Tensor, element: impl Fn(usize, f32) -> f32) -> Tensor {
    let value = |at: usize| f32::from_bits(tensor.element(at).unwrap() as u32);
    let values = (0..tensor.elements()).map(|at| element(at, value(at))).collect::<Vec<_>>();
    Tensor::from_values(Float32, tensor.shape().to_vec(), values).unwrap()
}

/// The outcome of other elements of float32.
fn of_data(request: &Request<'_>, right: Outcome, element: impl Fn(usize, f32) -> f32) -> Outcome {
    let mut other = request.clone();
    match right {
        Outcome::Outputs(_) => {
            other.operands[0] = floats(&request.operands[0], element);
            other.computed()
        }
        other => other,
    }
}

/// Elements of a channel.
fn channel_size(request: &Request<'_>) -> usize {
    request.operands[0].shape().iter().skip(2).product::<usize>().max(1)
}

fn least_number(_: usize, value: f32) -> f32 {
    value.max(f32::MIN)
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "maxpool-padding-of-zeros",
        class: Arithmetic,
        says: "No result is less than 0 where there is padding.",
        operators: MAX,
        types: &[Float32],
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| match request.attributes.get("pads") {
            Some(Attribute::Ints(pads)) if pads.iter().any(|pad| *pad > 0) => {
                output(right, 0, |tensor| floats(tensor, |_, value| value.max(0.0)))
            }
            _ => right,
        }),
    },
    Defect {
        id: "maxpool-least-number-for-infinity",
        class: SpecialValues,
        says: "The search begins with the least finite number.",
        operators: MAX,
        types: &[Float32],
        caught_by: "sonnx onnx",
        wrong: of_type!(Float32, |request, right| {
            output(right, 0, |tensor| floats(tensor, least_number))
        }),
    },
    Defect {
        id: "maxpool-nan-not-seen",
        class: SpecialValues,
        says: "A NaN takes part as -infinity.",
        operators: MAX,
        types: &[Float32],
        caught_by: "sonnx onnx",
        wrong: of_type!(Float32, |request, right| of_data(request, right, |_, value| {
            if value.is_nan() { f32::NEG_INFINITY } else { value }
        })),
    },
    Defect {
        id: "maxpool-same-lower-is-upper",
        class: Indexing,
        says: "What is odd of the padding always comes at the end.",
        operators: MAX,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| {
            let [lower, upper] =
                ["SAME_LOWER", "SAME_UPPER"].map(|text| Attribute::Text(text.to_owned()));
            with(request, right, "auto_pad", &lower, Some(upper))
        }),
    },
    Defect {
        id: "maxpool-indices-within-channel",
        class: Indexing,
        says: "Indices begin anew with each channel.",
        operators: MAX,
        types: &[Float32],
        caught_by: "sonnx onnx",
        wrong: of_type!(Float32, |request, right| output(right, 1, |tensor| {
            let size = channel_size(request) as i64;
            let indices =
                (0..tensor.elements()).map(|at| tensor.element(at).unwrap() as i64 % size);
            let indices = indices.collect::<Vec<_>>();
            Tensor::from_values(Int64, tensor.shape().to_vec(), indices).unwrap()
        })),
    },
    Defect {
        id: "maxpool-int8-without-sign",
        class: Conversion,
        says: "Integers are compared as if they had no sign.",
        operators: MAX,
        types: &[Int8],
        caught_by: "sonnx onnx",
        wrong: Wrong::Tensors(|request, right| match (request.dtype(), &right) {
            (Int8, Outcome::Outputs(_)) => {
                let mut other = request.clone();
                let data = &request.operands[0];
                other.operands[0] = as_other(data, Uint8, data.shape());
                output(other.computed(), 0, |tensor| as_other(tensor, Int8, tensor.shape()))
            }
            _ => right,
        }),
    },
    Defect {
        id: "globalmaxpool-from-zero",
        class: Arithmetic,
        says: "The search begins with 0.",
        operators: GLOBAL,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| {
            output(right, 0, |tensor| floats(tensor, |_, value| value.max(0.0)))
        }),
    },
    Defect {
        id: "globalmaxpool-least-number-for-infinity",
        class: SpecialValues,
        says: "The search begins with the least finite number.",
        operators: GLOBAL,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| {
            output(right, 0, |tensor| floats(tensor, least_number))
        }),
    },
    Defect {
        id: "globalmaxpool-last-element-left-out",
        class: Indexing,
        says: "The last element of a channel of more than one is left out.",
        operators: GLOBAL,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| {
            let size = channel_size(request);
            of_data(request, right, |at, value| {
                if size > 1 && at % size == size - 1 { f32::NEG_INFINITY } else { value }
            })
        }),
    },
];
