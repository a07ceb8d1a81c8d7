//! The approximated functions of one number computed wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{Arithmetic, SpecialValues};
use onnx_conformance::dtype::DType::{self, Float16, Float32, Float64};
use onnx_conformance::float::Class;
use onnx_conformance::kernels::Attribute;

use crate::defect::{Defect, Wrong};
use crate::kernels::{class, nearest, value};
use crate::request::{Request, elementwise, of_one_element};
use crate::types::FLOATS;

const FROM_ZERO: &[&str] = &["Asinh", "Atanh", "Elu", "Log", "Mish", "Sinh", "Swish", "Tanh"];

/// A function in binary64, by its operator's name.
fn function(name: &str, x: f64) -> f64 {
    match name {
        "Acosh" => libm::acosh(x),
        "Asinh" => libm::asinh(x),
        "Atanh" => libm::atanh(x),
        "Cosh" => libm::cosh(x),
        "Elu" => {
            if x < 0.0 {
                libm::expm1(x)
            } else {
                x
            }
        }
        "Log" => libm::log(x),
        "Mish" => x * libm::tanh(softplus(x)),
        "Selu" if x > 0.0 => f64::from(1.050_701_f32) * x,
        "Selu" => f64::from(1.050_701_f32) * f64::from(1.673_263_2_f32) * libm::expm1(x),
        "Sigmoid" => 1.0 / (1.0 + libm::exp(-x)),
        "Sinh" => libm::sinh(x),
        "Softplus" => softplus(x),
        "Swish" => x / (1.0 + libm::exp(-x)),
        "Tanh" => libm::tanh(x),
        _ => panic!("{name}"),
    }
}

fn softplus(x: f64) -> f64 {
    x.max(0.0) + libm::log1p(libm::exp(-x.abs()))
}

/// Whether a request leaves out the attributes that change the function.
fn is_by_default(request: &Request<'_>) -> bool {
    !["alpha", "gamma"].iter().any(|name| request.attributes.contains_key(*name))
        && request.operator.since_version() > 1
}

/// The request with another attribute, computed anew where it was not refused.
fn with(request: &Request<'_>, right: Outcome, name: &str, value: f32) -> Outcome {
    let Outcome::Outputs(_) = right else { return right };
    request.with(name, Some(Attribute::Float(value))).computed()
}

fn is_negative(t: DType, x: u64) -> bool {
    value(t, x) < 0.0
}

/// Another function of the numbers that are not 0.
macro_rules! of_number {
    (|$number:ident| $result:expr) => {
        of_one_element!(|t, x, right| match value(t, x) {
            $number if $number.is_finite() && $number != 0.0 => nearest(t, $result),
            _ => right,
        })
    };
}

/// A number as binary32, if that is the type.
macro_rules! in_float32 {
    (|$x:ident| $result:expr) => {
        of_one_element!(|t, bits, right| match t {
            Float32 if class(t, bits) != Class::Nan => {
                let $x = value(t, bits) as f32;
                nearest(t, f64::from($result))
            }
            _ => right,
        })
    };
}

