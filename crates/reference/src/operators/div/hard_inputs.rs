//! The quotients that are hardest to get right.

mod floats;

use std::collections::BTreeSet;

use values::dtype::{DType, Kind};

use crate::exact::number::Int;
use crate::inputs::Parts;
use crate::inputs::patterns::{corner_pairs, corners};
use crate::inputs::{Sieve, Space, Tuple};

/// Those of a type: of integers boundaries, and neighbours of multiples.
pub(super) fn parts(dtype: DType) -> Option<Parts> {
    match dtype.kind() {
        Kind::Float(format) => Some(floats::parts(*format)),
        Kind::Int { signed, bits } => {
            let int = Int { signed, bits };
            Some(vec![("boundaries", corner_pairs(int)), ("next to multiples", multiples(int))])
        }
        Kind::Bool | Kind::Complex(_) | Kind::String => None,
    }
}

/// Dividends `q b + r` with a quotient and a divisor among the boundaries: multiples, their
/// neighbours, and the last before the next multiple. The remainder has the dividend's sign.
fn multiples(int: Int) -> Box<dyn Space> {
    let boundaries = corners(int);
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
