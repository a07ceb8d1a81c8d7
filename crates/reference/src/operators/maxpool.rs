//! MaxPool: the largest element of each window, and where it is.
//!
//! `pooling.rs` has the windows and what is the largest. Of several places where it is found ONNX names none, and any
//! conforms; SONNX takes the first. With `storage_order` 1 the indices count the dimensions in the opposite order:
//! all of them by the text, the spatial ones by implementations, so that either conforms.
//! Sources: ONNX's schemas of MaxPool-1, 8, 10, 11, 12 and 22; SONNX's MaxPool.

use values::dtype::DType::{self, Bfloat16, Float16, Float32, Float64, Int8, Int64, Uint8};
use values::tensor::{Tensor, coordinates};

use crate::case_table::{self, Own};
use crate::exact::Conforming;
use crate::families::along::{Extremes, Places, any_place, flag, order_at};
use crate::families::pooling::{Largest, OUTSIDE, Windows, is_disputed};
use crate::operator::{
    Allowed, Attribute, AttributeType, AttributeValue, Call, Document, Invalid, Operator,
    OperatorKind, Otherwise, Port, Reference, TensorType, Version,
};
use crate::signature::IEEE_FLOATS;

/// MaxPool in ONNX's default domain.
pub static MAXPOOL: Operator = Operator {
    documents: &[
        Document { key: "sonnx-maxpool", catalogue: include_str!("maxpool/sonnx-maxpool.toml") },
        Document { key: "onnx-maxpool", catalogue: include_str!("maxpool/onnx-maxpool.toml") },
    ],
    cases: Some(|of| {
        let tables = [include_str!("maxpool/cases.toml"), include_str!("maxpool/sonnx_cases.toml")];
        case_table::cases(of, &MAXPOOL, &tables, Own::NONE)
    }),
    readings: Some(include_str!("maxpool/readings.toml")),
    ..Operator::onnx("MaxPool", OperatorKind::Exact, &VERSIONS, &MaxPool)
};

const VERSIONS: [Version; 6] = [
    const { Pooled::new(IEEE_FLOATS) }.since(1, 1, ATTRIBUTES.split_at(3).1),
    const { Pooled::new(IEEE_FLOATS) }.since(8, 2, ATTRIBUTES.split_at(2).1),
    const { Pooled::new(IEEE_FLOATS) }.since(10, 2, &ATTRIBUTES),
    const { Pooled::new(IEEE_FLOATS) }.since(11, 2, &ATTRIBUTES),
    const { Pooled::new(TYPES_SONNX) }.since(12, 2, &ATTRIBUTES),
    const { Pooled::new(&TYPES) }.since(22, 2, &ATTRIBUTES),
];

const TYPES: [DType; 6] = [Bfloat16, Float16, Float32, Float64, Int8, Uint8];
/// Those of version 12, which SONNX's document names as well.
const TYPES_SONNX: &[DType] = TYPES.split_at(1).1;

/// The ports of a version.
struct Pooled {
    input: [Port; 1],
    outputs: [Port; 2],
}

impl Pooled {
    const fn new(types: &'static [DType]) -> Self {
        let indices = Port::new("Indices", &[Int64], "I").optional();
        Self { input: [Port::new("X", types, "T")], outputs: [Port::new("Y", types, "T"), indices] }
    }

    /// The version with the first so many outputs.
    const fn since(
        &'static self,
        since: i64,
        outputs: usize,
        attributes: &'static [Attribute],
    ) -> Version {
        let outputs = self.outputs.split_at(outputs).0;
        Version { since, inputs: &self.input, outputs, attributes }
    }
}

const ATTRIBUTES: [Attribute; 7] = [
    Attribute::new("dilations", AttributeType::Ints),
    Attribute::new("ceil_mode", AttributeType::Int).otherwise(Otherwise::Int(0)),
    Attribute::new("storage_order", AttributeType::Int).otherwise(Otherwise::Int(0)),
    Attribute::new("pads", AttributeType::Ints),
    Attribute::new("auto_pad", AttributeType::Text(AUTO_PAD)).otherwise(Otherwise::Text("NOTSET")),
    Attribute::new("strides", AttributeType::Ints),
    Attribute::new("kernel_shape", AttributeType::Ints).otherwise(Otherwise::Invalid),
];

