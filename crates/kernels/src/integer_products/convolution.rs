//! Convolutions, by loops over every dimension.

use std::ops::Range;

use super::{Operand, is_single};
use crate::elementwise::output;
use crate::reshaping::{integer, refused};
use crate::signature::AttributeSpec;
use crate::{Attribute, Call, KernelError};
use values::dtype::DType;
use values::tensor::{Tensor, coordinates};

const fn integers(name: &'static str) -> AttributeSpec {
    AttributeSpec {
        name,
        accepts: |value| matches!(value, Attribute::Ints(_)),
        expected: "a list of integers",
    }
}

/// The attributes of a convolution.
pub(in super::super) const ATTRIBUTES: [AttributeSpec; 6] = [
    AttributeSpec {
        name: "auto_pad",
        accepts: |value| {
            let known = ["NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"];
            matches!(value, Attribute::Text(text) if known.contains(&text.as_str()))
        },
        expected: "NOTSET, SAME_UPPER, SAME_LOWER or VALID",
    },
    integers("dilations"),
    integer("group"),
    integers("kernel_shape"),
    integers("pads"),
    integers("strides"),
];

/// A convolution of data of the shape [N, C, ..] with weights of [M, C / group, ..].
pub(in super::super) struct Convolution<'a> {
    operands: [Operand<'a>; 2],
    /// Output channels of each group.
    per_group: usize,
    strides: Vec<i64>,
    dilations: Vec<i64>,
    /// Padding at the beginning of each dimension.
    before: Vec<i64>,
    shape: Vec<usize>,
}

/// The values of an attribute, as many as asked for and each at least so large; without it, the least.
pub(in super::super) fn list(
    call: &Call<'_>,
    name: &str,
    count: usize,
    least: i64,
) -> Result<Vec<i64>, KernelError> {
    let values = match call.attributes.get(name) {
        Some(Attribute::Ints(values)) => values.clone(),
        _ => vec![least; count],
    };
    // More padding than this makes an output that no memory holds.
    let most = if least == 0 { 1 << 60 } else { i64::MAX };
    let is_in_range = |value: &i64| (least..=most).contains(value);
    match values.len() == count && values.iter().all(is_in_range) {
        true => Ok(values),
        false => Err(refused(call, "a stride, dilation or padding is none")),
    }
}

