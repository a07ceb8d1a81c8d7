//! Conv: convolutions of floats with weights, and a bias, in float32 for float16 and bfloat16.

use super::elementwise::{output, tensor};
use super::integer_products::Operand;
use super::integer_products::convolution::{ATTRIBUTES, Convolution};
use super::matmul::Accumulate;
use super::operand::values;
use super::reshaping::refused;
use super::signature::{Document, Domain, Input, Restriction, Shapes, Version};
use super::types::{FLOATS, with_type, without_bfloat16};
use super::{Attribute, Attributes, Call, Kernel, KernelError};
use bytemuck::Zeroable;
use values::dtype::DType;
use values::tensor::Tensor;

pub(super) static CONV: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Conv",
    inputs: INPUTS,
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &ATTRIBUTES),
        Version::with(11, without_bfloat16(FLOATS), &ATTRIBUTES),
        Version::with(22, FLOATS, &ATTRIBUTES),
    ],
    restricted: &[Restriction {
        document: Document::Sonnx,
        types: &[without_bfloat16(FLOATS); 3],
        shapes: Shapes::Free,
        needed: &["auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"],
        problem: Some(restricted),
    }],
    run: |call| {
        let operands = operands(call)?;
        let convolution =
            Convolution::of(call, operands.map(|data| Operand { data, zero: None }), None)?;
        let dtype = operands[0].dtype();
        let foreign = KernelError::Type { operator: call.operator, dtype };
        with_type!(floats, dtype, T => convolved::<T>(call, operands, &convolution),
            else Err(foreign))
    },
};

/// Data, weights and a bias.
pub(super) const INPUTS: &[Input] = &[Input::new("X"), Input::new("W"), Input::new("B").optional()];

/// The data and the weights of a call.
pub(super) fn operands<'a>(call: &Call<'a>) -> Result<[&'a Tensor; 2], KernelError> {
    match (call.input(0), call.input(1)) {
        (Some(data), Some(weights)) => Ok([data, weights]),
        _ => Err(refused(call, "there are data and weights")),
    }
}

/// The bias of a call, the input at a place, which has one element for each output channel.
pub(super) fn bias<'a>(
    call: &Call<'a>,
    at: usize,
    channels: usize,
) -> Result<Option<&'a Tensor>, KernelError> {
    match call.input(at) {
        Some(bias) if bias.shape() != [channels] => {
            Err(refused(call, "the bias has one element for each output channel"))
        }
        bias => Ok(bias),
    }
}

/// What SONNX wants of a call and does not find.
fn restricted(operands: &[Option<&Tensor>], attributes: &Attributes) -> Option<&'static str> {
    let shape = operands.first().copied().flatten().map_or(&[][..], Tensor::shape);
    let &[_, channels, _, _] = shape else { return Some("X has two spatial axes") };
    if attributes.get("auto_pad") != Some(&Attribute::Text("NOTSET".to_owned())) {
        return Some("`auto_pad` is NOTSET");
    }
    match attributes.get("group") {
        Some(Attribute::Int(1)) => None,
        Some(Attribute::Int(group)) if usize::try_from(*group) == Ok(channels) => None,
        _ => Some("`group` is 1 or the number of channels"),
    }
}

fn convolved<T: Accumulate + Send + Sync>(
    call: &Call<'_>,
    [data, weights]: [&Tensor; 2],
    convolution: &Convolution<'_>,
) -> Result<Vec<Tensor>, KernelError> {
    let shape = convolution.shape();
    let bias = bias(call, 2, shape[1])?.map(values::<T>);
    let mut sums = output::<T::Sum>(shape, data.dtype())?;
    if !sums.is_empty() {
        let (x, w) = (values::<T>(data), values::<T>(weights));
        let start = |channel: usize| {
            bias.as_ref().map_or_else(T::Sum::zeroed, |bias| bias[channel].widen())
        };
        convolution.fold(&mut sums, start, |sum, from, weight| {
            T::add_product(sum, x[from].widen(), w[weight].widen())
        });
    }
    let results: Vec<T> = sums.into_iter().map(T::narrow).collect();
    tensor(data.dtype(), shape, results)
}

#[cfg(test)]
mod tests;
