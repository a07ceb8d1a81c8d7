//! What the windows share: sums of cosines in binary64, rounded once to a float type or cut off to an integer.

use super::arg_extremum::switch;
use super::copies::output_sizes;
use super::quantization::{encoded, packed};
use super::reshaping::{integer, integers, refused};
use super::signature::{AttributeSpec, Input, Version};
use super::types::NUMBERS;
use super::{Call, KernelError};
use std::f64::consts::TAU;
use values::dtype::DType::{self, Int32, Int64};
use values::dtype::Kind;
use values::tensor::Tensor;

pub(super) const INPUTS: &[Input] = &[Input::new("size")];

pub(super) const VERSIONS: &[Version] = &[Version::with(17, &[Int32, Int64], ATTRIBUTES)];

const ATTRIBUTES: &[AttributeSpec] = &[integer("output_datatype"), switch("periodic")];

/// The window whose elements are (a - b cos(x) + c cos(2x)) / d for the numbers a, b, c and d. Small sums of these numbers are exact.
pub(super) fn run(call: &Call<'_>, [a, b, c, d]: [f64; 4]) -> Result<Vec<Tensor>, KernelError> {
    let [size] = call.inputs()?;
    if !size.shape().is_empty() {
        return Err(refused(call, "the size is a scalar"));
    }
    let size = output_sizes(call, &integers(size))?;
    let code = i32::try_from(call.int("output_datatype", 1)).ok();
    let dtype = code.and_then(DType::from_onnx).filter(|dtype| NUMBERS.contains(dtype));
    let (operator, expected) = (call.operator, "the number of a type that the version gives");
    let unknown = KernelError::BadAttribute { operator, name: "output_datatype", expected };
    let dtype = dtype.ok_or(unknown)?;
    let count = size.first().copied().unwrap_or_default();
    let is_periodic = call.int("periodic", 1) == 1;
    let parts = if is_periodic { count } else { count.saturating_sub(1) };
    let element = |at: usize| {
        let turn = if parts == 0 { 0.0 } else { at as f64 / parts as f64 };
        let value = (a - b * cosine(turn) + c * cosine(2.0 * turn)) / d;
        match dtype.kind() {
            Kind::Float(format) => encoded(format, value, false),
            _ => value as u64,
        }
    };
    Ok(vec![packed(dtype, &[count], element)?])
}

/// The cosine of a part of a turn, exactly at its quarters.
fn cosine(turn: f64) -> f64 {
    let turn = turn.fract();
    let turn = turn.min(1.0 - turn);
    match turn {
        0.25 => 0.0,
        _ if turn > 0.25 => -libm::cos(TAU * (0.5 - turn)),
        _ => libm::cos(TAU * turn),
    }
}
