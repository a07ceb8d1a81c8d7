//! What the pooling operators have in common: where the windows lie, and the largest element of each.
//!
//! Of NaN and of the two zeros ONNX's texts say no more than of Max's, so that the same results conform. Nothing says
//! what is the largest element where a window has none of the input. SONNX's MaxPool fills the padding with
//! -infinity or the least integer, and its floats are ordered as those of its Max.

use values::dtype::Kind;
use values::element::Element;

use super::extremum::Extremum;
use crate::elementwise::Elementwise;
use crate::exact::number::{Int, largest};
use crate::exact::{Conforming, Deviation, each_once};
use crate::operator::{Allowed, AttributeValue, Call, Invalid};
use crate::real::Real;
use values::tensor::Tensor;

/// The windows of an input whose first two dimensions are the batch and the channel.
#[derive(Clone)]
pub(crate) struct Windows {
    /// The shape of the output.
    pub(crate) shape: Vec<usize>,
    dimensions: Vec<Dimension>,
}

/// A spatial dimension. Numbers are wide enough for the products of any attributes.
#[derive(Clone, Copy)]
struct Dimension {
    size: i128,
    output: usize,
    kernel: i128,
    stride: i128,
    dilation: i128,
    /// Padding at the beginning and at the end.
    pads: [i128; 2],
}

/// How the padding is chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Padding {
    Explicit,
    SameUpper,
    SameLower,
    Valid,
}

impl Windows {
    /// The windows that the attributes of a call say.
    pub(crate) fn of(call: &Call, is_ceil: bool) -> Result<Self, Invalid> {
        let shape = call.input(0)?.shape();
        let sizes = spatial(call, shape)?;
        let count = sizes.len();
        let kernel = list(call, "kernel_shape", count, 1, 1)?;
        let strides = list(call, "strides", count, 1, 1)?;
        let dilations = list(call, "dilations", count, 1, 1)?;
        let pads = list(call, "pads", 2 * count, 0, 0)?;
        let padding = match call.attributes.get("auto_pad") {
            Some(AttributeValue::Text(text)) => match text.as_str() {
                "SAME_UPPER" => Padding::SameUpper,
                "SAME_LOWER" => Padding::SameLower,
                "VALID" => Padding::Valid,
                _ => Padding::Explicit,
            },
            _ => Padding::Explicit,
        };
        if padding != Padding::Explicit && call.attributes.contains_key("pads") {
            return Err(call.invalid("takes `pads` or `auto_pad`, not both"));
        }
        let (begins, ends) = pads.split_at(count);
        let each =
            sizes.iter().zip(kernel).zip(strides).zip(dilations).zip(begins.iter().zip(ends));
        let dimensions = each.map(|((((&size, kernel), stride), dilation), (&begin, &end))| {
            let dimension = Dimension {
                size: size as i128,
                output: 0,
                kernel,
                stride,
                dilation,
                pads: [begin, end],
            };
            // That windows are left out which begin in the padding at the end is said since version 22 alone.
            dimension.placed(call, padding, is_ceil, call.version.since >= 22)
        });
        Ok(Self::new(shape, dimensions.collect::<Result<_, _>>()?))
    }

    /// One window for each channel, of all its elements.
    pub(crate) fn whole(call: &Call) -> Result<Self, Invalid> {
        let shape = call.input(0)?.shape();
        let all = |&size: &usize| {
            let size = size as i128;
            Dimension { size, output: 1, kernel: size, stride: 1, dilation: 1, pads: [0; 2] }
        };
        let dimensions = spatial(call, shape)?.iter().map(all).collect();
        Ok(Self::new(shape, dimensions))
    }

    fn new(input: &[usize], dimensions: Vec<Dimension>) -> Self {
        let outputs = dimensions.iter().map(|dimension| dimension.output);
        let shape = input.iter().copied().take(2).chain(outputs).collect();
        Self { shape, dimensions }
    }

