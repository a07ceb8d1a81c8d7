//! HardSigmoid: alpha x + beta of each element x, cut to what lies from 0 to 1. The attributes are not rounded to the type of the
//! elements.

use super::Kernel;
use super::elementwise::computed;
use super::function::{Formulas, computed_by};
use super::signature::{AttributeSpec, CONSUMED_INPUTS, Domain, Input, Slices, Version};
use super::types::{FLOATS, without_bfloat16};

pub(super) static HARDSIGMOID: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "HardSigmoid",
    inputs: &[Input::new("X")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &[CONSUMED_INPUTS, ALPHA, BETA]),
        Version::with(6, without_bfloat16(FLOATS), &[ALPHA, BETA]),
        Version::with(22, FLOATS, &[ALPHA, BETA]),
    ],
    restricted: &[],
    run: |call| {
        let line = [call.float("alpha", FIFTH), call.float("beta", HALF)].map(f64::from);
        let slices = |dtype, operands: &[&[u8]], results: &mut [u8]| {
            computed_by(Line(line), dtype, operands, results)
        };
        computed::<1>(call, slices)
    },
};

const FIFTH: f32 = 0.2;
const HALF: f32 = 0.5;

const ALPHA: AttributeSpec = AttributeSpec::number("alpha");
const BETA: AttributeSpec = AttributeSpec::number("beta");

const SLICES: Slices = |dtype, operands, results| {
    let line = [FIFTH, HALF].map(f64::from);
    computed_by(Line(line), dtype, operands, results)
};

/// The function whose line has this slope and this value at 0.
#[derive(Clone, Copy)]
struct Line([f64; 2]);

impl Formulas for Line {
    /// The product is exact in float64, and the sum rounded to odd, so that rounding it once more is as rounding the
    /// exact one.
    fn narrow(self, x: f64) -> f64 {
        let Self([alpha, beta]) = self;
        let product = alpha * x;
        let sum = product + beta;
        let of_beta = sum - product;
        let lost = (product - (sum - of_beta)) + (beta - of_beta);
        let is_even = sum.to_bits() & 1 == 0;
        let odd = match lost {
            more if is_even && more > 0.0 => sum.next_up(),
            less if is_even && less < 0.0 => sum.next_down(),
            _ => sum,
        };
        odd.clamp(0.0, 1.0)
    }

    /// Rounded once.
    fn wide(self, x: f64) -> f64 {
        let Self([alpha, beta]) = self;
        libm::fma(alpha, x, beta).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests;
