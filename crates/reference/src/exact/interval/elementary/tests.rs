//! The elementary functions and the error function against mpmath's results, and against what they are to each other.

use num_bigint::BigInt;
use proptest::prelude::*;

use super::*;
use crate::exact::enclosed::Bounds;
use values::float::FloatFormat;

/// Operands and results of functions, with 161 bits each.
const RESULTS: &str = include_str!("results.txt");

/// The function of this name; `None` where the interval says nothing.
fn function(name: &str, x: &Interval) -> Option<Interval> {
    match name {
        "sin" => Some(x.sin()),
        "cos" => Some(x.cos()),
        "tan" => x.tan(),
        "asin" => x.asin(),
        "acos" => x.acos(),
        "atan" => Some(x.atan()),
        "erf" => Some(x.erf()),
        "erfc" => x.erfc(),
        _ => panic!("{name}"),
    }
}

/// Function, operand, and the interval of one step that has the result.
fn results(precision: u32) -> impl Iterator<Item = (&'static str, Interval, Interval)> {
    let lines = RESULTS.lines().filter(|line| !line.starts_with('#'));
    lines.map(move |line| {
        let fields: Vec<_> = line.split(' ').collect();
        let number = |digits: &str, exponent: &str| {
            let significand = BigInt::parse_bytes(digits.as_bytes(), 16).unwrap();
            Interval::new(significand, exponent.parse().unwrap(), 1 << 13)
        };
        let below = number(fields[3], fields[4]);
        let step = Interval::power_of_two(fields[4].parse().unwrap(), 1 << 13);
        let result = below.hull(&(&below + &step));
        (fields[0], number(fields[1], fields[2]).with_precision(precision), result)
    })
}

/// Whether two intervals have a number in common.
fn meet(a: &Interval, b: &Interval) -> bool {
    a.compare(b).is_none_or(std::cmp::Ordering::is_eq)
}

/// How many bits of the number are known.
fn known_bits(interval: &Interval) -> i64 {
    let width = &interval.upper() - &interval.lower();
    width.binade().map_or(i64::MAX, |width| interval.binade().unwrap() - width)
}

#[test]
fn results_are_those_of_mpmath_and_as_many_bits_of_them_known_as_asked() {
    let mut tried = 0;
    for precision in [24, 128, 200, 1200] {
        for (name, x, result) in results(precision) {
            let ours = function(name, &x).unwrap_or_else(|| panic!("{name} {x:?}"));
            assert!(meet(&ours, &result), "{name} {x:?} {ours:?}");
            // A number next to a multiple of pi/2 has as many bits fewer as they have in common, and what was
            // allowed for is 80 of them.
            assert!(known_bits(&ours) >= i64::from(precision) - 12, "{name} {x:?} {ours:?}");
            tried += 1;
        }
    }
    assert!(tried > 900);
}

#[test]
fn functions_of_operands_with_exact_results_are_points() {
    let number = |number| Interval::integer(number, 128);
    let is = |interval: Interval, number| {
        interval.is_point() && interval.contains(&Interval::integer(number, 128))
    };
    assert!(is(number(0).sin(), 0) && is(number(0).cos(), 1) && is(number(0).tan().unwrap(), 0));
    assert!(
        is(number(0).asin().unwrap(), 0)
            && is(number(0).atan(), 0)
            && is(number(1).acos().unwrap(), 0)
    );
    assert!(is(number(0).erf(), 0));
    for beyond in [2, -2] {
        assert!(number(beyond).asin().is_none() && number(beyond).acos().is_none());
    }
    assert!(meet(&number(-1).acos().unwrap(), &Interval::pi(300)));
    assert!(meet(&number(-1).asin().unwrap().scaled(1), &-Interval::pi(300)));
}

#[test]
fn what_is_too_large_or_too_wide_gives_every_result_that_there_is() {
    let one = Interval::integer(1, 64);
    let huge = Interval::power_of_two(1 << 20, 64);
    let wide = Interval::integer(1, 64).hull(&Interval::integer(9, 64));
    for x in [huge, wide] {
        for sine in [x.sin(), x.cos()] {
            assert!(sine.contains(&one) && sine.contains(&-&one));
        }
        assert!(x.tan().is_none());
    }
    let all = (-&one).hull(&one);
    let half_pi = Interval::pi(64).scaled(-1);
    assert!(all.asin().unwrap().contains(&half_pi.lower()));
    assert!(all.acos().unwrap().contains(&Interval::integer(3, 64)));
    assert!(all.erf().contains(&one));
    let (tenth, twenty) =
        (Interval::integer(1, 64).divided_by_integer(10), Interval::integer(20, 64));
    assert!(tenth.hull(&twenty).erf().contains(&tenth.erf()));
    assert!(one.clone().scaled(20).erfc().is_none() && (-&one).erfc().is_none());
}

