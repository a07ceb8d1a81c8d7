//! Selu against twice the precision, digits that mpmath computed, and with the defaults of every version.

use super::*;
use crate::function::checks;
use crate::tests::{read, run, tensor};
use crate::{Attributes, find};
use values::dtype::DType::Float32;

#[test]
fn results_are_as_close_as_promised() {
    const ALPHA: f64 = 1.673_263_192_176_818_8;
    const GAMMA: f64 = 1.050_701_022_148_132_3;
    assert_eq!(NEW.map(f64::from), [ALPHA, GAMMA]);
    const SELU: Selu = Selu { alpha: ALPHA, gamma: GAMMA };
    checks::check("Selu", |x| SELU.narrow(x), |x| SELU.wide(x));
}

#[test]
fn special_values_are_those_of_the_limits() {
    let (infinity, nan) = (f64::INFINITY, f64::NAN);
    let limit = -f64::from(1.673_263_2_f32) * f64::from(1.050_701_f32);
    checks::check_special(
        "Selu",
        &[(infinity, infinity), (-infinity, limit), (-800.0, limit), (nan, nan)],
    );
}

#[test]
fn version_1_has_other_defaults() {
    let x = tensor(Float32, &[2], &[-1_f32, 2.0]);
    for (version, alpha, gamma) in [(1, 1.6732_f32, 1.0507_f32), (6, 1.673_263_2, 1.050_701)] {
        let results: Vec<f32> =
            read(&run(find("Selu", version).unwrap(), &[&x], &Attributes::new()).unwrap());
        let negative = f64::from(alpha) * f64::from(gamma) * libm::expm1(-1.0);
        assert_eq!(results, [negative as f32, gamma * 2.0]);
    }
}
