//! Determinants by definition, and elimination by the machine against the bound.

use proptest::prelude::*;

use super::*;
use crate::exact::number::largest;

const FLOAT32: &FloatFormat = &FloatFormat::FLOAT32;

fn bits(x: f32) -> u64 {
    x.to_bits().into()
}

fn of(size: usize, elements: &[f32]) -> Determinant {
    let elements: Vec<u64> = elements.iter().map(|x| bits(*x)).collect();
    Matrix::of(FLOAT32, size, &elements).unwrap().determinant()
}

fn accepts(determinant: &Determinant, result: f32) -> bool {
    determinant.judged([0; 2]).0.unwrap().accepts(bits(result))
}

fn integer(x: i64) -> Rational {
    Rational::from(BigInt::from(x))
}

#[test]
fn the_exact_determinant_is_that_of_the_definition() {
    assert_eq!(of(2, &[1.0, 2.0, 3.0, 4.0]).exact, integer(-2));
    assert_eq!(of(2, &[0.0, 1.0, 2.0, 3.0]).exact, integer(-2));
    assert_eq!(of(3, &[2.0, 0.0, 1.0, 1.0, 3.0, 2.0, 1.0, 1.0, 4.0]).exact, integer(18));
    assert_eq!(of(3, &[0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]).exact, integer(1));
    assert_eq!(of(3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]).exact, integer(0));
    assert_eq!(of(2, &[0.5, 0.0, 0.0, 1e-45]).exact, power_of_two(-150));
}

#[test]
fn what_is_singular_may_come_out_next_to_zero_and_nothing_else() {
    let singular = of(3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    assert!(accepts(&singular, 0.0) && accepts(&singular, -0.0) && accepts(&singular, 6.66e-7));
    assert!(!accepts(&singular, 0.1) && !accepts(&singular, f32::NAN));
    let zero = of(2, &[0.0, 3.0, 0.0, 5.0]);
    assert!(accepts(&zero, 0.0) && !accepts(&zero, 1e-30));
    let all = of(2, &[0.0; 4]);
    assert!(accepts(&all, -0.0) && !accepts(&all, 1e-40));
}

#[test]
fn overflow_on_the_way_leaves_nothing_or_infinities() {
    let max = f32::from_bits(largest(FLOAT32) as u32);
    assert_eq!(of(2, &[max, 1.0, 1.0, max]).bound, None);
    let large = of(2, &[1e30, 1.0, 1.0, 1e30]);
    assert!(accepts(&large, f32::INFINITY) && !accepts(&large, 1e30));
    let bfloat16 = &FloatFormat::BFLOAT16;
    let many = Matrix::of(bfloat16, 125, &[0; 125 * 125]).unwrap();
    assert_eq!(many.elimination(&many.rows, &integer(0)), None);
}

/// The product of the pivots, by columns, which are divided by each pivot or multiplied by its reciprocal.
fn eliminated(mut rows: Vec<Vec<f32>>, by_reciprocal: bool, fuses: bool) -> f32 {
    let (n, mut product) = (rows.len(), 1.0);
    for at in 0..n {
        let magnitude = |row: &usize| rows[*row][at].abs();
        let pivot = (at..n).max_by(|a, b| magnitude(a).total_cmp(&magnitude(b))).unwrap();
        if rows[pivot][at] == 0.0 {
            return 0.0;
        }
        if pivot != at {
            rows.swap(pivot, at);
            product = -product;
        }
        let line = rows[at].clone();
        product *= line[at];
        for row in &mut rows[at + 1..] {
            let is_normal = line[at].is_normal() && line[at].recip().is_finite();
            let factor = if by_reciprocal && is_normal {
                row[at] * line[at].recip()
            } else {
                row[at] / line[at]
            };
            for (own, other) in row.iter_mut().zip(&line).skip(at) {
                *own = if fuses { factor.mul_add(-other, *own) } else { *own - factor * other };
            }
        }
    }
    product
}

fn element() -> impl Strategy<Value = f32> {
    let near = (any::<u32>(), 120_u32..134)
        .prop_map(|(bits, exponent)| f32::from_bits(bits & 0x807f_ffff | exponent << 23));
    let wide = (any::<u32>(), 90_u32..160)
        .prop_map(|(bits, exponent)| f32::from_bits(bits & 0x807f_ffff | exponent << 23));
    let small = any::<u32>().prop_map(|bits| f32::from_bits(bits & 0x81ff_ffff));
    let short = (-3_i8..4).prop_map(f32::from);
    prop_oneof![4 => short, 8 => near, 1 => wide, 1 => small]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn elimination_by_the_machine_conforms(
        n in 2_usize..6,
        all in prop::collection::vec(element(), 25),
    ) {
        let all = &all[..n * n];
        let determinant = of(n, all);
        let rows: Vec<Vec<f32>> = all.chunks(n).map(<[f32]>::to_vec).collect();
        let turned: Vec<Vec<f32>> =
            (0..n).map(|column| rows.iter().map(|row| row[column]).collect()).collect();
        let Some(conforming) = determinant.judged([0; 2]).0 else { return Ok(()) };
        for (rows, by_reciprocal, fuses) in [
            (&rows, false, false),
            (&rows, true, false),
            (&rows, false, true),
            (&turned, false, false),
            (&turned, true, true),
        ] {
            let result = eliminated(rows.clone(), by_reciprocal, fuses);
            prop_assert!(conforming.accepts(bits(result)), "{result:e} {determinant:?}");
        }
    }
}
