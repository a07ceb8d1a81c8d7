//! What ReduceSum, ReduceMean, ReduceProd, ReduceL1 and ReduceSumSquare have in common: one number of the elements along some
//! dimensions.
//!
//! ReduceL1 adds up magnitudes and ReduceSumSquare squares. The sum of no elements is 0 and their product 1; a mean of none is undefined, and which of two integers stands for
//! a mean between them, ONNX does not say, so that either conforms. Versions before 18, or 13 of ReduceSum, have the
//! axes as an attribute. An empty list of axes is as good as none. That the type does not hold the magnitude of the least integer, the
//! text of ReduceL1 does not speak of, as that of Abs does not. Source: ONNX's schemas of these operators.

use values::dtype::DType::{
    self, Bfloat16, Float16, Float32, Float64, Int32, Int64, Uint32, Uint64,
};
use values::element::Element;
use values::float::FloatFormat;
use values::tensor::Tensor;

use super::along::Along;
use super::reduce_extremum::{AXES, KEEPDIMS, NOOP, axes, one_of_each_group};
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

/// The versions of all others.
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
    /// The sum of the magnitudes.
    Magnitudes,
    /// The sum of the squares.
    Squares,
}

impl Reference for Reduction {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        one_of_each_group(call)
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(data), Ok((is_along, _))) = (call.input(0), axes(call)) else { return Vec::new() };
        let along = Along::new(data.shape(), &is_along);
        let reduction = *self;
        match reduction {
            Self::Product => {
                let places: Places<'a> = Box::new(move |index| along.places(index).collect());
                vec![Box::new(Products { data, places })]
            }
            _ => vec![Box::new(Accumulated(Reduced { data, along, reduction }))],
        }
    }
}

/// Sums, or means, along some dimensions.
struct Reduced<'a> {
    data: &'a Tensor,
    along: Along,
    reduction: Reduction,
}

impl Reduced<'_> {
    fn is_mean(&self) -> bool {
        self.reduction == Reduction::Mean
    }

    /// What sums are divided by.
    fn divisor(&self) -> u64 {
        if self.is_mean() { self.along.count() as u64 } else { 1 }
    }
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
        let terms = match self.reduction {
            Reduction::Squares => Terms::Products,
            _ => Terms::Elements,
        };
        let mut sum = Sum::new(format, terms, Scale::Divisor(self.divisor()))?;
        let elements = self.along.places(index).filter_map(|place| bits_at(self.data, place));
        elements.for_each(|element| match self.reduction {
            Reduction::Squares => sum.add(element, element),
            Reduction::Magnitudes => sum.add_element(format.magnitude(element)),
            _ => sum.add_element(element),
        });
        Ok(vec![sum])
    }

    fn integer(&self, index: usize) -> Conforming {
        let Some(Number::Int(int)) = Number::of(self.data.dtype()) else {
            return Conforming::Unspecified("the type has no exact arithmetic");
        };
        let elements = integers(self.data, int, self.along.places(index));
        let mut are_held = true;
        let terms = elements.map(|element| match self.reduction {
            Reduction::Squares => element.wrapping_mul(element),
            Reduction::Magnitudes => {
                are_held &= int.holds(element.abs());
                element.abs()
            }
            _ => element,
        });
        let sum = terms.fold(0_i128, i128::wrapping_add);
        if !are_held {
            return Conforming::Unspecified("the type does not hold the magnitude of an element");
        }
        if !self.is_mean() {
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
        (self.is_mean() && self.along.count() == 0).then_some("a mean of no elements is undefined")
    }

    fn brackets(&self) -> Option<Box<dyn Brackets + '_>> {
        let Number::Float(format) = Number::of(self.dtype())? else { return None };
        let mut elements = floats(self.data)?;
        match self.reduction {
            // Squares are no elements.
            Reduction::Squares => return None,
            Reduction::Magnitudes => {
                for element in &mut elements {
                    *element = element.abs();
                }
            }
            _ => {}
        }
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
        let divisor = self.divisor();
        (divisor != 0).then(|| (self.along.places(index), divisor))
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
        let of = |data, reduction| Reduced { data, along: along(), reduction }.integer(0);
        assert_eq!(of(&data, Reduction::Sum), Conforming::One(1));
        assert!(!of(&data, Reduction::Mean).is_decided());
        assert_eq!(of(&data, Reduction::Squares), Conforming::One(11));
        assert_eq!(of(&data, Reduction::Magnitudes), Conforming::One(1));
        let least = Tensor::from_values(Int32, vec![3], vec![i32::MIN, -2, 3]).unwrap();
        assert!(!of(&least, Reduction::Magnitudes).is_decided());
        assert_eq!(of(&least, Reduction::Squares), Conforming::One(13));
        let along = along();
        let places: Places<'_> = Box::new(move |index| along.places(index).collect());
        assert_eq!(Products { data: &data, places }.at(0), Conforming::One(3));
    }

    #[test]
    fn magnitudes_and_squares_of_floats_are_added_whatever_their_signs() {
        let data = Tensor::from_values(Float32, vec![3], vec![-2.0_f32, 3.0, -0.0]).unwrap();
        for (reduction, sum) in [(Reduction::Magnitudes, 5.0_f32), (Reduction::Squares, 13.0)] {
            let along = Along::new(&[3], &[true]);
            let conforming = Accumulated(Reduced { data: &data, along, reduction }).at(0);
            let bits = u64::from(sum.to_bits());
            assert!(conforming.accepts(bits) && conforming.example() == Some(bits.into()));
            assert!(!conforming.accepts(bits + 1) && !conforming.accepts(bits - 1));
        }
    }
}
