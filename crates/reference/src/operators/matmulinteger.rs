//! MatMulInteger: the product of matrices of integers less their zero points, in 32 bits.
//!
//! Matrices, stacks of them and vectors go together as MatMul's do. A zero point is 0 unless given; it is single, or
//! one for each row of A and one for each column of B. That of a tensor of one dimension is single. No product
//! overflows, and sums do modulo 2^32. Source: ONNX's schema of MatMulInteger-10.

use values::dtype::DType::Int32;

use super::matmul::Plan;
use crate::case_table::{self, Own};
use crate::families::integer_products::{
    BYTES, Sums, check_parameter, per_column, per_row, sums_of_shape,
};
use crate::operator::{
    Allowed, Call, Document, Invalid, Operator, OperatorKind, Port, Reference, TensorType, Version,
};

/// MatMulInteger in ONNX's default domain.
pub static MATMULINTEGER: Operator = Operator {
    documents: &[Document {
        key: "onnx-matmulinteger",
        catalogue: include_str!("matmulinteger/onnx-matmulinteger.toml"),
    }],
    cases: Some(|of| {
        let tables = [include_str!("matmulinteger/cases.toml")];
        case_table::cases(of, &MATMULINTEGER, &tables, Own::NONE)
    }),
    ..Operator::onnx("MatMulInteger", OperatorKind::Exact, &VERSIONS, &MatMulInteger)
};

const VERSIONS: [Version; 1] = [Version {
    since: 10,
    inputs: &[
        Port::new("A", BYTES, "T1"),
        Port::new("B", BYTES, "T2"),
        Port::new("a_zero_point", BYTES, "T1").optional(),
        Port::new("b_zero_point", BYTES, "T2").optional(),
    ],
    outputs: &[Port::new("Y", &[Int32], "T3")],
    attributes: &[],
}];

fn plan(call: &Call) -> Result<Plan, Invalid> {
    let [a, b] = [call.input(0)?.shape(), call.input(1)?.shape()];
    check_parameter(call, 2, &per_row(a))?;
    check_parameter(call, 3, &per_column(b))?;
    Plan::between(call, a, b)
}

struct MatMulInteger;

impl Reference for MatMulInteger {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        sums_of_shape(plan(call)?.shape())
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        match plan(call).and_then(|plan| Sums::of(call, plan, [0, 1], [2, 3])) {
            Ok(sums) => vec![Box::new(sums)],
            Err(_) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;
