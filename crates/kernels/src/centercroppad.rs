//! CenterCropPad: line by line of the last dimension, a part of one of the input's or zeros.

use super::moving::Moving;
use super::reshaping::{axis_of, integer_list, integers, moving, refused};
use super::signature::{Domain, Input};
use super::{Attribute, Call, Kernel, KernelError};
use values::tensor::Tensor;

pub(super) static CENTERCROPPAD: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "CenterCropPad",
    inputs: &[Input::new("input_data"), Input::index("shape")],
    is_elementwise: false,
    slices: None,
    versions: &[moving(18, 16, &[integer_list("axes")])],
    restricted: &[],
    run,
};

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [input, sizes] = call.inputs()?;
    let (shape, rank) = (input.shape(), input.shape().len());
    if sizes.shape().len() != 1 {
        return Err(refused(call, "the sizes are no list"));
    }
    let sizes = integers(sizes);
    let axes = match call.attributes.get("axes") {
        Some(Attribute::Ints(axes)) => axes.clone(),
        _ => (0..rank as i64).collect(),
    };
    if axes.len() != sizes.len() {
        return Err(refused(call, "there is not one size for each dimension that is listed"));
    }
    let mut output = shape.to_vec();
    for (axis, size) in axes.iter().zip(&sizes) {
        let axis = axis_of(call, *axis, rank, 18)?;
        output[axis] = usize::try_from(*size).map_err(|_| refused(call, "a size is negative"))?;
    }
    let mut result = Moving::new(input.dtype(), output.clone())?;
    let zero = match input.dtype().packed_len(1) {
        Some(len) => Tensor::from_bits(input.dtype(), vec![], vec![0; len].into())?,
        None => Tensor::from_strings(vec![], vec![Vec::new().into()])?,
    };
    for at in 0..result.elements {
        // The place in the input, unless the element lies beside it in some dimension.
        let (mut rest, mut place, mut stride, mut is_beside) = (at, 0, 1, false);
        for (from, to) in shape.iter().zip(&output).rev() {
            let (own, from, to) = ((rest % to) as i64, *from as i64, *to as i64);
            let shift = if from > to { (from - to) / 2 } else { -((to - from) / 2) };
            is_beside |= !(0..from).contains(&(own + shift));
            place += (own + shift).max(0) as usize * stride;
            stride *= from as usize;
            rest /= to as usize;
        }
        match is_beside {
            true => result.take(&zero, 0, 1),
            false => result.take(input, place, 1),
        }
    }
    Ok(vec![result.done()?])
}

#[cfg(test)]
mod tests {
    use crate::tests::{read, tensor};
    use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
    use values::dtype::DType::{Int32, Int64};

    fn run(from: &[usize], to: &[i64], axes: Option<&[i64]>) -> Result<Vec<i32>, KernelError> {
        let numbers: Vec<i32> = (1..).take(from.iter().product()).collect();
        let (data, to) = (tensor(Int32, from, &numbers), tensor(Int64, &[to.len()], to));
        let axes = axes.map(|axes| ("axes".to_owned(), Attribute::Ints(axes.to_vec())));
        let operator = find("CenterCropPad", 18).unwrap();
        let outputs = operator.run(&[Some(&data), Some(&to)], &Attributes::from_iter(axes))?;
        Ok(read(&outputs[0]))
    }

    #[test]
    fn windows_begin_half_an_element_early_and_padding_ends_one_late() {
        assert_eq!(run(&[6], &[3], None).unwrap(), [2, 3, 4]);
        assert_eq!(run(&[2], &[5], None).unwrap(), [0, 1, 2, 0, 0]);
        assert_eq!(run(&[2, 3], &[3, 1], None).unwrap(), [2, 5, 0]);
        assert_eq!(run(&[2, 3], &[1], Some(&[-1])).unwrap(), [2, 5]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (to, axes) in [
            (&[1][..], None),
            (&[1, 1], Some(&[0_i64][..])),
            (&[1], Some(&[2])),
            (&[1], Some(&[-3])),
            (&[-1, 1], None),
        ] {
            let error = run(&[2, 3], to, axes).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Invalid, "{to:?} {axes:?}");
        }
    }
}
