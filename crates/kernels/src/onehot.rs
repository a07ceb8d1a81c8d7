//! OneHot: of each index a line of values, that for on at its place. Negative indices count from the end since version 11.

use super::copies::output_sizes;
use super::moving::Moving;
use super::quantization::value;
use super::reshaping::{axis_of, integer, moving, refused};
use super::signature::{AttributeSpec, Domain, Input};
use super::types::{NUMBERS, without_bfloat16};
use super::{Call, Kernel, KernelError};
use values::dtype::Kind;
use values::tensor::Tensor;

pub(super) static ONEHOT: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "OneHot",
    inputs: &[
        Input::of_any("indices", without_bfloat16(NUMBERS)),
        Input::of_any("depth", without_bfloat16(NUMBERS)),
        Input::new("values"),
    ],
    is_elementwise: false,
    slices: None,
    versions: &[moving(9, 15, &[AXIS]), moving(11, 15, &[AXIS]), moving(28, 16, &[AXIS])],
    restricted: &[],
    run,
};

const AXIS: AttributeSpec = integer("axis");

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [indices, depth, values] = call.inputs()?;
    if !matches!(depth.shape(), [] | [1]) || values.shape() != [2] {
        return Err(refused(call, "there is one depth, and there are two values"));
    }
    let depth = whole(depth, 0).ok_or_else(|| refused(call, "the depth is no number"))?;
    let mut shape = indices.shape().to_vec();
    let axis = call.int("axis", -1);
    let axis = axis_of(call, axis, shape.len() + 1, if axis == -1 { 1 } else { 11 })?;
    shape.insert(axis, output_sizes(call, &[depth])?[0]);
    let mut output = Moving::new(values.dtype(), shape)?;
    if output.elements > 0 {
        let inside: usize = indices.shape()[axis..].iter().product();
        let is_counted_back = call.operator.since_version() >= 11;
        for outer in 0..indices.elements() / inside {
            for class in 0..depth {
                for at in 0..inside {
                    let own = whole(indices, outer * inside + at);
                    let counted =
                        own.map(|own| if own < 0 { own.wrapping_add(depth) } else { own });
                    let is_on = if is_counted_back { counted } else { own } == Some(class);
                    output.take(values, usize::from(is_on), 1);
                }
            }
        }
    }
    Ok(vec![output.done()?])
}

/// The element as an integer of 64 bits, floats truncated; none where a float is beyond these. What is above them of an integer
/// type becomes the largest of them.
fn whole(tensor: &Tensor, at: usize) -> Option<i64> {
    match tensor.dtype().kind() {
        Kind::Int { signed: true, bits } if bits < 64 => Some(value(tensor, at) as i64),
        Kind::Int { signed, .. } => {
            let bits = tensor.element(at)? as u64;
            Some(if signed { bits as i64 } else { i64::try_from(bits).unwrap_or(i64::MAX) })
        }
        _ => Some(value(tensor, at)).filter(|it| it.abs() < 9.3e18).map(|it| it as i64),
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{read, run, tensor};
    use crate::{Attribute, Attributes, find};
    use values::dtype::DType::{Float32, Int64, Uint8, Uint64};
    use values::tensor::Tensor;

    fn made(since: i64, indices: &Tensor, depth: i64, axis: i64) -> Option<(Vec<usize>, Vec<u8>)> {
        let values = tensor(Uint8, &[2], &[0_u8, 1]);
        let axis = Attributes::from([("axis".to_owned(), Attribute::Int(axis))]);
        let inputs = [indices, &tensor(Int64, &[], &[depth]), &values];
        let output = run(find("OneHot", since).unwrap(), &inputs, &axis).ok()?;
        Some((output.shape().to_vec(), read(&output)))
    }

    #[test]
    fn the_place_of_the_index_is_on() {
        let indices = tensor(Int64, &[3], &[1_i64, -2, i64::MIN]);
        assert_eq!(made(11, &indices, 2, -1).unwrap(), (vec![3, 2], vec![0, 1, 1, 0, 0, 0]));
        assert_eq!(made(9, &indices, 2, 0).unwrap(), (vec![2, 3], vec![0, 0, 0, 1, 0, 0]));
        let floats = tensor(Float32, &[3], &[-0.9_f32, 1.9, f32::NAN]);
        assert_eq!(made(28, &floats, 2, 1).unwrap().1, [1, 0, 0, 1, 0, 0]);
        let large = tensor(Uint64, &[1], &[u64::MAX]);
        assert_eq!(made(28, &large, 2, 0).unwrap().1, [0, 0]);
        assert_eq!(made(28, &indices, 0, 0).unwrap(), (vec![0, 3], vec![]));
    }

    #[test]
    fn depths_and_axes_that_there_are_not_are_refused() {
        let indices = tensor(Int64, &[1], &[0_i64]);
        for (depth, axis) in [(-1, 0), (i64::MAX, 0), (1, 2), (1, -3)] {
            assert_eq!(made(28, &indices, depth, axis), None);
        }
    }
}
