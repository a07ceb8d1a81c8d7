//! BitwiseNot: the bits that an integer has not.

use super::Kernel;
use super::bits::INTEGERS;
use super::elementwise::{computed, mapped};
use super::signature::{Domain, Input, Slices, Version};
use super::types::with_type;

pub(super) static BITWISENOT: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "BitwiseNot",
    inputs: &[Input::new("X")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &[Version::new(18, INTEGERS)],
    restricted: &[],
    run: |call| computed::<1>(call, SLICES),
};

const SLICES: Slices = |dtype, operands, results| with_type!(cells, dtype, T => mapped(operands, results, |x: T| !x), else None);
