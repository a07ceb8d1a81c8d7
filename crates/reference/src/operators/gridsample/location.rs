//! Where a coordinate of the grid lies along a dimension of the image.

use values::float::FloatFormat;
use values::tensor::Tensor;

use crate::exact::composed::{Arithmetic, Computed};
use crate::exact::interval::Interval;
use crate::families::computation::value;
use crate::families::sampling::location::{BITS, NOT_FINITE, Reason};

/// The location along a dimension of a size, of which the grid has the coordinate at a place, as a format computes it at least.
pub(super) fn location(
    grid: &Tensor,
    place: usize,
    size: usize,
    format: &FloatFormat,
    is_by_corners: bool,
) -> Result<Computed, Reason> {
    let a = Arithmetic::of(format, BITS);
    let integer = |number: usize| {
        let number = Interval::integer(i64::try_from(number).unwrap_or(i64::MAX), BITS);
        a.converted(&Computed::number(number))
    };
    let half = Computed::number(Interval::power_of_two(-1, BITS));
    let own = value(grid, place, BITS);
    if own.numbers.is_none() || own.nan {
        return Err(NOT_FINITE);
    }
    let x = a.converted(&own);
    let from_edge = a.add(&x, &a.integer(1));
    let halved = |it: &Computed| a.mul(it, &half);
    // Each as (x + 1) / 2 of the way, as a product halved at last, and from the middle.
    let (length, rest) = match is_by_corners {
        true => (integer(size - 1), a.integer(0)),
        false => (integer(size), half.clone()),
    };
    let parts = a.sub(&a.mul(&halved(&from_edge), &length), &rest);
    let at_last = halved(&a.sub(&a.mul(&from_edge, &length), &a.add(&rest, &rest)));
    let from_middle = a.add(&a.mul(&x, &halved(&length)), &halved(&integer(size - 1)));
    Ok(parts.or(&at_last).or(&from_middle))
}
