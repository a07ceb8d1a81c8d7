//! Split: a tensor in parts along one of its dimensions, each of which is an output. Elements of every type are
//! moved, not computed.
//!
//! The parts have the sizes that a list says, or equal ones; of what is not a multiple of their number version 18
//! leaves less for the last. What the other parts have used up already leaves no size for it: of such a number of
//! parts the documents do not speak. Nor do they say which dimension version 1 splits where no axis is given, or
//! what holds where its list is both an attribute and an input. All of this is refused here, and no case asks it.
//! Source: ONNX's schemas of Split-1, 2, 11, 13 and 18.

use std::rc::Rc;

use values::dtype::DType::Int64;
use values::element::Element;

use crate::case_table::{self, Own};
use crate::exact::real::{Rational, value};
use crate::families::picking::AXIS;
use crate::families::reshaping::{dimension, moved};
use crate::families::sections::Sections;
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Port,
    Reference, TensorType, Version,
};
use crate::pointwise::Moved;
use crate::signature::IEEE_FLOATS;

/// Split in ONNX's default domain.
pub static SPLIT: Operator = Operator {
    documents: &[Document { key: "onnx-split", catalogue: include_str!("split/onnx-split.toml") }],
    cases: Some(|of| case_table::cases(of, &SPLIT, &[include_str!("split/cases.toml")], Own::NONE)),
    ..Operator::onnx("Split", OperatorKind::Exact, &VERSIONS, &Split)
};

const VERSIONS: [Version; 5] = [
    Version {
        since: 1,
        inputs: &[
            Port::new("input", IEEE_FLOATS, "T"),
            Port::new("split", IEEE_FLOATS, "T").optional(),
        ],
        outputs: &[Port::new("outputs", IEEE_FLOATS, "T").variadic()],
        attributes: &[Attribute::new("axis", AttributeType::Int), LENGTHS],
    },
    Version { since: 2, inputs: &[data(15)], outputs: &[parts(15)], attributes: &[AXIS, LENGTHS] },
    Version { since: 11, inputs: &[data(15)], outputs: &[parts(15)], attributes: &[AXIS, LENGTHS] },
    Version { since: 13, inputs: &[data(16), LIST], outputs: &[parts(16)], attributes: &[AXIS] },
    Version {
        since: 18,
        inputs: &[data(16), LIST],
        outputs: &[parts(16)],
        attributes: &[AXIS, Attribute::new("num_outputs", AttributeType::Int)],
    },
];

const LENGTHS: Attribute = Attribute::new("split", AttributeType::Ints);
const LIST: Port = Port::new("split", &[Int64], "I").optional();

const fn data(types: usize) -> Port {
    Port::new("input", moved(types), "T")
}

const fn parts(types: usize) -> Port {
    Port::new("outputs", moved(types), "T").variadic()
}

/// The sizes that are listed, if any are.
fn list(call: &Call) -> Result<Option<Vec<i64>>, Invalid> {
    let attribute = call.ints("split").map(<[i64]>::to_vec);
    if call.version.since > 1 {
        return if call.version.inputs.len() > 1 { call.integers(1) } else { Ok(attribute) };
    }
    let Some(floats) = call.inputs.get(1).and_then(Option::as_ref) else { return Ok(attribute) };
    if attribute.is_some() {
        return Err(call.invalid("is given two lists of sizes"));
    }
    if floats.shape().len() != 1 {
        return Err(call.invalid("takes a list for its input split"));
    }
    let number = |at| {
        let bits = floats.element(at).and_then(|bits| u64::try_from(bits).ok())?;
        let number = value(floats.dtype(), bits).filter(Rational::is_integer)?;
        i64::try_from(number.to_integer()).ok()
    };
    let numbers: Option<Vec<i64>> = (0..floats.elements()).map(number).collect();
    let other = || call.invalid("takes whole numbers for its input split");
    numbers.ok_or_else(other).map(Some)
}

/// The dimension that is split, and the sizes of the parts.
fn sizes(call: &Call) -> Result<(usize, Vec<usize>), Invalid> {
    let shape = call.input(0)?.shape();
    let axis = call.int("axis").ok_or_else(|| call.invalid("is not given an axis"))?;
    let axis = dimension(call, 11, axis, shape.len())?;
    let (size, parts) = (shape[axis], call.outputs);
    let (list, number) = (list(call)?, call.int("num_outputs"));
    if call.version.since >= 18 && list.is_some() == number.is_some() {
        return Err(call.invalid("takes either a list of sizes or a number of outputs"));
    }
    let wrong = |told: String| call.invalid(&format!("cannot make {told} of {size} places"));
    if let Some(list) = list {
        let sizes: Result<Vec<usize>, _> = list.iter().map(|&it| usize::try_from(it)).collect();
        let sizes = sizes.ok().filter(|sizes| sizes.len() == parts);
        let is_all = |sizes: &Vec<usize>| {
            let sum = sizes.iter().try_fold(0_usize, |sum, &size| sum.checked_add(size));
            sum == Some(size)
        };
        let sizes = sizes.filter(is_all);
        let told = || wrong(format!("{parts} outputs with {} listed sizes", list.len()));
        return sizes.map(|sizes| (axis, sizes)).ok_or_else(told);
    }
    if number.is_some_and(|number| usize::try_from(number) != Ok(parts)) {
        return Err(call.invalid(&format!("has not as many outputs as {number:?}")));
    }
    let whole = |parts: usize| {
        let is_even = size.checked_rem(parts)? == 0;
        let most = if is_even { size / parts } else { (size / parts).checked_add(1)? };
        let others = most.checked_mul(parts.checked_sub(1)?)?;
        let last = size.checked_sub(others).filter(|_| is_even || number.is_some())?;
        let mut sizes = vec![most; parts - 1];
        sizes.push(last);
        Some(sizes)
    };
    let sizes = whole(parts).ok_or_else(|| wrong(format!("{parts} equal outputs")))?;
    Ok((axis, sizes))
}

struct Split;

impl Reference for Split {
    fn is_control(&self, _: &Version, at: usize) -> bool {
        at == 1
    }

    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let data = call.input(0)?;
        let (axis, sizes) = sizes(call)?;
        let part = |size| {
            let mut shape = data.shape().to_vec();
            shape[axis] = size;
            TensorType::new(data.dtype(), shape)
        };
        sizes.into_iter().map(part).collect()
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(data), Ok((axis, sizes))) = (call.input(0), sizes(call)) else { return Vec::new() };
        let parts = sizes.len();
        let Some(sections) = Sections::new(data.shape(), axis, sizes) else { return Vec::new() };
        let sections = Rc::new(sections);
        let of_part = |part| -> Box<dyn Allowed + 'a> {
            let sections = Rc::clone(&sections);
            Box::new(Moved(move |index| Element::of(data, sections.in_whole(part, index)?)))
        };
        (0..parts).map(of_part).collect()
    }
}

#[cfg(test)]
mod tests;