/// Another number for some elements where `alpha` is given.
macro_rules! by_alpha {
    (|$x:ident, $alpha:ident| if $is:expr => $result:expr) => {
        Wrong::Tensors(|request, right| {
            let Some(Attribute::Float(alpha)) = request.attributes.get("alpha") else {
                return right;
            };
            let $alpha = f64::from(*alpha);
            elementwise(request, right, |t, operands, right| match value(t, operands[0]) {
                $x if $is => nearest(t, $result),
                _ => right,
            })
        })
    };
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "functions-flush-subnormal-operands",
        class: SpecialValues,
        says: "Subnormal operands are taken for zeros.",
        operators: FROM_ZERO,
        types: FLOATS,
        caught_by: "sonnx onnx exhaustive hard stratified",
        wrong: Wrong::Tensors(|request, right| {
            let name = request.operator.name();
            elementwise(request, right, |t, operands, right| match class(t, operands[0]) {
                Class::Subnormal => {
                    nearest(t, function(name, 0.0_f64.copysign(value(t, operands[0]))))
                }
                _ => right,
            })
        }),
    },
    Defect {
        id: "log-of-magnitude",
        class: SpecialValues,
        says: "The logarithm of a negative number is that of its magnitude.",
        operators: &["Log"],
        types: FLOATS,
        caught_by: "sonnx onnx exhaustive hard",
        wrong: of_one_element!(|t, x, right| {
            let number = value(t, x);
            if number < 0.0 { nearest(t, libm::log(-number)) } else { right }
        }),
    },
    Defect {
        id: "log-1p-of-difference",
        class: Arithmetic,
        says: "The logarithm next to 1 is that of the operand, less 1 and nothing more.",
        operators: &["Log"],
        types: &[Float32, Float64],
        caught_by: "sonnx onnx hard stratified",
        wrong: of_one_element!(|t, x, right| {
            let less = value(t, x) - 1.0;
            let limit = if t == Float64 { 1e-7 } else { 1e-3 };
            if matches!(t, Float32 | Float64) && less.abs() < limit {
                nearest(t, less)
            } else {
                right
            }
        }),
    },
    Defect {
        id: "tanh-clamped-at-4",
        class: Arithmetic,
        says: "From 4 on the hyperbolic tangent is 1.",
        operators: &["Tanh"],
        types: &[Float32, Float64],
        caught_by: "sonnx onnx",
        wrong: of_one_element!(|t, x, right| {
            let number = value(t, x);
            if number.abs() > 4.0 { nearest(t, 1.0_f64.copysign(number)) } else { right }
        }),
    },
    Defect {
        id: "tanh-by-difference",
        class: Arithmetic,
        says: "The hyperbolic tangent is the quotient of e^2x - 1 and e^2x + 1 in float32.",
        operators: &["Tanh"],
        types: &[Float32],
        caught_by: "sonnx onnx onnx-1.22.0-exact hard stratified",
        wrong: in_float32!(|x| {
            let power = libm::expf(2.0 * x.clamp(-40.0, 40.0));
            (power - 1.0) / (power + 1.0)
        }),
    },
    Defect {
        id: "sigmoid-of-overflow-is-nan",
        class: SpecialValues,
        says: "Where e^x of float32 overflows, e^x / (1 + e^x) is a NaN.",
        operators: &["Sigmoid"],
        types: &[Float32],
        caught_by: "sonnx onnx hard stratified",
        wrong: in_float32!(|x| {
            let power = libm::exp(x.into()) as f32;
            if power.is_infinite() { f32::NAN } else { function("Sigmoid", x.into()) as f32 }
        }),
    },
    Defect {
        id: "sigmoid-flushed-at-minus-88",
        class: SpecialValues,
        says: "Where e^-x of float32 overflows, the reciprocal of it is zero.",
        operators: &["Sigmoid"],
        types: &[Float32],
        caught_by: "sonnx onnx hard",
        wrong: in_float32!(|x| 1.0 / (1.0 + libm::exp(-f64::from(x)) as f32)),
    },
    Defect {
        id: "softplus-without-log1p",
        class: Arithmetic,
        says: "ln(1 + e^x) of float32 is the logarithm of the rounded sum, so that it is 0 below -17.",
        operators: &["Softplus"],
        types: &[Float32],
        // The suite's profile accepts what the function body gives.
        caught_by: "onnx-1.22.0-exact hard",
        wrong: in_float32!(|x| match x {
            ..80.0 => libm::log((1.0 + libm::exp(x.into()) as f32).into()) as f32,
            _ => x,
        }),
    },
    Defect {
        id: "softplus-overflows-at-89",
        class: SpecialValues,
        says: "ln(1 + e^x) is an infinity where e^x is one.",
        operators: &["Softplus"],
        types: FLOATS,
        caught_by: "exhaustive hard stratified",
        wrong: of_one_element!(|t, x, right| {
            let power = value(t, nearest(t, libm::exp(value(t, x))));
            if power.is_infinite() { nearest(t, power) } else { right }
        }),
    },
    Defect {
        id: "softplus-is-x-from-20-on",
        class: Arithmetic,
        says: "From 20 on, ln(1 + e^x) of float64 is x.",
        operators: &["Softplus"],
        types: &[Float64],
        caught_by: "onnx",
        wrong: of_one_element!(|t, x, right| if t == Float64 && value(t, x) > 20.0 {
            x
        } else {
            right
        }),
    },
    Defect {
        id: "sinh-by-difference",
        class: Arithmetic,
        says: "The hyperbolic sine is half the difference of e^x and e^-x in float32.",
        operators: &["Sinh"],
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0-exact hard stratified",
        wrong: in_float32!(|x| match x.abs() {
            ..80.0 => (libm::exp(x.into()) as f32 - libm::exp(-f64::from(x)) as f32) / 2.0,
            _ => libm::sinh(x.into()) as f32,
        }),
    },
    Defect {
        id: "halves-of-powers-overflow",
        class: SpecialValues,
        says: "Where e^|x| overflows, half of it is an infinity.",
        operators: &["Cosh", "Sinh"],
        types: FLOATS,
        caught_by: "onnx exhaustive hard",
        wrong: of_one_element!(|t, x, right| {
            let number = value(t, x);
            let power = value(t, nearest(t, libm::exp(number.abs())));
            let is_odd = number < 0.0 && is_negative(t, right);
            match power.is_infinite() {
                true => nearest(t, if is_odd { -power } else { power }),
                false => right,
            }
        }),
    },
    Defect {
        id: "cosh-without-the-smaller-power",
        class: Arithmetic,
        says: "From 4 on, the hyperbolic cosine is half of e^|x|.",
        operators: &["Cosh"],
        types: &[Float32, Float64],
        caught_by: "onnx hard",
        wrong: of_one_element!(|t, x, right| {
            let magnitude = value(t, x).abs();
            if (4.0..700.0).contains(&magnitude) {
                nearest(t, libm::exp(magnitude) / 2.0)
            } else {
                right
            }
        }),
    },
    Defect {
        id: "asinh-of-overflowing-square",
        class: SpecialValues,
        says: "The inverse hyperbolic sine is an infinity where the square of the operand is one.",
        operators: &["Asinh"],
        types: FLOATS,
        caught_by: "onnx exhaustive hard stratified",
        wrong: of_one_element!(|t, x, right| {
            let number = value(t, x);
            let square = value(t, nearest(t, number * number));
            if square.is_infinite() { nearest(t, square.copysign(number)) } else { right }
        }),
    },
    Defect {
        id: "asinh-of-signed-sum",
        class: Arithmetic,
        says: "The inverse hyperbolic sine is ln(x + sqrt(x^2 + 1)) in float32, which cancels for negative x.",
        operators: &["Asinh"],
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0-exact hard stratified",
        wrong: in_float32!(|x| match x {
            -1e10..1e10 => libm::log((x + (x * x + 1.0).sqrt()).into()) as f32,
            _ => libm::asinh(x.into()) as f32,
        }),
    },
    Defect {
        id: "acosh-clamped-at-1",
        class: SpecialValues,
        says: "Below 1 the inverse hyperbolic cosine is 0.",
        operators: &["Acosh"],
        types: FLOATS,
        caught_by: "onnx exhaustive hard stratified",
        wrong: of_one_element!(|t, x, right| if value(t, x) < 1.0 { 0 } else { right }),
    },
    Defect {
        id: "acosh-of-rounded-square",
        class: Arithmetic,
        says: "The inverse hyperbolic cosine is ln(x + sqrt(x^2 - 1)) in float32, which loses what is next to 1.",
        operators: &["Acosh"],
        types: &[Float32],
        caught_by: "onnx hard",
        wrong: in_float32!(|x| match x {
            1.0..1e10 => libm::log((x + (x * x - 1.0).sqrt()).into()) as f32,
            _ => libm::acosh(x.into()) as f32,
        }),
    },
    Defect {
        id: "atanh-of-1-is-nan",
        class: SpecialValues,
        says: "The inverse hyperbolic tangent of 1 and -1 is a NaN.",
        operators: &["Atanh"],
        types: FLOATS,
        caught_by: "onnx exhaustive hard",
        wrong: of_one_element!(|t, x, right| if value(t, x).abs() == 1.0 {
            nearest(t, f64::NAN)
        } else {
            right
        }),
    },
    Defect {
        id: "atanh-beyond-1-is-infinite",
        class: SpecialValues,
        says: "The inverse hyperbolic tangent of a number beyond 1 is an infinity.",
        operators: &["Atanh"],
        types: FLOATS,
        caught_by: "onnx exhaustive hard stratified",
        wrong: of_one_element!(|t, x, right| {
            let number = value(t, x);
            if number.abs() > 1.0 { nearest(t, f64::INFINITY.copysign(number)) } else { right }
        }),
    },
    Defect {
        id: "elu-scales-positive-elements",
        class: Arithmetic,
        says: "`alpha` is a factor of positive elements, too.",
        operators: &["Elu"],
        types: &[Float16, Float32, Float64],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: by_alpha!(|x, alpha| if x > 0.0 => alpha * x),
    },
    Defect {
        id: "elu-of-exp-less-1",
        class: Arithmetic,
        says: "e^x - 1 is the difference of e^x in float32 and 1, which cancels next to 0.",
        operators: &["Elu"],
        types: &[Float32],
        caught_by: "onnx-1.22.0-exact hard stratified",
        wrong: Wrong::Tensors(|request, right| {
            if !is_by_default(request) {
                return right;
            }
            elementwise(request, right, |t, operands, right| match t {
                Float32 if is_negative(t, operands[0]) => {
                    nearest(t, f64::from(libm::exp(value(t, operands[0])) as f32 - 1.0))
                }
                _ => right,
            })
        }),
    },
    Defect {
        id: "selu-of-version-1",
        class: Arithmetic,
        says: "The defaults are those of version 1.",
        operators: &["Selu"],
        types: &[Float32, Float64],
        caught_by: "onnx onnx-1.22.0-exact hard stratified",
        wrong: Wrong::Tensors(|request, right| match is_by_default(request) {
            true => {
                let right = with(request, right, "alpha", 1.6732);
                let Outcome::Outputs(_) = right else { return right };
                let mut other = request.clone();
                other.attributes.insert("alpha".to_owned(), Attribute::Float(1.6732));
                other.attributes.insert("gamma".to_owned(), Attribute::Float(1.0507));
                other.computed()
            }
            false => right,
        }),
    },
    Defect {
        id: "selu-without-gamma",
        class: Arithmetic,
        says: "`gamma` is a factor of positive elements alone.",
        operators: &["Selu"],
        types: FLOATS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: Wrong::Tensors(|request, right| {
            if !is_by_default(request) {
                return right;
            }
            elementwise(request, right, |t, operands, right| match value(t, operands[0]) {
                x if x < 0.0 => nearest(t, f64::from(1.673_263_2_f32) * libm::expm1(x)),
                _ => right,
            })
        }),
    },
    Defect {
        id: "mish-flushed-at-minus-17",
        class: Arithmetic,
        says: "ln(1 + e^x) of float32 is that of the rounded sum, so that results below -17 are zero.",
        operators: &["Mish"],
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0-exact hard stratified",
        wrong: in_float32!(|x| match x {
            -1e30..80.0 => {
                let sum = 1.0 + libm::exp(x.into()) as f32;
                (f64::from(x) * libm::tanh(libm::log(sum.into()))) as f32
            }
            _ => x,
        }),
    },
    Defect {
        id: "mish-of-sigmoid",
        class: Arithmetic,
        says: "The function is x / (1 + e^-x), which is another.",
        operators: &["Mish"],
        types: FLOATS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: of_number!(|number| number / (1.0 + libm::exp(-number))),
    },
    Defect {
        id: "swish-alpha-outside-the-power",
        class: Arithmetic,
        says: "`alpha` is a factor of the element, and not of the power of e.",
        operators: &["Swish"],
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            let alpha = match request.attributes.get("alpha") {
                Some(Attribute::Float(alpha)) => f64::from(*alpha),
                _ => return right,
            };
            elementwise(request, right, |t, operands, right| match value(t, operands[0]) {
                x if x.is_finite() && t == Float32 => nearest(t, alpha * x / (1.0 + libm::exp(-x))),
                _ => right,
            })
        }),
    },
    Defect {
        id: "swish-flushed-at-minus-88",
        class: SpecialValues,
        says: "Where e^-x of float32 overflows, the result is zero.",
        operators: &["Swish"],
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_one_element!(|t, x, right| {
            let number = value(t, x);
            let power = libm::exp(-number) as f32;
            if t == Float32 && number.is_finite() && power.is_infinite() {
                nearest(t, -0.0)
            } else {
                right
            }
        }),
    },
    Defect {
        id: "swish-by-line-segments",
        class: Arithmetic,
        says: "The function is x (x / 6 + 1 / 2), the factor cut at 0 and 1, which is another.",
        operators: &["Swish"],
        types: FLOATS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: of_number!(|number| number * (number / 6.0 + 0.5).clamp(0.0, 1.0)),
    },
    Defect {
        id: "celu-with-alpha-outside-alone",
        class: Arithmetic,
        says: "The element is not divided by `alpha`.",
        operators: &["Celu"],
        types: &[Float16, Float32, Float64],
        caught_by: "onnx",
        wrong: by_alpha!(|x, alpha| if x < 0.0 => alpha * libm::expm1(x)),
    },
    Defect {
        id: "celu-with-alpha-inside-alone",
        class: Arithmetic,
        says: "The result is not multiplied by `alpha`.",
        operators: &["Celu"],
        types: &[Float16, Float32, Float64],
        caught_by: "onnx",
        wrong: by_alpha!(|x, alpha| if x < 0.0 => libm::expm1(x / alpha)),
    },
    Defect {
        id: "celu-as-elu-of-alpha-times-the-element",
        class: Arithmetic,
        says: "The element is multiplied by `alpha` where it should be divided.",
        operators: &["Celu"],
        types: &[Float16, Float32, Float64],
        caught_by: "onnx",
        wrong: by_alpha!(|x, alpha| if x < 0.0 => libm::expm1(x * alpha) / alpha),
    },
    Defect {
        id: "softsign-without-magnitude",
        class: Arithmetic,
        says: "The divisor is 1 + x, whatever the sign of x.",
        operators: &["Softsign"],
        types: FLOATS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: of_one_element!(|t, x, right| {
            let number = value(t, x);
            if number < 0.0 { nearest(t, number / (1.0 + number)) } else { right }
        }),
    },
    Defect {
        id: "softsign-as-tanh",
        class: Arithmetic,
        says: "The function is another of the same limits.",
        operators: &["Softsign"],
        types: FLOATS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: of_number!(|number| libm::tanh(number)),
    },
    Defect {
        id: "softsign-of-the-root-of-squares",
        class: Arithmetic,
        says: "The divisor is the root of 1 + x^2.",
        operators: &["Softsign"],
        types: FLOATS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: of_number!(|number| number / libm::sqrt(1.0 + number * number)),
    },
];
