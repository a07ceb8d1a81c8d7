//! The bounds hold, are reached where they claim to be, and the notes' own forms have the smallest
//! counterexamples found here.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use proptest::prelude::*;

use super::*;
use crate::exact::Conforming;
use crate::operators::div::Division;
use values::dtype::{DType, Kind};

const BITS: u32 = 200;

fn integer(value: i64) -> Rational {
    Rational::from(BigInt::from(value))
}

fn ratio(numerator: i64, denominator: i64) -> Rational {
    Rational::new(numerator.into(), denominator.into())
}

fn operand(value: i64, error: i64) -> Operand {
    Operand { value: integer(value), error: integer(error) }
}

/// The first form of the error that division passes on in SONNX's note: off by the factor b.
fn noted_div_propagated(a: &Operand, b: &Operand) -> Result<Rational, Unbounded> {
    let given = divisor(b)?;
    Ok((&a.error * &b.value - &b.error * &a.value) / (&b.value * &b.value * given))
}

/// The note's bound to first order on the error that the square root passes on: |e / (2 sqrt(x))|.
fn noted_sqrt_propagated_bound(x: &Operand) -> Result<Rational, Unbounded> {
    Ok(sqrt_propagated_bound(x, BITS)? / integer(2))
}

/// The error as it is defined.
fn div_propagated_by_definition(a: &Operand, b: &Operand) -> Rational {
    a.given() / b.given() - &a.value / &b.value
}

fn format_of(dtype: DType) -> &'static FloatFormat {
    match dtype.kind() {
        Kind::Float(format) => format,
        _ => panic!("{dtype} is no float type"),
    }
}

/// Every combination of these four numbers up to a magnitude, the smallest sums of magnitudes first.
fn quadruples(limit: i64) -> impl Iterator<Item = [i64; 4]> {
    let numbers = -limit..=limit;
    let mut all: Vec<[i64; 4]> = numbers
        .clone()
        .flat_map(|a| numbers.clone().map(move |b| [a, b]))
        .flat_map(|[a, b]| (-limit..=limit).map(move |c| [a, b, c]))
        .flat_map(|[a, b, c]| (-limit..=limit).map(move |d| [a, b, c, d]))
        .collect();
    // Positive numbers before negative ones of the same magnitude.
    all.sort_by_key(|four| {
        (
            four.iter().map(|n| n.unsigned_abs()).sum::<u64>(),
            four.map(|n| (n < 0, n.unsigned_abs())),
        )
    });
    all.into_iter()
}

#[test]
fn the_unit_roundoffs_are_those_of_the_notes() {
    for (dtype, exponent) in
        [(DType::Float16, -11), (DType::Bfloat16, -8), (DType::Float32, -24), (DType::Float64, -53)]
    {
        assert_eq!(unit_roundoff(format_of(dtype)), power_of_two(exponent), "{dtype}");
    }
}

/// Checks one float result against both introduced bounds, with no error in the operands.
fn results_stay_within(dtype: DType, a: u64, b: u64) {
    let arithmetic = Arithmetic::Float(format_of(dtype));
    let [x, y] = [a, b].map(|bits| real::value(dtype, bits));
    if let (Some(x), Some(y), Some(Conforming::One(bits))) =
        (&x, &y, crate::operators::div::div(Division::Div, dtype, a, b))
        && let Some(quotient) = real::div(x, y)
    {
        match (real::value(dtype, bits), div_introduced(arithmetic, &quotient)) {
            (Some(result), Ok(bound)) => {
                assert!((result - quotient).abs() <= bound, "{dtype} {a:#x} / {b:#x}");
            }
            (None, Err(Unbounded::Overflow)) => {}
            other => panic!("{dtype} {a:#x} / {b:#x}: {other:?}"),
        }
    }
    if let (Some(x), Some(Conforming::One(bits))) = (&x, crate::operators::sqrt::sqrt(dtype, a)) {
        let result = real::value(dtype, bits).unwrap();
        let error = sqrt_error(arithmetic, &Operand::exact(x.clone()), BITS).unwrap();
        let root = real::sqrt(x, BITS).unwrap();
        assert!(result.clone() - root.lower <= error.upper, "{dtype} sqrt {a:#x}");
        assert!(result - root.upper >= error.lower, "{dtype} sqrt {a:#x}");
    }
}

