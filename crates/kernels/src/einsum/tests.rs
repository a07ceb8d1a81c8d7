//! Products, sums and diagonals by their equations, and what is none.

use crate::tests::{read, run, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::{Float16, Float32, Int8, Int32};
use values::tensor::Tensor;

fn einsum(equation: &str, inputs: &[&Tensor]) -> Result<Tensor, KernelError> {
    let attributes: Attributes =
        [("equation".to_owned(), Attribute::Text(equation.to_owned()))].into();
    run(find("Einsum", 28).unwrap(), inputs, &attributes)
}

fn counting(shape: &[usize]) -> Tensor {
    let values: Vec<i32> = (1..=shape.iter().product::<usize>() as i32).collect();
    tensor(Int32, shape, &values)
}

#[test]
fn indices_that_the_output_lacks_are_summed_over() {
    let (square, row, three) = (counting(&[2, 2]), counting(&[2]), counting(&[3, 3]));
    let of = |equation, inputs: &[&Tensor]| read::<i32>(&einsum(equation, inputs).unwrap());
    assert_eq!(of("ij,jk->ik", &[&square, &square]), [7, 10, 15, 22]);
    assert_eq!(of(" ij, kj", &[&square, &square]), [5, 11, 11, 25]);
    assert_eq!(of("ba", &[&square]), [1, 3, 2, 4]);
    assert_eq!(of("aB", &[&square]), [1, 3, 2, 4]);
    assert_eq!(of("ii", &[&three]), [15]);
    assert_eq!(of("...ii->...i", &[&three]), [1, 5, 9]);
    assert_eq!(of("i,j->", &[&row, &row]), [9]);
    assert_eq!(of("i...,...,->...i", &[&square, &row, &counting(&[])]), [1, 3, 4, 8]);
    let empty = einsum("ij,jk", &[&counting(&[2, 0]), &counting(&[0, 1])]).unwrap();
    assert_eq!((empty.shape(), read::<i32>(&empty)), (&[2, 1][..], vec![0, 0]));
    let bytes = tensor(Int8, &[2], &[100_i8, -100]);
    assert_eq!(read::<i8>(&einsum("i,i->i", &[&bytes, &bytes]).unwrap()), [16, 16]);
    assert_eq!(read::<i8>(&einsum("i->", &[&tensor(Int8, &[2], &[100_i8; 2])]).unwrap()), [-56]);
}

#[test]
fn floats_without_a_sum_are_products_and_halves_are_rounded_once() {
    let zeros = tensor(Float32, &[2], &[-0.0_f32, 2.0]);
    let same = read::<f32>(&einsum("i->i", &[&zeros]).unwrap());
    assert_eq!(same[0].to_bits(), 1 << 31);
    // 2048 + 1 + 1 is 2050, and 2048 in steps of float16.
    let half = tensor(Float16, &[3], &[0x6800_u16, 0x3c00, 0x3c00]);
    assert_eq!(read::<u16>(&einsum("i->", &[&half]).unwrap()), [0x6801]);
}

#[test]
fn what_is_no_equation_of_the_operands_is_refused() {
    let (square, row) = (counting(&[2, 2]), counting(&[3]));
    for (equation, inputs) in [
        ("i", &[&square][..]),
        ("ijk", &[&square]),
        ("i,j", &[&row]),
        ("i", &[&row, &row]),
        ("ij,j", &[&square, &row]),
        ("i->j", &[&row]),
        ("i->ii", &[&row]),
        ("i1", &[&square]),
        ("..i", &[&row]),
        ("i....", &[&row]),
        ("...i...", &[&row]),
        ("i->i->i", &[&row]),
        ("...,...", &[&square, &row]),
    ] {
        let error = einsum(equation, inputs).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{equation}");
    }
    let missing = run(find("Einsum", 12).unwrap(), &[&row], &Attributes::new());
    assert_eq!(missing.unwrap_err().kind(), ErrorKind::Invalid);
}
