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
    (
        $name:ident, $width:literal bytes: $bits:ident, $signed:ident,
        $wide:ident, $wide_signed:ident, $may_exceed:ident
    ) => {
        /// The check of a float type with so many bits in the trailing significand field.
        #[derive(Clone, Copy)]
        pub(in crate::operators) struct $name<const FIELD: u8, const BIAS: $signed>(
            pub(in crate::operators) ErrorThreshold,
        );

        impl<const FIELD: u8, const BIAS: $signed> $name<FIELD, BIAS> {
            const SIGN: $bits = 1 << ($bits::BITS - 1);
            const HIDDEN: $bits = 1 << FIELD;
            const INFINITY: $bits = Self::SIGN - Self::HIDDEN;

            /// The significand, `HIDDEN` at least, and the biased exponent, of a finite number other
            /// than zero; subnormal numbers as if there were exponents for them.
            #[inline(always)]
            fn normalized(magnitude: $bits) -> ($bits, $signed) {
                let field = (magnitude >> FIELD) as $signed;
                let hidden = if field == 0 { 0 } else { Self::HIDDEN };
                let significand = magnitude & (Self::HIDDEN - 1) | hidden;
                let shift = significand.leading_zeros() - Self::HIDDEN.leading_zeros();
                (significand << shift, field.max(1) - shift as $signed)
            }
        }

        impl<const FIELD: u8, const BIAS: $signed> FastCheck<$width> for $name<FIELD, BIAS> {
            #[inline(always)]
            fn check(self, a: [u8; $width], b: [u8; $width], result: [u8; $width]) -> Checked {
                // One by one: a `map` over an array of three would be packed into one integer.
                let a = $bits::from_le_bytes(a);
                let b = $bits::from_le_bytes(b);
                let result = $bits::from_le_bytes(result);
                // The sign bit is left where the result has the wrong sign: such a result is wrong, or a NaN.
                let result = result ^ (a ^ b) & Self::SIGN;
                let magnitude = result & !Self::SIGN;
                let (a, b) = (a & !Self::SIGN, b & !Self::SIGN);
                let (smaller, larger) = (a.min(b), a.max(b));
                let infinite = (a >= Self::INFINITY) | (b == 0);
                let zero = (a == 0) | (b >= Self::INFINITY);
                // One is a NaN, or both are zeros, or both infinities.
                let nan = (larger > Self::INFINITY) | (larger == 0) | (smaller >= Self::INFINITY);
                let real = (larger < Self::INFINITY) & (b != 0);

                let ((a, a_exponent), (b, b_exponent)) = (Self::normalized(a), Self::normalized(b));
                let difference = a_exponent - b_exponent + BIAS;
                let exponent = difference - $signed::from(a < b);
                let infinite = infinite | (exponent > 2 * BIAS);
                let special = nan | infinite | zero;
                // Subnormal quotients have the unit of the binade above them.
                let binade = exponent.max(1);
                let shift = ($signed::from(FIELD + EXTRA) + difference - binade).max(0);
                let dividend = $wide::from(a) << shift;
                let unit = b << EXTRA;
                let multiple = result.wrapping_sub(((binade - 1) as $bits) << FIELD);
                let product = $wide::from(multiple) * $wide::from(unit);
                let rest = (dividend as $wide_signed - product as $wide_signed)
                    .clamp($signed::MIN.into(), $signed::MAX.into()) as $signed;
                let error = if special { 0 } else { rest }.unsigned_abs();
                let half = unit / 2;
                // An odd multiple is not the nearest by half a unit, which is whole, and 0 only for a divisor of 0.
                let nearest = error <= half.wrapping_sub(multiple & 1);

                let limit = if infinite { Self::INFINITY } else { 0 };
                let expected = if nan { result } else { limit };
                let conforms = nearest
                    & !(special & (result != expected))
                    & (nan == (magnitude > Self::INFINITY));
                let eighth = unit / 8;
                Checked {
                    decided: conforms
                        & !(real & self.0.$may_exceed(u32::from(error), u32::from(unit))),
                    class: Class::of_float(magnitude, Self::INFINITY, Self::HIDDEN),
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
                    half: real & (error == half),
                }
            }
        }
    };
}

quotient!(Quotient, 2 bytes: u16, i16, u32, i32, may_exceed);
quotient!(WideQuotient, 4 bytes: u32, i32, u64, i64, may_exceed_u32);

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
