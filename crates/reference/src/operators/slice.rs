//! Slice: of some dimensions the places from a start on, by a step, before an end.
//!
//! A start and an end below 0 count from the end, and what lies beyond a dimension is clamped to it. ONNX does not
//! say what a dimension gives that is listed twice, what a negative entry of `axes` is before version 11, and
//! what dimensions shorter lists are of where there are no `axes`, but in version 1. Version 13 takes the first
//! element of a dimension where a negative step begins before it; NumPy, to which the versions before refer,
//! takes none. SONNX asks for outputs with elements, and for starts that may equal ends. Sources: ONNX's schemas
//! of Slice-1, 10, 11 and 13; SONNX's Slice.

mod restriction;

use values::dtype::DType;
use values::element::Element;
use values::tensor::{coordinates, row_major};

use crate::case_table::{self, Own};
use crate::families::picked_or_open::{Picked, PickedOrOpen, single};
use crate::families::picking::INDICES;
use crate::families::reshaping::{Lists, dimension, list, moved};
use crate::operator::{
    Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise, Port,
    TensorType, Version,
};

/// Slice in ONNX's default domain.
pub static SLICE: Operator = Operator {
    documents: &[
        Document { key: "sonnx-slice", catalogue: include_str!("slice/sonnx-slice.toml") },
        Document { key: "onnx-slice", catalogue: include_str!("slice/onnx-slice.toml") },
    ],
    cases: Some(|of| case_table::cases(of, &SLICE, &[include_str!("slice/cases.toml")], Own::NONE)),
    readings: Some(include_str!("slice/readings.toml")),
    ..Operator::onnx("Slice", OperatorKind::Exact, &VERSIONS, &PickedOrOpen(slice))
};

const VERSIONS: [Version; 4] = [
    const { Lists::none("data", "output", moved(15)) }.since(1, &[ENDS, STARTS, AXES]),
    Version { since: 10, inputs: &EARLY_INPUTS, outputs: &EARLY_OUTPUT, attributes: &[] },
    Version { since: 11, inputs: &EARLY_INPUTS, outputs: &EARLY_OUTPUT, attributes: &[] },
    Version { since: 13, inputs: &INPUTS, outputs: &OUTPUT, attributes: &[] },
];

const ENDS: Attribute = Attribute::new("ends", AttributeType::Ints).otherwise(Otherwise::Invalid);
const STARTS: Attribute =
    Attribute::new("starts", AttributeType::Ints).otherwise(Otherwise::Invalid);
const AXES: Attribute = Attribute::new("axes", AttributeType::Ints);

const EARLY_INPUTS: [Port; 5] = ports(15);
const EARLY_OUTPUT: [Port; 1] = [Port::new("output", moved(15), "T")];
const INPUTS: [Port; 5] = ports(16);
const OUTPUT: [Port; 1] = [Port::new("output", moved(16), "T")];

const fn ports(types: usize) -> [Port; 5] {
    [
        Port::new("data", moved(types), "T"),
        Port::new("starts", INDICES, "Tind"),
        Port::new("ends", INDICES, "Tind"),
        Port::new("axes", INDICES, "Tind").optional(),
        Port::new("steps", INDICES, "Tind").optional(),
    ]
}

const REPEATED: &str = "what a dimension that is listed twice gives is undefined";
const NEGATIVE_AXIS: &str = "this version does not say what a negative dimension is";
const FEWER: &str = "it is not stated what dimensions lists are of that are shorter than the shape";
const BEFORE_THE_FIRST: &str =
    "this version does not say what a step backward from before the first element gives";
const EMPTY: &str = "the document both allows and excludes that a start equals its end";

/// What is taken of one dimension.
struct Entry {
    axis: usize,
    start: i64,
    end: i64,
    step: i64,
}

/// The places that are taken of a dimension: the first one and so many after each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Places {
    first: i128,
    step: i128,
    count: usize,
}

impl Entry {
    /// What a start or an end stands for in a dimension of this size, before it is clamped.
    fn from_end(index: i64, size: usize) -> i128 {
        i128::from(index) + if index < 0 { size as i128 } else { 0 }
    }