/// The values of `auto_pad`.
pub(super) const AUTO_PAD: &[&str] = &["NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"];

/// The windows of a call.
pub(crate) fn windows(call: &Call) -> Result<Windows, Invalid> {
    let (is_ceil, is_column_major) = (flag(call, "ceil_mode")?, flag(call, "storage_order")?);
    let windows = Windows::of(call, is_ceil)?;
    if call.specification.is_restricted() {
        call.restrict_types(TYPES_SONNX)?;
        let is_missing = |attribute: &&Attribute| !call.attributes.contains_key(attribute.name);
        if let Some(missing) = call.version.attributes.iter().find(is_missing) {
            return Err(call.invalid(&format!("of SONNX needs `{}`", missing.name)));
        }
        if windows.shape.len() != 4 {
            return Err(call.invalid("of SONNX takes two spatial dimensions"));
        }
        let auto_pad = call.attributes.get("auto_pad");
        if auto_pad != Some(&AttributeValue::Text("NOTSET".to_owned())) {
            return Err(call.invalid("of SONNX takes no `auto_pad` but NOTSET"));
        }
        if is_ceil || is_column_major {
            return Err(call.invalid("of SONNX takes no `ceil_mode` and no `storage_order` but 0"));
        }
        if !windows.are_longer_than_padding() {
            return Err(call.invalid("of SONNX takes no padding as long as a window"));
        }
    }
    Ok(windows)
}

struct MaxPool;

impl Reference for MaxPool {
    fn is_disputed(&self, call: &Call) -> bool {
        is_disputed(call)
    }

    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let shape = windows(call)?.shape;
        let values = TensorType::new(call.input(0)?.dtype(), shape.clone())?;
        Ok(vec![values, TensorType::new(Int64, shape)?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(data), Ok(windows)) = (call.input(0), windows(call)) else { return Vec::new() };
        let is_total = call.specification.is_restricted();
        let operands = windows.clone();
        let largest = Largest { data, windows: windows.clone(), is_total };
        let mut allowed: Vec<Box<dyn Allowed + 'a>> = vec![Box::new(largest)];
        if call.outputs > 1 {
            allowed.push(Box::new(Places {
                dtype: Int64,
                tensor: data,
                conforming: move |index| indices(call, data, &windows.places(index)),
                operands: move |index| operands.places(index),
            }));
        }
        allowed
    }
}

/// Which indices conform of a window with the elements at these places.
fn indices(call: &Call, data: &Tensor, places: &[usize]) -> Conforming {
    let orders = places.iter().map(|&place| (place, order_at(data, place)));
    let Extremes { nans, numbers } = Extremes::of(orders, true);
    if nans.is_empty() && numbers.is_empty() {
        return OUTSIDE;
    }
    if call.specification.is_restricted() {
        // Of two zeros the positive one is the larger by SONNX's Max, and both are one by the order of numbers.
        let positive = numbers.iter().copied().find(|place| data.element(*place) == Some(0));
        return match nans.is_empty() {
            true => any_place(numbers.first().copied().into_iter().chain(positive)),
            false => any_place(nans),
        };
    }
    let found = nans.into_iter().chain(numbers);
    if call.int("storage_order") != Some(1) {
        return any_place(found);
    }
    any_place(found.flat_map(|place| column_major(data.shape(), place)))
}

/// The indices that may stand for a place where columns come first: those that count the spatial dimensions so,
/// and those that count all.
fn column_major(shape: &[usize], place: usize) -> impl Iterator<Item = usize> {
    let counted = |coordinates: &[usize], shape: &[usize]| {
        let both = coordinates.iter().zip(shape).rev();
        both.fold(0, |index, (coordinate, size)| index * size + coordinate)
    };
    let outer = shape.len().min(2);
    let coordinates = coordinates(place, shape);
    let channel_size: usize = shape[outer..].iter().product();
    let within = counted(&coordinates[outer..], &shape[outer..]);
    let spatial = place - place % channel_size.max(1) + within;
    let all = counted(&coordinates, shape);
    std::iter::once(spatial).chain((all != spatial).then_some(all))
}

#[cfg(test)]
mod tests;
