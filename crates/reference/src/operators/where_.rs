//! Where: the element of one tensor or of another, as a condition says. Elements are moved, not computed.
//!
//! Sources: ONNX's schemas of Where-9 and 16; SONNX's Where.

use values::dtype::DType::{self, Bool};
use values::dtype::Kind;
use values::element::Element;
use values::tensor::Tensor;

use crate::broadcast::Broadcast;
use crate::case_spec::Stated;
use crate::case_table::{self, Own};
use crate::elements::{ElementError, tensor};
use crate::elementwise::{Elementwise, FOREIGN};
use crate::exact::{Conforming, Deviation, Number, distance_of};
use crate::inputs::patterns::{self, corners};
use crate::inputs::texts::CHOICES;
use crate::inputs::{Indexed, Parts, specials};
use crate::operator::{
    Call, Document, Invalid, Operator, OperatorKind, Port, Ports, Specification, Version,
};
use crate::pointwise::Pointwise;
use crate::real::Real;
use crate::signature::{MOVED, NUMERIC_SONNX};

/// Where in ONNX's default domain.
pub static WHERE: Operator = Operator {
    documents: &[
        Document { key: "sonnx-where", catalogue: include_str!("where_/sonnx-where.toml") },
        Document { key: "onnx-where", catalogue: include_str!("where_/onnx-where.toml") },
    ],
    cases: Some(cases),
    hard_inputs: Some(hard_inputs),
    strings: Some(CHOICES),
    readings: Some(include_str!("where_/readings.toml")),
    ..Operator::onnx("Where", OperatorKind::Exact, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 2] = [
    const { ports(MOVED.split_at(15).0) }.since(9, &[]),
    const { ports(MOVED.split_at(16).0) }.since(16, &[]),
];

const fn ports(types: &'static [DType]) -> Ports<3> {
    let mut ports = Ports::new(["condition", "X", "Y"], "output", types);
    ports.inputs[0] = Port::new("condition", &[Bool], "B");
    ports
}

/// The choice between two elements.
#[derive(Clone, Copy, Debug)]
pub struct Choice;

impl Choice {
    fn of(self, dtype: DType, operands: &[Element]) -> Option<&Element> {
        let [Element::Bits(Bool, condition), x, y] = operands else { return None };
        let chosen = if *condition == 0 { y } else { x };
        (chosen.dtype() == dtype).then_some(chosen)
    }
}

impl Elementwise for Choice {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        self.of(dtype, operands).map_or(FOREIGN, |chosen| Conforming::Same(chosen.clone()))
    }

    fn real(&self, dtype: DType, operands: &[Element], _: u32) -> Option<Real> {
        self.of(dtype, operands).and_then(Real::of)
    }

    fn deviation(&self, dtype: DType, operands: &[Element], actual: u64) -> Deviation {
        distance_of(self.of(dtype, operands), actual)
    }
}

/// What is allowed of its results.
const REFERENCE: Pointwise<Choice> =
    Pointwise { function: |_, _| Choice, broadcast, boundaries: None };

fn broadcast(call: &Call) -> Result<Broadcast, Invalid> {
    if call.specification.is_restricted() {
        let dtype = call.input(1)?.dtype();
        if !NUMERIC_SONNX.contains(&dtype) {
            return Err(call.invalid(&format!("of this specification has no {dtype}")));
        }
        return Broadcast::equal(&call.shapes());
    }
    Broadcast::multidirectional(&call.shapes())
}

/// Special values of floats, or boundaries of integers, against each other: each pair with both conditions.
fn hard_inputs(dtype: DType) -> Option<Parts> {
    let elements: Vec<u64> = match Number::of(dtype)? {
        Number::Float(format) => patterns::specials(format),
        Number::Int(int) => corners(int).into_iter().map(|value| int.wrap(value)).collect(),
    };
    let len = elements.len() as u64;
    let triple = move |index: u64| {
        let pair = index >> 1;
        let [x, y] = [pair % len, pair / len].map(|at| elements[at as usize]);
        [index & 1, x, y]
    };
    Some(vec![("special values", Box::new(Indexed::new(2 * len * len, triple)))])
}

fn cases(of: Specification) -> Stated {
    let own = Own { inputs: |_, dtype| special(dtype), ..Own::NONE };
    case_table::cases(of, &WHERE, &[include_str!("where_/cases.toml")], own)
}

/// Special values against each other: each is chosen from X and from Y, next to every kind of value.
fn special(dtype: DType) -> Result<Vec<Tensor>, ElementError> {
    let Kind::Float(format) = dtype.kind() else { return Ok(Vec::new()) };
    let all: Vec<u64> = specials(format).into_iter().flat_map(|(_, values)| values).collect();
    let shape = [2, all.len()];
    let x = [&all[..], &all].concat();
    let y: Vec<u64> = all.iter().rev().chain(&all[5..]).chain(&all[..5]).copied().collect();
    let truth: Vec<u64> = (0..x.len() as u64).map(|at| (at + at / shape[1] as u64) & 1).collect();
    Ok(vec![tensor(Bool, &shape, &truth)?, tensor(dtype, &shape, &x)?, tensor(dtype, &shape, &y)?])
}

#[cfg(test)]
mod tests {
    use values::dtype::DType::{Float16, String as Text};

    use super::*;

    #[test]
    fn the_condition_chooses_and_payloads_of_nans_are_kept() {
        let element = |bits| Element::Bits(Float16, bits);
        let (x, y) = (element(0x7e01), element(0xfe02));
        let chosen = |condition| {
            Choice.conforming(Float16, &[Element::Bits(Bool, condition), x.clone(), y.clone()])
        };
        assert_eq!(chosen(1), Conforming::Same(x.clone()));
        assert_eq!(chosen(0), Conforming::Same(y.clone()));
        let text = |text: &'static str| Element::String(text.into());
        let operands = [Element::Bits(Bool, 1), text("a"), text("b")];
        assert!(Choice.conforming(Text, &operands).accepts_element(&text("a")));
        assert!(!Choice.conforming(Text, &operands).accepts_element(&text("b")));
    }
}
