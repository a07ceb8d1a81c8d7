//! CumProd: products from an end of a dimension to each element, one after the other.

use super::arg_extremum::switch;
use super::elementwise::{output, tensor};
use super::matmul::{Accumulate, Steps};
use super::operand::values;
use super::reshaping::{axis_of, integers, refused};
use super::signature::{Domain, Input, Version};
use super::types::{LONG_NUMBERS, with_type};
use super::{Call, Kernel, KernelError};
use values::dtype::DType;
use values::tensor::Tensor;

pub(super) static CUMPROD: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "CumProd",
    inputs: &[Input::new("x"), Input::index("axis")],
    is_elementwise: false,
    slices: None,
    versions: &[Version::with(26, LONG_NUMBERS, &[switch("exclusive"), switch("reverse")])],
    restricted: &[],
    run: |call| {
        let [data, axis] = call.inputs()?;
        let is_scalar = axis.shape().is_empty();
        let [axis] = integers(axis)[..] else {
            return Err(refused(call, "the axis is one integer"));
        };
        if !is_scalar {
            return Err(refused(call, "the axis is a scalar"));
        }
        let axis = axis_of(call, axis, data.shape().len(), 26)?;
        let foreign = KernelError::Type { operator: call.operator, dtype: data.dtype() };
        with_type!(long_numbers, data.dtype(), T => multiplied::<T>(call, data, axis),
            else Err(foreign))
    },
};

fn multiplied<T: Accumulate + Send + Sync>(
    call: &Call<'_>,
    data: &Tensor,
    axis: usize,
) -> Result<Vec<Tensor>, KernelError> {
    let shape = data.shape();
    let mut results = output::<T>(shape, data.dtype())?;
    let is_exclusive = call.int("exclusive", 0) == 1;
    let is_reverse = call.int("reverse", 0) == 1;
    if !results.is_empty() {
        let elements = values::<T>(data);
        let size = shape[axis];
        let stride: usize = shape[axis + 1..].iter().product();
        // The products of the lines that are begun, each with the factors so far.
        let mut products = vec![T::Sum::ONE; results.len() / size];
        for step in 0..size {
            let at = if is_reverse { size - 1 - step } else { step };
            for (line, product) in products.iter_mut().enumerate() {
                let place = (line / stride * size + at) * stride + line % stride;
                let next = product.times(elements[place].widen());
                results[place] = T::narrow(if is_exclusive { *product } else { next });
                *product = next;
            }
        }
    }
    tensor(data.dtype(), shape, results)
}

#[cfg(test)]
mod tests {
    use crate::tests::{read, tensor};
    use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
    use values::dtype::DType::{Float32, Int32, Int64};
    use values::tensor::Tensor;

    fn run(data: &Tensor, axis: &Tensor, flags: [i64; 2]) -> Result<Tensor, KernelError> {
        let names = ["exclusive", "reverse"].map(str::to_owned);
        let attributes: Attributes = names.into_iter().zip(flags.map(Attribute::Int)).collect();
        let outputs = find("CumProd", 26).unwrap().run(&[Some(data), Some(axis)], &attributes)?;
        Ok(outputs.into_iter().next().unwrap())
    }

    #[test]
    fn products_go_along_any_dimension_from_either_end() {
        let data = tensor(Float32, &[2, 3], &[1_f32, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let of = |axis: i64, flags| {
            read::<f32>(&run(&data, &tensor(Int64, &[], &[axis]), flags).unwrap())
        };
        assert_eq!(of(1, [0, 0]), [1.0, 2.0, 6.0, 4.0, 20.0, 120.0]);
        assert_eq!(of(-2, [0, 0]), [1.0, 2.0, 3.0, 4.0, 10.0, 18.0]);
        assert_eq!(of(1, [1, 0]), [1.0, 1.0, 2.0, 1.0, 4.0, 20.0]);
        assert_eq!(of(1, [0, 1]), [6.0, 6.0, 3.0, 120.0, 30.0, 6.0]);
        assert_eq!(of(0, [1, 1]), [4.0, 5.0, 6.0, 1.0, 1.0, 1.0]);
    }

    #[test]
    fn what_is_no_dimension_is_refused() {
        let data = tensor(Int32, &[2], &[1_i32, 2]);
        for axis in [tensor(Int64, &[], &[1_i64]), tensor(Int64, &[1], &[0_i64])] {
            assert_eq!(run(&data, &axis, [0, 0]).unwrap_err().kind(), ErrorKind::Invalid);
        }
    }
}
