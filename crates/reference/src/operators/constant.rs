//! Constant: what its one attribute says: a tensor, a sparse tensor, or a number or text, or a list of them.
//!
//! It has no inputs. The output of a sparse tensor is dense: where none of its elements is stored lies a zero or an
//! empty text. float8e8m0 has no zero, so that nothing is decided there. Sources: ONNX's schemas of
//! Constant-1, 9, 11, 12, 13, 19, 21, 23, 24 and 25; SONNX's Constant.

mod sparse;

use values::dtype::DType::{Float32, Int64, String as Text};
use values::element::Element;

use crate::case_table::{self, Own};
use crate::families::picking::{Picking, Source};
use crate::families::reshaping::moved;
use crate::operator::{
    Attribute, AttributeType, AttributeValue, Call, Document, Invalid, Operator, OperatorKind,
    Otherwise, Port, TensorType, Version,
};
use crate::signature::{IEEE_FLOATS, NUMERIC_SONNX};

/// Constant in ONNX's default domain.
pub static CONSTANT: Operator = Operator {
    documents: &[
        Document { key: "sonnx-constant", catalogue: include_str!("constant/sonnx-constant.toml") },
        Document { key: "onnx-constant", catalogue: include_str!("constant/onnx-constant.toml") },
    ],
    cases: Some(|of| {
        case_table::cases(of, &CONSTANT, &[include_str!("constant/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("Constant", OperatorKind::Exact, &VERSIONS, &Picking(stated))
};

const VERSIONS: [Version; 10] = [
    Version { since: 1, inputs: &[], outputs: &[OF_FLOATS], attributes: &ALONE },
    version(9, &const { output(15) }, &ALONE),
    version(11, &const { output(15) }, ALL.split_at(2).0),
    version(12, &const { output(15) }, &ALL),
    version(13, &const { output(16) }, &ALL),
    version(19, &const { output(20) }, &ALL),
    version(21, &const { output(22) }, &ALL),
    version(23, &const { output(23) }, &ALL),
    version(24, &const { output(24) }, &ALL),
    version(25, &const { output(26) }, &ALL),
];

const OF_FLOATS: Port = Port::new("output", IEEE_FLOATS, "T");

const VALUE: Attribute = Attribute::new("value", AttributeType::Tensor);
const ALONE: [Attribute; 1] = [VALUE.otherwise(Otherwise::Invalid)];
const ALL: [Attribute; 8] = [
    VALUE,
    Attribute::new("sparse_value", AttributeType::Sparse),
    Attribute::new("value_float", AttributeType::Float),
    Attribute::new("value_floats", AttributeType::Floats),
    Attribute::new("value_int", AttributeType::Int),
    Attribute::new("value_ints", AttributeType::Ints),
    Attribute::new("value_string", AttributeType::AnyText),
    Attribute::new("value_strings", AttributeType::Texts),
];

const fn version(
    since: i64,
    outputs: &'static [Port; 1],
    attributes: &'static [Attribute],
) -> Version {
    Version { since, inputs: &[], outputs, attributes }
}

const fn output(types: usize) -> [Port; 1] {
    [Port::new("output", moved(types), "T")]
}

fn stated(call: &Call) -> Result<(TensorType, Source<'_>), Invalid> {
    let mut given = call.attributes.values();
    let (Some(value), None) = (given.next(), given.next()) else {
        let count = call.attributes.len();
        return Err(call.invalid(&format!("takes exactly one value, but {count} are given")));
    };
    let is_tensor = matches!(value, AttributeValue::Tensor(_));
    if call.specification.is_restricted() && !is_tensor {
        return Err(call.invalid("of this specification needs the attribute `value`"));
    }
    let int = |value: &i64| Element::Bits(Int64, value.cast_unsigned().into());
    let float = |bits: &u32| Element::Bits(Float32, (*bits).into());
    let text = |text: &String| Element::String(text.clone().into());
    let (output, source): (TensorType, Source<'_>) = match value {
        AttributeValue::Tensor(tensor) => {
            (TensorType::of(tensor), Box::new(|index| Element::of(tensor, index)))
        }
        AttributeValue::Sparse(sparse) => sparse::dense(call, sparse)?,
        AttributeValue::Int(value) => single(int(value)),
        AttributeValue::Float(bits) => single(float(bits)),
        AttributeValue::Text(value) => single(text(value)),
        AttributeValue::Ints(values) => {
            let count = TensorType::new(Int64, vec![values.len()])?;
            (count, Box::new(move |index| values.get(index).map(int)))
        }
        AttributeValue::Floats(values) => {
            let count = TensorType::new(Float32, vec![values.len()])?;
            (count, Box::new(move |index| values.get(index).map(float)))
        }
        AttributeValue::Texts(values) => {
            let count = TensorType::new(Text, vec![values.len()])?;
            (count, Box::new(move |index| values.get(index).map(text)))
        }
        AttributeValue::Other => return Err(call.invalid("cannot take this value")),
    };
    let dtype = output.dtype;
    let is_given = call.version.output(0).is_some_and(|port| port.types.contains(&dtype));
    let is_named = !call.specification.is_restricted() || NUMERIC_SONNX.contains(&dtype);
    if !is_given || !is_named {
        return Err(call.invalid(&format!("gives no {dtype}")));
    }
    Ok((output, source))
}

/// A scalar.
fn single(element: Element) -> (TensorType, Source<'static>) {
    let output = TensorType { dtype: element.dtype(), shape: Vec::new() };
    (output, Box::new(move |_| Some(element.clone())))
}

#[cfg(test)]
mod tests;
