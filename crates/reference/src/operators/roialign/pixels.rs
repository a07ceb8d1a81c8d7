//! The pixels on either side of a sample along a dimension, with their weights.
//!
//! Of a sample at x between the pixels i and i + 1 the part t = x - i is weighted, by 1 - t and t. Where locations on either side of
//! a pixel may be computed, the sample is between either two.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};

use super::Reason;
use super::axis::Location;
use crate::exact::composed::{Arithmetic, Computed, Exact};
use crate::exact::interval::Interval;
use crate::exact::real::Rational;

const EDGE: Reason = "rounding decides whether the sample is more than one pixel outside of the image, or no text does";
const TOO_WIDE: Reason = "the format does not hold locations closely enough";

/// The most pixels that a location may be after.
const MOST: usize = 16;

/// Two pixels with their weights.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) pixels: [usize; 2],
    weights: [Computed; 2],
    /// Whether the exact location is between them.
    is_exact: bool,
}

impl Cell {
    pub(super) fn weighted(&self) -> Vec<(usize, Computed)> {
        self.pixels.into_iter().zip(self.weights.iter().cloned()).collect()
    }
}

/// A sample along a dimension.
#[derive(Clone, Debug)]
pub(super) enum Sample {
    /// More than one pixel outside of the image.
    Outside,
    /// Between the pixels of one of these cells, of which the first has the exact location.
    Inside(Vec<Cell>),
}

impl Sample {
    /// The sample at a location along a dimension of so many pixels, one at least.
    pub(super) fn of(location: &Location, size: usize, a: &Arithmetic) -> Result<Self, Reason> {
        let end = Rational::from(BigInt::from(size));
        let (last, begin) = (&end - Rational::one(), -Rational::one());
        let (lower, upper) = (&location.between.lower, &location.between.upper);
        if *upper < begin || *lower > end {
            return Ok(Self::Outside);
        }
        if *lower <= begin || *upper >= end {
            return Err(EDGE);
        }
        // At the border and beyond it there is the pixel at the border.
        let inside = |number: &Rational| number.clone().clamp(Rational::zero(), last.clone());
        let (lower, upper, exact) = (inside(lower), inside(upper), inside(&location.exact));
        let mut cells = Vec::new();
        let mut index = lower.floor().to_integer();
        loop {
            cells.push(cell(&index, [&lower, &upper, &exact], size, a).ok_or(TOO_WIDE)?);
            index += 1;
            if Rational::from(index.clone()) >= upper {
                break;
            }
            if cells.len() >= MOST {
                return Err(TOO_WIDE);
            }
        }
        let place = cells.iter().position(|cell| cell.is_exact).unwrap_or(0);
        cells.swap(0, place);
        Ok(Self::Inside(cells))
    }

    /// The cells that it may be in: none outside.
    pub(super) fn cells(&self) -> &[Cell] {
        match self {
            Self::Outside => &[],
            Self::Inside(cells) => cells,
        }
    }

    pub(super) fn into_cells(self) -> Vec<Cell> {
        match self {
            Self::Outside => Vec::new(),
            Self::Inside(cells) => cells,
        }
    }
}

/// The cell that begins at a pixel, for locations between two, of which the third is the exact one.
fn cell(
    index: &BigInt,
    [lower, upper, exact]: [&Rational; 3],
    size: usize,
    a: &Arithmetic,
) -> Option<Cell> {
    let [begin, end] = [index.clone(), index + 1].map(Rational::from);
    let part = |number: &Rational| Interval::rational(&(number - &begin), a.bits());
    let numbers = part(lower.max(&begin)).hull(&part(upper.min(&end)));
    let is_exact = begin <= *exact && *exact <= end;
    let exact = if is_exact { part(exact) } else { numbers.lower() };
    let own = Computed { exact: Exact::Number(exact), ..Computed::number(numbers) };
    let t = a.converted(&own);
    let rest = a.sub(&a.integer(1), &t);
    let pixel = index.to_usize()?;
    // Behind the last pixel it stands for itself.
    Some(Cell { pixels: [pixel, (pixel + 1).min(size - 1)], weights: [rest, t], is_exact })
}

/// All pixels with what may be their weights, whichever cell the sample is in: as often as a cell has one, each time with a weight
/// of its own, as products are added up and not weights.
pub(super) fn merged(cells: &[Cell], a: &Arithmetic) -> Vec<(usize, Computed)> {
    let numbered = |cell: &Cell| -> BTreeMap<(usize, usize), Computed> {
        let is_twice = cell.pixels[0] == cell.pixels[1];
        let weighted = cell.weighted().into_iter().enumerate();
        weighted
            .map(|(at, (pixel, weight))| ((pixel, if is_twice { at } else { 0 }), weight))
            .collect()
    };
    let all: Vec<_> = cells.iter().map(numbered).collect();
    let mut weights: BTreeMap<(usize, usize), Computed> = BTreeMap::new();
    for place in all.iter().flat_map(BTreeMap::keys) {
        let of =
            |cell: &BTreeMap<_, Computed>| cell.get(place).cloned().unwrap_or_else(|| a.integer(0));
        // The first cell has the exact location, and so the exact weight.
        if let Some(weight) = all.iter().map(of).reduce(|so_far, own| so_far.or(&own)) {
            weights.insert(*place, weight);
        }
    }
    weights.into_iter().map(|((pixel, _), weight)| (pixel, weight)).collect()
}
