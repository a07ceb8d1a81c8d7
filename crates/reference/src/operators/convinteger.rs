//! ConvInteger: the convolution of integers less their zero points, in 32 bits.
//!
//! A zero point is 0 unless given: that of the data is single, that of the weights too, or there is one for each
//! output channel. No product overflows, and sums do modulo 2^32. Source: ONNX's schema of ConvInteger-10.

use values::dtype::DType::Int32;

use crate::case_table::{self, Own};
use crate::families::integer_products::convolution::{ATTRIBUTES, CASES, Convolution};
use crate::families::integer_products::{BYTES, Sums, check_parameter, sums_of_shape};
use crate::operator::{
    Allowed, Call, Document, Invalid, Operator, OperatorKind, Port, Reference, TensorType, Version,
};

/// ConvInteger in ONNX's default domain.
pub static CONVINTEGER: Operator = Operator {
    documents: &[Document {
        key: "onnx-convinteger",
        catalogue: include_str!("convinteger/onnx-convinteger.toml"),
    }],
    cases: Some(|of| {
        let tables = [CASES, include_str!("convinteger/cases.toml")];
        case_table::cases(of, &CONVINTEGER, &tables, Own::NONE)
    }),
    ..Operator::onnx("ConvInteger", OperatorKind::Exact, &VERSIONS, &ConvInteger)
};

const VERSIONS: [Version; 1] = [Version {
    since: 10,
    inputs: &[
        Port::new("x", BYTES, "T1"),
        Port::new("w", BYTES, "T2"),
        Port::new("x_zero_point", BYTES, "T1").optional(),
        Port::new("w_zero_point", BYTES, "T2").optional(),
    ],
    outputs: &[Port::new("y", &[Int32], "T3")],
    attributes: &ATTRIBUTES,
}];

fn convolution(call: &Call) -> Result<Convolution, Invalid> {
    let [x, w] = [call.input(0)?.shape(), call.input(1)?.shape()];
    let convolution = Convolution::of(call, x, w)?;
    check_parameter(call, 2, &[])?;
    check_parameter(call, 3, &[w.iter().take(1).copied().collect()])?;
    Ok(convolution)
}

struct ConvInteger;

impl Reference for ConvInteger {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        sums_of_shape(convolution(call)?.shape())
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        match convolution(call).and_then(|layout| Sums::of(call, layout, [0, 1], [2, 3])) {
            Ok(sums) => vec![Box::new(sums)],
            Err(_) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;