#[test]
fn float_results_err_by_no_more_than_the_introduced_bounds() {
    for dtype in [DType::Float16, DType::Bfloat16, DType::Float32, DType::Float64] {
        let format = format_of(dtype);
        let normal = 1 << format.significand_bits;
        let one = format.bias as u64 * normal;
        let top = (1 << (format.width() - 1)) - normal;
        let edges =
            [1, 2, 3, normal - 1, normal, normal + 1, one - 1, one, one + 1, one + normal / 2];
        for a in edges.into_iter().chain([top - 1, top - 2]) {
            for b in edges.into_iter().chain([top - 1, top - 2]) {
                results_stay_within(dtype, a, b);
                results_stay_within(dtype, a ^ 1 << (format.width() - 1), b);
            }
        }
    }
}

#[test]
fn the_float_bound_is_reached_by_a_tie_between_subnormal_numbers() {
    // The smallest subnormal number by 2 lies half of it away from 0 and from itself.
    for dtype in [DType::Float16, DType::Bfloat16, DType::Float32, DType::Float64] {
        let format = format_of(dtype);
        let quotient = real::value(dtype, 1).unwrap() / integer(2);
        let bound = div_introduced(Arithmetic::Float(format), &quotient).unwrap();
        assert_eq!(quotient, bound, "{dtype}");
    }
}

#[test]
fn integer_quotients_err_by_less_than_one_and_come_as_close_as_their_width_allows() {
    let bound = div_introduced(Arithmetic::Integer, &ratio(254, 255)).unwrap();
    let mut worst = Rational::zero();
    for (a, b) in (0..=255_u64).flat_map(|a| (1..=255_u64).map(move |b| (a, b))) {
        let Some(Conforming::One(bits)) =
            crate::operators::div::div(Division::Div, DType::Uint8, a, b)
        else {
            panic!("{a} / {b} is decided");
        };
        worst = worst.max(ratio(a as i64, b as i64) - integer(bits as i64));
    }
    assert_eq!(worst, ratio(254, 255));
    assert!(worst < bound);
}

#[test]
fn the_introduced_error_is_that_of_the_operands_as_given() {
    let float16 = Arithmetic::Float(&FloatFormat::FLOAT16);
    let u = unit_roundoff(&FloatFormat::FLOAT16);
    let around = |middle: i64, units: i64| Enclosure {
        lower: integer(middle) - &u * integer(units),
        upper: integer(middle) + &u * integer(units),
    };
    let four_for_one = operand(1, 3);
    // 4 / 1 for 1 / 1 passes on 3 and adds at most 4 u.
    assert_eq!(div_error(float16, &four_for_one, &operand(1, 0)), Ok(around(3, 4)));
    // sqrt(4) for sqrt(1) passes on 1 and adds at most 2 u.
    assert_eq!(sqrt_error(float16, &four_for_one, BITS), Ok(around(1, 2)));
}

#[test]
fn real_results_have_no_introduced_error() {
    assert!(div_introduced(Arithmetic::Real, &ratio(1, 3)).unwrap().is_zero());
    assert!(sqrt_introduced(Arithmetic::Real, &integer(2), BITS).unwrap().is_zero());
}

