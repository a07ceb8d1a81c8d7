//! Brackets of the elements of an output, some of which are held against the exact sums.

use std::hint::black_box;

use crate::exact::Conforming;
use crate::exact::bracket::{Bracket, Brackets};
use crate::operator::Allowed;
use values::random::Random;

/// The brackets of an output.
pub struct Checked<'a> {
    allowed: &'a dyn Allowed,
    brackets: Box<dyn Brackets + 'a>,
}

/// An exact sum that is not within its bracket, so that none of the brackets is to be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("element {index} is not within its bracket")]
pub struct Outside {
    /// The index of the element.
    pub index: usize,
}

/// An element of an output as far as its bracket tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Example {
    /// It does not.
    Untold,
    /// The number nearest to the exact sum.
    Nearest(u64),
    /// What conforms is open.
    Open,
}

/// The seed of the places that are checked.
const SEED: u64 = 0x6272_6163_6b65_7473;

/// Of so many elements of a tile one is checked.
const PER_CHECK: u64 = 4096;

impl<'a> Checked<'a> {
    /// Those of what is allowed; `None` where it is not made of sums that can be bracketed, and where this thread does not
    /// compute as IEEE 754 has it by default.
    pub fn of(allowed: &'a dyn Allowed) -> Option<Self> {
        if !rounds_to_nearest() || !keeps_subnormal() {
            return None;
        }
        Some(Self { allowed, brackets: allowed.brackets()? })
    }

    /// How many tiles there are.
    pub fn tiles(&self) -> usize {
        self.brackets.tiles()
    }

    /// The elements of a tile, by their indices, with their brackets. Some of these are checked, which depends on the
    /// tile alone.
    pub fn tile(&self, at: usize) -> Result<Vec<(usize, Option<Bracket>)>, Outside> {
        let tile = self.brackets.tile(at);
        let mut random = Random::at(SEED, at as u64);
        let len = tile.len() as u64;
        // Of small tiles not each is checked.
        let more = u64::from(random.below(PER_CHECK) < len % PER_CHECK);
        for _ in 0..len / PER_CHECK + more {
            let place = random.below(len) as usize;
            if let Some((index, Some(bracket))) = tile.get(place)
                && !self.is_right(*index, bracket)
            {
                return Err(Outside { index: *index });
            }
        }
        Ok(tile)
    }

    fn is_right(&self, index: usize, bracket: &Bracket) -> bool {
        // What is open has no bound, and no sum is told of it.
        let Some(real) = self.allowed.real(index, 0) else { return bracket.is_open() };
        let bound = real.sum.as_ref().map(|sum| &sum.bound);
        real.enclosure.exact().is_some_and(|sum| bracket.holds(sum, bound))
    }
}

/// Whether additions are rounded to the nearest number, ties to even.
fn rounds_to_nearest() -> bool {
    let half = f64::EPSILON / 2.0;
    let [below, above] = [1.0, 3.0].map(|halves| black_box(1.0) + black_box(halves * half));
    below == 1.0 && above == 1.0 + 2.0 * f64::EPSILON
}

/// Whether subnormal numbers of float32 are read as what they are.
fn keeps_subnormal() -> bool {
    f64::from(black_box(f32::from_bits(1))) > 0.0
}

impl Example {
    /// What conforms, as far as an example of it is asked for.
    pub const fn conforming(&self) -> Option<Conforming> {
        match self {
            Self::Untold => None,
            Self::Nearest(bits) => Some(Conforming::One(*bits)),
            Self::Open => Some(Conforming::Unspecified("there are too many terms for a bound")),
        }
    }
}

/// Examples of so many elements of an output, as far as brackets tell them; of none where there are no brackets, or
/// one that is wrong.
pub fn examples(allowed: &dyn Allowed, elements: usize) -> Vec<Example> {
    let Some(checked) = Checked::of(allowed) else { return Vec::new() };
    let mut examples = vec![Example::Untold; elements];
    for at in 0..checked.tiles() {
        let Ok(tile) = checked.tile(at) else { return Vec::new() };
        for (index, bracket) in tile {
            if let (Some(example), Some(bracket)) = (examples.get_mut(index), bracket) {
                *example = match bracket.nearest() {
                    _ if bracket.is_open() => Example::Open,
                    Some(bits) => Example::Nearest(bits),
                    None => Example::Untold,
                };
            }
        }
    }
    examples
}
