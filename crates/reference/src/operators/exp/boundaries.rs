//! Exponents at the boundaries of e^x.

use values::dtype::DType;
use values::element::Element;

use super::Exponential;
use crate::boundaries::search::monotone;
use crate::boundaries::{Boundary, BoundaryInputs, Side};
use crate::elementwise::{Elementwise, bits_of};
use crate::exact::Number;
use crate::exact::exponential::compare;
use crate::exact::number::largest;
use crate::exact::real::{Rational, value};
use crate::inputs::Tuple;

/// Those of the exponential function.
pub(super) struct Powers;

const POSITIVE: &str = "e^x is positive";
const TRANSCENDENTAL: &str = "e^x is transcendental for every rational x but 0 (Lindemann 1882), and no \
                              rational number is";

impl BoundaryInputs for Powers {
    fn function(&self) -> &dyn Elementwise {
        &Exponential
    }

    fn is_odd(&self) -> bool {
        false
    }

    fn side(&self, dtype: DType, operands: &[Element], at: &Rational) -> Option<Side> {
        let [x] = bits_of(dtype, operands)?;
        Some(Side::of(compare(&value(dtype, x)?, at)))
    }

    fn closest(&self, dtype: DType, at: &Rational) -> [Option<Tuple>; 3] {
        let Some(Number::Float(format)) = Number::of(dtype) else { return [None; 3] };
        let end = largest(format).cast_signed();
        let order = |x| compare(&value(dtype, x).unwrap_or_default(), at);
        monotone(format, (-end, end), order)
    }

    fn proof(&self, _: DType, boundary: &Boundary, side: Side) -> Option<&'static str> {
        match (boundary.name, side) {
            ("zero", Side::Below | Side::On) => Some(POSITIVE),
            ("power of two", _) => None,
            (_, Side::On) => Some(TRANSCENDENTAL),
            _ => None,
        }
    }
}
