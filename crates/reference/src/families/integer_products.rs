//! What matrix products and convolutions of quantized tensors have in common: zero points that are taken off the
//! factors, and sums that are exact.
//!
//! No product overflows, and sums do in 32 bits, which is modulo 2^32 and does not depend on the order.

pub(crate) mod convolution;
pub(crate) mod requantized;

use values::dtype::DType::{self, Int8, Int32, Uint8};
use values::dtype::{Kind, integer};
use values::element::Element;
use values::tensor::Tensor;

use super::quantization::bits;
use crate::exact::extended::Extended;
use crate::exact::{Conforming, Deviation, distance};
use crate::operator::{Allowed, Call, Invalid, TensorType};
use crate::real::Real;

/// The integer types of 8 bits.
pub(crate) const BYTES: &[DType] = &[Int8, Uint8];

/// How the elements of an output are sums of products.
pub(crate) trait Layout {
    /// The line of each operand that makes an element: one zero point, and one scale, belongs to all of it.
    fn lines(&self, index: usize) -> [usize; 2];

    /// The places of the factors of each product.
    fn places<'a>(&'a self, index: usize) -> Box<dyn Iterator<Item = [usize; 2]> + 'a>;
}

/// Refuses a zero point, or a scale, that is neither single nor of one of these shapes.
pub(crate) fn check_parameter(
    call: &Call,
    at: usize,
    shapes: &[Vec<usize>],
) -> Result<(), Invalid> {
    let Some(shape) = call.inputs.get(at).and_then(Option::as_ref).map(Tensor::shape) else {
        return Ok(());
    };
    if matches!(shape, [] | [1]) || shapes.iter().any(|own| own == shape) {
        return Ok(());
    }
    let name = call.version.input(at).map_or("", |port| port.name);
    Err(call.invalid(&format!("has no place for {name} of shape {shape:?}")))
}

/// Refuses a scale and a zero point at these places that differ in shape; single ones may be written as scalars or as
/// lists.
pub(crate) fn check_pair(call: &Call, scale: usize, zero: usize) -> Result<(), Invalid> {
    let [scale, zero] = [call.input(scale)?.shape(), call.input(zero)?.shape()];
    let are_single = [scale, zero].iter().all(|shape| matches!(shape, [] | [1]));
    match scale == zero || are_single {
        true => Ok(()),
        false => {
            Err(call.invalid(&format!("has a scale of {scale:?} and a zero point of {zero:?}")))
        }
    }
}

/// The shapes of a parameter for each row of a matrix, or of a stack of them.
pub(crate) fn per_row(operand: &[usize]) -> Vec<Vec<usize>> {
    match operand {
        [] | [_] => Vec::new(),
        [rows, _] => vec![vec![*rows], vec![*rows, 1]],
        [above @ .., _] => vec![[above, &[1]].concat()],
    }
}

/// The shapes of a parameter for each column of a matrix, or of a stack of them.
pub(crate) fn per_column(operand: &[usize]) -> Vec<Vec<usize>> {
    match operand {
        [] | [_] => Vec::new(),
        [_, columns] => vec![vec![*columns], vec![1, *columns]],
        [stack @ .., _, columns] => vec![[stack, &[1, *columns]].concat()],
    }
}

/// The element of a parameter that belongs to a line: its only one, or the line's own.
pub(crate) fn of_line(parameter: &Tensor, line: usize) -> Option<u64> {
    let at = if parameter.elements() == 1 { 0 } else { line };
    bits(parameter, at)
}

/// The number that an element of an integer type is.
fn number(dtype: DType, bits: u64) -> Option<i128> {
    match dtype.kind() {
        Kind::Int { signed, bits: width } => Some(integer(bits.into(), signed, width)),
        _ => None,
    }
}

/// An operand with its zero points.
struct Factor<'a> {
    elements: &'a Tensor,
    zero_points: Option<&'a Tensor>,
}

