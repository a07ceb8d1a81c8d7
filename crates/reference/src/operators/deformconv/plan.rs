//! What a call of DeformConv asks for: the shape of its output, and around which locations elements are weighted.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use num_bigint::BigInt;
use values::element::Element;
use values::float::FloatFormat;
use values::tensor::{Tensor, coordinates};

use crate::exact::composed::{self, Arithmetic, Computed, Exact};
use crate::exact::interval::Interval;
use crate::exact::real::{Enclosure, Rational};
use crate::families::computation::{format_of, value};
use crate::families::convolving::check_bias;
use crate::families::integer_products::convolution::{Convolution, Sizes, Taps};
use crate::families::picking::bounded;
use crate::families::sampling::location::{BITS, Dimension, Padding, Reason};
use crate::families::sampling::weights::line;
use crate::operator::{Call, Invalid, TensorType};

/// The elements around a location of a tap, by their places in a channel of the data, with the products of their weights along
/// each dimension, and how many of these are not 1.
pub(super) type Sample = Vec<(usize, Computed, u32)>;

/// What is sampled for an element by each weight of a channel.
type Samples = Rc<Result<Vec<Sample>, Reason>>;

/// What a location outside of data gives that are not padded there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Reading {
    /// The mean of the elements around it, of which those outside are 0.
    Interpolated,
    /// Zero.
    Cut,
}

/// Which samples: by the batch and the place of an element of the output, the group of offsets, the bits and the reading.
type Key = (usize, usize, u32, Reading);

/// The most samples that are kept at a time.
const MOST_KEPT: usize = 1 << 12;

/// The most elements that are weighted around a location.
const MOST: usize = 1 << 12;

const TOO_MANY: Reason = "so many elements have a weight that nothing here adds them up";
const TWO_SHAPES: Reason =
    "the text has two shapes of a mask beside three spatial dimensions or more";

/// How a call convolves.
pub(super) struct Plan<'a> {
    pub(super) x: &'a Tensor,
    pub(super) w: &'a Tensor,
    offset: &'a Tensor,
    pub(super) bias: Option<&'a Tensor>,
    pub(super) mask: Option<&'a Tensor>,
    layout: Convolution,
    /// Channels of the data that have the same offsets.
    per_offset: usize,
    pub(super) output: TensorType,
    pub(super) format: &'static FloatFormat,
    /// Why no element is decided, if so.
    pub(super) open: Option<&'static str>,
    kept: RefCell<HashMap<Key, Samples>>,
}

/// A weight of an element of the output: its place, that of its mask, the channel of the data and what is sampled there.
pub(super) struct Tap {
    pub(super) weight: usize,
    pub(super) mask: usize,
    /// The place of the first element of the channel.
    pub(super) channel: usize,
    /// Which weight of the channel it is.
    pub(super) at: usize,
}

impl<'a> Plan<'a> {
    pub(super) fn of(call: &'a Call) -> Result<Self, Invalid> {
        let [x, w, offset] = [call.input(0)?, call.input(1)?, call.input(2)?];
        let optional = |at: usize| call.inputs.get(at).and_then(Option::as_ref);
        let layout = Convolution::of(call, x.shape(), w.shape())?;
        check_bias(call, 3, w.shape().first().copied().unwrap_or_default())?;
        let shape = layout.shape();
        let channels = x.shape().get(1).copied().unwrap_or_default();
        let groups = call.int("offset_group").and_then(|groups| usize::try_from(groups).ok());
        let groups = groups.filter(|groups| *groups > 0 && channels % groups == 0);
        let groups =
            groups.ok_or_else(|| call.invalid("has no such number of groups of offsets"))?;
        let rank = shape.len() - 2;
        let kernel = layout.sizes().kernel.iter();
        let taps = kernel.fold(groups as u128, |all, size| all.saturating_mul(*size as u128));
        // The sizes of what has so many channels of numbers for each place of the output.
        let is_of = |tensor: &Tensor, channels: u128| {
            let [batch, own, at @ ..] = tensor.shape() else { return false };
            *batch == shape[0] && *own as u128 == channels && *at == shape[2..]
        };
        if !is_of(offset, taps.saturating_mul(rank as u128)) {
            let given = offset.shape();
            return Err(call.invalid(&format!("takes no offsets of {given:?} for {shape:?}")));
        }
        let mask = optional(4);
        let mut open = None;
        if let Some(mask) = mask {
            let is_large = rank > 2 && is_of(mask, taps.saturating_mul(rank as u128));
            if !is_of(mask, taps) && !is_large {
                let given = mask.shape();
                return Err(call.invalid(&format!("takes no mask of {given:?} for {shape:?}")));
            }
            if rank > 2 {
                open = Some(TWO_SHAPES);
            }
        }
        let format = format_of(x.dtype()).ok_or_else(|| call.invalid("takes floats alone"))?;
        let output = bounded(call, x.dtype(), shape)?;
        let (per_offset, kept) = ((channels / groups).max(1), RefCell::default());
        let bias = optional(3);
        Ok(Self { x, w, offset, bias, mask, layout, per_offset, output, format, open, kept })
    }

