//! The trigonometric functions, their inverses, the error function and what is made of it computed wrongly.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{Arithmetic, SpecialValues};
use onnx_conformance::dtype::DType::{self, Bfloat16, Float32, Float64};
use onnx_conformance::float::Class;
use onnx_conformance::kernels::Attribute;

use crate::defect::{Defect, Wrong};
use crate::kernels::{class, is_float, nearest, value};
use crate::request::{Request, elementwise, of_one_element};
use crate::types::FLOATS;

const CIRCULAR: &[&str] = &["Cos", "Sin", "Tan"];
const ODD: &[&str] = &["Asin", "Atan", "Erf", "Sin", "Tan"];

/// A function in binary64, by its operator's name.
fn function(name: &str, x: f64) -> f64 {
    match name {
        "Acos" => libm::acos(x),
        "Asin" => libm::asin(x),
        "Atan" => libm::atan(x),
        "Cos" => libm::cos(x),
        "Erf" => libm::erf(x),
        "Gelu" => 0.5 * x * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2),
        "Sin" => libm::sin(x),
        "Tan" => libm::tan(x),
        _ => panic!("{name}"),
    }
}

/// Gelu by the hyperbolic tangent.
fn by_tanh(x: f64) -> f64 {
    let u = 0.797_884_560_802_865_4 * (x + 0.044_715 * x * x * x);
    0.5 * x * (1.0 + libm::tanh(u))
}

/// Another function of the operator's name and one element.
macro_rules! of_name {
    (|$name:ident, $dtype:ident, $x:ident, $right:ident| $result:expr) => {
        Wrong::Tensors(|request, right| {
            let $name = request.operator.name();
            elementwise(request, right, |$dtype, operands, $right| {
                let $x = operands[0];
                $result
            })
        })
    };
}

fn is_number(t: DType, x: u64) -> bool {
    value(t, x).is_finite()
}

fn approximate<'r>(request: &'r Request<'_>) -> &'r str {
    match request.attributes.get("approximate") {
        Some(Attribute::Text(text)) => text,
        _ => "none",
    }
}

