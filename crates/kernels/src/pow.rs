//! Pow: each element to the power of that of the second input, which may have another type, rounded once to the type of the base.
//!
//! Of floats it is e^(y ln |x|) with the sign that an odd y keeps, by numbers of twice the precision of float64
//! ([`Double`]): they are off by less than 2^-85, relatively, and what is left of the result below that is rounding. So float64 is off by next to
//! nothing more than half a unit, and the narrower types are rounded to odd on their way, as no power that is not exactly halfway between
//! two of their numbers is so close to it. Special values are those of C's `pow`.
//!
//! Integer powers wrap around. A negative exponent of an integer, and one that is no integer, gives the power in float64 without its fraction.

use half::{bf16, f16};

use super::double::Double;
use super::elementwise::{output, tensor};
use super::function::to_odd;
use super::narrow::{narrow_to_bfloat16, narrow_to_float16, widen_bfloat16, widen_float16};
use super::signature::{
    AXIS, BROADCAST, Domain, Input, Restriction, SONNX_FLOAT, Slices, Types, Version,
};
use super::types::{FLOATS, NUMBERS, with_type, without_bfloat16};
use super::{Call, Kernel, KernelError};
use values::dtype::DType::{self, Bfloat16, Float16, Float32, Float64, Int32, Int64};
use values::tensor::Tensor;

pub(super) static POW: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Pow",
    inputs: &[Input::new("X"), Input { types: Types::Since(EXPONENTS), ..Input::new("Y") }],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &[AXIS, BROADCAST]),
        Version::new(7, without_bfloat16(FLOATS)),
        Version::new(12, without_bfloat16(BASES)),
        Version::new(13, BASES),
        Version::new(15, BASES),
    ],
    restricted: &[Restriction {
        types: &[without_bfloat16(BASES); 2],
        problem: Some(|inputs, _| match inputs {
            [Some(x), Some(y)] if x.dtype() != y.dtype() => {
                Some("its exponents have another type than its bases")
            }
            _ => None,
        }),
        ..SONNX_FLOAT
    }],
    run,
};

const BASES: &[DType] = &[Bfloat16, Float16, Float32, Float64, Int32, Int64];

const EXPONENTS: &[(i64, &[DType])] =
    &[(1, without_bfloat16(FLOATS)), (12, without_bfloat16(NUMBERS)), (15, NUMBERS)];

const SLICES: Slices = |dtype, operands, results| {
    let [bases, exponents] = operands else { return None };
    with_type!(long_numbers, dtype, T => {
        super::elementwise::on_bytes::<T, 2>(&[bases, exponents], results, |[x, y], results| {
            for ((x, y), result) in x.iter().zip(y).zip(results) {
                *result = T::power(*x, y.exponent());
            }
            Ok(())
        })
    }, else None)
};

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let inputs: [&Tensor; 2] = call.inputs()?;
    let [left, right] = inputs.map(Tensor::dtype);
    if call.operator.since_version() < 12 && left != right {
        return Err(KernelError::TypesDiffer { operator: call.operator, left, right });
    }
    let plan = call.broadcast(&inputs)?;
    let foreign = || KernelError::Type { operator: call.operator, dtype: left };
    let [bases, exponents] = inputs;
    let element = |tensor: &Tensor, at: usize, k: usize| {
        Some(tensor.element(plan.operand_index(at, k)?)? as u64)
    };
    with_type!(long_numbers, left, T => {
        let mut results = output::<T>(plan.shape(), left)?;
        for (k, result) in results.iter_mut().enumerate() {
            let exponent = element(exponents, 1, k).and_then(|bits| exponent(right, bits));
            let base = element(bases, 0, k);
            let (Some(base), Some(exponent)) = (base, exponent) else { return Err(foreign()) };
            *result = T::power(T::from_low_bits(base), exponent);
        }
        tensor(left, plan.shape(), results)
    }, else Err(foreign()))
}

/// An exponent: its value, exactly, and what kind of a number it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exponent {
    value: Double,
    is_integer: bool,
    is_odd: bool,
    /// Its magnitude where it is an integer of 64 bits.
    magnitude: u64,
}

impl Exponent {
    fn of_float(value: f64) -> Self {
        let is_integer = value == value.trunc() && value.is_finite();
        // From 2^53 on every number of float64 is even.
        let is_odd = is_integer && value.abs() < 9.1e15 && value as i64 & 1 == 1;
        Self { value: value.into(), is_integer, is_odd, magnitude: value.abs() as u64 }
    }

    fn of_int(value: i128) -> Self {
        let nearest = value as f64;
        let rest = (value - nearest as i128) as f64;
        Self {
            value: Double::from(nearest) + Double::from(rest),
            is_integer: true,
            is_odd: value & 1 == 1,
            magnitude: value.unsigned_abs() as u64,
        }
    }

    const fn is_negative(self) -> bool {
        self.value.nearest() < 0.0
    }
}

