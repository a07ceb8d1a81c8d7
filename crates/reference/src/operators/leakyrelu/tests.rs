//! Leaked elements against the machine's products, which float64 has exactly of narrower types.

use values::dtype::Kind;
use values::random::Random;

use super::*;

fn leaky(alpha: f32) -> Leaky {
    Leaky { alpha: alpha.to_bits(), is_sonnx: false }
}

fn conforming(alpha: f32, dtype: DType, x: u64) -> Conforming {
    leaky(alpha).conforming(dtype, &[Element::Bits(dtype, x.into())])
}

/// The number of a narrow format nearest to a float64, by the machine's own rounding where it has one.
fn nearest(dtype: DType, value: f64) -> u64 {
    match dtype {
        DType::Float32 => u64::from((value as f32).to_bits()),
        _ => {
            // Through integers: the magnitude in units of the last place, ties to even.
            let Kind::Float(format) = dtype.kind() else { panic!("{dtype}") };
            let sign = u64::from(value.is_sign_negative()) << 15;
            let magnitude = value.abs();
            let lowest = 1 - format.bias;
            let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(lowest);
            let unit = 2_f64.powi(exponent - format.significand_bits as i32);
            let units = (magnitude / unit).round_ties_even() as u64;
            let bits = ((exponent - lowest) as u64) << format.significand_bits;
            sign | (bits + units).min(((1 << format.exponent_bits) - 1) << format.significand_bits)
        }
    }
}

#[test]
fn every_float16_and_bfloat16_is_multiplied_and_rounded_once_by_alpha_as_it_is_or_converted() {
    for dtype in [DType::Float16, DType::Bfloat16] {
        let Kind::Float(format) = dtype.kind() else { panic!("{dtype}") };
        let value = |bits: u64| match dtype {
            DType::Float16 => FloatFormat::FLOAT16.to_f64(bits),
            _ => f64::from(f32::from_bits((bits as u32) << 16)),
        };
        for alpha in [0.01_f32, 0.5, -3.3, 1e-5, 0.0, 777.7, 1.0] {
            let narrow = value(nearest(dtype, alpha.into()));
            for x in 0..1 << 16 {
                let found = conforming(alpha, dtype, x);
                let number = value(x);
                if number.is_nan() {
                    assert_eq!(found, Conforming::AnyNan(format));
                } else if number >= 0.0 {
                    assert_eq!(found, Conforming::One(x));
                } else if number.is_finite() {
                    // A product of 24 bits and 11 is exact in float64.
                    let all = [f64::from(alpha), narrow]
                        .map(|factor| Conforming::One(nearest(dtype, factor * number)));
                    assert_eq!(Some(found), Conforming::one_of(all), "{dtype} {alpha} {x:#x}");
                } else if alpha != 0.0 {
                    let infinite = value(found.number().unwrap());
                    assert_eq!(infinite, f64::from(alpha) * number);
                } else {
                    assert_eq!(found, Conforming::AnyNan(format));
                }
            }
        }
    }
}

#[test]
fn float32_and_float64_have_the_machines_products() {
    let mut random = Random::new(5);
    for _ in 0..200_000 {
        let (alpha, x) =
            (f32::from_bits(random.bits() as u32), f32::from_bits(random.bits() as u32));
        let expected = if x < 0.0 { alpha * x } else { x };
        let found = conforming(alpha, DType::Float32, x.to_bits().into());
        assert!(found.accepts(expected.to_bits().into()), "{alpha} {x} {found:?}");
        assert!(!matches!(found, Conforming::OneOf(_)));
        let x = f64::from_bits(random.bits());
        let expected = if x < 0.0 { f64::from(alpha) * x } else { x };
        let found = conforming(alpha, DType::Float64, x.to_bits());
        assert!(found.accepts(expected.to_bits()), "{alpha} {x} {found:?}");
    }
}

#[test]
fn alpha_is_a_hundredth_by_default_and_may_be_converted_first() {
    let without = Leaky::of(Specification::Onnx, &Attributes::new());
    assert_eq!(without.alpha, 0.01_f32.to_bits());
    // -1 by the float32 is nearest to another float16 than by the float16 in some cases: -33.
    let open = (0x8000..0xfc00)
        .filter(|&x| matches!(conforming(0.01, DType::Float16, x), Conforming::OneOf(_)));
    assert!(open.count() > 1000);
    assert_eq!(conforming(0.5, DType::Float16, 0xbc00), Conforming::One(0xb800));
}

#[test]
fn zeros_stay_and_special_values_of_alpha_are_multiplied() {
    assert_eq!(conforming(-2.0, DType::Float16, 0x8000), Conforming::One(0x8000));
    assert_eq!(conforming(f32::NAN, DType::Float16, 0x8000), Conforming::One(0x8000));
    let nan = Conforming::AnyNan(&FloatFormat::FLOAT16);
    assert_eq!(conforming(f32::NAN, DType::Float16, 0xbc00), nan);
    assert_eq!(conforming(f32::NEG_INFINITY, DType::Float16, 0xbc00), Conforming::One(0x7c00));
    assert_eq!(conforming(0.0, DType::Float16, 0xfc00), nan);
    // Converted to float16 this is 0, and the product of an infinity NaN.
    let tiny = conforming(1e-30, DType::Float16, 0xfc00);
    assert_eq!(tiny, Conforming::OneOf(vec![Conforming::One(0xfc00), nan]));
    let sonnx = Leaky { alpha: 0, is_sonnx: true };
    let infinite = [Element::Bits(DType::Float16, 0xfc00)];
    assert!(!sonnx.conforming(DType::Float16, &infinite).is_decided());
}

#[test]
fn errors_are_those_of_the_product_that_is_met() {
    let x = [Element::Bits(DType::Float16, 0xd020)]; // -33
    let function = leaky(0.01);
    for bits in (0..1 << 16).filter(|&bits| function.conforming(DType::Float16, &x).accepts(bits)) {
        let Deviation::Ulps(ulps) = function.deviation(DType::Float16, &x, bits) else { panic!() };
        assert!(ulps <= crate::exact::Ulps::ONE, "{ulps}");
    }
}
