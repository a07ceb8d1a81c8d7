//! Operands at the boundaries of results that leak by a hundredth.

use values::dtype::DType;

use super::{DEFAULT, Leaky};
use crate::boundaries::search::monotone;
use crate::boundaries::{Boundary, BoundaryInputs, Side};
use crate::elementwise::Elementwise;
use crate::exact::Number;
use crate::exact::number::largest;
use crate::exact::real::{Rational, value};
use crate::families::extremum::of_numbers;
use crate::inputs::Tuple;

/// Those of the function with the default of `alpha`.
pub(super) struct Leaks(Leaky);

pub(super) static LEAKS: Leaks = Leaks(Leaky { alpha: DEFAULT, is_sonnx: false });

impl BoundaryInputs for Leaks {
    fn function(&self) -> &dyn Elementwise {
        &self.0
    }

    /// Boundaries are not negative, and results that are not are elements.
    fn closest(&self, dtype: DType, at: &Rational) -> [Option<Tuple>; 3] {
        let Some(Number::Float(format)) = Number::of(dtype) else { return [None; 3] };
        let end = largest(format).cast_signed();
        monotone(format, (-end, end), |x| value(dtype, x).unwrap_or_default().cmp(at))
    }

    fn proof(&self, dtype: DType, boundary: &Boundary, side: Side) -> Option<&'static str> {
        of_numbers(dtype, boundary, side)
    }
}
