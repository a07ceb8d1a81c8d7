//! Channels of known statistics, and what does not conform.

use values::dtype::DType::Float32;
use values::tensor::Tensor;

use super::*;
use crate::exact::Conforming;
use crate::operator::{AttributeValue, Attributes, Specification};

/// What conforms of one channel, with a scale of 1 and no shift.
fn channel(x: &[f32], epsilon: f32) -> Vec<Conforming> {
    let tensor = |shape: Vec<usize>, all: &[f32]| {
        Tensor::from_values(Float32, shape, all.to_vec()).map(Some).unwrap()
    };
    let inputs =
        vec![tensor(vec![1, 1, x.len()], x), tensor(vec![1], &[1.0]), tensor(vec![1], &[0.0])];
    let value = AttributeValue::Float(epsilon.to_bits());
    let attributes = Attributes::from([("epsilon".to_owned(), value)]);
    let (operator, version) = (&INSTANCENORMALIZATION, INSTANCENORMALIZATION.newest());
    let (call, types) =
        Call::new(operator, version, Specification::Onnx, attributes, inputs).unwrap();
    let allowed = operator.reference.allowed(&call, &types);
    (0..x.len()).map(|at| allowed[0].at(at)).collect()
}

fn bits(x: f32) -> u64 {
    x.to_bits().into()
}

#[test]
fn statistics_without_rounding_give_exact_results() {
    assert_eq!(channel(&[1.0, 3.0], 0.0), [bits(-1.0), bits(1.0)].map(Conforming::One));
    assert_eq!(channel(&[10.0, 18.0], 9.0)[1], channel(&[10.0, 18.0], 9.0)[1]);
}

#[test]
fn a_result_that_is_16_ulp_off_fails_and_so_does_the_variance_of_the_sample() {
    let x = [1.0, 2.0, 4.0, -3.0];
    let (mean, variance) = (1.0_f64, (0.0 + 1.0 + 9.0 + 16.0) / 4.0);
    for (conforming, x) in channel(&x, 1e-5).iter().zip(x) {
        let of = |variance: f64| {
            ((f64::from(x) - mean) / (variance + f64::from(1e-5_f32)).sqrt()) as f32
        };
        let near = of(variance);
        assert!(conforming.accepts(bits(near)), "{x} {conforming:?}");
        if near != 0.0 {
            assert!(!conforming.accepts(bits(near) + 16) && !conforming.accepts(bits(near) - 16));
            assert!(!conforming.accepts(bits(of(variance * 4.0 / 3.0))));
            assert!(!conforming.accepts(bits(of(variance - 1e-5))), "without epsilon");
        }
    }
}

#[test]
fn the_square_of_the_mean_is_not_subtracted_from_the_mean_of_the_squares() {
    let x = [4096.0, 4097.0, 4098.0, 4099.0_f32];
    let [sum, squares] =
        x.iter().fold([0.0_f32; 2], |[sum, squares], x| [sum + x, squares + x * x]);
    let raw = squares / 4.0 - (sum / 4.0) * (sum / 4.0);
    let wrong = (x[3] - 4097.5) / (raw + 1e-5).sqrt();
    let right = 1.5 / (1.25_f32 + 1e-5).sqrt();
    let conforming = &channel(&x, 1e-5)[3];
    assert!(conforming.accepts(bits(right)), "{conforming:?}");
    assert!(raw != 1.25 && !conforming.accepts(bits(wrong)), "{raw} {wrong} {conforming:?}");
}

#[test]
fn statistics_that_overflow_excuse_no_zeros() {
    let all = channel(&[1e30, -1e30, 2e30, 5e30], 1e-5);
    assert!(all.iter().all(|one| one.is_decided() && !one.accepts(0)), "{all:?}");
}

#[test]
fn an_infinity_makes_its_channel_nan() {
    let all = channel(&[1.0, f32::INFINITY], 1e-5);
    assert!(all.iter().all(|it| matches!(it, Conforming::AnyNan(_))), "{all:?}");
}
