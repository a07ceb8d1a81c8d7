//! IsNaN: which elements are NaN. The 8-bit formats are told by their bits.

use super::Kernel;
use super::KernelError;
use super::elementwise::{each, judged};
use super::signature::{Domain, Input, Version};
use super::types::{FLOATS, with_type, without_bfloat16};
use values::dtype::DType::{
    self, Bfloat16, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz, Float16, Float32,
    Float64,
};

pub(super) static ISNAN: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "IsNaN",
    inputs: &[Input::new("X")],
    is_elementwise: true,
    slices: None,
    versions: &[
        Version::new(9, without_bfloat16(FLOATS)),
        Version::new(13, FLOATS),
        Version::new(20, WITH_FLOAT8),
    ],
    restricted: &[],
    run: |call| {
        let (operator, dtype) = (call.operator, call.inputs::<1>()?[0].dtype());
        let of_bytes = |is_nan: fn(u8) -> bool| {
            judged::<u8, 1>(call, |[x], results| each(x.iter(), results, |x| u8::from(is_nan(*x))))
        };
        match dtype {
            Float8E4M3Fn => of_bytes(|x| x & 0x7f == 0x7f),
            Float8E5M2 => of_bytes(|x| x & 0x7f > 0x7c),
            Float8E4M3Fnuz | Float8E5M2Fnuz => of_bytes(|x| x == 0x80),
            _ => with_type!(floats, dtype, T => {
                judged::<T, 1>(call, |[x], results| {
                    each(x.iter(), results, |x| u8::from(x.is_nan()));
                })
            }, else Err(KernelError::Type { operator, dtype })),
        }
    },
};

/// The floats of all of these operators' newest versions.
#[rustfmt::skip]
pub(super) const WITH_FLOAT8: &[DType] = &[
    Bfloat16, Float16, Float32, Float64,
    Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz,
];

#[cfg(test)]
mod tests;
