//! Gates times elements, by their formula, and shapes that differ.

use crate::tests::{read, run, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::{Float16, Float32};
use values::tensor::Tensor;

fn swiglu(a: &Tensor, b: &Tensor, alpha: Option<f32>) -> Result<Tensor, KernelError> {
    let alpha = alpha.map(|alpha| ("alpha".to_owned(), Attribute::Float(alpha)));
    let attributes: Attributes = alpha.into_iter().collect();
    run(find("SwiGLU", 28).unwrap(), &[a, b], &attributes)
}

#[test]
fn gates_are_multiplied() {
    let a = tensor(Float32, &[5], &[1_f32, -2.0, 0.0, 100.0, f32::INFINITY]);
    let b = tensor(Float32, &[5], &[0.5_f32, 3.0, 1.0, -1.0, -2.0]);
    let by = |alpha: f64| {
        let of = |(a, b): (f32, f32)| {
            let (a, b) = (f64::from(a), f64::from(b));
            (a / (1.0 + (-alpha * a).exp()) * b) as f32
        };
        read::<f32>(&a).into_iter().zip(read::<f32>(&b)).map(of).collect::<Vec<_>>()
    };
    assert_eq!(read::<f32>(&swiglu(&a, &b, None).unwrap()), by(1.0));
    assert_eq!(read::<f32>(&swiglu(&a, &b, Some(0.5)).unwrap()), by(0.5));
    let halves = tensor(Float16, &[1], &[0x4900_u16]);
    // 10 10 / (1 + e^-10) is 99.9955: nearer to 100 than to 99.94.
    assert_eq!(read::<u16>(&swiglu(&halves, &halves, None).unwrap()), [0x5640]);
}

#[test]
fn other_shapes_are_refused() {
    let (a, b) = (tensor(Float32, &[2, 1], &[1_f32; 2]), tensor(Float32, &[2], &[1_f32; 2]));
    assert_eq!(swiglu(&a, &b, None).unwrap_err().kind(), ErrorKind::Invalid);
}
