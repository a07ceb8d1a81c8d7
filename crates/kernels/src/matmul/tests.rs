//! Products of matrices against sums written out, and every pairing of shapes against NumPy's rule.

use super::super::tests::{read, run, tensor};
use super::super::{Attributes, ErrorKind, find};
use super::*;

fn matmul(a: &Tensor, b: &Tensor) -> Result<Tensor, KernelError> {
    run(find("MatMul", 13).unwrap(), &[a, b], &Attributes::new())
}

fn numbers(shape: &[usize], seed: u32) -> Tensor {
    let values: Vec<u32> = (1..=shape.iter().product::<usize>() as u32)
        .map(|i| i.wrapping_mul(0x9e37_79b9) ^ seed)
        .collect();
    tensor(DType::Uint32, shape, &values)
}

/// The product of matrices modulo 2^32, one element after the other.
fn by_element(a: &[u32], b: &[u32], [rows, inner, columns]: [usize; 3]) -> Vec<u32> {
    let element = |i: usize, j: usize| {
        let products = (0..inner).map(|k| a[i * inner + k].wrapping_mul(b[k * columns + j]));
        products.fold(0, u32::wrapping_add)
    };
    (0..rows).flat_map(|i| (0..columns).map(move |j| element(i, j))).collect()
}

#[test]
fn matrices_on_both_sides_of_a_tile_have_the_product_that_is_written_out() {
    for rows in [0, 1, 2, 255, 257] {
        for inner in [0, 1, 3, 256, 300] {
            for columns in [0, 1, 31, 32, 33, 70] {
                let (a, b) = (numbers(&[rows, inner], 1), numbers(&[inner, columns], 2));
                let expected = by_element(&read(&a), &read(&b), [rows, inner, columns]);
                let product = matmul(&a, &b).unwrap();
                assert_eq!(product.shape(), [rows, columns]);
                assert_eq!(read::<u32>(&product), expected, "{rows} x {inner} x {columns}");
            }
        }
    }
}

#[test]
fn stacks_are_broadcast_and_single_dimensions_are_rows_and_columns() {
    /// The shapes of A, B and the product, and for each matrix of the product those of A and of B.
    type Case = [&'static [usize]; 5];
    let cases: [Case; 10] = [
        [&[3, 4], &[4, 2], &[3, 2], &[0], &[0]],
        [&[4], &[4], &[], &[0], &[0]],
        [&[4], &[4, 2], &[2], &[0], &[0]],
        [&[3, 4], &[4], &[3], &[0], &[0]],
        [&[2, 3, 4], &[4], &[2, 3], &[0, 1], &[0, 0]],
        [&[4], &[3, 4, 2], &[3, 2], &[0, 0, 0], &[0, 1, 2]],
        [&[2, 3, 4], &[2, 4, 2], &[2, 3, 2], &[0, 1], &[0, 1]],
        [&[2, 1, 3, 4], &[3, 4, 2], &[2, 3, 3, 2], &[0, 0, 0, 1, 1, 1], &[0, 1, 2, 0, 1, 2]],
        [&[1, 3, 4], &[4, 2], &[1, 3, 2], &[0], &[0]],
        [&[2, 3, 3, 4], &[1, 3, 4, 2], &[2, 3, 3, 2], &[0, 1, 2, 3, 4, 5], &[0, 1, 2, 0, 1, 2]],
    ];
    for [a_shape, b_shape, shape, a_matrices, b_matrices] in cases {
        let (a, b) = (numbers(a_shape, 1), numbers(b_shape, 2));
        let rows = if a_shape.len() == 1 { 1 } else { 3 };
        let columns = if b_shape.len() == 1 { 1 } else { 2 };
        let (a_values, b_values) = (read::<u32>(&a), read::<u32>(&b));
        let expected: Vec<u32> = a_matrices
            .iter()
            .zip(b_matrices)
            .flat_map(|(&a_at, &b_at)| {
                let a = &a_values[a_at * rows * 4..][..rows * 4];
                let b = &b_values[b_at * 4 * columns..][..4 * columns];
                by_element(a, b, [rows, 4, columns])
            })
            .collect();
        let product = matmul(&a, &b).unwrap();
        assert_eq!((product.shape(), read::<u32>(&product)), (shape, expected), "{a_shape:?}");
    }
}

#[test]
fn empty_dimensions_give_zeros_or_nothing() {
    let ones = |shape: &[usize]| {
        let elements = if shape.contains(&0) { 0 } else { shape.iter().product() };
        tensor(DType::Float32, shape, &vec![1_f32; elements])
    };
    for (a, b, shape) in [
        (&[2, 0][..], &[0, 3][..], &[2, 3][..]),
        (&[0], &[0], &[]),
        (&[0], &[0, 2], &[2]),
        (&[2, 0, 3], &[3, 4], &[2, 0, 4]),
        (&[0, 2, 3], &[3, 4], &[0, 2, 4]),
        (&[0, 2, 3], &[1, 3, 4], &[0, 2, 4]),
        (&[1 << 40, 1, 0, 3], &[1 << 40, 3, 0], &[1 << 40, 1 << 40, 0, 0]),
    ] {
        let elements = if shape.contains(&0) { 0 } else { shape.iter().product() };
        let product = matmul(&ones(a), &ones(b)).unwrap();
        assert_eq!(product.shape(), shape);
        assert_eq!(read::<f32>(&product), vec![0.0; elements]);
    }
}

#[test]
fn every_integer_type_is_computed_modulo_its_size() {
    macro_rules! check {
        ($($type:ty, $dtype:ident;)*) => {$(
            let values: Vec<$type> = (0..6).map(|i| <$type>::MAX / 3 * (i % 3) + i).collect();
            let (a, b) = (tensor(DType::$dtype, &[2, 3], &values), tensor(DType::$dtype, &[3, 2], &values));
            let exact = |i: usize, j: usize| (0..3).fold(0_i128, |sum, k| {
                let (a, b) = (i128::from(values[i * 3 + k]), i128::from(values[k * 2 + j]));
                sum.wrapping_add(a.wrapping_mul(b))
            }) as $type;
            assert_eq!(
                read::<$type>(&matmul(&a, &b).unwrap()),
                [exact(0, 0), exact(0, 1), exact(1, 0), exact(1, 1)]
            );
        )*};
    }
    check! { i32, Int32; i64, Int64; u32, Uint32; u64, Uint64; }
}

#[test]
fn floats_are_summed_from_the_first_product_to_the_last() {
    let mut seed = 1_u32;
    let mut next = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(seed) / f64::from(u32::MAX) - 0.5
    };
    let (rows, inner, columns) = (5, 700, 37);
    let a: Vec<f64> = (0..rows * inner).map(|_| next()).collect();
    let b: Vec<f64> = (0..inner * columns).map(|_| next()).collect();
    macro_rules! check {
        ($type:ty, $dtype:ident, $sum:ty, $from:expr) => {{
            let (a, b): (Vec<$type>, Vec<$type>) =
                (a.iter().map($from).collect(), b.iter().map($from).collect());
            let product = matmul(
                &tensor(DType::$dtype, &[rows, inner], &a),
                &tensor(DType::$dtype, &[inner, columns], &b),
            );
            let product = read::<$type>(&product.unwrap());
            for i in 0..rows {
                for j in 0..columns {
                    let mut sum: $sum = 0.0;
                    for k in 0..inner {
                        sum += <$sum>::from(a[i * inner + k]) * <$sum>::from(b[k * columns + j]);
                    }
                    let expected = $from(&sum.into());
                    assert_eq!(product[i * columns + j].to_bits(), expected.to_bits());
                }
            }
        }};
    }
    check!(f64, Float64, f64, |x: &f64| *x);
    check!(f32, Float32, f32, |x: &f64| *x as f32);
    check!(f16, Float16, f32, |x: &f64| f16::from_f32(*x as f32));
    check!(bf16, Bfloat16, f32, |x: &f64| bf16::from_f32(*x as f32));
}

