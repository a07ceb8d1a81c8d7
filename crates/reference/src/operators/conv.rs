//! Conv: the convolution of data with weights, and a bias.
//!
//! `integer_products/convolution.rs` has the shapes and `convolving.rs` the sums. SONNX takes two spatial axes, one
//! group or one for each channel, and no attribute by default. Sources: ONNX's schemas of Conv-1, 11 and 22; SONNX's
//! Conv.

use crate::case_table::{self, Own};
use crate::families::convolving::{Convolved, check_bias, versions};
use crate::families::integer_products::convolution::{ATTRIBUTES, CASES, Convolution};
use crate::families::summing::Accumulated;
use crate::operator::{
    Allowed, Attribute, Call, Document, Invalid, Operator, OperatorKind, Reference, TensorType,
    Version,
};
use crate::signature::IEEE_FLOATS;

/// Conv in ONNX's default domain.
pub static CONV: Operator = Operator {
    documents: &[
        Document { key: "sonnx-conv", catalogue: include_str!("conv/sonnx-conv.toml") },
        Document { key: "onnx-conv", catalogue: include_str!("conv/onnx-conv.toml") },
    ],
    cases: Some(|of| {
        let tables =
            [CASES, include_str!("conv/cases.toml"), include_str!("conv/sonnx_cases.toml")];
        case_table::cases(of, &CONV, &tables, Own::NONE)
    }),
    ..Operator::onnx("Conv", OperatorKind::Accumulated, &VERSIONS, &Conv)
};

const VERSIONS: [Version; 3] = versions(&ATTRIBUTES);

pub(crate) fn convolution(call: &Call) -> Result<Convolution, Invalid> {
    let [x, w] = [call.input(0)?.shape(), call.input(1)?.shape()];
    if call.specification.is_restricted() {
        call.restrict_types(IEEE_FLOATS)?;
        let is_missing = |attribute: &&Attribute| !call.attributes.contains_key(attribute.name);
        if let Some(missing) = call.version.attributes.iter().find(is_missing) {
            return Err(call.invalid(&format!("of SONNX needs `{}`", missing.name)));
        }
        if x.len() != 4 {
            return Err(call.invalid("of SONNX takes two spatial axes"));
        }
        if call.text("auto_pad") != Some("NOTSET") {
            return Err(call.invalid("of SONNX takes no `auto_pad` but NOTSET"));
        }
        let channels = x.get(1).and_then(|channels| i64::try_from(*channels).ok());
        if call.int("group") != Some(1) && call.int("group") != channels {
            return Err(call.invalid("of SONNX has one group, or one for each channel"));
        }
    }
    let convolution = Convolution::of(call, x, w)?;
    check_bias(call, 2, w.first().copied().unwrap_or_default())?;
    Ok(convolution)
}

struct Conv;

impl Reference for Conv {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        Ok(vec![TensorType::new(call.input(0)?.dtype(), convolution(call)?.shape())?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let convolved = convolution(call).and_then(|layout| {
            let open = layout.open();
            Convolved::of(call, layout, open)
        });
        match convolved {
            Ok(convolved) => vec![Box::new(Accumulated(convolved))],
            Err(_) => Vec::new(),
        }
    }
}
