//! What products of quantized matrices and convolutions share: integers of 8 bits less their zero points, sums in
//! wrapping arithmetic of 32 bits, and their way back to 8 bits.

pub(super) mod convolution;
pub(super) mod matrices;

use super::operand::values;
use super::quantization::{encoded, packed, value};
use super::quantizelinear::saturated;
use super::reshaping::refused;
use super::{Call, KernelError};
use values::dtype::DType::{self, Int8, Uint8};
use values::dtype::Kind;
use values::tensor::Tensor;

/// The integer types of 8 bits.
pub(super) const BYTES: &[DType] = &[Int8, Uint8];

/// A number that products are made of: an integer that wraps, or a float.
pub(super) trait Factor: Copy + Default {
    /// The elements of a tensor.
    fn all(tensor: &Tensor) -> Vec<Self>;

    fn less(self, zero: Self) -> Self;

    /// This and a product.
    fn plus(self, a: Self, b: Self) -> Self;
}

impl Factor for i32 {
    fn all(tensor: &Tensor) -> Vec<Self> {
        match tensor.dtype() {
            Int8 => values::<i8>(tensor).iter().copied().map(Self::from).collect(),
            Uint8 => values::<u8>(tensor).iter().copied().map(Self::from).collect(),
            _ => values::<Self>(tensor).into_owned(),
        }
    }

    fn less(self, zero: Self) -> Self {
        self - zero
    }

    fn plus(self, a: Self, b: Self) -> Self {
        self.wrapping_add(a * b)
    }
}

impl Factor for f64 {
    fn all(tensor: &Tensor) -> Vec<Self> {
        (0..tensor.elements()).map(|at| value(tensor, at)).collect()
    }

    fn less(self, zero: Self) -> Self {
        self - zero
    }

    fn plus(self, a: Self, b: Self) -> Self {
        self + a * b
    }
}

/// Refuses two inputs of different types.
pub(super) fn alike(call: &Call<'_>, a: &Tensor, b: &Tensor) -> Result<(), KernelError> {
    let (operator, left, right) = (call.operator, a.dtype(), b.dtype());
    if left == right { Ok(()) } else { Err(KernelError::TypesDiffer { operator, left, right }) }
}

/// The input at a place, which has to be there.
pub(super) fn needed<'a>(call: &Call<'a>, at: usize) -> Result<&'a Tensor, KernelError> {
    let (operator, actual) = (call.operator, call.given.len());
    call.input(at).ok_or(KernelError::Arity { operator, expected: at + 1, actual })
}

/// Whether a tensor has one element for all.
pub(super) fn is_single(tensor: &Tensor) -> bool {
    matches!(tensor.shape(), [] | [1])
}

/// An operand and its zero point.
#[derive(Clone, Copy)]
pub(super) struct Operand<'a> {
    pub(super) data: &'a Tensor,
    pub(super) zero: Option<&'a Tensor>,
}

impl<'a> Operand<'a> {
    /// Inputs at these places, of one type.
    pub(super) fn of(call: &Call<'a>, data: usize, zero: usize) -> Result<Self, KernelError> {
        let (data, zero) = (needed(call, data)?, call.input(zero));
        if let Some(zero) = zero {
            alike(call, data, zero)?;
        }
        Ok(Self { data, zero })
    }

    /// The elements less their zero points, each of which belongs to the line that an element is in.
    fn centred<T: Factor>(&self, line: impl Fn(usize) -> usize) -> Vec<T> {
        let mut numbers = T::all(self.data);
        if let Some(zero) = self.zero {
            let zeros = T::all(zero);
            for (at, number) in numbers.iter_mut().enumerate() {
                let zero = if is_single(zero) { zeros[0] } else { zeros[line(at)] };
                *number = number.less(zero);
            }
        }
        numbers
    }
}

/// How sums become elements of a quantized output.
pub(super) struct Output<'a> {
    scales: [&'a Tensor; 3],
    zero: &'a Tensor,
}

impl<'a> Output<'a> {
    /// By the scales, and the zero point of the output, of a call with the inputs of QLinearMatMul and QLinearConv, as far
    /// as each pair of a scale and a zero point has one shape, and the output's are single.
    pub(super) fn of(call: &Call<'a>) -> Result<Self, KernelError> {
        let scales = [needed(call, 1)?, needed(call, 4)?, needed(call, 6)?];
        let zeros = [needed(call, 2)?, needed(call, 5)?, needed(call, 7)?];
        for (scale, zero) in scales.into_iter().zip(zeros) {
            alike(call, scales[0], scale)?;
            if scale.shape() != zero.shape() && !(is_single(scale) && is_single(zero)) {
                return Err(refused(call, "scale and zero point differ"));
            }
        }
        if !is_single(scales[2]) {
            return Err(refused(call, "the output has one scale and one zero point"));
        }
        Ok(Self { scales, zero: zeros[2] })
    }

    /// The tensor for sums, of which the lines of the operands are told.
    pub(super) fn quantized(
        &self,
        shape: &[usize],
        sums: &[f64],
        lines: impl Fn(usize) -> [usize; 2],
    ) -> Result<Vec<Tensor>, KernelError> {
        let dtype = self.zero.dtype();
        let zero = value(self.zero, 0);
        let element = |at: usize| {
            let [a, b, y] = self.scales;
            let [row, column] = lines(at);
            let scale = |tensor: &Tensor, line: usize| {
                value(tensor, if is_single(tensor) { 0 } else { line }) as f32
            };
            let factor = scale(a, row) * scale(b, column) / scale(y, 0);
            let scaled = sums[at] * f64::from(factor);
            match dtype.kind() {
                Kind::Int { signed, bits } => {
                    saturated(scaled.round_ties_even() + zero, signed, bits)
                }
                Kind::Float(format) => encoded(format, scaled + zero, true),
                Kind::Bool | Kind::Complex(_) | Kind::String => 0,
            }
        };
        Ok(vec![packed(dtype, shape, element)?])
    }
}