/// Gelu with another formula where `approximate` has a value.
fn gelu_instead(
    request: &Request<'_>,
    right: Outcome,
    of: &str,
    formula: fn(f64) -> f64,
) -> Outcome {
    if approximate(request) != of {
        return right;
    }
    elementwise(request, right, |t, operands, right| match value(t, operands[0]) {
        x if x.is_finite() && !x.is_nan() => nearest(t, formula(x)),
        _ => right,
    })
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "angles-reduced-by-a-float32-pi",
        class: Arithmetic,
        says: "Angles beyond a turn are reduced by the float32 nearest to 2 pi.",
        operators: CIRCULAR,
        types: &[Float32],
        caught_by: "onnx hard stratified",
        wrong: of_name!(|name, t, x, right| match t {
            Float32 if is_number(t, x) && value(t, x).abs() > TAU => {
                let turn = f64::from(std::f32::consts::TAU);
                let x = value(t, x);
                nearest(t, function(name, x - turn * (x / turn).round()))
            }
            _ => right,
        }),
    },
    Defect {
        id: "angles-reduced-by-a-float64-pi",
        class: Arithmetic,
        says: "Angles of float64 beyond a turn are reduced by the float64 nearest to 2 pi.",
        operators: CIRCULAR,
        types: &[Float64],
        caught_by: "onnx hard stratified",
        wrong: of_name!(|name, t, x, right| match t {
            Float64 if is_number(t, x) && value(t, x).abs() > TAU => {
                let x = value(t, x);
                nearest(t, function(name, x - TAU * (x / TAU).round()))
            }
            _ => right,
        }),
    },
    Defect {
        id: "large-angles-are-zero",
        class: SpecialValues,
        says: "Angles from 105,615 on, which need more bits of pi, are taken for 0.",
        operators: CIRCULAR,
        types: &[Bfloat16, Float32, Float64],
        caught_by: "onnx exhaustive hard stratified",
        wrong: of_name!(|name, t, x, right| match value(t, x).abs() {
            large if large.is_finite() && large >= 105_615.0 => nearest(t, function(name, 0.0)),
            _ => right,
        }),
    },
    Defect {
        id: "right-angles-in-two-parts",
        class: Arithmetic,
        says: "pi/2 is taken off in two parts of float32, which leave nothing right next to a right angle.",
        operators: CIRCULAR,
        types: &[Float32],
        caught_by: "onnx hard",
        wrong: of_name!(|name, t, x, right| match t {
            Float32 if (0.8..30_000.0).contains(&value(t, x).abs()) => {
                let x = value(t, x) as f32;
                let quarters = (x * std::f32::consts::FRAC_2_PI).round();
                let high = 1.570_312_5_f32;
                let low = (FRAC_PI_2 - f64::from(high)) as f32;
                let rest = f64::from((x - quarters * high) - quarters * low);
                // The whole quarters are put back exactly.
                let turned = rest + f64::from(quarters.rem_euclid(4.0)) * FRAC_PI_2;
                let result = match (name, (quarters as i64).rem_euclid(4)) {
                    ("Cos", 1) => -libm::sin(rest),
                    ("Cos", 3) => libm::sin(rest),
                    ("Sin", 2) => -libm::sin(rest),
                    ("Tan", 1 | 3) => -1.0 / libm::tan(rest),
                    ("Tan" | "Sin", 0 | 2) => function(name, rest),
                    _ => function(name, turned),
                };
                nearest(t, result)
            }
            _ => right,
        }),
    },
    Defect {
        id: "circular-functions-lose-the-sign-of-zero",
        class: SpecialValues,
        says: "The function of -0 is +0.",
        operators: ODD,
        types: FLOATS,
        caught_by: "onnx exhaustive hard",
        wrong: of_one_element!(|t, x, right| match is_float(t) && class(t, x) == Class::Zero {
            true => 0,
            false => right,
        }),
    },
    Defect {
        id: "small-angles-flushed",
        class: SpecialValues,
        says: "Subnormal operands are taken for zeros.",
        operators: ODD,
        types: FLOATS,
        caught_by: "onnx exhaustive hard stratified",
        wrong: of_one_element!(
            |t, x, right| match is_float(t) && class(t, x) == Class::Subnormal {
                true => nearest(t, 0.0_f64.copysign(value(t, x))),
                false => right,
            }
        ),
    },
    Defect {
        id: "angles-of-infinity-are-zero",
        class: SpecialValues,
        says: "An infinite angle is taken for 0.",
        operators: CIRCULAR,
        types: FLOATS,
        caught_by: "onnx exhaustive hard",
        wrong: of_name!(|name, t, x, right| match value(t, x).is_infinite() {
            true => nearest(t, function(name, 0.0)),
            false => right,
        }),
    },
    Defect {
        id: "inverse-functions-clamp-their-operand",
        class: SpecialValues,
        says: "Operands beyond 1 or -1 are taken for these.",
        operators: &["Acos", "Asin"],
        types: FLOATS,
        caught_by: "onnx exhaustive hard stratified",
        wrong: of_name!(|name, t, x, right| match value(t, x) {
            beyond if beyond.abs() > 1.0 => nearest(t, function(name, beyond.signum())),
            _ => right,
        }),
    },
    Defect {
        id: "acos-by-difference",
        class: Arithmetic,
        says: "The arccosine is the difference of pi/2 and the arcsine in float32, which cancels next to 1.",
        operators: &["Acos"],
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0-exact hard stratified",
        wrong: of_one_element!(|t, x, right| match t {
            Float32 if value(t, x).abs() <= 1.0 => {
                let asin = libm::asin(value(t, x)) as f32;
                nearest(t, (std::f32::consts::FRAC_PI_2 - asin).into())
            }
            _ => right,
        }),
    },
    Defect {
        id: "acos-of-minus-one-rounded-up",
        class: Arithmetic,
        says: "Below -0.999 the arccosine is pi.",
        operators: &["Acos"],
        types: FLOATS,
        caught_by: "onnx exhaustive hard",
        wrong: of_one_element!(|t, x, right| match value(t, x) {
            low if (-1.0..-0.99).contains(&low) => nearest(t, PI),
            _ => right,
        }),
    },
    Defect {
        id: "asin-by-difference",
        class: Arithmetic,
        says: "The arcsine is the difference of pi/2 and the arccosine in float32, which cancels next to 0.",
        operators: &["Asin"],
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0-exact hard stratified",
        wrong: of_one_element!(|t, x, right| match t {
            Float32 if value(t, x).abs() <= 1.0 => {
                let acos = libm::acos(value(t, x)) as f32;
                nearest(t, (std::f32::consts::FRAC_PI_2 - acos).into())
            }
            _ => right,
        }),
    },
    Defect {
        id: "atan-of-infinity-is-nan",
        class: SpecialValues,
        says: "The arctangent of an infinity is a NaN, as of a quotient of two of them.",
        operators: &["Atan"],
        types: FLOATS,
        caught_by: "onnx exhaustive hard",
        wrong: of_one_element!(|t, x, right| match value(t, x).is_infinite() {
            true => nearest(t, f64::NAN),
            false => right,
        }),
    },
    Defect {
        id: "atan-of-infinity-is-not-the-limit",
        class: SpecialValues,
        says: "The arctangent of an infinity is 3/2.",
        operators: &["Atan"],
        types: FLOATS,
        caught_by: "onnx exhaustive hard",
        wrong: of_one_element!(|t, x, right| match value(t, x) {
            infinite if infinite.is_infinite() => nearest(t, 1.5_f64.copysign(infinite)),
            _ => right,
        }),
    },
    Defect {
        id: "atan-of-a-rounded-reciprocal",
        class: Arithmetic,
        says: "From 1 on, the arctangent of float32 is pi/2 less that of a reciprocal of 12 bits.",
        operators: &["Atan"],
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0-exact hard",
        wrong: of_one_element!(|t, x, right| match t {
            Float32 if value(t, x).abs() > 1.0 => {
                let reciprocal = f32::from_bits((1.0 / value(t, x) as f32).to_bits() & !0xfff);
                let rest = libm::atan(reciprocal.into());
                nearest(t, FRAC_PI_2.copysign(value(t, x)) - rest)
            }
            _ => right,
        }),
    },
    Defect {
        id: "erf-clamped-at-3.9",
        class: Arithmetic,
        says: "From 3.9 on, the error function is 1, which is right in float32 alone.",
        operators: &["Erf"],
        types: &[Float64],
        caught_by: "onnx",
        wrong: of_one_element!(|t, x, right| match t {
            Float64 if value(t, x).abs() > 3.9 => nearest(t, 1.0_f64.copysign(value(t, x))),
            _ => right,
        }),
    },
    Defect {
        id: "erf-by-its-complement",
        class: Arithmetic,
        says: "The error function is 1 less its complement in float32, which cancels next to 0.",
        operators: &["Erf"],
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0-exact hard stratified",
        wrong: of_one_element!(|t, x, right| match t {
            Float32 if class(t, x) != Class::Nan => {
                let complement = libm::erfc(value(t, x)) as f32;
                nearest(t, f64::from(1.0 - complement))
            }
            _ => right,
        }),
    },
    Defect {
        id: "erf-by-a-short-polynomial",
        class: Arithmetic,
        says: "The error function is 1 less a polynomial of five terms times e^(-x^2), which errs by 1.5e-7.",
        operators: &["Erf"],
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0-exact hard stratified",
        wrong: of_one_element!(|t, x, right| match t {
            Float32 if is_number(t, x) => {
                // Abramowitz and Stegun, 7.1.26.
                let (x, magnitude) = (value(t, x), value(t, x).abs());
                let u = 1.0 / (1.0 + 0.327_591_1 * magnitude);
                let terms =
                    [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
                let sum = terms.iter().fold(0.0, |sum, term| (sum + term) * u);
                let value = 1.0 - sum * libm::exp(-magnitude * magnitude);
                nearest(t, value.copysign(x))
            }
            _ => right,
        }),
    },
    Defect {
        id: "gelu-by-tanh-for-none",
        class: Arithmetic,
        says: "Gelu without approximation is computed by the hyperbolic tangent.",
        operators: &["Gelu"],
        types: &[Float32, Float64],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact hard stratified",
        wrong: Wrong::Tensors(|request, right| gelu_instead(request, right, "none", by_tanh)),
    },
    Defect {
        id: "gelu-by-sigmoid",
        class: Arithmetic,
        says: "Gelu is x times the sigmoid of 1.702 x.",
        operators: &["Gelu"],
        types: FLOATS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: Wrong::Tensors(|request, right| {
            gelu_instead(request, right, "none", |x| x / (1.0 + libm::exp(-1.702 * x)))
        }),
    },
    Defect {
        id: "hardswish-without-lower-end",
        class: Arithmetic,
        says: "Below -3 the factor of HardSwish goes on falling.",
        operators: &["HardSwish"],
        types: FLOATS,
        caught_by: "onnx exhaustive hard stratified",
        wrong: of_one_element!(|t, x, right| match value(t, x) {
            low if low.is_finite() && low < -3.0 => nearest(t, low * (low + 3.0) / 6.0),
            _ => right,
        }),
    },
    Defect {
        id: "hardswish-by-a-fifth",
        class: Arithmetic,
        says: "The slope of HardSwish is HardSigmoid's 0.2.",
        operators: &["HardSwish"],
        types: FLOATS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: of_one_element!(|t, x, right| match value(t, x) {
            x if x.is_finite() && x != 0.0 => nearest(t, x * (0.2 * x + 0.5).clamp(0.0, 1.0)),
            _ => right,
        }),
    },
    Defect {
        id: "hardswish-ends-at-six",
        class: Arithmetic,
        says: "Elements above 6 come out as 6.",
        operators: &["HardSwish"],
        types: FLOATS,
        caught_by: "onnx exhaustive hard stratified",
        wrong: of_one_element!(|t, x, right| if value(t, x) > 6.0 {
            nearest(t, 6.0)
        } else {
            right
        }),
    },
    Defect {
        id: "hardsigmoid-by-a-sixth",
        class: Arithmetic,
        says: "Where it is left out, the slope of HardSigmoid is a sixth.",
        operators: &["HardSigmoid"],
        types: FLOATS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: Wrong::Tensors(|request, right| {
            if ["alpha", "beta"].iter().any(|name| request.attributes.contains_key(*name)) {
                return right;
            }
            elementwise(request, right, |t, operands, right| match value(t, operands[0]) {
                x if x.is_finite() => nearest(t, (x / 6.0 + 0.5).clamp(0.0, 1.0)),
                _ => right,
            })
        }),
    },
    Defect {
        id: "hardsigmoid-without-upper-end",
        class: Arithmetic,
        says: "Results above 1 are not cut.",
        operators: &["HardSigmoid"],
        types: FLOATS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: Wrong::Tensors(|request, right| {
            let float = |name, otherwise| match request.attributes.get(name) {
                Some(Attribute::Float(value)) => f64::from(*value),
                _ => otherwise,
            };
            let line = [float("alpha", f64::from(0.2_f32)), float("beta", 0.5)];
            elementwise(request, right, |t, operands, right| {
                let sum = line[0] * value(t, operands[0]) + line[1];
                if sum > 1.0 { nearest(t, sum) } else { right }
            })
        }),
    },
    Defect {
        id: "hardswish-of-nan-is-cut",
        class: SpecialValues,
        says: "A NaN is cut like a number that is too small.",
        operators: &["HardSwish"],
        types: FLOATS,
        caught_by: "onnx exhaustive hard",
        wrong: of_one_element!(|t, x, right| if class(t, x) == Class::Nan { 0 } else { right }),
    },
];
