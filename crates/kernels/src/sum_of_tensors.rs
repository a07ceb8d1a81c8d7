//! What Sum and Mean have in common: the sum of the elements of any number of tensors, one after the other, in float32 for
//! float16 and bfloat16, which are rounded once in the end.

use super::elementwise::{output, tensor};
use super::matmul::{Accumulate, Steps};
use super::operand::values;
use super::signature::{Broadcasting, CONSUMED_INPUTS, Version};
use super::types::{FLOATS, with_type, without_bfloat16};
use super::{Call, KernelError};
use values::dtype::DType;
use values::tensor::Tensor;

pub(super) static VERSIONS: [Version; 4] = [
    Version::with(1, without_bfloat16(FLOATS), &[CONSUMED_INPUTS])
        .broadcasting(Broadcasting::Equal),
    Version::new(6, without_bfloat16(FLOATS)).broadcasting(Broadcasting::Equal),
    Version::new(8, without_bfloat16(FLOATS)),
    Version::new(13, FLOATS),
];

/// The sums, or the means.
pub(super) fn summed(call: &Call<'_>, is_mean: bool) -> Result<Vec<Tensor>, KernelError> {
    let inputs: Vec<&Tensor> = call.given.iter().copied().flatten().collect();
    let plan = call.broadcast(&inputs)?;
    let dtype = inputs[0].dtype();
    with_type!(floats, dtype, T => {
        let mut results = output::<T>(plan.shape(), dtype)?;
        let all: Vec<_> = inputs.iter().map(|input| values::<T>(input)).collect();
        for (index, result) in results.iter_mut().enumerate() {
            let elements = all.iter().enumerate().filter_map(|(at, elements)| {
                Some(elements.get(plan.operand_index(at, index)?)?.widen())
            });
            let sum = elements.reduce(Steps::plus);
            let sum = sum.map(|sum| if is_mean { sum.over(all.len()) } else { sum });
            *result = sum.map_or(*result, T::narrow);
        }
        tensor(dtype, plan.shape(), results)
    }, else Err(KernelError::Type { operator: call.operator, dtype }))
}

#[cfg(test)]
mod tests {
    use crate::tests::{read, run, tensor};
    use crate::{Attributes, find};
    use values::dtype::DType::{Float16, Float32};

    #[test]
    fn any_number_of_tensors_is_added_and_broadcast() {
        let a = tensor(Float32, &[2, 1], &[1_f32, -2.0]);
        let b = tensor(Float32, &[3], &[0.5_f32, 1.0, f32::INFINITY]);
        let c = tensor(Float32, &[], &[4_f32]);
        let of = |name, opset| run(find(name, opset).unwrap(), &[&a, &b, &c], &Attributes::new());
        let sums = [5.5, 6.0, f32::INFINITY, 2.5, 3.0, f32::INFINITY];
        assert_eq!(of("Sum", 13), Ok(tensor(Float32, &[2, 3], &sums)));
        let means = read::<f32>(&of("Mean", 8).unwrap());
        assert_eq!(means[1..5], [2.0, f32::INFINITY, 2.5 / 3.0, 1.0]);
        assert!(of("Sum", 6).is_err());
    }

    #[test]
    fn one_tensor_is_itself_and_halves_are_rounded_once() {
        let zero = tensor(Float32, &[1], &[-0.0_f32]);
        let sum = run(find("Sum", 13).unwrap(), &[&zero], &Attributes::new()).unwrap();
        assert_eq!(read::<f32>(&sum)[0].to_bits(), 1 << 31);
        // 2048 + 1 + 1 is 2050, and 2048 in steps of float16.
        let [large, one] = [0x6800_u16, 0x3c00].map(|bits| tensor(Float16, &[1], &[bits]));
        let sum = run(find("Sum", 13).unwrap(), &[&large, &one, &one], &Attributes::new());
        assert_eq!(sum, Ok(tensor(Float16, &[1], &[0x6801_u16])));
    }
}
