//! What a call of Resize asks for: the shape of its output, and how each dimension is resized.

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};
use values::dtype::DType;

use crate::exact::real::{Rational, value};
use crate::families::picking::bounded;
use crate::families::resizing::{
    Axis, Map, Mode, Plan, Rounding, Scale, Transformation, identity, in_float32, numbers, whole,
};
use crate::operator::{Call, Invalid};

/// The transformations of which any may be that of version 10, which states none: those of version 11 that need no region. The
/// first is that of ONNX's own cases.
const UNSTATED: &[&str] =
    &["asymmetric", "half_pixel", "pytorch_half_pixel", "align_corners", "tf_half_pixel_for_nn"];

/// What a call of Resize asks for.
pub(super) fn plan(call: &Call) -> Result<Plan, Invalid> {
    let data = call.input(0)?;
    let shape = data.shape();
    let text = |name| call.text(name).unwrap_or_default();
    let flag = |name| call.int(name).unwrap_or(0) != 0;
    let is_first = call.version.since == 10;
    let only = [text("coordinate_transformation_mode")];
    let named = if is_first { UNSTATED } else { &only };
    let is_cropped = only == ["tf_crop_and_resize"];
    let readings = 2 * named.len();
    let resized = resized(call, shape.len())?;
    let regions = if is_cropped { regions(call, &resized)? } else { Vec::new() };
    let scales = scales(call, resized.len())?;
    let sizes = if is_first {
        None
    } else {
        call.integers(3)?.filter(|all| !all.is_empty() || resized.is_empty())
    };
    let mut output = shape.to_vec();
    let mut axes: Vec<Axis> =
        shape.iter().map(|&size| Axis(vec![identity(size); readings])).collect();
    let given = match (scales, sizes) {
        (Some(_), Some(_)) if !resized.is_empty() => {
            return Err(call.invalid("takes `scales` or `sizes`, not both"));
        }
        (None, None) => return Err(call.invalid("is given neither `scales` nor `sizes`")),
        (Some(scales), _) => Given::Scales(scales),
        (None, Some(sizes)) => Given::of_sizes(call, &sizes, &resized, shape)?,
    };
    for (at, &axis) in resized.iter().enumerate() {
        let input = shape[axis];
        let region = regions.get(at);
        let (size, scale) = given.of(call, at, input, region)?;
        if size > 0 && input == 0 {
            return Err(call.invalid("makes no elements of a dimension that has none"));
        }
        output[axis] = size;
        let width = match &scale {
            Scale::Given(scale) => scale * whole(input),
            Scale::Quotient(_) => whole(size),
        };
        let is_kept = size == input && width == whole(input);
        let maps = |&named: &&str| {
            let transformation = transformation(named, region);
            let is_moved = match &transformation {
                Transformation::TfCropAndResize([start, end]) => !start.is_zero() || !end.is_one(),
                Transformation::TfHalfPixelForNn => !is_first,
                _ => false,
            };
            if is_kept && !is_moved {
                return [identity(size), identity(size)];
            }
            let (scale, length) = (scale.clone(), whole(size));
            let map = Map { transformation, input, output: size, scale, length };
            let mut other = map.clone();
            match map.transformation {
                Transformation::AlignCorners => other.length = width.clone(),
                // The text's own words are of the length that the scale makes.
                Transformation::HalfPixelSymmetric => {}
                _ => other.scale = Scale::Quotient([size, input]),
            }
            [map, other]
        };
        axes[axis] = Axis(named.iter().flat_map(maps).collect());
    }
    let are_one = axes.iter().all(|Axis(maps)| maps.iter().all(|map| *map == maps[0]));
    let readings = if are_one { 1 } else { readings };
    let mode = match text("mode") {
        "linear" => Mode::Linear,
        "cubic" => {
            let bits = call.float("cubic_coeff_a").unwrap_or_default();
            if value(DType::Float32, bits.into()).is_none() {
                return Err(call.invalid("takes a finite number as `cubic_coeff_a`"));
            }
            Mode::Cubic(bits)
        }
        _ => Mode::Nearest(match text("nearest_mode") {
            "round_prefer_floor" => Rounding::PreferFloor,
            "round_prefer_ceil" => Rounding::PreferCeil,
            "floor" => Rounding::Floor,
            "ceil" => Rounding::Ceil,
            _ => Rounding::Either,
        }),
    };
    Ok(Plan {
        output: bounded(call, data.dtype(), output)?,
        axes,
        mode,
        readings,
        exclude_outside: flag("exclude_outside"),
        antialias: flag("antialias"),
        extrapolation: call.float("extrapolation_value").unwrap_or_default(),
    })
}

fn transformation(named: &str, region: Option<&[Rational; 2]>) -> Transformation {
    match (named, region) {
        ("half_pixel_symmetric", _) => Transformation::HalfPixelSymmetric,
        ("pytorch_half_pixel", _) => Transformation::PytorchHalfPixel,
        ("align_corners", _) => Transformation::AlignCorners,
        ("asymmetric", _) => Transformation::Asymmetric,
        ("tf_half_pixel_for_nn", _) => Transformation::TfHalfPixelForNn,
        ("tf_crop_and_resize", Some(region)) => Transformation::TfCropAndResize(region.clone()),
        _ => Transformation::HalfPixel,
    }
}

