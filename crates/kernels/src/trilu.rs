//! Trilu: the upper or the lower part of each matrix, and zeros elsewhere.

use super::Kernel;
use super::arg_extremum::switch;
use super::copies::{refused_list, zero};
use super::moving::Moving;
use super::reshaping::{integers, moving, refused};
use super::signature::{Domain, Input};
use values::dtype::DType;

pub(super) static TRILU: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Trilu",
    inputs: &[Input::new("input"), Input::of("k", DType::Int64).optional()],
    is_elementwise: false,
    slices: None,
    versions: &[moving(14, 16, &[switch("upper")])],
    restricted: &[],
    run: |call| {
        let Some(data) = call.input(0) else { return Err(refused_list(call)) };
        let &[.., rows, columns] = data.shape() else {
            return Err(refused(call, "there is no matrix"));
        };
        let diagonal = match call.input(1) {
            Some(k) if !k.shape().is_empty() => return Err(refused(call, "k is no scalar")),
            Some(k) => integers(k)[0],
            None => 0,
        };
        let is_upper = call.int("upper", 1) == 1;
        let zero = zero(data.dtype())?;
        let mut output = Moving::new(data.dtype(), data.shape().to_vec())?;
        for index in 0..output.elements {
            let (row, column) = ((index / columns % rows) as i64, (index % columns) as i64);
            let above = column - row;
            let is_kept = if is_upper { above >= diagonal } else { above <= diagonal };
            let (from, at) = if is_kept { (data, index) } else { (&zero, 0) };
            output.take(from, at, 1);
        }
        Ok(vec![output.done()?])
    },
};

#[cfg(test)]
mod tests;
