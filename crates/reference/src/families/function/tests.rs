//! The functions against digits that mpmath computed, special values, and each other.

use num_bigint::BigInt;
use proptest::prelude::*;
use values::dtype::Kind;

use super::*;
use crate::exact::Ulps;
use crate::exact::number::largest;
use crate::exact::real::{Enclosure, power_of_two};
use crate::operator::{Attributes, Operator, OperatorKind, Specification};
use crate::operators::{OPERATORS, find};
use crate::signature::Domain;

/// Operands and results, correctly rounded.
const RESULTS: &str = include_str!("results.txt");

const FLOATS: [DType; 4] = [DType::Float16, DType::Bfloat16, DType::Float32, DType::Float64];

fn function(name: &str) -> Box<dyn Elementwise> {
    let operator = find(Domain::Onnx, name).unwrap();
    operator.reference.elementwise(Specification::Onnx, &Attributes::new()).unwrap()
}

/// The operators whose functions are checked here.
fn functions() -> impl Iterator<Item = &'static Operator> {
    let named = |operator: &&Operator| {
        RESULTS.lines().any(|line| line.split(' ').next() == Some(operator.name))
    };
    OPERATORS.iter().copied().filter(named)
}

fn format(dtype: DType) -> &'static FloatFormat {
    match dtype.kind() {
        Kind::Float(format) => format,
        _ => panic!("{dtype}"),
    }
}

fn element(dtype: DType, bits: u64) -> [Element; 1] {
    [Element::Bits(dtype, bits.into())]
}

#[test]
fn results_are_those_that_mpmath_computes() {
    let mut seen = 0;
    for line in RESULTS.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(' ').collect();
        let dtype: DType = fields[1].parse().unwrap();
        let [x, y] = [fields[2], fields[3]].map(|bits| u64::from_str_radix(bits, 16).unwrap());
        let Some(operator) = find(Domain::Onnx, fields[0]) else { continue };
        let conforming = function(operator.name).conforming(dtype, &element(dtype, x));
        assert_eq!(conforming, Conforming::One(y), "{line}");
        seen += 1;
    }
    assert_eq!(seen, 64 * functions().count());
}

#[test]
fn a_correctly_rounded_result_errs_by_half_a_unit_at_most_and_its_neighbour_by_more() {
    for line in RESULTS.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(' ').collect();
        let dtype: DType = fields[1].parse().unwrap();
        let [x, y] = [fields[2], fields[3]].map(|bits| u64::from_str_radix(bits, 16).unwrap());
        let class = format(dtype).class(y);
        if find(Domain::Onnx, fields[0]).is_none() || class == values::float::Class::Infinite {
            continue;
        }
        let deviation = |actual| function(fields[0]).deviation(dtype, &element(dtype, x), actual);
        assert!(deviation(y) <= Deviation::Ulps(Ulps::HALF), "{line}");
        assert!(deviation(y + 1) >= Deviation::Ulps(Ulps::HALF), "{line}");
    }
}

#[test]
fn enclosures_of_elements_are_as_close_as_asked_and_hold_finer_ones() {
    for line in RESULTS.lines().filter(|line| !line.starts_with('#')).step_by(3) {
        let fields: Vec<&str> = line.split(' ').collect();
        let (dtype, Some(_)): (DType, _) =
            (fields[1].parse().unwrap(), find(Domain::Onnx, fields[0]))
        else {
            continue;
        };
        let x = u64::from_str_radix(fields[2], 16).unwrap();
        let real = |bits| function(fields[0]).real(dtype, &element(dtype, x), bits);
        let (Some(coarse), Some(fine)) = (real(100), real(300)) else { continue };
        let (coarse, fine) = (coarse.enclosure, fine.enclosure);
        assert!(coarse.lower <= fine.lower && fine.upper <= coarse.upper, "{line}");
        let width = |of: &Enclosure, bits: i32| {
            &of.upper - &of.lower <= of.lower.clone().max(-of.lower.clone()) * power_of_two(-bits)
        };
        assert!(width(&coarse, 100) && width(&fine, 300), "{line}");
    }
}

#[test]
fn of_a_nan_every_function_is_a_nan_and_errors_at_infinities_are_not_measured() {
    for operator in functions() {
        assert_eq!(operator.kind, OperatorKind::Approximated);
        for dtype in FLOATS {
            let (function, format) = (function(operator.name), format(dtype));
            let infinity = largest(format) + 1;
            let nan = element(dtype, infinity + 1);
            let conforming = function.conforming(dtype, &nan);
            // Which of two the greater one is, where one is NaN, Celu's formula leaves open.
            let expected = match operator.name {
                "Celu" => Conforming::nan_or(format, Conforming::either_zero(format)),
                _ => Conforming::AnyNan(format),
            };
            assert_eq!(conforming, expected, "{operator}");
            let infinities = [infinity, format.negated(infinity)].map(|bits| element(dtype, bits));
            // Half of pi is a number like others.
            let infinities = infinities.into_iter().filter(|_| operator.name != "Atan");
            for operand in infinities.chain([nan]) {
                assert_eq!(function.deviation(dtype, &operand, 0), Deviation::NoRealResult);
                assert_eq!(function.real(dtype, &operand, 64), None);
            }
            assert_eq!(function.conforming(dtype, &[]), FOREIGN);
        }
    }
}

