//! Determinants of batches of matrices, and what is no square matrix.

use crate::tests::{read, run, tensor};
use crate::{Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::{Float16, Float32};
use values::tensor::Tensor;

fn det(x: &Tensor) -> Result<Tensor, KernelError> {
    run(find("Det", 22).unwrap(), &[x], &Attributes::new())
}

#[test]
fn rows_are_exchanged_for_the_largest_pivot() {
    let matrices = [0_f32, 1.0, 2.0, 3.0, 1.0, 3.0, 3.0, 1.0];
    let both = det(&tensor(Float32, &[2, 2, 2], &matrices)).unwrap();
    assert_eq!((both.shape(), read::<f32>(&both)), (&[2][..], vec![-2.0, -8.0]));
    let three = tensor(Float32, &[3, 3], &[2_f32, 0.0, 1.0, 1.0, 3.0, 2.0, 1.0, 1.0, 4.0]);
    assert_eq!(read::<f32>(&det(&three).unwrap()), [18.0]);
    let singular = tensor(Float32, &[2, 2], &[0_f32, 0.0, 5.0, 3.0]);
    assert_eq!(read::<f32>(&det(&singular).unwrap()), [0.0]);
    // 1 by 1 keeps the sign of a zero.
    let zero = tensor(Float32, &[1, 1], &[-0.0_f32]);
    assert_eq!(read::<f32>(&det(&zero).unwrap())[0].to_bits(), 1 << 31);
    let half = tensor(Float16, &[2, 2], &[0x3c00_u16, 0x4000, 0x4200, 0x4400]);
    assert_eq!(read::<u16>(&det(&half).unwrap()), [0xc000]);
    let none = det(&tensor::<f32>(Float32, &[2, 0, 0], &[])).unwrap();
    assert_eq!(read::<f32>(&none), [1.0, 1.0]);
    let nan = tensor(Float32, &[2, 2], &[1_f32, f32::NAN, 2.0, 3.0]);
    assert!(read::<f32>(&det(&nan).unwrap())[0].is_nan());
}

#[test]
fn other_shapes_are_refused() {
    for shape in [&[][..], &[1], &[2, 3], &[2, 2, 1]] {
        let x = tensor(Float32, shape, &vec![1_f32; shape.iter().product()]);
        assert_eq!(det(&x).unwrap_err().kind(), ErrorKind::Invalid, "{shape:?}");
    }
}
