//! ConvTranspose: each element of the data adds its multiples of the weights where these lie in the output.

use super::conv::{INPUTS, bias, operands};
use super::elementwise::{output, tensor};
use super::integer_products::convolution::{ATTRIBUTES as CONVOLUTION, list};
use super::matmul::Accumulate;
use super::operand::values;
use super::reshaping::{integer_list, refused};
use super::signature::{AttributeSpec, Domain, Version};
use super::types::{FLOATS, with_type, without_bfloat16};
use super::{Attribute, Call, Kernel, KernelError};
use bytemuck::Zeroable;
use values::dtype::DType;
use values::tensor::{Tensor, coordinates};

pub(super) static CONVTRANSPOSE: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "ConvTranspose",
    inputs: INPUTS,
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &ATTRIBUTES),
        Version::with(11, without_bfloat16(FLOATS), &ATTRIBUTES),
        Version::with(22, FLOATS, &ATTRIBUTES),
    ],
    restricted: &[],
    run: |call| {
        let operands = operands(call)?;
        let form = Form::of(call, operands.map(Tensor::shape))?;
        let dtype = operands[0].dtype();
        let foreign = KernelError::Type { operator: call.operator, dtype };
        with_type!(floats, dtype, T => spread::<T>(call, operands, &form), else Err(foreign))
    },
};

const ATTRIBUTES: [AttributeSpec; 8] = {
    let [auto_pad, dilations, group, kernel_shape, pads, strides] = CONVOLUTION;
    let (more, sizes) = (integer_list("output_padding"), integer_list("output_shape"));
    [auto_pad, dilations, group, kernel_shape, more, sizes, pads, strides]
};

/// How weights of [C, M / group, ..] lie in an output of [N, M, ..].
struct Form {
    groups: usize,
    /// By spatial dimension: stride, dilation, and what is cut off at the beginning.
    axes: Vec<[i64; 3]>,
    shape: Vec<usize>,
}

impl Form {
    fn of(call: &Call<'_>, [x, w]: [&[usize]; 2]) -> Result<Self, KernelError> {
        let unfit = || refused(call, "data and weights do not fit");
        let rank = x.len().saturating_sub(2);
        if rank == 0 || w.len() != x.len() || w[2..].contains(&0) || x[1] != w[0] {
            return Err(unfit());
        }
        let groups = usize::try_from(call.int("group", 1)).unwrap_or(0);
        if groups == 0 || x[1] % groups != 0 {
            return Err(refused(call, "the channels do not fit the groups"));
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
        let pads = list(call, "pads", 2 * rank, 0)?;
        let more = list(call, "output_padding", rank, 0)?;
        let stated = match call.attributes.get("output_shape") {
            Some(_) => Some(list(call, "output_shape", rank, 0)?),
            None => None,
        };
        let mut shape = vec![x[0], w[1].checked_mul(groups).ok_or_else(unfit)?];
        let mut axes = Vec::new();
        for at in 0..rank {
            let (stride, dilation) = (strides[at], dilations[at]);
            let has_limit = call.operator.since_version() >= 11;
            if has_limit && more[at] > 0 && more[at] >= stride.max(dilation) {
                return Err(refused(call, "`output_padding` is a stride or more"));
            }
            let size = i64::try_from(x[at + 2]).map_err(|_| unfit())?;
            let reach = (w[at + 2] as i64 - 1).checked_mul(dilation);
            let steps = (size - 1).checked_mul(stride);
            let whole = reach.zip(steps).and_then(|(reach, steps)| reach.checked_add(steps));
            let whole =
                whole.and_then(|whole| whole.checked_add(more[at] + 1)).ok_or_else(unfit)?;
            let wanted = match &stated {
                Some(sizes) => Some(sizes[at]),
                None if mode.starts_with("SAME") => {
                    Some(size.checked_mul(stride).ok_or_else(unfit)?)
                }
                None => None,
            };
            let (before, length) = match wanted {
                Some(length) => {
                    let cut = whole.checked_sub(length).ok_or_else(unfit)?;
                    let half = cut.div_euclid(2);
                    (if mode == "SAME_UPPER" { half } else { cut - half }, length)
                }
                None => {
                    let (before, after) = (pads[at], pads[rank + at]);
                    (before, whole.checked_sub(before + after).ok_or_else(unfit)?)
                }
            };
            let length = usize::try_from(length);
            shape.push(length.map_err(|_| refused(call, "more is cut off than there is"))?);
            axes.push([stride, dilation, before]);
        }
        Ok(Self { groups, axes, shape })
    }

    /// Where in a channel of the output the weight at a place lies for an element of the data at one; `None` outside.
    fn within(&self, place: &[usize], step: &[usize]) -> Option<usize> {
        let mut within = 0;
        for (at, [stride, dilation, before]) in self.axes.iter().enumerate() {
            let to = place[at] as i64 * stride + step[at] as i64 * dilation - before;
            let (to, size) = (usize::try_from(to).ok()?, self.shape[at + 2]);
            if to >= size {
                return None;
            }
            within = within * size + to;
        }
        Some(within)
    }
}

fn spread<T: Accumulate + Send + Sync>(
    call: &Call<'_>,
    [data, weights]: [&Tensor; 2],
    form: &Form,
) -> Result<Vec<Tensor>, KernelError> {
    let shape = &form.shape;
    let bias = bias(call, 2, shape[1])?.map(values::<T>);
    let mut sums = output::<T::Sum>(shape, data.dtype())?;
    if !sums.is_empty() {
        let size: usize = shape[2..].iter().product();
        for (at, sum) in sums.iter_mut().enumerate() {
            let channel = at / size % shape[1];
            *sum = bias.as_ref().map_or_else(T::Sum::zeroed, |bias| bias[channel].widen());
        }
        let (x, w) = (values::<T>(data), values::<T>(weights));
        let per_group = [data.shape()[1], shape[1]].map(|channels| channels / form.groups);
        let kernel = &weights.shape()[2..];
        let taps: usize = if w.is_empty() { 0 } else { kernel.iter().product() };
        let steps: Vec<Vec<usize>> = (0..taps).map(|tap| coordinates(tap, kernel)).collect();
        for (at, element) in x.iter().enumerate() {
            let place = coordinates(at, data.shape());
            let first = place[1] / per_group[0] * per_group[1];
            for (tap, step) in steps.iter().enumerate() {
                let Some(within) = form.within(&place[2..], step) else { continue };
                for own in 0..per_group[1] {
                    let to = ((place[0] * shape[1]) + first + own) * size + within;
                    let weight = w[(place[1] * per_group[1] + own) * taps + tap];
                    sums[to] = T::add_product(sums[to], element.widen(), weight.widen());
                }
            }
        }
    }
    let results: Vec<T> = sums.into_iter().map(T::narrow).collect();
    tensor(data.dtype(), shape, results)
}

#[cfg(test)]
mod tests;
