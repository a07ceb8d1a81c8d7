//! Shapes that differ are matched wrongly.

use onnx_conformance::backend::{Outcome, RefusalKind};
use onnx_conformance::documents::qualification::document::Class::Broadcasting;
use onnx_conformance::dtype::DType::{Bfloat16, Float16, Float32, Float64, Int32};
use onnx_conformance::kernels::{Attribute, find};
use onnx_conformance::tensor::Tensor;

use crate::defect::{Defect, Wrong};
use crate::request::{Request, as_other, changed, refused};
use crate::types::{DIV, DIVISIONS};

/// Whether the version stretches both operands.
fn is_two_way(request: &Request<'_>) -> bool {
    request.operands.len() == 2 && !is_limited(request)
}

/// Whether the version is one of those with `axis`, and it is given.
fn has_axis(request: &Request<'_>) -> bool {
    is_limited(request) && request.attributes.contains_key("axis")
}

/// Whether the version stretches the divisor alone, and only where it is asked to.
fn is_limited(request: &Request<'_>) -> bool {
    request.operator.name() == "Div" && request.operator.since_version() < 7
}

/// The shape of an outcome's tensor.
fn output_shape(outcome: &Outcome) -> Option<Vec<usize>> {
    match outcome {
        Outcome::Outputs(outputs) => Some(outputs.first()?.tensors().first()?.shape().to_vec()),
        _ => None,
    }
}

/// A shape with dimensions of 1 before it, or after it, up to a rank.
fn padded(shape: &[usize], rank: usize, after: bool) -> Vec<usize> {
    let ones = vec![1; rank - shape.len()];
    if after { [shape, &ones].concat() } else { [&ones, shape].concat() }
}

