//! Radicands at the boundaries of roots.

use values::dtype::DType;

use super::SquareRoot;
use crate::boundaries::search::{is_finer, monotone};
use crate::boundaries::{Boundary, BoundaryInputs, Side};
use crate::elementwise::Elementwise;
use crate::exact::Number;
use crate::exact::number::largest;
use crate::exact::real::{Rational, value};
use crate::inputs::Tuple;

/// Those of the square root.
pub(super) struct Roots;

const NEGATIVE: &str = "no root is negative";
const LARGEST: &str = "the root of the largest number is less than this number";
const NOT_THERE: &str = "the square of this number is less than the smallest subnormal number, or greater \
                         than the largest one";
const FINER: &str = "the square of an odd significand of more bits than the precision is odd and has more \
                     bits than that as well, so that no element is this number's square";

impl BoundaryInputs for Roots {
    fn function(&self) -> &dyn Elementwise {
        &SquareRoot
    }

    fn closest(&self, dtype: DType, at: &Rational) -> [Option<Tuple>; 3] {
        let Some(Number::Float(format)) = Number::of(dtype) else { return [None; 3] };
        let square = at * at;
        let order = |x| value(dtype, x).unwrap_or_default().cmp(&square);
        monotone(format, (0, largest(format).cast_signed()), order)
    }

    fn proof(&self, dtype: DType, boundary: &Boundary, side: Side) -> Option<&'static str> {
        let Number::Float(format) = Number::of(dtype)? else { return None };
        let element = |bits| value(dtype, bits).unwrap_or_default();
        let square = &boundary.at * &boundary.at;
        match side {
            Side::Below => (boundary.name == "zero").then_some(NEGATIVE),
            Side::On if is_finer(format, &boundary.at) => Some(FINER),
            Side::On if boundary.name == "zero" => None,
            Side::On => {
                let is_there = (element(1)..=element(largest(format))).contains(&square);
                (!is_there).then_some(NOT_THERE)
            }
            Side::Above => (square >= element(largest(format))).then_some(LARGEST),
        }
    }
}
