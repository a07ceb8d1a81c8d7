//! Judging some of an output's elements, where judging all of them would take too long.

use std::collections::BTreeSet;

use reference::brackets::Checked;
use reference::elements::tensor_of;
use reference::elementwise::Elementwise;
use reference::exact::{Conforming, Deviation, Share};
use reference::operator::{Allowed, OperatorKind};
use reference::real::Real;
use values::dtype::{DType, Kind};
use values::element::Element;
use values::random::Random;
use values::tensor::{Tensor, coordinates};

use crate::compare::OutputComparison;

/// How many of an output's elements are judged, and which: numbers drawn from a seed say it, and the elements of the
/// largest and of the smallest magnitude are always among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// How many.
    pub extent: Extent,
    /// What the others are drawn from.
    pub seed: u64,
}

/// How many elements of an output are judged; all where it has no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// So many.
    Elements(usize),
    /// As many as take as long as copies of so many operands, and [`LEAST`] at least; see [`operands_of`].
    Operands(u64),
}

/// The fewest elements that a sample by [`Extent::Operands`] has.
pub const LEAST: usize = 64;

/// How many elements of the largest magnitude are in every sample, and as many of the smallest.
const EXTREMES: usize = 8;

impl Sample {
    /// The places of the elements that are judged, in order; `None` where all are.
    pub(super) fn places(
        &self,
        kind: OperatorKind,
        output: &Tensor,
        allowed: &dyn Allowed,
    ) -> Option<Vec<usize>> {
        let elements = output.elements();
        let wanted = match self.extent {
            Extent::Elements(wanted) => wanted,
            Extent::Operands(_) if elements <= LEAST => elements,
            // Of a sample no sum is bracketed.
            Extent::Operands(operands) if operands_of(kind, allowed, elements) > operands => {
                let all = operands_one_by_one(kind, allowed, elements);
                let wanted = elements as u128 * u128::from(operands) / u128::from(all.max(1));
                usize::try_from(wanted).unwrap_or(usize::MAX).max(LEAST)
            }
            Extent::Operands(_) => elements,
        };
        if wanted >= elements || output.dtype() == DType::String {
            return None;
        }
        let mut places = extremes(output);
        let mut random = Random::new(self.seed);
        while places.len() < wanted {
            places.insert(random.below(elements as u64) as usize);
        }
        Some(places.into_iter().collect())
    }
}

/// How many of a sum's operands are bracketed while one is copied, or added exactly; four times as many are taken for as
/// long, so that nearly all sums are judged whole.
const BRACKETED: u64 = 1024;

/// How long it takes to judge so many elements of an output, in operands that are copied or added exactly: an operand of a
/// function, or of what is composed of several operations, counts as eight, 1,024 of a sum that is bracketed as one.
pub fn operands_of(kind: OperatorKind, allowed: &dyn Allowed, elements: usize) -> u64 {
    let operands = operands_one_by_one(kind, allowed, elements);
    match kind {
        OperatorKind::Accumulated if operands > 0 && Checked::of(allowed).is_some() => {
            operands / BRACKETED
        }
        _ => operands,
    }
}

/// Likewise where each element is judged by itself.
fn operands_one_by_one(kind: OperatorKind, allowed: &dyn Allowed, elements: usize) -> u64 {
    if elements == 0 {
        return 0;
    }
    let operands = (elements as u64).saturating_mul(allowed.operands(0).len().max(1) as u64);
    match kind {
        OperatorKind::Exact | OperatorKind::Rounded | OperatorKind::Accumulated => operands,
        OperatorKind::Approximated | OperatorKind::Composed => operands.saturating_mul(8),
    }
}

/// The places of the elements of the largest and of the smallest magnitude.
fn extremes(output: &Tensor) -> BTreeSet<usize> {
    let magnitude = |place: &usize| magnitude(output.dtype(), output.element(*place).unwrap_or(0));
    let mut places: Vec<usize> = (0..output.elements()).collect();
    let mut found = BTreeSet::new();
    if places.len() > 2 * EXTREMES {
        places.select_nth_unstable_by_key(EXTREMES, |place| (magnitude(place), *place));
        found.extend(places.iter().take(EXTREMES));
        let last = places.len() - EXTREMES;
        places.select_nth_unstable_by_key(last, |place| (magnitude(place), *place));
        found.extend(places.iter().skip(last));
    }
    found
}

/// A number that grows with the magnitude of an element; that of a NaN is the greatest.
fn magnitude(dtype: DType, bits: u128) -> u128 {
    match dtype.kind() {
        // The formats' numbers are ordered as their bits are, but for the sign.
        Kind::Float(format) => bits & ((1_u128 << (format.width() - 1)) - 1),
        Kind::Int { signed: true, bits: width } => {
            let outside = 128 - width;
            (bits << outside).cast_signed().wrapping_shr(outside).unsigned_abs()
        }
        Kind::Int { .. } | Kind::Complex(_) | Kind::Bool | Kind::String => bits,
    }
}

/// The elements of a tensor at these places, as a vector.
pub(super) fn picked(tensor: &Tensor, places: &[usize]) -> Option<Tensor> {
    let elements = places.iter().map(|&place| Element::of(tensor, place));
    let elements: Vec<Element> = elements.collect::<Option<_>>()?;
    tensor_of(tensor.dtype(), &[places.len()], elements).ok()
}

/// What is allowed of the elements at some places of an output.
pub(super) struct Picked<'a> {
    pub(super) allowed: &'a dyn Allowed,
    pub(super) places: &'a [usize],
}

impl Picked<'_> {
    fn place(&self, index: usize) -> usize {
        self.places.get(index).copied().unwrap_or(index)
    }
}

impl Allowed for Picked<'_> {
    fn at(&self, index: usize) -> Conforming {
        self.allowed.at(self.place(index))
    }

    fn real(&self, index: usize, bits: u32) -> Option<Real> {
        self.allowed.real(self.place(index), bits)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        self.allowed.deviation(self.place(index), actual)
    }

    fn judged(&self, index: usize, actual: [u64; 2]) -> (Conforming, [Deviation; 2]) {
        self.allowed.judged(self.place(index), actual)
    }

    fn share(&self, index: usize, actual: u64) -> Option<Share> {
        self.allowed.share(self.place(index), actual)
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        self.allowed.operands(self.place(index))
    }

    fn sources(&self, index: usize) -> Option<Vec<usize>> {
        self.allowed.sources(self.place(index))
    }

    fn function(&self) -> Option<&dyn Elementwise> {
        self.allowed.function()
    }
}

/// A comparison of the elements at these places as one of the whole output, which has this shape.
pub(super) fn in_whole(
    comparison: OutputComparison,
    places: &[usize],
    shape: &[usize],
) -> OutputComparison {
    let moved = |index: &mut Vec<usize>| {
        if let Some(&place) = index.first().and_then(|&at| places.get(at)) {
            *index = coordinates(place, shape);
        }
    };
    let mut comparison = OutputComparison { shape: shape.to_vec(), ..comparison };
    comparison.worst.iter_mut().for_each(|worst| moved(&mut worst.index));
    comparison.expected_fault.iter_mut().for_each(|fault| moved(&mut fault.index));
    comparison
}
