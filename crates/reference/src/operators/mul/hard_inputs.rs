//! Hard products: of floats those near midpoints and thresholds, of integers those around each end of
//! the type.

use values::dtype::{DType, Kind};
use values::float::FloatFormat;
use values::random::Random;

use super::boundaries::Products;
use crate::exact::number::Int;
use crate::hard::inverse;
use crate::inputs::Parts;
use crate::inputs::patterns::{
    SEED, at_boundaries, corner_pairs, corners, numbers, pairs, specials, spread,
    with_every_pair_of_exponents,
};
use crate::inputs::{Sieve, Signed, Space, Tuple};

/// Odd factors that are drawn for products near midpoints.
const DRAWN: u64 = 1 << 12;

/// Those of a type.
pub(crate) fn parts(dtype: DType) -> Option<Parts> {
    match dtype.kind() {
        Kind::Float(format) => Some(vec![
            ("special values", pairs(specials(format))),
            ("exponents", with_every_pair_of_exponents(*format)),
            ("near midpoints", near_midpoints(*format)),
            ("thresholds", at_boundaries(&Products, dtype)),
        ]),
        Kind::Int { signed, bits } => {
            let int = Int { signed, bits };
            Some(vec![
                ("boundaries", corner_pairs(int)),
                ("next to multiples", around_corners(int)),
                ("thresholds", at_boundaries(&Products, dtype)),
            ])
        }
        Kind::Bool | Kind::Complex(_) | Kind::String => None,
    }
}

/// Products exactly halfway between two numbers, or one unit of the product's last bit below or above
/// that: the factor of an odd number is its inverse modulo the power of two that is cut off, times the
/// bits that the product is to end in. Their exponents are in the middle, next to the smallest normal
/// number and next to the largest.
fn near_midpoints(format: FloatFormat) -> Box<dyn Space> {
    let precision = format.precision();
    let sums = [0, -format.bias, 1 - format.bias, format.bias - 1, format.bias];
    let places: Vec<[i32; 2]> = sums
        .into_iter()
        .flat_map(|sum| spread(&format, -sum).map(move |second| [sum - second, second]))
        .filter(|[first, _]| (1 - format.bias..=format.bias).contains(first))
        .collect();
    // A product of two significands has p - 1 bits too many, or p.
    let choices = 6;
    let candidates = choices * places.len() as u64 * DRAWN;
    let solve = move |candidate: u64| -> Option<Tuple> {
        let (choice, candidate) = (candidate % choices, candidate / choices);
        let place = places[(candidate % places.len() as u64) as usize];
        let drawn = Random::at(SEED, candidate / places.len() as u64).below(1 << (precision - 1));
        let odd = 1 << (precision - 1) | drawn | 1;
        let cut = precision - 1 + (choice % 2) as u32;
        let end = (1_u64 << (cut - 1)) + choice / 2 - 1;
        let factor = end.wrapping_mul(inverse(odd)) & ((1 << cut) - 1);
        let factor = if cut < precision { factor | 1 << (precision - 1) } else { factor };
        let length = u128::BITS - (u128::from(factor) * u128::from(odd)).leading_zeros();
        let is_cut = factor >> (precision - 1) == 1 && length == precision + cut;
        numbers(&format, [factor, odd], place).filter(|_| is_cut)
    };
    Box::new(Signed::new(format, Sieve::new(candidates, solve)))
}

/// Factors whose products lie around a corner of the type or a multiple of its range: for each corner
/// as one factor, those next to the quotients by it.
fn around_corners(int: Int) -> Box<dyn Space> {
    let corners = corners(int);
    let ends: Vec<i128> = (1..=2 * int.bits.min(62))
        .flat_map(|bit| [1_i128 << bit, -(1_i128 << bit)])
        .flat_map(|end| [end - 1, end, end + 1])
        .collect();
    let candidates = (corners.len() * ends.len()) as u64;
    Box::new(Sieve::new(candidates, move |candidate| {
        let factor = corners[(candidate % corners.len() as u64) as usize];
        let end = ends[(candidate / corners.len() as u64) as usize];
        let quotient = end.checked_div(factor).into_iter();
        let next = quotient.flat_map(|quotient| [quotient - 1, quotient, quotient + 1]);
        next.filter_map(move |other| -> Option<Tuple> {
            Some([int.element(other)?, int.element(factor)?])
        })
        .collect::<Vec<_>>()
    }))
}
