//! Integer differences against exact ones in 128 bits, and the examples of the documents. The floats' are held
//! against exact arithmetic in `exactness`.

use super::*;

/// Subtracts every value from every other one, and compares with the low bits of the exact difference.
macro_rules! check_all {
    ($type:ty, $values:expr) => {{
        let values: Vec<$type> = $values.collect();
        let mut differences = values.clone();
        for &subtrahend in &values {
            subtract(&values, &vec![subtrahend; values.len()], &mut differences);
            for (&value, &difference) in values.iter().zip(&differences) {
                let exact = i128::from(value) - i128::from(subtrahend);
                let distance = exact - i128::from(difference);
                assert_eq!(
                    distance.rem_euclid(1 << <$type>::BITS),
                    0,
                    "{value} - {subtrahend} = {difference}"
                );
            }
        }
    }};
}

#[test]
fn every_pair_of_8_bit_integers_has_its_difference_modulo_256() {
    check_all!(u8, 0..=u8::MAX);
    check_all!(i8, i8::MIN..=i8::MAX);
}

#[test]
fn integers_about_the_powers_of_two_have_their_differences() {
    macro_rules! check {
        ($($type:ty)*) => {$({
            let powers = || (0..<$type>::BITS).map(|bit| (1 as $type) << bit);
            let near = || powers().flat_map(|x| [x.wrapping_sub(1), x, x.wrapping_add(1)]);
            check_all!($type, near().flat_map(|x| [x, (0 as $type).wrapping_sub(x)]));
        })*};
    }
    check!(i16 u16 i32 u32 i64 u64);
}

#[test]
fn examples_of_the_documents_come_out() {
    let mut differences = [0_u8; 2];
    subtract(&[6, 100], &[3, 200], &mut differences);
    assert_eq!(differences, [3, 156]);
    let mut differences = [0_i8; 3];
    subtract(&[-6, 10, 10], &[-3, 100, -120], &mut differences);
    assert_eq!(differences, [-3, -90, -126]);
}

#[test]
fn every_length_gives_the_same_differences_and_the_shortest_slice_limits_them() {
    let a: Vec<f16> = (0..200).map(|i| f16::from_bits(i * 317)).collect();
    let b: Vec<f16> = (0..200).map(|i| f16::from_bits(i * 211)).collect();
    for len in 0..a.len() {
        let mut differences = vec![f16::NEG_ZERO; a.len()];
        subtract(&a[..len], &b, &mut differences);
        for (at, difference) in differences.into_iter().enumerate() {
            let expected = if at < len { a[at].difference(b[at]) } else { f16::NEG_ZERO };
            let same = difference.to_bits() == expected.to_bits();
            assert!(same || difference.is_nan() && expected.is_nan(), "{at} of {len}");
        }
    }
}
