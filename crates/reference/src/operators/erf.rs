//! Erf: the error function of an element.
//!
//! It is 0 at 0, of the operand's sign; at the infinities its limits are 1 and -1. Whether it is rational at any other number is
//! not known: see `docs/numerics.md`. Version 9 takes integers as well: of 0 the result is 0, and of others it
//! is between two integers, of which the document names neither.
//! Sources: ONNX's schemas of Erf-9 and 13; Abramowitz and Stegun, *Handbook of Mathematical Functions*, 7.1.

use std::cmp::Ordering;

use num_traits::Zero;
use values::dtype::DType;
use values::element::Element;
use values::float::FloatFormat;

use crate::case_table;
use crate::elementwise::{Elementwise, Smooth, Symmetry, bits_of};
use crate::exact::interval::Interval;
use crate::exact::real::Rational;
use crate::exact::series::Series;
use crate::exact::{Conforming, Deviation, distance, each_once};
use crate::families::exact_unary::hard_inputs;
use crate::families::function::{self, Function, Image, Operand, RealFunction, Stretch};
use crate::families::unary;
use crate::operator::{Document, Operator, OperatorKind, Ports, Version};
use crate::pointwise::Pointwise;
use crate::real::Real;
use crate::signature::FLOATS;

/// Erf in ONNX's default domain.
pub static ERF: Operator = Operator {
    documents: &[Document { key: "onnx-erf", catalogue: include_str!("erf/onnx-erf.toml") }],
    hard_inputs: Some(|dtype| hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [function::CASES, include_str!("erf/cases.toml")];
        case_table::cases(of, &ERF, &tables, function::cases::OWN)
    }),
    coverage: include_str!("erf/coverage.txt"),
    ..Operator::onnx("Erf", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

/// What version 9 takes.
const NUMBERS: &[DType] = &[
    DType::Float16,
    DType::Float32,
    DType::Float64,
    DType::Int8,
    DType::Int16,
    DType::Int32,
    DType::Int64,
    DType::Uint8,
    DType::Uint16,
    DType::Uint32,
    DType::Uint64,
];

const VERSIONS: [Version; 2] = [
    const { Ports::new(["input"], "output", NUMBERS) }.since(9, &[]),
    const { Ports::new(["input"], "output", FLOATS) }.since(13, &[]),
];

/// The error function of real numbers.
#[derive(Clone, Copy, Debug)]
pub struct ErrorFunction;

impl RealFunction for ErrorFunction {
    const PROOFS: [&'static str; 3] = [
        "erf x is above -1",
        "of two numbers next to each other the lesser one's value lies below this and the other's above",
        "erf x is below 1",
    ];

    fn image(&self, operand: &Operand) -> Image {
        match operand {
            Operand::Zero { negative } => Image::Zero { negative: *negative },
            Operand::Infinite { negative } => Image::Fraction(function::unit(*negative)),
            // 1 - |erf x| is less than e^(-x^2), here e^-81, which is less than 2^-116.
            Operand::Number(x) if is_far(x) => {
                Image::Beside { number: function::unit(x.is_negative()), farther: false }
            }
            Operand::Number(_) => Image::Computed,
        }
    }

    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        Some(x.erf())
    }

    fn series(&self, x: &Series) -> Option<Series> {
        let precision = x.value().precision();
        let factor =
            Interval::integer(2, precision).divided_by(&Interval::pi(precision).sqrt()?)?;
        let slope = (-&x.square()).exp()?.times(&factor);
        Some(slope.primitive(self.enclosure(x.value())?))
    }

    fn stretch(&self, format: &FloatFormat) -> Stretch {
        Stretch::whole(format)
    }

    fn inverse(&self, value: &Rational) -> Option<Rational> {
        value.is_zero().then(Rational::zero)
    }

    fn is_odd(&self) -> bool {
        true
    }
}

/// Whether a magnitude is at least 9.
fn is_far(x: &Interval) -> bool {
    x.abs().compare(&Interval::integer(9, x.precision())).is_some_and(Ordering::is_ge)
}

const FUNCTION: Function<ErrorFunction> = Function(ErrorFunction);

/// The error function of elements.
#[derive(Clone, Copy, Debug)]
struct Elements;

const BETWEEN: &str =
    "the value lies between two integers, and the document does not say which it is rounded to";

/// The bits of an integer; `None` for a float.
fn integer(dtype: DType, operands: &[Element]) -> Option<u64> {
    let [x] = bits_of(dtype, operands)?;
    unary::format(dtype).is_none().then_some(x)
}

impl Elementwise for Elements {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        match integer(dtype, operands) {
            Some(0) => Conforming::One(0),
            Some(_) => Conforming::Unspecified(BETWEEN),
            None => FUNCTION.conforming(dtype, operands),
        }
    }

    fn real(&self, dtype: DType, operands: &[Element], bits: u32) -> Option<Real> {
        match integer(dtype, operands) {
            Some(0) => Some(Real::exactly(Rational::zero())),
            Some(_) => None,
            None => FUNCTION.real(dtype, operands, bits),
        }
    }

    fn deviation(&self, dtype: DType, operands: &[Element], actual: u64) -> Deviation {
        match integer(dtype, operands) {
            Some(0) => distance(dtype, 0, actual),
            Some(_) => Deviation::NoRealResult,
            None => FUNCTION.deviation(dtype, operands, actual),
        }
    }

    fn judged(
        &self,
        dtype: DType,
        operands: &[Element],
        actual: [u64; 2],
    ) -> (Conforming, [Deviation; 2]) {
        if integer(dtype, operands).is_none() {
            return FUNCTION.judged(dtype, operands, actual);
        }
        let of = |actual| self.deviation(dtype, operands, actual);
        (self.conforming(dtype, operands), each_once(actual, of))
    }

    fn is_exact_point(&self, dtype: DType, operands: &[Element]) -> bool {
        FUNCTION.is_exact_point(dtype, operands)
    }

    fn smooth(&self) -> Option<&dyn Smooth> {
        FUNCTION.smooth()
    }

    fn symmetry(&self) -> Option<Symmetry> {
        FUNCTION.symmetry()
    }
}

/// What is allowed of its results.
const REFERENCE: Pointwise<Elements> = Pointwise {
    function: |_, _| Elements,
    broadcast: unary::broadcast,
    boundaries: Some(&FUNCTION),
};
