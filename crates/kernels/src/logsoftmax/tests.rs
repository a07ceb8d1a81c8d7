//! Logarithms of shares, of those too that no float32 holds.

use crate::tests::{read, run, tensor};
use crate::{Attributes, find};
use values::dtype::DType::Float32;

#[test]
fn a_share_that_is_lost_has_its_logarithm() {
    let input = tensor(Float32, &[3, 2], &[0_f32, -500.0, 1e4, 1e4, 7.0, f32::NEG_INFINITY]);
    let output = run(find("LogSoftmax", 13).unwrap(), &[&input], &Attributes::new()).unwrap();
    let half = 0.5_f32.ln();
    assert_eq!(read::<f32>(&output), [0.0, -500.0, half, half, 0.0, f32::NEG_INFINITY]);
}
