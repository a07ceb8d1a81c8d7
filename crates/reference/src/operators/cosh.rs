//! Cosh: the hyperbolic cosine of an element.
//!
//! It is 1 at 0 and irrational at every other number; at both infinities its limit is +infinity.
//! Sources: ONNX's schemas of Cosh-9 and 22; IEEE 754-2019, 9.2.1.

use crate::case_table;
use crate::exact::interval::Interval;
use crate::exact::real::Rational;
use crate::exact::series::Series;
use crate::families::exact_unary::hard_inputs;
use crate::families::function::{self, Function, Image, Operand, RealFunction, Stretch};
use crate::families::unary;
use crate::operator::{Document, Operator, OperatorKind, Ports, Version};
use crate::pointwise::Pointwise;

use crate::signature::{FLOATS, IEEE_FLOATS};
use num_traits::{One, Zero};
use values::float::FloatFormat;

/// Cosh in ONNX's default domain.
pub static COSH: Operator = Operator {
    documents: &[Document { key: "onnx-cosh", catalogue: include_str!("cosh/onnx-cosh.toml") }],
    hard_inputs: Some(|dtype| hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [function::CASES, include_str!("cosh/cases.toml")];
        case_table::cases(of, &COSH, &tables, function::cases::OWN)
    }),
    coverage: include_str!("cosh/coverage.txt"),
    ..Operator::onnx("Cosh", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 2] = [
    const { Ports::new(["input"], "output", IEEE_FLOATS) }.since(9, &[]),
    const { Ports::new(["input"], "output", FLOATS) }.since(22, &[]),
];

/// The hyperbolic cosine.
#[derive(Clone, Copy, Debug)]
pub struct HyperbolicCosine;

impl RealFunction for HyperbolicCosine {
    const PROOFS: [&'static str; 3] = [
        "cosh x is at least 1",
        "cosh x is transcendental for every rational x but 0 (Lindemann 1882)",
        "cosh x has every size from 1 on",
    ];

    fn image(&self, operand: &Operand) -> Image {
        match operand {
            Operand::Zero { .. } => Image::one(),
            Operand::Infinite { .. } => Image::Infinite { negative: false },
            // cosh x - 1 is less than x^2 below 1.
            Operand::Number(x) if function::is_below(x, -50) => Image::beside_one(true),
            // It is more than e^(|x| - 1).
            Operand::Number(x) if !function::is_below(x, 11) => {
                Image::Outlying { negative: false, is_large: true }
            }
            Operand::Number(_) => Image::Irrational,
        }
    }

    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        let power = x.abs().exp()?;
        let other = Interval::integer(1, x.precision()).divided_by(&power)?;
        Some((power + other).scaled(-1))
    }

    fn series(&self, x: &Series) -> Option<Series> {
        Some((&x.exp()? + &(-x).exp()?).scaled(-1))
    }

    /// The mirror image of the other.
    fn other_stretch(&self, format: &FloatFormat) -> Option<Stretch> {
        let Stretch { low, high, falls } = self.stretch(format);
        Some(Stretch { low: -high, high: -low, falls: !falls })
    }

    /// It falls before 0 and rises after it.
    fn stretch(&self, format: &FloatFormat) -> Stretch {
        Stretch::from(format, 0)
    }

    fn inverse(&self, value: &Rational) -> Option<Rational> {
        value.is_one().then(Rational::zero)
    }

    fn is_even(&self) -> bool {
        true
    }
}

const FUNCTION: Function<HyperbolicCosine> = Function(HyperbolicCosine);

/// What is allowed of its results.
const REFERENCE: Pointwise<Function<HyperbolicCosine>> = Pointwise {
    function: |_, _| FUNCTION,
    broadcast: unary::broadcast,
    boundaries: Some(&FUNCTION),
};
