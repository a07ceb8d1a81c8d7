//! Upsample: the elements before the places that scales give, or means of those around them, as Resize computes them. A scale is the
//! number given, and so is its product with a length in binary64, before it is rounded to float32 and down.

use super::moving::gathered;
use super::reshaping::refused;
use super::resize::line::{Filter, Line, Transformation};
use super::resize::{MODE_10, SCALES, floats, is_text, means};
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::types::{ALL_TYPES, first};
use super::{Attribute, Call, Kernel, KernelError};
use values::dtype::DType::{Bool, Float16, Float32, Float64, Int32, Int64};
use values::tensor::Tensor;

/// Version 1, whose scales are those of the height and the width.
pub(super) static UPSAMPLE_1: Kernel = Kernel {
    inputs: &[Input::new("X")],
    versions: &[Version::with(
        1,
        &[Bool, Float16, Float32, Float64, Int32, Int64],
        &[MODE_1, AttributeSpec::number("height_scale"), AttributeSpec::number("width_scale")],
    )],
    ..UPSAMPLE
};

/// Version 7, whose scales are an attribute.
pub(super) static UPSAMPLE_7: Kernel = Kernel {
    inputs: &[Input::new("X")],
    versions: &[Version::with(7, first(ALL_TYPES, 15), &[MODE_10, LIST])],
    ..UPSAMPLE
};

pub(super) static UPSAMPLE: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Upsample",
    inputs: &[Input::new("X"), SCALES],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(9, first(ALL_TYPES, 15), &[MODE_10]),
        Version::with(10, first(ALL_TYPES, 15), &[MODE_10]),
    ],
    restricted: &[],
    run,
};

const MODE_1: AttributeSpec = AttributeSpec {
    name: "mode",
    accepts: |value| is_text(value, &["nearest", "bilinear"]),
    expected: "nearest or bilinear",
};
const LIST: AttributeSpec = AttributeSpec {
    name: "scales",
    accepts: |value| matches!(value, Attribute::Floats(_)),
    expected: "a list of numbers",
};

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let data = call.input(0).ok_or_else(|| refused(call, "there is nothing to upsample"))?;
    let scales = scales(call, data.shape().len())?;
    let mut lines = Vec::new();
    for (&input, scale) in data.shape().iter().zip(scales) {
        let width = input as f64 * scale;
        let length = f64::from(width as f32).floor();
        if length > 9e15 {
            return Err(refused(call, "a dimension becomes too long"));
        }
        let output = length as usize;
        let transformation = Transformation::Asymmetric;
        lines.push(match scale == 1.0 {
            true => Line::kept(input),
            false => Line { input, output, scale, width, transformation },
        });
    }
    match call.attributes.get("mode") {
        Some(Attribute::Text(mode)) if mode != "nearest" => {
            let filter = Filter { cubic: None, antialias: false, exclude_outside: false };
            means(call, data, &lines, &filter, 0.0)
        }
        _ => {
            let shape: Vec<usize> = lines.iter().map(|line| line.output).collect();
            gathered(data, data.shape(), None, &shape, |dimension, place| {
                lines[dimension].nearest(place, "floor")
            })
        }
    }
}

/// The scale of each dimension.
fn scales(call: &Call<'_>, rank: usize) -> Result<Vec<f64>, KernelError> {
    let of = |name: &str| match call.attributes.get(name) {
        Some(Attribute::Float(scale)) => Ok(f64::from(*scale)),
        _ => Err(refused(call, "the height and the width have a scale each")),
    };
    let scales = match (call.operator.since_version(), call.attributes.get("scales")) {
        (1, _) if rank != 4 => {
            return Err(refused(call, "there are batches, channels, a height and a width"));
        }
        (1, _) => vec![1.0, 1.0, of("height_scale")?, of("width_scale")?],
        (7, Some(Attribute::Floats(list))) => list.iter().copied().map(f64::from).collect(),
        (7, _) => return Err(refused(call, "there are no scales")),
        _ => match call.input(1) {
            Some(list) => floats(call, list)?,
            None => return Err(refused(call, "there are no scales")),
        },
    };
    match scales.len() == rank && scales.iter().all(|scale| *scale >= 1.0 && scale.is_finite()) {
        true => Ok(scales),
        false => Err(refused(call, "each dimension has a scale that is 1 at least")),
    }
}

#[cfg(test)]
mod tests;
