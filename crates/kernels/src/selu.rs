//! Selu: gamma times each element, or where it is not positive gamma (alpha e^x - alpha), computed in float64 and rounded once. The
//! attributes are not rounded to the type of the elements.

use super::Kernel;
use super::double::Double;
use super::elementwise::computed;
use super::elu::scaled;
use super::function::{Formulas, computed_by};
use super::series::exp_minus_1;
use super::signature::{AttributeSpec, CONSUMED_INPUTS, Domain, Input, Slices, Version};
use super::types::{FLOATS, without_bfloat16};

pub(super) static SELU: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Selu",
    inputs: &[Input::new("X")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &[CONSUMED_INPUTS, ALPHA, GAMMA]),
        Version::with(6, without_bfloat16(FLOATS), &[ALPHA, GAMMA]),
        Version::with(22, FLOATS, &[ALPHA, GAMMA]),
    ],
    restricted: &[],
    run: |call| {
        let [alpha, gamma] = if call.operator.since_version() < 6 { OLD } else { NEW };
        let alpha = f64::from(call.float("alpha", alpha));
        let gamma = f64::from(call.float("gamma", gamma));
        let slices = |dtype, operands: &[&[u8]], results: &mut [u8]| {
            computed_by(Selu { alpha, gamma }, dtype, operands, results)
        };
        computed::<1>(call, slices)
    },
};

/// `alpha` and `gamma` where they are not given: of the first version, and of all after it.
const OLD: [f32; 2] = [1.6732, 1.0507];
const NEW: [f32; 2] = [1.673_263_2, 1.050_701];

const ALPHA: AttributeSpec = AttributeSpec::number("alpha");

const GAMMA: AttributeSpec = AttributeSpec::number("gamma");

const SLICES: Slices = |dtype, operands, results| {
    let [alpha, gamma] = NEW.map(f64::from);
    computed_by(Selu { alpha, gamma }, dtype, operands, results)
};

/// The function of these attributes.
#[derive(Clone, Copy)]
struct Selu {
    alpha: f64,
    gamma: f64,
}

impl Formulas for Selu {
    #[inline(always)]
    fn narrow(self, x: f64) -> f64 {
        let Self { alpha, gamma } = self;
        if x <= 0.0 { gamma * alpha * exp_minus_1(x) } else { gamma * x }
    }

    /// The product of two numbers of float32 is exact.
    fn wide(self, x: f64) -> f64 {
        let Self { alpha, gamma } = self;
        if x <= 0.0 { scaled(Double::from(gamma * alpha), x) } else { gamma * x }
    }
}

#[cfg(test)]
mod tests;
