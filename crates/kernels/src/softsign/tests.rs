//! Softsign against twice the precision, and digits that mpmath computed.

use super::*;
use crate::function::checks;

#[test]
fn results_are_as_close_as_promised() {
    checks::check("Softsign", |x| Softsign.narrow(x), |x| Softsign.wide(x));
}

#[test]
fn special_values_are_those_of_the_formula() {
    let (infinity, nan) = (f64::INFINITY, f64::NAN);
    let pairs = [
        (0.0, 0.0),
        (-0.0, -0.0),
        (infinity, nan),
        (-infinity, nan),
        (nan, nan),
        (1.0, 0.5),
        (-3.0, -0.75),
    ];
    checks::check_special("Softsign", &pairs);
}
