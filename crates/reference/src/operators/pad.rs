//! Pad: elements are added before and after those of each dimension, or removed.
//!
//! ONNX does not say what a dimension gives that is listed twice, what negative entries are in version 1, what is
//! left where more is removed than there is at an end, what the reflection of a single element is, and what the edge
//! of nothing is. A reflection that is longer than what it mirrors goes on there and back, as the second example of
//! version 1 and later shows. Where a dimension is mirrored or forms a torus and elements are removed at one end, it
//! is open whether they still belong to it. The type float8e8m0 has no 0 that could be the default, and it is not
//! stated how `value` becomes an element of a type that does not hold it. Source: ONNX's schemas of Pad-1, 2, 11,
//! 13, 18, 19, 21, 23, 24 and 25.

mod extent;

use values::dtype::{DType, Kind};
use values::element::Element;
use values::tensor::{coordinates, row_major};

use extent::{Extent, Mode, Reading};

use crate::case_table::{self, Own};
use crate::exact::number::{Value, largest, signed};
use crate::families::picked_or_open::{Picked, PickedOrOpen, single};
use crate::families::picking::{INDICES, Source};
use crate::families::reshaping::{dimension, list, moved};
use crate::operator::{
    Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise, Port,
    TensorType, Version,
};
use crate::signature::{IEEE_FLOATS, NUMERIC_SONNX};

/// Pad in ONNX's default domain.
pub static PAD: Operator = Operator {
    documents: &[Document { key: "onnx-pad", catalogue: include_str!("pad/onnx-pad.toml") }],
    cases: Some(|of| case_table::cases(of, &PAD, &[include_str!("pad/cases.toml")], Own::NONE)),
    ..Operator::onnx("Pad", OperatorKind::Exact, &VERSIONS, &PickedOrOpen(pad))
};

const VERSIONS: [Version; 10] = [
    const { Padded::<1>::of(IEEE_FLOATS) }.since(1, &[required("paddings"), MODE, VALUE]),
    const { Padded::<1>::of(IEEE_FLOATS) }.since(2, &[required("pads"), MODE, VALUE]),
    const { Padded::<3>::of(NUMERIC_SONNX) }.since(11, &[MODE]),
    const { Padded::<3>::of(moved(16)) }.since(13, &[MODE]),
    const { Padded::<4>::of(moved(16)) }.since(18, &[MODE]),
    const { Padded::<4>::of(moved(16)) }.since(19, &[WRAPPING_MODE]),
    const { Padded::<4>::of(moved(22)) }.since(21, &[WRAPPING_MODE]),
    const { Padded::<4>::of(moved(23)) }.since(23, &[WRAPPING_MODE]),
    const { Padded::<4>::of(moved(24)) }.since(24, &[WRAPPING_MODE]),
    const { Padded::<4>::of(moved(26)) }.since(25, &[WRAPPING_MODE]),
];

const MODE: Attribute = Attribute::new("mode", AttributeType::Text(WRAPPING.split_at(3).0))
    .otherwise(Otherwise::Text("constant"));
const WRAPPING_MODE: Attribute =
    Attribute::new("mode", AttributeType::Text(WRAPPING)).otherwise(Otherwise::Text("constant"));
const WRAPPING: &[&str] = &["constant", "reflect", "edge", "wrap"];
const VALUE: Attribute =
    Attribute::new("value", AttributeType::Float).otherwise(Otherwise::Float(0));

const fn required(name: &'static str) -> Attribute {
    Attribute::new(name, AttributeType::Ints).otherwise(Otherwise::Invalid)
}

/// The ports of a version with so many inputs.
struct Padded<const INPUTS: usize> {
    inputs: [Port; INPUTS],
    output: [Port; 1],
}

impl<const INPUTS: usize> Padded<INPUTS> {
    const fn of(types: &'static [DType]) -> Self {
        let all = [
            Port::new("data", types, "T"),
            Port::new("pads", &[DType::Int64], "I"),
            Port::new("constant_value", types, "T").optional(),
            Port::new("axes", INDICES, "Tind").optional(),
        ];
        let (mut inputs, mut at) = ([all[0]; INPUTS], 0);
        while at < INPUTS {
            inputs[at] = all[at];
            at += 1;
        }
        Self { inputs, output: [Port::new("output", types, "T")] }
    }

    const fn since(&'static self, since: i64, attributes: &'static [Attribute]) -> Version {
        Version { since, inputs: &self.inputs, outputs: &self.output, attributes }
    }
}

const REPEATED: &str = "what a dimension that is listed twice gives is undefined";
const NEGATIVE: &str = "this version does not say what a negative number of elements is";
const TOO_MANY: &str =
    "it is not stated what is left where more is removed at an end than there is";
const BEYOND: &str = "it is not stated what is repeated beyond what there is";
const NO_FILL: &str = "it is not stated what element of this type fills";
const NO_SCALAR: &str = "the element that fills is no scalar";

