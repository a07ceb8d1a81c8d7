//! Operands at the boundaries of maxima and minima.

use values::dtype::DType;
use values::float::FloatFormat;

use super::Extremum;
use crate::boundaries::search::{around, closest, is_finer};
use crate::boundaries::{Boundary, BoundaryInputs, Side};
use crate::elementwise::Elementwise;
use crate::exact::Number;
use crate::exact::number::{largest, signed};
use crate::exact::real::{Rational, value};
use crate::inputs::Tuple;

/// Those of a maximum or a minimum.
pub(super) struct Extremes(Extremum);

/// Those of Max.
pub(super) static LARGEST: Extremes = Extremes(Extremum { is_largest: true, is_total: false });

/// Those of Min.
pub(super) static SMALLEST: Extremes = Extremes(Extremum { is_largest: false, is_total: false });

const NO_NUMBER: &str = "the result is an element of the type, and no element is this number";
const LARGEST_NUMBER: &str = "no element is greater than the largest number";
const LEAST_INTEGER: &str = "no element is less than the least integer";

impl BoundaryInputs for Extremes {
    fn function(&self) -> &dyn Elementwise {
        &self.0
    }

    fn closest(&self, dtype: DType, at: &Rational) -> [Option<Tuple>; 3] {
        // Beside the other end of the type any element is the result.
        let end = match Number::of(dtype) {
            Some(Number::Float(format)) => signed(format, self.0.is_largest, largest(format)),
            Some(Number::Int(int)) => {
                int.wrap(if self.0.is_largest { int.min() } else { int.max() })
            }
            None => return [None; 3],
        };
        closest(self, dtype, at, around(dtype, at).into_iter().map(|x| [x, end]))
    }

    fn proof(&self, dtype: DType, boundary: &Boundary, side: Side) -> Option<&'static str> {
        of_numbers(dtype, boundary, side)
    }
}

/// Why there is no result of a function that gives every number of a type, and nothing else, on a side of a
/// boundary.
pub(crate) fn of_numbers(dtype: DType, boundary: &Boundary, side: Side) -> Option<&'static str> {
    let at = &boundary.at;
    match (Number::of(dtype)?, side) {
        (Number::Float(format), Side::On) => (!is_number(dtype, format, at)?).then_some(NO_NUMBER),
        (Number::Float(format), Side::Above) => {
            (*at >= value(dtype, largest(format))?).then_some(LARGEST_NUMBER)
        }
        (Number::Float(_), Side::Below) | (Number::Int(_), Side::On) => None,
        (Number::Int(int), Side::Below) => {
            (*at <= value(dtype, int.wrap(int.min()))?).then_some(LEAST_INTEGER)
        }
        (Number::Int(_), Side::Above) => (boundary.name == "maximum").then_some(LARGEST_NUMBER),
    }
}

/// Whether a number that is not above the largest one by more than half a unit is one of a format.
fn is_number(dtype: DType, format: &FloatFormat, at: &Rational) -> Option<bool> {
    Some((at / value(dtype, 1)?).is_integer() && !is_finer(format, at))
}
