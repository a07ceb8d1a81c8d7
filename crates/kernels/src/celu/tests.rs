//! Celu against twice the precision, digits that mpmath computed, and with every form of `alpha`.

use super::*;
use crate::function::checks;
use crate::tests::{read, run, tensor};
use crate::{Attribute, Attributes, find};
use values::dtype::DType::Float64;

#[test]
fn results_are_as_close_as_promised() {
    const CELU: Celu = Celu { alpha: 1.0 };
    checks::check("Celu", |x| CELU.narrow(x), |x| CELU.wide(x));
}

#[test]
fn special_values_are_those_of_the_limits() {
    let (infinity, nan) = (f64::INFINITY, f64::NAN);
    let pairs = [(0.0, 0.0), (infinity, infinity), (-infinity, -1.0), (-800.0, -1.0), (nan, nan)];
    checks::check_special("Celu", &pairs);
}

#[test]
fn negative_elements_are_divided_by_alpha_and_results_multiplied_by_it() {
    for alpha in [0.1_f32, 2.0, 1e30, 1e-30] {
        let attributes = Attributes::from([("alpha".to_owned(), Attribute::Float(alpha))]);
        let xs = [-1.0_f64, 2.0, -1e-25, -300.0];
        let x = tensor(Float64, &[4], &xs);
        let results: Vec<f64> = read(&run(find("Celu", 28).unwrap(), &[&x], &attributes).unwrap());
        let alpha = f64::from(alpha);
        for (x, result) in xs.into_iter().zip(results) {
            let expected = if x < 0.0 { alpha * libm::expm1(x / alpha) } else { x };
            assert!((result / expected - 1.0).abs() < 1e-15, "{alpha} {x}: {result}");
        }
    }
}
