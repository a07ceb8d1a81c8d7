//! Sums of products in several orders against the bound, and against sums of fewer factors.

use proptest::prelude::*;

use super::*;
use crate::exact::sum::{Scale, Sum, Terms};

const FLOAT32: &FloatFormat = &FloatFormat::FLOAT32;

fn bits(x: f32) -> u64 {
    x.to_bits().into()
}

/// Orders in which these are computed first.
fn orders(partials: &[Partial], is_factored: bool) -> Orders {
    Orders { partials: partials.to_vec(), is_factored, begins_anew: is_factored }
}

fn sum<'a, const N: usize>(orders: &'a Orders, terms: &[[f32; N]]) -> SumOfProducts<'a> {
    let mut sum = SumOfProducts::new(FLOAT32, N, orders);
    terms.iter().for_each(|term| sum.add(&term.map(bits)));
    sum
}

fn conforming(sum: &SumOfProducts<'_>) -> Conforming {
    sum.judged([0; 2]).0.unwrap()
}

fn accepts<const N: usize>(conforming: &Conforming, results: [f32; N]) -> [bool; N] {
    results.map(|result| conforming.accepts(bits(result)))
}

/// What may be computed of each two of three operands, of which any number of elements meet.
fn pairs_of_three(products: u64) -> [Partial; 3] {
    [0, 1, 2].map(|without| Partial { without, products })
}

#[test]
fn the_bound_counts_additions_and_products() {
    let (next, orders) = (1.0 + f32::EPSILON, Orders::default());
    let all = sum(&orders, &[[next, 3.0, 5.0], [next, 7.0, 9.0]]);
    let [exact, magnitude, bound] = all.numbers().unwrap();
    let of = |x: i64, by: i64| Rational::new(x.into(), by.into());
    assert_eq!(exact, of(78, 1) + of(78, 1 << 23));
    assert_eq!(bound, &magnitude * of(3, (1 << 24) - 3));
    assert_eq!(magnitude, exact);
    let exactly = sum(&orders, &[[1.5, 3.0, 5.0], [-1.5, 7.0, 9.0]]);
    assert_eq!(accepts(&conforming(&exactly), [-72.0, -72.00001]), [true, false]);
    assert_eq!(
        accepts(&conforming(&sum::<3>(&Orders::default(), &[])), [0.0, -0.0]),
        [true, false]
    );
}

#[test]
fn infinities_zeros_and_overflow_depend_on_what_is_added_first() {
    let (infinity, nan, large) = (f32::INFINITY, f32::NAN, f32::MAX);
    let results = [nan, infinity, -infinity, 0.0, -0.0];
    let of = |is_factored, terms: &[[f32; 2]]| {
        accepts(&conforming(&sum(&orders(&[], is_factored), terms)), results)
    };
    let meeting = [[1.0, infinity], [-2.0, infinity]];
    assert_eq!(of(false, &meeting), [true, false, false, false, false]);
    assert_eq!(of(true, &meeting), [true, true, true, false, false]);
    assert_eq!(of(true, &[[1.0, infinity], [2.0, infinity]]), [false, true, false, false, false]);
    assert_eq!(of(true, &[[nan, 0.0], [2.0, infinity]]), [true, false, false, false, false]);
    // (0 + -0) -1 is -0.
    let zeros = [[-0.0, -1.0], [-0.0, -1.0]];
    assert_eq!(of(false, &zeros), [false, false, false, true, false]);
    assert_eq!(of(true, &zeros), [false, false, false, true, true]);
    // max + max, times 0.25.
    let twice = [Partial { without: 1, products: 2 }];
    let terms = [[large, 0.25], [large, 0.25]];
    let around = [large / 2.0, infinity, nan];
    assert_eq!(accepts(&conforming(&sum(&orders(&twice, true), &terms)), around), [true; 3]);
    assert_eq!(
        accepts(&conforming(&sum(&Orders::default(), &terms)), around),
        [true, false, false]
    );
    // Two small numbers meet before the infinity.
    let tiny = conforming(&sum(&Orders::default(), &[[1e-30, 1e-30, infinity]]));
    assert_eq!(accepts(&tiny, results), [true, true, false, false, false]);
}