impl<'a> Convolution<'a> {
    /// That of data and weights, of which every parameter that is not single has one element for each output channel.
    pub(in super::super) fn of(
        call: &Call<'a>,
        operands: [Operand<'a>; 2],
        w_scale: Option<&Tensor>,
    ) -> Result<Self, KernelError> {
        let [x, w] = operands.map(|operand| operand.data.shape());
        let unfit = || refused(call, "data and weights do not fit");
        let rank = x.len().saturating_sub(2);
        if rank == 0 || w.len() != x.len() || w[2..].contains(&0) {
            return Err(unfit());
        }
        let groups = usize::try_from(call.int("group", 1)).unwrap_or(0);
        if groups == 0 || w[1].checked_mul(groups) != Some(x[1]) || w[0] % groups != 0 {
            return Err(refused(call, "the channels do not fit the groups"));
        }
        if operands[0].zero.is_some_and(|zero| !is_single(zero)) {
            return Err(refused(call, "the data have one zero point"));
        }
        let is_per_channel = |tensor: &Tensor| is_single(tensor) || tensor.shape() == [w[0]];
        if !operands[1].zero.into_iter().chain(w_scale).all(is_per_channel) {
            return Err(refused(call, "there is not one zero point or scale for each channel"));
        }
        if let Some(Attribute::Ints(kernel)) = call.attributes.get("kernel_shape") {
            let own: Vec<i64> = w[2..].iter().map(|size| *size as i64).collect();
            if *kernel != own {
                return Err(refused(call, "`kernel_shape` is not that of the weights"));
            }
        }
        let mode = match call.attributes.get("auto_pad") {
            Some(Attribute::Text(mode)) => mode.as_str(),
            _ => "NOTSET",
        };
        if mode != "NOTSET" && call.attributes.contains_key("pads") {
            return Err(refused(call, "there are both `auto_pad` and `pads`"));
        }
        let strides = list(call, "strides", rank, 1)?;
        let dilations = list(call, "dilations", rank, 1)?;
        let mut before = list(call, "pads", 2 * rank, 0)?;
        let after = before.split_off(rank);
        let mut shape = vec![x[0], w[0]];
        for at in 0..rank {
            let size = i64::try_from(x[at + 2]).map_err(|_| unfit())?;
            let reach = (w[at + 2] as i64 - 1).checked_mul(dilations[at]);
            let reach = reach.and_then(|reach| reach.checked_add(1)).ok_or_else(unfit)?;
            let stride = strides[at];
            if mode.starts_with("SAME") {
                let places = size / stride + i64::from(size % stride != 0);
                let needed = (places - 1) * stride;
                let missing =
                    needed.checked_add(reach).ok_or_else(unfit)?.saturating_sub(size).max(0);
                let larger = missing / 2 + missing % 2;
                before[at] = if mode == "SAME_LOWER" { larger } else { missing - larger };
                shape.push(places as usize);
                continue;
            }
            let padded = size.checked_add(before[at] + after[at]).ok_or_else(unfit)?;
            if padded < reach {
                return Err(refused(call, "the weights reach beyond the padded data"));
            }
            shape.push(((padded - reach) / stride + 1) as usize);
        }
        let per_group = (w[0] / groups).max(1);
        Ok(Self { operands, per_group, strides, dilations, before, shape })
    }

    /// The dimensions of the output.
    pub(in super::super) fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The output channel of an element.
    pub(in super::super) fn channel(&self, index: usize) -> usize {
        coordinates(index, &self.shape)[1]
    }

    /// The sum of the products of each element, to which a bias is added for its channel.
    pub(in super::super) fn sums(&self, bias: Option<&[i32]>) -> Result<Vec<i32>, KernelError> {
        let mut sums = output::<i32>(&self.shape, DType::Int32)?;
        if sums.is_empty() {
            return Ok(sums);
        }
        let taps = self.taps();
        let depth = self.operands[1].data.shape()[1];
        let [x, w] = self.operands;
        let x = x.centred::<i32>(|_| 0);
        let w = w.centred::<i32>(|at| at / (depth * taps));
        self.fold(
            &mut sums,
            |channel| bias.map_or(0, |bias| bias[channel]),
            |sum, from, weight| sum.wrapping_add(x[from] * w[weight]),
        );
        Ok(sums)
    }

    /// Weights of a channel; of weights without channels there are none.
    fn taps(&self) -> usize {
        let w_shape = self.operands[1].data.shape();
        if w_shape[1] == 0 { 0 } else { w_shape[2..].iter().product() }
    }

    /// Begins each element of the output with the number of its channel, and adds to it what each element of the data makes
    /// with its weight, by their places.
    pub(in super::super) fn fold<S: Copy>(
        &self,
        sums: &mut [S],
        start: impl Fn(usize) -> S,
        add: impl Fn(S, usize, usize) -> S,
    ) {
        let [x_shape, w_shape] = self.operands.map(|operand| operand.data.shape());
        let (depth, kernel, taps) = (w_shape[1], &w_shape[2..], self.taps());
        let steps: Vec<Vec<usize>> = (0..taps).map(|tap| coordinates(tap, kernel)).collect();
        for (at, sum) in sums.iter_mut().enumerate() {
            let place = coordinates(at, &self.shape);
            let channel = place[1];
            *sum = start(channel);
            for c in 0..depth {
                let data = place[0] * x_shape[1] + channel / self.per_group * depth + c;
                let weights = (channel * depth + c) * taps;
                for (tap, step) in steps.iter().enumerate() {
                    if let Some(within) = self.within(&place[2..], step, &x_shape[2..]) {
                        let size: usize = x_shape[2..].iter().product();
                        *sum = add(*sum, data * size + within, weights + tap);
                    }
                }
            }
        }
    }

    /// Where along a dimension of the data the weight at a place is for an element of the output, in the padding or not.
    pub(in super::super) fn begin(&self, axis: usize, place: usize, step: usize) -> i64 {
        let start = place as i64 * self.strides[axis] - self.before[axis];
        start + step as i64 * self.dilations[axis]
    }

    /// The channels of the data that the weights of an output channel are multiplied by.
    pub(in super::super) fn channels(&self, channel: usize) -> Range<usize> {
        let depth = self.operands[1].data.shape()[1];
        let first = channel / self.per_group * depth;
        first..first + depth
    }

    /// Where in a channel of the data the weight at a place is for an element of the output; `None` in the padding.
    fn within(&self, place: &[usize], step: &[usize], sizes: &[usize]) -> Option<usize> {
        let mut within = 0;
        for (at, size) in sizes.iter().enumerate() {
            let from = usize::try_from(self.begin(at, place[at], step[at])).ok()?;
            if from >= *size {
                return None;
            }
            within = within * size + from;
        }
        Some(within)
    }
}
