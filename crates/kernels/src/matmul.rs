//! MatMul: products of matrices, and of stacks of them, as NumPy's `matmul` pairs their dimensions.
//!
//! Each element is the sum, from the first product to the last, that begins with +0: in the
//! element's own type for float32 and float64, rounded after each operation; in float32, where the
//! products are exact (a bfloat16 one below float32's range aside), and rounded once at the end for float16 and bfloat16; modulo 2^n for the
//! integers of n bits.

use bytemuck::{Pod, Zeroable};
use half::{bf16, f16};

use super::broadcast::{Mismatch, broadcast_shape};
use super::elementwise::{output, tensor};
use super::narrow::{narrow_to_bfloat16, narrow_to_float16, widen_bfloat16, widen_float16};
use super::operand::values;
use super::signature::{Domain, Input, Restriction, SONNX_NUMBERS, Shapes, Version};
use super::simd::{SimdTask, dispatch};
use super::types::{FLOATS, LONG_NUMBERS, with_type, without_bfloat16};
use super::{Broadcast, Call, Kernel, KernelError};
use values::dtype::DType;
use values::tensor::Tensor;

pub(super) static MATMUL: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "MatMul",
    inputs: &[Input::new("A"), Input::new("B")],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::new(1, without_bfloat16(FLOATS)),
        Version::new(9, without_bfloat16(LONG_NUMBERS)),
        Version::new(13, LONG_NUMBERS),
    ],
    restricted: &[Restriction {
        types: &[without_bfloat16(LONG_NUMBERS); 2],
        shapes: Shapes::Rank(2),
        ..SONNX_NUMBERS
    }],
    run: |call| {
        let [a, b] = call.inputs()?;
        let shapes = [a.shape(), b.shape()];
        let form = Form::of(shapes).map_err(|error| call.operator.mismatch(&shapes, error))?;
        with_type!(long_numbers, a.dtype(), T => multiplied::<T>(call, &form, [a, b]),
            else Err(KernelError::Type { operator: call.operator, dtype: a.dtype() }))
    },
};

/// What shapes say: stacks of matrices of `rows` x `inner` and `inner` x `columns` elements.
pub(super) struct Form<'a> {
    pub(super) stacks: [&'a [usize]; 2],
    pub(super) rows: usize,
    pub(super) inner: usize,
    pub(super) columns: usize,
    /// The output's shape.
    pub(super) shape: Vec<usize>,
}

impl<'a> Form<'a> {
    /// NumPy's rule: a single dimension of A is a row, of B a column, and is none of the output's;
    /// the dimensions before the last two are broadcast.
    pub(super) fn of(shapes: [&'a [usize]; 2]) -> Result<Self, Mismatch> {
        let [a, b] = shapes;
        let scalar = Mismatch::Rule("a scalar is no matrix");
        let (a_stack, rows, inner) = match a {
            [] => return Err(scalar),
            [inner] => (&[][..], None, *inner),
            [stack @ .., rows, inner] => (stack, Some(*rows), *inner),
        };
        let (b_stack, other, columns) = match b {
            [] => return Err(scalar),
            [inner] => (&[][..], *inner, None),
            [stack @ .., inner, columns] => (stack, *inner, Some(*columns)),
        };
        if inner != other {
            return Err(Mismatch::Rule(
                "the first's rows and the second's columns differ in length",
            ));
        }
        let mut shape = broadcast_shape(&[a_stack, b_stack])?;
        shape.extend(rows.into_iter().chain(columns));
        let (rows, columns) = (rows.unwrap_or(1), columns.unwrap_or(1));
        Ok(Self { stacks: [a_stack, b_stack], rows, inner, columns, shape })
    }
}

fn multiplied<T: Accumulate + Send + Sync>(
    call: &Call<'_>,
    form: &Form<'_>,
    [a, b]: [&Tensor; 2],
) -> Result<Vec<Tensor>, KernelError> {
    let mut products = output::<T>(&form.shape, a.dtype())?;
    if !products.is_empty() {
        // There are no more matrices than elements.
        let stacks = Broadcast::multidirectional(&form.stacks)
            .map_err(|error| call.operator.mismatch(&form.stacks, error))?;
        let (a, b) = (values::<T>(a), values::<T>(b));
        let (a_len, b_len) = (form.rows * form.inner, form.inner * form.columns);
        let mut sums = vec![[T::Sum::zeroed(); WIDTH]; form.rows.min(HEIGHT)];
        let mut lines = vec![[T::Sum::zeroed(); WIDTH]; form.inner.min(DEPTH)];
        let matrices = products.chunks_mut(form.rows * form.columns).enumerate();
        for (matrix, products) in matrices {
            let at = |operand| stacks.operand_index(operand, matrix).unwrap_or_default();
            let (a_at, b_at) = (at(0) * a_len, at(1) * b_len);
            dispatch(Product {
                a: &a[a_at..a_at + a_len],
                b: &b[b_at..b_at + b_len],
                products,
                form,
                sums: &mut sums,
                lines: &mut lines,
            });
        }
    }
    tensor(a.dtype(), &form.shape, products)
}

/// Columns worked on together: their sums stay in registers.
const WIDTH: usize = 32;

/// Rows worked on together.
const HEIGHT: usize = 256;

/// Products added together: the lines of B that they need stay in the second-level cache.
const DEPTH: usize = 256;

/// The product of two matrices.
struct Product<'a, T: Accumulate> {
    a: &'a [T],
    b: &'a [T],
    products: &'a mut [T],
    form: &'a Form<'a>,
    /// For the sums of at most `HEIGHT` rows.
    sums: &'a mut [[T::Sum; WIDTH]],
    /// For the widened elements of at most `DEPTH` lines of B.
    lines: &'a mut [[T::Sum; WIDTH]],
}

