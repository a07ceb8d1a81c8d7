//! What ReduceMax and ReduceMin have in common: the extreme of the elements along some dimensions.
//!
//! With a NaN among the elements a NaN conforms, or the extreme of the numbers beside it, since ONNX says nothing of
//! NaN; the order of numbers does not tell the zeros apart, so that either of them conforms where both are there.
//! Of no elements the result is the end of the type that every other element replaces, which the text of
//! version 12 alone does not say. An empty list of axes is as good as none in every version, as version 18 has it; and
//! that a dimension is listed twice, the texts do not speak of. Source: ONNX's schemas of these operators' versions 1,
//! 11, 12, 13, 18 and 20.

use values::dtype::DType::{
    self, Bfloat16, Bool, Float16, Float32, Float64, Int8, Int32, Int64, Uint8, Uint32, Uint64,
};
use values::element::Element;
use values::tensor::Tensor;

use super::along::{Along, Extremes, flag, order_at, reduced};
use super::reshaping::{Lists, dimension, list};
use crate::exact::number::infinity;
use crate::exact::{Conforming, Deviation, Number, distance};
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Invalid, Otherwise, Reference, TensorType, Version,
};
use crate::real::Real;

/// The table of cases that they have in common.
pub(crate) const CASES: &str = include_str!("reduce_extremum/cases.toml");

/// Every version.
pub(crate) const VERSIONS: [Version; 6] = [
    const { Lists::none("data", "reduced", types(7)) }.since(1, &[AXES, KEEPDIMS]),
    const { Lists::none("data", "reduced", types(7)) }.since(11, &[AXES, KEEPDIMS]),
    const { Lists::none("data", "reduced", types(9)) }.since(12, &[AXES, KEEPDIMS]),
    const { Lists::none("data", "reduced", types(10)) }.since(13, &[AXES, KEEPDIMS]),
    const { with_axes(10) }.since(18, &[KEEPDIMS, NOOP]),
    const { with_axes(11) }.since(20, &[KEEPDIMS, NOOP]),
];

pub(crate) const AXES: Attribute = Attribute::new("axes", AttributeType::Ints);
pub(crate) const KEEPDIMS: Attribute =
    Attribute::new("keepdims", AttributeType::Int).otherwise(Otherwise::Int(1));
pub(crate) const NOOP: Attribute =
    Attribute::new("noop_with_empty_axes", AttributeType::Int).otherwise(Otherwise::Int(0));

/// The types in the order in which versions brought them.
const TYPES: [DType; 11] =
    [Float16, Float32, Float64, Int32, Int64, Uint32, Uint64, Int8, Uint8, Bfloat16, Bool];

const fn types(count: usize) -> &'static [DType] {
    TYPES.split_at(count).0
}

const fn with_axes(count: usize) -> Lists<2> {
    Lists::one(["data", "axes"], "reduced", types(count)).optional()
}

/// The largest of the elements, or the smallest.
pub(crate) struct ReduceExtremum {
    pub(crate) is_largest: bool,
}

/// The dimensions that a call goes along, and whether they are kept.
pub(crate) fn axes(call: &Call) -> Result<(Vec<bool>, bool), Invalid> {
    let rank = call.input(0)?.shape().len();
    let keeps = flag(call, "keepdims")?;
    let is_noop = flag(call, "noop_with_empty_axes")?;
    let axes = list(call, "axes")?.unwrap_or_default();
    let mut is_along = vec![axes.is_empty() && !is_noop; rank];
    for axis in axes {
        is_along[dimension(call, 11, axis, rank)?] = true;
    }
    Ok((is_along, keeps))
}

/// The output of one element for each group along the axes, of the data's type.
pub(crate) fn one_of_each_group(call: &Call) -> Result<Vec<TensorType>, Invalid> {
    let (is_along, keeps) = axes(call)?;
    let data = call.input(0)?;
    Ok(vec![TensorType::new(data.dtype(), reduced(data.shape(), &is_along, keeps))?])
}

impl Reference for ReduceExtremum {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        one_of_each_group(call)
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(data), Ok((is_along, _))) = (call.input(0), axes(call)) else { return Vec::new() };
        let of_none = match call.version.since {
            12 => None,
            _ => end(data.dtype(), !self.is_largest),
        };
        let along = Along::new(data.shape(), &is_along);
        vec![Box::new(Reduced { data, along, is_largest: self.is_largest, of_none })]
    }
}

/// The largest element of a type, or the least.
fn end(dtype: DType, is_largest: bool) -> Option<Conforming> {
    Some(match Number::of(dtype) {
        Some(Number::Int(int)) => {
            Conforming::One(int.wrap(if is_largest { int.max() } else { int.min() }))
        }
        Some(Number::Float(format)) => infinity(format, !is_largest),
        None if dtype == Bool => Conforming::One(is_largest.into()),
        None => return None,
    })
}

/// What is allowed of the output.
struct Reduced<'a> {
    data: &'a Tensor,
    along: Along,
    is_largest: bool,
    /// The extreme of no elements.
    of_none: Option<Conforming>,
}

impl Allowed for Reduced<'_> {
    fn at(&self, index: usize) -> Conforming {
        let orders = self.along.places(index).map(|place| (place, order_at(self.data, place)));
        let Extremes { nans, numbers } = Extremes::of(orders, self.is_largest);
        let mut all: Vec<u64> = Vec::new();
        for place in numbers {
            let bits = self.data.element(place).and_then(|bits| u64::try_from(bits).ok());
            all.extend(bits.filter(|bits| !all.contains(bits)));
        }
        let nan = match Number::of(self.data.dtype()) {
            Some(Number::Float(format)) if !nans.is_empty() => Some(Conforming::AnyNan(format)),
            _ => None,
        };
        let none = self.of_none.clone().filter(|_| all.is_empty() && nan.is_none());
        let numbers = all.into_iter().map(Conforming::One);
        let readings = nan.into_iter().chain(numbers).chain(none);
        let undecided = "the document does not say what the extreme of no elements is";
        Conforming::one_of(readings).unwrap_or(Conforming::Unspecified(undecided))
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        Real::of_element(self.data.dtype(), self.at(index).number()?)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        let number = self.at(index).number();
        number.map_or(Deviation::NoRealResult, |exact| distance(self.data.dtype(), exact, actual))
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        let places = self.along.places(index);
        places.filter_map(|place| Element::of(self.data, place)).collect()
    }

    fn sources(&self, index: usize) -> Option<Vec<usize>> {
        Some(vec![0; self.operands(index).len()])
    }
}

#[cfg(test)]
mod tests;
