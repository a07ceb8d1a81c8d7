//! Sqrt: the square root of an element, as IEEE 754 has it for every operand.
//!
//! Sources: ONNX's schemas of Sqrt-1, 6 and 13; SONNX's Sqrt; IEEE 754-2019, 5.4.1 (squareRoot), 6.1 to
//! 6.3.

mod boundaries;
mod cases;
mod fast_check;
mod hard_inputs;

use values::dtype::DType;
use values::element::Element;
use values::float::FloatFormat;

use crate::case_table;
use crate::elementwise::{Elementwise, FOREIGN, bits_of};
use crate::exact::number::{Value, infinity, zero};
use crate::exact::truncated::Exact;
use crate::exact::{Conforming, Deviation, real};
use crate::families::unary;
use crate::operator::{Document, Operator, OperatorKind};
use crate::pointwise::Pointwise;
use crate::real::Real;

/// Sqrt in ONNX's default domain.
pub static SQRT: Operator = Operator {
    fast_checks: Some(&fast_check::Roots),
    hard_inputs: Some(hard_inputs::parts),
    coverage: include_str!("sqrt/coverage.txt"),
    documents: &[
        Document { key: "sonnx-sqrt", catalogue: include_str!("sqrt/sonnx-sqrt.toml") },
        Document { key: "onnx-sqrt", catalogue: include_str!("sqrt/onnx-sqrt.toml") },
    ],
    readings: Some(include_str!("sqrt/readings.toml")),
    cases: Some(|of| {
        let tables = [unary::CASES, include_str!("sqrt/cases.toml")];
        case_table::cases(of, &SQRT, &tables, cases::OWN)
    }),
    ..Operator::onnx("Sqrt", OperatorKind::Rounded, &unary::FLOAT_VERSIONS, &REFERENCE)
};

/// The conforming results of the square root of the element `x`; `None` for types without exact
/// arithmetic and for integers, which no specification takes the root of.
#[inline]
pub fn sqrt(dtype: DType, x: u64) -> Option<Conforming> {
    unary::format(dtype).map(|format| root(format, x))
}

/// How far the element `actual` is from the real square root of `x`; `None` as for [`sqrt`].
pub fn sqrt_error(dtype: DType, x: u64, actual: u64) -> Option<Deviation> {
    unary::format(dtype).map(|format| root_error(format, x, actual))
}

#[inline]
fn root(format: &'static FloatFormat, x: u64) -> Conforming {
    let negative = format.is_negative(x);
    match Value::of(format, x) {
        Value::Zero => zero(format, negative),
        Value::Nan => Conforming::AnyNan(format),
        _ if negative => Conforming::AnyNan(format),
        Value::Infinite => infinity(format, false),
        Value::Finite(x) => Exact::root(x, format.precision() + 2).nearest(format, false),
    }
}

fn root_error(format: &'static FloatFormat, x: u64, actual: u64) -> Deviation {
    match Value::of(format, x) {
        Value::Zero => Exact::ZERO.deviation(format, false, actual),
        Value::Finite(x_magnitude) if !format.is_negative(x) => {
            Exact::fine_root(x_magnitude).deviation(format, false, actual)
        }
        _ => Deviation::NoRealResult,
    }
}

/// The square root.
#[derive(Clone, Copy, Debug)]
pub struct SquareRoot;

impl Elementwise for SquareRoot {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        bits_of(dtype, operands).and_then(|[x]| sqrt(dtype, x)).unwrap_or(FOREIGN)
    }

    fn real(&self, dtype: DType, operands: &[Element], bits: u32) -> Option<Real> {
        let [x] = bits_of(dtype, operands)?;
        real::sqrt(&real::value(dtype, x)?, bits).map(Real::from)
    }

    fn deviation(&self, dtype: DType, operands: &[Element], actual: u64) -> Deviation {
        let error = bits_of(dtype, operands).and_then(|[x]| sqrt_error(dtype, x, actual));
        error.unwrap_or(Deviation::NoRealResult)
    }
}

/// What is allowed of its results.
const REFERENCE: Pointwise<SquareRoot> = Pointwise {
    function: |_, _| SquareRoot,
    broadcast: unary::broadcast,
    boundaries: Some(&boundaries::Roots),
};
