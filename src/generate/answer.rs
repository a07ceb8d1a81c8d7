//! What the oracle answers to whole tensors, broadcast or not.

use super::GenerateError;
use super::elements::{blank, tensor};
use crate::case::Expect;
use crate::dtype::DType;
use crate::float::FloatFormat;
use crate::oracle::{self, Conforming, Division};
use crate::tensor::{Tensor, coordinates, element_count};

/// The output that a case expects, and how firmly.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) output: Tensor,
    pub(super) expect: Expect,
}

impl Answer {
    /// A refusal of a model that declares an output of this type and shape.
    pub(super) fn refusal(dtype: DType, shape: &[usize]) -> Result<Self, GenerateError> {
        Ok(Self { output: blank(dtype, shape)?, expect: Expect::Refusal })
    }

    fn of(dtype: DType, shape: &[usize], elements: &[Conforming]) -> Result<Self, GenerateError> {
        let any = |wanted: fn(&Conforming) -> bool| elements.iter().any(wanted);
        let expect = if any(|element| matches!(element, Conforming::Undecided(_))) {
            Expect::Undecided
        } else if any(|element| matches!(element, Conforming::RefusalOr(_))) {
            Expect::ValuesOrRefusal
        } else {
            Expect::Values
        };
        let bits = elements.iter().map(|element| match *element {
            Conforming::One(bits) | Conforming::RefusalOr(bits) => bits,
            Conforming::AnyNan(format) => quiet_nan(format),
            Conforming::Undecided(_) => 0,
        });
        Ok(Self { output: tensor(dtype, shape, &bits.collect::<Vec<_>>())?, expect })
    }
}

/// The NaN that stands for all of them: positive, quiet, without payload.
const fn quiet_nan(format: &FloatFormat) -> u64 {
    ((1 << (format.exponent_bits + 1)) - 1) << (format.significand_bits - 1)
}

/// Quotients of tensors of one shape, or of shapes that go together by NumPy's rule.
pub(super) fn quotients(
    division: Division,
    a: &Tensor,
    b: &Tensor,
) -> Result<Answer, GenerateError> {
    let rank = a.shape().len().max(b.shape().len());
    quotients_from(division, a, b, rank - b.shape().len())
}

/// Quotients where B's dimensions lie along those of the output from `axis` on, and A's along the
/// last ones; where one has a size of 1, or no dimension, it is repeated.
pub(super) fn quotients_from(
    division: Division,
    a: &Tensor,
    b: &Tensor,
    axis: usize,
) -> Result<Answer, GenerateError> {
    let dtype = a.dtype();
    let rank = a.shape().len().max(b.shape().len());
    let a_shape = placed(a.shape(), rank - a.shape().len(), rank);
    let b_shape = placed(b.shape(), axis, rank);
    let shape: Vec<usize> =
        a_shape.iter().zip(&b_shape).map(|(&a, &b)| if a == 1 { b } else { a }).collect();
    let elements = (0..element_count(&shape)?)
        .map(|index| {
            let at = coordinates(index, &shape);
            let a = a.element(index_at(&at, &a_shape))?;
            let b = b.element(index_at(&at, &b_shape))?;
            oracle::div(division, dtype, a as u64, b as u64)
        })
        .collect::<Option<Vec<_>>>()
        .ok_or(GenerateError::NoOracle { operator: "Div", dtype })?;
    Answer::of(dtype, &shape, &elements)
}

/// Square roots of a tensor.
pub(super) fn roots(x: &Tensor) -> Result<Answer, GenerateError> {
    let dtype = x.dtype();
    let elements = (0..x.elements())
        .map(|index| oracle::sqrt(dtype, x.element(index)? as u64))
        .collect::<Option<Vec<_>>>()
        .ok_or(GenerateError::NoOracle { operator: "Sqrt", dtype })?;
    Answer::of(dtype, x.shape(), &elements)
}

/// The shape among `rank` dimensions, from `axis` on, with sizes of 1 around it.
fn placed(shape: &[usize], axis: usize, rank: usize) -> Vec<usize> {
    let mut placed = vec![1; axis];
    placed.extend(shape);
    placed.resize(rank.max(placed.len()), 1);
    placed
}

/// The row-major index at these coordinates, 0 along sizes of 1.
fn index_at(coordinates: &[usize], shape: &[usize]) -> usize {
    let steps = coordinates.iter().zip(shape);
    steps.fold(0, |index, (&at, &size)| index * size + if size == 1 { 0 } else { at })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(shape: &[usize], from: u64) -> Tensor {
        let count = element_count(shape).unwrap() as u64;
        tensor(DType::Int32, shape, &(from..from + count).collect::<Vec<_>>()).unwrap()
    }

    fn output(answer: &Answer) -> Vec<u128> {
        (0..answer.output.elements()).map(|k| answer.output.element(k).unwrap()).collect()
    }

    #[test]
    fn a_shorter_shape_lies_along_the_last_dimensions_unless_an_axis_is_given() {
        let (a, b) = (ints(&[2, 2], 10), ints(&[2], 1));
        assert_eq!(output(&quotients(Division::Div, &a, &b).unwrap()), [10, 5, 12, 6]);
        assert_eq!(output(&quotients_from(Division::Div, &a, &b, 0).unwrap()), [10, 11, 6, 6]);
        let (row, column) = (ints(&[1, 2], 8), ints(&[2, 1], 1));
        let answer = quotients(Division::Div, &row, &column).unwrap();
        assert_eq!(answer.output.shape(), [2, 2]);
        assert_eq!(output(&answer), [8, 9, 4, 4]);
    }

    #[test]
    fn the_oracle_decides_what_is_expected() {
        let expect = |a: u64, b: u64| {
            let [a, b] = [a, b].map(|bits| tensor(DType::Int8, &[], &[bits]).unwrap());
            quotients(Division::Div, &a, &b).unwrap().expect
        };
        assert_eq!(expect(6, 3), Expect::Values);
        assert_eq!(expect(0x80, 0xff), Expect::ValuesOrRefusal);
        assert_eq!(expect(6, 0), Expect::Undecided);
    }

    #[test]
    fn any_nan_is_stored_as_the_default_one() {
        assert_eq!(quiet_nan(&FloatFormat::FLOAT16), 0x7e00);
        assert_eq!(quiet_nan(&FloatFormat::FLOAT32), 0x7fc0_0000);
        assert_eq!(quiet_nan(&FloatFormat::FLOAT64), 0x7ff8_0000_0000_0000);
    }
}