/// The numbers of elements that are added before and after each dimension, and why nothing says what that gives, if so.
fn paddings(call: &Call) -> Result<(Vec<[i64; 2]>, Option<&'static str>), Invalid> {
    let rank = call.input(0)?.shape().len();
    let given = match call.ints("paddings").or(call.ints("pads")) {
        Some(list) => Some(list.to_vec()),
        None => call.integers(1)?,
    };
    let given = given.ok_or_else(|| call.invalid("is not told how much to add"))?;
    let axes = match call.version.since {
        18.. => list(call, "axes")?,
        _ => None,
    };
    let axes = axes.unwrap_or_else(|| (0..).take(rank).collect());
    if given.len() != 2 * axes.len() {
        let told = format!("takes two numbers for each of {} dimensions", axes.len());
        return Err(call.invalid(&told));
    }
    let (begins, ends) = given.split_at(axes.len());
    let mut open =
        (call.version.since == 1 && given.iter().any(|&count| count < 0)).then_some(NEGATIVE);
    let mut is_listed = vec![false; rank];
    let mut paddings = vec![[0, 0]; rank];
    for ((&axis, &begin), &end) in axes.iter().zip(begins).zip(ends) {
        let axis = dimension(call, 18, axis, rank)?;
        if std::mem::replace(&mut is_listed[axis], true) {
            open = open.or(Some(REPEATED));
        }
        paddings[axis] = [begin, end];
    }
    Ok((paddings, open))
}

fn pad(call: &Call) -> Result<Picked<'_>, Invalid> {
    let data = call.input(0)?;
    let (paddings, open) = paddings(call)?;
    let mode = Mode::of(call.text("mode").unwrap_or_default());
    let fill = match mode {
        Mode::Constant => constant(call)?,
        _ => constant(call)?.and(Err(NO_FILL)),
    };
    if let Some(reason) = open {
        return Ok(Picked::Open(single(call)?, reason));
    }
    let mut extents = Vec::new();
    for (&size, &padding) in data.shape().iter().zip(&paddings) {
        let removed = || call.invalid(&format!("cannot remove {padding:?} of {size} elements"));
        extents.push(Extent::new(size, padding).ok_or_else(removed)?);
    }
    let shape: Vec<usize> = extents.iter().map(Extent::padded).collect();
    let output = TensorType::new(data.dtype(), shape)?;
    if extents.iter().any(Extent::removes_too_many) {
        return Ok(Picked::Open(output, TOO_MANY));
    }
    if output.shape.contains(&0) {
        return Ok(Picked::From(output, Box::new(|_| None)));
    }
    let is_added = paddings.as_flattened().iter().any(|&count| count > 0);
    let fill = match (mode, fill) {
        (Mode::Constant, Err(reason)) if is_added => return Ok(Picked::Open(output, reason)),
        (_, fill) => fill.ok(),
    };
    if extents.iter().any(|extent| !extent.is_told(mode)) {
        return Ok(Picked::Open(output, BEYOND));
    }
    let source = |reading: Reading| -> Source<'_> {
        let (extents, shape, fill) = (extents.clone(), output.shape.clone(), fill.clone());
        Box::new(move |index| {
            let at = extents.iter().zip(coordinates(index, &shape));
            let places: Option<Vec<usize>> =
                at.map(|(extent, at)| extent.place(mode, reading, at)).collect();
            match places {
                Some(places) => Element::of(data, row_major(&places, data.shape())?),
                None => fill.clone(),
            }
        })
    };
    let sources = [Reading::Whole, Reading::Remaining].map(source);
    let goes_round = matches!(mode, Mode::Reflect | Mode::Wrap);
    if goes_round && extents.iter().any(Extent::is_mixed) {
        return Ok(Picked::FromEither(output, sources));
    }
    let [whole, _] = sources;
    Ok(Picked::From(output, whole))
}

/// The element that fills, or why there is none.
fn constant(call: &Call) -> Result<Result<Element, &'static str>, Invalid> {
    let dtype = call.input(0)?.dtype();
    if call.version.since < 11 {
        let value = call.float("value").unwrap_or_default();
        return Ok(float(dtype, value)
            .map(|bits| Element::Bits(dtype, bits.into()))
            .ok_or(NO_FILL));
    }
    Ok(match call.inputs.get(2).and_then(Option::as_ref) {
        Some(value) if value.elements() != 1 => {
            return Err(call.invalid("takes a scalar as the element that fills"));
        }
        Some(value) if !value.shape().is_empty() => Err(NO_SCALAR),
        Some(value) => Element::of(value, 0).ok_or(NO_FILL),
        None => match dtype {
            DType::String => Ok(Element::String(Default::default())),
            DType::Float8E8M0 => Err(NO_FILL),
            _ => Ok(Element::Bits(dtype, 0)),
        },
    })
}

/// The element of a float type that is the number with these bits of float32, where the type holds it.
fn float(dtype: DType, bits: u32) -> Option<u64> {
    let bits = u64::from(bits);
    let (Kind::Float(format), Kind::Float(single)) = (dtype.kind(), DType::Float32.kind()) else {
        return None;
    };
    if dtype == DType::Float32 {
        return Some(bits);
    }
    let magnitude = match Value::of(single, bits) {
        Value::Zero => 0,
        Value::Infinite => largest(format) + 1,
        Value::Finite(number) => format.encode(number.significand, number.exponent)?,
        Value::Nan => return None,
    };
    Some(signed(format, single.is_negative(bits), magnitude))
}

#[cfg(test)]
mod tests;