/// The request with its operands in these shapes.
fn reshaped<'t>(request: &Request<'t>, shape: impl Fn(&Tensor) -> Vec<usize>) -> Request<'t> {
    let operands = request.operands.iter();
    let operands =
        operands.map(|operand| as_other(operand, operand.dtype(), &shape(operand))).collect();
    Request { operands, ..request.clone() }
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "axis-ignored",
        class: Broadcasting,
        says: "Div-1 and Div-6 ignore `axis`.",
        operators: DIV,
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| match has_axis(request) {
            true => request.without("axis"),
            false => right,
        }),
    },
    Defect {
        id: "axis-taken-for-zero",
        class: Broadcasting,
        says: "Div-1 and Div-6 take every `axis` for 0.",
        operators: DIV,
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| match has_axis(request) {
            true => request.with("axis", Some(Attribute::Int(0))).computed(),
            false => right,
        }),
    },
    Defect {
        id: "broadcast-not-asked-for",
        class: Broadcasting,
        says: "Div-1 and Div-6 stretch the divisor without being asked to.",
        operators: DIV,
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| match is_limited(request) {
            true => request.with("broadcast", Some(Attribute::Int(1))).computed(),
            false => right,
        }),
    },
    Defect {
        id: "divisor-of-div-6-stretched-inside",
        class: Broadcasting,
        says: "Div-1 and Div-6 stretch dimensions of 1, as only later versions do.",
        operators: DIV,
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            if !is_limited(request) || has_axis(request) {
                return right;
            }
            let newer = request.with("broadcast", None).with("consumed_inputs", None);
            match (request.attributes.get("broadcast"), find("Div", 7)) {
                (Some(Attribute::Int(1)), Some(operator)) => {
                    Request { operator, ..newer }.computed()
                }
                _ => right,
            }
        }),
    },
    Defect {
        id: "shapes-aligned-at-the-first-dimension",
        class: Broadcasting,
        says: "Shapes of different rank are aligned at the first dimension.",
        operators: DIVISIONS,
        types: &[Bfloat16, Float16, Float32, Float64, Int32],
        caught_by: "openvino onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            let rank = request.operands.iter().map(|operand| operand.shape().len()).max();
            match (output_shape(&right), rank) {
                (Some(_), Some(rank)) if is_two_way(request) => {
                    reshaped(request, |operand| padded(operand.shape(), rank, true)).computed()
                }
                _ => right,
            }
        }),
    },
    Defect {
        id: "stretched-dividend-exchanged",
        class: Broadcasting,
        says: "Where the dividend has fewer elements, dividend and divisor are exchanged.",
        operators: DIVISIONS,
        types: &[Bfloat16, Float16, Float32, Float64, Int32],
        caught_by: "sonnx openvino onnx",
        wrong: Wrong::Tensors(|request, right| match request.operands.as_slice() {
            [a, b] if is_two_way(request) && a.elements() < b.elements() => {
                let operands = vec![b.clone(), a.clone()];
                Request { operands, ..request.clone() }.computed()
            }
            _ => right,
        }),
    },
    Defect {
        id: "two-way-stretching-refused",
        class: Broadcasting,
        says: "Operands that both are to be stretched are refused.",
        operators: DIVISIONS,
        types: &[Float32, Int32],
        caught_by: "openvino onnx",
        wrong: Wrong::Tensors(|request, right| match output_shape(&right) {
            Some(shape)
                if request
                    .operands
                    .iter()
                    .all(|operand| operand.elements() < shape.iter().product()) =>
            {
                refused(RefusalKind::Error, "both operands would have to be stretched")
            }
            _ => right,
        }),
    },
    Defect {
        id: "rank-above-4-refused",
        class: Broadcasting,
        says: "Shapes that differ are refused above four dimensions.",
        operators: DIVISIONS,
        types: &[Float32, Int32],
        caught_by: "openvino onnx",
        wrong: Wrong::Tensors(|request, right| {
            let shapes = request.shapes();
            let differ = shapes.iter().any(|shape| *shape != shapes[0]);
            if differ && shapes.iter().any(|shape| shape.len() > 4) {
                return refused(RefusalKind::Error, "more than four dimensions");
            }
            right
        }),
    },
    Defect {
        id: "output-in-the-shape-of-the-dividend",
        class: Broadcasting,
        says: "The output has the dividend's shape, whatever the divisor's.",
        operators: DIVISIONS,
        types: &[Bfloat16, Float16, Float32, Float64, Int32],
        caught_by: "openvino onnx",
        wrong: Wrong::Tensors(|request, right| {
            let shape = request.operands[0].shape().to_vec();
            let elements = request.operands[0].elements();
            changed(right, |tensor| match tensor.elements() >= elements {
                true => crate::request::picked(&tensor, &(0..elements).collect::<Vec<_>>(), &shape),
                false => tensor,
            })
        }),
    },
    Defect {
        id: "outer-dimension-not-stretched",
        class: Broadcasting,
        says: "A divisor with a first dimension of 1 is read past its first row.",
        operators: DIVISIONS,
        types: &[Float32, Int32],
        caught_by: "openvino onnx",
        wrong: Wrong::Tensors(|request, right| {
            let divisors = request.operands.get(1);
            match (output_shape(&right), divisors.map(|b| (b.shape(), b.elements()))) {
                (Some(shape), Some(([1, rest @ ..], elements)))
                    if is_two_way(request) && !rest.is_empty() && elements > 1 =>
                {
                    // The row after the last is whatever lies there: the same row, one further on.
                    let (b, shapes) = (&request.operands[1], request.shapes());
                    let shapes: Vec<&[usize]> = shapes.iter().map(Vec::as_slice).collect();
                    let Ok(plan) = request.operator.broadcast(&request.attributes, &shapes) else {
                        return right;
                    };
                    let row: usize = shape[1..].iter().product();
                    request.gathered(&shape, |which, k| {
                        let at = plan.operand_index(which, k).unwrap();
                        let past = if which == 1 { k / row } else { 0 };
                        if which == 1 { (at + past) % b.elements() } else { at }
                    })
                }
                _ => right,
            }
        }),
    },
    Defect {
        id: "sizes-that-differ-cut",
        class: Broadcasting,
        says: "Dimensions that do not go together are cut to the smaller one instead of refused.",
        operators: DIVISIONS,
        types: &[Float32],
        caught_by: "sonnx sonnx-draft openvino onnx",
        wrong: Wrong::Tensors(|request, right| {
            let shapes = request.shapes();
            match (&right, shapes.as_slice()) {
                (Outcome::Refused(_), [a, b])
                    if is_two_way(request)
                        && a.len() == b.len()
                        && request.operands.iter().all(|x| x.dtype() == Float32) =>
                {
                    let shape: Vec<usize> = a.iter().zip(b).map(|(a, b)| *a.min(b)).collect();
                    request.gathered(&shape, |_, k| k)
                }
                _ => right,
            }
        }),
    },
    Defect {
        id: "empty-stretched-to-one",
        class: Broadcasting,
        says: "A dimension of 0 by one of 1 gives 1.",
        operators: DIVISIONS,
        types: &[Float32, Int32],
        caught_by: "openvino onnx",
        wrong: Wrong::Tensors(|request, right| {
            let shapes = request.shapes();
            changed(right, |tensor| {
                if tensor.elements() > 0 || shapes.iter().all(|shape| *shape == shapes[0]) {
                    return tensor;
                }
                let shape: Vec<usize> = tensor.shape().iter().map(|size| (*size).max(1)).collect();
                let width = tensor.dtype().bits().unwrap() as usize / 8;
                let bytes = vec![0; shape.iter().product::<usize>() * width];
                Tensor::from_bits(tensor.dtype(), shape, bytes.into()).unwrap()
            })
        }),
    },
];