#[test]
fn what_has_no_bound_says_why() {
    let (one, zero) = (operand(1, 0), operand(0, 0));
    assert_eq!(div_propagated(&one, &zero), Err(Unbounded::Divisor));
    assert_eq!(div_propagated(&one, &operand(1, -1)), Err(Unbounded::Divisor));
    assert_eq!(div_propagated_bound(&one, &operand(1, -2)), Err(Unbounded::Divisor));
    assert_eq!(sqrt_propagated(&operand(-1, 2), BITS), Err(Unbounded::Radicand));
    assert_eq!(sqrt_propagated(&operand(1, -2), BITS), Err(Unbounded::Radicand));
    assert_eq!(sqrt_propagated_bound(&zero, BITS), Err(Unbounded::ZeroRoot));
    let float16 = Arithmetic::Float(&FloatFormat::FLOAT16);
    assert_eq!(div_error(float16, &operand(65520, 0), &one), Err(Unbounded::Overflow));
    assert!(div_error(float16, &operand(65519, 0), &one).is_ok());
    assert_eq!(sqrt_error(Arithmetic::Integer, &one, BITS), Err(Unbounded::IntegerRoot));
}

/// The first quadruple (a, d, b, e) of small integers, with d and e the errors of a and b, for which
/// the first form of the notes is wrong.
fn first_where_note_is(wrong: impl Fn(Rational, Rational) -> bool) -> Option<[i64; 4]> {
    quadruples(2).find(|&[a, d, b, e]| {
        let (a, b) = (operand(a, d), operand(b, e));
        noted_div_propagated(&a, &b)
            .is_ok_and(|noted| wrong(noted, div_propagated_by_definition(&a, &b)))
    })
}

#[test]
fn the_notes_first_form_for_division_is_wrong_from_these_on() {
    // Its value: (0 + 1) / -1 = -1, not 1.
    let unequal = first_where_note_is(|noted, exact| noted != exact);
    assert_eq!(unequal, Some([0, 1, -1, 0]));
    // As a bound: (0 + 1) / 2 = 1/2, not 1/4.
    let too_small = first_where_note_is(|noted, exact| noted.abs() < exact.abs());
    assert_eq!(too_small, Some([0, 1, 2, 0]));
}

#[test]
fn the_notes_first_order_bound_for_the_root_is_too_small_from_these_on() {
    // sqrt(1 - 1) - sqrt(1) = -1, not within 1/2.
    let first = quadruples(2).find(|&[x, e, ..]| {
        let x = operand(x, e);
        let error = sqrt_propagated(&x, BITS);
        error.is_ok_and(|error| {
            noted_sqrt_propagated_bound(&x).is_ok_and(|bound| error.upper.abs() > bound)
        })
    });
    assert_eq!(first, Some([1, -1, 0, 0]));
}

#[test]
fn the_notes_bound_for_integers_is_reached_from_these_on() {
    // 1 / 2 = 0 errs by 1/2, which is not less than 1/2; 2 / 3 = 0 errs by more.
    let first = |wrong: fn(&Rational, &Rational) -> bool| {
        quadruples(3)
            .map(|[a, b, ..]| [a, b])
            .find(|&[a, b]| b != 0 && wrong(&(ratio(a, b) - integer(a / b)).abs(), &ratio(1, 2)))
    };
    assert_eq!(first(|error, bound| error >= bound), Some([1, 2]));
    assert_eq!(first(|error, bound| error > bound), Some([2, 3]));
}

/// Rational numbers of any size and sign.
fn rational() -> impl Strategy<Value = Rational> {
    (any::<i64>(), 1..=i64::MAX, -200..200_i32)
        .prop_map(|(n, d, exponent)| ratio(n, d) * power_of_two(exponent))
}

/// An operand whose error is of any size relative to it, from far below to beyond.
fn any_operand() -> impl Strategy<Value = Operand> {
    (rational(), -1000..=1000_i64, 0..40_i32).prop_map(|(value, thousandths, exponent)| {
        let error = &value * ratio(thousandths, 1000) * power_of_two(1 - exponent);
        Operand { value, error }
    })
}