    /// Whether each window is longer than the padding at either end, in every dimension.
    pub(crate) fn are_longer_than_padding(&self) -> bool {
        let is_longer = |own: &Dimension| own.pads.iter().all(|&pad| own.extent() > pad);
        self.dimensions.iter().all(is_longer)
    }

    /// Whether the formulas that AveragePool-11 has for `auto_pad` without `ceil_mode`, which round quotients down, give the output
    /// another shape.
    pub(crate) fn are_others_rounded_down(&self, is_valid: bool) -> bool {
        self.dimensions.iter().any(|own| {
            let room = own.size - if is_valid { own.extent() - 1 } else { 0 };
            room / own.stride != own.output as i128
        })
    }

    /// The number of elements of a window that lie in the padded input.
    pub(crate) fn padded_count(&self, index: usize) -> u64 {
        let mut rest = index;
        let mut count = 1_u64;
        for dimension in self.dimensions.iter().rev() {
            let outputs = dimension.output.max(1);
            count = count.saturating_mul(dimension.padded_count(rest % outputs));
            rest /= outputs;
        }
        count
    }

    /// The places in the input of the elements of a window, in their order; the padding has none.
    pub(crate) fn places(&self, index: usize) -> Vec<usize> {
        let mut channel = index;
        let mut all = Vec::with_capacity(self.dimensions.len());
        for dimension in self.dimensions.iter().rev() {
            let outputs = dimension.output.max(1);
            all.push((dimension.size as usize, dimension.places(channel % outputs)));
            channel /= outputs;
        }
        if all.iter().any(|(_, places)| places.len() == 0) {
            return Vec::new();
        }
        let mut found = vec![channel];
        for (size, places) in all.into_iter().rev() {
            let within = |&outer: &usize| places.clone().map(move |place| outer * size + place);
            found = found.iter().flat_map(within).collect();
        }
        found
    }
}

impl Dimension {
    /// From the first to the last element of a window.
    const fn extent(&self) -> i128 {
        (self.kernel - 1) * self.dilation + 1
    }

    /// The dimension with its padding and the number of its windows.
    fn placed(
        mut self,
        call: &Call,
        padding: Padding,
        is_ceil: bool,
        is_cut: bool,
    ) -> Result<Self, Invalid> {
        let Self { size, stride, .. } = self;
        let output = match padding {
            Padding::SameUpper | Padding::SameLower => {
                let output = (size + stride - 1) / stride;
                let both = ((output - 1) * stride + self.extent() - size).max(0);
                let [less, more] = [both / 2, both - both / 2];
                self.pads = if padding == Padding::SameUpper { [less, more] } else { [more, less] };
                output
            }
            Padding::Explicit | Padding::Valid => {
                let rest = size + self.pads[0] + self.pads[1] - self.extent();
                if rest < 0 {
                    return Err(call.invalid("has a window that is larger than the padded input"));
                }
                match padding == Padding::Explicit && is_ceil {
                    false => rest / stride + 1,
                    true => {
                        let output = (rest + stride - 1) / stride + 1;
                        let before_end = (size + self.pads[0] + stride - 1) / stride;
                        if is_cut { output.min(before_end) } else { output }
                    }
                }
            }
        };
        let too_many = |_| call.invalid("has more windows than there can be elements");
        self.output = usize::try_from(output).map_err(too_many)?;
        Ok(self)
    }

    /// How many elements of a window lie before the end of the padding.
    fn padded_count(&self, window: usize) -> u64 {
        let begin = window as i128 * self.stride - self.pads[0];
        let room = self.size + self.pads[1] - begin;
        let fitting = (room + self.dilation - 1).div_euclid(self.dilation);
        u64::try_from(fitting.clamp(0, self.kernel)).unwrap_or(u64::MAX)
    }

