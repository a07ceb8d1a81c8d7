//! Det: determinants by elimination with the largest pivot of each column, in binary64, rounded once.

use super::elementwise::checked_len;
use super::quantization::{encoded, format_of, packed, value};
use super::reshaping::refused;
use super::signature::{Domain, Input, Version};
use super::types::{FLOATS, without_bfloat16};
use super::{Call, Kernel, KernelError};
use values::dtype::DType::Float64;
use values::tensor::Tensor;

pub(super) static DET: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Det",
    inputs: &[Input::new("X")],
    is_elementwise: false,
    slices: None,
    versions: &[Version::new(11, without_bfloat16(FLOATS)), Version::new(22, FLOATS)],
    restricted: &[],
    run,
};

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [x] = call.inputs()?;
    let format = format_of(call, x)?;
    let (shape, size) = match x.shape() {
        [shape @ .., rows, columns] if rows == columns => (shape, *rows),
        _ => return Err(refused(call, "there are square matrices")),
    };
    checked_len(&[size, size], Float64, size_of::<f64>())?;
    let count = size * size;
    let result = |at: usize| {
        let matrix = (at * count..(at + 1) * count).map(|place| value(x, place)).collect();
        encoded(format, determinant(matrix, size), false)
    };
    Ok(vec![packed(x.dtype(), shape, result)?])
}

/// The product of the pivots.
fn determinant(mut rows: Vec<f64>, size: usize) -> f64 {
    let mut product: Option<f64> = None;
    for column in 0..size {
        let at = |row: usize| row * size + column;
        // A NaN is no smaller than any.
        let mut pivot = column;
        for row in column + 1..size {
            let (own, largest) = (rows[at(row)].abs(), rows[at(pivot)].abs());
            if own > largest || own.is_nan() {
                pivot = row;
            }
        }
        if pivot != column {
            for place in 0..size {
                rows.swap(pivot * size + place, column * size + place);
            }
            product = Some(-product.unwrap_or(1.0));
        }
        let divisor = rows[at(column)];
        product = Some(product.map_or(divisor, |product| product * divisor));
        if divisor == 0.0 {
            continue;
        }
        for row in column + 1..size {
            let factor = rows[at(row)] / divisor;
            for place in column + 1..size {
                rows[row * size + place] -= factor * rows[column * size + place];
            }
        }
    }
    product.unwrap_or(1.0)
}

#[cfg(test)]
mod tests;
