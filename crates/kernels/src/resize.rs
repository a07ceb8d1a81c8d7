//! Resize: elements of the nearest places, or means of those around a coordinate.
//!
//! Coordinates, weights and means are computed in float64, one dimension after the other, and rounded once to the
//! output's type at the end; integers to the nearest one, ties to even, and to the end of their range beyond it.

pub(super) mod line;

use half::{bf16, f16};

use self::line::{Filter, Line, Transformation};
use super::copies::output_sizes;
use super::elementwise::{checked_len, tensor};
use super::moving::gathered;
use super::operand::values;
use super::reshaping::{axis_of, integer, integer_list, integers, refused};
use super::signature::{AttributeSpec, Domain, Input, Types, Version};
use super::types::{ALL_TYPES, first, with_type};
use super::{Attribute, Call, Kernel, KernelError};
use values::dtype::DType::{self, Bool, Float16, Float32, Float64, Int64};
use values::tensor::Tensor;

/// Version 10, which has neither regions nor sizes.
pub(super) static RESIZE_10: Kernel = Kernel {
    inputs: &[Input::new("X"), SCALES],
    versions: &[Version::with(10, first(ALL_TYPES, 15), &[MODE_10])],
    ..RESIZE
};

/// Version 11, which needs regions and scales, be they empty.
pub(super) static RESIZE_11: Kernel = Kernel {
    inputs: &[Input::new("X"), ROI, SCALES, SIZES],
    versions: &[Version::with(11, first(ALL_TYPES, 15), ATTRIBUTES_18.split_at(3).1)],
    ..RESIZE
};

pub(super) static RESIZE: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Resize",
    inputs: &[Input::new("X"), ROI.optional(), SCALES.optional(), SIZES],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(13, first(ALL_TYPES, 16), ATTRIBUTES_18.split_at(3).1),
        Version::with(18, first(ALL_TYPES, 16), &ATTRIBUTES_18),
        Version::with(19, first(ALL_TYPES, 16), &ATTRIBUTES),
    ],
    restricted: &[],
    run,
};

const ROI: Input = Input { types: Types::OneOf(&[Float16, Float32, Float64]), ..Input::new("roi") };
pub(super) const SCALES: Input = Input { types: Types::Only(Float32), ..Input::new("scales") };
const SIZES: Input = Input { types: Types::Only(Int64), ..Input::new("sizes") }.optional();

pub(super) fn is_text(value: &Attribute, choices: &[&str]) -> bool {
    matches!(value, Attribute::Text(text) if choices.contains(&text.as_str()))
}

pub(super) const MODE_10: AttributeSpec = AttributeSpec {
    name: "mode",
    accepts: |value| is_text(value, &["nearest", "linear"]),
    expected: "nearest or linear",
};
const COORDINATES: AttributeSpec = AttributeSpec {
    name: "coordinate_transformation_mode",
    accepts: |value| {
        let modes = [
            "half_pixel",
            "half_pixel_symmetric",
            "pytorch_half_pixel",
            "align_corners",
            "asymmetric",
            "tf_crop_and_resize",
        ];
        is_text(value, &modes)
    },
    expected: "one of the modes of this version",
};
const COORDINATES_11: AttributeSpec = AttributeSpec {
    accepts: |value| {
        (COORDINATES.accepts)(value) && !is_text(value, &["half_pixel_symmetric"])
            || is_text(value, &["tf_half_pixel_for_nn"])
    },
    ..COORDINATES
};

const fn float(name: &'static str) -> AttributeSpec {
    let accepts = |value: &Attribute| matches!(value, Attribute::Float(_));
    AttributeSpec { name, accepts, expected: "a float" }
}

