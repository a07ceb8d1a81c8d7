//! What the windows share: sums of cosines in binary64, rounded once to a float type or cut off to an integer.

use super::arg_extremum::switch;
use super::copies::output_sizes;
use super::quantization::{encoded, packed};
use super::reshaping::{integer, integers, refused};
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::types::NUMBERS;
use super::{Call, Kernel, KernelError};
use std::f64::consts::TAU;
use values::dtype::DType::{self, Int32, Int64};
use values::dtype::Kind;
use values::tensor::Tensor;

/// The kernel of a window of this name.
pub(super) const fn kernel(name: &'static str, run: Run) -> Kernel {
    Kernel {
        domain: Domain::Onnx,
        name,
        inputs: INPUTS,
        is_elementwise: false,
        slices: None,
        versions: VERSIONS,
        restricted: &[],
        run,
    }
}

type Run = fn(&Call<'_>) -> Result<Vec<Tensor>, KernelError>;

const INPUTS: &[Input] = &[Input::new("size")];

const VERSIONS: &[Version] = &[Version::with(17, &[Int32, Int64], ATTRIBUTES)];

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

#[cfg(test)]
mod tests {
    use crate::tests::{read, run, tensor};
    use crate::{Attribute, Attributes, find};
    use values::dtype::DType::{Int8, Int64};
    use values::tensor::Tensor;

    /// Each window with the periodic one of six elements and the symmetric one of three.
    const WINDOWS: [(&str, [f64; 6], [f64; 3]); 3] = [
        ("HannWindow", [0.0, 0.25, 0.75, 1.0, 0.75, 0.25], [0.0, 1.0, 0.0]),
        (
            "HammingWindow",
            [4.0 / 46.0, 14.5 / 46.0, 35.5 / 46.0, 1.0, 35.5 / 46.0, 14.5 / 46.0],
            [4.0 / 46.0, 1.0, 4.0 / 46.0],
        ),
        ("BlackmanWindow", [0.0, 0.13, 0.63, 1.0, 0.63, 0.13], [0.0, 1.0, 0.0]),
    ];

    fn made(name: &str, size: i64, attributes: &[(&str, i64)]) -> Option<Tensor> {
        let named = attributes.iter().map(|(name, it)| ((*name).to_owned(), Attribute::Int(*it)));
        let attributes: Attributes = named.collect();
        run(find(name, 17).unwrap(), &[&tensor(Int64, &[], &[size])], &attributes).ok()
    }

    #[test]
    fn both_forms_are_those_of_the_formula() {
        for (name, periodic, symmetric) in WINDOWS {
            let near = |made: Tensor, expected: &[f64]| {
                let made = read::<f64>(&made);
                assert_eq!(made.len(), expected.len());
                let is_near = made.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15);
                assert!(is_near, "{name}: {made:?}");
            };
            near(made(name, 6, &[("output_datatype", 11)]).unwrap(), &periodic);
            let attributes = [("output_datatype", 11), ("periodic", 0)];
            near(made(name, 3, &attributes).unwrap(), &symmetric);
        }
    }

    #[test]
    fn integers_are_cut_off_and_other_types_refused() {
        for (name, ..) in WINDOWS {
            let bytes = made(name, 4, &[("output_datatype", 3)]).unwrap();
            assert_eq!((bytes.dtype(), read::<i8>(&bytes)), (Int8, vec![0, 0, 1, 0]), "{name}");
            for dtype in [0, 8, 9, 14, i64::MAX] {
                assert_eq!(made(name, 4, &[("output_datatype", dtype)]), None, "{name}");
            }
            assert_eq!((made(name, -1, &[]), made(name, 4, &[("periodic", 2)])), (None, None));
        }
    }
}