proptest! {
    #[test]
    fn the_error_passed_on_by_division_is_exact_and_bounded(
        a in any_operand(),
        b in any_operand(),
    ) {
        match div_propagated(&a, &b) {
            Ok(error) => {
                prop_assert_eq!(&error, &div_propagated_by_definition(&a, &b));
                prop_assert!(error.abs() <= div_propagated_bound(&a, &b).unwrap());
                let noted = noted_div_propagated(&a, &b).unwrap();
                prop_assert_eq!(noted * &b.value, error);
            }
            Err(_) => prop_assert!(!(&b.value * b.given()).is_positive()),
        }
    }

    #[test]
    fn the_bound_for_division_is_reached_where_the_errors_work_together(
        a in 1..1000_i64, d in 0..1000_i64, b in 2..1000_i64, e in 0..1000_i64,
    ) {
        prop_assume!(e < b);
        let (a, b) = (operand(a, d), operand(b, -e));
        prop_assert_eq!(div_propagated(&a, &b), div_propagated_bound(&a, &b));
    }

    #[test]
    fn the_error_passed_on_by_the_root_is_enclosed_and_bounded(x in any_operand()) {
        let Ok(error) = sqrt_propagated(&x, BITS) else {
            prop_assert!(x.value.is_negative() || x.given().is_negative());
            return Ok(());
        };
        // By definition, with roots of twice the precision.
        let [ideal, given] = [&x.value, &x.given()].map(|x| real::sqrt(x, 2 * BITS).unwrap());
        prop_assert!(error.lower <= &given.upper - &ideal.lower);
        prop_assert!(error.upper >= &given.lower - &ideal.upper);
        let magnitude = error.lower.abs().max(error.upper.abs());
        let width = &error.upper - &error.lower;
        prop_assert!(width.is_zero() || width < &magnitude * power_of_two(-(BITS as i32)));
        if x.value.is_positive() {
            prop_assert!(magnitude <= sqrt_propagated_bound(&x, BITS).unwrap() * (Rational::one() + power_of_two(2 - BITS as i32)));
        }
    }

    #[test]
    fn the_notes_first_order_bound_fails_for_every_error_that_lowers_the_radicand(
        x in 1..i64::MAX, millionths in 1..=1_000_000_i64,
    ) {
        let x = Operand { value: integer(x), error: -integer(x) * ratio(millionths, 1_000_000) };
        let error = sqrt_propagated(&x, BITS).unwrap();
        prop_assert!(noted_sqrt_propagated_bound(&x).unwrap() < error.upper.abs());
    }

    #[test]
    fn float_results_on_wrong_operands_err_within_the_enclosure(
        a: u32, b: u32, a_off in 0..1_u32 << 20, b_off in 0..1_u32 << 20,
    ) {
        let dtype = DType::Float32;
        let arithmetic = Arithmetic::Float(format_of(dtype));
        let read = |ideal: u32, given: u32| {
            let value = real::value(dtype, ideal.into())?;
            let error = real::value(dtype, given.into())? - &value;
            Some(Operand { value, error })
        };
        let given = [a ^ a_off, b ^ b_off];
        let (Some(x), Some(y)) = (read(a, given[0]), read(b, given[1])) else { return Ok(()) };
        if let Ok(error) = div_error(arithmetic, &x, &y) {
            let computed = f32::from_bits(given[0]) / f32::from_bits(given[1]);
            let computed = real::value(dtype, computed.to_bits().into()).unwrap();
            prop_assert!(error.contains(&(computed - &x.value / &y.value)));
        }
        if let Ok(error) = sqrt_error(arithmetic, &x, BITS) {
            let computed = f32::from_bits(given[0]).sqrt();
            let computed = real::value(dtype, computed.to_bits().into()).unwrap();
            let ideal = real::sqrt(&x.value, BITS).unwrap();
            prop_assert!(&computed - &ideal.upper <= error.upper);
            prop_assert!(&computed - &ideal.lower >= error.lower);
        }
    }

    #[test]
    fn random_float_results_err_by_no_more_than_the_introduced_bounds(a: u64, b: u64) {
        for dtype in [DType::Float16, DType::Bfloat16, DType::Float32, DType::Float64] {
            let unused = 64 - format_of(dtype).width();
            results_stay_within(dtype, a >> unused, b >> unused);
        }
    }
}
