//! Sums in several orders against the bound, and bounds by hand.

use proptest::prelude::*;

use super::*;
use crate::exact::real::power_of_two;

const FLOAT16: &FloatFormat = &FloatFormat::FLOAT16;
const FLOAT32: &FloatFormat = &FloatFormat::FLOAT32;
const BFLOAT16: &FloatFormat = &FloatFormat::BFLOAT16;

fn bits(x: f32) -> u64 {
    x.to_bits().into()
}

fn factor(x: f32) -> Factor {
    Factor::of(FLOAT32, bits(x)).unwrap()
}

/// The mean of elements, or another fraction of their sum.
fn mean(format: &'static FloatFormat, elements: &[u64], count: u64) -> Sum {
    let mut sum = Sum::new(format, Terms::Elements, Scale::Divisor(count)).unwrap();
    elements.iter().for_each(|&element| sum.add_element(element));
    sum
}

/// `alpha (a1 b1 + ..) + beta c`.
fn gemm(pairs: &[(f32, f32)], alpha: f32, [beta, c]: [f32; 2]) -> Sum {
    let mut sum = Sum::new(FLOAT32, Terms::Products, Scale::Factor(factor(alpha))).unwrap();
    pairs.iter().for_each(|&(a, b)| sum.add(bits(a), bits(b)));
    sum.add_scaled(bits(c), factor(beta)).unwrap();
    sum
}

fn accumulated(sum: &Sum) -> Accumulated {
    sum.accumulated().unwrap()
}

#[test]
fn the_sum_of_two_elements_is_rounded_once_and_one_element_not_at_all() {
    // 1 + 2^-10 in bfloat16 is an eighth of a unit above 1, and a quarter is what a wider accumulator may err.
    let [one, low] = [0x3f80, 0x3a80];
    let two = mean(BFLOAT16, &[one, low], 1);
    assert_eq!(accumulated(&two).numbers, Some([0x3f80, 0x3f80]));
    assert_eq!(accumulated(&mean(BFLOAT16, &[low, 0, 0], 1)).numbers, Some([0x3a80, 0x3a80]));
    // gamma(2) = 2 / 254 of 3 + 2^-7: 0.0237, of which the spacing above 2 is 2^-6 = 0.0156.
    let three = mean(BFLOAT16, &[one, one, one + 1], 1);
    assert_eq!(accumulated(&three).numbers, Some([0x4040 - 1, 0x4040 + 2]));
    assert_eq!(three.bound(), Some(Rational::new(385.into(), (64 * 254).into())));
    // Without that bit no order rounds anything.
    assert_eq!(accumulated(&mean(BFLOAT16, &[one; 3], 1)).numbers, Some([0x4040; 2]));
}

#[test]
fn an_order_reaches_the_bound_but_for_a_factor_near_one() {
    // 1 and 20 times u, which is half of the last place of 1: from left to right all of them are lost.
    let mut elements = vec![0x3f80];
    elements.extend([0x3b80; 20]);
    let sum = mean(BFLOAT16, &elements, 1);
    let [error, one] = [Rational::new(20.into(), 256.into()), Rational::one()];
    assert_eq!(sum.sum(), Some(&one + &error));
    assert!(accumulated(&sum).accepts(0x3f80));
    assert_eq!(sum.bound(), Some(&error * (&one + &error) / (&one - &error)));
}

#[test]
fn a_mean_has_two_roundings_more_unless_it_is_of_a_power_of_two() {
    let one = 0x3f80;
    let of = |count: u64| mean(BFLOAT16, &[one, one, one + 1], count).bound().unwrap();
    let ratio = |a: i64, b: i64| Rational::new(a.into(), b.into());
    let gamma = |roundings: i64| ratio(roundings, 256 - roundings);
    // Each of three fractions that are no multiples of eta may lose half of it.
    let underflow =
        |roundings| (Rational::one() + gamma(roundings)) * ratio(3, 2) * power_of_two(-133);
    assert_eq!(of(3), gamma(4) * ratio(385, 384) + underflow(4));
    assert_eq!(of(4), gamma(2) * ratio(385, 512));
    // 257 has 9 bits, and 258 has 8.
    assert_eq!(of(257), gamma(5) * ratio(385, 128 * 257) + underflow(5));
    assert_eq!(of(258), gamma(4) * ratio(385, 128 * 258) + underflow(4));
    assert_eq!(Sum::new(FLOAT16, Terms::Elements, Scale::Divisor(0)).err(), Some(NoBound::Scale));
    assert!(Sum::new(FLOAT16, Terms::Elements, Scale::Divisor(1 << 14)).is_ok());
    for count in [(1 << 14) + 1, 1 << 15, u64::MAX] {
        let no_bound = Sum::new(FLOAT16, Terms::Elements, Scale::Divisor(count)).err();
        assert_eq!(no_bound, Some(NoBound::Scale), "{count}");
    }
}

