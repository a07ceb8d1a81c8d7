//! Powers of every type against exact ones, C's special values, and each other.

use rayon::prelude::*;

use super::*;
use crate::function::checks::rounded;
use crate::tests::{read, run, tensor};
use crate::{Attributes, find};
use values::dtype::DType::{Int8, Uint64};
use values::float::FloatFormat;

fn of(x: f64, y: f64) -> f64 {
    f64::power(x, Exponent::of_float(y))
}

#[test]
fn special_values_are_those_of_c() {
    let (infinity, nan) = (f64::INFINITY, f64::NAN);
    let values = [
        0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, 2.5, 4.0, -4.0, 1e300, -1e300,
        infinity, -infinity, nan,
    ];
    for x in values {
        for y in values {
            let (actual, expected) = (of(x, y), libm::pow(x, y));
            let same =
                actual.to_bits() == expected.to_bits() || actual.is_nan() && expected.is_nan();
            assert!(
                same || (actual - expected).abs() < 1e-15 * expected.abs(),
                "{x}^{y}: {actual}"
            );
        }
    }
    assert_eq!(of(nan, 0.0), 1.0);
    assert_eq!(of(1.0, nan), 1.0);
    assert_eq!(of(-0.0, -3.0), -infinity);
    assert_eq!(of(-1.0, infinity), 1.0);
    assert!(of(-8.0, 1.0 / 3.0).is_nan());
}

#[test]
fn powers_that_float64_holds_are_exact() {
    for x in 1..200_i64 {
        for y in 0..8 {
            let exact = (x as f64).powi(y);
            if exact < 9e15 {
                let y = f64::from(y);
                assert_eq!(of(x as f64, y), exact, "{x}^{y}");
                assert_eq!(of(-x as f64, y), if y % 2.0 == 1.0 { -exact } else { exact });
                assert_eq!(of(exact * exact, 0.5), exact);
            }
        }
    }
    assert_eq!(of(2.0, -1074.0), f64::from_bits(1));
    assert_eq!(of(2.0, 1023.0), 2.0_f64.powi(1023));
    assert_eq!(of(-2.0, -1075.0), -0.0);
}

#[test]
fn narrow_types_get_the_nearest_number() {
    (0..=u16::MAX).into_par_iter().step_by(7).for_each(|bits| {
        for y in [2.0, 3.0, 0.5, -1.0, 1.5, -0.3, 1.000_000_1, 0.1] {
            let exponent = Exponent::of_float(y);
            let x = f16::from_bits(bits);
            let wide = libm::pow(x.to_f64(), y);
            let actual = u64::from(f16::power(x, exponent).to_bits());
            let expected = rounded(&FloatFormat::FLOAT16, wide);
            let is_nan = wide.is_nan() && f16::from_bits(actual as u16).is_nan();
            assert!(actual == expected || is_nan, "{x}^{y}: {actual:#x}, not {expected:#x}");
            let x = bf16::from_bits(bits);
            let wide = libm::pow(x.to_f64(), y);
            let actual = u64::from(bf16::power(x, exponent).to_bits());
            let expected = rounded(&FloatFormat::BFLOAT16, wide);
            let is_nan = wide.is_nan() && bf16::from_bits(actual as u16).is_nan();
            assert!(actual == expected || is_nan, "{x}^{y}: {actual:#x}, not {expected:#x}");
        }
    });
    // 1.5^2 is exact; a little more than the exponent of a tie is rounded up: 1.0625^2 is 1.12890625, bfloat16 has 1.125 and 1.1328125.
    let tie = bf16::from_f64(1.0625);
    assert_eq!(bf16::power(tie, Exponent::of_float(2.0)).to_f64(), 1.125);
    let more = 2.0 + 2.0 * f64::EPSILON;
    assert_eq!(bf16::power(tie, Exponent::of_float(more)).to_f64(), 1.132_812_5);
}

#[test]
fn integers_wrap_and_exponents_have_any_type() {
    let run = |x: &Tensor, y: &Tensor| {
        run(find("Pow", 15).unwrap(), &[x, y], &Attributes::new()).unwrap()
    };
    let x = tensor(Int32, &[4], &[2_i32, -3, 7, -1]);
    let results: Vec<i32> = read(&run(&x, &tensor(Int8, &[4], &[31_i8, 3, 0, -3])));
    assert_eq!(results, [i32::MIN, -27, 1, -1]);
    let results: Vec<i32> = read(&run(&x, &tensor(Float32, &[1], &[2_f32])));
    assert_eq!(results, [4, 9, 49, 1]);
    let x = tensor(Float32, &[3], &[-1_f32, 1.5, 0.0]);
    let results: Vec<f32> = read(&run(&x, &tensor(Uint64, &[1], &[u64::MAX])));
    assert_eq!(results, [-1.0, f32::INFINITY, 0.0]);
    let x = tensor(Float64, &[2, 1], &[2_f64, 9.0]);
    let results: Vec<f64> = read(&run(&x, &tensor(Float64, &[2], &[0.5, -1.0])));
    assert_eq!(results, [std::f64::consts::SQRT_2, 0.5, 3.0, 1.0 / 9.0]);
}
