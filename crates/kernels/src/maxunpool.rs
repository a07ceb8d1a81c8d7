//! MaxUnpool: elements are put at their indices into a tensor of zeros. Where `output_shape` is larger than the attributes make it,
//! the indices are those of the smaller tensor that has them all, as ONNX's evaluator has it; of several elements at an index the last one stays.

use super::copies::output_sizes;
use super::elementwise::checked_len;
use super::quantization::packed;
use super::reshaping::{integer_list, integers, list, refused};
use super::signature::{Domain, Input, Version};
use super::types::{FLOATS, without_bfloat16};
use super::{Attribute, Call, Kernel, KernelError};
use values::dtype::DType::Int64;
use values::tensor::{Tensor, coordinates};

pub(super) static MAXUNPOOL: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "MaxUnpool",
    inputs: &[Input::new("X"), Input::of("I", Int64), Input::of("output_shape", Int64).optional()],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(9, without_bfloat16(FLOATS), ATTRIBUTES),
        Version::with(11, without_bfloat16(FLOATS), ATTRIBUTES),
        Version::with(22, FLOATS, ATTRIBUTES),
    ],
    restricted: &[],
    run,
};

const ATTRIBUTES: &[super::signature::AttributeSpec] =
    &[integer_list("kernel_shape"), integer_list("pads"), integer_list("strides")];

/// The spatial sizes of what was pooled; `None` where one is negative or too large.
fn unpooled(
    call: &Call<'_>,
    sizes: &[usize],
    is_padded: bool,
) -> Result<Option<Vec<usize>>, KernelError> {
    let given = |name, count: usize, least: i64| {
        let expected = "a list of integers that fits the spatial dimensions";
        let bad = KernelError::BadAttribute { operator: call.operator, name, expected };
        match call.attributes.get(name) {
            Some(Attribute::Ints(list)) if list.len() == count => {
                if list.iter().all(|number| *number >= least) { Ok(list.clone()) } else { Err(bad) }
            }
            None if name != "kernel_shape" => Ok(vec![least; count]),
            _ => Err(bad),
        }
    };
    let rank = sizes.len();
    let (kernel, strides) = (given("kernel_shape", rank, 1)?, given("strides", rank, 1)?);
    let pads = given("pads", 2 * rank, 0)?;
    let wide = |list: &[i64], at: usize| i128::from(list[at]);
    let mut found = Vec::new();
    for (at, &size) in sizes.iter().enumerate() {
        let less = if is_padded { wide(&pads, at) + wide(&pads, rank + at) } else { 0 };
        let steps = (size as i128 - 1).saturating_mul(wide(&strides, at));
        found.push(usize::try_from(steps.saturating_add(wide(&kernel, at)) - less).ok());
    }
    Ok(found.into_iter().collect())
}

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let (Some(x), Some(indices)) = (call.input(0), call.input(1)) else {
        return Err(refused(call, "there are data and indices"));
    };
    let [batches, channels, sizes @ ..] = x.shape() else {
        return Err(refused(call, "there are a batch, channels and a spatial dimension"));
    };
    if sizes.is_empty() || indices.shape() != x.shape() {
        return Err(refused(call, "each element has an index"));
    }
    let stated = list(call, 2, "output_shape")?;
    let own = unpooled(call, sizes, stated.is_none())?;
    let own = own.map(|sizes| [&[*batches, *channels], &sizes[..]].concat());
    let indices = integers(indices);
    let (shape, counted) = match (stated, own) {
        (None, Some(own)) => (own.clone(), own),
        (None, None) => return Err(refused(call, "there is more padding than elements")),
        (Some(stated), own) => {
            let stated = output_sizes(call, &stated)?;
            if stated.len() != x.shape().len() {
                return Err(refused(call, "`output_shape` has a size for each dimension"));
            }
            // A smaller tensor that does not have all the indices is not the one that they are of.
            let is_within = |own: &Vec<usize>| {
                let count = own.iter().try_fold(1_usize, |count, size| count.checked_mul(*size));
                let has = |index: &i64| count.is_some_and(|count| (*index as u64) < count as u64);
                own.iter().zip(&stated).all(|(own, all)| own <= all) && indices.iter().all(has)
            };
            (stated.clone(), own.filter(is_within).unwrap_or(stated))
        }
    };
    let count = checked_len(&shape, x.dtype(), size_of::<u64>())?;
    if count == 0 {
        return Ok(vec![packed(x.dtype(), &shape, |_| 0)?]);
    }
    let elements: usize = counted.iter().product();
    let mut results = vec![0; count];
    for (at, index) in indices.into_iter().enumerate() {
        let index = usize::try_from(index).ok().filter(|index| *index < elements);
        let index = index.ok_or_else(|| refused(call, "an index is outside of the output"))?;
        let mut place = 0;
        for (own, size) in coordinates(index, &counted).into_iter().zip(&shape) {
            place = place * size + own;
        }
        results[place] = x.element(at).unwrap_or_default() as u64;
    }
    Ok(vec![packed(x.dtype(), &shape, |at| results[at])?])
}

#[cfg(test)]
mod tests;