#[test]
fn a_mean_of_subnormal_numbers_may_lose_half_of_the_smallest_for_each() {
    // (eta + eta) / 2 is eta; of halves that are rounded to even first it is 0.
    let sum = mean(FLOAT16, &[1, 1], 2);
    assert_eq!(accumulated(&sum).numbers, Some([0, 2]));
    // A single one is rounded once: 3 eta / 2 to 2 eta.
    assert_eq!(accumulated(&mean(FLOAT16, &[3], 2)).numbers, Some([2, 2]));
    // What is halved without a remainder is exact.
    assert_eq!(accumulated(&mean(FLOAT16, &[4, 2], 2)).numbers, Some([3, 3]));
}

#[test]
fn a_mean_of_the_largest_overflows_or_does_not() {
    let largest = bits(f32::MAX);
    let both = accumulated(&mean(FLOAT32, &[largest, largest], 2));
    assert!(both.accepts(largest) && both.accepts(bits(f32::INFINITY)));
    assert!(!both.accepts(largest - 16) && !both.accepts(bits(f32::NAN)));
    let one = accumulated(&mean(FLOAT32, &[largest], 2));
    assert!(!one.accepts(bits(f32::INFINITY)));
}

#[test]
fn zeros_of_elements_are_negative_only_where_all_are() {
    let zero = |elements: &[f32], count| {
        let elements: Vec<u64> = elements.iter().copied().map(bits).collect();
        let accumulated = accumulated(&mean(FLOAT32, &elements, count));
        (accumulated.accepts(bits(0.0)), accumulated.accepts(bits(-0.0)))
    };
    assert_eq!(zero(&[], 1), (true, false));
    assert_eq!(zero(&[-0.0, -0.0], 1), (true, true));
    assert_eq!(zero(&[-0.0, 0.0], 1), (true, false));
    assert_eq!(zero(&[1.0, -1.0], 1), (true, false));
    assert_eq!(zero(&[0.0, 0.0], 3), (true, false));
    let tiny = f32::from_bits(1);
    assert_eq!(zero(&[-tiny, 0.0, 0.0], 3), (true, true));
}

#[test]
fn specials_decide_once_they_are_scaled() {
    let infinity = f32::INFINITY;
    let minus = accumulated(&gemm(&[(infinity, 1.0)], -2.0, [1.0, 3.0]));
    assert!(minus.accepts(bits(-infinity)) && !minus.accepts(bits(infinity)));
    assert!(!minus.accepts(bits(f32::NAN)));
    let nan = [
        gemm(&[(infinity, 1.0)], 1.0, [-1.0, infinity]),
        gemm(&[(infinity, 1.0)], 0.0, [1.0, 1.0]),
        gemm(&[(1.0, 1.0)], 1.0, [0.0, infinity]),
        gemm(&[(f32::NAN, 1.0)], 1.0, [1.0, 1.0]),
    ];
    for sum in nan {
        let accumulated = accumulated(&sum);
        assert!(accumulated.accepts(bits(f32::NAN)) && !accumulated.accepts(bits(1.0)));
    }
    // A factor that vanishes once it is scaled makes NaN of an infinity, or the infinity stays.
    let tiny = accumulated(&gemm(&[(1e-30, infinity)], 1e-30, [1.0, 0.0]));
    assert!(tiny.accepts(bits(infinity)) && tiny.accepts(bits(f32::NAN)));
    assert!(!accumulated(&gemm(&[(1.0, infinity)], 1e-30, [1.0, 0.0])).accepts(bits(f32::NAN)));
    // 2 MAX overflows before it meets a half, or does not.
    let large = accumulated(&gemm(&[(f32::MAX, 0.25)], 2.0, [1.0, 0.0]));
    assert!(large.accepts(bits(infinity)) && large.accepts(bits(f32::MAX / 2.0)));
    let small = accumulated(&gemm(&[(f32::MAX, 0.25)], 1.0, [1.0, 0.0]));
    assert!(!small.accepts(bits(infinity)));
}

