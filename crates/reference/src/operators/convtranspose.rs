//! ConvTranspose: each element of the data adds its multiple of the weights to the output, and a bias is added.
//!
//! The output is cut by the padding, which follows from `output_shape` where that is given. Version 1 says of an odd
//! padding both that it is larger at the beginning for SAME_UPPER and that it is smaller, so that it leaves the result
//! open; no version says what a negative one is. Sources: ONNX's schemas of ConvTranspose-1, 11 and 22.

mod layout;

use self::layout::Transposed;
use super::maxpool::AUTO_PAD;
use crate::case_table::{self, Own};
use crate::families::convolving::{Convolved, check_bias, versions};
use crate::families::summing::Accumulated;
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Reference, TensorType, Version,
};

/// ConvTranspose in ONNX's default domain.
pub static CONVTRANSPOSE: Operator = Operator {
    documents: &[Document {
        key: "onnx-convtranspose",
        catalogue: include_str!("convtranspose/onnx-convtranspose.toml"),
    }],
    cases: Some(|of| {
        let table = include_str!("convtranspose/cases.toml");
        case_table::cases(of, &CONVTRANSPOSE, &[table], Own::NONE)
    }),
    readings: Some(include_str!("convtranspose/readings.toml")),
    ..Operator::onnx("ConvTranspose", OperatorKind::Accumulated, &VERSIONS, &ConvTranspose)
};

const VERSIONS: [Version; 3] = versions(&ATTRIBUTES);

const ATTRIBUTES: [Attribute; 8] = [
    Attribute::new("auto_pad", AttributeType::Text(AUTO_PAD)).otherwise(Otherwise::Text("NOTSET")),
    Attribute::new("dilations", AttributeType::Ints),
    Attribute::new("group", AttributeType::Int).otherwise(Otherwise::Int(1)),
    Attribute::new("kernel_shape", AttributeType::Ints),
    Attribute::new("output_padding", AttributeType::Ints),
    Attribute::new("output_shape", AttributeType::Ints),
    Attribute::new("pads", AttributeType::Ints),
    Attribute::new("strides", AttributeType::Ints),
];

pub(crate) fn transposed(call: &Call) -> Result<Transposed, Invalid> {
    let layout = Transposed::of(call, call.input(0)?.shape(), call.input(1)?.shape())?;
    check_bias(call, 2, layout.shape().get(1).copied().unwrap_or_default())?;
    Ok(layout)
}

struct ConvTranspose;

impl Reference for ConvTranspose {
    /// ONNX's function adds `output_padding` to a size that `auto_pad` has fixed.
    fn is_disputed(&self, call: &Call) -> bool {
        let is_padded =
            call.ints("output_padding").is_some_and(|all| all.iter().any(|it| *it != 0));
        is_padded && !matches!(call.text("auto_pad"), None | Some("NOTSET"))
    }

    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        Ok(vec![TensorType::new(call.input(0)?.dtype(), transposed(call)?.shape().to_vec())?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let convolved = transposed(call).and_then(|layout| {
            let open = layout.open();
            Convolved::of(call, layout, open)
        });
        match convolved {
            Ok(convolved) => vec![Box::new(Accumulated(convolved))],
            Err(_) => Vec::new(),
        }
    }
}
