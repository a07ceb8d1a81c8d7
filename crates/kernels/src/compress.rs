//! Compress: the slices of a tensor, or its elements, whose condition holds. Surplus conditions are ignored.

use super::moving::Moving;
use super::reshaping::{Slices, integer, moving, refused, slices};
use super::signature::{AttributeSpec, Domain, Input};
use super::{Call, Kernel, KernelError};
use values::dtype::DType::Bool;
use values::tensor::Tensor;

pub(super) static COMPRESS: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Compress",
    inputs: &[Input::new("input"), Input::of("condition", Bool)],
    is_elementwise: false,
    slices: None,
    versions: &[moving(9, 15, &[AXIS]), moving(11, 15, &[AXIS]), moving(28, 16, &[AXIS])],
    restricted: &[],
    run,
};

const AXIS: AttributeSpec = integer("axis");

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [data, condition] = call.inputs()?;
    if data.shape().is_empty() || condition.shape().len() != 1 {
        return Err(refused(call, "data have a dimension, and conditions are a list"));
    }
    let Slices { mut shape, axis, around: [outer, inner] } = slices(call, data)?;
    let length = shape[axis];
    let flags = condition.bits().map_or(&[][..], |bits| bits);
    let kept: Vec<usize> = (0..length.min(flags.len())).filter(|at| flags[*at] != 0).collect();
    shape[axis] = kept.len();
    let mut output = Moving::new(data.dtype(), shape)?;
    for line in 0..outer {
        for at in &kept {
            output.take(data, (line * length + at) * inner, inner);
        }
    }
    Ok(vec![output.done()?])
}

#[cfg(test)]
mod tests {
    use crate::tests::{read, run, tensor};
    use crate::{Attribute, Attributes, find};
    use values::dtype::DType::{Bool, Uint8};

    fn kept(shape: &[usize], flags: &[u8], axis: Option<i64>) -> Option<(Vec<usize>, Vec<u8>)> {
        let all: Vec<u8> = (0..).take(shape.iter().product()).collect();
        let (data, flags) = (tensor(Uint8, shape, &all), tensor(Bool, &[flags.len()], flags));
        let axis = axis.map(|axis| ("axis".to_owned(), Attribute::Int(axis)));
        let compress = find("Compress", 28).unwrap();
        let output = run(compress, &[&data, &flags], &Attributes::from_iter(axis)).ok()?;
        Some((output.shape().to_vec(), read(&output)))
    }

    #[test]
    fn what_has_a_true_condition_is_kept() {
        assert_eq!(kept(&[2, 3], &[0, 1, 0, 1], None), Some((vec![2], vec![1, 3])));
        assert_eq!(kept(&[2, 3], &[0, 1], Some(0)), Some((vec![1, 3], vec![3, 4, 5])));
        assert_eq!(kept(&[2, 3], &[0, 1], Some(-1)), Some((vec![2, 1], vec![1, 4])));
        assert_eq!(kept(&[2, 0], &[0, 1], Some(0)), Some((vec![1, 0], vec![])));
        assert_eq!(kept(&[], &[1], None), None);
        assert_eq!(kept(&[2], &[1], Some(1)), None);
    }
}
