//! Number theory of rounding: the quotients and roots that lie closest to a midpoint between two
//! numbers of a format, or to one of them, without being it.
//!
//! A float of precision p is a *significand*, an integer of p bits, times a power of two. What a
//! quotient or a root is close to is an integer `m` times a power of two: `m` has p bits where that is
//! a number of the format, and is odd and of p + 1 bits where it is a midpoint. How close, is said
//! by the *rest*:
//!
//! ```text
//! dividend * 2^shift  = m * divisor + rest        quotient - m = rest / divisor
//! radicand * 2^scale  = m^2 - rest                m - root     = rest / (m + root)
//! ```
//!
//! So the closest ones are those of the smallest rests, and these equations are solved for a given
//! rest, not searched: modulo a power of two, where an odd number has an inverse and a number that
//! is 1 modulo 8 has square roots. `docs/numerics.md` proves that nothing comes closer.

/// Inverse of an odd number modulo 2^64: Newton's iteration doubles the correct bits, from 3 on.
pub(crate) const fn inverse(odd: u64) -> u64 {
    let (mut inverse, mut correct) = (odd, 3);
    while correct < u64::BITS {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
        correct *= 2;
    }
    inverse
}

/// The dividend of `precision` bits with `dividend * 2^shift = m * divisor + rest` for an `m` of
/// `bits` bits, which is odd if the rest is. The divisor is odd and of `precision` bits, and `shift`
/// is `bits - 1` for dividends that are not below it, `bits` for those that are. There is at most
/// one.
pub const fn dividend(
    precision: u32,
    bits: u32,
    divisor: u64,
    rest: i64,
    shift: u32,
) -> Option<u64> {
    let low = inverse(divisor).wrapping_mul(rest.unsigned_abs());
    let low = if rest > 0 { low.wrapping_neg() } else { low } & ((1 << shift) - 1);
    let m = if shift < bits { low | 1 << (bits - 1) } else { low };
    let product = m as u128 * divisor as u128;
    let scaled = product.wrapping_add_signed(rest as i128);
    let dividend = (scaled >> shift) as u64;
    if m >> (bits - 1) == 1 && dividend >> (precision - 1) == 1 { Some(dividend) } else { None }
}

/// A radicand: `significand`, an integer of as many bits as the precision, times a power of two. The
/// significand taken as a number from 1 to 2, that is an even power, or an odd one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the fields are explained together")]
pub struct Radicand {
    pub significand: u64,
    pub odd: bool,
}

/// All radicands of `precision` bits whose root is next to an `m` of `bits` bits, the precision or one
/// more, with `radicand = m^2 - rest` up to a power of two. An odd `m` needs a rest that is 1 modulo
/// 8, an even one 4^j times such a rest; the rest must be smaller than 2^(precision - 4).
pub fn radicands(precision: u32, bits: u32, rest: i64) -> Vec<Radicand> {
    let mut found = Vec::new();
    for odd in [false, true] {
        let scale = 2 * bits - precision - 1 + u32::from(odd);
        for root in square_roots(rest, scale) {
            // Of a root modulo 2^scale the bits above are free, if there are any.
            let m = if scale < bits { root | 1 << scale } else { root };
            let radicand = (m * m) as i128 - i128::from(rest);
            if m >> (bits - 1) == 1 && radicand >> scale >> (precision - 1) == 1 {
                found.push(Radicand { significand: (radicand >> scale) as u64, odd });
            }
        }
    }
    found
}

/// The rests of odd squares, which are 1 modulo 8, by their size: 1, -7, 9, -15 and so on.
pub(crate) const fn rest_of_odd_square(index: u64) -> i64 {
    let eights = 8 * (index / 2) as i64;
    if index.is_multiple_of(2) { 1 + eights } else { -7 - eights }
}

/// All square roots modulo `2^bits` of a number other than 0: of `4^j q`, where q is 1 modulo 8, they
/// are `2^j` times those of q modulo `2^(bits - 2j)`, the bits above being free. A number that is not
/// of this form has none.
pub(crate) fn square_roots(square: i64, bits: u32) -> Vec<u128> {
    let twos = square.trailing_zeros();
    let q = square >> twos;
    if twos % 2 == 1 || q.rem_euclid(8) != 1 {
        return Vec::new();
    }
    let (j, known) = (twos / 2, bits.saturating_sub(twos));
    let roots = odd_square_roots(q, known);
    (0..1_u128 << j).flat_map(|above| roots.map(|root| (root | above << known) << j)).collect()
}

