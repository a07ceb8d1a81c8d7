//! The readings of scales, and the sums of floats that are decided.

use super::*;

fn number(numerator: i64, denominator: i64) -> Extended {
    let number = Rational::new(numerator.into(), denominator.into());
    let negative = number.is_negative();
    Extended::Finite(number, negative)
}

fn all(scales: DType, sum: i64, factors: [(i64, i64); 3]) -> Vec<Extended> {
    let [a, b, y] = factors.map(|(numerator, denominator)| number(numerator, denominator));
    quotients(&steps(scales), &number(sum, 1), [&a, &b, &y])
}

#[test]
fn numbers_that_every_type_holds_have_one_reading() {
    assert_eq!(all(Float32, 3, [(1, 2), (1, 4), (1, 1)]), [number(3, 8)]);
    assert_eq!(all(DType::Float16, 3, [(1, 2), (1, 4), (2, 1)]), [number(3, 16)]);
}

#[test]
fn what_is_rounded_may_be_rounded_in_any_order() {
    // 2^24 + 1 needs a bit more than float32 has.
    let own = all(Float32, (1 << 24) + 1, [(1, 1), (1, 1), (2, 1)]);
    assert!(own.contains(&number((1 << 24) + 1, 2)) && own.contains(&number(1 << 23, 1)));
    let thirds = all(Float32, 3, [(1, 1), (1, 1), (3, 1)]);
    assert!(thirds.contains(&number(1, 1)) && thirds.len() <= 3, "{thirds:?}");
    // A product that underflows in float32, though the quotient does not.
    let tiny = (1, 1 << 62);
    let [a, y] = [number(tiny.0, tiny.1), number(1, 1)];
    let small = a.product(&a);
    let own = quotients(&steps(Float32), &number(1, 1), [&small, &small, &y]);
    assert!(own.contains(&number(0, 1)) && own.contains(&small.product(&small)));
}

#[test]
fn sums_of_floats_are_decided_where_float32_holds_them_in_any_order() {
    let of = |products: &[(i64, i64)]| {
        summed(
            products.iter().map(|&(numerator, denominator)| Some(number(numerator, denominator))),
        )
    };
    assert_eq!(of(&[]), Ok(number(0, 1)));
    assert_eq!(of(&[(1, 2), (-3, 1)]), Ok(number(-5, 2)));
    assert_eq!(of(&[(49 << 26, 1)]), Ok(number(49 << 26, 1)));
    assert_eq!(of(&[(1 << 23, 1), ((1 << 23) - 1, 1)]), Ok(number((1 << 24) - 1, 1)));
    assert_eq!(of(&[(1 << 24, 1), (1, 1)]), Err(INEXACT_SUM));
    assert_eq!(of(&[(1 << 20, 1), (1, 32)]), Err(INEXACT_SUM));
    let infinite = |negative| Some(Extended::Infinite(negative));
    let mixed = |products: Vec<_>| summed(products.into_iter());
    assert_eq!(mixed(vec![infinite(true), Some(number(1, 1))]), Ok(Extended::Infinite(true)));
    assert_eq!(mixed(vec![infinite(true), infinite(false)]), Ok(Extended::Nan));
    assert_eq!(mixed(vec![Some(Extended::Nan), infinite(false)]), Ok(Extended::Nan));
    assert_eq!(mixed(vec![None]), Err(FLOAT_ZERO_POINT));
}
