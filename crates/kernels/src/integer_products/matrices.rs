//! Products of stacks of quantized matrices.

use bytemuck::Pod;

use super::{Factor, Operand, is_single};
use crate::elementwise::output;
use crate::matmul::Form;
use crate::reshaping::refused;
use crate::{Broadcast, Call, KernelError};
use values::dtype::DType;
use values::tensor::Tensor;

/// What a zero point or a scale that is not single has an element for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Row,
    Column,
}

impl Line {
    /// Whether a parameter is single, or has an element for each line of its operand.
    fn fits(self, operand: &[usize], parameter: &Tensor) -> bool {
        let shape = parameter.shape();
        match operand.split_last_chunk::<2>() {
            _ if is_single(parameter) => true,
            None => false,
            Some((stack, &[rows, columns])) => {
                let (count, last) = match self {
                    Self::Row => (rows, [rows, 1]),
                    Self::Column => (columns, [1, columns]),
                };
                let is_list = stack.is_empty() && shape == [count];
                is_list || shape.split_last_chunk::<2>() == Some((stack, &last))
            }
        }
    }
}

/// The products of matrices.
pub(in super::super) struct Product<'a> {
    form: Form<'a>,
    operands: [Operand<'a>; 2],
    /// How they are stacked, where there are any elements.
    stacks: Option<Broadcast>,
}

impl<'a> Product<'a> {
    /// That of two operands, which have these scales.
    pub(in super::super) fn of(
        call: &Call<'a>,
        operands: [Operand<'a>; 2],
        scales: [Option<&Tensor>; 2],
    ) -> Result<Self, KernelError> {
        let shapes = operands.map(|operand| operand.data.shape());
        for (at, line) in [Line::Row, Line::Column].into_iter().enumerate() {
            let mut parameters = operands[at].zero.into_iter().chain(scales[at]);
            if !parameters.all(|parameter| line.fits(shapes[at], parameter)) {
                return Err(refused(call, "there is not one zero point or scale for each line"));
            }
        }
        let mismatch = |error| call.operator.mismatch(&shapes, error);
        let form = Form::of(shapes).map_err(mismatch)?;
        let stacks = match form.shape.contains(&0) {
            true => None,
            // There are no more matrices than elements.
            false => Some(Broadcast::multidirectional(&form.stacks).map_err(mismatch)?),
        };
        Ok(Self { form, operands, stacks })
    }

    /// The dimensions of the output.
    pub(in super::super) fn shape(&self) -> &[usize] {
        &self.form.shape
    }

    /// The row of the first operand and the column of the second, counted through their stacks, of an element.
    pub(in super::super) fn lines(&self, index: usize) -> [usize; 2] {
        let &Form { rows, columns, .. } = &self.form;
        let matrix = index / (rows * columns);
        let of = |operand: usize| {
            let stacks = self.stacks.as_ref();
            stacks.and_then(|stacks| stacks.operand_index(operand, matrix)).unwrap_or_default()
        };
        [of(0) * rows + index / columns % rows, of(1) * columns + index % columns]
    }

    /// The sum of the products of each element.
    pub(in super::super) fn sums<T: Factor + Pod>(
        &self,
        dtype: DType,
    ) -> Result<Vec<T>, KernelError> {
        let mut sums = output::<T>(self.shape(), dtype)?;
        let &Form { inner, columns, .. } = &self.form;
        if sums.is_empty() || inner == 0 {
            return Ok(sums);
        }
        let [a, b] = self.operands;
        let left = a.centred::<T>(|at| at / inner);
        let right = b.centred::<T>(|at| at / (inner * columns) * columns + at % columns);
        for (at, sum) in sums.iter_mut().enumerate() {
            let [row, column] = self.lines(at);
            let row = left[row * inner..][..inner].iter();
            let column = right[column / columns * inner * columns + column % columns..]
                .iter()
                .step_by(columns);
            *sum = row.zip(column).fold(T::default(), |sum, (a, b)| sum.plus(*a, *b));
        }
        Ok(sums)
    }
}
