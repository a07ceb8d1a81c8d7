//! GatherND: for each row of indices the part of the data whose first coordinates, after those of the batch, the
//! row is.
//!
//! Source: ONNX's schemas of GatherND-11, 12 and 13.

use values::dtype::DType::Int64;
use values::element::Element;
use values::tensor::{coordinates, row_major};

use crate::case_table::{self, Own};
use crate::families::picking::{Picking, Source, integers, place};
use crate::families::reshaping::moved;
use crate::operator::{
    Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise, Port,
    TensorType, Version,
};

/// GatherND in ONNX's default domain.
pub static GATHERND: Operator = Operator {
    documents: &[Document {
        key: "onnx-gathernd",
        catalogue: include_str!("gathernd/onnx-gathernd.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &GATHERND, &[include_str!("gathernd/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("GatherND", OperatorKind::Exact, &VERSIONS, &Picking(gathered))
};

const VERSIONS: [Version; 3] = [
    Version { since: 11, inputs: &EARLY_INPUTS, outputs: &EARLY_OUTPUT, attributes: &[] },
    Version { since: 12, inputs: &EARLY_INPUTS, outputs: &EARLY_OUTPUT, attributes: &[BATCH_DIMS] },
    Version { since: 13, inputs: &INPUTS, outputs: &OUTPUT, attributes: &[BATCH_DIMS] },
];

const EARLY_INPUTS: [Port; 2] = [Port::new("data", moved(15), "T"), INDICES];
const EARLY_OUTPUT: [Port; 1] = [Port::new("output", moved(15), "T")];
const INPUTS: [Port; 2] = [Port::new("data", moved(16), "T"), INDICES];
const OUTPUT: [Port; 1] = [Port::new("output", moved(16), "T")];
const INDICES: Port = Port::new("indices", &[Int64], "tensor(int64)");
const BATCH_DIMS: Attribute =
    Attribute::new("batch_dims", AttributeType::Int).otherwise(Otherwise::Int(0));

fn gathered(call: &Call) -> Result<(TensorType, Source<'_>), Invalid> {
    let (data, indices) = (call.input(0)?, call.input(1)?);
    let sizes = data.shape();
    let ([_, ..], [outer @ .., width]) = (sizes, indices.shape()) else {
        return Err(call.invalid("takes no scalar as data or as indices"));
    };
    let batch = usize::try_from(call.int("batch_dims").unwrap_or(0)).ok();
    let batches = batch.and_then(|batch| Some((outer.get(..batch)?, sizes.get(..batch)?)));
    let (Some(batch), Some((of_indices, of_data))) = (batch, batches) else {
        return Err(call.invalid("takes fewer batch dimensions than data and indices have any"));
    };
    let rest = sizes.get(batch..).unwrap_or_default();
    let parts = rest.split_at_checked(*width).filter(|(first, _)| !first.is_empty());
    let Some((first, part)) = parts.filter(|_| of_indices == of_data) else {
        let of = indices.shape();
        let told = format!("takes no indices of {of:?} for data of {sizes:?} in {batch} batches");
        return Err(call.invalid(&told));
    };
    let mut places = Vec::with_capacity(indices.elements());
    for (index, size) in integers(indices).zip(first.iter().cycle()) {
        places.push(place(call, index, *size)?);
    }
    let output = TensorType::new(data.dtype(), [outer, part].concat())?;
    let shape = output.shape.clone();
    let source = move |index: usize| {
        let at = coordinates(index, &shape);
        let (row, within) = at.split_at_checked(outer.len())?;
        let start = row_major(row, outer)?.checked_mul(*width)?;
        let places = places.get(start..)?.get(..*width)?;
        let from = [row.get(..batch)?, places, within].concat();
        Element::of(data, row_major(&from, data.shape())?)
    };
    Ok((output, Box::new(source)))
}

#[cfg(test)]
mod tests;
