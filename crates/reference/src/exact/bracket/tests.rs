//! Tests of brackets: what they tell of an element holds for the exact sum.

use super::float_sum::{FloatSum, NO_BIT, Rounding, floats, lowest_bit};
use super::*;
use crate::exact::Deviation;
use crate::exact::dot::DotProduct;
use values::dtype::DType;
use values::random::Random;
use values::tensor::Tensor;

const FLOAT32: &FloatFormat = &FloatFormat::FLOAT32;

/// A sum of products from left to right.
fn added(pairs: &[[f32; 2]]) -> FloatSum {
    let products = pairs.iter().map(|&[a, b]| f64::from(a) * f64::from(b));
    let count = pairs.iter().filter(|[a, b]| *a != 0.0 && *b != 0.0).count() as u64;
    let units = pairs.iter().map(|&[a, b]| lowest_bit(a) + lowest_bit(b));
    let unit = units.min().unwrap_or(NO_BIT);
    FloatSum {
        sum: products.clone().fold(0.0, |sum, product| sum + product),
        magnitudes: products.fold(0.0, |sum, product| sum + product.abs()),
        additions: pairs.len() as u64,
        unit,
        most_unit: unit,
        terms: count,
    }
}

fn bracket(pairs: &[[f32; 2]]) -> Option<Bracket> {
    added(pairs).bracket(Rounding { format: FLOAT32, roundings: 1, divisor: 1 })
}

fn dot(pairs: &[[f32; 2]]) -> DotProduct {
    let mut dot = DotProduct::new(FLOAT32, FLOAT32).unwrap();
    dot.extend(pairs.iter().map(|pair| {
        let [a, b] = pair.map(|it| u64::from(it.to_bits()));
        (a, b)
    }));
    dot
}

fn drawn(length: usize, random: &mut Random) -> Vec<[f32; 2]> {
    let mut number = || {
        let exponent = random.below(24) as u32 + 115;
        f32::from_bits(
            (random.below(2) as u32) << 31 | exponent << 23 | random.below(1 << 23) as u32,
        )
    };
    (0..length).map(|_| [number(), number()]).collect()
}

#[test]
fn sums_and_bounds_are_within_and_next_to_nothing_else_is() {
    let mut random = Random::new(1);
    for round in 0..2000 {
        let pairs = drawn(2 + round % 40, &mut random);
        let (dot, bracket) = (dot(&pairs), bracket(&pairs).unwrap());
        let (sum, bound) = (dot.sum().unwrap(), dot.bound().unwrap());
        assert!(bracket.holds(&sum, Some(&bound)), "{pairs:?}");
        let much = &bound * Rational::from_float(1e-6).unwrap();
        assert!(!bracket.holds(&(&sum + &much), Some(&bound)), "{pairs:?}");
        assert!(!bracket.holds(&sum, Some(&(&bound + &much))), "{pairs:?}");
        assert!(!bracket.holds(&sum, None));
    }
}

#[test]
fn the_order_that_loses_most_is_within_and_just_so() {
    // Each 2^-53 is half a unit of 1, and rounded to nothing.
    let small = [2.0_f32.powi(-27), 2.0_f32.powi(-26)];
    for count in [2, 100, 1000] {
        let pairs = [vec![[1.0, 1.0]], vec![small; count]].concat();
        let sum = FloatSum { additions: count as u64, ..added(&pairs) };
        assert_eq!(sum.sum, 1.0);
        let told = |sum: FloatSum| {
            let bracket =
                sum.bracket(Rounding { format: FLOAT32, roundings: 1, divisor: 1 }).unwrap();
            let dot = dot(&pairs);
            bracket.holds(&dot.sum().unwrap(), Some(&dot.bound().unwrap()))
        };
        assert!(told(sum), "{count}");
        let fewer = FloatSum { additions: count as u64 * 9 / 10, ..sum };
        assert!(count < 100 || !told(fewer), "{count}");
    }
}

#[test]
fn an_element_is_weighed_as_exact_arithmetic_does() {
    let mut random = Random::new(2);
    let (mut conforming, mut others, mut far) = (0, 0, 0);
    for round in 0..2000 {
        let pairs = drawn(2 + round % 40, &mut random);
        let (dot, bracket) = (dot(&pairs), bracket(&pairs).unwrap());
        let nearest = dot.conforming().unwrap().example().unwrap() as u64;
        assert!(bracket.nearest().is_none_or(|told| told == nearest));
        for steps in [0, 1, 2, 3, 5, 9, 40, 1 << 12, 1 << 22] {
            let actual = if random.below(2) == 0 { nearest + steps } else { nearest - steps };
            let Some(weighed) = bracket.weigh(actual) else { continue };
            let conforms = dot.accumulated().unwrap().accepts(actual);
            assert_eq!(weighed.conforms, Some(conforms));
            let Deviation::Ulps(error) = dot.error(actual) else { panic!() };
            let most = weighed.most_error.unwrap();
            assert!(error <= most, "{error:?} {weighed:?}");
            let (sum, bound) = (dot.sum().unwrap(), dot.bound().unwrap());
            let share = Share::of(DType::Float32, &sum, &bound, actual).unwrap().judged(conforms);
            assert!(share.is_some() && share <= weighed.most_share, "{share:?} {weighed:?}");
            // What is told is little more than what is so.
            let more = most.steps() - error.steps();
            far += usize::from(more > 1 + error.steps() / 1000);
            if conforms { conforming += 1 } else { others += 1 }
        }
    }
    assert!(conforming > 5000 && others > 3000 && far < 100, "{conforming} {others} {far}");
}

