//! Powers against rational arithmetic, IEEE 754's special values and each other.

use num_bigint::BigInt;
use num_traits::One;
use proptest::prelude::*;
use values::dtype::Kind;
use values::float::FloatFormat;

use super::*;
use crate::exact::real::{Enclosure, value};
use crate::exact::{Ulps, enclosed};

const POWERS: Exponentiation = Exponentiation { is_sonnx: false };

fn format(dtype: DType) -> &'static FloatFormat {
    match dtype.kind() {
        Kind::Float(format) => format,
        _ => panic!("{dtype}"),
    }
}

fn conforming(x: f64, y: f64) -> Conforming {
    let operands = [x, y].map(|number| Element::Bits(Float64, number.to_bits().into()));
    POWERS.conforming(Float64, &operands)
}

fn is(x: f64, y: f64, power: f64) {
    let expected = if power.is_nan() {
        Conforming::AnyNan(&FloatFormat::FLOAT64)
    } else {
        Conforming::One(power.to_bits())
    };
    assert_eq!(conforming(x, y), expected, "{x}^{y}");
}

#[test]
fn special_values_are_those_of_ieee_754() {
    let (infinity, nan) = (f64::INFINITY, f64::NAN);
    for x in [0.0, -0.0, 1.0, -2.0, infinity, -infinity, nan] {
        is(x, 0.0, 1.0);
        is(x, -0.0, 1.0);
        is(1.0, x, 1.0);
    }
    for (x, y, power) in [
        (0.0, -3.0, infinity),
        (-0.0, -3.0, -infinity),
        (-0.0, -2.0, infinity),
        (-0.0, -0.5, infinity),
        (0.0, -infinity, infinity),
        (-0.0, 3.0, -0.0),
        (-0.0, 2.0, 0.0),
        (-0.0, infinity, 0.0),
        (-1.0, infinity, 1.0),
        (-1.0, -infinity, 1.0),
        (0.5, infinity, 0.0),
        (-0.5, -infinity, infinity),
        (2.0, infinity, infinity),
        (-2.0, -infinity, 0.0),
        (infinity, -1.0, 0.0),
        (infinity, 0.5, infinity),
        (-infinity, -3.0, -0.0),
        (-infinity, -2.0, 0.0),
        (-infinity, 3.0, -infinity),
        (-infinity, 0.5, infinity),
        (-infinity, infinity, infinity),
        (-infinity, -infinity, 0.0),
        (-8.0, 1.0 / 3.0, nan),
        (nan, 2.0, nan),
        (2.0, nan, nan),
        (-3.0, 9_007_199_254_740_993.0, -0.0 + f64::INFINITY),
        (-0.5, 1e300, 0.0),
    ] {
        is(x, y, power);
    }
}

#[test]
fn rational_powers_are_known_and_others_rounded() {
    for (x, y, power) in [
        (9.0, 2.0, 81.0),
        (4.0, 2.5, 32.0),
        (16.0, 0.5, 4.0),
        (2.0, -1074.0, f64::from_bits(1)),
        (2.0, -1075.0, 0.0),
        (2.0, 1024.0, f64::INFINITY),
        (-2.0, 1e300, f64::INFINITY),
        (0.25, -0.25, std::f64::consts::SQRT_2),
        (3.0, -1.0, 1.0 / 3.0),
        (1.0 + f64::EPSILON, 1e-300, 1.0),
        (1.0 + f64::EPSILON, 2.0, 1.0 + 2.0 * f64::EPSILON),
        (1.0 + f64::EPSILON, 4_503_599_627_370_496.0, std::f64::consts::E),
        (10.0, 22.0, 1e22),
        (10.0, 23.0, 1e23),
        (12.25, -0.5, 2.0 / 7.0),
        (2.0, 0.5, std::f64::consts::SQRT_2),
        (1e300, 3.0, f64::INFINITY),
        (-1e-300, 3.0, -0.0),
    ] {
        is(x, y, power);
    }
    for (x, y) in [(3.0, 1.0), (1.5, 40.0), (1.25, -7.0), (6.25, 1.5), (0.0625, -0.25)] {
        let operands = [x, y].map(|number: f64| Element::Bits(Float64, number.to_bits().into()));
        let real = POWERS.real(Float64, &operands, 64).unwrap();
        assert!(real.enclosure.exact().is_some(), "{x}^{y}");
    }
}

#[test]
fn exponents_of_every_type_are_taken_exactly() {
    let base = Element::Bits(Float32, f32::to_bits(-1.0).into());
    for (dtype, bits, odd) in [
        (Uint64, u64::MAX, true),
        (Int64, u64::MAX - 1, false),
        (Int8, 0xfd, true),
        (Float64, 9_007_199_254_740_992.0_f64.to_bits(), false),
        (Float64, 4_503_599_627_370_497.0_f64.to_bits(), true),
        (Bfloat16, 0x3f80, true),
    ] {
        let power = POWERS.conforming(Float32, &[base.clone(), Element::Bits(dtype, bits.into())]);
        let expected = if odd { -1.0_f32 } else { 1.0 };
        assert_eq!(power, Conforming::One(expected.to_bits().into()), "{dtype} {bits:#x}");
    }
}

