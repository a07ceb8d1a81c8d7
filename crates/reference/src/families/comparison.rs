//! What the comparisons have in common: whether two elements are in a relation.
//!
//! Numbers are compared as what they stand for, so that both zeros are equal; a NaN is unordered, and in no
//! relation to anything, itself included. Equal compares truth values and strings as well. Sources: ONNX's schemas
//! of Less and Greater (1, 7, 9 and 13), LessOrEqual and GreaterOrEqual (12 and 16) and Equal (1, 7, 11, 13 and 19);
//! SONNX's Less; IEEE 754-2019, 5.11 (comparison predicates).

mod cases;

use values::dtype::DType::{self, Bool};
use values::dtype::{Kind, integer};
use values::element::Element;

use super::binary;
use crate::elementwise::{Elementwise, FOREIGN};
use crate::exact::{Conforming, Deviation, Number};
use crate::inputs::Parts;
use crate::inputs::patterns::{corner_pairs, pairs, specials, with_neighbours};
use crate::operator::{Attributes, Port, Ports, Specification, Version};
use crate::pointwise::Pointwise;
use crate::real::Real;
use crate::signature::{IEEE_FLOATS, NUMERIC, NUMERIC_SONNX};

pub(crate) use cases::OWN;

/// The table of cases that they have in common.
pub(crate) const CASES: &str = include_str!("comparison/cases.toml");

/// The versions of Less and Greater.
pub(crate) const ORDER_VERSIONS: [Version; 4] = [
    const { ports(IEEE_FLOATS) }.since(1, &binary::LIMITED),
    const { ports(IEEE_FLOATS) }.since(7, &[]),
    const { ports(NUMERIC_SONNX) }.since(9, &[]),
    const { ports(&NUMERIC) }.since(13, &[]),
];

/// The versions of LessOrEqual and GreaterOrEqual.
pub(crate) const OR_EQUAL_VERSIONS: [Version; 2] =
    [const { ports(NUMERIC_SONNX) }.since(12, &[]), const { ports(&NUMERIC) }.since(16, &[])];

/// The ports A and B of one of these types, and C of truth values.
pub(crate) const fn ports(types: &'static [DType]) -> Ports<2> {
    let mut ports = binary::ports(types);
    ports.output = [Port::new("C", &[Bool], "T1")];
    ports
}

/// What is allowed of the results of a comparison.
pub(crate) const fn reference(
    function: fn(Specification, &Attributes) -> Comparison,
) -> Pointwise<Comparison> {
    Pointwise { function, broadcast: binary::broadcast, boundaries: None }
}

/// Operands whose order is told wrongly most easily: special values, neighbours, the ends of integers.
pub(crate) fn hard_inputs(dtype: DType) -> Option<Parts> {
    Some(match Number::of(dtype)? {
        Number::Float(format) => vec![
            ("special values", pairs(specials(format))),
            ("neighbours", with_neighbours(*format)),
        ],
        Number::Int(int) => vec![("boundaries", corner_pairs(int))],
    })
}

/// A relation of two elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the variants are the relations' own names")]
pub enum Comparison {
    Less,
    LessOrEqual,
    Equal,
    GreaterOrEqual,
    Greater,
}

/// How two elements of one type lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// The first is so many numbers of the type above the second.
    Above(i128),
    /// One of them is a NaN.
    Unordered,
    /// They have no order, but are the same or not.
    Unranked { same: bool },
}

impl Order {
    fn of(operands: &[Element]) -> Option<Self> {
        let (dtype, a, b) = match operands {
            [Element::Bits(dtype, a), Element::Bits(other, b)] if dtype == other => (dtype, *a, *b),
            [Element::String(a), Element::String(b)] => {
                return Some(Self::Unranked { same: a == b });
            }
            _ => return None,
        };
        match dtype.kind() {
            // Among the numbers of a format, both zeros have one place.
            Kind::Float(format) => {
                let place = |bits| u64::try_from(bits).ok().map(|bits| format.ordinal(bits));
                Some(match (place(a)?, place(b)?) {
                    (Some(a), Some(b)) => Self::Above(i128::from(a) - i128::from(b)),
                    _ => Self::Unordered,
                })
            }
            Kind::Int { signed, bits } => {
                Some(Self::Above(integer(a, signed, bits) - integer(b, signed, bits)))
            }
            Kind::Bool => Some(Self::Unranked { same: (a == 0) == (b == 0) }),
            Kind::Complex(_) | Kind::String => None,
        }
    }
}

impl Elementwise for Comparison {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        let holds = match (self, Order::of(operands)) {
            (_, Some(Order::Unordered)) => false,
            (Self::Equal, Some(Order::Unranked { same })) => same,
            (Self::Less, Some(Order::Above(distance))) => distance < 0,
            (Self::LessOrEqual, Some(Order::Above(distance))) => distance <= 0,
            (Self::Equal, Some(Order::Above(distance))) => distance == 0,
            (Self::GreaterOrEqual, Some(Order::Above(distance))) => distance >= 0,
            (Self::Greater, Some(Order::Above(distance))) => distance > 0,
            (_, Some(Order::Unranked { .. }) | None) => return FOREIGN,
        };
        if dtype == Bool { Conforming::One(holds.into()) } else { FOREIGN }
    }

    fn real(&self, _: DType, _: &[Element], _: u32) -> Option<Real> {
        None
    }

    fn deviation(&self, _: DType, _: &[Element], _: u64) -> Deviation {
        Deviation::NoRealResult
    }

    /// Which of the two is greater, and whether they are next to each other.
    fn distinction(&self, operands: &[Element]) -> u64 {
        match Order::of(operands) {
            Some(Order::Above(distance)) => (distance.clamp(-NEAR, NEAR) + NEAR) as u64,
            Some(Order::Unordered | Order::Unranked { .. }) | None => u64::MAX,
        }
    }
}

/// From so many numbers on, two are far from each other.
const NEAR: i128 = 4;

#[cfg(test)]
mod tests;