#[test]
fn a_sum_that_may_overflow_before_it_is_multiplied_by_zero_may_be_a_nan() {
    for alpha in [0.0, -0.0] {
        let sum = accumulated(&gemm(&[(3e38, 3.0)], alpha, [1.0, 2.0]));
        assert_eq!(sum.numbers, Some([0x4000_0000, 0x4000_0000]));
        assert!(sum.nan && sum.infinities == [false; 2]);
        // Half of what overflows does not.
        assert!(!accumulated(&gemm(&[(3e38, 1.0)], alpha, [1.0, 2.0])).nan);
        assert!(accumulated(&gemm(&[(3e38, 1.0), (3e38, 1.0)], alpha, [1.0, 2.0])).nan);
        let infinite = accumulated(&gemm(&[(3e38, 3.0)], alpha, [1.0, f32::INFINITY]));
        assert!(infinite.nan && infinite.infinities == [true, false]);
    }
}

#[test]
fn a_factor_that_vanishes_makes_a_nan_of_an_infinity() {
    let least = f32::from_bits(1);
    let may_be_nan = |alpha, a| {
        let sum = accumulated(&gemm(&[(a, f32::INFINITY)], alpha, [1.0, 2.0]));
        assert_eq!(sum.infinities, [true, false], "{alpha} {a}");
        sum.nan
    };
    // Half of the least number is a tie, which is rounded to the even zero.
    assert!(may_be_nan(0.5, least) && may_be_nan(0.4, least) && may_be_nan(0.25, 4.0 * least));
    assert!(!may_be_nan(2.0, least) && !may_be_nan(0.5, 3.0 * least));
}

#[test]
fn a_factor_that_the_format_does_not_hold_is_rounded_and_one_out_of_range_has_no_bound() {
    let scaled = |format, x: f32| {
        Sum::new(format, Terms::Products, Scale::Factor(factor(x))).map(|sum| {
            let mut sum = sum;
            let one = one(format);
            sum.add(one, one);
            sum.roundings()
        })
    };
    assert_eq!(scaled(FLOAT16, 0.5), Ok(1));
    assert_eq!(scaled(FLOAT16, 1.5), Ok(2));
    assert_eq!(scaled(FLOAT16, 0.1), Ok(3));
    assert_eq!(scaled(FLOAT32, 0.1), Ok(2));
    assert_eq!(scaled(FLOAT16, 1e6), Err(NoBound::Scale));
    assert_eq!(scaled(FLOAT16, 1e-6), Err(NoBound::Scale));
    assert_eq!(scaled(FLOAT16, f32::powi(0.5, 24)), Ok(1));
    assert_eq!(scaled(FLOAT16, f32::powi(0.5, 25)), Err(NoBound::Scale));
}

#[test]
fn a_bias_is_one_more_term_which_is_not_rounded_alone() {
    let alone = gemm(&[(0.0, 5.0)], 1.0, [1.0, 0.1]);
    let own = FLOAT32.ordinal(bits(0.1)).unwrap();
    assert_eq!(accumulated(&alone).numbers, Some([own, own]));
    let beside = gemm(&[(3.0, 5.0), (1.0, 1.0)], 1.0, [1.0, 0.1]);
    assert_eq!((beside.count(), beside.roundings()), (3, 3));
    let scaled = gemm(&[(3.0, 5.0), (1.0, 1.0)], 0.1, [0.3, 0.1]);
    assert_eq!((scaled.count(), scaled.roundings()), (3, 4));
}

