//! LSTM: units with a cell that is forgotten and added to, by the gates input, output, forget and cell.

use super::recurrent::activation::Number;
use super::recurrent::{Cell, INPUTS, Unit, integer, run, with};
use super::signature::{Domain, Restriction, SONNX_FLOAT, Shapes, Version};
use super::types::{FLOATS, without_bfloat16};
use super::{Attribute, Attributes, Kernel};
use values::dtype::DType;

pub(super) static LSTM: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "LSTM",
    inputs: &INPUTS,
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(
            1,
            without_bfloat16(FLOATS),
            &const { with::<2, 8>(&[integer("input_forget"), integer("output_sequence")]) },
        ),
        Version::with(
            7,
            without_bfloat16(FLOATS),
            &const { with::<1, 7>(&[integer("input_forget")]) },
        ),
        Version::with(
            14,
            without_bfloat16(FLOATS),
            &const { with::<2, 8>(&[integer("input_forget"), integer("layout")]) },
        ),
        Version::with(
            22,
            FLOATS,
            &const { with::<2, 8>(&[integer("input_forget"), integer("layout")]) },
        ),
    ],
    restricted: &[Restriction {
        types: &[FLOATS, FLOATS, FLOATS, FLOATS, &[DType::Int32], FLOATS, FLOATS, FLOATS],
        shapes: Shapes::Free,
        needed: &["B", "sequence_lens", "initial_h", "initial_c", "P", "input_forget", "layout"],
        problem: Some(|_, attributes| restricted(attributes)),
        ..SONNX_FLOAT
    }],
    run: |call| run::<Memoised>(call, "input_forget"),
};

/// What SONNX wants of the activations and does not find.
fn restricted(attributes: &Attributes) -> Option<&'static str> {
    let Some(Attribute::Texts(names)) = attributes.get("activations") else { return None };
    let is_taken = |own: &[String]| {
        let own: Vec<&str> = own.iter().map(String::as_str).collect();
        own == ["Sigmoid", "Tanh", "Tanh"] || own == ["Relu", "Tanh", "Tanh"]
    };
    let are_taken = names.chunks(3).all(is_taken);
    (!are_taken).then_some("activations are Sigmoid or Relu, Tanh and Tanh")
}

struct Memoised;

impl Cell for Memoised {
    const GATES: usize = 4;
    const FUNCTIONS: &'static [&'static str] = &["Sigmoid", "Tanh", "Tanh"];
    const HAS_CELL: bool = true;

    fn step<N: Number>(unit: &Unit<'_, N>, hidden: &mut Vec<N>, cell: &mut Vec<N>) {
        let mut next = Vec::with_capacity(hidden.len());
        for (row, cell) in cell.iter_mut().enumerate() {
            let sum = |gate| unit.of_input(gate, row) + unit.of_state(gate, row, hidden);
            let seen = |gate, cell| unit.activated(0, sum(gate) + unit.of_cell(gate, row, cell));
            let (input, new) = (seen(0, *cell), unit.activated(1, sum(3)));
            let forget = if unit.layer.is_other { N::ONE - input } else { seen(2, *cell) };
            *cell = forget * *cell + input * new;
            next.push(seen(1, *cell) * unit.activated(2, *cell));
        }
        *hidden = next;
    }
}

#[cfg(test)]
mod tests;
