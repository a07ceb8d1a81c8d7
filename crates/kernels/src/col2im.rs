//! Col2Im: blocks are added to an image, column by column. Of truth values the sum is whether any is true; of strings and complex numbers the
//! last one stays.

use super::copies::{output_sizes, zero};
use super::elementwise::{output, tensor};
use super::integer_products::convolution::list;
use super::matmul::{Accumulate, Steps};
use super::moving::Moving;
use super::operand::values;
use super::quantization::packed;
use super::reshaping::{integer_list, integers, refused};
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::types::{ALL_TYPES, first, with_type};
use super::{Call, Kernel, KernelError};
use values::dtype::DType::{self, Int64};
use values::dtype::Kind;
use values::tensor::{Tensor, coordinates};

pub(super) static COL2IM: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Col2Im",
    inputs: &[
        Input::new("input"),
        Input::of("image_shape", Int64),
        Input::of("block_shape", Int64),
    ],
    is_elementwise: false,
    slices: None,
    versions: &[Version::with(18, first(ALL_TYPES, 16), &ATTRIBUTES)],
    restricted: &[],
    run: |call| {
        let [data, image, block] = call.inputs()?;
        let form = Form::of(call, data.shape(), [image, block])?;
        let dtype = data.dtype();
        if let Kind::Int { .. } = dtype.kind() {
            return wrapped(data, &form);
        }
        with_type!(floats, dtype, T => added::<T>(data, &form), else last(data, &form))
    },
};

const ATTRIBUTES: [AttributeSpec; 3] =
    [integer_list("dilations"), integer_list("pads"), integer_list("strides")];

/// How blocks lie in the image.
struct Form {
    /// The shape of the output.
    shape: Vec<usize>,
    block: Vec<usize>,
    /// The number of blocks along each dimension.
    blocks: Vec<usize>,
    /// By spatial dimension: stride, dilation, and what is cut off at the beginning.
    axes: Vec<[i64; 3]>,
}

impl Form {
    fn of(call: &Call<'_>, columns: &[usize], lists: [&Tensor; 2]) -> Result<Self, KernelError> {
        if lists.iter().any(|list| list.shape().len() != 1) {
            return Err(refused(call, "a list has one dimension"));
        }
        let [image, block] = lists.map(|list| output_sizes(call, &integers(list)));
        let (image, block) = (image?, block?);
        let rank = image.len();
        let unfit = || refused(call, "the columns are not those of the blocks of such an image");
        let (&[batches, rows, count], true) = (columns, rank >= 2 && block.len() == rank) else {
            return Err(unfit());
        };
        let (strides, dilations) =
            (list(call, "strides", rank, 1)?, list(call, "dilations", rank, 1)?);
        let pads = list(call, "pads", 2 * rank, 0)?;
        let (mut blocks, mut axes, mut elements) = (Vec::new(), Vec::new(), 1_usize);
        for at in 0..rank {
            let wide = |number: i64| i128::from(number);
            let padded = image[at] as i128 + wide(pads[at]) + wide(pads[rank + at]);
            let length = (block[at] as i128 - 1) * wide(dilations[at]) + 1;
            let own = if padded < length { 0 } else { (padded - length) / wide(strides[at]) + 1 };
            blocks.push(usize::try_from(own).map_err(|_| unfit())?);
            elements =
                elements.checked_mul(block[at]).filter(|size| *size > 0).ok_or_else(unfit)?;
            axes.push([strides[at], dilations[at], pads[at]]);
        }
        let all = if blocks.contains(&0) {
            Some(0)
        } else {
            blocks.iter().try_fold(1_usize, |all, own| all.checked_mul(*own))
        };
        if all != Some(count) || rows % elements != 0 {
            return Err(unfit());
        }
        let shape = [&[batches, rows / elements], &image[..]].concat();
        Ok(Self { shape, block, blocks, axes })
    }

    /// Sees the place in the columns and in the image of each element that lies in the image.
    fn visit(&self, data: &Tensor, mut see: impl FnMut(usize, usize)) {
        let &[_, rows, count] = data.shape() else { return };
        let elements: usize = self.block.iter().product();
        let size = if data.elements() == 0 { 0 } else { self.shape[2..].iter().product() };
        for at in 0..data.elements() {
            let (row, column) = (at / count, at % count);
            let element = coordinates(row % rows % elements, &self.block);
            let block = coordinates(column, &self.blocks);
            let mut place = Some(row / elements * size);
            let mut rest = size;
            for (dim, [stride, dilation, before]) in self.axes.iter().enumerate() {
                let to = block[dim] as i128 * i128::from(*stride)
                    + element[dim] as i128 * i128::from(*dilation)
                    - i128::from(*before);
                let length = self.shape[dim + 2];
                rest /= length.max(1);
                let to = usize::try_from(to).ok().filter(|to| *to < length);
                place = place.zip(to).map(|(place, to)| place + to * rest);
            }
            if let Some(place) = place {
                see(at, place);
            }
        }
    }
}

fn added<T: Accumulate + Send + Sync>(
    data: &Tensor,
    form: &Form,
) -> Result<Vec<Tensor>, KernelError> {
    let mut sums = output::<T::Sum>(&form.shape, data.dtype())?;
    let elements = values::<T>(data);
    form.visit(data, |from, to| sums[to] = sums[to].plus(elements[from].widen()));
    tensor(data.dtype(), &form.shape, sums.into_iter().map(T::narrow).collect())
}

/// Integers modulo 2^n are added as their bits are.
fn wrapped(data: &Tensor, form: &Form) -> Result<Vec<Tensor>, KernelError> {
    let mut sums = output::<u64>(&form.shape, data.dtype())?;
    form.visit(data, |from, to| {
        sums[to] = sums[to].wrapping_add(data.element(from).unwrap_or_default() as u64);
    });
    Ok(vec![packed(data.dtype(), &form.shape, |at| sums[at])?])
}

fn last(data: &Tensor, form: &Form) -> Result<Vec<Tensor>, KernelError> {
    let mut places = output::<usize>(&form.shape, data.dtype())?;
    let is_truth = data.dtype() == DType::Bool;
    form.visit(data, |from, to| {
        if !is_truth || data.element(from) != Some(0) {
            places[to] = from + 1;
        }
    });
    let zero = zero(data.dtype())?;
    let mut moved = Moving::new(data.dtype(), form.shape.clone())?;
    for place in places {
        match place.checked_sub(1) {
            Some(from) => moved.take(data, from, 1),
            None => moved.take(&zero, 0, 1),
        }
    }
    Ok(vec![moved.done()?])
}

#[cfg(test)]
mod tests;
