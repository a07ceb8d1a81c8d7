//! QLinearMatMul: the product of quantized matrices, quantized anew.
//!
//! Matrices, stacks of them and vectors go together as MatMul's do. Scale and zero point of an operand are single, or there
//! is one for each row of a and each column of b; those of the output are single. Sources: ONNX's schemas of
//! QLinearMatMul-10 and 21.

use values::dtype::DType::{
    self, Bfloat16, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz, Float16, Float32,
    Int8, Uint8,
};

use super::matmul::Plan;
use crate::case_table::{self, Own};
use crate::families::integer_products::requantized::Requantized;
use crate::families::integer_products::{check_pair, check_parameter, per_column, per_row};
use crate::operator::{
    Allowed, Call, Document, Invalid, Operator, OperatorKind, Port, Reference, TensorType, Version,
};

/// QLinearMatMul in ONNX's default domain.
pub static QLINEARMATMUL: Operator = Operator {
    documents: &[Document {
        key: "onnx-qlinearmatmul",
        catalogue: include_str!("qlinearmatmul/onnx-qlinearmatmul.toml"),
    }],
    cases: Some(|of| {
        let tables = [include_str!("qlinearmatmul/cases.toml")];
        case_table::cases(of, &QLINEARMATMUL, &tables, Own::NONE)
    }),
    ..Operator::onnx("QLinearMatMul", OperatorKind::Rounded, &VERSIONS, &QLinearMatMul)
};

const QUANTIZED: [DType; 6] =
    [Int8, Uint8, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz];

const VERSIONS: [Version; 2] = [
    const { Ports::new(2, &[Float32], "tensor(float)") }.since(10),
    const { Ports::new(6, &[Float32, Float16, Bfloat16], "TS") }.since(21),
];

struct Ports {
    inputs: [Port; 8],
    output: [Port; 1],
}

impl Ports {
    /// The first so many types of data, and the types of the scales.
    const fn new(quantized: usize, scales: &'static [DType], variable: &'static str) -> Self {
        let quantized = QUANTIZED.split_at(quantized).0;
        Self {
            inputs: [
                Port::new("a", quantized, "T1"),
                Port::new("a_scale", scales, variable),
                Port::new("a_zero_point", quantized, "T1"),
                Port::new("b", quantized, "T2"),
                Port::new("b_scale", scales, variable),
                Port::new("b_zero_point", quantized, "T2"),
                Port::new("y_scale", scales, variable),
                Port::new("y_zero_point", quantized, "T3"),
            ],
            output: [Port::new("y", quantized, "T3")],
        }
    }

    const fn since(&'static self, since: i64) -> Version {
        Version { since, inputs: &self.inputs, outputs: &self.output, attributes: &[] }
    }
}

fn plan(call: &Call) -> Result<Plan, Invalid> {
    let [a, b] = [call.input(0)?.shape(), call.input(3)?.shape()];
    for (scale, zero, shapes) in [(1, 2, per_row(a)), (4, 5, per_column(b)), (6, 7, Vec::new())] {
        check_parameter(call, scale, &shapes)?;
        check_parameter(call, zero, &shapes)?;
        check_pair(call, scale, zero)?;
    }
    Plan::between(call, a, b)
}

struct QLinearMatMul;

impl Reference for QLinearMatMul {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        Ok(vec![TensorType::new(call.input(7)?.dtype(), plan(call)?.shape())?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        match plan(call).and_then(|plan| Requantized::of(call, plan, true)) {
            Ok(elements) => vec![Box::new(elements)],
            Err(_) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;
