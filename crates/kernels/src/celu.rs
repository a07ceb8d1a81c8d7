//! Celu: each element, or where it is negative alpha (e^(x / alpha) - 1), computed in float64 and rounded once. `alpha` is not
//! rounded to the type of the elements.

use super::Kernel;
use super::double::Double;
use super::elementwise::computed;
use super::function::{Formulas, computed_by};
use super::series::exp_minus_1;
use super::signature::{AttributeSpec, Domain, Input, Slices, Version};
use super::types::FLOATS;
use values::dtype::DType;

pub(super) static CELU: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Celu",
    inputs: &[Input::new("X")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &[
        Version::with(12, &[DType::Float32], &[ALPHA]),
        Version::with(28, FLOATS, &[ALPHA]),
    ],
    restricted: &[],
    run: |call| {
        let alpha = f64::from(call.float("alpha", 1.0));
        let slices = |dtype, operands: &[&[u8]], results: &mut [u8]| {
            computed_by(Celu { alpha }, dtype, operands, results)
        };
        computed::<1>(call, slices)
    },
};

const ALPHA: AttributeSpec = AttributeSpec::number("alpha");

const SLICES: Slices =
    |dtype, operands, results| computed_by(Celu { alpha: 1.0 }, dtype, operands, results);

/// The function of this attribute.
#[derive(Clone, Copy)]
struct Celu {
    alpha: f64,
}

impl Formulas for Celu {
    #[inline(always)]
    fn narrow(self, x: f64) -> f64 {
        // -0 is not less than 0, and neither is a NaN.
        if x < 0.0 { self.alpha * exp_minus_1(x / self.alpha) } else { x }
    }

    fn wide(self, x: f64) -> f64 {
        if x >= 0.0 || x.is_nan() {
            return x;
        }
        let quotient = x / self.alpha;
        // e^q - 1 is q to more than the precision, or -1.
        if quotient > -1e-20 {
            return x;
        }
        if quotient < -100.0 {
            return -self.alpha;
        }
        let alpha = Double::from(self.alpha);
        (alpha * (Double::from(x) / alpha).exp_minus_1()).nearest()
    }
}

#[cfg(test)]
mod tests;
