//! Swish: x / (1 + e^(-alpha x)) of each element x, computed in float64 and rounded once. `alpha` is not rounded to the type of the
//! elements.

use super::Kernel;
use super::double::Double;
use super::elementwise::computed;
use super::function::{Formulas, computed_by};
use super::series::exp;
use super::signature::{AttributeSpec, Domain, Input, Slices, Version};
use super::types::FLOATS;

pub(super) static SWISH: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Swish",
    inputs: &[Input::new("X")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &[Version::with(24, FLOATS, &[ALPHA])],
    restricted: &[],
    run: |call| {
        let alpha = f64::from(call.float("alpha", 1.0));
        let slices = |dtype, operands: &[&[u8]], results: &mut [u8]| {
            computed_by(Swish { alpha }, dtype, operands, results)
        };
        computed::<1>(call, slices)
    },
};

const ALPHA: AttributeSpec = AttributeSpec::number("alpha");

const SLICES: Slices =
    |dtype, operands, results| computed_by(Swish { alpha: 1.0 }, dtype, operands, results);

/// The function of this attribute.
#[derive(Clone, Copy)]
struct Swish {
    alpha: f64,
}

impl Formulas for Swish {
    /// With u = e^-|alpha x|, next to nothing where it counts no more: x / (1 + u), or x u / (1 + u) where alpha x is negative.
    #[inline(always)]
    fn narrow(self, x: f64) -> f64 {
        // A number of either narrower type, so that nothing is rounded.
        let product = self.alpha * x;
        let u = if product.abs() >= 300.0 { 0.0 } else { exp(-product.abs()) };
        let dividend = if product < 0.0 { u } else { 1.0 };
        x * (dividend / (1.0 + u))
    }

    fn wide(self, x: f64) -> f64 {
        let nearest = self.alpha * x;
        if nearest.is_nan() {
            return nearest;
        }
        if nearest > 200.0 {
            return x;
        }
        // Of an infinite x the formula has no value; a number whose product with a float32 is so small is below 10^49.
        if nearest < -1000.0 {
            return if x.is_infinite() { f64::NAN } else { 0.0_f64.copysign(x) };
        }
        // A product with so small a number would lose what it is made of.
        if x.abs() < 1e-200 {
            return x * 0.5;
        }
        let (product, one) = (Double::from(self.alpha) * Double::from(x), Double::from(1.0));
        if nearest < -60.0 {
            let (k, less) = product.power();
            return (Double::from(x) * (less + one)).scaled(k);
        }
        if nearest < 0.0 {
            let power = product.exp();
            (Double::from(x) * power / (one + power)).nearest()
        } else {
            (Double::from(x) / (one + (Double::from(0.0) - product).exp())).nearest()
        }
    }
}

#[cfg(test)]
mod tests;
