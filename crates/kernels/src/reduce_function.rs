//! What ReduceL2, ReduceLogSum and ReduceLogSumExp have in common: a function of a sum along any dimensions, computed in
//! binary64 and rounded once. The largest element is subtracted before powers are made. Integers are added up exactly, and
//! lose the fraction of the result; what is no number is refused of them.

use super::elementwise::checked_len;
use super::quantization::{encoded, packed, value};
use super::reduce_extremum::{AXES, KEEPDIMS, Kept, NOOP, gone};
use super::reshaping::refused;
use super::signature::Version;
use super::types::{FLOATS, LONG_NUMBERS, without_bfloat16};
use super::{Call, KernelError};
use values::dtype::{Kind, integer};
use values::tensor::Tensor;

pub(super) static VERSIONS: [Version; 5] = [
    Version::with(1, without_bfloat16(LONG_NUMBERS), &[AXES, KEEPDIMS]),
    Version::with(11, without_bfloat16(LONG_NUMBERS), &[AXES, KEEPDIMS]),
    Version::with(13, LONG_NUMBERS, &[AXES, KEEPDIMS]),
    Version::with(18, LONG_NUMBERS, &[KEEPDIMS, NOOP]),
    Version::with(28, FLOATS, &[KEEPDIMS, NOOP]),
];

pub(super) use super::reduce_sum::VERSIONS as NORM_VERSIONS;

/// What is made of the elements.
#[derive(Clone, Copy)]
pub(super) enum Function {
    /// The root of the sum of the squares.
    Norm,
    /// The logarithm of the sum.
    LogSum,
    /// The logarithm of the sum of the powers of e.
    LogSumExp,
}

impl Function {
    fn of_numbers(self, numbers: &[f64]) -> f64 {
        // An empty sum of the standard library is -0.
        let sum = |terms: &mut dyn Iterator<Item = f64>| terms.fold(0.0, |sum, term| sum + term);
        match self {
            Self::Norm => sum(&mut numbers.iter().map(|x| x * x)).sqrt(),
            Self::LogSum => sum(&mut numbers.iter().copied()).ln(),
            Self::LogSumExp => {
                let largest = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                if numbers.iter().any(|x| x.is_nan()) || largest.is_infinite() {
                    return numbers
                        .iter()
                        .fold(largest, |sum, x| if x.is_nan() { *x } else { sum });
                }
                largest + sum(&mut numbers.iter().map(|x| (x - largest).exp())).ln()
            }
        }
    }

    fn of_integers(self, integers: &[i128]) -> f64 {
        match self {
            Self::Norm => {
                let squares = integers.iter().map(|x| x.wrapping_mul(*x));
                (squares.fold(0, i128::wrapping_add) as f64).sqrt()
            }
            Self::LogSum => (integers.iter().sum::<i128>() as f64).ln(),
            Self::LogSumExp => {
                self.of_numbers(&integers.iter().map(|x| *x as f64).collect::<Vec<_>>())
            }
        }
    }
}

pub(super) fn reduced(call: &Call<'_>, function: Function) -> Result<Vec<Tensor>, KernelError> {
    let (data, is_gone) = gone(call)?;
    let kept = Kept::new(data.shape(), &is_gone);
    let count = checked_len(&kept.ones, data.dtype(), size_of::<Vec<usize>>())?;
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); count];
    for at in 0..data.elements() {
        groups[kept.place(data.shape(), at)].push(at);
    }
    let result = |places: &Vec<usize>| match data.dtype().kind() {
        Kind::Float(format) => {
            let numbers: Vec<f64> = places.iter().map(|at| value(data, *at)).collect();
            Ok(encoded(format, function.of_numbers(&numbers), false))
        }
        Kind::Int { signed, bits } => {
            let element = |at: &usize| integer(data.element(*at).unwrap_or_default(), signed, bits);
            let integers: Vec<i128> = places.iter().map(element).collect();
            match function.of_integers(&integers) {
                number if number.is_finite() => Ok(number as i64 as u64),
                _ => Err(refused(call, "the result is no number, and no integer stands for it")),
            }
        }
        _ => Err(KernelError::Type { operator: call.operator, dtype: data.dtype() }),
    };
    let results = groups.iter().map(result).collect::<Result<Vec<u64>, KernelError>>()?;
    let shape = kept.shape(call, &is_gone);
    Ok(vec![packed(data.dtype(), &shape, |at| results[at])?])
}

#[cfg(test)]
mod tests {
    use crate::tests::{read, run, tensor};
    use crate::{Attributes, find};
    use values::dtype::DType::{Float16, Float32, Int32};

    fn all(operator: &str, opset: i64, numbers: &[f32]) -> f32 {
        let data = tensor(Float32, &[numbers.len()], numbers);
        let run = run(find(operator, opset).unwrap(), &[&data], &Attributes::new());
        read::<f32>(&run.unwrap())[0]
    }

    #[test]
    fn norms_and_logarithms_are_of_all_elements() {
        for opset in [1, 28] {
            assert_eq!(all("ReduceL2", opset, &[3.0, -4.0]), 5.0);
            assert_eq!(all("ReduceL2", opset, &[]), 0.0);
            assert_eq!(all("ReduceLogSum", opset, &[0.5, 0.5]), 0.0);
            assert_eq!(all("ReduceLogSum", opset, &[]), f32::NEG_INFINITY);
            assert!(all("ReduceLogSum", opset, &[-1.0]).is_nan());
            let log_sum_exp = |numbers: &[f32]| all("ReduceLogSumExp", opset, numbers);
            assert_eq!(log_sum_exp(&[1000.0, 1000.0]), 1_000.693_2);
            assert_eq!(log_sum_exp(&[f32::NEG_INFINITY, 2.0]), 2.0);
            assert_eq!(log_sum_exp(&[f32::INFINITY, f32::NEG_INFINITY]), f32::INFINITY);
            assert_eq!(log_sum_exp(&[f32::NEG_INFINITY; 2]), f32::NEG_INFINITY);
            assert_eq!(log_sum_exp(&[]), f32::NEG_INFINITY);
            assert!(log_sum_exp(&[f32::NAN, f32::INFINITY]).is_nan());
        }
        let half = tensor(Float16, &[2], &[0x4200_u16, 0x4400]);
        let norm = run(find("ReduceL2", 18).unwrap(), &[&half], &Attributes::new());
        assert_eq!(norm, Ok(tensor(Float16, &[1], &[0x4500_u16])));
    }

    #[test]
    fn integers_lose_their_fraction_and_what_is_no_number_is_refused() {
        let of = |operator, numbers: &[i32]| {
            let data = tensor(Int32, &[numbers.len()], numbers);
            run(find(operator, 18).unwrap(), &[&data], &Attributes::new())
        };
        assert_eq!(of("ReduceL2", &[-1, 1]), Ok(tensor(Int32, &[1], &[1])));
        assert_eq!(of("ReduceLogSum", &[-4, 12]), Ok(tensor(Int32, &[1], &[2])));
        assert_eq!(of("ReduceLogSumExp", &[-5, -6]), Ok(tensor(Int32, &[1], &[-4])));
        assert!(of("ReduceLogSum", &[]).is_err() && of("ReduceLogSum", &[-1]).is_err());
        assert!(of("ReduceLogSumExp", &[]).is_err());
    }
}
