//! ScatterND: the data, of which each update is for the part whose first coordinates are a row of the indices.
//!
//! `scattering.rs` has what becomes of an element. Source: ONNX's schemas of ScatterND-11, 13, 16 and 18.

use values::dtype::DType::Int64;
use values::tensor::row_major;

use crate::case_table::{self, Own};
use crate::families::picking::{integers, place};
use crate::families::scattering::{REDUCTIONS, Scatter, Scattering, Updated};
use crate::operator::{Call, Document, Invalid, Operator, OperatorKind, Port, Version};

/// ScatterND in ONNX's default domain.
pub static SCATTERND: Operator = Operator {
    documents: &[Document {
        key: "onnx-scatternd",
        catalogue: include_str!("scatternd/onnx-scatternd.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &SCATTERND, &[include_str!("scatternd/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("ScatterND", OperatorKind::Exact, &VERSIONS, &Scatter(scattered))
};

const VERSIONS: [Version; 4] = [
    const { ports(15) }.since(11, &[]),
    const { ports(16) }.since(13, &[]),
    const { ports(16) }.since(16, &[REDUCTIONS[0]]),
    const { ports(16) }.since(18, &[REDUCTIONS[1]]),
];

const fn ports(types: usize) -> Updated {
    Updated::new(types, Port::new("indices", &[Int64], "tensor(int64)"))
}

fn scattered(call: &Call) -> Result<Scattering<'_>, Invalid> {
    let (data, indices, updates) = (call.input(0)?, call.input(1)?, call.input(2)?);
    let sizes = data.shape();
    let ([_, ..], [outer @ .., depth]) = (sizes, indices.shape()) else {
        return Err(call.invalid("takes no scalar as data or as indices"));
    };
    let (first, rest) = sizes.split_at_checked(*depth).ok_or_else(|| {
        call.invalid(&format!("takes no rows of {depth} indices for data of {sizes:?}"))
    })?;
    if updates.shape() != [outer, rest].concat() {
        let (updates, of) = (updates.shape(), indices.shape());
        let told = format!("takes no updates of {updates:?} at {of:?} for data of {sizes:?}");
        return Err(call.invalid(&told));
    }
    // Only of data without elements may the sizes have too large a product.
    let length = if data.elements() == 0 { 0 } else { rest.iter().product() };
    let mut meetings = Vec::new();
    if *depth == 0 {
        let count = updates.elements().checked_div(length).unwrap_or(0);
        meetings.extend((0..count).map(|update| (0, update)));
    } else {
        let all: Vec<i64> = integers(indices).collect();
        for (update, row) in all.chunks(*depth).enumerate() {
            let places = row.iter().zip(first).map(|(&index, &size)| place(call, index, size));
            let places: Vec<usize> = places.collect::<Result<_, _>>()?;
            meetings.extend(row_major(&places, first).map(|part| (part, update)));
        }
    }
    Scattering::new(call, length, meetings)
}

#[cfg(test)]
mod tests;
