//! Shrink: elements moved towards 0 by `bias`, and 0 where they are no farther from it than `lambd`. Both attributes are
//! converted to the type of the elements first; for integers their fractions are cut off.

use bytemuck::Pod;
use half::{bf16, f16};

use super::Kernel;
use super::elementwise::{computed, mapped};
use super::narrow::Nearest;
use super::signature::{AttributeSpec, Domain, Input, Slices, Version};
use super::types::{NUMBERS, with_type, without_bfloat16};
use values::dtype::DType;

pub(super) static SHRINK: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Shrink",
    inputs: &[Input::new("input")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &[Version::with(9, without_bfloat16(NUMBERS), &[BIAS, LAMBD])],
    restricted: &[],
    run: |call| {
        let (lambd, bias) = (call.float("lambd", HALF), call.float("bias", 0.0));
        computed::<1>(call, |dtype, operands, results| {
            shrunk([lambd, bias], dtype, operands, results)
        })
    },
};

const HALF: f32 = 0.5;

const BIAS: AttributeSpec = AttributeSpec::number("bias");
const LAMBD: AttributeSpec = AttributeSpec::number("lambd");

const SLICES: Slices = |dtype, operands, results| shrunk([HALF, 0.0], dtype, operands, results);

fn shrunk(
    attributes: [f32; 2],
    dtype: DType,
    operands: &[&[u8]],
    results: &mut [u8],
) -> Option<Result<(), usize>> {
    with_type!(numbers, dtype, T => {
        let of = T::attributes(attributes);
        mapped(operands, results, |x: T| x.shrunk(&of))
    }, else None)
}

/// An element type that Shrink takes.
trait Shrink: Pod {
    /// What attributes are of the type: -`lambd`, `lambd` and `bias`.
    type Attributes;

    fn attributes(both: [f32; 2]) -> Self::Attributes;
    fn shrunk(self, attributes: &Self::Attributes) -> Self;
}

macro_rules! floats {
    ($($type:ty)*) => {$(
        impl Shrink for $type {
            type Attributes = [Self; 2];

            fn attributes(both: [f32; 2]) -> [Self; 2] {
                both.map(Self::nearest)
            }

            fn shrunk(self, [lambd, bias]: &[Self; 2]) -> Self {
                if self < -*lambd {
                    self + *bias
                } else if self > *lambd {
                    self - *bias
                } else {
                    Self::default()
                }
            }
        }
    )*};
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Shrink for $type {
            type Attributes = [i128; 2];

            fn attributes(both: [f32; 2]) -> [i128; 2] {
                both.map(|value| value as i128)
            }

            fn shrunk(self, [lambd, bias]: &[i128; 2]) -> Self {
                let x = i128::from(self);
                if x < -*lambd {
                    x.wrapping_add(*bias) as Self
                } else if x > *lambd {
                    x.wrapping_sub(*bias) as Self
                } else {
                    0
                }
            }
        }
    )*};
}

floats!(f64 f32 f16 bf16);
integers!(i8 i16 i32 i64 u8 u16 u32 u64);
