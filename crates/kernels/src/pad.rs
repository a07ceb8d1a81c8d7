//! Pad: elements before and after those of each dimension, or fewer of them.

use half::f16;

use super::moving::gathered;
use super::reshaping::{axis_of, integer_list, list, moving, refused};
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::types::{FLOATS, NUMBERS, without_bfloat16};
use super::{Attribute, Call, Kernel, KernelError};
use values::dtype::DType;
use values::tensor::Tensor;

pub(super) static PAD: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Pad",
    inputs: &[
        Input::new("data"),
        Input::of("pads", DType::Int64).since(11),
        Input::new("constant_value").optional().since(11),
        Input::index("axes").optional().since(18),
    ],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &[MODE, integer_list("paddings"), VALUE]),
        Version::with(2, without_bfloat16(FLOATS), &[MODE, integer_list("pads"), VALUE]),
        Version::with(11, without_bfloat16(NUMBERS), &[MODE]),
        moving(13, 16, &[MODE]),
        moving(18, 16, &[MODE]),
        moving(19, 16, &[MODE_OR_WRAP]),
        moving(21, 22, &[MODE_OR_WRAP]),
        moving(23, 23, &[MODE_OR_WRAP]),
        moving(24, 24, &[MODE_OR_WRAP]),
        moving(25, 26, &[MODE_OR_WRAP]),
    ],
    restricted: &[],
    run: |call| {
        let data = call.input(0).ok_or_else(|| refused(call, "there is no data"))?;
        let margins = margins(call, data.shape())?;
        let mode = match call.attributes.get("mode") {
            Some(Attribute::Text(mode)) => mode.as_str(),
            _ => "constant",
        };
        let is_added = margins.iter().any(|margin| margin.front + margin.back > 0);
        let fill = match (mode, is_added) {
            ("constant", true) => Some(fill(call, data.dtype())?),
            _ => None,
        };
        let from_nothing = |margin: &Margin| margin.kept == 0 && margin.front + margin.back > 0;
        if mode != "constant" && margins.iter().any(from_nothing) {
            return Err(refused(call, "there is no element to repeat"));
        }
        let shape: Vec<usize> = margins.iter().map(Margin::size).collect();
        gathered(data, data.shape(), fill.as_ref(), &shape, |dimension, at| {
            margins[dimension].place(mode, at)
        })
    },
};

const MODE: AttributeSpec = AttributeSpec {
    name: "mode",
    accepts: |value| match value {
        Attribute::Text(mode) => ["constant", "reflect", "edge"].contains(&mode.as_str()),
        _ => false,
    },
    expected: "`constant`, `reflect` or `edge`",
};

const MODE_OR_WRAP: AttributeSpec = AttributeSpec {
    name: "mode",
    accepts: |value| (MODE.accepts)(value) || *value == Attribute::Text("wrap".to_owned()),
    expected: "`constant`, `reflect`, `edge` or `wrap`",
};

const VALUE: AttributeSpec = AttributeSpec {
    name: "value",
    accepts: |value| matches!(value, Attribute::Float(_)),
    expected: "a float",
};

/// What is kept of a dimension, and how many elements come before and after it.
struct Margin {
    cut: usize,
    kept: usize,
    front: usize,
    back: usize,
}

impl Margin {
    fn new(size: usize, begin: i64, end: i64) -> Option<Self> {
        let [front, back] = [begin, end].map(|count| usize::try_from(count.max(0)));
        let [cut, cut_back] =
            [begin, end].map(|count| usize::try_from(count.min(0).unsigned_abs()));
        let (front, back, cut) = (front.ok()?, back.ok()?, cut.ok()?);
        let kept = size.checked_sub(cut)?.checked_sub(cut_back.ok()?)?;
        kept.checked_add(front)?.checked_add(back)?;
        Some(Self { cut, kept, front, back })
    }

    const fn size(&self) -> usize {
        self.front + self.kept + self.back
    }

    /// The place in the data; none where it lies outside of what is kept and a constant is added. A reflection or a
    /// round begins anew where it is longer than what is kept.
    fn place(&self, mode: &str, at: usize) -> Option<usize> {
        let Self { cut, kept, front, .. } = *self;
        if (front..front + kept).contains(&at) {
            return Some(cut + at - front);
        }
        // A round of so many places, and where in it this one is.
        let round = |period: usize| (at + (period - front % period)) % period;
        match mode {
            "edge" if at < front => Some(cut),
            "edge" => Some(cut + kept - 1),
            "wrap" => Some(cut + round(kept)),
            "reflect" if kept == 1 => Some(cut),
            "reflect" => {
                let period = 2 * (kept - 1);
                let place = round(period);
                Some(cut + place.min(period - place))
            }
            _ => None,
        }
    }
}

/// What is done to each dimension.
fn margins(call: &Call<'_>, sizes: &[usize]) -> Result<Vec<Margin>, KernelError> {
    let name = if call.operator.since_version() == 1 { "paddings" } else { "pads" };
    let pads = list(call, 1, name)?.ok_or_else(|| refused(call, "no paddings are given"))?;
    let axes = match list(call, 3, "axes")? {
        Some(axes) => axes,
        None => (0..).take(sizes.len()).collect(),
    };
    if pads.len() != 2 * axes.len() {
        return Err(refused(call, "there are not two paddings for each dimension"));
    }
    let mut ends = vec![None; sizes.len()];
    for (at, &axis) in axes.iter().enumerate() {
        let axis = axis_of(call, axis, sizes.len(), 18)?;
        if ends[axis].replace((pads[at], pads[axes.len() + at])).is_some() {
            return Err(refused(call, "a dimension is listed twice"));
        }
    }
    let margin = |(&size, ends): (&usize, Option<(i64, i64)>)| {
        let (begin, end) = ends.unwrap_or_default();
        Margin::new(size, begin, end)
            .ok_or_else(|| refused(call, "more elements are removed than there are"))
    };
    sizes.iter().zip(ends).map(margin).collect()
}

/// The element that is added.
fn fill(call: &Call<'_>, dtype: DType) -> Result<Tensor, KernelError> {
    if let Some(value) = call.input(2) {
        // The body of ONNX's own Attention gives a list of one element for the scalar.
        return match (value.elements(), value.bits(), value.strings()) {
            (1, Some(bits), _) => Ok(Tensor::from_bits(dtype, Vec::new(), bits.clone())?),
            (1, _, Some(strings)) => Ok(Tensor::from_strings(Vec::new(), strings.to_vec())?),
            _ => Err(refused(call, "what is added is no scalar")),
        };
    }
    let value = call.float("value", 0.0);
    let one = |bytes: &[u8]| Tensor::from_bits(dtype, Vec::new(), bytes.to_vec().into());
    Ok(match dtype {
        DType::String => Tensor::from_strings(Vec::new(), vec![Default::default()])?,
        DType::Float8E8M0 => return Err(refused(call, "the type has no 0")),
        DType::Float16 => one(&f16::from_f32(value).to_le_bytes())?,
        DType::Float32 => one(&value.to_le_bytes())?,
        DType::Float64 => one(&f64::from(value).to_le_bytes())?,
        _ => one(&vec![0; dtype.packed_len(1).unwrap_or_default()])?,
    })
}

#[cfg(test)]
mod tests;
