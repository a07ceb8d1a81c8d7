//! What a sum of products becomes in the type of an output: scaled, rounded, moved by a zero point, and saturated.
//!
//! The formula is (sum x a's scale x b's scale) / y's scale over real numbers, and the nearest integer to it, ties to
//! even, plus the zero point. What the documents leave open:
//!
//! - In which type it is computed, and in which order the three scales go together: each product and quotient may be
//!   exact, or rounded to float32, float64, or the type of the scales.
//! - Whether a sum beyond 32 bits overflows, which it may.
//! - The type of sums with floats of 8 bits: of these only the ones are decided that are exact in float32 in any order.
//! - NaN as an integer, a scale of zero, and zero points of a float type other than 0.
//! - Of QLinearConv, which does not speak of rounding, whether the zero point is added before it.

use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use values::dtype::DType::{self, Float32, Float64};
use values::dtype::Kind;
use values::element::Element;
use values::float::FloatFormat;
use values::tensor::Tensor;

use super::{Layout, Sums, of_line};
use crate::exact::extended::Extended;
use crate::exact::number::Int;
use crate::exact::real::{Rational, power_of_two};
use crate::exact::{Conforming, Deviation, distance};
use crate::operator::{Allowed, Call, Invalid, judged_by_number};
use crate::real::Real;

const FOREIGN: &str = "the operands are not those of the operator";
const ZERO_SCALE: &str = "the document does not say what becomes of a scale of zero";
const NAN_INTEGER: &str = "the document does not say which integer a NaN becomes";
const FLOAT_ZERO_POINT: &str =
    "the document does not say how a zero point of a float type is added or taken off";
const INEXACT_SUM: &str =
    "the document does not say in which type products of floats of 8 bits are added";

/// Elements of an output that are sums of products.
pub(crate) struct Requantized<'a, L> {
    sums: Sums<'a, L>,
    /// Those of the operands.
    scales: [&'a Tensor; 2],
    /// What is added to the sums of each channel of the output.
    bias: Option<&'a Tensor>,
    y_scale: &'a Tensor,
    y_zero: &'a Tensor,
    /// Whether the document says that the zero point is added after rounding.
    is_order_stated: bool,
}

/// How a product or a quotient is computed: exactly, or rounded to a format, before which its operands are, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Exactly,
    Once(&'static FloatFormat),
    Converted(&'static FloatFormat),
}

impl Step {
    fn operand(self, number: &Extended) -> Extended {
        match self {
            Self::Converted(format) => number.within(format),
            Self::Exactly | Self::Once(_) => number.clone(),
        }
    }

    fn result(self, number: Extended) -> Extended {
        match self {
            Self::Exactly => number,
            Self::Once(format) | Self::Converted(format) => number.within(format),
        }
    }
}

/// The steps by which something may be computed with scales of a type.
fn steps(scales: DType) -> Vec<Step> {
    let mut steps = vec![Step::Exactly];
    for dtype in [Float32, Float64, scales] {
        if let Kind::Float(format) = dtype.kind() {
            steps.extend([Step::Once(format), Step::Converted(format)]);
        }
    }
    distinct(steps)
}

/// Each once, in order.
fn distinct<T: PartialEq>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut seen = Vec::new();
    for one in all {
        if !seen.contains(&one) {
            seen.push(one);
        }
    }
    seen
}

/// What a sum by the scales of both operands, divided by that of the output, is by each reading.
fn quotients(steps: &[Step], sum: &Extended, [a, b, y]: [&Extended; 3]) -> Vec<Extended> {
    let each = |number: &Extended| -> Vec<Extended> {
        distinct(steps.iter().map(|step| step.result(number.clone())))
    };
    // A step that converts what its format holds is one that does not.
    let operands = steps.iter().map(|step| (*step, step.operand(sum)));
    let is_other =
        |(step, operand): &(Step, Extended)| !matches!(step, Step::Converted(_)) || operand != sum;
    let operands: Vec<(Step, Extended)> = operands.filter(is_other).collect();
    let products = each(&a.product(b));
    let factors = distinct(products.iter().flat_map(|product| each(&product.quotient(y))));
    let by_factor = operands
        .iter()
        .flat_map(|(step, sum)| factors.iter().map(move |factor| step.result(sum.product(factor))));
    let by_product = operands.iter().flat_map(|(step, sum)| {
        let scaled = move |product| step.result(step.result(sum.product(product)).quotient(y));
        products.iter().map(scaled)
    });
    let one_by_one = operands.iter().flat_map(|(step, sum)| {
        [(a, b), (b, a)].map(|(first, second)| {
            let scaled = step.result(step.result(sum.product(first)).product(second));
            step.result(scaled.quotient(y))
        })
    });
    distinct(by_factor.chain(by_product).chain(one_by_one))
}

/// The sum of what is infinite, none, or a number; `None` where float32 does not hold each partial sum in every order.
fn summed(products: impl Iterator<Item = Option<Extended>>) -> Result<Extended, &'static str> {
    let (mut sum, mut size) = (Rational::zero(), Rational::zero());
    let mut unit: Option<i64> = None;
    let (mut infinite, mut is_nan) = ([false; 2], false);
    for product in products {
        match product.ok_or(FLOAT_ZERO_POINT)? {
            Extended::Nan => is_nan = true,
            Extended::Infinite(negative) => infinite[usize::from(negative)] = true,
            Extended::Finite(number, _) if number.is_zero() => {}
            Extended::Finite(number, _) => {
                // Of floats, the denominator is a power of two.
                let up = number.numer().trailing_zeros().unwrap_or(0) as i64;
                let own = up - number.denom().trailing_zeros().unwrap_or(0) as i64;
                unit = Some(unit.map_or(own, |unit| unit.min(own)));
                size += number.abs();
                sum += number;
            }
        }
    }
    match infinite {
        _ if is_nan => return Ok(Extended::Nan),
        [true, true] => return Ok(Extended::Nan),
        [false, false] => {}
        [_, negative] => return Ok(Extended::Infinite(negative)),
    }
    // Multiples of a unit of less than 2^24 of them.
    let precision = FloatFormat::FLOAT32.significand_bits as i64 + 1;
    let is_exact = unit.is_none_or(|unit| size < power_of_two((unit + precision) as i32));
    let negative = sum.is_negative();
    if is_exact { Ok(Extended::Finite(sum, negative)) } else { Err(INEXACT_SUM) }
}

