//! Where the elements and the weights of a convolution meet.
//!
//! The data are [N, C, D1, .., Dn], the weights [M, C / group, K1, .., Kn], and the output is [N, M, O1, .., On]. What is
//! padded is a real zero, whose products add nothing. All places are computed in 128 bits, in which nothing
//! overflows: sizes and attributes have 64.
//!
//! For `SAME_UPPER` and `SAME_LOWER` there is as little padding as gives the stated size, by the reach of the weights
//! with their dilations. Of these words Conv-1 says no more than that the output's size matches the input's: with strides it is open.
//! Data without a dimension to move weights along are refused.

use values::tensor::{coordinates, row_major};

use super::Layout;
use crate::operator::{Attribute, AttributeType, Call, Invalid, Otherwise};

/// Words for the shapes and attributes that convolutions are asked.
pub(crate) const CASES: &str = include_str!("convolution/cases.toml");

/// The attributes of a convolution.
pub(crate) const ATTRIBUTES: [Attribute; 6] = [
    Attribute::new(
        "auto_pad",
        AttributeType::Text(&["NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"]),
    )
    .otherwise(Otherwise::Text("NOTSET")),
    Attribute::new("dilations", AttributeType::Ints),
    Attribute::new("group", AttributeType::Int).otherwise(Otherwise::Int(1)),
    Attribute::new("kernel_shape", AttributeType::Ints),
    Attribute::new("pads", AttributeType::Ints),
    Attribute::new("strides", AttributeType::Ints),
];

/// A convolution of data with weights.
#[derive(Clone, Debug)]
pub(crate) struct Convolution {
    data: Vec<usize>,
    weights: Vec<usize>,
    /// Output channels that are computed from the same channels of the data.
    group: usize,
    axes: Vec<Axis>,
    shape: Vec<usize>,
    /// Why no element is decided, if so.
    open: Option<&'static str>,
}

const MATCHED: &str = "version 1 says that the output matches the input, and nothing of strides";

/// One of the dimensions that weights are moved along.
#[derive(Clone, Copy, Debug)]
struct Axis {
    stride: i128,
    dilation: i128,
    /// Padding at the beginning, and at the end.
    pads: [i128; 2],
}

impl Axis {
    /// The place in the data that a weight meets for an element, which may be before the beginning or behind the end.
    fn place(&self, at: usize, tap: usize) -> i128 {
        let [at, tap] = [at, tap].map(|place| place as i128);
        at * self.stride + tap * self.dilation - self.pads[0]
    }

    /// The same; none before the beginning.
    fn meets(&self, at: usize, tap: usize) -> Option<usize> {
        usize::try_from(self.place(at, tap)).ok()
    }
}

