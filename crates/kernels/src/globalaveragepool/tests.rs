//! Means of channels.

use crate::tests::{FLOATS, FLOATS_WITH_BFLOAT16, Statement, Trial, ones, read, run, tensor};
use crate::{Attributes, find};
use values::dtype::DType::Float32;

#[test]
fn the_kernel_does_what_is_stated_here() {
    Statement {
        name: "GlobalAveragePool",
        versions: &[(1, &FLOATS, &[]), (22, &FLOATS_WITH_BFLOAT16, &[])],
        sonnx: None,
        is_elementwise: false,
        keeps_ones: true,
    }
    .check_by(&Trial {
        inputs: |_, dtype| vec![ones(dtype, &[1; 3])],
        shape: &[1; 3],
        ..Trial::PLAIN
    });
}

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
