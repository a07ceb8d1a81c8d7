//! LRN: each element divided by a power of the squares around it, x / (bias + alpha / size * s)^beta, where s is the sum of the squares of
//! `size` channels at its place: floor((size - 1) / 2) before its own, ceil((size - 1) / 2) after it, as far as there are
//! such.
//!
//! The sum is in any order, alpha s / size in any order of its operations, and the power is approximated, as Pow is, or several roots. Where the
//! base may be negative, or may overflow, nothing is decided. A size below 1 has no region and is refused, and so is an input without channels.
//! Sources: ONNX's schemas of LRN-1 and 13.

use values::dtype::DType::{self, Bfloat16, Float16, Float32, Float64};
use values::tensor::Tensor;

use crate::case_table::{self, Own};
use crate::exact::composed::{Arithmetic, Computed, Exact};
use crate::families::computation::{Elements, attribute, format_of, value};
use crate::families::summing::elements_at;
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Ports, Reference, TensorType, Version,
};

/// LRN in ONNX's default domain.
pub static LRN: Operator = Operator {
    documents: &[Document { key: "onnx-lrn", catalogue: include_str!("lrn/onnx-lrn.toml") }],
    cases: Some(|of| {
        let table = include_str!("lrn/cases.toml");
        case_table::cases(of, &LRN, &[table], Own::NONE)
    }),
    ..Operator::onnx("LRN", OperatorKind::Composed, &VERSIONS, &Lrn)
};

const TYPES: [DType; 4] = [Float16, Float32, Float64, Bfloat16];

const VERSIONS: [Version; 2] = [
    const { Ports::new(["X"], "Y", TYPES.split_at(3).0) }.since(1, &ATTRIBUTES),
    const { Ports::new(["X"], "Y", &TYPES) }.since(13, &ATTRIBUTES),
];

const ATTRIBUTES: [Attribute; 4] = [
    // 10^-4, 0.75 and 1.
    Attribute::new("alpha", AttributeType::Float).otherwise(Otherwise::Float(0x38d1_b717)),
    Attribute::new("beta", AttributeType::Float).otherwise(Otherwise::Float(0x3f40_0000)),
    Attribute::new("bias", AttributeType::Float).otherwise(Otherwise::Float(0x3f80_0000)),
    Attribute::new("size", AttributeType::Int).otherwise(Otherwise::Invalid),
];

struct Lrn;

/// The number of channels that are summed up.
fn size(call: &Call) -> Result<usize, Invalid> {
    if call.input(0)?.shape().len() < 2 {
        return Err(call.invalid("takes a tensor of batches and channels"));
    }
    let size = call.int("size").unwrap_or_default();
    let found = usize::try_from(size).ok().filter(|size| *size > 0);
    found.ok_or_else(|| call.invalid(&format!("takes no `size` of {size}")))
}

/// The places of the elements whose squares are summed up for an index.
fn region(shape: &[usize], size: usize, index: usize) -> impl Iterator<Item = usize> + use<> {
    let inner: usize = shape[2..].iter().product();
    let channel = index / inner % shape[1];
    let first = channel.saturating_sub((size - 1) / 2);
    let end = channel.saturating_add(size / 2).saturating_add(1).min(shape[1]);
    let start = index - channel * inner;
    (first..end).map(move |channel| start + channel * inner)
}

/// The element at an index.
fn normalized(call: &Call, x: &Tensor, size: usize, index: usize, a: &Arithmetic) -> Computed {
    let float = |name| attribute(call.float(name).unwrap_or_default(), a.bits());
    let element = |place| value(x, place, a.bits());
    let squares: Vec<_> =
        region(x.shape(), size, index).map(|place| a.square(&element(place))).collect();
    let sum = a.sum(&squares);
    let (alpha, beta, bias) = (a.converted(&float("alpha")), float("beta"), float("bias"));
    let size = a.divisor(a.converted(&a.integer(i64::try_from(size).unwrap_or(i64::MAX))));
    let scaled = a
        .mul(&a.quotient(&alpha, &size), &sum)
        .or(&a.quotient(&a.mul(&alpha, &sum), &size))
        .or(&a.mul(&alpha, &a.quotient(&sum, &size)));
    let base = a.add(&a.converted(&bias), &scaled);
    let x = element(index);
    let (power, is_inverse) = match beta.exact_number() {
        Some(number) if number.is_zero() => (Computed { nan: base.nan, ..a.integer(1) }, false),
        Some(number) => {
            let beta = a.converted(&beta.magnitude());
            (a.power(&base, &beta, a.published()), number.is_negative())
        }
        None => (Computed::open(Exact::Undefined, "`beta` is no number"), false),
    };
    if is_inverse {
        // x / b^beta is x b^-beta.
        let inverse = a.divisor(a.div(&a.integer(1), &power));
        return a.quotient(&x, &inverse).or(&a.mul(&x, &power));
    }
    a.quotient(&x, &a.divisor(power))
}

impl Reference for Lrn {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        size(call)?;
        Ok(vec![TensorType::of(call.input(0)?)])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(x), Ok(size)) = (call.input(0), size(call)) else { return Vec::new() };
        let Some(format) = format_of(x.dtype()) else { return Vec::new() };
        let compute = move |index: usize, bits: u32| {
            normalized(call, x, size, index, &Arithmetic::of(format, bits))
        };
        let operands = move |index: usize| {
            let places = std::iter::once(index).chain(region(x.shape(), size, index));
            elements_at(x, places)
        };
        vec![Box::new(Elements::new(format, compute, operands))]
    }
}

#[cfg(test)]
mod tests;