    /// The place of an element of a tensor of so many channels for each place of the output: by the index of an element of the
    /// output, whose batch and place it has, and its channel.
    fn beside(&self, index: usize, channels: usize, channel: usize) -> usize {
        let within = self.within();
        let batch = index / within / self.outputs().max(1);
        (batch * channels + channel) * within + index % within
    }

    /// Places of the output in a channel.
    fn within(&self) -> usize {
        self.layout.sizes().output.iter().product::<usize>().max(1)
    }

    fn outputs(&self) -> usize {
        self.w.shape().first().copied().unwrap_or_default()
    }

    /// Weights of a channel.
    fn taps(&self) -> usize {
        self.layout.sizes().kernel.iter().product()
    }

    /// The output channel of an element.
    pub(super) fn channel(&self, index: usize) -> usize {
        self.layout.channel(index)
    }

    /// The weights of an element of the output.
    pub(super) fn all_taps(&self, index: usize) -> Vec<Tap> {
        let Sizes { channels: [outputs, inputs], data, .. } = self.layout.sizes();
        let (taps, size): (usize, usize) = (self.taps(), data.iter().product());
        let (batch, channel) = (index / self.within() / self.outputs().max(1), self.channel(index));
        let (group, own) = (channel / outputs.max(1), channel % outputs.max(1));
        let channels = self.x.shape().get(1).copied().unwrap_or_default();
        let masks = self.mask.and_then(|mask| mask.shape().get(1)).copied().unwrap_or_default();
        let of = |c: usize, at: usize| {
            let channel = group * inputs + c;
            let mask = channel / self.per_offset * taps + at;
            Tap {
                weight: self.layout.weight(group, [own, c], at),
                mask: self.beside(index, masks, mask),
                channel: (batch * channels + channel) * size,
                at,
            }
        };
        (0..inputs)
            .flat_map(|c| (0..taps).map(move |at| (c, at)))
            .map(|(c, at)| of(c, at))
            .collect()
    }

    /// What the weights of the channel that begins at a place sample for an element.
    pub(super) fn samples(
        &self,
        index: usize,
        channel: usize,
        bits: u32,
        reading: Reading,
    ) -> Samples {
        let size: usize = self.layout.sizes().data.iter().product();
        let channels = self.x.shape().get(1).copied().unwrap_or_default().max(1);
        let group = channel / size.max(1) % channels / self.per_offset;
        let key = (self.beside(index, 1, 0), group, bits, reading);
        if let Some(known) = self.kept.borrow().get(&key) {
            return Rc::clone(known);
        }
        let all = (0..self.taps()).map(|tap| self.sample(index, group, tap, bits, reading));
        let found: Samples = Rc::new(all.collect());
        let mut kept = self.kept.borrow_mut();
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        kept.insert(key, Rc::clone(&found));
        found
    }

    /// The elements around the location of a weight.
    fn sample(
        &self,
        index: usize,
        group: usize,
        tap: usize,
        bits: u32,
        reading: Reading,
    ) -> Result<Sample, Reason> {
        let Sizes { data, kernel, output, .. } = self.layout.sizes();
        let (at, step) = (coordinates(index % self.within(), output), coordinates(tap, kernel));
        let rank = data.len();
        let offsets = self.offset.shape().get(1).copied().unwrap_or_default();
        let a = Arithmetic::of(self.format, bits);
        let mut all: Sample = vec![(0, a.integer(1), 0)];
        for (axis, &size) in data.iter().enumerate() {
            let Some((base, pads)) = self.layout.placed(axis, at[axis], step[axis]) else {
                return Err(TOO_MANY);
            };
            let offset = self.beside(index, offsets, (group * self.taps() + tap) * rank + axis);
            let location = self.location(base, pads[0], offset);
            let dimension = Dimension::at(&location, size, self.format, (Padding::Zeros, true))?;
            let outside = match reading {
                Reading::Interpolated => Outside::NONE,
                Reading::Cut => Outside::of(&location, size, pads),
            };
            let mut further = Vec::new();
            for (pixel, weight) in line(&dimension, false, false, &a)? {
                let weight = outside.cut(weight, bits);
                let is_one = weight
                    .numbers
                    .as_ref()
                    .is_some_and(|it| it.is_same(&Interval::integer(1, bits)));
                for (outer, so_far, factors) in &all {
                    let product = a.mul(so_far, &weight);
                    further.push((outer * size + pixel, product, factors + u32::from(!is_one)));
                }
            }
            all = further;
            if all.len() > MOST {
                return Err(TOO_MANY);
            }
        }
        Ok(all)
    }