impl<'a, L: Layout> Requantized<'a, L> {
    /// Those of a call with the inputs of QLinearMatMul and QLinearConv.
    pub(crate) fn of(call: &'a Call, layout: L, is_order_stated: bool) -> Result<Self, Invalid> {
        Ok(Self {
            sums: Sums::of(call, layout, [0, 3], [2, 5])?,
            scales: [call.input(1)?, call.input(4)?],
            bias: call.inputs.get(8).and_then(Option::as_ref),
            y_scale: call.input(6)?,
            y_zero: call.input(7)?,
            is_order_stated,
        })
    }

    /// The scales of an element: those of its lines, and that of the output.
    fn scales(&self, index: usize) -> Option<[Extended; 3]> {
        let [row, column] = self.sums.layout.lines(index);
        let scale = |tensor: &Tensor, line| Extended::of(tensor.dtype(), of_line(tensor, line)?);
        let [a, b] = self.scales;
        Some([scale(a, row)?, scale(b, column)?, scale(self.y_scale, 0)?])
    }

    /// The sum with the bias by each reading.
    fn sums(&self, index: usize) -> Result<Vec<Extended>, &'static str> {
        let Some(sum) = self.sums.exact(index) else {
            return summed(self.sums.products(index)).map(|sum| vec![sum]);
        };
        let bias = match self.bias {
            None => Some(0),
            Some(bias) => {
                let [_, channel] = self.sums.layout.lines(index);
                bias.element(channel).map(|bits| i128::from(bits as u32 as i32))
            }
        };
        let sum = sum + bias.ok_or(FOREIGN)?;
        Ok(distinct([sum, i128::from(sum as i32)].map(Extended::integer)))
    }

    /// What conforms for a quotient by each reading.
    fn results(&self, quotient: &Extended) -> Vec<Conforming> {
        let to = self.y_zero.dtype();
        let Some(zero) = of_line(self.y_zero, 0) else {
            return vec![Conforming::Unspecified(FOREIGN)];
        };
        match to.kind() {
            Kind::Int { signed, bits } => {
                let int = Int { signed, bits };
                let zero = int.value(zero);
                let after = quotient.clamped(zero, int);
                let before = match quotient {
                    Extended::Finite(number, _) if !self.is_order_stated => {
                        let sum = number + Rational::from(BigInt::from(zero));
                        let negative = sum.is_negative();
                        Extended::Finite(sum, negative).clamped(0, int)
                    }
                    _ => after,
                };
                let result = |bits: Option<u64>| {
                    bits.map_or(Conforming::Unspecified(NAN_INTEGER), Conforming::One)
                };
                distinct([result(after), result(before)])
            }
            Kind::Float(format) => {
                if Extended::of(to, zero).is_none_or(|zero| !zero.is_zero()) {
                    return vec![Conforming::Unspecified(FLOAT_ZERO_POINT)];
                }
                let plus_zero = quotient.is_zero().then(|| Extended::integer(0).saturated(format));
                std::iter::once(quotient.saturated(format)).chain(plus_zero).collect()
            }
            Kind::Bool | Kind::Complex(_) | Kind::String => {
                vec![Conforming::Unspecified(FOREIGN)]
            }
        }
    }

    fn conforming(&self, index: usize) -> Result<Conforming, &'static str> {
        let [a, b, y] = self.scales(index).ok_or(FOREIGN)?;
        if y.is_zero() {
            return Err(ZERO_SCALE);
        }
        let sums = self.sums(index)?;
        let steps = steps(self.y_scale.dtype());
        let quotients = sums.iter().flat_map(|sum| quotients(&steps, sum, [&a, &b, &y]));
        let results = quotients.flat_map(|quotient| self.results(&quotient));
        Conforming::one_of(results).ok_or(FOREIGN)
    }
}

impl<L: Layout> Allowed for Requantized<'_, L> {
    fn at(&self, index: usize) -> Conforming {
        self.conforming(index).unwrap_or_else(Conforming::Unspecified)
    }

    /// The quotient with its zero point, before anything is rounded.
    fn real(&self, index: usize, _: u32) -> Option<Real> {
        let [a, b, y] = self.scales(index)?;
        let sum = self.sums(index).ok()?.into_iter().next()?;
        let quotient = sum.product(&a).product(&b).quotient(&y).finite()?.clone();
        let zero = match self.y_zero.dtype().kind() {
            Kind::Int { signed, bits } => Int { signed, bits }.value(of_line(self.y_zero, 0)?),
            _ => 0,
        };
        Some(Real::exactly(quotient + Rational::from(BigInt::from(zero))))
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        let number = self.at(index).number();
        let dtype = self.y_zero.dtype();
        number.map_or(Deviation::NoRealResult, |exact| distance(dtype, exact, actual))
    }

    fn judged(&self, index: usize, actual: [u64; 2]) -> (Conforming, [Deviation; 2]) {
        judged_by_number(self.y_zero.dtype(), self.at(index), actual)
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        self.sums.elements(index)
    }
}

#[cfg(test)]
mod tests;
