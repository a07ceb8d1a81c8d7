//! Hard quotients of integers: boundaries, and neighbours of multiples.

use std::collections::BTreeSet;

use crate::inputs::patterns::{Parts, pairs};
use crate::inputs::{Sieve, Space, Tuple};

pub(crate) fn parts(signed: bool, bits: u32) -> Parts {
    let int = Int { signed, bits };
    let boundaries = int.boundaries();
    let elements = boundaries.iter().filter_map(|&value| int.element(value)).collect();
    vec![("boundaries", pairs(elements)), ("next to multiples", multiples(int, boundaries))]
}

/// An integer type.
#[derive(Clone, Copy)]
struct Int {
    signed: bool,
    bits: u32,
}

impl Int {
    /// The bits of a value, where the type has it.
    fn element(self, value: i128) -> Option<u64> {
        let bits = value as u64 & u64::MAX >> (u64::BITS - self.bits);
        (values::dtype::integer(bits.into(), self.signed, self.bits) == value).then_some(bits)
    }

    /// Powers of two, the minimum and one above the maximum among them, and their neighbours, of both
    /// signs; so zero as well.
    fn boundaries(self) -> Vec<i128> {
        let powers = (0..=self.bits).map(|bit| 1_i128 << bit);
        let around = powers.flat_map(|power| [power - 1, power, power + 1]);
        let both: BTreeSet<i128> = around.flat_map(|value| [value, -value]).collect();
        both.into_iter().filter(|&value| self.element(value).is_some()).collect()
    }
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