impl Convolution {
    /// That of data and weights of these shapes.
    pub(crate) fn of(call: &Call, data: &[usize], weights: &[usize]) -> Result<Self, Invalid> {
        let unfit =
            || call.invalid(&format!("cannot convolve {data:?} with weights of {weights:?}"));
        let ([batch, channels, sizes @ ..], [outputs, depth, kernel @ ..]) = (data, weights) else {
            return Err(unfit());
        };
        let groups = call.int("group").and_then(|group| usize::try_from(group).ok());
        let groups = groups.filter(|group| *group > 0);
        let groups = groups.ok_or_else(|| call.invalid("has no such number of groups"))?;
        let is_split = depth.checked_mul(groups) == Some(*channels) && outputs % groups == 0;
        if sizes.is_empty() || sizes.len() != kernel.len() || kernel.contains(&0) || !is_split {
            return Err(unfit());
        }
        let rank = sizes.len();
        if let Some(stated) = call.ints("kernel_shape") {
            let is_own = |(stated, own): (&i64, &usize)| usize::try_from(*stated) == Ok(*own);
            if stated.len() != rank || !stated.iter().zip(kernel).all(is_own) {
                return Err(call.invalid("has another `kernel_shape` than its weights"));
            }
        }
        let strides = list(call, "strides", rank, 1)?;
        let dilations = list(call, "dilations", rank, 1)?;
        let pads = list(call, "pads", 2 * rank, 0)?;
        let auto = call.text("auto_pad").unwrap_or("NOTSET");
        if auto != "NOTSET" && call.ints("pads").is_some() {
            return Err(call.invalid("takes no `pads` beside `auto_pad`"));
        }
        let mut shape = vec![*batch, *outputs];
        let (mut axes, mut open) = (Vec::new(), None);
        for (at, (size, kernel)) in sizes.iter().zip(kernel).enumerate() {
            let [size, kernel] = [size, kernel].map(|size| *size as i128);
            let [stride, dilation] = [strides[at], dilations[at]].map(i128::from);
            let reach = (kernel - 1) * dilation + 1;
            let (pads, places) = if let "SAME_UPPER" | "SAME_LOWER" = auto {
                let places = (size + stride - 1) / stride;
                if call.version.since == 1 && places != size {
                    open = Some(MATCHED);
                }
                let padding = ((places - 1) * stride + reach - size).max(0);
                let [less, more] = [padding / 2, (padding + 1) / 2];
                (if auto == "SAME_LOWER" { [more, less] } else { [less, more] }, places)
            } else {
                let [before, after] = [pads[at], pads[rank + at]].map(i128::from);
                let room = size + before + after - reach;
                if room < 0 {
                    return Err(call.invalid("has a kernel that is larger than its padded input"));
                }
                ([before, after], room / stride + 1)
            };
            shape.push(usize::try_from(places).map_err(|_| unfit())?);
            axes.push(Axis { stride, dilation, pads });
        }
        let group = (outputs / groups).max(1);
        Ok(Self { data: data.to_vec(), weights: weights.to_vec(), group, axes, shape, open })
    }

    /// That of each channel of data [N, C, L] with weights [C, 1, K] of its own, which begins at the first element, `before` zeros in
    /// front of it counted, and gives `length` elements.
    pub(crate) fn of_each_channel(
        data: [usize; 3],
        kernel: usize,
        before: usize,
        length: usize,
    ) -> Self {
        let [batch, channels, _] = data;
        Self {
            data: data.to_vec(),
            weights: vec![channels, 1, kernel],
            group: 1,
            axes: vec![Axis { stride: 1, dilation: 1, pads: [before as i128, 0] }],
            shape: vec![batch, channels, length],
            open: None,
        }
    }

    /// The dimensions of the output; those of one reading where it is open.
    pub(crate) fn shape(&self) -> Vec<usize> {
        self.shape.clone()
    }

    /// Why no element is decided, if so.
    pub(crate) const fn open(&self) -> Option<&'static str> {
        self.open
    }

    /// The place along a dimension of the data that a weight at a place meets for an element at another, which may be outside;
    /// and the padding at the beginning and at the end.
    pub(crate) fn placed(&self, axis: usize, at: usize, tap: usize) -> Option<(i128, [i128; 2])> {
        self.axes.get(axis).map(|axis| (axis.place(at, tap), axis.pads))
    }
}

/// The values of an attribute for so many axes, none of them below one value, which is that of all where it is not given.
fn list(call: &Call, name: &str, count: usize, least: i64) -> Result<Vec<i64>, Invalid> {
    match call.ints(name) {
        None => Ok(vec![least; count]),
        Some(values) if values.len() == count && values.iter().all(|value| *value >= least) => {
            Ok(values.to_vec())
        }
        Some(values) => Err(call.invalid(&format!("cannot have the `{name}` {values:?}"))),
    }
}

impl Layout for Convolution {
    /// One zero point and one scale belong to all data, and to the weights of each output channel.
    fn lines(&self, index: usize) -> [usize; 2] {
        [0, coordinates(index, &self.shape).get(1).copied().unwrap_or_default()]
    }

    fn places<'a>(&'a self, index: usize) -> Box<dyn Iterator<Item = [usize; 2]> + 'a> {
        Box::new(self.taps(index).filter_map(|(data, weight)| Some([data?, weight])))
    }
}

