//! Operands at the boundaries of elements and of their products with a slope.

use values::dtype::DType;
use values::element::Element;
use values::float::FloatFormat;

use super::{Branch, Parametric};
use crate::boundaries::search::{around, closest, closest_pairs};
use crate::boundaries::{Boundary, BoundaryInputs, Side};
use crate::elementwise::{Elementwise, bits_of};
use crate::exact::Number;
use crate::exact::real::{Enclosure, Rational, div, value};
use crate::families::extremum::of_numbers;
use crate::inputs::Tuple;
use crate::operators::mul::boundaries::factors;

/// Those of the function.
pub(super) struct Leaks;

impl BoundaryInputs for Leaks {
    fn function(&self) -> &dyn Elementwise {
        &Parametric
    }

    fn exact(&self, dtype: DType, operands: &[Element]) -> Option<Enclosure> {
        let [x, slope] = bits_of(dtype, operands)?;
        let exact = match Branch::of(dtype, operands)? {
            Branch::Product => value(dtype, x)? * value(dtype, slope)?,
            Branch::Element(x) => value(dtype, x)?,
            Branch::Nan(_) => return None,
        };
        Some(Enclosure::point(exact))
    }

    fn closest(&self, dtype: DType, at: &Rational) -> [Option<Tuple>; 3] {
        let products = closest_pairs(self, dtype, at, slopes, |slope| div(at, slope));
        let elements = around(dtype, at).into_iter().map(|x| [x, 1]);
        closest(self, dtype, at, products.into_iter().flatten().chain(elements))
    }

    fn proof(&self, dtype: DType, boundary: &Boundary, side: Side) -> Option<&'static str> {
        match Number::of(dtype)? {
            // Nothing is negative, so that elements stay as they are.
            Number::Int(int) if !int.signed => of_numbers(dtype, boundary, side),
            Number::Int(_) | Number::Float(_) => None,
        }
    }
}

/// Slopes that bring negative elements to a boundary: negative ones, and of 0 both.
fn slopes(format: &FloatFormat, at: &Rational) -> Vec<u64> {
    let factors = factors(format, at);
    let negative = factors.iter().map(|factor| format.negated(*factor));
    let zero = *at == Rational::default();
    negative.chain(factors.iter().copied().filter(|_| zero)).collect()
}