const ATTRIBUTES_18: [AttributeSpec; 9] = [
    integer_list("axes"),
    integer("antialias"),
    AttributeSpec {
        name: "keep_aspect_ratio_policy",
        accepts: |value| is_text(value, &["stretch", "not_larger", "not_smaller"]),
        expected: "stretch, not_larger or not_smaller",
    },
    integer("exclude_outside"),
    float("extrapolation_value"),
    AttributeSpec {
        name: "nearest_mode",
        accepts: |value| {
            is_text(value, &["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"])
        },
        expected: "round_prefer_floor, round_prefer_ceil, floor or ceil",
    },
    float("cubic_coeff_a"),
    AttributeSpec {
        name: "mode",
        accepts: |value| is_text(value, &["nearest", "linear", "cubic"]),
        expected: "nearest, linear or cubic",
    },
    COORDINATES_11,
];
const ATTRIBUTES: [AttributeSpec; 9] = {
    let [axes, antialias, policy, exclude, extrapolation, nearest, cubic, mode, _] = ATTRIBUTES_18;
    [axes, antialias, policy, exclude, extrapolation, nearest, cubic, mode, COORDINATES]
};

/// A type that means are computed of.
trait Mean: bytemuck::Pod + Send + Sync {
    fn wide(self) -> f64;
    fn of(wide: f64) -> Self;
}

macro_rules! means {
    ($($type:ty: $wide:expr, $narrow:expr;)*) => {$(
        impl Mean for $type {
            fn wide(self) -> f64 {
                $wide(self)
            }

            fn of(wide: f64) -> Self {
                $narrow(wide)
            }
        }
    )*};
}

means! {
    f16: f16::to_f64, f16::from_f64;
    bf16: bf16::to_f64, bf16::from_f64;
    f32: f64::from, |wide| wide as f32;
    f64: |own| own, |wide| wide;
    i8: f64::from, |wide: f64| wide.round_ties_even() as i8;
    i16: f64::from, |wide: f64| wide.round_ties_even() as i16;
    i32: f64::from, |wide: f64| wide.round_ties_even() as i32;
    i64: |own| own as f64, |wide: f64| wide.round_ties_even() as i64;
    u8: f64::from, |wide: f64| wide.round_ties_even() as u8;
    u16: f64::from, |wide: f64| wide.round_ties_even() as u16;
    u32: f64::from, |wide: f64| wide.round_ties_even() as u32;
    u64: |own| own as f64, |wide: f64| wide.round_ties_even() as u64;
}

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let data = call.input(0).ok_or_else(|| refused(call, "there is nothing to resize"))?;
    let lines = lines(call, data.shape())?;
    let shape: Vec<usize> = lines.iter().map(|line| line.output).collect();
    let dtype = data.dtype();
    let outside = call.float("extrapolation_value", 0.0);
    if checked_len(&shape, dtype, 1)? > 0 && data.elements() == 0 {
        return Err(refused(call, "there are no elements to make others of"));
    }
    let mode = match call.attributes.get("mode") {
        Some(Attribute::Text(mode)) => mode.as_str(),
        _ => "nearest",
    };
    if mode == "nearest" {
        let nearest = match call.attributes.get("nearest_mode") {
            Some(Attribute::Text(nearest)) => nearest.as_str(),
            _ if call.operator.since_version() == 10 => "floor",
            _ => "round_prefer_floor",
        };
        let is_cropped = lines.iter().any(Line::is_cropped);
        let fill = is_cropped.then(|| fill(dtype, outside)).transpose()?;
        return gathered(data, data.shape(), fill.as_ref(), &shape, |dimension, place| {
            lines[dimension].nearest(place, nearest)
        });
    }
    let filter = Filter {
        cubic: (mode == "cubic").then(|| f64::from(call.float("cubic_coeff_a", -0.75))),
        antialias: call.int("antialias", 0) != 0,
        exclude_outside: call.int("exclude_outside", 0) != 0,
    };
    means(call, data, &lines, &filter, outside.into())
}

/// The means of the elements around each place.
pub(super) fn means(
    call: &Call<'_>,
    data: &Tensor,
    lines: &[Line],
    filter: &Filter,
    outside: f64,
) -> Result<Vec<Tensor>, KernelError> {
    let dtype = data.dtype();
    let shape: Vec<usize> = lines.iter().map(|line| line.output).collect();
    let foreign = KernelError::Type { operator: call.operator, dtype };
    with_type!(numbers, dtype, T => {
        let wide = values::<T>(data).iter().map(|own| own.wide()).collect();
        let means = resized(call, wide, data.shape(), lines, filter, outside)?;
        tensor::<T>(dtype, &shape, means.into_iter().map(T::of).collect())
    }, else Err(foreign))
}

