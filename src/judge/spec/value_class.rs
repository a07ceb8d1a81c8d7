//! Sign and class of elements.

use crate::dtype::{DType, Kind};
use crate::float::Class;

/// Sign and class of an element. Integers are zeros or normal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ValueClass {
    pub(super) class: Class,
    pub(super) negative: bool,
}

impl ValueClass {
    /// The sort of an element, true being a positive number; `None` where its type is neither numeric nor bool.
    pub(crate) fn of(dtype: DType, bits: u64) -> Option<Self> {
        match dtype.kind() {
            Kind::Float(format) => {
                Some(Self { class: format.class(bits), negative: format.is_negative(bits) })
            }
            Kind::Int { signed, bits: width } => Some(Self {
                class: if bits == 0 { Class::Zero } else { Class::Normal },
                negative: signed && bits >> (width - 1) & 1 == 1,
            }),
            Kind::Bool => Some(Self {
                class: if bits == 0 { Class::Zero } else { Class::Normal },
                negative: false,
            }),
            Kind::Complex(_) | Kind::String => None,
        }
    }

    /// Whether the element is a real number.
    pub(crate) const fn is_number(self) -> bool {
        !matches!(self.class, Class::Nan | Class::Infinite)
    }

    /// Place among -infinity, the negative numbers, 0, the positive numbers and infinity, counted
    /// from 0; `None` for NaN, which is not ordered.
    pub(super) const fn rank(self) -> Option<i8> {
        let magnitude = match self.class {
            Class::Nan => return None,
            Class::Zero => 0,
            Class::Subnormal | Class::Normal => 1,
            Class::Infinite => 2,
        };
        Some(if self.negative { -magnitude } else { magnitude })
    }
}