    /// A place in the data that is moved by an offset, as the format adds them, be it from the beginning of the data or of
    /// the padding.
    fn location(&self, base: i128, before: i128, offset: usize) -> Computed {
        let a = Arithmetic::of(self.format, BITS);
        let integer = |number: i128| {
            Computed::number(Interval::rational(&Rational::from(BigInt::from(number)), BITS))
        };
        let offset = value(self.offset, offset, BITS);
        let from = |begin: i128| {
            let sum = a.add(&a.converted(&integer(base + begin)), &offset);
            let back = Interval::rational(&Rational::from(BigInt::from(begin)), BITS);
            let exact = match &sum.exact {
                Exact::Number(number) => Exact::Number(number - &back),
                other => other.clone(),
            };
            Computed { exact, numbers: sum.numbers.as_ref().map(|it| it - &back), ..sum }
        };
        match before {
            0 => from(0),
            _ => from(0).or(&from(before)),
        }
    }

    /// Whether some location is less than one element outside of data that are not padded there: the elements around it have weights
    /// by one reading and none by the other.
    pub(super) fn is_beside(&self) -> bool {
        let Sizes { batch, data, kernel, output, .. } = self.layout.sizes();
        let (taps, within) = (self.taps(), self.within());
        let rank = data.len();
        let offsets = self.offset.shape().get(1).copied().unwrap_or_default();
        let is_beside = |place: usize, channel: usize, axis: usize| {
            let (at, step) =
                (coordinates(place, output), coordinates(channel / rank % taps.max(1), kernel));
            let (Some((base, pads)), size) =
                (self.layout.placed(axis, at[axis], step[axis]), data[axis])
            else {
                return false;
            };
            if pads.iter().all(|pad| *pad > 0) {
                return false;
            }
            (0..batch).any(|batch| {
                let offset = (batch * offsets + channel) * within + place;
                let location = self.location(base, pads[0], offset);
                Outside::of(&location, size, pads).may_be
                    && !Outside::of(&location, size, [1, 1]).is_certain
            })
        };
        let places = output.iter().product::<usize>();
        (0..places)
            .any(|place| (0..offsets).any(|channel| is_beside(place, channel, channel % rank)))
    }

    /// The elements that an index is computed of: those around each location, each with its weight and its mask, and the bias.
    pub(super) fn operands(&self, index: usize) -> Vec<Element> {
        let mut all = Vec::new();
        for tap in self.all_taps(index) {
            let samples = self.samples(index, tap.channel, composed::BITS, Reading::Interpolated);
            let Ok(samples) = samples.as_ref() else { return Vec::new() };
            for (place, ..) in samples.get(tap.at).into_iter().flatten() {
                all.extend(Element::of(self.x, tap.channel + place));
                all.extend(Element::of(self.w, tap.weight));
                all.extend(self.mask.and_then(|mask| Element::of(mask, tap.mask)));
            }
        }
        all.extend(self.bias.and_then(|bias| Element::of(bias, self.channel(index))));
        all
    }
}

/// Where a location lies beside the padded data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Outside {
    may_be: bool,
    is_certain: bool,
    /// Whether the exact one is outside.
    is_exact: bool,
}

impl Outside {
    const NONE: Self = Self { may_be: false, is_certain: false, is_exact: false };

    fn of(location: &Computed, size: usize, [before, after]: [i128; 2]) -> Self {
        let integer = |number: i128| Rational::from(BigInt::from(number));
        let [begin, end] = [integer(-before), integer(size as i128 - 1 + after)];
        let ends = |it: &Interval| {
            let Enclosure { lower, upper } = it.enclosure();
            [lower < begin || upper > end, upper < begin || lower > end]
        };
        let [may_be, is_certain] = location.numbers.as_ref().map_or([false; 2], ends);
        let is_exact = location.exact_number().map_or([false; 2], ends)[0];
        Self { may_be, is_certain, is_exact }
    }

    /// A weight that counts nothing where it is outside.
    fn cut(self, weight: Computed, bits: u32) -> Computed {
        if !self.may_be && !self.is_exact {
            return weight;
        }
        let zero = Interval::integer(0, bits);
        let numbers = match self.is_certain {
            true => Some(zero.clone()),
            false => weight.numbers.map(|numbers| numbers.hull(&zero)),
        };
        let exact = if self.is_exact { Exact::Number(zero) } else { weight.exact };
        Computed { exact, numbers, ..weight }
    }
}
