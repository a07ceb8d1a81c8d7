//! HardSwish: x times x / 6 + 1/2, cut to what lies from 0 to 1.
//!
//! The result in real numbers is rational and rounded once: 0 up to -3, x from 3 on. As with
//! [HardSigmoid](super::hardsigmoid), what the body that ONNX gives the operator makes by rounded steps conforms as well: it is far from the
//! real result next to -3. At -infinity the formula has no value, as its factors are -infinity and 0, and its limit is
//! 0: either conforms. The sign of a zero is where x is -3 or less: of the formula -0, of a function in two pieces +0.
//! Sources: ONNX's schemas of HardSwish-14 and 22.

use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use values::dtype::DType;
use values::element::Element;
use values::float::FloatFormat;

use super::hardsigmoid::{Piecewise, cut, or_by_steps, rational, rounded};
use crate::case_table;
use crate::elementwise::Elementwise;
use crate::exact::interval::Interval;
use crate::exact::real::{self, Rational, value};
use crate::exact::{Conforming, Deviation};
use crate::families::exact_unary::hard_inputs;
use crate::families::function::{self, Function, Image, Operand, RealFunction, Stretch};
use crate::families::unary;
use crate::operator::{Document, Operator, OperatorKind, Ports, Version};
use crate::pointwise::Pointwise;
use crate::real::Real;
use crate::signature::{FLOATS, IEEE_FLOATS};

/// HardSwish in ONNX's default domain.
pub static HARDSWISH: Operator = Operator {
    documents: &[Document {
        key: "onnx-hardswish",
        catalogue: include_str!("hardswish/onnx-hardswish.toml"),
    }],
    hard_inputs: Some(|dtype| hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [function::CASES, include_str!("hardswish/cases.toml")];
        case_table::cases(of, &HARDSWISH, &tables, function::cases::OWN)
    }),
    coverage: include_str!("hardswish/coverage.txt"),
    ..Operator::onnx("HardSwish", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 2] = [
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(14, &[]),
    const { Ports::new(["X"], "Y", FLOATS) }.since(22, &[]),
];

/// The function of real numbers.
#[derive(Clone, Copy, Debug)]
pub struct HardSwish;

fn integer(number: i64) -> Rational {
    Rational::from(BigInt::from(number))
}

impl RealFunction for HardSwish {
    const PROOFS: [&'static str; 3] = [
        "no result is less than that of -3/2",
        "no number of the type has exactly this value",
        "no result is greater than the largest number",
    ];

    fn image(&self, operand: &Operand) -> Image {
        let x = match operand {
            Operand::Zero { negative } => return Image::Zero { negative: *negative },
            Operand::Infinite { negative: true } => return Image::NanOrZero,
            Operand::Infinite { negative: false } => return Image::Infinite { negative: false },
            Operand::Number(x) => x,
        };
        let number = rational(x);
        if number >= integer(3) {
            Image::Fraction(x.clone())
        } else if number <= integer(-3) {
            Image::EitherZero
        } else {
            let sixth = Rational::new(BigInt::from(1), BigInt::from(6));
            let sum = real::sum(&number, &integer(3));
            Image::Rational(real::product(&real::product(&number, &sum), &sixth))
        }
    }

    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        let [three, six] = [3, 6].map(|number| Interval::integer(number, x.precision()));
        Some(x * &cut(&(x + &three).divided_by(&six)?))
    }

    /// From its minimum at -3/2 on.
    fn stretch(&self, format: &FloatFormat) -> Stretch {
        let low = function::one(format) + (1 << (format.significand_bits - 1));
        Stretch { low: -low.cast_signed(), ..Stretch::whole(format) }
    }

    /// Of x (x + 3) = 6 v the root above -3/2.
    fn inverse(&self, value: &Rational) -> Option<Rational> {
        if *value >= integer(3) {
            return Some(value.clone());
        }
        let discriminant = integer(9) + integer(24) * value;
        if discriminant.is_negative() {
            return None;
        }
        let root = real::sqrt(&discriminant, 64)?;
        (root.lower == root.upper).then(|| (root.lower - integer(3)) / integer(2))
    }
}

const FUNCTION: Function<HardSwish> = Function(HardSwish);

/// The function on elements.
#[derive(Clone, Copy, Debug)]
struct Elements;

/// What the body of the operator gives, for a number: the product with HardSigmoid's result, of whichever reading.
fn by_steps(dtype: DType, operands: &[Element]) -> Vec<u64> {
    let number =
        unary::operand(dtype, operands).and_then(|(format, x)| Some((format, x, value(dtype, x)?)));
    let Some((format, bits, x)) = number else { return Vec::new() };
    let factors = Piecewise::OF_HARDSWISH.by_steps(dtype, format, &x);
    let product = |factor| {
        let product = real::product(&value(dtype, factor)?, &x);
        let zero = if format.is_negative(bits) { format.negated(0) } else { 0 };
        if product.is_zero() { Some(zero) } else { rounded(format, &product) }
    };
    factors.into_iter().filter_map(product).collect()
}

impl Elementwise for Elements {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        self.judged(dtype, operands, [0; 2]).0
    }

    fn real(&self, dtype: DType, operands: &[Element], bits: u32) -> Option<Real> {
        FUNCTION.real(dtype, operands, bits)
    }

    fn deviation(&self, dtype: DType, operands: &[Element], actual: u64) -> Deviation {
        let [deviation, _] = self.judged(dtype, operands, [actual; 2]).1;
        deviation
    }

    fn judged(
        &self,
        dtype: DType,
        operands: &[Element],
        actual: [u64; 2],
    ) -> (Conforming, [Deviation; 2]) {
        let once = FUNCTION.judged(dtype, operands, actual);
        or_by_steps(dtype, once, &by_steps(dtype, operands), actual)
    }

    /// At zeros, and where the factor is 0 or 1 however it is rounded.
    fn is_exact_point(&self, dtype: DType, operands: &[Element]) -> bool {
        let x = unary::operand(dtype, operands).and_then(|(_, x)| value(dtype, x));
        x.is_some_and(|x| x.is_zero() || x.abs() >= integer(4))
    }
}

/// What is allowed of its results.
const REFERENCE: Pointwise<Elements> = Pointwise {
    function: |_, _| Elements,
    broadcast: unary::broadcast,
    boundaries: Some(&FUNCTION),
};
