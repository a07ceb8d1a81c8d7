//! Operands that are negated wrongly most easily: special values, every exponent, and the ends of integers.

use values::dtype::DType;

use super::boundaries::Negations;
use crate::exact::Number;
use crate::inputs::Parts;
use crate::inputs::patterns::{at_boundaries, corners, listed, specials, with_every_exponent};

/// Those of a type.
pub(super) fn parts(dtype: DType) -> Option<Parts> {
    let thresholds = ("thresholds", at_boundaries(&Negations, dtype));
    Some(match Number::of(dtype)? {
        Number::Float(format) => vec![
            ("special values", listed(specials(format))),
            ("exponents", with_every_exponent(*format)),
            thresholds,
        ],
        Number::Int(int) => {
            let corners = corners(int).into_iter().map(|value| int.wrap(value)).collect();
            vec![("boundaries", listed(corners)), thresholds]
        }
    })
}
