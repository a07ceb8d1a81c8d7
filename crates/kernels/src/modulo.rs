//! Mod: the remainder with the divisor's sign, or that of C's `fmod`. Before version 28 floats have that alone; no
//! integer has one by 0.

use bytemuck::Pod;
use half::{bf16, f16};

use super::elementwise::{computed, on_bytes};
use super::narrow::{narrow_to_bfloat16, narrow_to_float16, widen_bfloat16, widen_float16};
use super::signature::{AttributeSpec, Domain, Input, Slices, Version};
use super::types::{FLOATS, NUMBERS, with_type, without_bfloat16};
use super::{Attribute, Kernel, KernelError};
use values::dtype::DType;

pub(super) static MOD: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Mod",
    inputs: &[Input::new("A"), Input::new("B")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &[
        Version::with(10, without_bfloat16(NUMBERS), &[FMOD]),
        Version::with(13, NUMBERS, &[FMOD]),
        Version::with(28, NUMBERS, &[FMOD]),
    ],
    restricted: &[],
    run: |call| {
        let is_fmod = call.int("fmod", 0) == 1;
        let [a, _] = call.inputs()?;
        if !is_fmod && call.operator.since_version() < 28 && FLOATS.contains(&a.dtype()) {
            let (operator, name, expected) = (call.operator, FMOD.name, "1 for floats");
            return Err(KernelError::BadAttribute { operator, name, expected });
        }
        computed::<2>(call, |dtype, operands, results| {
            remainders(is_fmod, dtype, operands, results)
        })
    },
};

const FMOD: AttributeSpec = AttributeSpec {
    name: "fmod",
    accepts: |value| matches!(value, Attribute::Int(0 | 1)),
    expected: "0 or 1",
};

const SLICES: Slices = |dtype, operands, results| remainders(false, dtype, operands, results);

fn remainders(
    is_fmod: bool,
    dtype: DType,
    operands: &[&[u8]],
    results: &mut [u8],
) -> Option<Result<(), usize>> {
    with_type!(numbers, dtype, T => {
        on_bytes::<T, 2>(operands, results, |[a, b], results| {
            for (index, (result, (a, b))) in results.iter_mut().zip(a.iter().zip(b)).enumerate() {
                let remainder = if is_fmod { a.truncated(*b) } else { a.floored(*b) };
                *result = remainder.ok_or(index)?;
            }
            Ok(())
        })
    }, else None)
}

/// An element type that Mod takes.
trait Remainder: Pod {
    /// The remainder with the sign of the divisor.
    fn floored(self, divisor: Self) -> Option<Self>;

    /// The remainder with the sign of the dividend.
    fn truncated(self, divisor: Self) -> Option<Self>;
}

macro_rules! of_floats {
    ($($type:ty, $x:ident: $wide:expr, $narrow:expr;)*) => {$(
        impl Remainder for $type {
            fn floored(self, divisor: Self) -> Option<Self> {
                let wide = |$x: Self| $wide;
                let (divisor, remainder) = (wide(divisor), wide(self) % wide(divisor));
                let is_other_sign = remainder.is_sign_negative() != divisor.is_sign_negative();
                Some($narrow(match remainder == 0.0 {
                    true => remainder.copysign(divisor),
                    // By an infinity, too.
                    false if is_other_sign => remainder + divisor,
                    false => remainder,
                }))
            }

            fn truncated(self, divisor: Self) -> Option<Self> {
                let wide = |$x: Self| $wide;
                Some($narrow(wide(self) % wide(divisor)))
            }
        }
    )*};
}

of_floats! {
    f64, x: x, std::convert::identity;
    f32, x: x, std::convert::identity;
    f16, x: widen_float16(x), narrow_to_float16;
    bf16, x: widen_bfloat16(x), narrow_to_bfloat16;
}

macro_rules! of_integers {
    ($($type:ty)*) => {$(
        impl Remainder for $type {
            #[allow(unused_comparisons, reason = "unsigned integers are never negative")]
            fn floored(self, divisor: Self) -> Option<Self> {
                let remainder = self.truncated(divisor)?;
                let is_other_sign = remainder != 0 && (remainder < 0) != (divisor < 0);
                Some(if is_other_sign { remainder.wrapping_add(divisor) } else { remainder })
            }

            fn truncated(self, divisor: Self) -> Option<Self> {
                (divisor != 0).then(|| self.wrapping_rem(divisor))
            }
        }
    )*};
}

of_integers!(i8 i16 i32 i64 u8 u16 u32 u64);

#[cfg(test)]
#[path = "mod/tests.rs"]
mod tests;