/// The element outside of a region.
fn fill(dtype: DType, value: f32) -> Result<Tensor, KernelError> {
    Ok(with_type!(numbers, dtype, T => {
        Tensor::from_values(dtype, Vec::new(), vec![<T as Mean>::of(value.into())])?
    }, else match dtype {
        DType::String => Tensor::from_strings(Vec::new(), vec![Default::default()])?,
        Bool => Tensor::from_bits(dtype, Vec::new(), vec![u8::from(value != 0.0)].into())?,
        DType::Complex64 => Tensor::from_values(dtype, Vec::new(), vec![[value, 0.0]])?,
        _ => Tensor::from_values(dtype, Vec::new(), vec![[f64::from(value), 0.0]])?,
    }))
}

/// One dimension after the other is resized, the last one first.
fn resized(
    call: &Call<'_>,
    mut data: Vec<f64>,
    shape: &[usize],
    lines: &[Line],
    filter: &Filter,
    outside: f64,
) -> Result<Vec<f64>, KernelError> {
    let mut shape = shape.to_vec();
    for (axis, line) in lines.iter().enumerate().rev() {
        if line.is_kept() {
            continue;
        }
        let (outer, inner): (usize, usize) =
            (shape[..axis].iter().product(), shape[axis + 1..].iter().product());
        let (size, length) = (shape[axis], line.output);
        shape[axis] = length;
        let count = checked_len(&shape, Float64, size_of::<f64>())?;
        let mut means = Vec::with_capacity(count);
        let weights: Vec<_> = (0..length).map(|place| line.weights(place, filter)).collect();
        for before in 0..outer {
            for weights in &weights {
                let weights = match weights {
                    Some(weights) if !weights.is_empty() => weights,
                    Some(_) => return Err(refused(call, "too many elements are weighted")),
                    None => {
                        means.resize(means.len() + inner, outside);
                        continue;
                    }
                };
                for after in 0..inner {
                    let at = |place: usize| data[(before * size + place) * inner + after];
                    means.push(weights.iter().map(|&(place, weight)| weight * at(place)).sum());
                }
            }
        }
        data = means;
    }
    // What is outside along any dimension is so wherever it lies along the others.
    if lines.iter().any(Line::is_cropped) {
        for (index, mean) in data.iter_mut().enumerate() {
            let mut rest = index;
            for (line, size) in lines.iter().zip(&shape).rev() {
                if line.coordinate(rest % size).is_none() {
                    *mean = outside;
                }
                rest /= size;
            }
        }
    }
    Ok(data)
}

/// The floats of an input that is a list.
pub(super) fn floats(call: &Call<'_>, list: &Tensor) -> Result<Vec<f64>, KernelError> {
    if list.shape().len() != 1 {
        return Err(refused(call, "a list has one dimension"));
    }
    let foreign = KernelError::Type { operator: call.operator, dtype: list.dtype() };
    let all: Vec<f64> = with_type!(floats, list.dtype(), T => {
        values::<T>(list).iter().map(|own| own.wide()).collect()
    }, else return Err(foreign));
    match all.iter().all(|number| number.is_finite()) {
        true => Ok(all),
        false => Err(refused(call, "a list holds what is no number")),
    }
}