/// The exponent that the bits of an element are.
fn exponent(dtype: DType, bits: u64) -> Option<Exponent> {
    use DType::{Int8, Int16, Uint8, Uint16, Uint32, Uint64};
    Some(match dtype {
        Float16 => f16::from_bits(bits as u16).exponent(),
        Bfloat16 => bf16::from_bits(bits as u16).exponent(),
        Float32 => f32::from_bits(bits as u32).exponent(),
        Float64 => f64::from_bits(bits).exponent(),
        Int8 => Exponent::of_int((bits as i8).into()),
        Int16 => Exponent::of_int((bits as i16).into()),
        Int32 => Exponent::of_int((bits as i32).into()),
        Int64 => Exponent::of_int((bits as i64).into()),
        Uint8 | Uint16 | Uint32 | Uint64 => Exponent::of_int(bits.into()),
        _ => return None,
    })
}

/// An element type of bases.
pub(super) trait Power: bytemuck::Pod {
    /// It as an exponent.
    fn exponent(self) -> Exponent;

    /// The power.
    fn power(self, exponent: Exponent) -> Self;

    /// The element with these bits, the lowest ones.
    fn from_low_bits(bits: u64) -> Self;
}

macro_rules! power {
    ($($type:ident, $bits:ident: |$x:ident| $wide:expr, |$y:ident| $narrow:expr;)*) => {$(
        impl Power for $type {
            fn exponent(self) -> Exponent {
                let $x = self;
                Exponent::of_float($wide)
            }

            fn power(self, exponent: Exponent) -> Self {
                let $x = self;
                let $y = float_power($wide, exponent);
                $narrow
            }

            fn from_low_bits(bits: u64) -> Self {
                Self::from_bits(bits as $bits)
            }
        }
    )*};
    ($($type:ident)*) => {$(
        impl Power for $type {
            fn exponent(self) -> Exponent {
                Exponent::of_int(self.into())
            }

            fn power(self, exponent: Exponent) -> Self {
                if exponent.is_negative() || !exponent.is_integer {
                    return float_power(self as f64, exponent).nearest() as Self;
                }
                let (mut result, mut square, mut left) = (1, self, exponent.magnitude);
                while left > 0 {
                    if left & 1 == 1 {
                        result = Self::wrapping_mul(result, square);
                    }
                    square = square.wrapping_mul(square);
                    left >>= 1;
                }
                result
            }

            fn from_low_bits(bits: u64) -> Self {
                bits as Self
            }
        }
    )*};
}

power! {
    f64, u64: |x| x, |y| y.nearest();
    f32, u32: |x| x.into(), |y| y.to_odd() as f32;
    f16, u16: |x| widen_float16(x).into(), |y| narrow_to_float16(to_odd(y.to_odd()));
    bf16, u16: |x| widen_bfloat16(x).into(), |y| narrow_to_bfloat16(to_odd(y.to_odd()));
}
power! { i32 i64 u32 u64 }

/// A power of a number of float64: `result * 2^scale`.
#[derive(Clone, Copy, Debug)]
struct Scaled {
    result: Double,
    scale: i32,
}

impl Scaled {
    const fn exactly(number: f64) -> Self {
        Self { result: Double::of(number), scale: 0 }
    }

    fn nearest(self) -> f64 {
        self.result.scaled(self.scale)
    }

    /// Rounded to odd in float64, which holds more than all results of narrower types that are not zero or infinite.
    fn to_odd(self) -> f64 {
        let (near, rest) = self.result.parts();
        let is_exact = rest.abs() <= near.abs() * 2_f64.powi(-85) || !near.is_finite();
        let odd = match near.to_bits() & 1 {
            _ if is_exact => near,
            1 => near,
            _ if (rest > 0.0) == (near > 0.0) => f64::from_bits(near.to_bits() + 1),
            _ => f64::from_bits(near.to_bits() - 1),
        };
        libm::scalbn(odd, self.scale)
    }
}

/// x^y, as C's `pow` has it for special values.
fn float_power(x: f64, y: Exponent) -> Scaled {
    let exponent = y.value.nearest();
    // Zeros, infinities and NaN on either side, and 1.
    if !(x.is_finite() && x != 0.0 && exponent.is_finite() && exponent != 0.0) || x == 1.0 {
        // The least float64 that is odd or even as it is stands for large integers.
        let stands = if y.is_odd { 1.0_f64.copysign(exponent) } else { exponent };
        return Scaled::exactly(libm::pow(x, stands));
    }
    if x < 0.0 && !y.is_integer {
        return Scaled::exactly(f64::NAN);
    }
    let sign = if x < 0.0 && y.is_odd { -1.0 } else { 1.0 };
    let magnitude = x.abs();
    if magnitude == 1.0 {
        return Scaled::exactly(sign);
    }
    let size = libm::log(magnitude) * exponent;
    if size.abs() > 800.0 {
        return Scaled::exactly(sign * if size > 0.0 { f64::INFINITY } else { 0.0 });
    }
    if size.abs() < 1e-40 {
        return Scaled::exactly(sign);
    }
    let (scale, less) = (Double::from(magnitude).ln() * y.value).power();
    let power = less + Double::from(1.0);
    let result = if sign < 0.0 { -power } else { power };
    Scaled { result, scale }
}

#[cfg(test)]
mod tests;
