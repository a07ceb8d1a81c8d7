//! MaxUnpool: elements are put at their indices into a tensor of zeros.
//!
//! Without `output_shape` a spatial dimension of n has (n - 1) stride + kernel - pads elements, as ONNX's inference of shapes and its cases
//! have it; the text has no formula. Indices count the elements of a flattened tensor, and no sentence says of which one where `output_shape` is
//! another than that: the output by one reading, by the evaluator and ONNX's case the tensor without it, whose elements lie at the same coordinates of the
//! output. An index outside of them leaves everything open, and so do several elements at one index the element there.
//! Sources: ONNX's schemas of MaxUnpool-9, 11 and 22.

use std::collections::BTreeMap;

use values::dtype::DType;
use values::element::Element;
use values::tensor::{Tensor, coordinates, element_count};

use crate::case_table::{self, Own};
use crate::families::picking::{bounded, integers, sizes};
use crate::families::readings::Readings;
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Port, Reference, TensorType, Version,
};
use crate::pointwise::Moved;
use crate::signature::{FLOATS, IEEE_FLOATS};

/// MaxUnpool in ONNX's default domain.
pub static MAXUNPOOL: Operator = Operator {
    documents: &[Document {
        key: "onnx-maxunpool",
        catalogue: include_str!("maxunpool/onnx-maxunpool.toml"),
    }],
    cases: Some(|of| {
        let table = include_str!("maxunpool/cases.toml");
        case_table::cases(of, &MAXUNPOOL, &[table], Own::NONE)
    }),
    ..Operator::onnx("MaxUnpool", OperatorKind::Exact, &VERSIONS, &MaxUnpool)
};

const VERSIONS: [Version; 3] = [
    const { Unpooled::new(IEEE_FLOATS) }.since(9),
    const { Unpooled::new(IEEE_FLOATS) }.since(11),
    const { Unpooled::new(FLOATS) }.since(22),
];

/// The ports of a version.
struct Unpooled {
    inputs: [Port; 3],
    output: [Port; 1],
}

impl Unpooled {
    const fn new(types: &'static [DType]) -> Self {
        let indices = Port::new("I", &[DType::Int64], "T2");
        let shape = Port::new("output_shape", &[DType::Int64], "T2").optional();
        let inputs = [Port::new("X", types, "T1"), indices, shape];
        Self { inputs, output: [Port::new("output", types, "T1")] }
    }

    const fn since(&'static self, since: i64) -> Version {
        let (inputs, outputs) = (&self.inputs, &self.output);
        Version { since, inputs, outputs, attributes: &ATTRIBUTES }
    }
}

const ATTRIBUTES: [Attribute; 3] = [
    Attribute::new("kernel_shape", AttributeType::Ints).otherwise(Otherwise::Invalid),
    Attribute::new("pads", AttributeType::Ints),
    Attribute::new("strides", AttributeType::Ints),
];

/// The shape of the output, and that of the tensor that indices may count the elements of instead.
fn shapes(call: &Call) -> Result<(Vec<usize>, Option<Vec<usize>>), Invalid> {
    let (shape, indices) = (call.input(0)?.shape(), call.input(1)?.shape());
    let [batches, channels, spatial @ ..] = shape else {
        return Err(call.invalid("takes a tensor of batches, channels and spatial dimensions"));
    };
    if spatial.is_empty() || indices != shape {
        return Err(call.invalid(&format!("takes no indices of {indices:?} for {shape:?}")));
    }
    let rank = spatial.len();
    let list = |name, count: usize, otherwise: i64| {
        let list = call.ints(name).map_or_else(|| vec![otherwise; count], <[i64]>::to_vec);
        match list.len() == count && list.iter().all(|number| *number >= otherwise) {
            true => Ok(list.into_iter().map(i128::from).collect::<Vec<_>>()),
            false => Err(call.invalid(&format!("takes no `{name}` of {list:?}"))),
        }
    };
    let [kernel, strides] = [list("kernel_shape", rank, 1)?, list("strides", rank, 1)?];
    let pads = list("pads", 2 * rank, 0)?;
    let of = |pads: &dyn Fn(usize) -> i128| -> Option<Vec<usize>> {
        let size = |at: usize| {
            let steps = (spatial[at] as i128 - 1).checked_mul(strides[at])?;
            usize::try_from(steps + kernel[at] - pads(at)).ok()
        };
        let sizes: Option<Vec<usize>> = (0..rank).map(size).collect();
        Some([&[*batches, *channels], &sizes?[..]].concat())
    };
    let Some(stated) = call.integers(2)? else {
        let padded = of(&|at| pads[at] + pads[rank + at]);
        let shape = padded.ok_or_else(|| call.invalid("has more padding than elements"))?;
        return Ok((shape, None));
    };
    let stated = sizes(call, "output_shape", &stated)?;
    if stated.len() != shape.len() {
        return Err(call.invalid(&format!("takes no `output_shape` of {stated:?} for {shape:?}")));
    }
    // The padding is left out of account.
    let own = of(&|_| 0).filter(|own| own.iter().zip(&stated).all(|(own, size)| own <= size));
    let own = own.filter(|own| *own != stated);
    Ok((stated, own))
}

/// The elements by their places in the output where indices count those of a tensor of a shape; `None` where there is no such place. A
/// place of several different elements has none.
fn placed(
    call: &Call,
    output: &[usize],
    counted: &[usize],
) -> Option<BTreeMap<usize, Option<Element>>> {
    let (Ok(x), Ok(indices)) = (call.input(0), call.input(1)) else { return None };
    let count = element_count(counted).ok()?;
    let mut found = BTreeMap::new();
    for (at, index) in integers(indices).enumerate() {
        let index = usize::try_from(index).ok().filter(|index| *index < count)?;
        let place = coordinates(index, counted)
            .iter()
            .zip(output)
            .fold(0, |place, (coordinate, size)| place * size + coordinate);
        let element = Element::of(x, at);
        let before = found.entry(place).or_insert_with(|| element.clone());
        if *before != element {
            *before = None;
        }
    }
    Some(found)
}

/// What is allowed where the elements lie at places that count these shapes.
fn moved<'a>(
    x: &'a Tensor,
    placed: Option<BTreeMap<usize, Option<Element>>>,
) -> Moved<impl Fn(usize) -> Option<Element> + use<'a>> {
    Moved(move |index| {
        let zero = || Some(Element::Bits(x.dtype(), 0));
        placed.as_ref()?.get(&index).cloned().unwrap_or_else(zero)
    })
}

struct MaxUnpool;

impl Reference for MaxUnpool {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        Ok(vec![bounded(call, call.input(0)?.dtype(), shapes(call)?.0)?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(x), Ok((output, own))) = (call.input(0), shapes(call)) else { return Vec::new() };
        let placed = |counted: &[usize]| placed(call, &output, counted);
        let first = moved(x, placed(&output));
        // Indices beyond the other tensor are not of it.
        let second = own.and_then(|own| placed(&own)).map(|placed| moved(x, Some(placed)));
        vec![Box::new(Readings(std::iter::once(first).chain(second).collect()))]
    }
}

#[cfg(test)]
mod tests;
