//! ThresholdedRelu: what is above `alpha`, which is converted to the type of the elements first; 0 for the others and for NaN.

use super::Kernel;
use super::elementwise::{computed, mapped};
use super::narrow::Nearest;
use super::signature::{AttributeSpec, Domain, Input, Slices, Version};
use super::types::{FLOATS, with_type, without_bfloat16};
use values::dtype::DType;

pub(super) static THRESHOLDEDRELU: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "ThresholdedRelu",
    inputs: &[Input::new("X")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &[
        Version::with(10, without_bfloat16(FLOATS), &[ALPHA]),
        Version::with(22, FLOATS, &[ALPHA]),
    ],
    restricted: &[],
    run: |call| {
        let alpha = call.float("alpha", 1.0);
        computed::<1>(call, |dtype, operands, results| above(alpha, dtype, operands, results))
    },
};

const ALPHA: AttributeSpec = AttributeSpec::number("alpha");

const SLICES: Slices = |dtype, operands, results| above(1.0, dtype, operands, results);

fn above(
    alpha: f32,
    dtype: DType,
    operands: &[&[u8]],
    results: &mut [u8],
) -> Option<Result<(), usize>> {
    with_type!(floats, dtype, T => {
        let alpha = T::nearest(alpha);
        mapped(operands, results, |x: T| if x > alpha { x } else { T::default() })
    }, else None)
}
