//! What is allowed of outputs whose elements are sums: of elements, or of products, scaled or with one more term.
//!
//! Floats are held to the bound of `exact/sum.rs`, whatever the order; integers are summed modulo 2^n, which does not
//! depend on it.

use values::dtype::DType;
use values::element::Element;
use values::float::FloatFormat;
use values::tensor::Tensor;

use crate::exact::bracket::Brackets;
use crate::exact::dot::NoBound;
use crate::exact::sum::Sum;
use crate::exact::{Conforming, Deviation, Number, Share, distance, each_once};
use crate::operator::Allowed;
use crate::real::{self, Real};

/// Why an element has no bound: too many terms.
pub(crate) const TOO_MANY_TERMS: &str =
    "so many terms may lose every bit in an accumulator of the elements' own precision";
/// A scale out of range.
const SCALE: &str = "the elements' own type does not hold what the sum is multiplied or divided by";

/// The sums that the elements of an output are.
pub(crate) trait Summed {
    /// Whether the operands are pairs of elements of the first two inputs, and one of the third perhaps; they are
    /// elements of the first input otherwise.
    const PAIRED: bool = false;

    /// Whether an implementation makes elements of partial sums of others.
    const OVERLAPPING: bool = false;

    /// The type of the output.
    fn dtype(&self) -> DType;

    /// The sum of an element of a float type, by each reading of what it is; the first one is the example.
    fn sums(&self, format: &'static FloatFormat, index: usize) -> Result<Vec<Sum>, NoBound>;

    /// What conforms of an element of an integer type.
    fn integer(&self, index: usize) -> Conforming;

    /// Why an element is not decided, if it is not.
    fn open(&self, _index: usize) -> Option<&'static str> {
        None
    }

    /// What may come in the place of a sum besides.
    fn besides(&self, _format: &'static FloatFormat, _index: usize) -> Option<Conforming> {
        None
    }

    /// The elements that the sum is made of.
    fn operands(&self, index: usize) -> Vec<Element>;

    /// The place of the input that one of so many operands of an element comes from.
    fn source(&self, _index: usize, at: usize, count: usize) -> usize {
        match Self::PAIRED {
            true if at + 1 == count && at.is_multiple_of(2) => 2,
            true => at % 2,
            false => 0,
        }
    }

    /// Brackets of the sums, where they can be bracketed.
    fn brackets(&self) -> Option<Box<dyn Brackets + '_>> {
        None
    }
}

/// What is allowed of sums.
pub(crate) struct Accumulated<S>(pub(crate) S);

impl<S: Summed> Accumulated<S> {
    /// The sum of an element of a float type.
    fn sum(&self, index: usize) -> Option<Sum> {
        let Some(Number::Float(format)) = Number::of(self.0.dtype()) else { return None };
        if self.0.open(index).is_some() {
            return None;
        }
        self.0.sums(format, index).ok()?.into_iter().next()
    }

    /// What conforms of an element of a float type, and how far each of two elements is from the exact sum.
    fn of_floats(
        &self,
        format: &'static FloatFormat,
        index: usize,
        actual: [u64; 2],
    ) -> (Result<Conforming, NoBound>, [Deviation; 2]) {
        let mut deviations = None;
        let mut judged = |sum: &Sum| {
            let (conforming, of) = sum.judged(actual);
            deviations.get_or_insert(of);
            conforming
        };
        let readings = self
            .0
            .sums(format, index)
            .and_then(|sums| sums.iter().map(&mut judged).collect::<Result<Vec<_>, _>>());
        let conforming = readings.map(|readings| {
            let all = readings.into_iter().chain(self.0.besides(format, index));
            let open = Conforming::Unspecified("there is no such element");
            Conforming::one_of(all).unwrap_or(open)
        });
        (conforming, deviations.unwrap_or([Deviation::NoRealResult; 2]))
    }
}

impl<S: Summed> Allowed for Accumulated<S> {
    fn at(&self, index: usize) -> Conforming {
        self.judged(index, [0; 2]).0
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        if let Some(Number::Int(_)) = Number::of(self.0.dtype()) {
            return Real::of_element(self.0.dtype(), self.at(index).number()?);
        }
        let sum = self.sum(index)?;
        let shared = (!S::OVERLAPPING).then(|| sum.shared_roundings());
        let (terms, magnitude, bound) = (sum.count(), sum.magnitudes()?, sum.bound()?);
        let of_terms = real::Sum { terms, magnitude, bound, shared };
        Some(Real { sum: Some(of_terms), ..Real::exactly(sum.sum()?) })
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        let [deviation, _] = self.judged(index, [actual; 2]).1;
        deviation
    }

    fn judged(&self, index: usize, actual: [u64; 2]) -> (Conforming, [Deviation; 2]) {
        let none = [Deviation::NoRealResult; 2];
        let dtype = self.0.dtype();
        if let Some(reason) = self.0.open(index) {
            return (Conforming::Unspecified(reason), none);
        }
        match Number::of(dtype) {
            Some(Number::Float(format)) => {
                let (conforming, deviations) = self.of_floats(format, index, actual);
                let conforming = conforming.unwrap_or_else(|why| {
                    Conforming::Unspecified(match why {
                        NoBound::TooManyTerms { .. } => TOO_MANY_TERMS,
                        NoBound::Scale | NoBound::NarrowAccumulator => SCALE,
                    })
                });
                (conforming, deviations)
            }
            Some(Number::Int(_)) => {
                let conforming = self.0.integer(index);
                let of = |actual| {
                    let is_allowed = conforming.accepts(actual) && conforming.is_decided();
                    let nearest = if is_allowed { Some(actual) } else { conforming.number() };
                    nearest.map_or(Deviation::NoRealResult, |exact| distance(dtype, exact, actual))
                };
                let deviations = each_once(actual, of);
                (conforming, deviations)
            }
            None => (Conforming::Unspecified("the type has no exact arithmetic"), none),
        }
    }

    fn share(&self, index: usize, actual: u64) -> Option<Share> {
        self.real(index, 0)?.share_of_sum(self.0.dtype(), actual)
    }

    fn brackets(&self) -> Option<Box<dyn Brackets + '_>> {
        self.0.brackets()
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        self.0.operands(index)
    }

    fn sources(&self, index: usize) -> Option<Vec<usize>> {
        let count = self.0.operands(index).len();
        Some((0..count).map(|at| self.0.source(index, at, count)).collect())
    }
}

/// The bits of the element of a tensor at a place, of a type of 64 bits at most.
pub(crate) fn bits_at(tensor: &Tensor, place: usize) -> Option<u64> {
    u64::try_from(tensor.element(place)?).ok()
}

/// The elements of a tensor at places.
pub(crate) fn elements_at(tensor: &Tensor, places: impl Iterator<Item = usize>) -> Vec<Element> {
    places.filter_map(|place| Element::of(tensor, place)).collect()
}
