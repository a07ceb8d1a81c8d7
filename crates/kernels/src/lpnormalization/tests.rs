//! Quotients by both norms.

use crate::tests::{read, run, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::{Float32, Float64};
use values::tensor::Tensor;

fn normalized(input: &Tensor, axis: i64, p: i64) -> Result<Tensor, KernelError> {
    let attributes =
        [("axis", axis), ("p", p)].map(|(name, value)| (name.to_owned(), Attribute::Int(value)));
    run(find("LpNormalization", 22).unwrap(), &[input], &Attributes::from(attributes))
}

#[test]
fn elements_are_divided_by_the_norm_of_their_line() {
    let input = tensor(Float32, &[2, 2], &[3_f32, -4.0, 0.0, -0.0]);
    let rows = normalized(&input, -1, 2).unwrap();
    assert_eq!(read::<f32>(&rows), [0.6, -0.8, 0.0, 0.0]);
    let sums = normalized(&tensor(Float32, &[1, 4], &[1_f32, -1.0, 2.0, -4.0]), 1, 1).unwrap();
    assert_eq!(read::<f32>(&sums), [0.125, -0.125, 0.25, -0.5]);
    let columns = normalized(&tensor(Float32, &[2, 2], &[3_f32, 5.0, 4.0, -12.0]), 0, 2).unwrap();
    assert_eq!(read::<f32>(&columns), [0.6, 5.0 / 13.0, 0.8, -12.0 / 13.0]);
}

#[test]
fn no_square_overflows_or_underflows() {
    let input = tensor(Float64, &[3, 2], &[3e300, 4e300, 3e-300, -4e-300, 3e-320, 4e-320]);
    let quotients = read::<f64>(&normalized(&input, 1, 2).unwrap());
    for (quotient, wanted) in quotients.iter().zip([0.6, 0.8, 0.6, -0.8, 0.6, 0.8]) {
        assert!((quotient - wanted).abs() < 1e-3, "{quotients:?}");
    }
}

#[test]
fn special_numbers_and_missing_dimensions() {
    let input = tensor(Float32, &[2, 2], &[f32::INFINITY, -1.0, f32::NAN, 1.0]);
    let quotients = read::<f32>(&normalized(&input, 1, 1).unwrap());
    assert!(quotients[0].is_nan() && quotients[1] == 0.0);
    assert!(quotients[2].is_nan() && quotients[3].is_nan());
    for axis in [2, -3, i64::MIN, i64::MAX] {
        assert_eq!(normalized(&input, axis, 1).unwrap_err().kind(), ErrorKind::Invalid);
    }
    assert!(normalized(&tensor::<f32>(Float32, &[3, 0], &[]), 0, 2).is_ok());
}