    fn places(&self, size: usize) -> Places {
        let [start, end] = [self.start, self.end].map(|index| Self::from_end(index, size));
        let (size, step) = (size as i128, i128::from(self.step));
        let (first, way) = if step > 0 {
            let first = start.clamp(0, size);
            (first, end.clamp(0, size) - first)
        } else {
            // In an empty dimension the last place lies before the first.
            let first = start.max(0).min(size - 1);
            (first, first - end.clamp(-1, size - 1))
        };
        let length = step.abs().max(1);
        let count = usize::try_from((way + length - 1) / length).unwrap_or(0);
        Places { first, step, count: if way > 0 { count } else { 0 } }
    }
}

/// The entries of a call in the order of its lists, and why nothing says what they give, if so.
fn entries(call: &Call) -> Result<(Vec<Entry>, Option<&'static str>), Invalid> {
    let (data, since) = (call.input(0)?, call.version.since);
    let rank = data.shape().len();
    let needed = |name| list(call, name)?.ok_or_else(|| call.invalid(&format!("needs `{name}`")));
    let (starts, ends) = (needed("starts")?, needed("ends")?);
    let axes = list(call, "axes")?;
    let steps = list(call, "steps")?.unwrap_or_else(|| vec![1; starts.len()]);
    let mut open = None;
    if axes.is_none() && starts.len() < rank && since >= 10 {
        open = Some(FEWER);
    }
    let axes = axes.unwrap_or_else(|| (0..).take(starts.len()).collect());
    if [&ends, &axes, &steps].into_iter().any(|list| list.len() != starts.len()) {
        return Err(call.invalid("takes lists of as many entries"));
    }
    if steps.contains(&0) {
        return Err(call.invalid("takes no step of 0"));
    }
    let mut is_listed = vec![false; rank];
    let mut entries = Vec::new();
    for (((&start, &end), &axis), &step) in starts.iter().zip(&ends).zip(&axes).zip(&steps) {
        if axis < 0 && since < 11 {
            open = open.or(Some(NEGATIVE_AXIS));
        }
        let axis = dimension(call, 1, axis, rank)?;
        if std::mem::replace(&mut is_listed[axis], true) {
            open = open.or(Some(REPEATED));
        }
        entries.push(Entry { axis, start, end, step });
    }
    Ok((entries, open))
}

fn slice(call: &Call) -> Result<Picked<'_>, Invalid> {
    let data = call.input(0)?;
    let (entries, mut open) = entries(call)?;
    let sizes = data.shape();
    if call.specification.is_restricted() {
        open = restriction::check(call, &entries, open)?;
    }
    let whole = |&size| Places { first: 0, step: 1, count: size };
    let mut places: Vec<Places> = sizes.iter().map(whole).collect();
    for entry in &entries {
        let size = sizes[entry.axis];
        let taken = entry.places(size);
        let is_before = entry.step < 0 && Entry::from_end(entry.start, size) < 0;
        if call.version.since < 13 && is_before && taken.count > 0 {
            open = open.or(Some(BEFORE_THE_FIRST));
        }
        places[entry.axis] = taken;
    }
    if let Some(reason) = open {
        return Ok(Picked::Open(single(call)?, reason));
    }
    let shape: Vec<usize> = places.iter().map(|places| places.count).collect();
    let output = TensorType::new(data.dtype(), shape.clone())?;
    let source = move |index| {
        let at = coordinates(index, &shape);
        let place = |(places, at): (&Places, usize)| {
            usize::try_from(places.first + places.step * at as i128).ok()
        };
        let from: Option<Vec<usize>> = places.iter().zip(at).map(place).collect();
        Element::of(data, row_major(&from?, data.shape())?)
    };
    Ok(Picked::From(output, Box::new(source)))
}

/// The types of SONNX's document beside the numbers that every one of them names.
const SONNX_OTHERS: &[DType] = &[DType::Bfloat16, DType::Bool, DType::String];

#[cfg(test)]
mod tests;
