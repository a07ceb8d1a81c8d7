//! Integer quotients against the language's own division, and every path against every other.

use proptest::prelude::*;

use super::*;

/// Divides every value by every divisor and compares with checked division.
macro_rules! check_all {
    ($type:ty, $values:expr, $divisors:expr) => {{
        let dividends: Vec<$type> = $values.collect();
        let mut quotients = dividends.clone();
        for divisor in $divisors {
            let divisor: $type = divisor;
            let divisors = vec![divisor; dividends.len()];
            let undefined = dividends.iter().position(|a| a.checked_div(divisor).is_none());
            assert_eq!(
                divide(&dividends, &divisors, &mut quotients).err(),
                undefined,
                "/ {divisor}"
            );
            if undefined.is_none() {
                let wrong = dividends.iter().zip(&quotients).find(|(a, q)| **a / divisor != **q);
                assert_eq!(wrong, None, "(dividend, quotient) / {divisor}");
            }
        }
    }};
}

#[test]
fn every_pair_of_8_bit_integers_has_its_truncated_quotient() {
    check_all!(u8, 0..=u8::MAX, 0..=u8::MAX);
    // The minimum apart: beside -1 it refuses the others' quotients.
    check_all!(i8, -127..=i8::MAX, i8::MIN..=i8::MAX);
    check_all!(i8, std::iter::once(i8::MIN), i8::MIN..=i8::MAX);
}

#[test]
fn every_16_bit_integer_has_its_truncated_quotient_by_many_divisors() {
    let divisors = || (0..=64).chain((65..=u16::MAX).step_by(1009)).chain(u16::MAX - 8..=u16::MAX);
    check_all!(u16, 0..=u16::MAX, divisors());
    check_all!(i16, -i16::MAX..=i16::MAX, divisors().map(u16::cast_signed));
    check_all!(i16, std::iter::once(i16::MIN), divisors().map(u16::cast_signed));
}

/// Zero, the extremes and the powers of two with their neighbours, and some digits of no pattern.
macro_rules! directed {
    ($type:ty) => {{
        let powers = (0..<$type>::BITS).map(|bit| (1 as $type) << bit);
        let near = powers.flat_map(|x| [x.wrapping_sub(1), x, x.wrapping_add(1)]);
        let both = near.flat_map(|x| [x, (0 as $type).wrapping_sub(x)]);
        let odd =
            (1..20).map(|x: u32| (0x9e37_79b9_7f4a_7c15_u64.rotate_left(x * 7) >> x) as $type);
        let mut values: Vec<$type> = both.chain(odd).collect();
        values.sort_unstable();
        values.dedup();
        values
    }};
}

/// Multiples of directed divisors, one less and one more: where a quotient rounded up would show.
macro_rules! check_near_multiples {
    ($($type:ty)*) => {$(
        for divisor in directed!($type) {
            let near = |k: &$type| {
                let multiple = divisor.wrapping_mul(*k);
                [multiple.wrapping_sub(1), multiple, multiple.wrapping_add(1)]
            };
            let defined = |a: &$type| divisor == 0 || a.checked_div(divisor).is_some();
            let factors = directed!($type);
            check_all!($type, factors.iter().flat_map(near).filter(defined), [divisor]);
            check_all!($type, factors.into_iter().filter(defined), [divisor]);
        }
    )*};
}

#[test]
fn integers_about_the_multiples_of_a_divisor_have_their_truncated_quotients() {
    check_near_multiples!(i16 u16 i32 u32 i64 u64);
}

#[test]
fn blocks_of_64_bit_integers_on_either_side_of_the_limit_agree() {
    for limit in [50, 51, 52, 53, 54, 60].map(|bits| 1_i64 << bits) {
        let narrow = |x: &i64| (-limit..limit).contains(x);
        let values = || directed!(i64).into_iter().filter(narrow);
        for divisor in values() {
            let near = |k: i64| [-1, 0, 1].map(|by| divisor.saturating_mul(k).saturating_add(by));
            check_all!(i64, values().flat_map(near).filter(narrow), [divisor]);
            let unsigned = values().flat_map(near).filter(narrow).filter(|a| *a >= 0);
            check_all!(u64, unsigned.map(i64::cast_unsigned), [divisor.unsigned_abs()]);
        }
    }
}

