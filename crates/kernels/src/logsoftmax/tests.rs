//! Logarithms of shares, of those too that no float32 holds.

use crate::tests::{FLOATS, FLOATS_WITH_BFLOAT16, Statement, read, run, tensor};
use crate::{Attribute, Attributes, find};
use values::dtype::DType::Float32;

#[test]
fn the_kernel_does_what_is_stated_here() {
    let axis = ("axis", Attribute::Int(0), Attribute::Ints(vec![0]));
    let attributes = std::slice::from_ref(&axis);
    Statement {
        name: "LogSoftmax",
        versions: &[
            (1, &FLOATS, attributes),
            (11, &FLOATS, attributes),
            (13, &FLOATS_WITH_BFLOAT16, attributes),
        ],
        sonnx: None,
        is_elementwise: false,
        keeps_ones: false,
    }
    .check();
}

#[test]
fn a_share_that_is_lost_has_its_logarithm() {
    let input = tensor(Float32, &[3, 2], &[0_f32, -500.0, 1e4, 1e4, 7.0, f32::NEG_INFINITY]);
    let output = run(find("LogSoftmax", 13).unwrap(), &[&input], &Attributes::new()).unwrap();
    let half = 0.5_f32.ln();
    assert_eq!(read::<f32>(&output), [0.0, -500.0, half, half, 0.0, f32::NEG_INFINITY]);
}
