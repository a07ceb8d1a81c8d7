//! What computations in the machine's own formats give lies within, and the ends are as close as the formulas say.

use num_traits::{One, Signed};
use proptest::prelude::*;

use super::*;
use crate::exact::real::{self, Enclosure, Rational, power_of_two};
use values::dtype::DType;

const FLOAT16: &FloatFormat = &FloatFormat::FLOAT16;
const FLOAT32: &FloatFormat = &FloatFormat::FLOAT32;
const FLOAT64: &FloatFormat = &FloatFormat::FLOAT64;

fn of(x: f32) -> Computed {
    Computed::element(FLOAT32, x.to_bits().into(), BITS)
}

fn float32() -> Arithmetic {
    Arithmetic::of(FLOAT32, BITS)
}

/// Whether a float32 conforms.
fn accepts(computed: &Computed, x: f32) -> bool {
    conforming(FLOAT32, |_| computed.clone()).accepts(x.to_bits().into())
}

/// Numbers of like size, some of them small, huge, or zeros.
fn elements() -> impl Strategy<Value = f32> {
    let near = (any::<u32>(), 122_u32..132)
        .prop_map(|(bits, exponent)| f32::from_bits(bits & 0x807f_ffff | exponent << 23));
    let whole = (-64_i8..64).prop_map(f32::from);
    let any = any::<f32>().prop_filter("finite", |x| x.is_finite());
    prop_oneof![6 => near, 2 => whole, 1 => any, 1 => Just(0.0), 1 => Just(-0.0)]
}

fn several() -> impl Strategy<Value = Vec<f32>> {
    prop::collection::vec(elements(), 1..12)
}

#[test]
fn a_root_that_is_a_number_of_the_format_is_known_exactly() {
    let arithmetic = float32();
    for (power, degree, root) in [
        (216.0, 3, Some(6)),
        (217.0, 3, None),
        (0.0, 3, Some(0)),
        (243.0, 5, Some(3)),
        (7.0, 1, Some(7)),
    ] {
        let found = arithmetic.root(&of(power), &arithmetic.integer(degree), 4);
        let exact = found.exact_number().unwrap();
        let whole = exact.is_point().then(|| exact.integers()[0].clone());
        assert_eq!(whole, root.map(Into::into), "{power}, {degree}");
        assert!(accepts(&found, power.powf((degree as f32).recip())), "{power}, {degree}");
    }
    // Of a degree that is no integer, or not known exactly, no root is.
    let third = arithmetic.div(&arithmetic.integer(1), &arithmetic.integer(3));
    assert!(!arithmetic.root(&of(8.0), &third, 4).exact_number().unwrap().is_point());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn operations_of_the_format_and_of_a_wider_one_lie_within(a in elements(), b in elements(), c in elements()) {
        let format = float32();
        let [x, y, z] = [a, b, c].map(of);
        let wide = [a, b, c].map(f64::from);
        let checks = [
            ("sum", format.add(&x, &y), [a + b, (wide[0] + wide[1]) as f32]),
            ("difference", format.sub(&x, &y), [a - b, (wide[0] - wide[1]) as f32]),
            ("product", format.mul(&x, &y), [a * b, (wide[0] * wide[1]) as f32]),
            ("quotient", format.div(&x, &y), [a / b, (wide[0] / wide[1]) as f32]),
            ("root", format.sqrt(&x), [a.sqrt(), wide[0].sqrt() as f32]),
            ("square", format.square(&x), [a * a, (wide[0] * wide[0]) as f32]),
            ("fused", format.add(&format.mul(&x, &y), &z), [a.mul_add(b, c), a * b + c]),
            (
                "reciprocal",
                format.quotient(&x, &format.divisor(y.clone())),
                [a * (1.0 / b), (wide[0] * (1.0 / wide[1])) as f32],
            ),
            (
                "quotient of a difference",
                format.div(&format.sub(&x, &y), &z),
                [(a - b) / c, ((wide[0] - wide[1]) / wide[2]) as f32],
            ),
        ];
        for (name, computed, results) in checks {
            for result in results {
                prop_assert!(
                    accepts(&computed, result) || computed.open.is_some(),
                    "{name} of {a:e} {b:e} {c:e}: {result:e} {computed:?}"
                );
            }
        }
    }

    #[test]
    fn sums_in_any_order_lie_within_and_are_bounded_as_the_formula_has_it(all in several()) {
        let computed = float32().sum(&all.iter().copied().map(of).collect::<Vec<_>>());
        let forwards = all.iter().fold(0.0, |sum, x| sum + x);
        let backwards = all.iter().rfold(0.0, |sum, x| sum + x);
        let wide = all.iter().fold(0.0, |sum, x| sum + f64::from(*x)) as f32;
        for sum in [forwards, backwards, wide] {
            prop_assert!(accepts(&computed, sum), "{all:?}: {sum:e} {computed:?}");
        }
        let values: Vec<Rational> =
            all.iter().map(|x| real::value(DType::Float32, x.to_bits().into()).unwrap()).collect();
        let exact: Rational = values.iter().sum();
        let magnitude: Rational = values.iter().map(Signed::abs).sum();
        prop_assert!(computed.exact_number().unwrap().enclosure().contains(&exact));
        // A thousandth more than u is reckoned with.
        let unit = power_of_two(-24) * (Rational::one() + power_of_two(-9));
        let bound = unit * Rational::from_integer(all.len().into()) * magnitude;
        let Enclosure { lower, upper } = computed.numbers.unwrap().enclosure();
        prop_assert!(&exact - lower <= bound && upper - exact <= bound);
    }

    #[test]
    fn powers_of_e_within_three_units_lie_within(a in -90.0_f32..88.0, off in -2_i32..=2) {
        let computed = float32().exp(&of(a), 3);
        let near = f64::from(a).exp() as f32;
        let result = f32::from_bits(near.to_bits().saturating_add_signed(off));
        prop_assert!(a == 0.0 || accepts(&computed, result), "e^{a}: {result:e} {computed:?}");
        prop_assume!(a != 0.0);
        let far = f32::from_bits(near.to_bits() + 9);
        prop_assert!(!accepts(&computed, far));
    }
}

