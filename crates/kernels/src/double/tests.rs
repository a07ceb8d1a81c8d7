//! Identities that hold to far more than the precision of float64.

use super::*;

/// How far two numbers are apart, relatively to the first.
fn apart(a: Double, b: Double) -> f64 {
    ((a - b).0 / a.0).abs()
}

fn numbers() -> impl Iterator<Item = f64> {
    (1..2000).map(|i| f64::from(i) * 0.037 - 33.3).chain((1..300).map(|i| 0.8_f64.powi(i)))
}

#[test]
fn quotients_and_roots_are_undone_by_products() {
    for x in numbers().filter(|x| *x != 0.0) {
        let number = Double::from(x) / Double::from(3.0);
        assert!(apart(number * Double::from(3.0), x.into()) < 1e-30, "{x}");
        let root = (number * number).sqrt();
        assert!(apart(root * root, number * number) < 1e-30, "{x}");
        assert!(number.1.abs() <= number.0.abs() * f64::EPSILON);
    }
}

#[test]
fn powers_multiply_as_exponents_add() {
    for x in numbers() {
        let product = Double::from(x).exp() * Double::from(2.5).exp();
        assert!(apart(product, (Double::from(x) + Double::from(2.5)).exp()) < 1e-27, "{x}");
    }
    // OEIS A001113: e is 2.718281828459045 and 1.4456468917292502e-16.
    let e = Double::from(1.0).exp();
    assert_eq!((e.0, e.1), (std::f64::consts::E, 1.445_646_891_729_250_2e-16));
}

#[test]
fn logarithms_undo_powers() {
    for x in numbers().filter(|x| *x != 0.0) {
        let power = Double::from(x).exp();
        let rest = (Double::from(x) - power.ln()).0;
        assert!(rest.abs() < 1e-30 * x.abs().max(1.0), "{x}: {rest:e}");
        let less = Double::from(x).exp_minus_1();
        if x > -30.0 {
            assert!(apart(x.into(), less.ln_1_plus()) < 1e-17, "{x}");
        }
        if x.abs() < 1.0 {
            assert!(apart(x.into(), less.ln_1_plus()) < 1e-28, "{x}");
        }
    }
    for tiny in [5e-324, 1e-310, 1e-250] {
        assert_eq!(Double::from(tiny).exp_minus_1().0, tiny);
        assert_eq!(Double::from(tiny).ln_1_plus().0, tiny);
        assert!((Double::from(tiny).ln().0 - libm::log(tiny)).abs() < 1e-12);
    }
    assert!((Double::from(f64::MAX).ln().0 - libm::log(f64::MAX)).abs() < 1e-12);
}
