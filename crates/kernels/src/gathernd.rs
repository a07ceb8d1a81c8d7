//! GatherND: for each row of indices the part of the data that it names, within the batch that the row is of.

use super::gather::entry;
use super::moving::Moving;
use super::reshaping::{integer, integers, moving, refused};
use super::signature::{AttributeSpec, Domain, Input};
use super::{Call, Kernel, KernelError};
use values::dtype::DType::Int64;
use values::tensor::Tensor;

pub(super) static GATHERND: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "GatherND",
    inputs: &[Input::new("data"), Input::of("indices", Int64)],
    is_elementwise: false,
    slices: None,
    versions: &[moving(11, 15, &[]), moving(12, 15, &[BATCH_DIMS]), moving(13, 16, &[BATCH_DIMS])],
    restricted: &[],
    run,
};

const BATCH_DIMS: AttributeSpec = integer("batch_dims");

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [data, indices] = call.inputs()?;
    let sizes = data.shape();
    let Some((&width, rows)) = indices.shape().split_last() else {
        return Err(refused(call, "indices have a dimension"));
    };
    let batch = usize::try_from(call.int("batch_dims", 0)).unwrap_or(usize::MAX);
    if batch > rows.len() || batch >= sizes.len() {
        return Err(refused(call, "there are fewer batch dimensions than any"));
    }
    if sizes[..batch] != rows[..batch] {
        return Err(refused(call, "data and indices have the same batches"));
    }
    if width == 0 || width > sizes.len() - batch {
        return Err(refused(call, "a row has an index at least, and at most one for a dimension"));
    }
    let (indexed, part) = sizes[batch..].split_at(width);
    let indices = integers(indices);
    for (index, &size) in indices.iter().zip(indexed.iter().cycle()) {
        entry(call, *index, size)?;
    }
    let mut output = Moving::new(data.dtype(), [rows, part].concat())?;
    if output.elements > 0 {
        let length: usize = part.iter().product();
        let of_batch: usize = rows[batch..].iter().product();
        for (at, row) in indices.chunks(width).enumerate() {
            let mut start = at / of_batch;
            for (&index, &size) in row.iter().zip(indexed) {
                start = start * size + entry(call, index, size)?;
            }
            output.take(data, start * length, length);
        }
    }
    Ok(vec![output.done()?])
}

#[cfg(test)]
mod tests;