#[test]
fn what_a_format_holds_is_not_rounded() {
    let format = float32();
    let whole = [1.0, 2.0, 3.0, -5.0, 16_000_000.0].map(of);
    assert!(format.sum(&whole).numbers.unwrap().is_point());
    assert!(format.div(&of(3.0), &of(4.0)).numbers.unwrap().is_point());
    assert!(format.exp(&of(0.0), 3).numbers.unwrap().is_point());
    let third = format.div(&of(1.0), &of(3.0));
    let conforming = conforming(FLOAT32, |_| third.clone());
    assert!(conforming.accepts(0x3eaa_aaab) && !conforming.accepts(0x3eaa_aaac));
}

#[test]
fn special_values_go_through_as_ieee_754_has_them() {
    let format = float32();
    let [inf, minus, nan, zero, one] = [f32::INFINITY, -f32::INFINITY, f32::NAN, 0.0, 1.0].map(of);
    for (computed, result) in [
        (format.add(&inf, &one), f32::INFINITY),
        (format.add(&inf, &minus), f32::NAN),
        (format.sub(&one, &inf), -f32::INFINITY),
        (format.mul(&minus, &minus), f32::INFINITY),
        (format.mul(&minus, &zero), f32::NAN),
        (format.div(&one, &zero), f32::INFINITY),
        (format.div(&-one.clone(), &zero), -f32::INFINITY),
        (format.div(&zero, &zero), f32::NAN),
        (format.div(&one, &minus), -0.0),
        (format.div(&inf, &minus), f32::NAN),
        (format.sqrt(&-one.clone()), f32::NAN),
        (format.sqrt(&inf), f32::INFINITY),
        (format.sqrt(&of(-0.0)), -0.0),
        (format.exp(&minus, 3), 0.0),
        (format.exp(&inf, 3), f32::INFINITY),
        (format.mul(&nan, &zero), f32::NAN),
        (format.square(&minus), f32::INFINITY),
        (format.exp(&of(-1.0e30), 3), 0.0),
    ] {
        let others = [f32::INFINITY, -f32::INFINITY, f32::NAN, 0.0, -0.0, 1.0];
        for other in others {
            let is_same = result.to_bits() == other.to_bits();
            assert_eq!(accepts(&computed, other), is_same, "{result} {other} {computed:?}");
        }
    }
}

#[test]
fn overflow_conforms_only_where_the_format_itself_overflows() {
    let max = of(f32::MAX);
    let square = float32().square(&max);
    let root = float32().sqrt(&square);
    assert!(accepts(&root, f32::INFINITY) && accepts(&root, f32::MAX));
    let wide = Arithmetic::of(FLOAT64, BITS);
    let root = wide.sqrt(&wide.square(&max));
    assert!(!accepts(&root, f32::INFINITY) && accepts(&root, f32::MAX));
    let sums = float32().sum(&[max.clone(), max.clone(), -max.clone(), -max]);
    assert!([0.0, f32::INFINITY, -f32::INFINITY, f32::NAN].iter().all(|x| accepts(&sums, *x)));
}

#[test]
fn a_divisor_that_may_be_lost_leaves_everything_open() {
    let format = float32();
    let least = of(f32::from_bits(1));
    let lost = format.mul(&least, &of(0.5));
    let quotient = format.div(&of(1.0), &lost);
    assert!(matches!(conforming(FLOAT32, |_| quotient.clone()), Conforming::Unspecified(_)));
    let ones = vec![Computed::element(FLOAT16, 0x3c01, BITS); 2048];
    let sum = Arithmetic::of(FLOAT16, BITS).sum(&ones);
    assert!(matches!(conforming(FLOAT16, |_| sum.clone()), Conforming::Unspecified(_)));
}

#[test]
fn what_stays_undecided_at_every_precision_ends_with_an_element_beside_it() {
    let compute = |bits| {
        let half = Interval::new((1 << 12) + 1, -12, bits);
        let near = half.widened(&Interval::power_of_two(-i64::from(bits) / 2, bits));
        Computed { exact: Exact::Number(near), ..Computed::number(half) }
    };
    let conforming = conforming(FLOAT16, compute);
    assert!(conforming.accepts(0x3c00), "{conforming:?}");
    assert!(matches!(deviation(FLOAT16, compute, 0x3c00), Deviation::Ulps(_)));
}
