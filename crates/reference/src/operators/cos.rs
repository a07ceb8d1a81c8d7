//! Cos: the cosine of an element, in radians.
//!
//! It is 1 at 0 and irrational at every other number; an infinity has none.
//! Sources: ONNX's schemas of Cos-7 and 22; IEEE 754-2019, 9.2.1.

use num_traits::{One, Zero};
use values::float::FloatFormat;

use crate::case_table;
use crate::exact::interval::Interval;
use crate::exact::real::Rational;
use crate::exact::series::Series;
use crate::families::exact_unary::hard_inputs;
use crate::families::function::{self, Function, Image, Operand, Periodic, RealFunction, Stretch};
use crate::families::unary;
use crate::operator::{Document, Operator, OperatorKind, Ports, Version};
use crate::pointwise::Pointwise;
use crate::signature::{FLOATS, IEEE_FLOATS};

/// Cos in ONNX's default domain.
pub static COS: Operator = Operator {
    documents: &[Document { key: "onnx-cos", catalogue: include_str!("cos/onnx-cos.toml") }],
    hard_inputs: Some(|dtype| hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [function::CASES, include_str!("cos/cases.toml")];
        case_table::cases(of, &COS, &tables, function::cases::OWN)
    }),
    coverage: include_str!("cos/coverage.txt"),
    ..Operator::onnx("Cos", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 2] = [
    const { Ports::new(["input"], "output", IEEE_FLOATS) }.since(7, &[]),
    const { Ports::new(["input"], "output", FLOATS) }.since(22, &[]),
];

/// The cosine.
#[derive(Clone, Copy, Debug)]
pub struct Cosine;

impl RealFunction for Cosine {
    const PROOFS: [&'static str; 3] = [
        "no cosine is below -1",
        "cos x is transcendental for every rational x but 0 (Lindemann 1882)",
        "no cosine is above 1",
    ];

    fn image(&self, operand: &Operand) -> Image {
        match operand {
            Operand::Zero { .. } => Image::one(),
            Operand::Infinite { .. } => Image::Nan,
            // 1 - cos x is less than x^2 / 2.
            Operand::Number(x) if function::is_below(x, -50) => Image::beside_one(false),
            Operand::Number(_) => Image::Irrational,
        }
    }

    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        Some(x.cos())
    }

    fn series(&self, x: &Series) -> Option<Series> {
        let [_, cosine] = x.sin_cos();
        Some(cosine)
    }

    fn periodic(&self) -> Option<Periodic> {
        Some(Periodic::Cosine)
    }

    /// The mirror image of the other.
    fn other_stretch(&self, format: &FloatFormat) -> Option<Stretch> {
        let Stretch { low, high, falls } = self.stretch(format);
        Some(Stretch { low: -high, high: -low, falls: !falls })
    }

    /// From 0 to pi.
    fn stretch(&self, format: &FloatFormat) -> Stretch {
        // Twice a number is in the next binade.
        let pi = function::half_pi(format) + (1 << format.significand_bits);
        Stretch { low: 0, high: pi.cast_signed(), falls: true }
    }

    fn inverse(&self, value: &Rational) -> Option<Rational> {
        value.is_one().then(Rational::zero)
    }

    fn is_even(&self) -> bool {
        true
    }
}

const FUNCTION: Function<Cosine> = Function(Cosine);

/// What is allowed of its results.
const REFERENCE: Pointwise<Function<Cosine>> = Pointwise {
    function: |_, _| FUNCTION,
    broadcast: unary::broadcast,
    boundaries: Some(&FUNCTION),
};