#[test]
fn float16_sums_may_exceed_float16_on_the_way() {
    let a = tensor(DType::Float16, &[1, 3], &[f16::MAX; 3]);
    let one = [f16::ONE, f16::ONE, f16::NEG_ONE];
    let b = tensor(DType::Float16, &[3, 1], &one);
    assert_eq!(read::<f16>(&matmul(&a, &b).unwrap()), [f16::MAX]);
}

#[test]
fn infinities_and_nan_are_carried_along() {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    let a = tensor(DType::Float32, &[2, 2], &[inf, inf, nan, inf]);
    let b = tensor(DType::Float32, &[2, 2], &[1_f32, 2.0, 4.0, 5.0]);
    let product = read::<f32>(&matmul(&a, &b).unwrap());
    assert_eq!(product[..2], [inf, inf]);
    assert!(product[2].is_nan() && product[3].is_nan());
}

#[test]
fn shapes_without_a_product_are_refused() {
    for (a, b, reason) in [
        (&[][..], &[2][..], "a scalar is no matrix"),
        (&[2, 2], &[], "a scalar is no matrix"),
        (&[3], &[4], "the first's rows and the second's columns differ in length"),
        (&[2, 3], &[2, 3], "the first's rows and the second's columns differ in length"),
        (&[2, 0], &[1, 2], "the first's rows and the second's columns differ in length"),
        (
            &[2, 2, 3],
            &[3, 3, 2],
            "aligned at the last dimension, two sizes differ and neither is 1",
        ),
    ] {
        let error = matmul(&numbers(a, 1), &numbers(b, 2)).unwrap_err();
        let expected = format!("MatMul-13 cannot take shapes {a:?} and {b:?}: {reason}");
        assert_eq!((error.to_string(), error.kind()), (expected, ErrorKind::Invalid));
    }
}

#[test]
fn products_too_large_are_refused_before_anything_is_allocated() {
    let (tall, wide) = (numbers(&[1 << 15, 1], 1), numbers(&[1, 1 << 15], 2));
    let error = matmul(&tall, &wide).unwrap_err();
    assert!(matches!(error, KernelError::TooLarge { .. }), "{error}");
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    // Without any element in the operands the output may have more than can be counted.
    let empty = |shape: &[usize]| {
        Tensor::from_bits(DType::Float64, shape.to_vec(), bytes::Bytes::new()).unwrap()
    };
    let huge = matmul(&empty(&[1 << 40, 0]), &empty(&[0, 1 << 40])).unwrap_err();
    assert!(matches!(huge, KernelError::Tensor(_)), "{huge}");
}
