//! Gelu: x / 2 (1 + erf(x / sqrt 2)) of each element x, or with the hyperbolic tangent in the place of the error function.
//!
//! Both formulas lose what a negative x leaves of 1; so the complement takes their place there, and a power of e that of
//! the tangent.

use super::double::Double;
use super::elementwise::computed;
use super::error_function::{lower_tail, upper_tail};
use super::function::{computed_by, formulas};
use super::series::{complement_over_root_of_2, erf};
use super::signature::{AttributeSpec, Domain, Input, Slices, Version};
use super::types::FLOATS;
use super::{Attribute, Kernel};

pub(super) static GELU: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Gelu",
    inputs: &[Input::new("X")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &[Version::with(20, FLOATS, &[APPROXIMATE])],
    restricted: &[],
    run: |call| match call.attributes.get("approximate") {
        Some(Attribute::Text(text)) if text == "tanh" => computed::<1>(call, BY_TANGENT),
        _ => computed::<1>(call, SLICES),
    },
};

const APPROXIMATE: AttributeSpec = AttributeSpec {
    name: "approximate",
    accepts: |value| matches!(value, Attribute::Text(text) if text == "none" || text == "tanh"),
    expected: "none or tanh",
};

const SLICES: Slices = |dtype, operands, results| computed_by(ByError, dtype, operands, results);

const BY_TANGENT: Slices =
    |dtype, operands, results| computed_by(ByTangent, dtype, operands, results);

formulas!(ByError, narrow, wide);
formulas!(ByTangent, narrow_by_tangent, wide_by_tangent);

/// Magnitudes below which a function is more than x / 2 by less than float64 shows.
const TINY: f64 = 1e-17;

/// Half of a number of a narrower type, and what is next to it: of a type's smallest number half is a tie.
#[inline(always)]
fn above_half(x: f64) -> f64 {
    x * 0.5 * (1.0 + f64::EPSILON.copysign(x))
}

/// Where a rounded exponent of a power of e would be off by too much, and the functions of float64 are taken for all.
const LOW: std::ops::RangeInclusive<f64> = f64::MIN..=-3.0;

#[inline(always)]
fn narrow(x: f64) -> f64 {
    let half = 0.5 * x;
    let whole = half * (1.0 + erf(x * std::f64::consts::FRAC_1_SQRT_2));
    let tail = half * complement_over_root_of_2(-x);
    // Less than half of the smallest number; at -infinity the formula has no value: that of 0 times it.
    let tail = if x < -16.0 { x * 0.0 } else { tail };
    let number = if x < -0.5 { tail } else { whole };
    if x.abs() < TINY { above_half(x) } else { number }
}

fn wide(x: f64) -> f64 {
    if x.abs() < TINY || x.is_nan() {
        return if x.is_nan() { x } else { x * 0.5 };
    }
    match x < 0.0 {
        // The formula has no value at -infinity: that of 0 times it.
        true if x.is_infinite() => f64::NAN,
        // Less than half of the smallest number.
        true if x < -40.0 => -0.0,
        true => lower_tail(x),
        false if x > 10.0 => x,
        false => upper_tail(x),
    }
}

/// sqrt(2 / pi).
const ROOT: f64 = 0.797_884_560_802_865_4;

/// x / (1 + e^(-2u)) for u = sqrt(2 / pi) (x + 0.044715 x^3).
fn narrow_by_tangent(x: f64) -> f64 {
    if x.abs() < TINY {
        return above_half(x);
    }
    if LOW.contains(&x) {
        return wide_by_tangent(x);
    }
    let doubled = 2.0 * ROOT * (x + 0.044_715 * (x * x * x));
    x / (1.0 + libm::exp(-doubled))
}

fn wide_by_tangent(x: f64) -> f64 {
    if x.abs() < TINY || x.is_nan() || x > 10.0 {
        return if x.abs() < TINY { x * 0.5 } else { x };
    }
    if x < -40.0 {
        return if x.is_infinite() { f64::NAN } else { -0.0 };
    }
    let number = Double::from(x);
    let factor = Double::from(44_715.0) / 1e6.into();
    // The root of 8 / pi, in two parts.
    let root = Double::from(1.595_769_121_605_730_8) + Double::from(-9.969_308_809_110_92e-17);
    let doubled = root * (number + factor * (number * number * number));
    let one = Double::from(1.0);
    if x > 0.0 {
        return (number / (one + (-doubled).exp())).nearest();
    }
    // With e^(2u) = 2^k (1 + y), which may be subnormal, the function is x e^(2u) / (1 + e^(2u)).
    let doubled = if doubled.nearest() < -800.0 { Double::from(-800.0) } else { doubled };
    let (binades, less) = doubled.power();
    let power = less + one;
    let whole = if binades < -200 { one } else { one + doubled.exp() };
    (number * power / whole).scaled(binades)
}

#[cfg(test)]
mod tests;
