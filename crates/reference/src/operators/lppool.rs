//! LpPool: the norm of each window, (|x1|^p + |x2|^p + ..)^(1/p).
//!
//! `pooling.rs` has the windows. The padding adds nothing, and neither does what lies beyond it. The powers and the root are approximated, as
//! Pow is, or products; 1/p may be rounded, and the sum may be in any order, in the elements' format or a wider one: powers that
//! overflow or underflow in it leave more than one result. The formulas for the shape do not name the dilations, which the evaluator and the
//! inference of shapes count; that windows are left out which begin in the padding at the end is what the inference does since
//! version 22. No text says what windows version 1 has without `kernel_shape`, which is refused, or what a norm of an order of 0 or
//! less is, which is open. Sources: ONNX's schemas of LpPool-1, 2, 11, 18 and 22.

use values::dtype::DType::{self, Bfloat16, Float16, Float32, Float64};
use values::float::FloatFormat;
use values::tensor::Tensor;

use super::maxpool::AUTO_PAD;
use crate::case_table::{self, Own};
use crate::exact::composed::{Arithmetic, Computed, Exact};
use crate::families::along::flag;
use crate::families::computation::{Elements, attribute, format_of, value};
use crate::families::pooling::{OUTSIDE_REASON, Windows, is_disputed};
use crate::families::summing::elements_at;
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Ports, Reference, TensorType, Version,
};

/// LpPool in ONNX's default domain.
pub static LPPOOL: Operator = Operator {
    documents: &[Document {
        key: "onnx-lppool",
        catalogue: include_str!("lppool/onnx-lppool.toml"),
    }],
    cases: Some(|of| {
        let table = include_str!("lppool/cases.toml");
        case_table::cases(of, &LPPOOL, &[table], Own::NONE)
    }),
    ..Operator::onnx("LpPool", OperatorKind::Composed, &VERSIONS, &LpPool)
};

const VERSIONS: [Version; 5] = [
    const { Ports::new(["X"], "Y", TYPES_1) }.since(1, &ATTRIBUTES_1),
    const { Ports::new(["X"], "Y", TYPES_1) }.since(2, ATTRIBUTES.split_at(2).1),
    const { Ports::new(["X"], "Y", TYPES_1) }.since(11, ATTRIBUTES.split_at(2).1),
    const { Ports::new(["X"], "Y", TYPES_1) }.since(18, &ATTRIBUTES),
    const { Ports::new(["X"], "Y", &TYPES) }.since(22, &ATTRIBUTES),
];

pub(super) const TYPES: [DType; 4] = [Bfloat16, Float16, Float32, Float64];
pub(super) const TYPES_1: &[DType] = TYPES.split_at(1).1;

const ATTRIBUTES_1: [Attribute; 5] = [
    P_1,
    Attribute::new("pads", AttributeType::Ints),
    Attribute::new("auto_pad", AttributeType::Text(AUTO_PAD)).otherwise(Otherwise::Text("NOTSET")),
    Attribute::new("strides", AttributeType::Ints),
    Attribute::new("kernel_shape", AttributeType::Ints),
];
const ATTRIBUTES: [Attribute; 7] = [
    Attribute::new("dilations", AttributeType::Ints),
    Attribute::new("ceil_mode", AttributeType::Int).otherwise(Otherwise::Int(0)),
    P,
    ATTRIBUTES_1[1],
    ATTRIBUTES_1[2],
    ATTRIBUTES_1[3],
    ATTRIBUTES_1[4].otherwise(Otherwise::Invalid),
];
/// The order of the norm, as version 1 has it, and since version 2.
pub(super) const P_1: Attribute =
    Attribute::new("p", AttributeType::Float).otherwise(Otherwise::Float(0x4000_0000));
pub(super) const P: Attribute =
    Attribute::new("p", AttributeType::Int).otherwise(Otherwise::Int(2));

const ORDER: &str = "no document says what the norm of such an order is";

/// The order of the norm.
fn order(call: &Call, arithmetic: &Arithmetic) -> Computed {
    let order = match call.int("p") {
        Some(order) => arithmetic.integer(order),
        None => attribute(call.float("p").unwrap_or_default(), arithmetic.bits()),
    };
    match order.exact_number() {
        Some(number) if number.is_positive() => order,
        _ => Computed::open(Exact::Undefined, ORDER),
    }
}

/// The norm of elements.
fn norm(arithmetic: &Arithmetic, elements: &[Computed], order: &Computed) -> Computed {
    // A power may be a product of so many factors.
    let factors = order.exact_number().map(|order| order.integers()[1].clone());
    let factors = factors.and_then(|factors| u32::try_from(factors).ok()).unwrap_or(u32::MAX);
    let (exponent, ulps) = (arithmetic.converted(order), arithmetic.published());
    let power = |element: &Computed| {
        arithmetic.power(&element.magnitude(), &exponent, ulps.max(factors.min(MOST_FACTORS)))
    };
    let sum = arithmetic.sum(&elements.iter().map(power).collect::<Vec<_>>());
    arithmetic.root(&sum.magnitude(), &exponent, ulps)
}

/// Factors beyond which powers are not products.
const MOST_FACTORS: u32 = 64;

/// What is allowed of the norms of windows.
pub(super) fn norms<'a>(
    call: &'a Call,
    data: &'a Tensor,
    format: &'static FloatFormat,
    windows: Windows,
    is_open_without_elements: bool,
) -> Vec<Box<dyn Allowed + 'a>> {
    let of = windows.clone();
    let compute = move |index: usize, bits: u32| {
        let places = windows.places(index);
        if places.is_empty() && is_open_without_elements {
            return Computed::open(Exact::Undefined, OUTSIDE_REASON);
        }
        let arithmetic = Arithmetic::of(format, bits);
        let elements: Vec<Computed> =
            places.into_iter().map(|place| value(data, place, bits)).collect();
        norm(&arithmetic, &elements, &order(call, &arithmetic))
    };
    let operands = move |index: usize| elements_at(data, of.places(index).into_iter());
    vec![Box::new(Elements::new(format, compute, operands))]
}

/// The windows of a call.
fn windows(call: &Call) -> Result<Windows, Invalid> {
    if !call.attributes.contains_key("kernel_shape") {
        return Err(call.invalid("needs `kernel_shape`, as no document says what it is without"));
    }
    Windows::of(call, flag(call, "ceil_mode")?)
}

struct LpPool;

impl Reference for LpPool {
    fn is_disputed(&self, call: &Call) -> bool {
        is_disputed(call)
    }

    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        Ok(vec![TensorType::new(call.input(0)?.dtype(), windows(call)?.shape)?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(data), Ok(windows)) = (call.input(0), windows(call)) else { return Vec::new() };
        let Some(format) = format_of(data.dtype()) else { return Vec::new() };
        norms(call, data, format, windows, false)
    }
}

#[cfg(test)]
mod tests;
