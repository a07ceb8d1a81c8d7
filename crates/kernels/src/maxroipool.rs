//! MaxRoiPool: the largest element of each window of a region, as it is. Corners are rounded to the nearest elements, halves away from zero,
//! and a window without elements is 0.

use std::ops::Range;

use super::elementwise::checked_len;
use super::quantization::{packed, value};
use super::reshaping::{integer_list, refused};
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::types::{FLOATS, without_bfloat16};
use super::{Attribute, Call, Kernel, KernelError};
use values::tensor::Tensor;

pub(super) static MAXROIPOOL: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "MaxRoiPool",
    inputs: &[Input::new("X"), Input::new("rois")],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), ATTRIBUTES),
        Version::with(22, FLOATS, ATTRIBUTES),
    ],
    restricted: &[],
    run,
};

const ATTRIBUTES: &[AttributeSpec] =
    &[integer_list("pooled_shape"), AttributeSpec::number("spatial_scale")];

/// The element that a corner is nearest to.
fn corner(coordinate: f64, scale: f64) -> f64 {
    (coordinate * scale).round()
}

/// The elements of a bin of the region between two corners, as far as a dimension has them.
fn window([first, last]: [f64; 2], bin: usize, bins: usize, size: usize) -> Range<usize> {
    // A region that ends before it begins has one element.
    let part = (last - first + 1.0).max(1.0) / bins as f64;
    let within = |place: f64| (first + place).clamp(0.0, size as f64) as usize;
    within((bin as f64 * part).floor())..within(((bin + 1) as f64 * part).ceil())
}

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [x, rois] = call.inputs()?;
    let (&[images, channels, height, width], &[regions, 5]) = (x.shape(), rois.shape()) else {
        return Err(refused(call, "there are an image and five numbers of each region"));
    };
    let (name, expected) = ("pooled_shape", "a height and a width");
    let bad = || KernelError::BadAttribute { operator: call.operator, name, expected };
    let pooled = match call.attributes.get(name) {
        Some(Attribute::Ints(list)) => list.as_slice(),
        _ => return Err(bad()),
    };
    let sizes: Option<Vec<usize>> = pooled.iter().map(|&size| usize::try_from(size).ok()).collect();
    let Some(&[high, wide]) = sizes.as_deref() else { return Err(bad()) };
    let scale = f64::from(call.float("spatial_scale", 1.0));
    let shape = [regions, channels, high, wide];
    let count = checked_len(&shape, x.dtype(), size_of::<u64>())?;
    let mut results = Vec::new();
    let too_large = || KernelError::TooLarge { shape: shape.to_vec(), dtype: x.dtype() };
    results.try_reserve_exact(count).map_err(|_| too_large())?;
    for index in 0..count {
        let (across, along) = (index % wide, index / wide % high);
        let (channel, region) =
            (index / (wide * high) % channels, index / (wide * high) / channels);
        let number = |at: usize| value(rois, region * 5 + at);
        let batch = number(0);
        if !(batch >= 0.0 && batch < images as f64 && batch.fract() == 0.0) {
            return Err(refused(call, "the image has no such batch index"));
        }
        let corner = |at: usize| corner(number(at), scale);
        let rows = window([corner(2), corner(4)], along, high, height);
        let columns = window([corner(1), corner(3)], across, wide, width);
        let first = (batch as usize * channels + channel) * height * width;
        let places = rows.flat_map(|row| columns.clone().map(move |at| first + row * width + at));
        let is_larger = |own: f64, than: f64| !than.is_nan() && (own.is_nan() || own > than);
        let larger = |one: usize, other: usize| {
            if is_larger(value(x, other), value(x, one)) { other } else { one }
        };
        let largest = places.reduce(larger);
        results.push(largest.and_then(|at| x.element(at)).unwrap_or_default() as u64);
    }
    Ok(vec![packed(x.dtype(), &shape, |at| results[at])?])
}

#[cfg(test)]
mod tests;