/// The four square roots modulo `2^bits` of a number that is 1 modulo 8. They lift from one power of
/// two to the next (Hensel).
fn odd_square_roots(square: i64, bits: u32) -> [u128; 4] {
    let (square, modulus) = (i128::from(square), 1_u128 << bits);
    let mut root = 1_i128;
    for bit in 3..bits {
        if (root * root - square) >> bit & 1 == 1 {
            root += 1 << (bit - 1);
        }
    }
    let root = root as u128 % modulus;
    let other = (root + modulus / 2) % modulus;
    [root, modulus - root, other, modulus - other]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The rest of a quotient at the nearest `m` of `bits` bits, with the shift.
    fn rest(bits: u32, a: u64, b: u64) -> (i64, u64) {
        let scaled = (a << (bits - 1 + u32::from(a < b))) as i64;
        let down = scaled / b as i64;
        let candidates = [down, down + 1].map(|m| (scaled - m * b as i64, m as u64));
        candidates.into_iter().min_by_key(|(rest, _)| rest.abs()).unwrap()
    }

    fn solved(precision: u32, bits: u32, limit: i64) -> BTreeSet<(u64, u64, i64)> {
        let significands = 1_u64 << (precision - 1)..1 << precision;
        let divisors = significands.filter(|divisor| divisor % 2 == 1);
        let rests = (-limit..=limit).filter(|&rest| rest != 0);
        let slots = divisors.flat_map(|b| rests.clone().map(move |rest| (b, rest)));
        let solutions = slots.flat_map(|(b, rest)| {
            let shifts = [bits - 1, bits].into_iter();
            shifts.filter_map(move |shift| {
                dividend(precision, bits, b, rest, shift).map(|a| (a, b, rest))
            })
        });
        solutions.collect()
    }

    #[test]
    fn all_quotients_of_small_rests_are_found_and_no_others() {
        for precision in 6..=9 {
            let significands = || 1_u64 << (precision - 1)..1 << precision;
            for bits in [precision, precision + 1] {
                let pairs = significands().flat_map(|a| significands().map(move |b| (a, b)));
                let limit = 5;
                let searched: BTreeSet<_> = pairs
                    .filter(|(_, b)| b % 2 == 1)
                    .map(|(a, b)| (a, b, rest(bits, a, b).0))
                    .filter(|&(.., rest)| rest != 0 && rest.abs() <= limit)
                    .collect();
                assert!(searched.len() > 100);
                assert_eq!(solved(precision, bits, limit), searched);
            }
        }
    }

    #[test]
    fn the_quotients_of_rest_one_are_exactly_those_closest_to_midpoints_and_to_numbers() {
        for precision in [6, 8, 11] {
            let significands = || 1_u64 << (precision - 1)..1 << precision;
            // From a midpoint, an odd m of one bit more, or a number: within 2^(1 - p) units of m.
            let closest = |bits: u32, parity: Option<u64>| -> BTreeSet<_> {
                let pairs = significands().flat_map(|a| significands().map(move |b| (a, b)));
                let within = pairs.filter(|&(a, b)| {
                    let (rest, m) = rest(bits, a, b);
                    let near = rest.unsigned_abs() << (precision - 1) < b;
                    rest != 0 && near && parity.is_none_or(|parity| m % 2 == parity)
                });
                within.collect()
            };
            let found = |bits| -> BTreeSet<_> {
                solved(precision, bits, 1).into_iter().map(|(a, b, _)| (a, b)).collect()
            };
            assert_eq!(found(precision + 1), closest(precision + 1, Some(1)));
            assert_eq!(found(precision), closest(precision, None));
        }
    }

    #[test]
    fn no_quotient_is_a_midpoint() {
        for a in 128..256 {
            for b in 128..256 {
                let (rest, m) = rest(9, a, b);
                assert!(rest != 0 || m % 2 == 0, "{a} / {b}");
            }
        }
    }

    #[test]
    fn all_roots_of_small_rests_are_found_and_no_others() {
        for precision in [8, 11, 13] {
            let limit = 1_i64 << (precision - 5);
            for bits in [precision, precision + 1] {
                let radicands_of = |rest: i64| {
                    let found = radicands(precision, bits, rest);
                    found.into_iter().map(move |radicand| (radicand, rest))
                };
                let rests = (-limit..=limit).filter(|&rest| rest != 0);
                let solved: BTreeSet<_> = rests.flat_map(radicands_of).collect();
                let all = (1_u64 << (precision - 1)..1 << precision)
                    .flat_map(|x| [false, true].map(|odd| Radicand { significand: x, odd }));
                let searched: BTreeSet<_> = all
                    .flat_map(|radicand| {
                        let scale = 2 * bits - precision - 1 + u32::from(radicand.odd);
                        let scaled = (radicand.significand << scale) as i64;
                        let down = scaled.isqrt();
                        [down, down + 1].map(|m| (radicand, m * m - scaled, m))
                    })
                    .filter(|&(_, rest, m)| rest != 0 && rest.abs() <= limit && m >> bits == 0)
                    .map(|(radicand, rest, _)| (radicand, rest))
                    .collect();
                assert!(searched.len() > 2);
                assert_eq!(solved, searched, "{precision} {bits}");
            }
        }
    }

    #[test]
    fn roots_are_roots_modulo_the_power() {
        for (square, bits) in [(17, 12), (-7, 25), (41, 54), (68, 30), (-28, 31)] {
            let roots: BTreeSet<_> = square_roots(square, bits).into_iter().collect();
            assert_eq!(roots.len(), if square % 4 == 0 { 8 } else { 4 });
            for root in roots {
                let square = i128::from(square).rem_euclid(1 << bits) as u128;
                assert_eq!(root * root % (1 << bits), square);
            }
        }
    }
}
