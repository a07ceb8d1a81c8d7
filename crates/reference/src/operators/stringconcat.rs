//! StringConcat: each string of one tensor, and behind it that of another, broadcast to each other.
//!
//! Strings have to be UTF-8; what others give is not stated. Source: ONNX's schema of StringConcat-20.

use values::dtype::DType::{self, String as Text};
use values::element::Element;

use crate::broadcast::Broadcast;
use crate::case_table::{self, Own};
use crate::elementwise::{Elementwise, FOREIGN};
use crate::exact::{Conforming, Deviation};
use crate::families::strings::NOT_UTF_8;
use crate::inputs::texts;
use crate::operator::{Call, Document, Invalid, Operator, OperatorKind, Ports, Version};
use crate::pointwise::Pointwise;
use crate::real::Real;

/// StringConcat in ONNX's default domain.
pub static STRINGCONCAT: Operator = Operator {
    documents: &[Document {
        key: "onnx-stringconcat",
        catalogue: include_str!("stringconcat/onnx-stringconcat.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &STRINGCONCAT, &[include_str!("stringconcat/cases.toml")], Own::NONE)
    }),
    strings: Some(texts::PAIRS),
    ..Operator::onnx("StringConcat", OperatorKind::Exact, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 1] = [const { Ports::new(["X", "Y"], "Z", &[Text]) }.since(20, &[])];

/// What is allowed of its results.
const REFERENCE: Pointwise<Concatenation> =
    Pointwise { function: |_, _| Concatenation, broadcast, boundaries: None };

/// The most bytes that all strings of an output may have, as messages of Protocol Buffers are smaller than that.
const MOST_BYTES: u128 = 1 << 31;

fn broadcast(call: &Call) -> Result<Broadcast, Invalid> {
    let broadcast = Broadcast::multidirectional(&call.shapes())?;
    let results = broadcast.shape().iter().map(|size| *size as u128).product::<u128>();
    // Every string of an operand comes equally often.
    let bytes = call.inputs.iter().flatten().map(|operand| {
        let strings = operand.strings().unwrap_or_default();
        let all: u128 = strings.iter().map(|string| string.len() as u128).sum();
        all.saturating_mul(results / (strings.len() as u128).max(1))
    });
    if bytes.fold(results, u128::saturating_add) > MOST_BYTES {
        return Err(call.invalid("gives no output as large as that"));
    }
    Ok(broadcast)
}

/// One string behind another.
#[derive(Clone, Copy, Debug)]
pub struct Concatenation;

impl Elementwise for Concatenation {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        let (Text, [Element::String(x), Element::String(y)]) = (dtype, operands) else {
            return FOREIGN;
        };
        match (str::from_utf8(x), str::from_utf8(y)) {
            (Ok(x), Ok(y)) => Conforming::Same(texts::element(format!("{x}{y}"))),
            _ => Conforming::Unspecified(NOT_UTF_8),
        }
    }

    fn real(&self, _: DType, _: &[Element], _: u32) -> Option<Real> {
        None
    }

    fn deviation(&self, _: DType, _: &[Element], _: u64) -> Deviation {
        Deviation::NoRealResult
    }
}

#[cfg(test)]
mod tests;
