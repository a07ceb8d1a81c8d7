//! Numbers that are made of many elements: sums, means, products and extremes along dimensions and within windows.

use super::arithmetic::Arithmetic;
use super::span::Span;
use super::{Enclosed, NotKnown, Rule, Site};
use crate::families::along::Along;
use crate::families::{arg_extremum, pooling::Windows, reduce_extremum};
use crate::operator::Invalid;
use crate::operators::{averagepool, maxpool};

pub(super) fn rule(operator: &str) -> Option<Rule> {
    Some(match operator {
        "ReduceSum" => |site| along(site, |by, terms| by.sum(terms, 0)),
        "ReduceMean" => |site| along(site, |by, terms| mean(by, terms, None)),
        "ReduceProd" => |site| along(site, |by, terms| by.product(terms)),
        "ReduceMax" => {
            |site| along(site, |_, terms| terms.reduce(Span::max).unwrap_or(Span::UNKNOWN))
        }
        "ReduceMin" => {
            |site| along(site, |_, terms| terms.reduce(Span::min).unwrap_or(Span::UNKNOWN))
        }
        "MaxPool" => |site| {
            let windows = maxpool::windows(site.call).map_err(invalid)?;
            pooled(site, &windows, |_, _, terms| terms.reduce(Span::max).unwrap_or(Span::UNKNOWN))
        },
        "GlobalMaxPool" => |site| {
            let windows = Windows::whole(site.call).map_err(invalid)?;
            pooled(site, &windows, |_, _, terms| terms.reduce(Span::max).unwrap_or(Span::UNKNOWN))
        },
        "AveragePool" => |site| {
            let (windows, counts_padding) = averagepool::windows(site.call).map_err(invalid)?;
            pooled(site, &windows, |by, index, terms| {
                let count = counts_padding.then(|| windows.padded_count(index) as f64);
                mean(by, terms, count)
            })
        },
        "GlobalAveragePool" => |site| {
            let windows = Windows::whole(site.call).map_err(invalid)?;
            pooled(site, &windows, |by, _, terms| mean(by, terms, None))
        },
        "ArgMax" => |site| place_of_extreme(site, |x| x),
        "ArgMin" => |site| place_of_extreme(site, |x| -x),
        _ => return None,
    })
}

pub(super) fn invalid(Invalid(why): Invalid) -> NotKnown {
    NotKnown(why)
}

/// Elements that one is made of.
type Terms<'a> = &'a mut dyn Iterator<Item = Span>;

/// The mean of elements, or their sum over another count, wherever it is divided.
pub(super) fn mean(by: &Arithmetic<'_>, terms: Terms<'_>, count: Option<f64>) -> Span {
    let mut elements = 0.0;
    // One rounding for a division of each element, and one for the reciprocal.
    let sum = by.sum(terms.inspect(|_| elements += 1.0), 2);
    by.div(sum, Span::point(count.unwrap_or(elements)))
}

/// Each element of the elements along some dimensions.
fn along(
    site: &Site<'_>,
    reduce: impl Fn(&Arithmetic<'_>, Terms<'_>) -> Span,
) -> Result<Vec<Enclosed>, NotKnown> {
    if site.format(0).is_none() {
        return Err(NotKnown::because("integers are reduced modulo a power of two"));
    }
    let (is_along, _) = reduce_extremum::axes(site.call).map_err(invalid)?;
    for at in 1..site.operands.len() {
        site.certain(at)?;
    }
    let along = Along::new(site.call.input(0).map_err(invalid)?.shape(), &is_along);
    site.twice(|by, operands| {
        let element = |index| {
            let mut terms = along.places(index).map(|place| operands[0][place]);
            reduce(by, &mut terms)
        };
        (0..along.outputs()).map(element).collect()
    })
}

/// Each element of those of a window.
fn pooled(
    site: &Site<'_>,
    windows: &Windows,
    reduce: impl Fn(&Arithmetic<'_>, usize, Terms<'_>) -> Span,
) -> Result<Vec<Enclosed>, NotKnown> {
    if site.types.len() > 1 {
        return Err(NotKnown::because("the places of the largest elements are not certain"));
    }
    let count = windows.shape.iter().product();
    site.twice(|by, operands| {
        let element = |index| {
            let mut terms = windows.places(index).into_iter().map(|place| operands[0][place]);
            reduce(by, index, &mut terms)
        };
        (0..count).map(element).collect()
    })
}

/// The place of the largest element of a line, after a sign is given to all. Where it is not certain of exact arithmetic, nothing is known.
fn place_of_extreme(site: &Site<'_>, sign: fn(Span) -> Span) -> Result<Vec<Enclosed>, NotKnown> {
    let (axis, _) = arg_extremum::axis(site.call).map_err(invalid)?;
    let data = site.between(0)?;
    let is_along: Vec<bool> = (0..data.shape.len()).map(|at| at == axis).collect();
    let along = Along::new(&data.shape, &is_along);
    let places = |spans: &[Span], index: usize| -> Option<[usize; 2]> {
        let own: Vec<Span> = along.places(index).map(|place| sign(spans[place])).collect();
        let least = own.iter().map(|span| span.lower).fold(f64::NEG_INFINITY, f64::max);
        let may_be = |at: &usize| own[*at].is_unknown() || own[*at].upper >= least;
        let first = (0..own.len()).find(may_be)?;
        Some([first, (0..own.len()).rfind(may_be)?])
    };
    let (mut exact, mut allowed) = (Vec::new(), Vec::new());
    for index in 0..along.outputs() {
        match places(&data.exact, index) {
            Some([first, last]) if first == last => exact.push(Span::point(first as f64)),
            Some([first, last]) => {
                let why = "it chooses between elements that exact arithmetic does not tell apart for certain";
                return Err(NotKnown(format!("{why}, such as those at {first} and {last}")));
            }
            None => return Err(NotKnown::because("it has no elements to choose from")),
        }
        let [first, last] = places(&data.allowed, index).unwrap_or_default();
        allowed.push(Span::new(first as f64, last as f64));
    }
    site.enclosed(0, exact, allowed).map(|output| vec![output])
}
