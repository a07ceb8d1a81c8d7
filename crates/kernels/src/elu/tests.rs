//! Elu against twice the precision, digits that mpmath computed, and with every form of `alpha`.

use super::*;
use crate::function::checks;
use crate::tests::{read, run, tensor};
use crate::{Attribute, Attributes, find};
use values::dtype::DType::{Float32, Float64};
use values::tensor::Tensor;

#[test]
fn results_are_as_close_as_promised() {
    const ELU: Elu = Elu { alpha: 1.0 };
    checks::check("Elu", |x| ELU.narrow(x), |x| ELU.wide(x));
}

#[test]
fn special_values_are_those_of_the_limits() {
    let (infinity, nan) = (f64::INFINITY, f64::NAN);
    checks::check_special(
        "Elu",
        &[
            (0.0, 0.0),
            (-0.0, -0.0),
            (infinity, infinity),
            (-infinity, -1.0),
            (-800.0, -1.0),
            (2.0, 2.0),
            (nan, nan),
        ],
    );
}

#[test]
fn alpha_is_taken_as_it_is_for_negative_elements_alone() {
    let attributes = Attributes::from([("alpha".to_owned(), Attribute::Float(0.1))]);
    let run = |x: Tensor| run(find("Elu", 22).unwrap(), &[&x], &attributes).unwrap();
    let alpha = f64::from(0.1_f32);
    let results: Vec<f64> = read(&run(tensor(Float64, &[4], &[-1_f64, 2.0, -0.0, -1e-30])));
    let expected = [alpha * libm::expm1(-1.0), 2.0, -0.0, alpha * -1e-30];
    assert!(
        results.iter().zip(expected).all(|(a, b)| a.to_bits().abs_diff(b.to_bits()) <= 1),
        "{results:?}"
    );
    let results: Vec<f32> = read(&run(tensor(Float32, &[2], &[-1_f32, 2.0])));
    assert_eq!(results, [(alpha * libm::expm1(-1.0)) as f32, 2.0]);
}
