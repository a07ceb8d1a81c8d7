//! DeformConv: convolutions of elements between those of the data, by locations, weights and sums in binary64, which are rounded once
//! at the end. Where the data end there are zeros, and a location that is no number is outside.

use super::conv::bias;
use super::integer_products::Operand;
use super::integer_products::convolution::{ATTRIBUTES, Convolution};
use super::quantization::{encoded, format_of, packed, value};
use super::reshaping::{integer, refused};
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::types::{FLOATS, without_bfloat16};
use super::{Call, Kernel, KernelError};
use values::tensor::{Tensor, coordinates};

pub(super) static DEFORMCONV: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "DeformConv",
    inputs: &[
        Input::new("X"),
        Input::new("W"),
        Input::new("offset"),
        Input::new("B").optional(),
        Input::new("mask").optional(),
    ],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(19, without_bfloat16(FLOATS), &DEFORMED),
        Version::with(22, FLOATS, &DEFORMED),
    ],
    restricted: &[],
    run,
};

const DEFORMED: [AttributeSpec; 6] = {
    let [_, dilations, group, kernel_shape, pads, strides] = ATTRIBUTES;
    [dilations, group, kernel_shape, integer("offset_group"), pads, strides]
};

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let (Some(x), Some(w), Some(offset)) = (call.input(0), call.input(1), call.input(2)) else {
        return Err(refused(call, "there are data, weights and offsets"));
    };
    let operand = |data| Operand { data, zero: None };
    let convolution = Convolution::of(call, [operand(x), operand(w)], None)?;
    let (shape, sizes, kernel) = (convolution.shape(), &x.shape()[2..], &w.shape()[2..]);
    let b = bias(call, 3, shape[1])?;
    let channels = x.shape()[1];
    let groups = usize::try_from(call.int("offset_group", 1)).unwrap_or(0);
    if groups == 0 || channels % groups != 0 {
        return Err(refused(call, "the channels do not fit the groups of offsets"));
    }
    let per_offset = (channels / groups).max(1);
    let (rank, places) = (sizes.len(), &shape[2..]);
    let taps = kernel.iter().try_fold(1_usize, |all, size| all.checked_mul(*size));
    // The number of channels that something has beside each place of the output.
    let beside = |of: &Tensor, per_tap: usize| {
        let wanted = taps.and_then(|taps| taps.checked_mul(groups)?.checked_mul(per_tap));
        let own = of.shape();
        own.len() == shape.len()
            && own[0] == shape[0]
            && Some(own[1]) == wanted
            && own[2..] == *places
    };
    let mask = call.input(4);
    if !beside(offset, rank) || !mask.is_none_or(|mask| beside(mask, 1)) {
        return Err(refused(call, "there are offsets and masks for each place and weight"));
    }
    let taps = taps.unwrap_or_default();
    let format = format_of(call, x)?;
    let [within, size] = [places, sizes].map(|sizes| sizes.iter().product::<usize>());
    let steps: Vec<Vec<usize>> = (0..taps).map(|tap| coordinates(tap, kernel)).collect();
    let element = |index: usize| {
        let at = coordinates(index, shape);
        let place = index % within;
        let mut sum = b.map_or(0.0, |bias| value(bias, at[1]));
        for (depth, channel) in convolution.channels(at[1]).enumerate() {
            let group = channel / per_offset;
            for (tap, step) in steps.iter().enumerate() {
                let own = group * taps + tap;
                let moved = |axis: usize| {
                    let line = (at[0] * groups * taps + own) * rank + axis;
                    let base = convolution.begin(axis, at[axis + 2], step[axis]);
                    base as f64 + value(offset, line * within + place)
                };
                let locations: Vec<f64> = (0..rank).map(moved).collect();
                let first = (at[0] * channels + channel) * size;
                let mean = interpolated(x, first, sizes, &locations);
                let mask = mask.map_or(1.0, |mask| {
                    value(mask, (at[0] * groups * taps + own) * within + place)
                });
                let weight = (at[1] * w.shape()[1] + depth) * taps + tap;
                sum += value(w, weight) * (mask * mean);
            }
        }
        encoded(format, sum, false)
    };
    Ok(vec![packed(x.dtype(), shape, element)?])
}

/// The mean of the elements around a location in a channel that begins at a place, those outside being 0.
fn interpolated(x: &Tensor, first: usize, sizes: &[usize], locations: &[f64]) -> f64 {
    let mut all = vec![(0_usize, 1.0)];
    for (size, location) in sizes.iter().zip(locations) {
        let floor = location.floor();
        let part = location - floor;
        let own = [(floor, 1.0 - part), (floor + 1.0, part)];
        let inside = own.map(|(at, weight)| {
            let is_inside = (0.0..*size as f64).contains(&at) && weight > 0.0;
            is_inside.then_some((at as usize, weight))
        });
        let further = |(place, so_far): &(usize, f64)| {
            let (place, so_far) = (*place, *so_far);
            inside
                .into_iter()
                .flatten()
                .map(move |(at, weight)| (place * size + at, so_far * weight))
        };
        all = all.iter().flat_map(further).collect();
    }
    all.into_iter().map(|(place, weight)| weight * value(x, first + place)).sum()
}

#[cfg(test)]
mod tests;
