//! Hard powers of e.

use values::dtype::{DType, Kind};

use super::boundaries::Powers;
use crate::exact::exponential::hardest;
use crate::inputs::Parts;
use crate::inputs::patterns::{at_boundaries, listed, specials, with_every_exponent};

/// Those of a type.
pub(super) fn parts(dtype: DType) -> Option<Parts> {
    let Kind::Float(format) = dtype.kind() else { return None };
    Some(vec![
        ("special values", listed(specials(format))),
        ("exponents", with_every_exponent(*format)),
        ("thresholds", at_boundaries(&Powers, dtype)),
        ("nearest to midpoints or numbers", listed(hardest(format).collect())),
    ])
}
