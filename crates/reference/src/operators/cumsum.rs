//! CumSum: of each element the sum of those from the beginning of a dimension to it.
//!
//! The element itself is left out with `exclusive`, and the sums begin at the end with `reverse`. Each is a sum of its
//! own, in any order; of no elements it is 0. Integers are summed modulo 2^n. Source: ONNX's schemas of CumSum-11
//! and 14.

use values::dtype::DType::{
    self, Bfloat16, Float16, Float32, Float64, Int32, Int64, Uint32, Uint64,
};
use values::element::Element;
use values::float::FloatFormat;
use values::tensor::Tensor;

use crate::case_table::{self, Own};
use crate::exact::dot::{NoBound, wrapping};
use crate::exact::number::Int;
use crate::exact::sum::{Scale, Sum, Terms};
use crate::exact::{Conforming, Number};
use crate::families::along::flag;
use crate::families::reshaping::dimension;
use crate::families::summing::{Accumulated, Summed, bits_at, elements_at};
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Port, Reference, TensorType, Version,
};

/// CumSum in ONNX's default domain.
pub static CUMSUM: Operator = Operator {
    documents: &[Document {
        key: "onnx-cumsum",
        catalogue: include_str!("cumsum/onnx-cumsum.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &CUMSUM, &[include_str!("cumsum/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("CumSum", OperatorKind::Accumulated, &VERSIONS, &CumSum)
};

const TYPES: [DType; 8] = [Float32, Float64, Int32, Int64, Uint32, Uint64, Float16, Bfloat16];
const ATTRIBUTES: [Attribute; 2] = [
    Attribute::new("exclusive", AttributeType::Int).otherwise(Otherwise::Int(0)),
    Attribute::new("reverse", AttributeType::Int).otherwise(Otherwise::Int(0)),
];
const VERSIONS: [Version; 2] = [
    Version {
        since: 11,
        inputs: &[Port::new("x", TYPES.split_at(6).0, "T"), AXIS],
        outputs: &[Port::new("y", TYPES.split_at(6).0, "T")],
        attributes: &ATTRIBUTES,
    },
    Version {
        since: 14,
        inputs: &[Port::new("x", &TYPES, "T"), AXIS],
        outputs: &[Port::new("y", &TYPES, "T")],
        attributes: &ATTRIBUTES,
    },
];
const AXIS: Port = Port::new("axis", &[Int32, Int64], "T2");

struct CumSum;

/// How a call sums, or multiplies.
pub(super) struct Plan<'a> {
    pub(super) data: &'a Tensor,
    /// Elements along the dimension, and from one of them to the next.
    size: usize,
    stride: usize,
    is_exclusive: bool,
    is_reverse: bool,
}

impl<'a> Plan<'a> {
    pub(super) fn of(call: &'a Call) -> Result<Self, Invalid> {
        let (data, axis) = (call.input(0)?, call.input(1)?);
        if !axis.shape().is_empty() {
            return Err(call.invalid("takes a scalar for its axis"));
        }
        let bits = bits_at(axis, 0).ok_or_else(|| call.invalid("lacks an axis"))?;
        let axis = match axis.dtype() {
            Int32 => i64::from(bits as u32 as i32),
            _ => bits.cast_signed(),
        };
        let at = dimension(call, 11, axis, data.shape().len())?;
        let (size, inner) = (data.shape()[at], data.shape().iter().skip(at + 1));
        // Only a tensor without elements has sizes whose product is too large, and it is never read.
        let stride = inner.fold(1_usize, |all, size| all.saturating_mul(*size));
        let (is_exclusive, is_reverse) = (flag(call, "exclusive")?, flag(call, "reverse")?);
        Ok(Self { data, size, stride, is_exclusive, is_reverse })
    }

    /// The places of the elements of a sum.
    pub(super) fn places(&self, index: usize) -> impl Iterator<Item = usize> + use<> {
        let stride = self.stride.max(1);
        let at = index / stride % self.size.max(1);
        let first = index - at * stride;
        let own = usize::from(!self.is_exclusive);
        let range = if self.is_reverse { at + 1 - own..self.size } else { 0..at + own };
        range.map(move |at| first + at * stride)
    }
}

impl Reference for CumSum {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        Plan::of(call)?;
        Ok(vec![TensorType::of(call.input(0)?)])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        match Plan::of(call) {
            Ok(plan) => vec![Box::new(Accumulated(plan))],
            Err(_) => Vec::new(),
        }
    }
}

impl Summed for Plan<'_> {
    const OVERLAPPING: bool = true;

    fn dtype(&self) -> DType {
        self.data.dtype()
    }

    fn sums(&self, format: &'static FloatFormat, index: usize) -> Result<Vec<Sum>, NoBound> {
        let mut sum = Sum::new(format, Terms::Elements, Scale::ONE)?;
        let elements = self.places(index).filter_map(|place| bits_at(self.data, place));
        elements.for_each(|element| sum.add_element(element));
        Ok(vec![sum])
    }

    fn integer(&self, index: usize) -> Conforming {
        let Some(Number::Int(Int { bits, .. })) = Number::of(self.data.dtype()) else {
            return Conforming::Unspecified("the type has no exact arithmetic");
        };
        let elements = self.places(index).filter_map(|place| bits_at(self.data, place));
        Conforming::One(wrapping(bits, elements.map(|element| (element, 1))))
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        elements_at(self.data, self.places(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_go_along_the_dimension_from_either_end_with_the_element_or_without() {
        let data = Tensor::from_values(Int32, vec![2, 3, 2], vec![0_i32; 12]).unwrap();
        let places = |index, is_exclusive, is_reverse| {
            let plan = Plan { data: &data, size: 3, stride: 2, is_exclusive, is_reverse };
            plan.places(index).collect::<Vec<_>>()
        };
        assert_eq!(places(9, false, false), [7, 9]);
        assert_eq!(places(9, true, false), [7]);
        assert_eq!(places(9, false, true), [9, 11]);
        assert_eq!(places(9, true, true), [11]);
        assert!(places(0, true, false).is_empty() && places(4, true, true).is_empty());
    }
}