impl Factor<'_> {
    /// An element less its zero point.
    fn at(&self, place: usize, line: usize) -> Option<i128> {
        let dtype = self.elements.dtype();
        let element = number(dtype, bits(self.elements, place)?)?;
        let zero = self.zero_points.map_or(Some(0), |zero| number(dtype, of_line(zero, line)?));
        Some(element - zero?)
    }

    /// The same of any type; `None` where a float is to be taken off.
    fn real(&self, place: usize, line: usize) -> Option<Extended> {
        if let Kind::Int { .. } = self.elements.dtype().kind() {
            return self.at(place, line).map(Extended::integer);
        }
        let dtype = self.elements.dtype();
        let zero = self.zero_points.map(|zero| Extended::of(dtype, of_line(zero, line)?));
        let is_moved = zero.is_some_and(|zero| !zero.is_some_and(|zero| zero.is_zero()));
        let element = Extended::of(dtype, bits(self.elements, place)?);
        element.filter(|_| !is_moved)
    }
}

/// Sums of products of integers less their zero points.
pub(crate) struct Sums<'a, L> {
    factors: [Factor<'a>; 2],
    pub(crate) layout: L,
}

impl<'a, L: Layout> Sums<'a, L> {
    /// The sums of a call whose operands, and their zero points, are at these places among the inputs.
    pub(crate) fn of(
        call: &'a Call,
        layout: L,
        operands: [usize; 2],
        zero_points: [usize; 2],
    ) -> Result<Self, Invalid> {
        let factor = |at: usize| {
            let zero_points = call.inputs.get(zero_points[at]).and_then(Option::as_ref);
            Ok(Factor { elements: call.input(operands[at])?, zero_points })
        };
        Ok(Self { factors: [factor(0)?, factor(1)?], layout })
    }

    /// The exact sum; none of what are no integers.
    pub(crate) fn exact(&self, index: usize) -> Option<i128> {
        let [a, b] = &self.factors;
        if [a, b].iter().any(|factor| !BYTES.contains(&factor.elements.dtype())) {
            return None;
        }
        let [row, column] = self.layout.lines(index);
        let products = self.layout.places(index);
        products.map(|[left, right]| Some(a.at(left, row)? * b.at(right, column)?)).sum()
    }

    /// The products as real numbers; `None` for one of them whose zero point is a float other than 0.
    fn products(&self, index: usize) -> impl Iterator<Item = Option<Extended>> + '_ {
        let [row, column] = self.layout.lines(index);
        let [a, b] = &self.factors;
        let product = move |[left, right]: [usize; 2]| {
            Some(a.real(left, row)?.product(&b.real(right, column)?))
        };
        self.layout.places(index).map(product)
    }

    /// The factors of each product.
    fn elements(&self, index: usize) -> Vec<Element> {
        let factors = self.layout.places(index).flat_map(|places| {
            let pair = self.factors.iter().zip(places);
            pair.filter_map(|(factor, place)| Element::of(factor.elements, place))
                .collect::<Vec<_>>()
        });
        factors.collect()
    }

    /// The sum modulo 2^32.
    fn wrapped(&self, index: usize) -> Option<u64> {
        self.exact(index).map(|sum| u64::from(sum as u32))
    }
}

/// The output of sums in 32 bits.
pub(crate) fn sums_of_shape(shape: Vec<usize>) -> Result<Vec<TensorType>, Invalid> {
    Ok(vec![TensorType::new(Int32, shape)?])
}

/// Sums of 32 bits, which wrap.
impl<L: Layout> Allowed for Sums<'_, L> {
    fn at(&self, index: usize) -> Conforming {
        let outside = Conforming::Unspecified("there is no such element");
        self.wrapped(index).map_or(outside, Conforming::One)
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        Real::of_element(Int32, self.wrapped(index)?)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        let sum = self.wrapped(index);
        sum.map_or(Deviation::NoRealResult, |sum| distance(Int32, sum, actual))
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        self.elements(index)
    }
}
