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

/// The formulas of a function of one number.
///
/// Methods of a type and no closures: what calls a closure is compiled for no instruction set of its own, and may not be inlined.
pub(super) trait Formulas: Copy {
    /// That for types narrower than float64. It and what it calls are `#[inline(always)]` if loops over it are to be vectorised.
    fn narrow(self, x: f64) -> f64;

    /// That for float64.
    fn wide(self, x: f64) -> f64;
}

/// A float type.
pub(super) trait Float: Pod {
    /// A function of the number.
    fn through(self, formulas: impl Formulas) -> Self;
}

macro_rules! float {
    ($type:ty, $x:ident, $formulas:ident: $result:expr) => {
        impl Float for $type {
            #[inline(always)]
            fn through(self, $formulas: impl Formulas) -> Self {
                let $x = self;
                $result
            }
        }
    };
}

float!(f64, x, formulas: formulas.wide(x));
float!(f32, x, formulas: formulas.narrow(x.into()) as f32);
float!(f16, x, formulas: narrow_to_float16(to_odd(formulas.narrow(widen_float16(x).into()))));
float!(bf16, x, formulas: narrow_to_bfloat16(to_odd(formulas.narrow(widen_bfloat16(x).into()))));

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
    formulas: impl Formulas,
    dtype: DType,
    operands: &[&[u8]],
    results: &mut [u8],
) -> Option<Result<(), usize>> {
    with_type!(floats, dtype, T => {
        on_bytes::<T, 1>(operands, results, |[operands], results| {
            dispatch(Task { operands, results, formulas });
            Ok(())
        })
    }, else None)
}

/// A function of many numbers.
struct Task<'a, T, F> {
    operands: &'a [T],
    results: &'a mut [T],
    formulas: F,
}

impl<T: Float, F: Formulas> SimdTask for Task<'_, T, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let len = self.operands.len().min(self.results.len());
        let (operands, results) = (&self.operands[..len], &mut self.results[..len]);
        for at in 0..len {
            results[at] = operands[at].through(self.formulas);
        }
    }
}

/// The formulas of a function without attributes that change it, by their names.
macro_rules! formulas {
    ($name:ident, $narrow:path, $wide:path) => {
        #[derive(Clone, Copy)]
        struct $name;

        impl crate::function::Formulas for $name {
            #[inline(always)]
            fn narrow(self, x: f64) -> f64 {
                $narrow(x)
            }

            fn wide(self, x: f64) -> f64 {
                $wide(x)
            }
        }
    };
}

/// The kernel of a function of one number without attributes that change it: its name, input, versions and restrictions,
/// and the formulas for types narrower than float64 and for float64.
macro_rules! function {
    ($kernel:ident, $name:literal, $input:literal, $versions:expr, $restricted:expr, $narrow:path, $wide:path) => {
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
            crate::function::computed_by(Function, dtype, operands, results)
        };

        crate::function::formulas!(Function, $narrow, $wide);
    };
}

pub(super) use {formulas, function};

#[cfg(test)]
pub(super) mod checks;
