//! The errors of all elements of an output of sums together: whether they lean to one side, and how far they scatter.
//!
//! An element conforms up to the largest error that any order of summation can make, which hardly any order comes
//! near. Rounding to nearest errs to both sides, so that errors of many elements cancel out; truncation errs to one
//! side in each of them. `docs/numerics.md` has the model, the limits and how seldom they are exceeded by chance.

use num_traits::{Signed, ToPrimitive, Zero};
use reference::exact::Share;
use reference::exact::real::{Rational, power_of_two};
use reference::operator::Allowed;
use reference::real::Real;
use values::dtype::Kind;
use values::tensor::Tensor;

/// What the errors of all elements come to, each as a share of its limit: more than 1 where that is exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole {
    /// Elements whose errors were added up: those that an order of summation may round.
    pub elements: u64,
    /// The magnitude of the sum of the errors.
    pub bias: Share,
    /// The root of the sum of their squares.
    pub spread: Share,
}

/// Steps of an error: of the least unit that a term is rounded by.
const STEP: i32 = 20;

/// `t^2` of Azuma's and Hoeffding's inequality, where `2 exp(-t^2 / 2)` is below 2^-40.
const BIAS: u128 = 57;

/// `t` of the inequality of Hsu, Kakade and Zhang, where `exp(-t)` is below 2^-40.
const SPREAD: u128 = 28;

/// Sums over the elements; errors are in steps of 2^-[`STEP`].
#[derive(Debug, Default)]
struct Sums {
    elements: u128,
    errors: i128,
    squares: u128,
    /// Of the number of roundings of each element, their sum, the sum of their squares, and the most.
    roundings: u128,
    square_roundings: u128,
    most: u128,
    /// Of the roundings that elements share, and of their squares.
    shared: u128,
    square_shared: u128,
}

impl Whole {
    /// What the errors of an output come to; `None` where no element is a sum that is rounded and that shares no parts with
    /// others.
    pub(super) fn of(allowed: &dyn Allowed, actual: &Tensor) -> Option<Self> {
        let mut sums = Sums::default();
        (0..actual.elements()).try_for_each(|index| {
            let Some(error) = Error::of(allowed, actual, index) else { return Some(()) };
            sums.add(&error)
        })?;
        sums.whole()
    }

    /// Whether both are within their limits.
    pub fn conforms(&self) -> bool {
        self.bias.max(self.spread) <= Share::ALL
    }
}

/// The error of one element.
struct Error {
    /// In steps, towards zero.
    steps: i128,
    roundings: u128,
    shared: u128,
}

impl Error {
    fn of(allowed: &dyn Allowed, actual: &Tensor, index: usize) -> Option<Self> {
        let dtype = actual.dtype();
        let Kind::Float(format) = dtype.kind() else { return None };
        let real = allowed.real(index, 0)?;
        let sum = real.sum.as_ref().filter(|sum| !sum.bound.is_zero())?;
        let shared = sum.shared?;
        let number = Real::of_element(dtype, u64::try_from(actual.element(index)?).ok()?)?;
        let error = number.enclosure.exact()? - real.enclosure.exact()?;
        // With K roundings of a term at most, no partial sum is more than M / (1 - K u), and none is rounded by more than u of that.
        let most = i128::from(sum.terms) + 3 + i128::from(shared);
        let rest = power_of_two(format.precision() as i32) - Rational::from_integer(most.into());
        if !rest.is_positive()
            || &sum.bound * &rest > &sum.magnitude * Rational::from_integer(most.into())
        {
            // So many terms lose every bit, or underflow adds to the bound.
            return None;
        }
        let steps = error * rest / &sum.magnitude * power_of_two(STEP);
        Some(Self {
            steps: steps.to_integer().to_i128()?,
            roundings: u128::from(sum.terms) + 1 + u128::from(shared),
            shared: shared.into(),
        })
    }
}

impl Sums {
    /// Adds an element; `None` where a sum leaves 128 bits.
    fn add(&mut self, error: &Error) -> Option<()> {
        let square = |number: u128| number.checked_mul(number);
        let Error { steps, roundings, shared } = *error;
        self.elements += 1;
        self.errors = self.errors.checked_add(steps)?;
        self.squares = self.squares.checked_add(square(steps.unsigned_abs())?)?;
        self.roundings = self.roundings.checked_add(roundings)?;
        self.square_roundings = self.square_roundings.checked_add(square(roundings)?)?;
        self.most = self.most.max(roundings);
        self.shared = self.shared.checked_add(shared)?;
        self.square_shared = self.square_shared.checked_add(square(shared)?)?;
        Some(())
    }

    fn whole(&self) -> Option<Whole> {
        let root = |number: u128| {
            let root = number.isqrt();
            root + u128::from(root * root < number)
        };
        let in_steps = |number: u128| number.checked_mul(1 << (2 * STEP)).map(root);
        // What was cut off of each error is less than a step, and at most a step of the root of each square.
        let bias = in_steps(BIAS.checked_mul(self.roundings)?)?
            + self.shared.checked_mul(1 << STEP)?
            + self.elements;
        let of_squares = root(SPREAD.checked_mul(self.square_roundings)?);
        let squares = self.roundings + 2 * of_squares + 2 * SPREAD * self.most;
        let spread = in_steps(squares)? + in_steps(self.square_shared)? + root(self.elements);
        (self.elements > 0).then(|| Whole {
            elements: self.elements as u64,
            bias: Share::of_parts(self.errors.unsigned_abs(), bias),
            spread: Share::of_parts(root(self.squares), spread),
        })
    }
}

#[cfg(test)]
mod tests;
