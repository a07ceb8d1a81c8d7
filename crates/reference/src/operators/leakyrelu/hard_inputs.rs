//! Operands that are leaked wrongly most easily: special values, every exponent, and those whose hundredths are
//! closest to halfway between two numbers.

use values::dtype::{DType, Kind};
use values::float::FloatFormat;

use super::DEFAULT;
use super::boundaries::LEAKS;
use crate::inputs::Parts;
use crate::inputs::patterns::{at_boundaries, listed, specials, with_every_exponent};

/// Those of a type.
pub(super) fn parts(dtype: DType) -> Option<Parts> {
    let Kind::Float(format) = dtype.kind() else { return None };
    Some(vec![
        ("special values", listed(specials(format))),
        ("exponents", with_every_exponent(*format)),
        ("near midpoints", listed(near_midpoints(format))),
        ("thresholds", at_boundaries(&LEAKS, dtype)),
    ])
}

/// Negative operands whose products with the default of `alpha` are on or next to midpoints: of a product of two
/// significands the bits that are cut off are these, so that the one is the product of those bits and the
/// inverse of the other, modulo the power of two that is cut off.
fn near_midpoints(format: &FloatFormat) -> Vec<u64> {
    // The significand of the default, made odd.
    let significand = u64::from(DEFAULT & 0x7f_ffff | 0x80_0000);
    let odd = significand >> significand.trailing_zeros();
    let length = u64::BITS - odd.leading_zeros();
    let precision = format.precision();
    let mut found = Vec::new();
    for cut in [length - 1, length].into_iter().filter(|cut| (2..=precision).contains(cut)) {
        let inverse = crate::hard::inverse(odd);
        for rest in (0..128).flat_map(|at| [(1_u64 << (cut - 1)) + at, (1 << (cut - 1)) - at]) {
            let low = rest.wrapping_mul(inverse) & ((1 << cut) - 1);
            // What is above these bits is free: the leading one, and a few.
            let free = precision - cut;
            for high in [0, 1, 2, 3, u64::MAX].map(|high| high & ((1 << free) - 1)) {
                let x = low | high << cut | 1 << (precision - 1);
                let exponents = [-format.bias / 2, 0, format.bias / 2];
                let place = |exponent| format.encode(x, exponent - precision as i32 + 1);
                found.extend(exponents.into_iter().filter_map(place));
            }
        }
    }
    // A significand as short as these has every product.
    let all =
        (1_u64 << (precision - 1)..1 << precision).take(if precision < 12 { 1 << 12 } else { 64 });
    found.extend(all.filter_map(|x| format.encode(x, 1 - precision as i32)));
    found.sort_unstable();
    found.dedup();
    found.into_iter().map(|bits| format.negated(bits)).collect()
}
