//! GridSample: elements at the locations of a grid, by locations and weights in binary64. Locations that are no number are outside,
//! and a location halfway between two elements is nearest to the even one. Means of integers are truncated to the type's range.

use super::arg_extremum::switch;
use super::elementwise::checked_len;
use super::moving::Moving;
use super::quantization::{encoded, packed, value};
use super::reshaping::{moving, refused};
use super::resize::is_text;
use super::signature::{AttributeSpec, Domain, Input, Types};
use super::types::{FLOATS, without_bfloat16};
use super::{Attribute, Call, Kernel, KernelError};
use values::dtype::{DType, Kind};
use values::tensor::Tensor;

pub(super) static GRIDSAMPLE: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "GridSample",
    inputs: &[
        Input::new("X"),
        Input {
            types: Types::Since(&[(16, without_bfloat16(FLOATS)), (22, FLOATS)]),
            ..Input::new("grid")
        },
    ],
    is_elementwise: false,
    slices: None,
    versions: &[
        moving(16, 15, &[switch("align_corners"), PADDING, MODE_16]),
        moving(20, 15, &[switch("align_corners"), PADDING, MODE]),
        moving(22, 16, &[switch("align_corners"), PADDING, MODE]),
    ],
    restricted: &[],
    run,
};

const PADDING: AttributeSpec = AttributeSpec {
    name: "padding_mode",
    accepts: |value| is_text(value, &["zeros", "border", "reflection"]),
    expected: "zeros, border or reflection",
};
const MODE_16: AttributeSpec = AttributeSpec {
    name: "mode",
    accepts: |value| is_text(value, &["bilinear", "nearest", "bicubic"]),
    expected: "bilinear, nearest or bicubic",
};
const MODE: AttributeSpec = AttributeSpec {
    name: "mode",
    accepts: |value| is_text(value, &["linear", "nearest", "cubic"]),
    expected: "linear, nearest or cubic",
};

/// What is outside.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Padding {
    Zeros,
    Border,
    Reflection,
}

/// A dimension of the image.
#[derive(Clone, Copy)]
struct Dimension {
    size: usize,
    padding: Padding,
    is_by_corners: bool,
}

impl Dimension {
    fn ends(&self) -> [f64; 2] {
        let last = self.size as f64 - 1.0;
        if self.is_by_corners { [0.0, last] } else { [-0.5, last + 0.5] }
    }

    /// The location of a coordinate.
    fn location(&self, coordinate: f64) -> f64 {
        let size = self.size as f64;
        match self.is_by_corners {
            true => (coordinate + 1.0) / 2.0 * (size - 1.0),
            false => ((coordinate + 1.0) * size - 1.0) / 2.0,
        }
    }

    /// A location within the ends, as the padding has it.
    fn padded(&self, location: f64) -> f64 {
        let [begin, end] = self.ends();
        let is_outside = location < begin || location > end;
        match self.padding {
            Padding::Border if is_outside => location.clamp(0.0, self.size as f64 - 1.0),
            Padding::Reflection if is_outside && end > begin => {
                let length = end - begin;
                let way = (location - begin).rem_euclid(2.0 * length);
                begin + if way > length { 2.0 * length - way } else { way }
            }
            _ => location,
        }
    }

    /// The element at an index, if there is one.
    fn pixel(&self, index: f64) -> Option<usize> {
        let last = self.size as f64 - 1.0;
        let index = match self.padding {
            Padding::Zeros => index,
            Padding::Border => index.clamp(0.0, last),
            Padding::Reflection => self.padded(index),
        };
        (0.0..=last).contains(&index).then_some(index as usize)
    }

    /// The elements that count for a coordinate, with their weights.
    fn weighted(&self, coordinate: f64, mode: Mode) -> Vec<(usize, f64)> {
        let location = self.location(coordinate);
        if mode == Mode::Nearest {
            let nearest = self.pixel(self.padded(location).round_ties_even());
            return nearest.map(|pixel| (pixel, 1.0)).into_iter().collect();
        }
        let location = self.padded(location);
        let first = location.floor();
        let part = location - first;
        let near = |s: f64| ((A + 2.0) * s - (A + 3.0)) * s * s + 1.0;
        let far = |s: f64| ((A * s - 5.0 * A) * s + 8.0 * A) * s - 4.0 * A;
        let weights = match mode {
            Mode::Cubic => vec![
                (-1.0, far(1.0 + part)),
                (0.0, near(part)),
                (1.0, near(1.0 - part)),
                (2.0, far(2.0 - part)),
            ],
            _ => vec![(0.0, 1.0 - part), (1.0, part)],
        };
        let pixel = |(offset, weight): (f64, f64)| Some((self.pixel(first + offset)?, weight));
        weights.into_iter().filter_map(pixel).collect()
    }
}

