//! HardSigmoid: `alpha` x + `beta`, cut to what lies from 0 to 1.
//!
//! Both attributes are of type float32, and their values are taken exactly. The result in real numbers is rational and
//! rounded once. ONNX also gives the operator a body of a product and a sum, each rounded, and says nothing of whether the attributes are
//! rounded to the type of the elements before: next to the number where the sum cancels out, that is far from the real result. So what the
//! two steps give conforms as well, with attributes of either kind, and errors are taken from the nearest of these.
//! Sources: ONNX's schemas of HardSigmoid-1, 6 and 22.

use std::cmp::Ordering;

use num_traits::{One, Signed, Zero};
use values::dtype::DType;
use values::element::Element;
use values::float::FloatFormat;

use super::clip::converted;
use crate::case_table;
use crate::elementwise::{Elementwise, FOREIGN};
use crate::exact::interval::Interval;
use crate::exact::real::{self, Enclosure, Rational, value};
use crate::exact::{Conforming, Deviation, distance, enclosed};
use crate::families::binary::CONSUMED_INPUTS;
use crate::families::exact_unary::hard_inputs;
use crate::families::function::{self, Function, Image, Operand, RealFunction, Stretch};
use crate::families::unary;
use crate::operator::{
    Attribute, AttributeType, AttributeValue, Attributes, Document, Operator, OperatorKind,
    Otherwise, Ports, Version,
};
use crate::pointwise::Pointwise;
use crate::real::Real;
use crate::signature::{FLOATS, IEEE_FLOATS};

