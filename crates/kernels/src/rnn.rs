//! RNN: units that see the input and the state of all.

use super::Kernel;
use super::recurrent::activation::Number;
use super::recurrent::{COMMON, Cell, INPUTS, Unit, integer, run, with};
use super::signature::{Domain, Input, Version};
use super::types::{FLOATS, without_bfloat16};

pub(super) static RNN: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "RNN",
    inputs: SIX,
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(
            1,
            without_bfloat16(FLOATS),
            &const { with::<1, 7>([integer("output_sequence")]) },
        ),
        Version::with(7, without_bfloat16(FLOATS), &COMMON),
        Version::with(14, without_bfloat16(FLOATS), &const { with::<1, 7>([integer("layout")]) }),
        Version::with(22, FLOATS, &const { with::<1, 7>([integer("layout")]) }),
    ],
    restricted: &[],
    run: |call| run::<Plain>(call, ""),
};

/// All but what belongs to the state of an LSTM's cell.
const SIX: &[Input] = INPUTS.split_at(6).0;

struct Plain;

impl Cell for Plain {
    const GATES: usize = 1;
    const FUNCTIONS: &'static [&'static str] = &["Tanh"];
    const HAS_CELL: bool = false;

    fn step<N: Number>(unit: &Unit<'_, N>, hidden: &mut Vec<N>, _: &mut Vec<N>) {
        let row = |row| unit.activated(0, unit.of_input(0, row) + unit.of_state(0, row, hidden));
        *hidden = (0..unit.layer.hidden).map(row).collect();
    }
}

#[cfg(test)]
mod tests;
