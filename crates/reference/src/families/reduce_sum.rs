//! What ReduceSum, ReduceMean and ReduceProd have in common: one number of the elements along some dimensions.
//!
//! The sum of no elements is 0 and their product 1; a mean of none is undefined, and which of two integers stands for
//! a mean between them, ONNX does not say, so that either conforms. Versions before 18, or 13 of ReduceSum, have the
//! axes as an attribute. An empty list of axes is as good as none. Source: ONNX's schemas of these operators.

use values::dtype::DType::{
    self, Bfloat16, Float16, Float32, Float64, Int32, Int64, Uint32, Uint64,
};
use values::element::Element;
use values::float::FloatFormat;
use values::tensor::Tensor;

use super::along::{Along, reduced};
use super::reduce_extremum::{AXES, KEEPDIMS, NOOP, axes};
use super::reshaping::Lists;
use super::summing::{Accumulated, Summed, bits_at, elements_at};
use super::sums_of_elements::{Summands, SumsOfElements};
use crate::exact::bracket::Brackets;
use crate::exact::bracket::float_sum::floats;
use crate::exact::dot::NoBound;
use crate::exact::number::Int;
use crate::exact::product::Product;
use crate::exact::sum::{Scale, Sum, Terms};
use crate::exact::{Conforming, Deviation, Number, Share};
use crate::operator::{Allowed, Call, Invalid, Reference, TensorType, Version};
use crate::real::Real;

/// The table of cases that they have in common.
pub(crate) const CASES: &str = include_str!("reduce_sum/cases.toml");
/// That of sums and means.
pub(crate) const SUMS: &str = include_str!("reduce_sum/sums_cases.toml");

/// The versions of ReduceSum.
pub(crate) const SUM_VERSIONS: [Version; 3] = [
    const { Lists::none("data", "reduced", types(7)) }.since(1, &[AXES, KEEPDIMS]),
    const { Lists::none("data", "reduced", types(7)) }.since(11, &[AXES, KEEPDIMS]),
    const { with_axes(8) }.since(13, &[KEEPDIMS, NOOP]),
];

/// The versions of ReduceMean and ReduceProd.
pub(crate) const VERSIONS: [Version; 4] = [
    const { Lists::none("data", "reduced", types(7)) }.since(1, &[AXES, KEEPDIMS]),
    const { Lists::none("data", "reduced", types(7)) }.since(11, &[AXES, KEEPDIMS]),
    const { Lists::none("data", "reduced", types(8)) }.since(13, &[AXES, KEEPDIMS]),
    const { with_axes(8) }.since(18, &[KEEPDIMS, NOOP]),
];

const TYPES: [DType; 8] = [Float16, Float32, Float64, Int32, Int64, Uint32, Uint64, Bfloat16];

const fn types(count: usize) -> &'static [DType] {
    TYPES.split_at(count).0
}

const fn with_axes(count: usize) -> Lists<2> {
    Lists::one(["data", "axes"], "reduced", types(count)).optional()
}

/// What is made of the elements.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reduction {
    Sum,
    Mean,
    Product,
}

impl Reference for Reduction {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let (is_along, keeps) = axes(call)?;
        let data = call.input(0)?;
        Ok(vec![TensorType::new(data.dtype(), reduced(data.shape(), &is_along, keeps))?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(data), Ok((is_along, _))) = (call.input(0), axes(call)) else { return Vec::new() };
        let along = Along::new(data.shape(), &is_along);
        let is_mean = *self == Self::Mean;
        match self {
            Self::Product => {
                let places: Places<'a> = Box::new(move |index| along.places(index).collect());
                vec![Box::new(Products { data, places })]
            }
            Self::Sum | Self::Mean => vec![Box::new(Accumulated(Reduced { data, along, is_mean }))],
        }
    }
}

/// Sums, or means, along some dimensions.
struct Reduced<'a> {
    data: &'a Tensor,
    along: Along,
    is_mean: bool,
}

/// The elements of a tensor at these places, as far as they are numbers of an integer type.
fn integers<'a>(
    data: &'a Tensor,
    int: Int,
    places: impl Iterator<Item = usize> + 'a,
) -> impl Iterator<Item = i128> + 'a {
    places.filter_map(move |place| Some(int.value(bits_at(data, place)?)))
}

