//! LeakyRelu: the element, or where it is negative `alpha` times it, correctly rounded.
//!
//! `alpha` is an attribute of type float32, and by default the float32 nearest to 0.01. Its value is that of the
//! float32 exactly, which float64 holds as well. Float16 and bfloat16 may not: no document says whether it is
//! rounded to the type of the elements before it is multiplied, so that the product of either conforms.
//! An element that is -0 is not negative, and of a NaN both branches give a NaN.
//!
//! SONNX wants `alpha` to be given, and says that a NaN comes of a NaN alone: that of -infinity by 0, which its
//! formula gives, it excludes, so that it leaves this one open. Sources: ONNX's schemas of LeakyRelu-1, 6 and 16;
//! SONNX's LeakyRelu; IEEE 754-2019, 5.4.1 (multiplication), 6.1 to 6.3.

mod boundaries;
mod fast_check;
mod hard_inputs;

use values::dtype::DType;
use values::element::Element;
use values::float::{Class, FloatFormat};

use super::clip::converted;
use crate::case_table::{self, Own};
use crate::elementwise::{Elementwise, FOREIGN, bits_of};
use crate::exact::number::{Value, infinity, zero};
use crate::exact::truncated::Exact;
use crate::exact::{Conforming, Deviation, real};
use crate::families::binary::CONSUMED_INPUTS;
use crate::families::unary;
use crate::operator::{
    Attribute, AttributeType, AttributeValue, Attributes, Document, Operator, OperatorKind,
    Otherwise, Ports, Specification, Version,
};
use crate::pointwise::Pointwise;
use crate::real::Real;
use crate::signature::{FLOATS, IEEE_FLOATS};

/// LeakyRelu in ONNX's default domain.
pub static LEAKYRELU: Operator = Operator {
    documents: &[
        Document {
            key: "sonnx-leakyrelu",
            catalogue: include_str!("leakyrelu/sonnx-leakyrelu.toml"),
        },
        Document {
            key: "onnx-leakyrelu",
            catalogue: include_str!("leakyrelu/onnx-leakyrelu.toml"),
        },
    ],
    fast_checks: Some(&fast_check::FastLeak),
    hard_inputs: Some(hard_inputs::parts),
    cases: Some(|of| {
        let tables = [include_str!("leakyrelu/cases.toml")];
        case_table::cases(of, &LEAKYRELU, &tables, Own::NONE)
    }),
    coverage: include_str!("leakyrelu/coverage.txt"),
    readings: Some(include_str!("leakyrelu/readings.toml")),
    ..Operator::onnx("LeakyRelu", OperatorKind::Rounded, &VERSIONS, &REFERENCE)
};

/// The float32 nearest to 0.01.
const DEFAULT: u32 = 0x3c23_d70a;

const ALPHA: Attribute =
    Attribute::new("alpha", AttributeType::Float).otherwise(Otherwise::Float(DEFAULT));

const VERSIONS: [Version; 3] = [
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(1, &[CONSUMED_INPUTS, ALPHA]),
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(6, &[ALPHA]),
    const { Ports::new(["X"], "Y", FLOATS) }.since(16, &[ALPHA]),
];

const EXCLUDED: &str =
    "the formula gives a NaN, which the error conditions exclude for these operands";

/// The function with a value of `alpha`.
#[derive(Clone, Copy, Debug)]
pub struct Leaky {
    alpha: u32,
    is_sonnx: bool,
}

impl Leaky {
    fn of(specification: Specification, attributes: &Attributes) -> Self {
        let alpha = match attributes.get("alpha") {
            Some(AttributeValue::Float(bits)) => *bits,
            _ => DEFAULT,
        };
        Self { alpha, is_sonnx: specification == Specification::Sonnx }
    }

    /// `alpha` as it is, and as the nearest number of a format.
    fn factors(self, format: &'static FloatFormat) -> [(&'static FloatFormat, u64); 2] {
        [(&FloatFormat::FLOAT32, self.alpha.into()), (format, converted(format, self.alpha))]
    }
}