/// HardSigmoid in ONNX's default domain.
pub static HARDSIGMOID: Operator = Operator {
    documents: &[Document {
        key: "onnx-hardsigmoid",
        catalogue: include_str!("hardsigmoid/onnx-hardsigmoid.toml"),
    }],
    hard_inputs: Some(|dtype| hard_inputs(&BY_DEFAULT, dtype)),
    cases: Some(|of| {
        let tables = [function::CASES, function::CONSUMED, include_str!("hardsigmoid/cases.toml")];
        case_table::cases(of, &HARDSIGMOID, &tables, function::cases::OWN)
    }),
    coverage: include_str!("hardsigmoid/coverage.txt"),
    ..Operator::onnx("HardSigmoid", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

/// The float32s nearest to 0.2, to 0.5, and to a sixth.
const FIFTH: u32 = 0x3e4c_cccd;
const HALF: u32 = 0x3f00_0000;
pub(super) const SIXTH: u32 = 0x3e2a_aaab;

const ALPHA: Attribute =
    Attribute::new("alpha", AttributeType::Float).otherwise(Otherwise::Float(FIFTH));
const BETA: Attribute =
    Attribute::new("beta", AttributeType::Float).otherwise(Otherwise::Float(HALF));

const VERSIONS: [Version; 3] = [
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(1, &[CONSUMED_INPUTS, ALPHA, BETA]),
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(6, &[ALPHA, BETA]),
    const { Ports::new(["X"], "Y", FLOATS) }.since(22, &[ALPHA, BETA]),
];

const NOT_FINITE: &str = "the document does not say what an attribute that is no number makes";

/// The function with values of its attributes.
#[derive(Clone, Copy, Debug)]
pub struct Piecewise {
    alpha: u32,
    beta: u32,
}

impl Piecewise {
    /// That of HardSwish.
    pub(super) const OF_HARDSWISH: Self = Self { alpha: SIXTH, beta: HALF };

    fn of(attributes: &Attributes) -> Self {
        let float = |name, otherwise| match attributes.get(name) {
            Some(AttributeValue::Float(bits)) => *bits,
            _ => otherwise,
        };
        Self { alpha: float("alpha", FIFTH), beta: float("beta", HALF) }
    }

    /// Slope and offset; `None` where one is no number.
    fn line(self) -> Option<[Rational; 2]> {
        let [alpha, beta] = [self.alpha, self.beta].map(|bits| value(DType::Float32, bits.into()));
        Some([alpha?, beta?])
    }

    /// What a product and a sum, each rounded to the type, give for a number: with attributes as they are, and rounded to
    /// the type.
    pub(super) fn by_steps(
        self,
        dtype: DType,
        format: &'static FloatFormat,
        x: &Rational,
    ) -> Vec<u64> {
        let of_type = |bits| value(dtype, converted(format, bits));
        let lines =
            [self.line(), of_type(self.alpha).zip(of_type(self.beta)).map(<[Rational; 2]>::from)];
        let steps = lines.into_iter().flatten().filter_map(|[alpha, beta]| {
            let product = rounded(format, &real::product(&alpha, x))?;
            let Some(product) = value(dtype, product) else {
                let is_one = !format.is_negative(product);
                return Some(if is_one { function::one(format) } else { 0 });
            };
            let sum = rounded(format, &real::sum(&product, &beta))?;
            Some(match value(dtype, sum) {
                Some(sum) if !sum.is_positive() => 0,
                Some(number) if number < Rational::one() => sum,
                None if format.is_negative(sum) => 0,
                _ => function::one(format),
            })
        });
        steps.collect()
    }
}

/// The number of a format nearest to a rational one.
pub(super) fn rounded(format: &'static FloatFormat, number: &Rational) -> Option<u64> {
    enclosed::nearest(format, |_| Enclosure::point(number.clone()), false).number()
}

/// The rational number that an operand is.
pub(super) fn rational(x: &Interval) -> Rational {
    x.enclosure().lower
}

impl RealFunction for Piecewise {
    const PROOFS: [&'static str; 3] = [
        "no result is less than 0",
        "no number of the type has exactly this value",
        "no result is greater than 1",
    ];

    fn image(&self, operand: &Operand) -> Image {
        let Some([alpha, beta]) = self.line() else { return Image::Open(NOT_FINITE) };
        let sum = match operand {
            Operand::Zero { .. } => beta,
            Operand::Number(x) => real::sum(&real::product(&alpha, &rational(x)), &beta),
            Operand::Infinite { .. } if alpha.is_zero() => return Image::Nan,
            Operand::Infinite { negative } => {
                return match *negative == alpha.is_negative() {
                    true => Image::one(),
                    false => Image::Zero { negative: false },
                };
            }
        };
        match (sum.cmp(&Rational::zero()), sum.cmp(&Rational::one())) {
            (Ordering::Less, _) => Image::Zero { negative: false },
            (Ordering::Equal, _) => Image::EitherZero,
            (_, Ordering::Less) => Image::Rational(sum),
            _ => Image::one(),
        }
    }

    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        let attribute =
            |bits: u32| Interval::of_element(&FloatFormat::FLOAT32, bits.into(), x.precision());
        Some(cut(&(&attribute(self.alpha)? * x + attribute(self.beta)?)))
    }

    fn stretch(&self, format: &FloatFormat) -> Stretch {
        Stretch { falls: self.alpha >> 31 == 1, ..Stretch::whole(format) }
    }

    fn inverse(&self, value: &Rational) -> Option<Rational> {
        let [alpha, beta] = self.line().filter(|[alpha, _]| !alpha.is_zero())?;
        let is_value = !value.is_negative() && *value <= Rational::one();
        // Where it is 0 or 1 it is that for all numbers farther on as well: one that every type has.
        let x = (value - beta) / alpha;
        is_value.then(|| {
            if value.is_zero() {
                x.floor()
            } else if value.is_one() {
                x.ceil()
            } else {
                x
            }
        })
    }
}

/// The numbers from 0 to 1 that are nearest to those of an interval.
pub(super) fn cut(interval: &Interval) -> Interval {
    let [zero, one] = [0, 1].map(|number| Interval::integer(number, interval.precision()));
    let ends = [interval.lower(), interval.upper()].map(|end| {
        if end.is_negative() {
            zero.clone()
        } else if end.compare(&one) == Some(Ordering::Greater) {
            one.clone()
        } else {
            end
        }
    });
    ends[0].hull(&ends[1])
}

const BY_DEFAULT: Function<Piecewise> = Function(Piecewise { alpha: FIFTH, beta: HALF });

/// The function on elements.
#[derive(Clone, Copy, Debug)]
struct Elements(Function<Piecewise>);

impl Elements {
    /// What the two steps give, for a number.
    fn by_steps(&self, dtype: DType, operands: &[Element]) -> Vec<u64> {
        let number = unary::operand(dtype, operands)
            .and_then(|(format, x)| Some((format, value(dtype, x)?)));
        number.map_or_else(Vec::new, |(format, x)| self.0.0.by_steps(dtype, format, &x))
    }
}

impl Elementwise for Elements {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        self.judged(dtype, operands, [0; 2]).0
    }

    fn real(&self, dtype: DType, operands: &[Element], bits: u32) -> Option<Real> {
        self.0.real(dtype, operands, bits)
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
        let once = self.0.judged(dtype, operands, actual);
        or_by_steps(dtype, once, &self.by_steps(dtype, operands), actual)
    }

    /// Far from the stretch in which it is a line.
    fn is_exact_point(&self, dtype: DType, operands: &[Element]) -> bool {
        let Some((_, x)) = unary::operand(dtype, operands) else { return false };
        let far = || {
            let [alpha, beta] = self.0.0.line()?;
            let sum = alpha * value(dtype, x)? + beta;
            Some(sum < -Rational::one() || sum > Rational::one() + Rational::one())
        };
        far().unwrap_or(false)
    }
}

/// What conforms, and how far each of two elements is from it, where one rounding or several steps may make a result.
pub(super) fn or_by_steps(
    dtype: DType,
    (once, deviations): (Conforming, [Deviation; 2]),
    steps: &[u64],
    actual: [u64; 2],
) -> (Conforming, [Deviation; 2]) {
    let all = std::iter::once(once).chain(steps.iter().copied().map(Conforming::One));
    let conforming = Conforming::one_of(all).unwrap_or(FOREIGN);
    let nearest = |at: usize| match deviations[at] {
        Deviation::NoRealResult => Deviation::NoRealResult,
        once => steps.iter().map(|step| distance(dtype, *step, actual[at])).fold(once, Ord::min),
    };
    (conforming, [nearest(0), nearest(1)])
}

/// What is allowed of its results.
const REFERENCE: Pointwise<Elements> = Pointwise {
    function: |_, attributes| Elements(Function(Piecewise::of(attributes))),
    broadcast: unary::broadcast,
    boundaries: Some(&BY_DEFAULT),
};
