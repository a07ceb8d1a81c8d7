//! How much each element along a dimension counts for a location.
//!
//! Of a location x between the elements at i and i + 1 the part t = x - i is weighted linearly, by 1 - t and t, or by the cubic of four
//! elements (R. Keys, *Cubic Convolution Interpolation for Digital Image Processing*, IEEE Transactions on Acoustics, Speech, and
//! Signal Processing 29, 1981, equation 4). Both are continuous, so that the weights of locations on either side of an element
//! are close: of several that may be computed each element has any of its weights.

use std::collections::BTreeMap;

use num_bigint::BigInt;

use super::location::{Dimension, Location, Reason};
use crate::exact::composed::{Arithmetic, Computed, Exact};
use crate::exact::interval::Interval;
use crate::exact::real::Rational;

/// The elements along a dimension with their weights: as often as one is around the location, each time with a weight of its own,
/// as the products are added up and not the weights.
pub(crate) type Line = Vec<(usize, Computed)>;

/// The most elements that a location may be after.
const MOST: i64 = 64;

const TOO_WIDE: Reason = "the format does not hold locations closely enough";

/// The weights of a location between two elements.
struct Cell {
    /// By the element, and how often it had one already.
    weights: BTreeMap<(usize, usize), Computed>,
    /// Whether the exact location is there.
    is_exact: bool,
}

/// The elements that have a weight along a dimension.
pub(crate) fn line(
    dimension: &Dimension,
    is_cubic: bool,
    keeps_outside: bool,
    a: &Arithmetic,
) -> Result<Line, Reason> {
    let mut cells = Vec::new();
    for location in dimension.padded(keeps_outside) {
        let first = location.between.lower.floor().to_integer();
        let mut index = first.clone();
        loop {
            if &index - &first > BigInt::from(MOST) {
                return Err(TOO_WIDE);
            }
            cells.push(cell(dimension, &location, &index, is_cubic, a));
            index += 1;
            if Rational::from(index.clone()) >= location.between.upper {
                break;
            }
        }
    }
    let zero = || a.integer(0);
    let mut merged: BTreeMap<(usize, usize), Computed> = BTreeMap::new();
    let places: Vec<_> = cells.iter().flat_map(|cell| cell.weights.keys().copied()).collect();
    for place in places {
        let of = |cell: &Cell| cell.weights.get(&place).cloned().unwrap_or_else(zero);
        let exact = cells.iter().find(|cell| cell.is_exact).map(of);
        let all = cells.iter().map(of).reduce(|so_far, own| so_far.or(&own));
        let Some(all) = all else { continue };
        let exact = exact.map_or(Exact::Undefined, |own| own.exact);
        merged.insert(place, Computed { exact, ..all });
    }
    Ok(merged.into_iter().map(|((pixel, _), weight)| (pixel, weight)).collect())
}

/// The weights where the location is after the element at an index and before the next one.
fn cell(
    dimension: &Dimension,
    location: &Location,
    index: &BigInt,
    is_cubic: bool,
    a: &Arithmetic,
) -> Cell {
    let [begin, end] = [index.clone(), index + 1].map(Rational::from);
    let part = |number: &Rational| Interval::rational(&(number - &begin), a.bits());
    let [lower, upper] = [&location.between.lower, &location.between.upper];
    let numbers = part(lower.max(&begin)).hull(&part(upper.min(&end)));
    let exact = location.exact.as_ref().filter(|exact| begin <= **exact && **exact <= end);
    let is_exact = exact.is_some();
    let exact = exact.map_or_else(|| numbers.lower(), part);
    let own = Computed { exact: Exact::Number(exact), ..Computed::number(numbers) };
    let t = a.converted(&own);
    let rest = a.sub(&a.integer(1), &t);
    let weights = match is_cubic {
        false => vec![(0, rest), (1, t)],
        true => {
            let one = a.integer(1);
            let beyond = [a.add(&one, &t), a.add(&one, &rest)].map(|s| far(&s, a));
            let [before, after] = beyond;
            vec![(-1, before), (0, near(&t, a)), (1, near(&rest, a)), (2, after)]
        }
    };
    let mut of_pixels: BTreeMap<(usize, usize), Computed> = BTreeMap::new();
    for (offset, weight) in weights {
        let Some(pixel) = dimension.pixel(&(index + offset)) else { continue };
        let before = of_pixels.range((pixel, 0)..=(pixel, usize::MAX)).count();
        of_pixels.insert((pixel, before), weight);
    }
    Cell { weights: of_pixels, is_exact }
}

/// The product of an element and its weight, if it counts. No text says whether an infinity or a NaN without weight is multiplied by
/// it or left out: either conforms.
pub(crate) fn weighted(a: &Arithmetic, weight: &Computed, element: &Computed) -> Option<Computed> {
    let has = |is: fn(&Interval) -> bool| weight.numbers.as_ref().is_some_and(is);
    match (has(Interval::is_zero), element.is_finite()) {
        (true, true) => None,
        (true, false) => Some(a.integer(0).or(&Computed::nan())),
        (false, false) if has(Interval::has_zero) => Some(a.mul(weight, element).or(&a.integer(0))),
        _ => Some(a.mul(weight, element)),
    }
}

/// A number of quarters.
fn quarters(number: i64, a: &Arithmetic) -> Computed {
    Computed::number(Interval::integer(number, a.bits()).scaled(-2))
}

/// The weight of one of the two elements next to a location at this distance: (1.25 s - 2.25) s^2 + 1.
fn near(s: &Computed, a: &Arithmetic) -> Computed {
    let sum = a.sub(&a.mul(&quarters(5, a), s), &quarters(9, a));
    a.add(&a.mul(&a.mul(&sum, s), s), &a.integer(1))
}

/// That of one of the two after these: ((-0.75 s + 3.75) s - 6) s + 3.
fn far(s: &Computed, a: &Arithmetic) -> Computed {
    let sum = a.add(&a.mul(&quarters(-3, a), s), &quarters(15, a));
    let sum = a.sub(&a.mul(&sum, s), &a.integer(6));
    a.add(&a.mul(&sum, s), &a.integer(3))
}
