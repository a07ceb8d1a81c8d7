//! Hard quotients of integers: boundaries, and neighbours of multiples.

use std::collections::BTreeSet;

use crate::exact::number::Int;
use crate::inputs::patterns::{Parts, corners, pairs};
use crate::inputs::{Sieve, Space, Tuple};

pub(crate) fn parts(signed: bool, bits: u32) -> Parts {
    let int = Int { signed, bits };
    let boundaries = corners(int);
    let elements = boundaries.iter().map(|&value| int.wrap(value)).collect();
    vec![("boundaries", pairs(elements)), ("next to multiples", multiples(int, boundaries))]
}

/// Dividends `q b + r` with a quotient and a divisor among the boundaries: multiples, their
/// neighbours, and the last before the next multiple. The remainder has the dividend's sign.
fn multiples(int: Int, boundaries: Vec<i128>) -> Box<dyn Space> {
    let count = boundaries.len() as u64;
    Box::new(Sieve::new(count * count, move |candidate| {
        let q = boundaries[(candidate % count) as usize];
        let b = boundaries[(candidate / count) as usize];
        let dividends = move |product: i128| -> BTreeSet<i128> {
            let sign = if product < 0 { -1 } else { 1 };
            let rests = [0, 1, -1, b.abs() - 1].into_iter();
            rests.map(|rest| product + sign * rest).collect()
        };
        let within = |product: &i128| b != 0 && product.unsigned_abs() >> (int.bits + 1) == 0;
        let product = q.checked_mul(b).filter(within);
        let dividends = product.map(dividends).into_iter().flatten();
        dividends.filter_map(move |a| -> Option<Tuple> { Some([int.element(a)?, int.element(b)?]) })
    }))
}