    /// The places of the elements that a window has of the input.
    fn places(&self, window: usize) -> std::iter::StepBy<std::ops::Range<usize>> {
        let begin = window as i128 * self.stride - self.pads[0];
        let in_padding = if begin < 0 { (self.dilation - 1 - begin) / self.dilation } else { 0 };
        let first = begin + in_padding * self.dilation;
        let end = self.size.min(begin + self.extent());
        let range = if first < end { first as usize..end as usize } else { 0..0 };
        range.step_by(self.dilation as usize)
    }
}

/// Whether ONNX's inference gives another shape than the texts: without padding, or with one that follows from the sizes, windows
/// that are only begun count in ONNX's function alone.
pub(crate) fn is_disputed(call: &Call) -> bool {
    call.int("ceil_mode") == Some(1) && !matches!(call.text("auto_pad"), None | Some("NOTSET"))
}

/// The sizes of the spatial dimensions, of which there is one at least.
fn spatial<'a>(call: &Call, shape: &'a [usize]) -> Result<&'a [usize], Invalid> {
    match shape {
        [_, _, sizes @ ..] if !sizes.is_empty() => Ok(sizes),
        _ => Err(call.invalid("takes a tensor of batches, channels and spatial dimensions")),
    }
}

/// A list of so many integers, none below the least; the same one for each where it is left out.
fn list(
    call: &Call,
    name: &str,
    count: usize,
    otherwise: i128,
    least: i128,
) -> Result<Vec<i128>, Invalid> {
    let Some(given) = call.ints(name) else { return Ok(vec![otherwise; count]) };
    if given.len() != count {
        let given = given.len();
        return Err(call.invalid(&format!("takes {count} integers for `{name}`, not {given}")));
    }
    let list: Vec<i128> = given.iter().copied().map(i128::from).collect();
    match list.iter().find(|value| **value < least) {
        Some(value) => Err(call.invalid(&format!("takes no `{name}` of {value}"))),
        None => Ok(list),
    }
}

/// What is allowed of the largest element of each window.
pub(crate) struct Largest<'a> {
    pub(crate) data: &'a Tensor,
    pub(crate) windows: Windows,
    /// Whether the padding has a value, and floats the order of SONNX's Max.
    pub(crate) is_total: bool,
}

impl Largest<'_> {
    fn function(&self) -> Extremum {
        Extremum { is_largest: true, is_total: self.is_total }
    }

    /// What conforms for a window of these elements.
    fn conforming(&self, operands: &[Element]) -> Conforming {
        match self.least().filter(|_| self.is_total) {
            Some(least) if operands.is_empty() => Conforming::One(least),
            None if operands.is_empty() => OUTSIDE,
            _ => self.function().conforming(self.data.dtype(), operands),
        }
    }

    /// The least element of the type.
    fn least(&self) -> Option<u64> {
        Some(match self.data.dtype().kind() {
            Kind::Float(format) => format.negated(largest(format) + 1),
            Kind::Int { signed, bits } => {
                let int = Int { signed, bits };
                int.wrap(int.min())
            }
            _ => return None,
        })
    }
}

impl Allowed for Largest<'_> {
    fn at(&self, index: usize) -> Conforming {
        self.conforming(&self.operands(index))
    }

    fn real(&self, index: usize, bits: u32) -> Option<Real> {
        self.function().real(self.data.dtype(), &self.operands(index), bits)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        self.function().deviation(self.data.dtype(), &self.operands(index), actual)
    }

    fn judged(&self, index: usize, actual: [u64; 2]) -> (Conforming, [Deviation; 2]) {
        let (operands, dtype) = (self.operands(index), self.data.dtype());
        let of = |actual| self.function().deviation(dtype, &operands, actual);
        (self.conforming(&operands), each_once(actual, of))
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        let places = self.windows.places(index).into_iter();
        places.filter_map(|place| Element::of(self.data, place)).collect()
    }
}

/// Of a window that lies in the padding.
pub(crate) const OUTSIDE: Conforming = Conforming::Unspecified(OUTSIDE_REASON);

/// Why it has no result.
pub(crate) const OUTSIDE_REASON: &str = "the window has no element of the input";

#[cfg(test)]
mod tests;
