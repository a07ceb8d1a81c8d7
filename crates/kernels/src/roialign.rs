//! RoiAlign: bins of regions, by locations and weights in binary64. The largest of a bin is that of the products of pixels and weights, as in
//! ONNX's cases; without the shift by half a pixel, regions are one pixel wide at the least.

use super::elementwise::checked_len;
use super::quantization::{encoded, format_of, packed, value};
use super::reshaping::{integer, integers, refused};
use super::resize::is_text;
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::types::{FLOATS, without_bfloat16};
use super::{Attribute, Call, Kernel, KernelError};
use values::dtype::DType::Int64;
use values::tensor::Tensor;

pub(super) static ROIALIGN: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "RoiAlign",
    inputs: &[Input::new("X"), Input::new("rois"), Input::of("batch_indices", Int64)],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(10, without_bfloat16(FLOATS), &ATTRIBUTES_10),
        Version::with(16, without_bfloat16(FLOATS), &ATTRIBUTES),
        Version::with(22, FLOATS, &ATTRIBUTES),
    ],
    restricted: &[],
    run,
};

const MODE: AttributeSpec = AttributeSpec {
    name: "mode",
    accepts: |value| is_text(value, &["avg", "max"]),
    expected: "avg or max",
};
const SHIFT: AttributeSpec = AttributeSpec {
    name: "coordinate_transformation_mode",
    accepts: |value| is_text(value, &["half_pixel", "output_half_pixel"]),
    expected: "half_pixel or output_half_pixel",
};
const SCALE: AttributeSpec = AttributeSpec::number("spatial_scale");
const ATTRIBUTES_10: [AttributeSpec; 5] =
    [MODE, integer("output_height"), integer("output_width"), integer("sampling_ratio"), SCALE];
const ATTRIBUTES: [AttributeSpec; 6] = [
    SHIFT,
    MODE,
    integer("output_height"),
    integer("output_width"),
    integer("sampling_ratio"),
    SCALE,
];

/// The most samples of a bin.
const MOST: usize = 1 << 20;

/// The two pixels around a location, with their weights; none where it is more than a pixel outside.
fn around(location: f64, size: usize) -> Option<[(usize, f64); 2]> {
    if size == 0 || !(-1.0..=size as f64).contains(&location) {
        return None;
    }
    let inside = location.clamp(0.0, size as f64 - 1.0);
    let first = inside.floor();
    let (pixel, part) = (first as usize, inside - first);
    Some([(pixel, 1.0 - part), ((pixel + 1).min(size - 1), part)])
}

/// The pixels around each sample of a bin along a dimension.
type Samples = Vec<Option<[(usize, f64); 2]>>;

/// How regions lie along a dimension.
struct Layout {
    bins: usize,
    size: usize,
    samples: i64,
    scale: f64,
    is_shifted: bool,
}

impl Layout {
    /// The samples of a bin of the region between two coordinates; `None` where there are too many.
    fn samples(&self, [first, last]: [f64; 2], bin: usize) -> Option<Samples> {
        let shift = if self.is_shifted { 0.5 } else { 0.0 };
        let start = first * self.scale - shift;
        let length = last * self.scale - shift - start;
        let length = if self.is_shifted { length } else { length.max(1.0) };
        let step = length / self.bins as f64;
        let count = if self.samples > 0 { self.samples as f64 } else { step.ceil() };
        if count > MOST as f64 {
            return None;
        }
        let location =
            |sample: usize| start + bin as f64 * step + (sample as f64 + 0.5) * step / count;
        Some((0..count as usize).map(|sample| around(location(sample), self.size)).collect())
    }
}

/// The elements of a channel that a bin's samples see, each with its weight, sample by sample.
fn weighted(
    [rows, columns]: &[Samples; 2],
    width: usize,
) -> impl Iterator<Item = Vec<(usize, f64)>> {
    rows.iter().flat_map(move |row| {
        columns.iter().map(move |column| {
            let (Some(row), Some(column)) = (row, column) else { return Vec::new() };
            let of = |&(row, by): &(usize, f64)| {
                column.map(|(at, weight)| (row * width + at, by * weight))
            };
            row.iter().flat_map(of).collect()
        })
    })
}

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [x, rois, batches] = call.inputs()?;
    let (&[images, channels, height, width], &[regions, 4]) = (x.shape(), rois.shape()) else {
        return Err(refused(call, "there are an image and four coordinates of each region"));
    };
    if *batches.shape() != [regions] {
        return Err(refused(call, "there is a batch index of each region"));
    }
    let size = |name| {
        let size = usize::try_from(call.int(name, 1));
        size.map_err(|_| refused(call, "there is no negative number of bins"))
    };
    let (high, wide) = (size("output_height")?, size("output_width")?);
    let text = |name: &str| match call.attributes.get(name) {
        Some(Attribute::Text(text)) => text.as_str(),
        _ => "",
    };
    let has_shift = call.operator.since_version() >= 16;
    let is_shifted = has_shift && text("coordinate_transformation_mode") != "output_half_pixel";
    let is_largest = text("mode") == "max";
    let samples = call.int("sampling_ratio", 0);
    let scale = f64::from(call.float("spatial_scale", 1.0));
    let [rows, columns] = [(high, height), (wide, width)].map(|(bins, size)| Layout {
        bins,
        size,
        samples,
        scale,
        is_shifted,
    });
    let format = format_of(call, x)?;
    let shape = [regions, channels, high, wide];
    let count = checked_len(&shape, x.dtype(), size_of::<u64>())?;
    let mut results = Vec::new();
    let too_large = || KernelError::TooLarge { shape: shape.to_vec(), dtype: x.dtype() };
    results.try_reserve_exact(count).map_err(|_| too_large())?;
    let bins = high.saturating_mul(wide);
    let batches = integers(batches);
    for (region, batch) in
        batches.into_iter().enumerate().take(if count == 0 { 0 } else { regions })
    {
        let batch = usize::try_from(batch).ok().filter(|batch| *batch < images);
        let batch = batch.ok_or_else(|| refused(call, "the image has no such batch index"))?;
        let corner = |at: usize| value(rois, region * 4 + at);
        let [left, top, right, bottom] = [0, 1, 2, 3].map(corner);
        for index in 0..channels * bins {
            let (channel, bin) = (index / bins, index % bins);
            let first = (batch * channels + channel) * height * width;
            let along = rows.samples([top, bottom], bin / wide);
            let across = columns.samples([left, right], bin % wide);
            let of_bin = along.zip(across).filter(|(own, other)| own.len() * other.len() <= MOST);
            let of_bin = of_bin.ok_or_else(|| refused(call, "a bin has too many samples"))?;
            let of_bin = [of_bin.0, of_bin.1];
            let products = weighted(&of_bin, width).map(|sample| {
                let product = |(at, weight)| weight * value(x, first + at);
                sample.into_iter().map(product).collect::<Vec<f64>>()
            });
            let result = if is_largest {
                let samples = products.map(|all| all.into_iter().reduce(f64::max).unwrap_or(0.0));
                samples.reduce(f64::max).unwrap_or(0.0)
            } else {
                let count = of_bin[0].len() * of_bin[1].len();
                products.flatten().sum::<f64>() / count.max(1) as f64
            };
            results.push(encoded(format, result, false));
        }
    }
    Ok(vec![packed(x.dtype(), &shape, |at| results[at])?])
}

#[cfg(test)]
mod tests;
