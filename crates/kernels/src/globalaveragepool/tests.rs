//! Means of channels.

use crate::tests::{ones, read, run, tensor};
use crate::{Attributes, find};
use values::dtype::DType::Float32;

#[test]
fn each_channel_has_a_mean() {
    let operator = find("GlobalAveragePool", 22).unwrap();
    let of = |tensor| run(operator, &[&tensor], &Attributes::new());
    let data = tensor(Float32, &[1, 2, 2, 2], &[1_f32, 2., 3., 6., -1., -2., -3., 4.]);
    assert_eq!(of(data), Ok(tensor(Float32, &[1, 2, 1, 1], &[3_f32, -0.5])));
    let empty: Vec<f32> = read(&of(ones(Float32, &[1, 2, 0])).unwrap());
    assert!(empty.iter().all(|mean| mean.is_nan()) && empty.len() == 2);
    assert_eq!(of(ones(Float32, &[0, 2, 3])), Ok(ones(Float32, &[0, 2, 1])));
    for shape in [&[][..], &[1], &[1, 1]] {
        assert!(of(ones(Float32, shape)).is_err());
    }
}
