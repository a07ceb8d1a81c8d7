//! The exact result of an element: a real number that is enclosed as closely as asked.

use num_traits::Zero;
use values::dtype::DType;
use values::element::Element;

use crate::exact::Share;
use crate::exact::real::{Enclosure, Rational};

/// An exact result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Real {
    /// Two rational numbers around it, equal where it is rational.
    pub enclosure: Enclosure,
    /// What it is the sum of, where it is one.
    pub sum: Option<Sum>,
    /// Between which numbers any order of evaluation in this format or a wider one stays, where it is composed of
    /// several operations.
    pub composed: Option<Enclosure>,
}

/// A sum of products.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum {
    /// Number of products.
    pub terms: u64,
    /// Sum of their magnitudes.
    pub magnitude: Rational,
    /// How far any order of summation may be from the exact sum, in this format or a wider one.
    pub bound: Rational,
    /// Roundings of what scales each element, which are the same for all elements; `None` where elements have partial
    /// sums in common.
    pub shared: Option<u64>,
}

impl Real {
    /// A number that is known exactly.
    pub fn exactly(number: Rational) -> Self {
        Enclosure::point(number).into()
    }

    /// The number that an element is, as [`Self::of_element`].
    pub fn of(element: &Element) -> Option<Self> {
        match element {
            Element::Bits(dtype, bits) => Self::of_element(*dtype, u64::try_from(*bits).ok()?),
            Element::String(_) => None,
        }
    }

    /// The number that an element is; `None` for a NaN, an infinity, and what is no number.
    pub fn of_element(dtype: DType, bits: u64) -> Option<Self> {
        crate::exact::real::value(dtype, bits).map(Self::exactly)
    }

    /// The share of the sum's bound that a number takes; `None` where it is none, or the bound is 0.
    pub(crate) fn share_of_sum(&self, dtype: DType, actual: u64) -> Option<Share> {
        let Sum { bound, .. } = self.sum.as_ref().filter(|sum| !sum.bound.is_zero())?;
        Self::of_element(dtype, actual)?;
        Share::of(dtype, self.enclosure.exact()?, bound, actual)
    }
}

impl From<Enclosure> for Real {
    fn from(enclosure: Enclosure) -> Self {
        Self { enclosure, sum: None, composed: None }
    }
}
