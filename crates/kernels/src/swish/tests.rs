//! Swish against twice the precision, digits that mpmath computed, and with every form of `alpha`.

use super::*;
use crate::function::checks;
use crate::tests::{read, run, tensor};
use crate::{Attribute, Attributes, find};
use values::dtype::DType::{Float32, Float64};
use values::tensor::Tensor;

#[test]
fn results_are_as_close_as_promised() {
    const SWISH: Swish = Swish { alpha: 1.0 };
    checks::check("Swish", |x| SWISH.narrow(x), |x| SWISH.wide(x));
}

#[test]
fn special_values_are_those_of_the_limits() {
    checks::check_special(
        "Swish",
        &[
            (0.0, 0.0),
            (-0.0, -0.0),
            (f64::INFINITY, f64::INFINITY),
            (800.0, 800.0),
            (f64::NEG_INFINITY, f64::NAN),
            (f64::NAN, f64::NAN),
        ],
    );
}

#[test]
fn alpha_is_a_factor_in_the_power_alone() {
    let with = |alpha: f32, x: Tensor| {
        let attributes = Attributes::from([("alpha".to_owned(), Attribute::Float(alpha))]);
        run(find("Swish", 24).unwrap(), &[&x], &attributes).unwrap()
    };
    let xs = [1.5_f64, -2.0, 0.3];
    for alpha in [0.5_f32, -1.7, 0.0] {
        let expected = xs.map(|x| x / (1.0 + libm::exp(-f64::from(alpha) * x)));
        let wide: Vec<f64> = read(&with(alpha, tensor(Float64, &[3], &xs)));
        assert!(wide.iter().zip(expected).all(|(a, b)| (a / b - 1.0).abs() < 1e-15), "{wide:?}");
        let narrow: Vec<f32> = read(&with(alpha, tensor(Float32, &[3], &xs.map(|x| x as f32))));
        let is_near = |(a, b): (&f32, f64)| (f64::from(*a) / b - 1.0).abs() < 2e-7;
        assert!(narrow.iter().zip(expected).all(is_near), "{narrow:?}");
    }
    // A factor that brings a large operand near 1, whose power counts.
    let results: Vec<f64> = read(&with(1e-38, tensor(Float64, &[2], &[-8e40, 8e40])));
    let alpha = f64::from(1e-38_f32);
    let root = libm::exp(-alpha * 8e40 / 2.0);
    let near = -8e40 * root * root;
    assert!((results[0] / near - 1.0).abs() < 1e-11 && results[1] == 8e40, "{results:?} {near}");
}
