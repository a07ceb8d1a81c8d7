//! Operands at the boundaries of reciprocals.

use num_traits::{One, Zero};
use values::dtype::DType;
use values::element::Element;

use super::Inverse;
use crate::boundaries::search::{around, odd_part};
use crate::boundaries::{Boundary, BoundaryInputs, Side};
use crate::elementwise::Elementwise;
use crate::exact::Number;
use crate::exact::number::largest;
use crate::exact::real::{Rational, value};
use crate::inputs::Tuple;

/// Those of the reciprocal.
pub(super) struct Reciprocals;

const NOT_ZERO: &str = "no reciprocal is 0";
const ODD: &str = "the reciprocal of a number is one with finitely many bits for powers of two alone, and is another \
                   one then";
const TOO_SMALL: &str = "the reciprocal of this number is greater than the largest number";

impl BoundaryInputs for Reciprocals {
    fn function(&self) -> &dyn Elementwise {
        &Inverse
    }

    fn is_odd(&self) -> bool {
        true
    }

    /// The largest numbers of both signs have the reciprocals that are closest to 0; closer to another boundary
    /// are those of the elements next to its own reciprocal.
    fn closest(&self, dtype: DType, at: &Rational) -> [Option<Tuple>; 3] {
        let mut found = [None; 3];
        let Some(Number::Float(format)) = Number::of(dtype) else { return found };
        let ends = [format.negated(largest(format)), largest(format)];
        let next = if at.is_zero() { Vec::new() } else { around(dtype, &at.recip()) };
        for x in ends.into_iter().chain(next) {
            if let Some(side) = self.side(dtype, &[Element::Bits(dtype, x.into())], at) {
                found[side as usize] = Some([x, 0]);
            }
        }
        found
    }

    fn proof(&self, dtype: DType, boundary: &Boundary, side: Side) -> Option<&'static str> {
        let Number::Float(format) = Number::of(dtype)? else { return None };
        let at = &boundary.at;
        match side {
            Side::Below | Side::Above => None,
            Side::On if at.is_zero() => Some(NOT_ZERO),
            Side::On if !odd_part(at).is_one() => Some(ODD),
            Side::On => (at.recip() > value(dtype, largest(format))?).then_some(TOO_SMALL),
        }
    }
}