#[test]
fn sums_that_no_order_rounds_conform_alone() {
    let of =
        |sum: &Sum| (accumulated(sum).bits().unwrap(), sum.bound().unwrap() == Rational::zero());
    let alone = |number: f32| ([bits(number); 2], true);
    // A fourth of 2^24, in which an eighth of one term more is one bit too many.
    let mut elements = vec![bits(16_777_208.0), bits(8.0)];
    assert_eq!(of(&mean(FLOAT32, &elements, 4)), alone(4_194_304.0));
    elements.push(bits(1.0));
    assert!(!of(&mean(FLOAT32, &elements, 4)).1);
    // A third is rounded by itself, whatever the sum is.
    assert!(!of(&mean(FLOAT32, &[bits(3.0), bits(6.0)], 3)).1);
    // 1.5 times a product of 12 bits each is one of 25 bits, twice it is none.
    let pairs = [(4095.0, 4095.0)];
    assert_eq!(of(&gemm(&pairs, -2.0, [1.0, 0.0])), alone(-33_538_050.0));
    assert!(!of(&gemm(&pairs, 1.5, [1.0, 0.0])).1);
    assert_eq!(of(&gemm(&[(3.0, 5.0), (1.0, -7.0)], 1.5, [-0.5, 3.0])), alone(10.5));
    // Float16 does not hold this factor, so that it is rounded first.
    let mut tenth = Sum::new(FLOAT16, Terms::Products, Scale::Factor(factor(0.1))).unwrap();
    tenth.add(one(FLOAT16), one(FLOAT16));
    assert!(!of(&tenth).1);
    // The addend has a bit that the others have not.
    assert!(!of(&gemm(&[(4096.0, 4096.0)], 1.0, [1.0, 1.0])).1);
    assert!(of(&gemm(&[(4096.0, 4095.0)], 1.0, [1.0, 1.0])).1);
    // What overflows on its way may, and comes out exactly where it does not.
    let large = 3.0 * f32::powi(2.0, 126);
    let sum = accumulated(&gemm(&[(large, 1.0), (large, 1.0), (large, -1.0)], 1.0, [1.0, 0.0]));
    assert_eq!((sum.bits(), sum.infinities), (Some([bits(large); 2]), [true, false]));
}

/// Elements of few bits, whose sums and products are held, or just not.
fn short() -> impl Strategy<Value = f32> {
    (-300_i16..300, -6_i32..6).prop_map(|(number, low)| f32::from(number) * f32::powi(2.0, low))
}

/// Elements that meet, some of them subnormal or huge.
fn elements() -> impl Strategy<Value = f32> {
    let near = (any::<u32>(), 120_u32..134)
        .prop_map(|(bits, exponent)| f32::from_bits(bits & 0x807f_ffff | exponent << 23));
    let small = any::<u32>().prop_map(|bits| f32::from_bits(bits & 0x81ff_ffff));
    let huge = any::<u32>()
        .prop_map(|bits| f32::from_bits(bits & 0x80ff_ffff | 0x7e00_0000))
        .prop_filter("finite", |x| x.is_finite());
    prop_oneof![12 => near, 2 => small, 1 => huge, 1 => Just(0.0), 1 => Just(-0.0)]
}

