//! Upsample: Resize before there was Resize, deprecated since version 10.
//!
//! Every dimension becomes as many times as long as its scale says, rounded down. An element of the output lies at its place divided by
//! the scale. With the mode `nearest` it is the element before that coordinate, as the text's own example has it; with `linear`, which
//! version 1 calls `bilinear`, the elements on either side are weighted. `families/resizing.rs` has the coordinates that floats
//! find, and the weighted means.
//!
//! No text says at which coordinates elements are, nor between which two a coordinate halfway is nearer: these are those of
//! `asymmetric` of Resize-11, which ONNX's own case and example have, and which implementations of Upsample compute. Here a scale is the
//! number given, and no quotient of lengths, of which the text knows nothing. Where the length differs by whether float32 rounds the
//! product, nothing is decided. Sources: ONNX's schemas of Upsample-1, 7, 9 and 10.

use num_traits::{One, ToPrimitive};
use values::dtype::DType::{self, Bool, Float16, Float32, Float64, Int32, Int64};

use crate::case_table::{self, Own};
use crate::exact::real::{Rational, value};
use crate::families::picked_or_open::Open;
use crate::families::picking::bounded;
use crate::families::reshaping::moved;
use crate::families::resizing::{
    Axis, Map, Mode, Plan, Rounding, Scale, Transformation, identity, in_float32, numbers, whole,
};
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Port, Reference, TensorType, Version,
};
use crate::signature::Ports;

/// Upsample in ONNX's default domain.
pub static UPSAMPLE: Operator = Operator {
    documents: &[Document {
        key: "onnx-upsample",
        catalogue: include_str!("upsample/onnx-upsample.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &UPSAMPLE, &[include_str!("upsample/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("Upsample", OperatorKind::Composed, &VERSIONS, &Upsample)
};

const VERSIONS: [Version; 4] = [
    const { Ports::new(["X"], "Y", &[Bool, Int32, Int64, Float16, Float32, Float64]) }
        .since(1, &[mode(&["nearest", "bilinear"]), scale("height_scale"), scale("width_scale")]),
    const { Ports::new(["X"], "Y", moved(15)) }.since(
        7,
        &[
            mode(&["nearest", "linear"]),
            Attribute::new("scales", AttributeType::Floats).otherwise(Otherwise::Invalid),
        ],
    ),
    by_input(9),
    by_input(10),
];

/// A version whose scales are an input.
const fn by_input(since: i64) -> Version {
    const INPUTS: [Port; 2] =
        [Port::new("X", moved(15), "T"), Port::new("scales", &[DType::Float32], "S")];
    const OUTPUTS: [Port; 1] = [Port::new("Y", moved(15), "T")];
    const ATTRIBUTES: [Attribute; 1] = [mode(&["nearest", "linear"])];
    Version { since, inputs: &INPUTS, outputs: &OUTPUTS, attributes: &ATTRIBUTES }
}

const fn mode(choices: &'static [&'static str]) -> Attribute {
    Attribute::new("mode", AttributeType::Text(choices)).otherwise(Otherwise::Text("nearest"))
}

const fn scale(name: &'static str) -> Attribute {
    Attribute::new(name, AttributeType::Float).otherwise(Otherwise::Invalid)
}

/// Why no element is decided where it is not certain how many there are.
const LENGTH: &str =
    "the length times the scale, rounded down, depends on whether the product is rounded before";

/// How a call resizes, and why nothing is decided, if so.
fn plan(call: &Call) -> Result<(Plan, Option<&'static str>), Invalid> {
    let data = call.input(0)?;
    let sizes = data.shape();
    let scales = scales(call, sizes.len())?;
    let (mut shape, mut axes, mut open) = (Vec::new(), Vec::new(), None);
    for (&input, scale) in sizes.iter().zip(scales) {
        let length = whole(input) * &scale;
        // ONNX's own inference of shapes rounds the product to float32 before it is rounded down.
        let [exact, size] = [length.floor(), in_float32(length).floor()];
        if exact != size {
            open = Some(LENGTH);
        }
        let output = size
            .to_integer()
            .to_usize()
            .ok_or_else(|| call.invalid("makes a dimension longer than there can be elements"))?;
        shape.push(output);
        axes.push(Axis(vec![match scale.is_one() {
            true => identity(input),
            false => Map {
                transformation: Transformation::Asymmetric,
                input,
                output,
                scale: Scale::Given(scale),
                length: whole(output),
            },
        }]));
    }
    let mode = match call.text("mode") {
        Some("linear" | "bilinear") => Mode::Linear,
        _ => Mode::Nearest(Rounding::Floor),
    };
    let plan = Plan {
        output: bounded(call, data.dtype(), shape)?,
        axes,
        mode,
        readings: 1,
        exclude_outside: false,
        antialias: false,
        extrapolation: 0,
    };
    Ok((plan, open))
}

/// The scale of each of so many dimensions, each 1 at least.
fn scales(call: &Call, rank: usize) -> Result<Vec<Rational>, Invalid> {
    let number = |bits: &u32| {
        let number = value(DType::Float32, (*bits).into());
        number.ok_or_else(|| call.invalid("takes finite numbers as scales"))
    };
    let all: Vec<Rational> = match call.version.since {
        1 => {
            if rank != 4 {
                return Err(call.invalid("takes a batch, channels, a height and a width"));
            }
            let own = [call.float("height_scale"), call.float("width_scale")];
            let own = own.iter().flatten().map(number);
            [Ok(Rational::one()), Ok(Rational::one())]
                .into_iter()
                .chain(own)
                .collect::<Result<_, _>>()?
        }
        7 => call
            .floats("scales")
            .unwrap_or_default()
            .iter()
            .map(number)
            .collect::<Result<_, _>>()?,
        _ => numbers(call, 1, call.input(1)?)?,
    };
    if all.len() != rank {
        return Err(call.invalid("takes a scale for each dimension"));
    }
    match all.iter().all(|scale| *scale >= Rational::one()) {
        true => Ok(all),
        false => Err(call.invalid("takes scales of 1 at least")),
    }
}

struct Upsample;

impl Reference for Upsample {
    /// One length is that of ONNX's own inference of shapes, the other that of exact arithmetic.
    fn is_disputed(&self, call: &Call) -> bool {
        plan(call).is_ok_and(|(_, open)| open.is_some())
    }

    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        Ok(vec![plan(call)?.0.output])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        match (plan(call), call.input(0)) {
            (Ok((_, Some(why))), _) => vec![Box::new(Open(why))],
            (Ok((plan, None)), Ok(data)) => {
                vec![plan.allowed(data, call.inputs.iter().skip(1).flatten().collect())]
            }
            _ => Vec::new(),
        }
    }

    /// The scales, which may have the type of the data.
    fn is_control(&self, _: &Version, at: usize) -> bool {
        at > 0
    }
}

#[cfg(test)]
mod tests;