/// Numbers of float64 as exact intervals.
fn element(precision: u32) -> impl Strategy<Value = Interval> {
    let of = move |bits| Interval::of_element(&FloatFormat::FLOAT64, bits, precision);
    any::<u64>().prop_filter_map("no number", of)
}

/// Numbers of float64 between -1 and 1.
fn fraction(precision: u32) -> impl Strategy<Value = Interval> {
    (any::<i64>(), 0_i64..80).prop_map(move |(m, e)| Interval::new(m >> 11, -53 - e, precision))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn sine_and_cosine_are_those_of_the_double_angle_and_their_squares_add_up_to_one(x in element(160)) {
        let [sin, cos] = [x.sin(), x.cos()];
        prop_assert!((sin.square() + cos.square()).contains(&Interval::integer(1, 160)));
        prop_assert!(meet(&(&sin * &cos).scaled(1), &x.clone().scaled(1).sin()));
        prop_assert!(meet(&(cos.square() - sin.square()), &x.clone().scaled(1).cos()));
        let tan = x.tan().unwrap();
        prop_assert!(meet(&(&tan * &cos), &sin));
        prop_assert!(known_bits(&sin) > 140 && known_bits(&cos) > 140 && known_bits(&tan) > 140);
        // The arctangent undoes it between the poles.
        if x.abs().compare(&Interval::integer(1, 160)) == Some(std::cmp::Ordering::Less) {
            prop_assert!(meet(&tan.atan(), &x));
        }
    }

    #[test]
    fn an_angle_and_its_inverse_functions_agree(x in fraction(160)) {
        let [asin, acos] = [x.asin().unwrap(), x.acos().unwrap()];
        prop_assert!(meet(&asin.sin(), &x) && meet(&acos.cos(), &x));
        prop_assert!(meet(&(&asin + &acos).scaled(1), &Interval::pi(160)));
        prop_assert!(known_bits(&acos) > 140 && (x.binade().is_none() || known_bits(&asin) > 140));
    }

    #[test]
    fn functions_of_odd_symmetry_change_sign_with_their_operand(x in element(100)) {
        let same = |a: Interval, b: Interval| Bounds::compare(&a, &b.enclosure().lower).is_none_or(std::cmp::Ordering::is_eq);
        prop_assert!(same((-&x).sin(), -x.sin()) && same((-&x).atan(), -x.atan()));
        prop_assert!(same((-&x).erf(), -x.erf()) && same((-&x).cos(), x.cos()));
    }

    #[test]
    fn functions_of_intervals_hold_those_of_their_numbers(x in fraction(64), y in fraction(64)) {
        let both = x.hull(&y);
        for number in [&x, &y] {
            let exact = number.clone().with_precision(200);
            prop_assert!(meet(&both.sin(), &exact.sin()) && meet(&both.cos(), &exact.cos()));
            prop_assert!(meet(&both.atan(), &exact.atan()));
            prop_assert!(meet(&both.asin().unwrap(), &exact.asin().unwrap()));
            prop_assert!(meet(&both.acos().unwrap(), &exact.acos().unwrap()));
            prop_assert!(meet(&both.erf(), &exact.erf()));
            if let Some(tan) = both.tan() {
                prop_assert!(meet(&tan, &exact.tan().unwrap()));
            }
        }
    }

    #[test]
    fn the_complement_is_what_is_missing_from_one(numerator in 1_i64..1 << 20) {
        // From 0 to 16, on both sides of where the formula changes.
        let x = Interval::new(numerator, -16, 128);
        let fine = x.clone().with_precision(1200);
        let missing = Interval::integer(1, 1200) - fine.erf();
        let complement = x.erfc().unwrap();
        prop_assert!(meet(&complement, &missing));
        prop_assert!(known_bits(&complement) > 110);
        prop_assert!(!complement.lower().is_negative() && !complement.lower.is_zero());
    }
}
