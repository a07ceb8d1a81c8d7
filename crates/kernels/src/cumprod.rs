//! CumProd: products from an end of a dimension to each element, one after the other.

use super::cumulative::{ATTRIBUTES, along, operands};
use super::matmul::Steps;
use super::signature::{Domain, Input, Version};
use super::types::{LONG_NUMBERS, with_type};
use super::{Kernel, KernelError};
use values::dtype::DType;

pub(super) static CUMPROD: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "CumProd",
    inputs: &[Input::new("x"), Input::index("axis")],
    is_elementwise: false,
    slices: None,
    versions: &[Version::with(26, LONG_NUMBERS, ATTRIBUTES)],
    restricted: &[],
    run: |call| {
        let of = operands(call, 26)?;
        let dtype = of.0.dtype();
        let foreign = KernelError::Type { operator: call.operator, dtype };
        with_type!(long_numbers, dtype, T => along::<T>(call, of, Steps::ONE, Steps::times),
            else Err(foreign))
    },
};

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