impl Taps for Convolution {
    fn channel(&self, index: usize) -> usize {
        self.lines(index)[1]
    }

    fn sizes(&self) -> Sizes<'_> {
        let (data, weights) = (self.data.as_slice(), self.weights.as_slice());
        let outputs = weights.first().copied().unwrap_or_default();
        Sizes {
            batch: data.first().copied().unwrap_or_default(),
            groups: outputs / self.group,
            channels: [self.group, weights.get(1).copied().unwrap_or_default()],
            data: data.get(2..).unwrap_or_default(),
            kernel: weights.get(2..).unwrap_or_default(),
            output: self.shape.get(2..).unwrap_or_default(),
        }
    }

    fn meets(&self, axis: usize, at: usize, tap: usize) -> Option<usize> {
        self.axes.get(axis)?.meets(at, tap)
    }

    fn weight(&self, group: usize, [output, channel]: [usize; 2], tap: usize) -> usize {
        let Sizes { channels: [outputs, depth], kernel, .. } = self.sizes();
        let within: usize = kernel.iter().product();
        ((group * outputs + output) * depth + channel) * within + tap
    }
}

/// Where weights meet elements of the data, or zeros around them or between them.
pub(crate) trait Taps {
    /// The output channel of an element.
    fn channel(&self, index: usize) -> usize;

    /// The sizes of data, weights and output.
    fn sizes(&self) -> Sizes<'_>;

    /// The place in the data along a dimension that a weight at a place meets for an element at another; none before the
    /// beginning, and between elements.
    fn meets(&self, axis: usize, at: usize, tap: usize) -> Option<usize>;

    /// The place of a weight: of an output channel and a channel of the data in a group, and of a place in the kernel.
    fn weight(&self, group: usize, channels: [usize; 2], tap: usize) -> usize;

    /// The place of each weight that makes an element of the output, and the place in the data of the element that it is
    /// multiplied by; none of a zero.
    fn taps(&self, index: usize) -> Box<dyn Iterator<Item = (Option<usize>, usize)>> {
        let Sizes { batch, groups, channels: [outputs, inputs], data, kernel, output } =
            self.sizes();
        // Sizes and attributes may be of outputs that no memory holds.
        let shape = [&[batch, groups.saturating_mul(outputs)], output].concat();
        let place = coordinates(index, &shape);
        let [batch, channel, at @ ..] = place.as_slice() else {
            return Box::new(std::iter::empty());
        };
        let (group, own) = (channel / outputs.max(1), channel % outputs.max(1));
        // The weights of each channel meet the same places of it.
        let met = |tap| {
            let steps = at.iter().zip(coordinates(tap, kernel)).enumerate();
            let place = steps.map(|(axis, (at, tap))| self.meets(axis, *at, tap));
            row_major(&place.collect::<Option<Vec<_>>>()?, data)
        };
        let within: usize = if inputs == 0 { 0 } else { kernel.iter().product() };
        let met: Vec<Option<usize>> = (0..within).map(met).collect();
        let size = data.iter().try_fold(1_usize, |size, dimension| size.checked_mul(*dimension));
        let first = (batch * groups + group) * inputs;
        let line = |channel| {
            let begin = size.and_then(|size| size.checked_mul(first + channel));
            (begin, self.weight(group, [own, channel], 0))
        };
        let lines: Vec<_> = (0..inputs).map(line).collect();
        Box::new((0..inputs * within).filter_map(move |term| {
            let (tap, (begin, weight)) = (term % within, lines.get(term / within)?);
            let met = begin.zip(*met.get(tap)?);
            Some((met.and_then(|(begin, place)| begin.checked_add(place)), weight + tap))
        }))
    }
}

/// The sizes of data, weights and output of a convolution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes<'a> {
    pub(crate) batch: usize,
    pub(crate) groups: usize,
    /// Channels of the output and of the data in each group.
    pub(crate) channels: [usize; 2],
    pub(crate) data: &'a [usize],
    pub(crate) kernel: &'a [usize],
    pub(crate) output: &'a [usize],
}

#[cfg(test)]
mod tests;
