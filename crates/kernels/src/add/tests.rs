//! Integer sums against exact ones in 128 bits, and the examples of the documents. The floats' are held
//! against exact arithmetic in `exactness`.

use super::*;

/// Adds every value to every other one, and compares with the low bits of the exact sum.
macro_rules! check_all {
    ($type:ty, $values:expr) => {{
        let values: Vec<$type> = $values.collect();
        let mut sums = values.clone();
        for &addend in &values {
            add(&values, &vec![addend; values.len()], &mut sums);
            for (&value, &sum) in values.iter().zip(&sums) {
                let exact = i128::from(value) + i128::from(addend);
                let distance = exact - i128::from(sum);
                assert_eq!(
                    distance.rem_euclid(1 << <$type>::BITS),
                    0,
                    "{value} + {addend} = {sum}"
                );
            }
        }
    }};
}

#[test]
fn every_pair_of_8_bit_integers_has_its_sum_modulo_256() {
    check_all!(u8, 0..=u8::MAX);
    check_all!(i8, i8::MIN..=i8::MAX);
}

#[test]
fn integers_about_the_powers_of_two_have_their_sums() {
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
    let mut sums = [0_u8; 3];
    add(&[6, 200, 35], &[3, 100, 5], &mut sums);
    assert_eq!(sums, [9, 44, 40]);
    let mut sums = [0_i8; 3];
    add(&[-6, 100, -100], &[-3, 100, -100], &mut sums);
    assert_eq!(sums, [-9, -56, 56]);
}

#[test]
fn every_length_gives_the_same_sums_and_the_shortest_slice_limits_them() {
    let a: Vec<f16> = (0..200).map(|i| f16::from_bits(i * 317)).collect();
    let b: Vec<f16> = (0..200).map(|i| f16::from_bits(i * 211)).collect();
    for len in 0..a.len() {
        let mut sums = vec![f16::NEG_ZERO; a.len()];
        add(&a[..len], &b, &mut sums);
        for (at, sum) in sums.into_iter().enumerate() {
            let expected = if at < len { a[at].sum(b[at]) } else { f16::NEG_ZERO };
            let same = sum.to_bits() == expected.to_bits();
            assert!(same || sum.is_nan() && expected.is_nan(), "{at} of {len}");
        }
    }
}