/// How each dimension is resized.
fn lines(call: &Call<'_>, shape: &[usize]) -> Result<Vec<Line>, KernelError> {
    let is_first = call.operator.since_version() == 10;
    let mode = match call.attributes.get("coordinate_transformation_mode") {
        Some(Attribute::Text(mode)) => mode.as_str(),
        _ if is_first => "asymmetric",
        _ => "half_pixel",
    };
    let mut axes = Vec::new();
    match call.attributes.get("axes") {
        Some(Attribute::Ints(list)) => {
            for &axis in list {
                let axis = axis_of(call, axis, shape.len(), 18)?;
                if axes.contains(&axis) {
                    return Err(refused(call, "a dimension is listed twice"));
                }
                axes.push(axis);
            }
        }
        _ => axes.extend(0..shape.len()),
    }
    let count = axes.len();
    let regions = match (mode, call.input(1)) {
        ("tf_crop_and_resize", Some(roi)) => {
            let all = floats(call, roi)?;
            if all.len() != 2 * count {
                return Err(refused(call, "a region has a start and an end for each dimension"));
            }
            (0..count).map(|at| Some([all[at], all[count + at]])).collect()
        }
        ("tf_crop_and_resize", None) => return Err(refused(call, "there is no region")),
        _ => vec![None; count],
    };
    let scales = match call.input(if is_first { 1 } else { 2 }) {
        Some(list) if list.elements() > 0 || count == 0 => Some(floats(call, list)?),
        _ => None,
    };
    let sizes = match call.input(3).filter(|_| !is_first) {
        Some(list) if list.shape().len() != 1 => {
            return Err(refused(call, "a list has one dimension"));
        }
        Some(list) if list.elements() > 0 || count == 0 => {
            Some(output_sizes(call, &integers(list))?)
        }
        _ => None,
    };
    if count > 0 && scales.is_some() == sizes.is_some() {
        return Err(refused(call, "either scales or sizes are given"));
    }
    let given = scales.as_ref().map(Vec::len).or(sizes.as_ref().map(Vec::len));
    if given != Some(count) {
        return Err(refused(call, "there is not one number for each dimension"));
    }
    if scales.iter().flatten().any(|scale| *scale <= 0.0) {
        return Err(refused(call, "a scale is not above 0"));
    }
    let common = common_scale(call, &sizes, &axes, shape)?;
    let mut lines: Vec<Line> = shape.iter().map(|&size| Line::kept(size)).collect();
    for (at, &axis) in axes.iter().enumerate() {
        let input = shape[axis];
        let (scale, length) = match (&scales, &sizes, common) {
            (Some(scales), ..) => {
                let extent = regions[at].map_or(1.0, |[start, end]| end - start);
                let length = (input as f64 * extent * scales[at]) as f32;
                (scales[at], f64::from(length).floor())
            }
            (None, _, Some(common)) => (common, (common * input as f64 + 0.5).floor()),
            (None, Some(sizes), None) => (sizes[at] as f64 / input as f64, sizes[at] as f64),
            (None, None, None) => return Err(refused(call, "nothing says how long they become")),
        };
        if length > 9e15 {
            return Err(refused(call, "a dimension becomes too long"));
        }
        let output = length.max(0.0) as usize;
        let transformation = match (mode, regions[at]) {
            ("half_pixel_symmetric", _) => Transformation::HalfPixelSymmetric,
            ("pytorch_half_pixel", _) => Transformation::PytorchHalfPixel,
            ("align_corners", _) => Transformation::AlignCorners,
            ("asymmetric", _) => Transformation::Asymmetric,
            ("tf_half_pixel_for_nn", _) => Transformation::HalfPixelUnshifted,
            (_, Some(region)) => Transformation::Region(region),
            _ => Transformation::HalfPixel,
        };
        let is_scaled = scales.is_some() || common.is_some();
        let width = if is_scaled { scale * input as f64 } else { length };
        lines[axis] = Line { input, output, scale, width, transformation };
    }
    Ok(lines)
}

/// The scale of all dimensions where the ratio of their sizes is kept.
fn common_scale(
    call: &Call<'_>,
    sizes: &Option<Vec<usize>>,
    axes: &[usize],
    shape: &[usize],
) -> Result<Option<f64>, KernelError> {
    let policy = match call.attributes.get("keep_aspect_ratio_policy") {
        Some(Attribute::Text(policy)) if policy != "stretch" => policy,
        _ => return Ok(None),
    };
    let Some(sizes) = sizes.as_ref().filter(|sizes| !sizes.is_empty()) else { return Ok(None) };
    if axes.iter().any(|&axis| shape[axis] == 0) {
        return Err(refused(call, "a dimension without elements has no ratio"));
    }
    let ratios = sizes.iter().zip(axes).map(|(&size, &axis)| size as f64 / shape[axis] as f64);
    Ok(match policy.as_str() {
        "not_larger" => ratios.reduce(f64::min),
        _ => ratios.reduce(f64::max),
    })
}

#[cfg(test)]
mod tests;
