//! The fast check of a truncated quotient of integers.

use crate::sweep::fast_check::{Checked, Class, FastCheck};
use crate::sweep::threshold::ErrorThreshold;

macro_rules! truncated {
    ($($name:ident, $width:literal bytes: $type:ident, $wide:ident;)*) => {$(
        /// The check of an integer type.
        #[derive(Clone, Copy)]
        pub(crate) struct $name(pub(crate) ErrorThreshold);

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