/// The coefficient of cubic weights.
const A: f64 = -0.75;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Linear,
    Nearest,
    Cubic,
}

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [x, grid] = call.inputs()?;
    let (sizes, places) = (x.shape(), grid.shape());
    let rank = sizes.len();
    let takes_any = call.operator.since_version() >= 20;
    let fits = rank >= 3 && (takes_any || rank == 4) && places.len() == rank;
    if !fits || sizes[0] != places[0] || places[rank - 1] != rank - 2 {
        return Err(refused(call, "the grid has a location for each element of the output"));
    }
    let shape = [&sizes[..2], &places[1..rank - 1]].concat();
    let text = |name: &str| match call.attributes.get(name) {
        Some(Attribute::Text(text)) => text.as_str(),
        _ => "",
    };
    let padding = match text("padding_mode") {
        "border" => Padding::Border,
        "reflection" => Padding::Reflection,
        _ => Padding::Zeros,
    };
    let mode = match text("mode") {
        "nearest" => Mode::Nearest,
        "cubic" | "bicubic" => Mode::Cubic,
        _ => Mode::Linear,
    };
    let is_by_corners = call.int("align_corners", 0) == 1;
    let dimensions: Vec<Dimension> =
        sizes[2..].iter().map(|&size| Dimension { size, padding, is_by_corners }).collect();
    let count = dimensions.len();
    checked_len(&shape, x.dtype(), size_of::<u64>())?;
    let samples: usize = shape[2..].iter().fold(1, |all, size| all.wrapping_mul(*size));
    let has_pixels = !sizes[2..].contains(&0);
    // The places of the elements that count for one of the output, each with its weight.
    let weighted = |index: usize| -> Vec<(usize, f64)> {
        if !has_pixels {
            return Vec::new();
        }
        let (channel, sample) = (index / samples, index % samples);
        let location = (channel / sizes[1] * samples + sample) * count;
        let mut all = vec![(channel, 1.0)];
        for (at, dimension) in dimensions.iter().enumerate() {
            // The coordinate along the last dimension comes first.
            let own = dimension.weighted(value(grid, location + count - 1 - at), mode);
            let of = |(place, weight): &(usize, f64)| -> Vec<(usize, f64)> {
                own.iter().map(|(at, by)| (place * dimension.size + at, weight * by)).collect()
            };
            all = all.iter().flat_map(of).collect();
        }
        all
    };
    if mode == Mode::Nearest {
        return moved(x, shape, |index| weighted(index).first().map(|(place, _)| *place));
    }
    let mean = |index: usize| -> f64 {
        weighted(index).into_iter().map(|(place, weight)| weight * value(x, place)).sum()
    };
    let dtype = x.dtype();
    let result = |index: usize| match dtype.kind() {
        Kind::Float(format) => encoded(format, mean(index), false),
        Kind::Int { signed, bits } => truncated(mean(index), signed, bits),
        _ => 0,
    };
    match dtype.kind() {
        Kind::Float(_) | Kind::Int { .. } => Ok(vec![packed(dtype, &shape, result)?]),
        _ => Err(refused(call, "means are of numbers alone")),
    }
}

/// The integer of a type next to a number on the side of zero.
fn truncated(number: f64, signed: bool, bits: u32) -> u64 {
    if signed {
        let [least, most] = [i64::MIN >> (64 - bits), i64::MAX >> (64 - bits)];
        (number as i64).clamp(least, most) as u64
    } else {
        (number as u64).min(u64::MAX >> (64 - bits))
    }
}

/// The elements at places, and zeros where there is none.
fn moved(
    x: &Tensor,
    shape: Vec<usize>,
    place: impl Fn(usize) -> Option<usize>,
) -> Result<Vec<Tensor>, KernelError> {
    let zero = match (x.dtype(), x.dtype().bits()) {
        (DType::String, _) => Tensor::from_strings(vec![], vec![bytes::Bytes::new()])?,
        (dtype, bits) => {
            let width = bits.unwrap_or_default().div_ceil(8) as usize;
            Tensor::from_bits(dtype, vec![], vec![0; width].into())?
        }
    };
    let mut output = Moving::new(x.dtype(), shape)?;
    for index in 0..output.elements {
        match place(index) {
            Some(place) => output.take(x, place, 1),
            None => output.take(&zero, 0, 1),
        }
    }
    Ok(vec![output.done()?])
}

#[cfg(test)]
mod tests;
