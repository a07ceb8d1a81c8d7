//! GRU: units that keep a share of their state, by the gates update, reset and hidden.

use super::Kernel;
use super::recurrent::activation::Number;
use super::recurrent::{Cell, INPUTS, Unit, integer, run, with};
use super::signature::{Domain, Input, Version};
use super::types::{FLOATS, without_bfloat16};

pub(super) static GRU: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "GRU",
    inputs: SIX,
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(
            1,
            without_bfloat16(FLOATS),
            &const { with::<1, 7>([integer("output_sequence")]) },
        ),
        Version::with(
            3,
            without_bfloat16(FLOATS),
            &const { with::<2, 8>([integer("linear_before_reset"), integer("output_sequence")]) },
        ),
        Version::with(
            7,
            without_bfloat16(FLOATS),
            &const { with::<1, 7>([integer("linear_before_reset")]) },
        ),
        Version::with(
            14,
            without_bfloat16(FLOATS),
            &const { with::<2, 8>([integer("linear_before_reset"), integer("layout")]) },
        ),
        Version::with(
            22,
            FLOATS,
            &const { with::<2, 8>([integer("linear_before_reset"), integer("layout")]) },
        ),
    ],
    restricted: &[],
    run: |call| run::<Gated>(call, "linear_before_reset"),
};

/// All but what belongs to the state of an LSTM's cell.
const SIX: &[Input] = INPUTS.split_at(6).0;

struct Gated;

impl Cell for Gated {
    const GATES: usize = 3;
    const FUNCTIONS: &'static [&'static str] = &["Sigmoid", "Tanh"];
    const HAS_CELL: bool = false;

    fn step<N: Number>(unit: &Unit<'_, N>, hidden: &mut Vec<N>, _: &mut Vec<N>) {
        let gate = |gate, row| {
            unit.activated(0, unit.of_input(gate, row) + unit.of_state(gate, row, hidden))
        };
        let rows = 0..unit.layer.hidden;
        let reset: Vec<N> = rows.clone().map(|row| gate(1, row)).collect();
        let kept: Vec<N> = reset.iter().zip(&*hidden).map(|(&reset, &own)| reset * own).collect();
        let next = rows.map(|row| {
            let seen = match unit.layer.is_other {
                true => reset[row] * unit.of_state(2, row, hidden),
                false => unit.of_state(2, row, &kept),
            };
            let (update, new) = (gate(0, row), unit.activated(1, unit.of_input(2, row) + seen));
            (N::ONE - update) * new + update * hidden[row]
        });
        *hidden = next.collect();
    }
}

#[cfg(test)]
mod tests;
