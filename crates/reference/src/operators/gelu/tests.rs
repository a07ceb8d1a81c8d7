//! Gelu by both formulas: digits that mpmath computed, and what both are near 0 and far from it.

use values::dtype::{DType, Kind};

use super::*;
use crate::elementwise::Elementwise;
use crate::exact::{Conforming, Deviation, Ulps};
use values::element::Element;

/// Operands and results of the formula by the hyperbolic tangent.
const BY_TANH: &str = include_str!("by_tanh.txt");

fn gelu(is_approximated: bool) -> Function<Gelu> {
    Function(Gelu { is_approximated })
}

fn element(dtype: DType, bits: u64) -> [Element; 1] {
    [Element::Bits(dtype, bits.into())]
}

#[test]
fn results_by_the_tangent_are_those_that_mpmath_computes() {
    let mut seen = 0;
    for line in BY_TANH.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(' ').collect();
        let dtype: DType = fields[0].parse().unwrap();
        let [x, y] = [fields[1], fields[2]].map(|bits| u64::from_str_radix(bits, 16).unwrap());
        assert_eq!(gelu(true).conforming(dtype, &element(dtype, x)), Conforming::One(y), "{line}");
        seen += 1;
    }
    assert_eq!(seen, 48);
}

#[test]
fn half_of_a_smallest_number_is_no_tie_as_the_function_is_above_it() {
    for is_approximated in [false, true] {
        for dtype in [DType::Bfloat16, DType::Float32, DType::Float64] {
            let Kind::Float(format) = dtype.kind() else { panic!("{dtype}") };
            let result = |x| gelu(is_approximated).conforming(dtype, &element(dtype, x));
            assert_eq!(result(1), Conforming::One(1));
            assert_eq!(result(format.negated(1)), Conforming::One(format.negated(0)));
            assert_eq!(result(3), Conforming::One(2));
            assert_eq!(result(format.negated(3)), Conforming::One(format.negated(1)));
        }
    }
}

#[test]
fn far_from_zero_it_is_the_operand_or_zero_and_of_minus_infinity_a_nan_or_zero() {
    let result =
        |x: f64| gelu(false).conforming(DType::Float64, &element(DType::Float64, x.to_bits()));
    assert_eq!(result(1e300), Conforming::One(1e300_f64.to_bits()));
    assert_eq!(result(-1e300), Conforming::One((-0.0_f64).to_bits()));
    assert_eq!(result(-63.0), Conforming::One((-0.0_f64).to_bits()));
    let at_infinity = result(f64::NEG_INFINITY);
    for (bits, is_right) in
        [(f64::NAN, true), (0.0, true), (-0.0, true), (1.0, false), (f64::NEG_INFINITY, false)]
    {
        assert_eq!(at_infinity.accepts(bits.to_bits()), is_right, "{bits}");
    }
    let error = |x: f64, actual: f64| {
        gelu(false).deviation(
            DType::Float64,
            &element(DType::Float64, x.to_bits()),
            actual.to_bits(),
        )
    };
    assert_eq!(error(1e300, 1e300), Deviation::Ulps(Ulps::new(1, false)), "next to it, but not it");
}
