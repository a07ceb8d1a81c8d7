//! What operators have in common that make an element of the elements along some dimensions of a tensor.

use values::dtype::DType;
use values::element::Element;
use values::float::Class;
use values::tensor::Tensor;

use crate::exact::{Conforming, Deviation, Number, distance};
use crate::operator::{Allowed, Call, Invalid};
use crate::real::Real;

/// Sizes and strides of the dimensions of a tensor: of those that an output keeps, and of those along which it has
/// one element.
pub(crate) struct Along {
    kept: Vec<Step>,
    along: Vec<Step>,
}

/// A dimension of the tensor.
#[derive(Clone, Copy)]
struct Step {
    size: usize,
    stride: usize,
}

impl Along {
    /// The dimensions of this shape, those at the places that are `true` being gone along.
    pub(crate) fn new(shape: &[usize], is_along: &[bool]) -> Self {
        let [mut kept, mut along] = [Vec::new(), Vec::new()];
        let mut stride = 1_usize;
        for (&size, &is_along) in shape.iter().zip(is_along).rev() {
            let step = Step { size, stride };
            if is_along {
                along.push(step);
            } else {
                kept.push(step);
            }
            // Only a tensor without elements has sizes whose product is too large, and it is never read.
            stride = stride.saturating_mul(size);
        }
        kept.reverse();
        along.reverse();
        Self { kept, along }
    }

    /// How many elements there are for each of the output.
    pub(crate) fn count(&self) -> usize {
        if self.along.iter().any(|step| step.size == 0) {
            return 0;
        }
        self.along.iter().fold(1, |count, step| count.saturating_mul(step.size))
    }

    /// How many elements the output has.
    pub(crate) fn outputs(&self) -> usize {
        if self.kept.iter().any(|step| step.size == 0) {
            return 0;
        }
        self.kept.iter().fold(1, |count, step| count.saturating_mul(step.size))
    }

    /// The places of the elements for one of the output, in their order.
    pub(crate) fn places(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        let first = place(&self.kept, index);
        (0..self.count()).map(move |at| first + place(&self.along, at))
    }
}

/// The place of the element at a row-major index of these dimensions.
fn place(steps: &[Step], mut index: usize) -> usize {
    let mut place = 0;
    for step in steps.iter().rev() {
        place += index % step.size.max(1) * step.stride;
        index /= step.size.max(1);
    }
    place
}

/// The shape without the dimensions that are gone along, or with a size of 1 in their places.
pub(crate) fn reduced(shape: &[usize], is_along: &[bool], keeps: bool) -> Vec<usize> {
    let sizes = shape.iter().zip(is_along);
    sizes.filter_map(|(&size, &gone)| if gone { keeps.then_some(1) } else { Some(size) }).collect()
}

/// The value of an attribute that is 0 or 1, given or by default; versions that lack it have the value 0.
pub(crate) fn flag(call: &Call, name: &str) -> Result<bool, Invalid> {
    match call.int(name) {
        None | Some(0) => Ok(false),
        Some(1) => Ok(true),
        Some(other) => Err(call.invalid(&format!("takes no `{name}` of {other}"))),
    }
}

/// Where an element lies in the order of its type, in which the two zeros are one and false is below true; `None` for
/// a NaN.
pub(crate) fn order(dtype: DType, bits: u64) -> Option<i128> {
    match Number::of(dtype) {
        Some(Number::Float(format)) if format.class(bits) == Class::Nan => None,
        Some(Number::Float(format)) => {
            let magnitude = i128::from(format.magnitude(bits));
            Some(if format.is_negative(bits) { -magnitude } else { magnitude })
        }
        Some(Number::Int(int)) => Some(int.value(bits)),
        None => (dtype == DType::Bool).then_some(i128::from(bits)),
    }
}

/// The order of the element of a tensor at a place.
pub(crate) fn order_at(tensor: &Tensor, place: usize) -> Option<i128> {
    order(tensor.dtype(), u64::try_from(tensor.element(place)?).ok()?)
}

/// What is allowed of an output of numbers, each of which tells where one of the operands is.
pub(crate) struct Places<'a, F, O> {
    /// The type of the output.
    pub(crate) dtype: DType,
    /// The tensor that the operands are elements of.
    pub(crate) tensor: &'a Tensor,
    /// Which numbers conform at an index.
    pub(crate) conforming: F,
    /// The places of the operands for an index.
    pub(crate) operands: O,
}

impl<F, O> Allowed for Places<'_, F, O>
where
    F: Fn(usize) -> Conforming,
    O: Fn(usize) -> Vec<usize>,
{
    fn at(&self, index: usize) -> Conforming {
        (self.conforming)(index)
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        Real::of_element(self.dtype, self.at(index).number()?)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        let conforming = self.at(index);
        let Some(first) = conforming.number() else { return Deviation::NoRealResult };
        // Of places that conform alike none is away from another.
        let nearest = if conforming.accepts(actual) { actual } else { first };
        distance(self.dtype, nearest, actual)
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        let places = (self.operands)(index);
        places.into_iter().filter_map(|place| Element::of(self.tensor, place)).collect()
    }
}

/// Any of these integers, of which there is one at least.
pub(crate) fn any_place(places: impl IntoIterator<Item = usize>) -> Conforming {
    let mut all: Vec<_> = places.into_iter().map(|place| Conforming::One(place as u64)).collect();
    match all.len() {
        0 => Conforming::Unspecified("there is no element"),
        1 => all.remove(0),
        _ => Conforming::OneOf(all),
    }
}

/// The places among elements, by their orders, at which the extreme may be found: those of NaNs, if any, and those
/// of the largest of the numbers.
pub(crate) struct Extremes {
    pub(crate) nans: Vec<usize>,
    pub(crate) numbers: Vec<usize>,
}

impl Extremes {
    pub(crate) fn of(
        orders: impl Iterator<Item = (usize, Option<i128>)>,
        is_largest: bool,
    ) -> Self {
        let mut found = Self { nans: Vec::new(), numbers: Vec::new() };
        let mut extreme = None;
        for (place, order) in orders {
            let Some(order) = order.map(|order| if is_largest { order } else { -order }) else {
                found.nans.push(place);
                continue;
            };
            if extreme.is_none_or(|extreme| order > extreme) {
                extreme = Some(order);
                found.numbers.clear();
            }
            if extreme == Some(order) {
                found.numbers.push(place);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_found_along_any_dimensions() {
        let along = Along::new(&[2, 3, 2], &[true, false, true]);
        assert_eq!(along.places(1).collect::<Vec<_>>(), [2, 3, 8, 9]);
        let none = Along::new(&[2, 3], &[false, false]);
        assert_eq!(none.places(5).collect::<Vec<_>>(), [5]);
        let empty = Along::new(&[usize::MAX, 0, usize::MAX], &[true, true, true]);
        assert_eq!(empty.places(0).count(), 0);
        assert_eq!(reduced(&[2, 3, 4], &[true, false, true], true), [1, 3, 1]);
        assert_eq!(reduced(&[2, 3, 4], &[true, false, true], false), [3]);
    }

    #[test]
    fn zeros_are_one_number_and_a_nan_is_none() {
        assert_eq!(order(DType::Float16, 0x8000), order(DType::Float16, 0));
        assert!(order(DType::Float16, 0x8001) < order(DType::Float16, 0));
        assert_eq!(order(DType::Float16, 0x7e00), None);
        assert_eq!(order(DType::Int8, 0x80), Some(-128));
        assert!(order(DType::Bool, 0) < order(DType::Bool, 1));
    }
}