#[test]
fn an_exact_sum_is_known_exactly() {
    // 3 - 0.75, which is 2.25, and a third of it to one rounding.
    let sum = added(&[[1.5, 2.0], [-0.25, 3.0]]);
    assert_eq!((sum.sum, sum.magnitudes, sum.unit), (2.25, 3.75, -2));
    let bracket =
        |divisor| sum.bracket(Rounding { format: FLOAT32, roundings: 1, divisor }).unwrap();
    assert_eq!(bracket(1).sum, [2.25; 2]);
    assert_eq!(bracket(1).weigh(2.25_f32.to_bits().into()).unwrap().most_error, Some(Ulps::ZERO));
    assert_eq!(bracket(3).sum, [0.75_f64.next_down(), 0.75_f64.next_up()]);
    // With a bit below what float64 holds beside the others.
    let [low, high] = super::tests::bracket(&[[1e9, 1e9], [1e-9, 1e-9]]).unwrap().sum;
    assert!(low < high);
}

#[test]
fn what_is_delicate_is_not_told() {
    let some = [1.5, 2.5];
    for pairs in [
        &[] as &[[f32; 2]],
        // One rounding, or none.
        &[some],
        &[some, [0.0, 3.0]],
        // Zero, next to it, and subnormal.
        &[some, [-1.5, 2.5]],
        &[some, [-1.5, 2.5], [1e-20, 1e-20]],
        &[[1e-20, 1e-20], [1e-20, 1e-20]],
        // Overflow, infinities and NaN.
        &[[f32::MAX, 1.0], [f32::MAX, 0.5]],
        &[some, [f32::INFINITY, 1.0]],
        &[some, [f32::INFINITY, 0.0]],
        &[some, [f32::NAN, 1.0]],
    ] {
        assert_eq!(bracket(pairs), None, "{pairs:?}");
    }
    // A zero of the negative sign may conform, and what is next to the largest number is not weighed.
    let sum = bracket(&[some, [-1.5, 2.5], [1e-7, 1.0]]).unwrap();
    assert_eq!(sum.weigh(0).unwrap().conforms, Some(true));
    for actual in [-0.0, f32::MAX] {
        assert_eq!(sum.weigh(actual.to_bits().into()), None);
    }
}

#[test]
fn what_is_no_number_does_not_conform_unless_partial_sums_may_overflow() {
    let wrong = Weighed { conforms: Some(false), most_error: None, most_share: None };
    let specials = [f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
    let told = |pairs: &[[f32; 2]]| {
        let sum = bracket(pairs).unwrap();
        specials.map(|special| sum.weigh(special.to_bits().into()))
    };
    assert_eq!(told(&[[1.5, 2.5], [0.5, 3.0]]), [Some(wrong); 3]);
    assert_eq!(told(&[[f32::MAX, 1.0], [-f32::MAX, 1.0], [1e30, 1.0]]), [None; 3]);
    let zero = bracket(&[[1.5, 2.5], [0.5, 3.0]]).unwrap().weigh(0).unwrap();
    assert_eq!(zero.conforms, Some(false));
}

#[test]
fn many_terms_leave_open_what_conforms_and_not_what_the_error_is() {
    let format = &FloatFormat::BFLOAT16;
    let bracket = |terms: u64| {
        let sum = FloatSum { terms, ..added(&[[1.0, 2.0], [3.0, 4.0], [0.0625, 0.0625]]) };
        sum.bracket(Rounding { format, roundings: 1, divisor: 1 })
    };
    assert_eq!(bracket(255).map(|it| it.is_open()), Some(false));
    assert_eq!(bracket(256).map(|it| it.is_open()), Some(true));
    let told = bracket(300).unwrap().weigh(0x4160).unwrap();
    assert_eq!((told.conforms, told.most_share), (None, None));
    assert!(told.most_error.unwrap() <= Ulps::HALF);
}

#[test]
fn a_sum_that_no_order_rounds_conforms_alone_and_one_that_may_be_such_is_not_told() {
    let weigh = |sum: FloatSum, actual: f32| {
        let bracket = sum.bracket(Rounding { format: FLOAT32, roundings: 1, divisor: 1 }).unwrap();
        bracket.weigh(actual.to_bits().into()).map(|it| (it.conforms, it.most_share))
    };
    let [right, next] = [26.0_f32, 26.0_f32.next_up()];
    let sum = added(&[[2.0, 3.0], [4.0, 5.0]]);
    assert_eq!(weigh(sum, right), Some((Some(true), None)));
    assert_eq!(weigh(sum, next), Some((Some(false), None)));
    // Multiples of less than the lowest bit of any, as far as is known.
    let open = FloatSum { unit: -40, ..sum };
    assert_eq!(weigh(open, right), Some((Some(true), Some(Share::NONE))));
    assert_eq!(weigh(open, next), None);
    assert_eq!(weigh(open, 27.0).unwrap().0, Some(false));
    // Of which one has a bit that float32 does not have beside the others.
    let other = FloatSum { unit: -40, most_unit: -30, ..sum };
    assert_eq!(weigh(other, next).unwrap().0, Some(true));
}

#[test]
fn elements_are_told_as_numbers_with_their_lowest_bits() {
    let tensor = Tensor::from_values(DType::Bfloat16, vec![2], vec![0x3fc0_u16, 0x7f81]).unwrap();
    let [number, nan] = floats(&tensor).unwrap().try_into().unwrap();
    assert!(number == 1.5 && f32::is_nan(nan));
    let tensor = Tensor::from_values(DType::Float64, vec![1], vec![1.0_f64]).unwrap();
    assert_eq!(floats(&tensor), None);
    let numbers = [1.0, 1.5, 12.0, f32::from_bits(1), f32::from_bits(6), 0.0, f32::NAN];
    assert_eq!(numbers.map(lowest_bit), [0, -1, 2, -149, -148, NO_BIT, NO_BIT]);
}
