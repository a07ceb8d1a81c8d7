//! QLinearConv: the convolution of quantized data with quantized weights, quantized anew.
//!
//! Scale and zero point of the weights are single, or there is one for each output channel; all others are single. The bias
//! is quantized by the product of the operands' scales, and so an integer that is added to the sum. The document does not
//! say how the result is rounded: it is taken as QuantizeLinear has it. Source: ONNX's schema of QLinearConv-10.

use values::dtype::DType::{Float32, Int32};
use values::tensor::Tensor;

use crate::case_table::{self, Own};
use crate::families::integer_products::convolution::{ATTRIBUTES, CASES, Convolution};
use crate::families::integer_products::requantized::Requantized;
use crate::families::integer_products::{BYTES, check_pair, check_parameter};
use crate::operator::{
    Allowed, Call, Document, Invalid, Operator, OperatorKind, Port, Reference, TensorType, Version,
};

/// QLinearConv in ONNX's default domain.
pub static QLINEARCONV: Operator = Operator {
    documents: &[Document {
        key: "onnx-qlinearconv",
        catalogue: include_str!("qlinearconv/onnx-qlinearconv.toml"),
    }],
    cases: Some(|of| {
        let tables = [CASES, include_str!("qlinearconv/cases.toml")];
        case_table::cases(of, &QLINEARCONV, &tables, Own::NONE)
    }),
    ..Operator::onnx("QLinearConv", OperatorKind::Rounded, &VERSIONS, &QLinearConv)
};

const VERSIONS: [Version; 1] = [Version {
    since: 10,
    inputs: &[
        Port::new("x", BYTES, "T1"),
        Port::new("x_scale", &[Float32], "tensor(float)"),
        Port::new("x_zero_point", BYTES, "T1"),
        Port::new("w", BYTES, "T2"),
        Port::new("w_scale", &[Float32], "tensor(float)"),
        Port::new("w_zero_point", BYTES, "T2"),
        Port::new("y_scale", &[Float32], "tensor(float)"),
        Port::new("y_zero_point", BYTES, "T3"),
        Port::new("B", &[Int32], "T4").optional(),
    ],
    outputs: &[Port::new("y", BYTES, "T3")],
    attributes: &ATTRIBUTES,
}];

fn convolution(call: &Call) -> Result<Convolution, Invalid> {
    let [x, w] = [call.input(0)?.shape(), call.input(3)?.shape()];
    let convolution = Convolution::of(call, x, w)?;
    let channels: Vec<usize> = w.iter().take(1).copied().collect();
    let per_channel = [channels.clone()];
    for (scale, zero, shapes) in [(1, 2, &[][..]), (4, 5, &per_channel), (6, 7, &[])] {
        check_parameter(call, scale, shapes)?;
        check_parameter(call, zero, shapes)?;
        check_pair(call, scale, zero)?;
    }
    let bias = call.inputs.get(8).and_then(Option::as_ref).map(Tensor::shape);
    match bias.is_none_or(|bias| bias == channels) {
        true => Ok(convolution),
        false => Err(call.invalid("has not one bias for each output channel")),
    }
}

struct QLinearConv;

impl Reference for QLinearConv {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        Ok(vec![TensorType::new(call.input(7)?.dtype(), convolution(call)?.shape())?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        match convolution(call).and_then(|layout| Requantized::of(call, layout, false)) {
            Ok(elements) => vec![Box::new(elements)],
            Err(_) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;
