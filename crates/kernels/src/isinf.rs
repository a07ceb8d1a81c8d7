//! IsInf: which elements are infinite, of the signs that its attributes ask for. Of the 8-bit formats one has
//! infinities.

use half::{bf16, f16};

use super::Attribute;
use super::Kernel;
use super::KernelError;
use super::elementwise::{each, judged};
use super::isnan::WITH_FLOAT8;
use super::signature::{AttributeSpec, Domain, Input, Version};
use values::dtype::DType::{
    Bfloat16, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz, Float16, Float32, Float64,
};

pub(super) static ISINF: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "IsInf",
    inputs: &[Input::new("X")],
    is_elementwise: true,
    slices: None,
    versions: &[
        Version::with(10, &[Float32, Float64], &ATTRIBUTES),
        Version::with(20, WITH_FLOAT8, &ATTRIBUTES),
    ],
    restricted: &[],
    run: |call| {
        let (operator, dtype) = (call.operator, call.inputs::<1>()?[0].dtype());
        let negative = call.int(NEGATIVE, 1) != 0;
        let positive = call.int(POSITIVE, 1) != 0;
        macro_rules! among {
            ($type:ty, $minus:expr, $plus:expr) => {
                judged::<$type, 1>(call, |[x], results| {
                    each(x.iter(), results, |x| {
                        u8::from(negative && *x == $minus || positive && *x == $plus)
                    });
                })
            };
        }
        match dtype {
            Float16 => among!(f16, f16::NEG_INFINITY, f16::INFINITY),
            Bfloat16 => among!(bf16, bf16::NEG_INFINITY, bf16::INFINITY),
            Float32 => among!(f32, f32::NEG_INFINITY, f32::INFINITY),
            Float64 => among!(f64, f64::NEG_INFINITY, f64::INFINITY),
            Float8E5M2 => among!(u8, 0xfc, 0x7c),
            Float8E4M3Fn | Float8E4M3Fnuz | Float8E5M2Fnuz => {
                judged::<u8, 1>(call, |_, results| results.fill(0))
            }
            _ => Err(KernelError::Type { operator, dtype }),
        }
    },
};

const NEGATIVE: &str = "detect_negative";
const POSITIVE: &str = "detect_positive";

const ATTRIBUTES: [AttributeSpec; 2] = [truth(NEGATIVE), truth(POSITIVE)];

/// Whether infinities of a sign count; the documents speak of 0 and 1.
const fn truth(name: &'static str) -> AttributeSpec {
    AttributeSpec {
        name,
        accepts: |value| matches!(value, Attribute::Int(0 | 1)),
        expected: "0 or 1",
    }
}

#[cfg(test)]
mod tests;