#[test]
fn integers_are_exact_and_what_is_beyond_them_is_open() {
    let power = |x: i64, dtype, y: u64| {
        let operands = [Element::Bits(Int64, u128::from(x as u64)), Element::Bits(dtype, y.into())];
        POWERS.conforming(Int64, &operands)
    };
    assert_eq!(power(3, Int32, 4), Conforming::One(81));
    assert_eq!(power(-2, Uint8, 63), Conforming::One(1 << 63));
    assert_eq!(power(-1, Uint64, u64::MAX), Conforming::One(u64::MAX));
    assert_eq!(power(0, Int64, 0), Conforming::One(1));
    assert_eq!(power(5, Float16, 0x4000), Conforming::One(25));
    for (x, dtype, y) in [
        (2, Uint8, 63),
        (3, Int64, 41),
        (2, Int8, 0xff),
        (4, Float16, 0x3800),
        (4, Float16, 0x7e00),
    ] {
        assert!(!power(x, dtype, y).is_decided(), "{x} {dtype} {y:#x}");
    }
}

#[test]
fn rows_of_sonnx_that_meet_leave_both_results() {
    let sonnx = Exponentiation { is_sonnx: true };
    let of = |x: f64, y: f64| {
        sonnx.conforming(
            Float64,
            &[x, y].map(|number| Element::Bits(Float64, number.to_bits().into())),
        )
    };
    let nan = f64::NAN.to_bits();
    for (x, y, power) in
        [(1.0, f64::NAN, 1.0_f64), (-1.0, f64::INFINITY, 1.0), (-2.0, f64::NEG_INFINITY, 0.0)]
    {
        let conforming = of(x, y);
        assert!(conforming.accepts(power.to_bits()) && conforming.accepts(nan), "{x}^{y}");
    }
    assert!(!of(2.0, f64::INFINITY).accepts(nan));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn integer_powers_are_products(x in any::<u16>(), y in 0_u32..12) {
        let Some(base) = value(Float16, x.into()) else { return Ok(()) };
        let exponent = Element::Bits(Uint32, y.into());
        let power = POWERS.conforming(Float16, &[Element::Bits(Float16, x.into()), exponent]);
        let exact = (0..y).fold(Rational::from(BigInt::one()), |product, _| product * &base);
        let negative = format(Float16).is_negative(x.into()) && y % 2 == 1;
        let nearest = enclosed::nearest(format(Float16), |_| Enclosure::point(exact.clone()), negative);
        prop_assert_eq!(power, nearest);
    }

    #[test]
    fn roots_and_reciprocals_undo_powers(x in 1_u16..0x7c00, y in prop::sample::select(vec![0.5, 0.75, 3.0, -1.0, 1.1, -0.3])) {
        let base = Base::of(format(Float16), x.into());
        let exponent = |y: f64| Exponent::of(Float64, y.to_bits()).unwrap();
        let power = base.enclosed(&exponent(y), 200).unwrap();
        let back = (power.ln().unwrap() * crate::exact::interval::Interval::rational(&value(Float64, y.to_bits()).unwrap().recip(), 200)).exp().unwrap();
        let [a, b] = [back.enclosure(), base.enclosed(&exponent(1.0), 200).unwrap().enclosure()];
        prop_assert!(a.lower <= b.upper && b.lower <= a.upper);
    }
}

/// The errors of the results that are nearest, over the inputs of a part of those that are hard, in units of the last place.
fn errors(dtype: DType, part: &str) -> Vec<Ulps> {
    let parts = super::hard_inputs::parts(dtype).unwrap();
    let (_, space) = parts.iter().find(|(name, _)| *name == part).unwrap();
    let error = |operands: [u64; 2]| {
        let operands = operands.map(|bits| Element::Bits(dtype, bits.into()));
        let nearest = POWERS.conforming(dtype, &operands).number()?;
        match POWERS.deviation(dtype, &operands, nearest) {
            Deviation::Ulps(error) => Some(error),
            Deviation::NoRealResult | Deviation::Unbounded => None,
        }
    };
    let tuples = crate::inputs::tuples(&**space, dtype);
    assert!(tuples.len() > 100, "{dtype} {part}: {}", tuples.len());
    tuples.into_iter().filter_map(error).collect()
}

#[test]
fn squares_and_roots_that_are_hard_are_next_to_midpoints() {
    let half = 1 << (Ulps::FRACTION_BITS - 1);
    let near = Ulps::new(half - half / 256, true);
    for dtype in [Float32, Float64] {
        for part in ["squares near midpoints", "roots near midpoints"] {
            let least = errors(dtype, part).into_iter().min();
            assert!(least > Some(near), "{dtype} {part}: {least:?}");
        }
    }
}

#[test]
fn powers_that_are_hard_are_numbers_and_exactly_between_two_also() {
    let half = Ulps::HALF;
    for dtype in [Float16, Float32, Float64, Bfloat16] {
        let errors = errors(dtype, "ties and numbers");
        for exact in [Ulps::ZERO, half] {
            let count = errors.iter().filter(|error| **error == exact).count();
            assert!(count >= 16, "{dtype} {exact:?}: {count}");
        }
        let others = errors.iter().filter(|error| ![Ulps::ZERO, half].contains(error)).count();
        assert!(others >= 20, "{dtype}: {others}");
    }
}

#[test]
fn integer_powers_that_are_hard_have_results_at_both_ends_of_the_type() {
    let parts = super::hard_inputs::parts(Int32).unwrap();
    let tuples = crate::inputs::tuples(&*parts[0].1, Int32);
    let result = |operands: &[u64; 2]| {
        let operands = operands.map(|bits| Element::Bits(Int32, bits.into()));
        POWERS.conforming(Int32, &operands).number()
    };
    let results: Vec<u64> = tuples.iter().filter_map(result).collect();
    // The largest square, cube and power of two, and the least number.
    for power in [46340_i32.pow(2), 1290_i32.pow(3), 2_i32.pow(30), i32::MIN, -(1290_i32.pow(3))] {
        assert!(results.contains(&u64::from(power.cast_unsigned())), "{power}");
    }
    assert!(results.len() < tuples.len(), "none is beyond the type");
}
