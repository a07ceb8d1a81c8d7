//! The approximated functions of one number: computed in float64 and rounded once to the type.
//!
//! For float32 and the narrower types a formula in float64 by [`series`](super::series) or `libm` is enough: it is off by a few units in
//! the last place of float64, so that float32 gets less than 0.5 + 2^-23 ULP. float16 and bfloat16 get the
//! correctly rounded result, as the tests show for every operand. float64 is computed by numbers of twice its precision
//! ([`Double`](super::double::Double)), which leaves half a unit and next to nothing.

use bytemuck::Pod;
use half::{bf16, f16};

use super::elementwise::on_bytes;
use super::narrow::{narrow_to_bfloat16, narrow_to_float16, widen_bfloat16, widen_float16};
use super::simd::{SimdTask, dispatch};
use super::types::with_type;
use values::dtype::DType;

/// A float type.
pub(super) trait Float: Pod {
    /// A function of the number: by one formula for float64, by another for narrower types.
    fn through(self, narrow: impl Fn(f64) -> f64, wide: impl Fn(f64) -> f64) -> Self;
}

macro_rules! float {
    ($type:ty, $x:ident, $narrow:ident, $wide:ident: $result:expr) => {
        impl Float for $type {
            #[inline(always)]
            fn through(self, $narrow: impl Fn(f64) -> f64, $wide: impl Fn(f64) -> f64) -> Self {
                let $x = self;
                $result
            }
        }
    };
}

float!(f64, x, _narrow, wide: wide(x));
float!(f32, x, narrow, _wide: narrow(x.into()) as f32);
float!(f16, x, narrow, _wide: narrow_to_float16(to_odd(narrow(widen_float16(x).into()))));
float!(bf16, x, narrow, _wide: narrow_to_bfloat16(to_odd(narrow(widen_bfloat16(x).into()))));

/// A number rounded to odd: towards zero, with the last bit set unless it is a number of float32. Rounded to a format of at
/// least two bits less, that gives what rounding the number itself gives (S. Boldo and G. Melquiond, "Emulation
/// of a FMA and correctly rounded sums: proved algorithms using rounding to odd", IEEE Transactions on Computers 57 (4), 2008).
#[inline(always)]
pub(super) fn to_odd(number: f64) -> f32 {
    let nearest = number as f32;
    let wide = f64::from(nearest);
    let truncated = nearest.to_bits() - u32::from(wide.abs() > number.abs());
    f32::from_bits(truncated | u32::from(wide != number))
}

/// Computes a function of the elements of one operand; none where the type is no float.
pub(super) fn computed_by(
    narrow: impl Fn(f64) -> f64 + Copy,
    wide: impl Fn(f64) -> f64 + Copy,
    dtype: DType,
    operands: &[&[u8]],
    results: &mut [u8],
) -> Option<Result<(), usize>> {
    with_type!(floats, dtype, T => {
        on_bytes::<T, 1>(operands, results, |[operands], results| {
            dispatch(Task { operands, results, narrow, wide });
            Ok(())
        })
    }, else None)
}

/// A function of many numbers. No closure lies between the loop and formulas that are `#[inline(always)]`, whose copies for an instruction
/// set are compiled for it.
struct Task<'a, T, N, W> {
    operands: &'a [T],
    results: &'a mut [T],
    narrow: N,
    wide: W,
}

impl<T, N, W> SimdTask for Task<'_, T, N, W>
where
    T: Float,
    N: Fn(f64) -> f64 + Copy,
    W: Fn(f64) -> f64 + Copy,
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (result, operand) in self.results.iter_mut().zip(self.operands) {
            *result = operand.through(self.narrow, self.wide);
        }
    }
}

/// The kernel of a function of one number without attributes that change it: its name, input, versions and restrictions,
/// and the formulas for types narrower than float64 and for float64.
macro_rules! function {
    ($kernel:ident, $name:literal, $input:literal, $versions:expr, $restricted:expr, $narrow:expr, $wide:expr) => {
        pub(super) static $kernel: Kernel = Kernel {
            domain: Domain::Onnx,
            name: $name,
            inputs: &[Input::new($input)],
            is_elementwise: true,
            slices: Some(SLICES),
            versions: $versions,
            restricted: $restricted,
            run: |call| computed::<1>(call, SLICES),
        };

        const SLICES: Slices = |dtype, operands, results| {
            crate::function::computed_by($narrow, $wide, dtype, operands, results)
        };
    };
}

pub(super) use function;

#[cfg(test)]
pub(super) mod checks;
