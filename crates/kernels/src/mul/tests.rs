//! Integer products against exact ones in 128 bits, and every length against every other. The
//! floats' are held against exact arithmetic in `exactness`.

use super::*;

/// Multiplies every value by every factor, and compares with the low bits of the exact product.
macro_rules! check_all {
    ($type:ty, $values:expr, $factors:expr) => {{
        let values: Vec<$type> = $values.collect();
        let mut products = values.clone();
        for factor in $factors {
            let factor: $type = factor;
            multiply(&values, &vec![factor; values.len()], &mut products);
            for (&value, &product) in values.iter().zip(&products) {
                let modulus = 1_i128 << <$type>::BITS;
                let exact = i128::from(value).wrapping_mul(i128::from(factor));
                let distance = exact.wrapping_sub(i128::from(product));
                assert_eq!(distance.rem_euclid(modulus), 0, "{value} * {factor} = {product}");
            }
        }
    }};
}

#[test]
fn every_pair_of_8_bit_integers_has_its_product_modulo_256() {
    check_all!(u8, 0..=u8::MAX, 0..=u8::MAX);
    check_all!(i8, i8::MIN..=i8::MAX, i8::MIN..=i8::MAX);
}

#[test]
fn every_16_bit_integer_has_its_product_with_many_factors() {
    let factors = || (0..=16).chain((17..=u16::MAX).step_by(2003)).chain(u16::MAX - 4..=u16::MAX);
    check_all!(u16, 0..=u16::MAX, factors());
    check_all!(i16, i16::MIN..=i16::MAX, factors().map(u16::cast_signed));
}

#[test]
fn integers_about_the_powers_of_two_have_their_products() {
    macro_rules! check {
        ($($type:ty)*) => {$({
            let powers = || (0..<$type>::BITS).map(|bit| (1 as $type) << bit);
            let near = || powers().flat_map(|x| [x.wrapping_sub(1), x, x.wrapping_add(1)]);
            let both = || near().flat_map(|x| [x, (0 as $type).wrapping_sub(x)]);
            check_all!($type, both(), both());
        })*};
    }
    check!(i32 u32 i64 u64);
}

#[test]
fn examples_of_the_documents_come_out() {
    let mut products = [0_u8; 3];
    multiply(&[6, 9, 35], &[3, 100, 5], &mut products);
    assert_eq!(products, [18, 132, 175]);
    let mut products = [0_i8; 4];
    multiply(&[-6, -9, -9, 9], &[-3, 100, -100, 100], &mut products);
    assert_eq!(products, [18, 124, -124, -124]);
}

#[test]
fn every_length_gives_the_same_products_and_the_shortest_slice_limits_them() {
    let a: Vec<f16> = (0..200).map(|i| f16::from_bits(i * 317)).collect();
    let b: Vec<f16> = (0..200).map(|i| f16::from_bits(i * 211)).collect();
    for len in 0..a.len() {
        let mut products = vec![f16::NEG_ZERO; a.len()];
        multiply(&a[..len], &b, &mut products);
        for (at, product) in products.into_iter().enumerate() {
            let expected = if at < len { a[at].product(b[at]) } else { f16::NEG_ZERO };
            let same = product.to_bits() == expected.to_bits();
            assert!(same || product.is_nan() && expected.is_nan(), "{at} of {len}");
        }
    }
}
