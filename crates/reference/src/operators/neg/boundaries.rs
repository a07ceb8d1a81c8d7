//! Operands at the boundaries of negations.

use values::dtype::DType;
use values::element::Element;

use super::Negation;
use crate::boundaries::search::{around, is_finer};
use crate::boundaries::{Boundary, BoundaryInputs, Side};
use crate::elementwise::Elementwise;
use crate::exact::Number;
use crate::exact::number::largest;
use crate::exact::real::{Rational, value};
use crate::inputs::Tuple;

/// Those of the negation.
pub(super) struct Negations;

const NO_NUMBER: &str = "neither this number nor its negation is a value of the type";
const LARGEST: &str =
    "no number, and no negation of one, is greater in magnitude than the largest number";
const LEAST: &str = "the negation of the largest integer is the least integer plus 1";
const OPEN: &str = "the negation of the least integer alone is above the maximum, and no specification decides \
                    that";

impl BoundaryInputs for Negations {
    fn function(&self) -> &dyn Elementwise {
        &Negation
    }

    fn is_odd(&self) -> bool {
        true
    }

    fn closest(&self, dtype: DType, at: &Rational) -> [Option<Tuple>; 3] {
        let mut found = [None; 3];
        for x in around(dtype, &-at) {
            let side = self.side(dtype, &[Element::Bits(dtype, x.into())], at);
            if let Some(side) = side {
                found[side as usize] = Some([x, 0]);
            }
        }
        found
    }

    fn proof(&self, dtype: DType, boundary: &Boundary, side: Side) -> Option<&'static str> {
        let (at, name) = (&boundary.at, boundary.name);
        match (Number::of(dtype)?, side) {
            (Number::Float(format), Side::On) => {
                let is_multiple = (at / value(dtype, 1)?).is_integer();
                (!is_multiple || is_finer(format, at)).then_some(NO_NUMBER)
            }
            (Number::Float(format), Side::Above) => {
                (*at >= value(dtype, largest(format))?).then_some(LARGEST)
            }
            (Number::Float(_), Side::Below) => None,
            (Number::Int(_), Side::Below | Side::On) => (name == "minimum").then_some(LEAST),
            (Number::Int(_), Side::Above) => (name == "maximum").then_some(OPEN),
        }
    }
}