/// Whether an element is less than zero.
fn is_negative(format: &FloatFormat, x: u64) -> bool {
    format.is_negative(x) && !matches!(format.class(x), Class::Zero | Class::Nan)
}

/// The product of a number of one format and another of a second, rounded to this; its sign is that of both.
fn product(
    (of, factor): (&'static FloatFormat, u64),
    format: &'static FloatFormat,
    x: u64,
) -> Conforming {
    let negative = of.is_negative(factor) != format.is_negative(x);
    match (Value::of(of, factor), Value::of(format, x)) {
        (Value::Nan, _)
        | (_, Value::Nan)
        | (Value::Infinite, Value::Zero)
        | (Value::Zero, Value::Infinite) => Conforming::AnyNan(format),
        (Value::Infinite, _) | (_, Value::Infinite) => infinity(format, negative),
        (Value::Zero, _) | (_, Value::Zero) => zero(format, negative),
        (Value::Finite(a), Value::Finite(b)) => Exact::product(a, b).nearest(format, negative),
    }
}

/// How far a result is from a product of finite numbers.
fn error(
    (of, factor): (&'static FloatFormat, u64),
    format: &'static FloatFormat,
    x: u64,
    actual: u64,
) -> Deviation {
    let negative = of.is_negative(factor) != format.is_negative(x);
    match (Value::of(of, factor), Value::of(format, x)) {
        (Value::Finite(a), Value::Finite(b)) => {
            Exact::product(a, b).deviation(format, negative, actual)
        }
        (Value::Zero, Value::Finite(_) | Value::Zero) | (Value::Finite(_), Value::Zero) => {
            Exact::ZERO.deviation(format, negative, actual)
        }
        _ => Deviation::NoRealResult,
    }
}

impl Elementwise for Leaky {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        let Some((format, x)) = unary::operand(dtype, operands) else { return FOREIGN };
        if format.class(x) == Class::Nan {
            return Conforming::AnyNan(format);
        }
        if !is_negative(format, x) {
            return Conforming::One(x);
        }
        let is_alpha_nan = FloatFormat::FLOAT32.class(self.alpha.into()) == Class::Nan;
        let products = self.factors(format).map(|factor| match product(factor, format, x) {
            Conforming::AnyNan(_) if self.is_sonnx && !is_alpha_nan => {
                Conforming::Unspecified(EXCLUDED)
            }
            result => result,
        });
        Conforming::one_of(products).unwrap_or(FOREIGN)
    }

    fn real(&self, dtype: DType, operands: &[Element], _: u32) -> Option<Real> {
        let [bits] = bits_of(dtype, operands)?;
        let x = real::value(dtype, bits)?;
        match is_negative(unary::format(dtype)?, bits) {
            true => {
                let alpha = real::value(DType::Float32, self.alpha.into())?;
                Some(Real::exactly(alpha * x))
            }
            false => Some(Real::exactly(x)),
        }
    }

    /// The error of the nearer of the products that conform.
    fn deviation(&self, dtype: DType, operands: &[Element], actual: u64) -> Deviation {
        let Some((format, x)) = unary::operand(dtype, operands) else {
            return Deviation::NoRealResult;
        };
        if !is_negative(format, x) {
            return crate::exact::distance(dtype, x, actual);
        }
        let [exact, converted] =
            self.factors(format).map(|factor| error(factor, format, x, actual));
        exact.min(converted)
    }
}

/// What is allowed of its results.
const REFERENCE: Pointwise<Leaky> = Pointwise {
    function: Leaky::of,
    broadcast: |call| {
        if call.specification == Specification::Sonnx && !call.attributes.contains_key("alpha") {
            return Err(call.invalid("of this specification has no default for `alpha`"));
        }
        unary::broadcast(call)
    },
    boundaries: Some(&boundaries::LEAKS),
};

#[cfg(test)]
mod tests;