#[test]
fn odd_functions_have_negated_results() {
    for name in ["Tanh", "Sinh", "Asinh", "Atanh"] {
        for bits in (0..0x7c00_u64).step_by(37) {
            let of =
                |bits| function(name).conforming(DType::Float16, &element(DType::Float16, bits));
            match (of(bits), of(bits | 0x8000)) {
                (Conforming::One(y), Conforming::One(z)) => {
                    assert_eq!(y ^ 0x8000, z, "{name} {bits:#x}");
                }
                (y, z) => assert_eq!(y, z, "{name} {bits:#x}"),
            }
        }
    }
}

/// Every function never falls, or never rises, within its stretch.
#[test]
fn functions_are_monotone_where_boundaries_are_searched() {
    for operator in functions() {
        let inputs = operator.reference.boundaries().unwrap();
        let ordinal = |bits| format(DType::Float16).ordinal(bits).unwrap();
        let mut ends: Vec<i64> = Vec::new();
        for solved in crate::boundaries::solved(inputs, DType::Float16).unwrap() {
            ends.extend(solved.sides.into_iter().flatten().map(|[x, _]| ordinal(x)));
        }
        let (low, high) = (*ends.iter().min().unwrap(), *ends.iter().max().unwrap());
        let mut last: Option<i64> = None;
        let mut turns = [false; 2];
        for at in (low..=high).step_by(11) {
            let bits = crate::boundaries::search::element(format(DType::Float16), at);
            let Conforming::One(y) =
                inputs.function().conforming(DType::Float16, &element(DType::Float16, bits))
            else {
                continue;
            };
            let Some(y) = format(DType::Float16).ordinal(y) else { continue };
            // Of even functions only one half is searched, and the other one turns.
            if operator.name != "Cosh" || at >= 0 {
                turns[0] |= last.is_some_and(|last| y < last);
                turns[1] |= last.is_some_and(|last| y > last);
                assert_ne!(turns, [true; 2], "{operator} {bits:#x}");
            }
            last = Some(y);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn functions_undo_each_other(significand in 1_u64..1 << 53, exponent in -60_i64..-48, precision in 80_u32..400) {
        let x = Interval::new(BigInt::from(significand), exponent, precision);
        prop_assume!(x.binade().is_some_and(|binade| binade < 5));
        let sine = crate::operators::sinh::HyperbolicSine.enclosure(&x).unwrap();
        prop_assert!(crate::operators::asinh::InverseHyperbolicSine.enclosure(&sine).unwrap().contains(&x));
        let cosine = crate::operators::cosh::HyperbolicCosine.enclosure(&x).unwrap();
        prop_assert!(crate::operators::acosh::InverseHyperbolicCosine.enclosure(&cosine).unwrap().contains(&x));
        let tangent = crate::operators::tanh::HyperbolicTangent::default().enclosure(&x).unwrap();
        prop_assert!(crate::operators::atanh::InverseHyperbolicTangent.enclosure(&tangent).unwrap().contains(&x));
        let overlaps = |a: &Interval, b: &Interval| {
            let (a, b) = (a.enclosure(), b.enclosure());
            a.lower <= b.upper && b.lower <= a.upper
        };
        prop_assert!(overlaps(&tangent, &sine.divided_by(&cosine).unwrap()));
        // 1 / (1 + e^-2x) is (1 + tanh x) / 2, and x tanh(ln(1 + e^x)) that of another function of it.
        let logistic = crate::operators::sigmoid::Logistic.enclosure(&x.clone().scaled(1)).unwrap();
        let half = (&tangent + &Interval::integer(1, precision)).scaled(-1);
        prop_assert!(overlaps(&logistic, &half));
        let ramp = crate::operators::softplus::SmoothRamp.enclosure(&x).unwrap();
        let gated = &x * &crate::operators::tanh::HyperbolicTangent::default().enclosure(&ramp).unwrap();
        prop_assert!(overlaps(&gated, &crate::operators::mish::SelfGated.enclosure(&x).unwrap()));
        let gated = &-&x * &crate::operators::tanh::HyperbolicTangent::default()
            .enclosure(&crate::operators::softplus::SmoothRamp.enclosure(&-&x).unwrap()).unwrap();
        prop_assert!(overlaps(&gated, &crate::operators::mish::SelfGated.enclosure(&-&x).unwrap()));
    }
}