impl Summed for Reduced<'_> {
    fn dtype(&self) -> DType {
        self.data.dtype()
    }

    fn sums(&self, format: &'static FloatFormat, index: usize) -> Result<Vec<Sum>, NoBound> {
        let count = if self.is_mean { self.along.count() as u64 } else { 1 };
        let mut sum = Sum::new(format, Terms::Elements, Scale::Divisor(count))?;
        let elements = self.along.places(index).filter_map(|place| bits_at(self.data, place));
        elements.for_each(|element| sum.add_element(element));
        Ok(vec![sum])
    }

    fn integer(&self, index: usize) -> Conforming {
        let Some(Number::Int(int)) = Number::of(self.data.dtype()) else {
            return Conforming::Unspecified("the type has no exact arithmetic");
        };
        let elements = integers(self.data, int, self.along.places(index));
        let sum = elements.fold(0_i128, i128::wrapping_add);
        if !self.is_mean {
            return Conforming::One(int.wrap(sum));
        }
        // No sum of fewer than 2^63 elements leaves 128 bits.
        match int.holds(sum) {
            false => {
                Conforming::Unspecified("the sum leaves the type, and how it is kept is not said")
            }
            true => mean(int, sum, self.along.count() as i128),
        }
    }

    fn open(&self, _: usize) -> Option<&'static str> {
        (self.is_mean && self.along.count() == 0).then_some("a mean of no elements is undefined")
    }

    fn brackets(&self) -> Option<Box<dyn Brackets + '_>> {
        let Number::Float(format) = Number::of(self.dtype())? else { return None };
        let elements = floats(self.data)?;
        Some(Box::new(SumsOfElements { summands: self, elements, format }))
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        elements_at(self.data, self.along.places(index))
    }
}

impl Summands for Reduced<'_> {
    fn count(&self) -> usize {
        self.along.outputs()
    }

    fn summands(&self, index: usize) -> Option<(impl Iterator<Item = usize>, u64)> {
        let count = if self.is_mean { self.along.count() as u64 } else { 1 };
        (count != 0).then(|| (self.along.places(index), count))
    }
}

/// The integers next to a quotient, towards zero first.
fn mean(int: Int, sum: i128, count: i128) -> Conforming {
    let all = [sum / count, sum.div_euclid(count), -(-sum).div_euclid(count)];
    let all = all.map(|mean| Conforming::One(int.wrap(mean)));
    Conforming::one_of(all).unwrap_or(Conforming::Unspecified("there is no such element"))
}

/// The places of the factors of an element.
pub(crate) type Places<'a> = Box<dyn Fn(usize) -> Vec<usize> + 'a>;

/// Products of elements of a tensor.
pub(crate) struct Products<'a> {
    pub(crate) data: &'a Tensor,
    pub(crate) places: Places<'a>,
}

impl Products<'_> {
    fn product(&self, index: usize) -> Option<Product> {
        let Some(Number::Float(format)) = Number::of(self.data.dtype()) else { return None };
        let mut product = Product::new(format);
        let elements =
            (self.places)(index).into_iter().filter_map(|place| bits_at(self.data, place));
        elements.for_each(|element| product.multiply(element));
        Some(product)
    }

    /// The product of integers modulo 2^n.
    fn integer(&self, index: usize) -> Option<u64> {
        let Some(Number::Int(int)) = Number::of(self.data.dtype()) else { return None };
        let elements = integers(self.data, int, (self.places)(index).into_iter());
        Some(int.wrap(elements.fold(1_i128, i128::wrapping_mul)))
    }
}

impl Allowed for Products<'_> {
    fn at(&self, index: usize) -> Conforming {
        if let Some(product) = self.integer(index) {
            return Conforming::One(product);
        }
        let conforming = self.product(index).map(|product| product.conforming());
        match conforming {
            Some(Ok(conforming)) => conforming,
            _ => Conforming::Unspecified(
                "so many factors may lose every bit in the elements' own precision",
            ),
        }
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        if let Some(product) = self.integer(index) {
            return Real::of_element(self.data.dtype(), product);
        }
        Some(Real::exactly(self.product(index)?.product()?))
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        match (self.integer(index), self.product(index)) {
            (Some(product), _) => crate::exact::distance(self.data.dtype(), product, actual),
            (None, Some(product)) => product.error(actual),
            (None, None) => Deviation::NoRealResult,
        }
    }

    fn share(&self, index: usize, actual: u64) -> Option<Share> {
        self.product(index)?.share(actual)
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        elements_at(self.data, (self.places)(index).into_iter())
    }

    fn sources(&self, index: usize) -> Option<Vec<usize>> {
        Some(vec![0; self.operands(index).len()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_integers_is_either_of_its_neighbours() {
        let int = Int { signed: true, bits: 32 };
        let accepted = |sum: i128, count: i128| {
            (-4..=4).filter(|&it| mean(int, sum, count).accepts(int.wrap(it))).collect::<Vec<_>>()
        };
        assert_eq!(accepted(7, 2), [3, 4]);
        assert_eq!(accepted(-7, 2), [-4, -3]);
        assert_eq!(accepted(-6, 2), [-3]);
        assert_eq!(accepted(0, 5), [0]);
        assert_eq!(mean(int, -7, 2).example(), Some(0xffff_fffd));
    }

    #[test]
    fn integers_are_summed_and_multiplied_modulo_a_power_of_two() {
        let data = Tensor::from_values(Int32, vec![3], vec![i32::MAX, i32::MAX, 3]).unwrap();
        let along = || Along::new(&[3], &[true]);
        let sums = Reduced { data: &data, along: along(), is_mean: false };
        assert_eq!(sums.integer(0), Conforming::One(1));
        let means = Reduced { data: &data, along: along(), is_mean: true };
        assert!(!means.integer(0).is_decided());
        let along = along();
        let places: Places<'_> = Box::new(move |index| along.places(index).collect());
        assert_eq!(Products { data: &data, places }.at(0), Conforming::One(3));
    }
}
