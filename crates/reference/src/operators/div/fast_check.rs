//! The fast checks of quotients, by element type.

use values::dtype::DType;

use crate::sweep::fast_check::{Checked, Class, FastCheck};
use crate::sweep::run::{FastChecks, Run};
use crate::sweep::threshold::ErrorThreshold;

/// Those of Div in ONNX.
pub(super) struct Quotients;

impl FastChecks for Quotients {
    fn run(&self, dtype: DType, run: &mut Run<'_>, columns: [&[u8]; 3]) -> bool {
        match dtype {
            DType::Float16 => run.fast(Quotient::<10, 15>, columns),
            DType::Bfloat16 => run.fast(Quotient::<7, 127>, columns),
            DType::Float32 => run.fast(WideQuotient::<23, 127>, columns),
            DType::Int8 => run.fast(Int8, columns),
            DType::Int16 => run.fast(Int16, columns),
            DType::Int32 => run.fast(Int32, columns),
            DType::Uint8 => run.fast(Uint8, columns),
            DType::Uint16 => run.fast(Uint16, columns),
            DType::Uint32 => run.fast(Uint32, columns),
            _ => return false,
        }
        true
    }
}

/// Bits of a quotient below the unit in the last place. What a subnormal quotient has further down
/// is not looked at: it is in the first bin above 0 whatever that is.
const EXTRA: u8 = 4;

macro_rules! quotient {
    ($name:ident, $width:literal bytes: $bits:ident, $exponent:ident, $product:ident) => {
        /// The check of a float type with so many bits in the trailing significand field.
        #[derive(Clone, Copy)]
        struct $name<const FIELD: u8, const BIAS: $exponent>(ErrorThreshold);

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
                    class: Class::of_float(result, Self::INFINITY, Self::HIDDEN),
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

macro_rules! truncated {
    ($($name:ident, $width:literal bytes: $type:ident, $wide:ident;)*) => {$(
        /// The check of an integer type.
        #[derive(Clone, Copy)]
        struct $name(ErrorThreshold);

        impl FastCheck<$width> for $name {
            #[inline(always)]
            fn check(self, a: [u8; $width], b: [u8; $width], result: [u8; $width]) -> Checked {
                let (a, b) = ($type::from_le_bytes(a), $type::from_le_bytes(b));
                let result = $type::from_le_bytes(result);
                let wraps = ($type::MIN != 0) & (a == $type::MIN) & (b == !0);
                let out_of_domain = wraps | (b == 0);

                let unit = $wide::from(b.abs_diff(0));
                let product = (b as $wide).wrapping_mul(result as $wide);
                let rest = (a as $wide).wrapping_sub(product);
                let rest = if a as $wide > $wide::MAX / 2 { rest.wrapping_neg() } else { rest };
                let truncated = rest < unit;
                let conforms = if wraps { result == a } else { truncated | (b == 0) };
                let error = if truncated & !out_of_domain { rest } else { 0 };
                let zero = (result == 0) & !out_of_domain;
                Checked {
                    decided: conforms & (out_of_domain | !self.0.may_exceed(error, unit)),
                    class: Class { nan: false, huge: false, tiny: zero, zero, out_of_domain },
                    real: !out_of_domain,
                    above: [0, 1, 2, 3, 4, 5, 6, 7].map(|eighths| 8 * error > eighths * unit),
                    half: (2 * error == unit) & !out_of_domain,
                }
            }
        }
    )*};
}

truncated! {
    Int8, 1 bytes: i8, u32;
    Uint8, 1 bytes: u8, u32;
    Int16, 2 bytes: i16, u32;
    Uint16, 2 bytes: u16, u32;
    Int32, 4 bytes: i32, u64;
    Uint32, 4 bytes: u32, u64;
}