/// The dimensions that regions, scales and sizes are about.
fn resized(call: &Call, rank: usize) -> Result<Vec<usize>, Invalid> {
    let Some(axes) = call.ints("axes") else { return Ok((0..rank).collect()) };
    let mut resized = Vec::new();
    for &axis in axes {
        let from_start = if axis < 0 { i128::from(axis) + rank as i128 } else { axis.into() };
        let axis = usize::try_from(from_start).ok().filter(|axis| *axis < rank);
        let axis = axis.ok_or_else(|| call.invalid("has no such dimension"))?;
        if resized.contains(&axis) {
            return Err(call.invalid("takes no dimension twice"));
        }
        resized.push(axis);
    }
    Ok(resized)
}

/// The start and the end of the region along each of the dimensions.
fn regions(call: &Call, resized: &[usize]) -> Result<Vec<[Rational; 2]>, Invalid> {
    let Some(roi) = call.inputs.get(1).and_then(Option::as_ref) else {
        return Err(call.invalid("is not told the region that `tf_crop_and_resize` needs"));
    };
    let all = numbers(call, 1, roi)?;
    if all.len() != 2 * resized.len() {
        return Err(call.invalid("takes a start and an end of the region for each dimension"));
    }
    let (starts, ends) = all.split_at(resized.len());
    Ok(starts.iter().zip(ends).map(|(start, end)| [start.clone(), end.clone()]).collect())
}

/// The scales, where there are any: an empty list is one only of no dimensions.
fn scales(call: &Call, count: usize) -> Result<Option<Vec<Rational>>, Invalid> {
    let at = if call.version.since == 10 { 1 } else { 2 };
    let Some(scales) = call.inputs.get(at).and_then(Option::as_ref) else { return Ok(None) };
    let all = numbers(call, at, scales)?;
    if all.is_empty() && count > 0 {
        return Ok(None);
    }
    if all.len() != count {
        return Err(call.invalid("takes a scale for each dimension"));
    }
    match all.iter().all(Signed::is_positive) {
        true => Ok(Some(all)),
        false => Err(call.invalid("takes scales above 0")),
    }
}

/// What says how long the output is.
enum Given {
    Scales(Vec<Rational>),
    /// Sizes, and the scale that all dimensions have where the aspect ratio is kept.
    Sizes(Vec<usize>, Option<Rational>),
}

impl Given {
    fn of_sizes(
        call: &Call,
        sizes: &[i64],
        resized: &[usize],
        shape: &[usize],
    ) -> Result<Self, Invalid> {
        if sizes.len() != resized.len() {
            return Err(call.invalid("takes a size for each dimension"));
        }
        let sizes = crate::families::picking::sizes(call, "sizes", sizes)?;
        let policy = call.text("keep_aspect_ratio_policy").unwrap_or("stretch");
        if policy == "stretch" || sizes.is_empty() {
            return Ok(Self::Sizes(sizes, None));
        }
        if resized.iter().any(|&axis| shape[axis] == 0) {
            return Err(call.invalid("keeps no ratio of a dimension that has no elements"));
        }
        let ratios =
            sizes.iter().zip(resized).map(|(&size, &axis)| whole(size) / whole(shape[axis]));
        let scale = if policy == "not_larger" { ratios.min() } else { ratios.max() };
        Ok(Self::Sizes(sizes, scale))
    }

    /// The size and the scale of a dimension.
    fn of(
        &self,
        call: &Call,
        at: usize,
        input: usize,
        region: Option<&[Rational; 2]>,
    ) -> Result<(usize, Scale), Invalid> {
        let too_long = || call.invalid("makes a dimension longer than there can be elements");
        match self {
            Self::Scales(scales) => {
                let scale = scales.get(at).cloned().unwrap_or_else(Rational::one);
                let extent = region.map_or_else(Rational::one, |[start, end]| end - start);
                // ONNX's own inference of shapes, and implementations, round the product to float32 before it is
                // rounded down.
                let length = in_float32(whole(input) * extent * &scale).floor().to_integer();
                let size = if length.is_negative() { BigInt::zero() } else { length };
                Ok((size.to_usize().ok_or_else(too_long)?, Scale::Given(scale)))
            }
            Self::Sizes(sizes, None) => {
                let size = sizes.get(at).copied().unwrap_or(input);
                Ok((size, Scale::Quotient([size, input])))
            }
            Self::Sizes(_, Some(scale)) => {
                let half = Rational::new(BigInt::one(), BigInt::from(2));
                let size = (scale * whole(input) + half).floor().to_integer();
                Ok((size.to_usize().ok_or_else(too_long)?, Scale::Given(scale.clone())))
            }
        }
    }
}
