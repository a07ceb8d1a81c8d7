//! SwiGLU: Swish of one tensor, the gate, times another: a / (1 + e^(-alpha a)) b.
//!
//! The gate is what Swish may give, by its formula or by the steps of its function body, each within the limits of the profiles; the product
//! is rounded. Where a and alpha a are infinite and alpha a is negative, the formula has no value and its limit is 0: the gate is either. Where alpha
//! a is infinity times 0 nothing decides what Swish is. Source: ONNX's schema and function of SwiGLU-28, which states that the gate is Swish.

use crate::case_table::{self, Own};
use crate::exact::composed::{Arithmetic, Computed, Exact};
use crate::exact::interval::Interval;
use crate::families::computation::{Elements, attribute, format_of, value};
use crate::families::function::{RealFunction, is_below};
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Ports, Reference, TensorType, Version,
};
use crate::operators::sigmoid::Logistic;
use crate::operators::swish::{NO_PRODUCT, ONE};
use crate::signature::FLOATS;
use values::element::Element;

/// SwiGLU in ONNX's default domain.
pub static SWIGLU: Operator = Operator {
    documents: &[Document {
        key: "onnx-swiglu",
        catalogue: include_str!("swiglu/onnx-swiglu.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &SWIGLU, &[include_str!("swiglu/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("SwiGLU", OperatorKind::Composed, &VERSIONS, &SwiGlu)
};

const VERSIONS: [Version; 1] = [const { Ports::new(["A", "B"], "Y", FLOATS) }
    .since(28, &[Attribute::new("alpha", AttributeType::Float).otherwise(Otherwise::Float(ONE))])];

/// The binade of numbers at which 1 / (1 + e^-t) times two elements of any format is next to nothing, or next to their product.
const FAR: i64 = 13;

/// 1 / (1 + e^-t).
fn logistic(t: &Interval) -> Option<Interval> {
    let end = Interval::integer(1 << FAR, t.precision());
    // Numbers so far apart are not compared in steps of the smaller one.
    let near = match is_below(t, 2 * FAR) {
        true => (-&(-t).at_most(&end)).at_most(&end),
        false if t.is_point() && t.is_negative() => -end,
        false if t.is_point() => end,
        false => (-&end).hull(&end),
    };
    Logistic.enclosure(&near)
}

/// What Swish gives of a value.
pub(crate) fn gate(a: &Arithmetic, x: &Computed, alpha: &Computed) -> Computed {
    let product = a.mul(&a.converted(alpha), x);
    let is_infinite = |value: &Computed| matches!(value.exact, Exact::Infinite { .. });
    let is_zero = |value: &Computed| value.exact_number().is_some_and(Interval::is_zero);
    if is_infinite(x) && is_zero(alpha) || is_infinite(alpha) && is_zero(x) {
        return Computed::open(Exact::Undefined, NO_PRODUCT);
    }
    let ends = [a.integer(0), a.integer(1)];
    let mut by_steps = a.mul(x, &a.function(&product, a.published(), ends, logistic));
    // An infinity by a power of e that is 0.
    if x.infinities != [false; 2] && by_steps.nan && !x.nan && !alpha.nan {
        by_steps = by_steps.or(&Computed::zero(a.bits()));
    }
    match (x.exact_number(), alpha.exact_number(), &x.numbers) {
        (Some(number), Some(alpha), Some(numbers)) => {
            let limits = [Computed::nan(), Computed::nan()];
            let function = |x: &Interval| Some(x * &logistic(&(x * alpha))?);
            let at = |end: Interval| {
                let is_negative = end.is_negative();
                let mut value =
                    a.function(&Computed::number(end), a.published(), limits.clone(), function);
                // However near to 0, the gate has the sign of the element.
                if is_negative {
                    value.numbers = value.numbers.map(|numbers| -(-numbers).not_negative());
                }
                value
            };
            // Between two numbers the function is between their values, or near its minimum, which the steps enclose.
            let at_once = at(numbers.lower()).or(&at(numbers.upper()));
            let exact = function(number).map_or(Exact::Undefined, Exact::Number);
            Computed { exact, signs: by_steps.signs, ..at_once.or(&by_steps) }
        }
        _ => by_steps,
    }
}

struct SwiGlu;

impl Reference for SwiGlu {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let [a, b] = [call.input(0)?, call.input(1)?];
        if a.shape() != b.shape() {
            let shapes = [a.shape(), b.shape()];
            return Err(call.invalid(&format!("takes no tensors of different shapes {shapes:?}")));
        }
        Ok(vec![TensorType::of(a)])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(gates), Ok(factors)) = (call.input(0), call.input(1)) else { return Vec::new() };
        let Some(format) = format_of(gates.dtype()) else { return Vec::new() };
        let alpha = call.float("alpha").unwrap_or(ONE);
        let compute = move |index: usize, bits: u32| {
            let a = Arithmetic::of(format, bits);
            let gate = gate(&a, &value(gates, index, bits), &attribute(alpha, bits));
            a.mul(&gate, &value(factors, index, bits))
        };
        let operands = move |index: usize| {
            [gates, factors].into_iter().filter_map(|of| Element::of(of, index)).collect()
        };
        vec![Box::new(Elements::new(format, compute, operands))]
    }
}

#[cfg(test)]
mod tests;
