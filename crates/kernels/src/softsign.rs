//! Softsign: x / (1 + |x|) of each element x, computed in float64 and rounded once.

use super::Kernel;
use super::double::Double;
use super::elementwise::computed;
use super::function::{Formulas, computed_by};
use super::signature::{Domain, Input, Slices, Version};
use super::types::{FLOATS, without_bfloat16};

pub(super) static SOFTSIGN: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Softsign",
    inputs: &[Input::new("input")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &[Version::new(1, without_bfloat16(FLOATS)), Version::new(22, FLOATS)],
    restricted: &[],
    run: |call| computed::<1>(call, SLICES),
};

const SLICES: Slices = |dtype, operands, results| computed_by(Softsign, dtype, operands, results);

#[derive(Clone, Copy)]
struct Softsign;

impl Formulas for Softsign {
    #[inline(always)]
    fn narrow(self, x: f64) -> f64 {
        x / (1.0 + x.abs())
    }

    fn wide(self, x: f64) -> f64 {
        // Farther out it is nearer to 1 or -1 than to the next number.
        if x.abs() >= 1e17 {
            return if x.is_infinite() { f64::NAN } else { 1.0_f64.copysign(x) };
        }
        // Nearer to 0 it is nearer to x than to the next number.
        if x.abs() < 1e-17 {
            return x;
        }
        (Double::from(x) / (Double::from(1.0) + Double::from(x.abs()))).nearest()
    }
}

#[cfg(test)]
mod tests;