/// The smallest numbers, whose products and fractions underflow.
fn tiny() -> impl Strategy<Value = f32> {
    (any::<u32>(), 0_u32..200).prop_map(|(bits, low)| f32::from_bits(bits & 0x8000_0000 | low))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn means_conform_in_every_order_divided_multiplied_or_scaled_first(
        numbers in prop_oneof![
            prop::collection::vec(elements(), 1..30),
            prop::collection::vec(tiny(), 1..30),
            prop::collection::vec(short(), 1..30),
        ],
        more in 0_u64..8,
    ) {
        let count = numbers.len() as u64 + more;
        let d = count as f32;
        let all: Vec<u64> = numbers.iter().copied().map(bits).collect();
        let sum = mean(FLOAT32, &all, count);
        let accumulated = accumulated(&sum);
        let plain: f32 = numbers.iter().fold(0.0, |sum, x| sum + x);
        let back: f32 = numbers.iter().rfold(0.0, |sum, x| sum + x);
        let wide: f64 = numbers.iter().fold(0.0, |sum, x| sum + f64::from(*x));
        let first: f32 = numbers.iter().fold(0.0, |sum, x| sum + x / d);
        let by = 1.0 / d;
        let scaled: f32 = numbers.iter().fold(0.0, |sum, x| sum + x * by);
        let fused: f32 = numbers.iter().fold(0.0, |sum, x| x.mul_add(by, sum));
        for (name, result) in [
            ("divided", plain / d),
            ("backwards", back / d),
            ("multiplied", plain * by),
            ("wide", (wide / f64::from(d)) as f32),
            ("wide sum", wide as f32 / d),
            ("first", first),
            ("scaled", scaled),
            ("fused", fused),
        ] {
            prop_assert!(accumulated.accepts(bits(result)), "{name} {result:e} {accumulated:?}");
        }
    }

    #[test]
    fn sums_of_products_conform_wherever_they_are_scaled(
        pairs in prop_oneof![
            prop::collection::vec((elements(), elements()), 0..20),
            prop::collection::vec((tiny(), elements()), 0..20),
            prop::collection::vec((short(), short()), 0..20),
        ],
        alpha in prop_oneof![Just(1.0_f32), Just(-1.0), Just(0.5), Just(0.1), Just(-3.7), Just(3e5), Just(1e-9)],
        beta in prop_oneof![Just(1.0_f32), Just(-2.0), Just(0.3)],
        c in prop_oneof![elements(), tiny(), short()],
    ) {
        let accumulated = accumulated(&gemm(&pairs, alpha, [beta, c]));
        let sum = pairs.iter().fold(0.0_f32, |sum, (a, b)| sum + a * b);
        let on_a = pairs.iter().fold(0.0_f32, |sum, (a, b)| sum + (alpha * a) * b);
        let on_b = pairs.iter().rfold(0.0_f32, |sum, (a, b)| sum + a * (alpha * b));
        let on_products = pairs.iter().rfold(0.0_f32, |sum, (a, b)| sum + alpha * (a * b));
        let from_c = pairs.iter().fold(beta * c, |sum, (a, b)| sum + alpha * (a * b));
        let fused = pairs.iter().fold(beta * c, |sum, (a, b)| (alpha * a).mul_add(*b, sum));
        let wide = pairs.iter().fold(0.0_f64, |sum, &(a, b)| sum + f64::from(a) * f64::from(b));
        let wide = f64::from(alpha) * wide + f64::from(beta) * f64::from(c);
        for (name, result) in [
            ("sum", alpha * sum + beta * c),
            ("fused sum", alpha.mul_add(sum, beta * c)),
            ("fused addend", beta.mul_add(c, alpha * sum)),
            ("a", on_a + beta * c),
            ("b", on_b + beta * c),
            ("products", on_products + beta * c),
            ("from c", from_c),
            ("fused", fused),
            ("wide", wide as f32),
        ] {
            prop_assert!(accumulated.accepts(bits(result)), "{name} {result:e} {accumulated:?}");
        }
    }

    #[test]
    fn numbers_end_where_the_bound_does(
        pairs in prop::collection::vec((elements(), elements()), 0..20),
        alpha in prop_oneof![Just(1.0_f32), Just(0.1), Just(-3.7)],
        c in elements(),
    ) {
        let sum = gemm(&pairs, alpha, [0.3, c]);
        let value = |x| super::super::real::value(values::dtype::DType::Float32, bits(x)).unwrap();
        let products: Vec<Rational> =
            pairs.iter().map(|&(a, b)| value(alpha) * value(a) * value(b)).collect();
        let last = value(0.3) * value(c);
        let exact = products.iter().sum::<Rational>() + &last;
        prop_assert_eq!(sum.sum(), Some(exact.clone()));
        let abs = |x: &Rational| if *x < Rational::zero() { -x } else { x.clone() };
        let magnitudes = products.iter().map(abs).sum::<Rational>() + abs(&last);
        prop_assert_eq!(sum.magnitudes(), Some(magnitudes));
        let bound = sum.bound().unwrap();
        let ends = [&exact - &bound, exact + bound].map(|end| {
            let point = |_| super::super::real::Enclosure::point(end.clone());
            match enclosed::nearest(FLOAT32, point, false) {
                Conforming::One(bits) => FLOAT32.ordinal(bits).unwrap(),
                other => panic!("{other:?}"),
            }
        });
        let end = super::super::number::largest(FLOAT32) as i64;
        let numbers = [ends[0].max(-end), ends[1].min(end)];
        prop_assert_eq!(accumulated(&sum).numbers, (numbers[0] <= numbers[1]).then_some(numbers));
    }
}