#[test]
fn the_first_undefined_quotient_of_many_is_named() {
    let dividends = vec![i16::MIN; 4 * BLOCK];
    let mut divisors = vec![3; 4 * BLOCK];
    divisors[2 * BLOCK + 7] = -1;
    divisors[2 * BLOCK + 8] = 0;
    divisors[3 * BLOCK] = 0;
    let mut quotients = divisors.clone();
    assert_eq!(divide(&dividends, &divisors, &mut quotients), Err(2 * BLOCK + 7));
}

proptest! {
    #[test]
    fn random_integers_have_their_truncated_quotients(
        pairs in prop::collection::vec((any::<u64>(), any::<u64>(), 0_u32..64, 0_u32..64), 1..200),
    ) {
        macro_rules! check {
            ($($type:ty)*) => {$({
                // All the magnitudes, not just the largest.
                let cut = |x: u64, by: u32| (x as $type) >> (by % <$type>::BITS);
                let (a, b): (Vec<$type>, Vec<$type>) =
                    pairs.iter().map(|&(a, b, i, j)| (cut(a, i), cut(b, j))).unzip();
                let mut quotients = vec![0; a.len()];
                let expected: Option<Vec<_>> = a.iter().zip(&b).map(|(a, b)| a.checked_div(*b)).collect();
                match divide(&a, &b, &mut quotients) {
                    Ok(()) => prop_assert_eq!(Some(quotients), expected),
                    Err(at) => {
                        prop_assert!(a[at].checked_div(b[at]).is_none());
                        prop_assert!((0..at).all(|i| a[i].checked_div(b[i]).is_some()));
                    }
                }
            })*};
        }
        check!(i8 u8 i16 u16 i32 u32 i64 u64);
    }
}

#[test]
fn every_length_and_every_instruction_set_gives_the_same_bits() {
    fn check<T: Divide + PartialEq + std::fmt::Debug>(make: impl Fn(u64) -> T) {
        let spread = |i: usize| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for len in (0..=70).chain([BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 5]) {
            let dividends: Vec<T> = (0..len).map(|i| make(spread(i))).collect();
            let divisors: Vec<T> =
                (0..len).map(|i| make(spread(i + len).rotate_left(23) | 2)).collect();
            let mut chosen = vec![T::zeroed(); len];
            let mut portable = chosen.clone();
            divide(&dividends, &divisors, &mut chosen).unwrap();
            let (dividends, divisors) = (&dividends[..], &divisors[..]);
            Division::<_, false> { dividends, divisors, quotients: &mut portable }.run().unwrap();
            for (i, (a, b)) in dividends.iter().zip(divisors).enumerate() {
                let bits = |x: &T| bytemuck::bytes_of(x).to_vec();
                let one = bits(&a.quotient(*b));
                assert_eq!(
                    (bits(&chosen[i]), bits(&portable[i])),
                    (one.clone(), one),
                    "{a:?} / {b:?}"
                );
            }
        }
    }
    check(|x| x as u8);
    check(|x| x as u16);
    check(|x| x as u32);
    check(|x| x);
    check(|x| x >> 13 | 1);
    // Halved, so that -1 cannot be.
    check(|x| x as i8 & !1 | 2);
    check(|x| x as i16 & !1 | 2);
    check(|x| x as i32 & !1 | 2);
    check(|x| x as i64 & !1 | 2);
    check(|x| x as i64 >> 14 & !1 | 2);
    // Finite, for NaN's payload may differ.
    check(|x| f16::from_bits(x as u16 & 0xbbff));
    check(|x| bf16::from_bits(x as u16 & 0xbf7f));
    check(|x| f32::from_bits(x as u32 & 0xbf7f_ffff));
    check(|x| f64::from_bits(x & 0xbfef_ffff_ffff_ffff));
}

#[test]
fn the_shortest_slice_limits_the_division() {
    let mut quotients = [0; 2];
    assert_eq!(divide(&[9, 8, 7], &[3, 2, 0], &mut quotients), Ok(()));
    assert_eq!(quotients, [3, 4]);
    assert_eq!(divide(&[9_i32], &[3, 0], &mut [0, 0]), Ok(()));
}
