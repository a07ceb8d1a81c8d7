//! MatMul computed wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Conversion, Indexing, SpecialValues,
};
use onnx_conformance::dtype::DType::{
    self, Float16, Float32, Float64, Int32, Int64, Uint32, Uint64,
};
use onnx_conformance::float::Class;
use onnx_conformance::tensor::Tensor;

use crate::defect::{Defect, Wrong};
use crate::kernels::{class, int, is_float, nearest, value};
use crate::request::{Request, changed};
use crate::types::FLOATS;

const MATMUL: &[&str] = &["MatMul"];

/// The outcome with each element computed from its pairs of factors.
fn dots(
    request: &Request<'_>,
    right: Outcome,
    dot: impl Fn(DType, &[(u64, u64)], u64) -> u64,
) -> Outcome {
    let [a, b] = request.operands.as_slice() else { return right };
    changed(right, |tensor| {
        let dtype = tensor.dtype();
        let width = dtype.bits().unwrap() as usize / 8;
        let element = |operand: &Tensor, at: usize| operand.element(at).unwrap() as u64;
        let mut bytes = Vec::with_capacity(tensor.elements() * width);
        for (k, (row, column)) in places(a.shape(), b.shape(), tensor.shape()).enumerate() {
            let pairs = row.zip(column).map(|(i, j)| (element(a, i), element(b, j)));
            let result = dot(dtype, &pairs.collect::<Vec<_>>(), element(&tensor, k));
            bytes.extend_from_slice(&result.to_le_bytes()[..width]);
        }
        Tensor::from_bits(dtype, tensor.shape().to_vec(), bytes.into()).unwrap()
    })
}

/// For each element of the product the places of its row in A and of its column in B.
fn places(
    a: &[usize],
    b: &[usize],
    output: &[usize],
) -> impl Iterator<Item = (impl Iterator<Item = usize>, impl Iterator<Item = usize>)> {
    let a = if a.len() == 1 { vec![1, a[0]] } else { a.to_vec() };
    let b_rows = if b.len() == 1 { vec![b[0], 1] } else { b.to_vec() };
    let (rows, inner) = (a[a.len() - 2], a[a.len() - 1]);
    let columns = b_rows[b_rows.len() - 1];
    let batches: Vec<usize> = (0..a.len().max(b_rows.len()) - 2)
        .rev()
        .map(|from_end| {
            let size = |shape: &[usize]| shape.iter().rev().nth(from_end + 2).copied().unwrap_or(1);
            if size(&a) == 1 { size(&b_rows) } else { size(&a) }
        })
        .collect();
    let elements: usize = output.iter().product();
    (0..elements).map(move |k| {
        let (batch, row, column) = (k / (rows * columns), k / columns % rows, k % columns);
        let first = at_batch(&a, &batches, batch) * rows * inner + row * inner;
        let other = at_batch(&b_rows, &batches, batch) * inner * columns + column;
        (first..first + inner, (0..inner).map(move |step| other + step * columns))
    })
}

/// Which of an operand's matrices a batch takes.
fn at_batch(shape: &[usize], batches: &[usize], batch: usize) -> usize {
    let own = &shape[..shape.len() - 2];
    let (mut rest, mut at, mut stride) = (batch, 0, 1);
    for (from_end, size) in batches.iter().rev().enumerate() {
        let index = rest % size;
        rest /= size;
        let own = own.iter().rev().nth(from_end).copied().unwrap_or(1);
        at += if own == 1 { 0 } else { index * stride };
        stride *= own;
    }
    at
}

/// The sum of products in binary64, each partial sum rounded to a type.
fn sum_in(accumulator: DType, dtype: DType, pairs: &[(u64, u64)]) -> f64 {
    pairs.iter().fold(0.0, |sum, &(a, b)| {
        value(accumulator, nearest(accumulator, sum + value(dtype, a) * value(dtype, b)))
    })
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "last-product-dropped",
        class: Indexing,
        says: "The last product of each sum is left out.",
        operators: MATMUL,
        types: &[Float32],
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            dots(request, right, |t, pairs, right| match t {
                Float32 => nearest(t, sum_in(Float64, t, &pairs[..pairs.len().max(1) - 1])),
                _ => right,
            })
        }),
    },
    Defect {
        id: "sums-of-float32-in-float16",
        class: Conversion,
        says: "Products of float32 are summed up in float16.",
        operators: MATMUL,
        types: &[Float32],
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            dots(request, right, |t, pairs, right| match t {
                Float32 => nearest(t, sum_in(Float16, t, pairs)),
                _ => right,
            })
        }),
    },
    Defect {
        id: "factors-of-float32-as-bfloat16",
        class: Conversion,
        says: "Factors of float32 are rounded to bfloat16 first, as the fast modes of matrix units do.",
        operators: MATMUL,
        types: &[Float32],
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            let narrow = |bits| {
                let dtype = DType::Bfloat16;
                nearest(Float32, value(dtype, nearest(dtype, value(Float32, bits))))
            };
            dots(request, right, |t, pairs, right| match t {
                Float32 => {
                    let pairs: Vec<_> =
                        pairs.iter().map(|&(a, b)| (narrow(a), narrow(b))).collect();
                    nearest(t, sum_in(Float64, t, &pairs))
                }
                _ => right,
            })
        }),
    },
    Defect {
        id: "zeros-skipped",
        class: SpecialValues,
        says: "Products with a zero in A are skipped, also those by an infinity or a NaN.",
        operators: MATMUL,
        types: FLOATS,
        caught_by: "sonnx onnx",
        wrong: Wrong::Tensors(|request, right| {
            dots(request, right, |t, pairs, right| {
                if !is_float(t) || class(t, right) != Class::Nan {
                    return right;
                }
                let is_kept = |pair: &&(u64, u64)| class(t, pair.0) != Class::Zero;
                let kept: Vec<_> = pairs.iter().filter(is_kept).copied().collect();
                nearest(t, sum_in(Float64, t, &kept))
            })
        }),
    },
    Defect {
        id: "integer-sums-saturate",
        class: Arithmetic,
        says: "Sums of products of integers stop at the ends of the type instead of wrapping.",
        operators: MATMUL,
        types: &[Int32, Int64, Uint32, Uint64],
        caught_by: "sonnx onnx",
        wrong: Wrong::Tensors(|request, right| {
            dots(request, right, |t, pairs, right| {
                if is_float(t) {
                    return right;
                }
                let sum = pairs.iter().map(|&(a, b)| int(t, a).saturating_mul(int(t, b)));
                let sum = sum.fold(0_i128, i128::saturating_add);
                let bits = t.bits().unwrap();
                let (low, high) = match matches!(t, Int32 | Int64) {
                    true => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
                    false => (0, (1_i128 << bits) - 1),
                };
                sum.clamp(low, high) as u64
            })
        }),
    },
    Defect {
        id: "first-matrix-for-all",
        class: Indexing,
        says: "Of a stack of matrices A the first is multiplied with all of B.",
        operators: MATMUL,
        types: &[Float32],
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            let [a, _] = request.operands.as_slice() else { return right };
            let matrix: usize = a.shape().iter().rev().take(2).product();
            match a.dtype() == Float32 && a.shape().len() > 2 && matrix > 0 {
                true => {
                    let places: Vec<usize> = (0..a.elements()).map(|k| k % matrix).collect();
                    let first = crate::request::picked(a, &places, a.shape());
                    let operands = vec![first, request.operands[1].clone()];
                    Request { operands, ..request.clone() }.computed()
                }
                false => right,
            }
        }),
    },
];
