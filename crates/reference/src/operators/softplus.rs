//! Softplus: ln(1 + e^x).
//!
//! It is irrational at every number; at the infinities its limits are 0 and +infinity.
//! Sources: ONNX's schemas of Softplus-1 and 22.

use crate::case_table;
use crate::exact::composed::Computed;
use crate::exact::interval::Interval;
use crate::exact::real::Rational;
use crate::exact::series::Series;
use crate::families::exact_unary::hard_inputs;
use crate::families::function::{self, Body, Function, Image, Operand, RealFunction, Stretch};
use crate::families::unary;
use crate::operator::{Document, Operator, OperatorKind, Ports, Version};
use crate::pointwise::Pointwise;

use crate::signature::{FLOATS, IEEE_FLOATS};
use values::float::FloatFormat;

/// Softplus in ONNX's default domain.
pub static SOFTPLUS: Operator = Operator {
    documents: &[Document {
        key: "onnx-softplus",
        catalogue: include_str!("softplus/onnx-softplus.toml"),
    }],
    hard_inputs: Some(|dtype| hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [function::CASES, include_str!("softplus/cases.toml")];
        case_table::cases(of, &SOFTPLUS, &tables, function::cases::OWN)
    }),
    coverage: include_str!("softplus/coverage.txt"),
    ..Operator::onnx("Softplus", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 2] = [
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(1, &[]),
    const { Ports::new(["X"], "Y", FLOATS) }.since(22, &[]),
];

/// The softplus function.
#[derive(Clone, Copy, Debug)]
pub struct SmoothRamp;

impl RealFunction for SmoothRamp {
    const PROOFS: [&'static str; 3] = [
        "ln(1 + e^x) is positive",
        "ln(1 + e^x) is irrational for every rational x (Lindemann and Weierstrass 1885)",
        "ln(1 + e^x) of the largest number is no greater than this",
    ];

    fn image(&self, operand: &Operand) -> Image {
        match operand {
            Operand::Infinite { negative: true } => Image::Zero { negative: false },
            Operand::Infinite { negative: false } => Image::Infinite { negative: false },
            // It is less than e^x.
            Operand::Number(x) if x.is_negative() && !function::is_below(x, 11) => {
                Image::Outlying { negative: false, is_large: false }
            }
            // x and less than e^-x.
            Operand::Number(x) if x.is_positive() && !function::is_below(x, 7) => {
                Image::Beside { number: x.clone(), farther: true }
            }
            Operand::Zero { .. } | Operand::Number(_) => Image::Irrational,
        }
    }

    /// ln(1 + e^x), or for large x that is x + ln(1 + e^-x).
    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        if !x.is_positive() {
            return x.exp()?.ln_1_plus();
        }
        Some(x + &(-x).exp()?.ln_1_plus()?)
    }

    fn series(&self, x: &Series) -> Option<Series> {
        let one = x.number(1);
        let slope = one.divided_by(&(&one + &(-x).exp()?))?;
        Some(slope.primitive(self.enclosure(x.value())?))
    }

    fn by_body(&self, body: &Body, x: &Computed) -> Option<Computed> {
        Some(of_body(body, x))
    }

    fn stretch(&self, format: &FloatFormat) -> Stretch {
        Stretch::whole(format)
    }

    fn inverse(&self, _: &Rational) -> Option<Rational> {
        None
    }
}

/// ln(1 + e^x), step by step.
pub(super) fn of_body(body: &Body, x: &Computed) -> Computed {
    let by = body.by();
    body.ln(&by.add(&body.exp(x), &by.integer(1)))
}

const FUNCTION: Function<SmoothRamp> = Function(SmoothRamp);

/// What is allowed of its results.
const REFERENCE: Pointwise<Function<SmoothRamp>> = Pointwise {
    function: |_, _| FUNCTION,
    broadcast: unary::broadcast,
    boundaries: Some(&FUNCTION),
};