/// Elements that cancel out, of ordinary size and beyond the ranges of products.
fn element() -> impl Strategy<Value = f32> {
    let near = (any::<u32>(), 120_u32..134)
        .prop_map(|(bits, exponent)| f32::from_bits(bits & 0x807f_ffff | exponent << 23));
    let every = any::<f32>().prop_filter("finite", |x| x.is_finite());
    let small = any::<u32>().prop_map(|bits| f32::from_bits(bits & 0x81ff_ffff));
    let short = (-9_i8..10).prop_map(f32::from);
    prop_oneof![4 => short, 8 => near, 1 => every, 1 => small]
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn sums_of_one_and_two_factors_are_those_of_sums(
        pairs in prop::collection::vec([element(), element()], 1..9),
        is_single in any::<bool>(),
        actual in element(),
    ) {
        let kind = if is_single { Terms::Elements } else { Terms::Products };
        let mut plain = Sum::new(FLOAT32, kind, Scale::Divisor(1)).unwrap();
        let plain_order = Orders::default();
        let mut own = SumOfProducts::new(FLOAT32, if is_single { 1 } else { 2 }, &plain_order);
        for [a, b] in pairs {
            if is_single {
                plain.add_element(bits(a));
                own.add(&[bits(a)]);
            } else {
                plain.add(bits(a), bits(b));
                own.add(&[bits(a), bits(b)]);
            }
        }
        let numbers = own.numbers().unwrap();
        prop_assert_eq!(numbers, [plain.sum(), plain.magnitudes(), plain.bound()].map(Option::unwrap));
        prop_assert_eq!(own.judged([bits(actual); 2]), plain.judged([bits(actual); 2]));
    }

    #[test]
    fn every_order_of_three_factors_and_wider_conforms(
        a in prop::collection::vec(element(), 3),
        b in prop::collection::vec(element(), 12),
        c in prop::collection::vec(element(), 4),
    ) {
        // The sum of a_i b_ij c_j.
        let at = |i: usize, j: usize| [a[i], b[4 * i + j], c[j]];
        let places = || (0..12).map(|at| (at / 4, at % 4));
        let terms: Vec<[f32; 3]> = places().map(|(i, j)| at(i, j)).collect();
        let partials = pairs_of_three(4);
        let conforming = conforming(&sum(&orders(&partials, true), &terms));
        let plain: f32 = terms.iter().map(|[a, b, c]| a * b * c).sum();
        let back: f32 = terms.iter().rev().map(|[a, b, c]| a * (b * c)).sum();
        let rows = [0, 1, 2].map(|i| dot(&b[4 * i..4 * i + 4], &c));
        let columns = [0, 1, 2, 3].map(|j| dot(&a, &[b[j], b[4 + j], b[8 + j]]));
        let wide = terms.iter().map(|term| term.map(f64::from)).map(|[a, b, c]| a * b * c);
        let wide = wide.sum::<f64>() as f32;
        for (name, result) in [
            ("plain", plain),
            ("back", back),
            ("rows first", dot(&a, &rows)),
            ("columns first", dot(&columns, &c)),
            ("wide", wide),
        ] {
            prop_assert!(conforming.accepts(bits(result)), "{name} {result:e} {conforming:?}");
        }
    }

    #[test]
    fn sums_that_are_multiplied_conform(
        a in prop::collection::vec(element(), 1..7),
        b in prop::collection::vec(element(), 1..7),
    ) {
        let terms: Vec<[f32; 2]> = a.iter().flat_map(|&a| b.iter().map(move |&b| [a, b])).collect();
        let partials = [
            Partial { without: 0, products: b.len() as u64 },
            Partial { without: 1, products: a.len() as u64 },
        ];
        let conforming = conforming(&sum(&orders(&partials, true), &terms));
        let (first, second) = (a.iter().sum::<f32>(), b.iter().sum::<f32>());
        let half: f32 = a.iter().map(|a| a * second).sum();
        let plain: f32 = terms.iter().map(|[a, b]| a * b).sum();
        for result in [first * second, half, plain] {
            prop_assert!(conforming.accepts(bits(result)), "{result:e} {conforming:?}");
        }
    }
}
