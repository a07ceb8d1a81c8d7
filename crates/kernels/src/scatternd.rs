//! ScatterND: each update goes to the part of the data whose first coordinates are a row of the indices.

use super::gather::entry;
use super::reshaping::{integers, moving, refused};
use super::scattering::{REDUCTION, SUM_OR_PRODUCT, scattered};
use super::signature::{Domain, Input};
use super::{Kernel, KernelError};
use values::dtype::DType::Int64;

pub(super) static SCATTERND: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "ScatterND",
    inputs: &[Input::new("data"), Input::of("indices", Int64), Input::new("updates")],
    is_elementwise: false,
    slices: None,
    versions: &[
        moving(11, 15, &[]),
        moving(13, 16, &[]),
        moving(16, 16, &[SUM_OR_PRODUCT]),
        moving(18, 16, &[REDUCTION]),
    ],
    restricted: &[],
    run: |call| {
        let [data, indices, updates] = call.inputs()?;
        let sizes = data.shape();
        let Some((&width, rows)) = indices.shape().split_last() else {
            return Err(refused(call, "indices have a dimension"));
        };
        if sizes.is_empty() || width > sizes.len() {
            return Err(refused(call, "there are more indices in a row than dimensions"));
        }
        if !updates.shape().iter().eq(rows.iter().chain(&sizes[width..])) {
            return Err(refused(call, "there is a row of indices for each update"));
        }
        let indices = integers(indices);
        for (index, &size) in indices.iter().zip(sizes[..width].iter().cycle()) {
            entry(call, *index, size)?;
        }
        if data.elements() == 0 {
            return Ok(vec![data.clone()]);
        }
        let length: usize = sizes[width..].iter().product();
        let part = |update: usize| {
            let mut part = 0;
            let row = indices.iter().skip(update * width).take(width);
            for (&index, &size) in row.zip(sizes) {
                part = part * size + entry(call, index, size)?;
            }
            Ok::<usize, KernelError>(part)
        };
        let targets: Vec<usize> =
            (0..updates.elements() / length).map(part).collect::<Result<_, _>>()?;
        scattered(call, length, &targets)
    },
};

#[cfg(test)]
mod tests;
