//! Elu: each element, or where it is negative alpha (e^x - 1), computed in float64 and rounded once. `alpha` is not rounded to the
//! type of the elements.

use super::Kernel;
use super::double::Double;
use super::elementwise::computed;
use super::function::{Formulas, computed_by};
use super::series::exp_minus_1;
use super::signature::{AttributeSpec, CONSUMED_INPUTS, Domain, Input, Slices, Version};
use super::types::{FLOATS, without_bfloat16};

pub(super) static ELU: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Elu",
    inputs: &[Input::new("X")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &[CONSUMED_INPUTS, ALPHA]),
        Version::with(6, without_bfloat16(FLOATS), &[ALPHA]),
        Version::with(22, FLOATS, &[ALPHA]),
    ],
    restricted: &[],
    run: |call| {
        let alpha = f64::from(call.float("alpha", 1.0));
        let slices = |dtype, operands: &[&[u8]], results: &mut [u8]| {
            computed_by(Elu { alpha }, dtype, operands, results)
        };
        computed::<1>(call, slices)
    },
};

const ALPHA: AttributeSpec = AttributeSpec::number("alpha");

const SLICES: Slices =
    |dtype, operands, results| computed_by(Elu { alpha: 1.0 }, dtype, operands, results);

/// The function of this attribute.
#[derive(Clone, Copy)]
struct Elu {
    alpha: f64,
}

impl Formulas for Elu {
    #[inline(always)]
    fn narrow(self, x: f64) -> f64 {
        // -0 is not less than 0, and neither is a NaN.
        if x < 0.0 { self.alpha * exp_minus_1(x) } else { x }
    }

    fn wide(self, x: f64) -> f64 {
        if x < 0.0 { scaled(self.alpha.into(), x) } else { x }
    }
}

/// A factor times e^x - 1, for negative x.
pub(super) fn scaled(factor: Double, x: f64) -> f64 {
    let nearest = factor.nearest();
    // Below 1e-20 it is x, and e^-100 is nothing beside 1, to more than the precision.
    if !nearest.is_finite() || x > -1e-20 {
        return nearest * x;
    }
    (factor * Double::from(x.max(-100.0)).exp_minus_1()).nearest()
}

#[cfg(test)]
mod tests;