impl<T: Accumulate> SimdTask for Product<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { a, b, products, sums, lines, .. } = self;
        let &Form { rows, inner, columns, .. } = self.form;
        for left in (0..columns).step_by(WIDTH) {
            let width = WIDTH.min(columns - left);
            for top in (0..rows).step_by(HEIGHT) {
                let sums = &mut sums[..HEIGHT.min(rows - top)];
                sums.fill([T::Sum::zeroed(); WIDTH]);
                for first in (0..inner).step_by(DEPTH) {
                    let lines = &mut lines[..DEPTH.min(inner - first)];
                    for (k, line) in (first..).zip(lines.iter_mut()) {
                        let elements = &b[k * columns + left..][..width];
                        for (to, element) in line.iter_mut().zip(elements) {
                            *to = element.widen();
                        }
                    }
                    for (i, sums) in (top..).zip(sums.iter_mut()) {
                        let row = &a[i * inner + first..][..lines.len()];
                        add_products(row, lines, sums);
                    }
                }
                for (i, sums) in (top..).zip(sums.iter()) {
                    let row = &mut products[i * columns + left..][..width];
                    for (product, sum) in row.iter_mut().zip(sums) {
                        *product = T::narrow(*sum);
                    }
                }
            }
        }
    }
}

/// Adds to each sum the products of a row's elements with those of its column.
#[inline(always)]
fn add_products<T: Accumulate>(row: &[T], lines: &[[T::Sum; WIDTH]], sums: &mut [T::Sum; WIDTH]) {
    let mut local = *sums;
    for (a, line) in row.iter().zip(lines) {
        let a = a.widen();
        for (sum, b) in local.iter_mut().zip(line) {
            *sum = T::add_product(*sum, a, *b);
        }
    }
    *sums = local;
}

/// An element type that products and sums are made of.
pub(super) trait Accumulate: Pod {
    /// What its products are added in.
    type Sum: Pod + Steps;

    /// The same number.
    fn widen(self) -> Self::Sum;

    /// `sum + a * b`.
    fn add_product(sum: Self::Sum, a: Self::Sum, b: Self::Sum) -> Self::Sum;

    /// The nearest element.
    fn narrow(sum: Self::Sum) -> Self;
}

/// A number that sums are made in: an integer that wraps, or a float.
pub(super) trait Steps: Copy {
    const ONE: Self;

    fn plus(self, other: Self) -> Self;

    fn times(self, other: Self) -> Self;

    /// Divided by a count: integers towards zero.
    fn over(self, count: usize) -> Self;

    /// Multiplied by a factor, which integers are only by as far as it is one.
    fn scaled(self, factor: f32) -> Self;
}

macro_rules! floats {
    ($($type:ty),*) => {$(
        impl Steps for $type {
            const ONE: Self = 1.0;

            fn plus(self, other: Self) -> Self {
                self + other
            }

            fn times(self, other: Self) -> Self {
                self * other
            }

            fn over(self, count: usize) -> Self {
                self / count as $type
            }

            fn scaled(self, factor: f32) -> Self {
                self * Self::from(factor)
            }
        }
    )*};
}

macro_rules! integers {
    ($($type:ty),*) => {$(
        impl Steps for $type {
            const ONE: Self = 1;

            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }

            fn over(self, count: usize) -> Self {
                self.checked_div(count as $type).unwrap_or_default()
            }

            fn scaled(self, factor: f32) -> Self {
                self.wrapping_mul(factor as i64 as $type)
            }
        }
    )*};
}

floats!(f32, f64);
integers!(i32, i64, u32, u64);

macro_rules! accumulate {
    ($($type:ty, $sum:ty: $widen:expr, |$s:ident, $a:ident, $b:ident| $next:expr, $narrow:expr;)*) => {$(
        impl Accumulate for $type {
            type Sum = $sum;

            #[inline(always)]
            fn widen(self) -> $sum {
                $widen(self)
            }

            #[inline(always)]
            fn add_product($s: $sum, $a: $sum, $b: $sum) -> $sum {
                $next
            }

            #[inline(always)]
            fn narrow(sum: $sum) -> Self {
                $narrow(sum)
            }
        }
    )*};
}

/// The type is wide enough for its sums.
#[inline(always)]
const fn same<T: Copy>(number: T) -> T {
    number
}

accumulate! {
    f64, f64: same, |sum, a, b| sum + a * b, same;
    f32, f32: same, |sum, a, b| sum + a * b, same;
    f16, f32: widen_float16, |sum, a, b| sum + a * b, narrow_to_float16;
    bf16, f32: widen_bfloat16, |sum, a, b| sum + a * b, narrow_to_bfloat16;
    i32, i32: same, |sum, a, b| sum.wrapping_add(a.wrapping_mul(b)), same;
    i64, i64: same, |sum, a, b| sum.wrapping_add(a.wrapping_mul(b)), same;
    u32, u32: same, |sum, a, b| sum.wrapping_add(a.wrapping_mul(b)), same;
    u64, u64: same, |sum, a, b| sum.wrapping_add(a.wrapping_mul(b)), same;
}

#[cfg(test)]
mod tests;
