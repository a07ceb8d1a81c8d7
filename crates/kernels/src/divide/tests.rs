//! Floored quotients against exact arithmetic in 128 bits, which no operand here fills.

use proptest::prelude::*;

use crate::BLOCK;
use crate::div::divided;

/// The exact quotient rounded down.
fn floor_of(dividend: i128, divisor: i128) -> i128 {
    let euclidean = dividend.div_euclid(divisor);
    // Euclid's remainder is never negative: with a negative divisor it rounds the quotient up.
    if divisor < 0 && dividend.rem_euclid(divisor) != 0 { euclidean - 1 } else { euclidean }
}

/// Divides every value by every divisor, without the pairs that have no quotient, and compares.
macro_rules! check_all {
    ($type:ty, $values:expr, $divisors:expr) => {{
        let values: Vec<$type> = $values.collect();
        for divisor in $divisors {
            let divisor: $type = divisor;
            let dividends: Vec<_> =
                values.iter().copied().filter(|a| a.checked_div(divisor).is_some()).collect();
            let divisors = vec![divisor; dividends.len()];
            let mut quotients = dividends.clone();
            assert_eq!(divided::<_, true>(&dividends, &divisors, &mut quotients), Ok(()));
            for (a, quotient) in dividends.into_iter().zip(quotients) {
                let exact = floor_of(i128::from(a), i128::from(divisor));
                assert_eq!(i128::from(quotient), exact, "{a} / {divisor}");
            }
        }
    }};
}

#[test]
fn every_pair_of_8_bit_integers_has_its_floored_quotient() {
    check_all!(u8, 0..=u8::MAX, 1..=u8::MAX);
    check_all!(i8, i8::MIN..=i8::MAX, i8::MIN..=i8::MAX);
}

/// Values about the powers of two and their negatives, about zero and the type's limits.
macro_rules! directed {
    ($type:ty) => {{
        let powers = (0..<$type>::BITS).map(|bit| (1 as $type) << bit);
        let near = powers.flat_map(|x| [x.wrapping_sub(1), x, x.wrapping_add(1)]);
        let mut values: Vec<$type> = near.flat_map(|x| [x, (0 as $type).wrapping_sub(x)]).collect();
        values.sort_unstable();
        values.dedup();
        values
    }};
}

#[test]
fn integers_about_the_multiples_of_a_divisor_have_their_floored_quotients() {
    macro_rules! check {
        ($($type:ty)*) => {$(
            for divisor in directed!($type) {
                let near = |k: $type| [!0, 0, 1].map(|by| {
                    divisor.wrapping_mul(k).wrapping_add(by)
                });
                check_all!($type, directed!($type).into_iter().flat_map(near), [divisor]);
                check_all!($type, directed!($type).into_iter(), [divisor]);
            }
        )*};
    }
    check!(i16 u16 i32 u32 i64 u64);
}

#[test]
fn the_first_undefined_quotient_of_many_is_named() {
    let dividends = vec![i16::MIN; 4 * BLOCK];
    let mut divisors = vec![3; 4 * BLOCK];
    let mut quotients = divisors.clone();
    divisors[3 * BLOCK + 1] = 0;
    assert_eq!(divided::<_, true>(&dividends, &divisors, &mut quotients), Err(3 * BLOCK + 1));
    divisors[2 * BLOCK + 7] = -1;
    assert_eq!(divided::<_, true>(&dividends, &divisors, &mut quotients), Err(2 * BLOCK + 7));
}

#[test]
fn floats_are_not_rounded_to_integers() {
    let mut quotients = [0.0; 3];
    divided::<_, true>(&[-7.0_f64, 7.0, 1.0], &[2.0, -2.0, -0.0], &mut quotients).unwrap();
    assert_eq!(quotients, [-3.5, -3.5, f64::NEG_INFINITY]);
}

proptest! {
    #[test]
    fn random_integers_have_their_floored_quotients(
        pairs in prop::collection::vec((any::<i64>(), any::<i64>(), 0_u32..64, 0_u32..64), 1..200),
    ) {
        macro_rules! check {
            ($($type:ty)*) => {$({
                // All the magnitudes, not just the largest.
                let cut = |x: i64, by: u32| (x as $type) >> (by % <$type>::BITS);
                let (a, b): (Vec<$type>, Vec<$type>) = pairs
                    .iter()
                    .map(|&(a, b, i, j)| (cut(a, i), cut(b, j)))
                    .filter(|(a, b)| a.checked_div(*b).is_some())
                    .unzip();
                let mut quotients = vec![0; a.len()];
                prop_assert_eq!(divided::<_, true>(&a, &b, &mut quotients), Ok(()));
                for (quotient, (a, b)) in quotients.into_iter().zip(a.into_iter().zip(b)) {
                    let exact = floor_of(i128::from(a), i128::from(b));
                    prop_assert_eq!(i128::from(quotient), exact, "{} / {}", a, b);
                }
            })*};
        }
        check!(i8 u8 i16 u16 i32 u32 i64 u64);
    }
}
