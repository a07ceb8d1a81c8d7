//! The fast check of a quotient of floats.

use crate::sweep::fast_check::{Checked, Class, FastCheck};
use crate::sweep::threshold::ErrorThreshold;

/// Bits of a quotient below the unit in the last place. What a subnormal quotient has further down
/// is not looked at: it is in the first bin above 0 whatever that is.
const EXTRA: u8 = 4;

macro_rules! quotient {
    ($name:ident, $width:literal bytes: $bits:ident, $exponent:ident, $product:ident) => {
        /// The check of a float type with so many bits in the trailing significand field.
        #[derive(Clone, Copy)]
        pub(crate) struct $name<const FIELD: u8, const BIAS: $exponent>(pub(crate) ErrorThreshold);

        impl<const FIELD: u8, const BIAS: $exponent> $name<FIELD, BIAS> {
            const SIGN: $bits = 1 << ($bits::BITS - 1);
            const HIDDEN: $bits = 1 << FIELD;
            const INFINITY: $bits = Self::SIGN - Self::HIDDEN;

            /// The significand, `HIDDEN` at least, and the biased exponent, of a finite number other
            /// than zero; subnormal numbers as if there were exponents for them.
            #[inline(always)]
            fn normalized(magnitude: $bits) -> ($bits, $exponent) {
                let field = (magnitude >> FIELD) as $exponent;
                let hidden = if field == 0 { 0 } else { Self::HIDDEN };
                let significand = magnitude & (Self::HIDDEN - 1) | hidden;
                let shift = significand.leading_zeros() - Self::HIDDEN.leading_zeros();
                (significand << shift, field.max(1) - shift as $exponent)
            }
        }

        impl<const FIELD: u8, const BIAS: $exponent> FastCheck<$width> for $name<FIELD, BIAS> {
            #[inline(always)]
            fn check(self, a: [u8; $width], b: [u8; $width], result: [u8; $width]) -> Checked {
                // One by one: a `map` over an array of three would be packed into one integer.
                let a = $bits::from_le_bytes(a);
                let b = $bits::from_le_bytes(b);
                let result = $bits::from_le_bytes(result);
                let signs_agree = (a ^ b ^ result) & Self::SIGN == 0;
                let (a, b, result) = (a & !Self::SIGN, b & !Self::SIGN, result & !Self::SIGN);
                let infinite = (a >= Self::INFINITY) | (b == 0);
                let zero = (a == 0) | (b >= Self::INFINITY);
                let nan = (a > Self::INFINITY) | (b > Self::INFINITY) | (infinite & zero);
                let real = (a < Self::INFINITY) & (b < Self::INFINITY) & (b != 0);

                let ((a, a_exponent), (b, b_exponent)) = (Self::normalized(a), Self::normalized(b));
                let less = $exponent::from(a < b);
                let exponent = a_exponent - b_exponent + BIAS - less;
                let infinite = infinite | (exponent > 2 * BIAS);
                let binade = (exponent.clamp(1, 2 * BIAS) - 1) as $bits;
                let below = (1 - exponent).max(0);
                let shift = ($exponent::from(FIELD + EXTRA) + less - below).max(0);
                let dividend = $product::from(a) * $product::from((1 as $bits) << shift);
                let unit = b << EXTRA;
                let multiple = result.wrapping_sub(binade << FIELD);
                let product = $product::from(multiple) * $product::from(unit);
                let error = dividend.abs_diff(product).min($bits::MAX.into()) as $bits;
                let half = unit / 2;
                let nearest = (error < half) | ((error == half) & (multiple & 1 == 0));

                let conforms = if nan {
                    result > Self::INFINITY
                } else if infinite {
                    signs_agree & (result == Self::INFINITY)
                } else if zero {
                    signs_agree & (result == 0)
                } else {
                    signs_agree & nearest
                };
                let rounded = !(infinite | zero);
                let error = if rounded { error } else { 0 };
                let eighth = unit / 8;
                Checked {
                    decided: conforms
                        & !(real & self.0.may_exceed($product::from(error), $product::from(unit))),
                    class: Class {
                        nan: result > Self::INFINITY,
                        huge: result >= Self::INFINITY,
                        tiny: result < Self::HIDDEN,
                        zero: result == 0,
                        out_of_domain: false,
                    },
                    real,
                    above: [
                        error > 0,
                        error > eighth,
                        error > 2 * eighth,
                        error > 3 * eighth,
                        false,
                        false,
                        false,
                        false,
                    ],
                    half: rounded & (error == half),
                }
            }
        }
    };
}

quotient!(Quotient, 2 bytes: u16, i16, u32);
quotient!(WideQuotient, 4 bytes: u32, i32, u64);
