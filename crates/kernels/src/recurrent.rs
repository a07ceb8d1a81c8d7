//! What RNN, GRU and LSTM share: their operands, and the steps through time in either direction.
//!
//! Everything is computed in float32, of float64 in that, and rounded to the type of the output at the end. What comes after
//! the end of a sequence is 0; an empty one leaves its initial state behind.

pub(super) mod activation;

use half::{bf16, f16};

use self::activation::{Activation, Number, bounded};
use super::elementwise::{checked_len, tensor};
use super::operand::values;
use super::reshaping::{integers, refused};
use super::signature::{AttributeSpec, Input, Types};
use super::{Attribute, Call, KernelError};
use values::dtype::DType::{self, Float64, Int32};
use values::tensor::Tensor;

/// The inputs of an LSTM, of which the others have the first six.
pub(super) const INPUTS: [Input; 8] = [
    Input::new("X"),
    Input::new("W"),
    Input::new("R"),
    Input::new("B").optional(),
    Input { types: Types::Only(Int32), ..Input::new("sequence_lens") }.optional(),
    Input::new("initial_h").optional(),
    Input::new("initial_c").optional(),
    Input::new("P").optional(),
];

pub(super) const fn integer(name: &'static str) -> AttributeSpec {
    super::reshaping::integer(name)
}

const fn floats(name: &'static str) -> AttributeSpec {
    let accepts = |value: &Attribute| matches!(value, Attribute::Floats(_));
    AttributeSpec { name, accepts, expected: "a list of floats" }
}

/// The attributes that all have.
pub(super) const COMMON: [AttributeSpec; 6] = [
    floats("activation_alpha"),
    floats("activation_beta"),
    AttributeSpec {
        name: "activations",
        accepts: |value| matches!(value, Attribute::Texts(_)),
        expected: "a list of names",
    },
    AttributeSpec {
        name: "clip",
        accepts: |value| matches!(value, Attribute::Float(clip) if clip.is_sign_positive()),
        expected: "a float from 0 on",
    },
    AttributeSpec {
        name: "direction",
        accepts: |value| {
            let Attribute::Text(text) = value else { return false };
            ["forward", "reverse", "bidirectional"].contains(&text.as_str())
        },
        expected: "forward, reverse or bidirectional",
    },
    integer("hidden_size"),
];

/// The attributes that all have, and some more, which make `ALL` together.
pub(super) const fn with<const OWN: usize, const ALL: usize>(
    own: [AttributeSpec; OWN],
) -> [AttributeSpec; ALL] {
    let mut all = [const { super::reshaping::integer("hidden_size") }; ALL];
    let mut at = 0;
    while at < ALL {
        all[at] = if at < COMMON.len() { copy(&COMMON[at]) } else { copy(&own[at - COMMON.len()]) };
        at += 1;
    }
    all
}

const fn copy(of: &AttributeSpec) -> AttributeSpec {
    AttributeSpec { name: of.name, accepts: of.accepts, expected: of.expected }
}

/// What is computed at each step.
pub(super) trait Cell {
    /// Matrices of weights.
    const GATES: usize;
    /// The activation functions of a direction.
    const FUNCTIONS: &'static [&'static str];
    /// Whether the cell has a state of its own.
    const HAS_CELL: bool;

    /// Turns the state before a step into that after it.
    fn step<N: Number>(unit: &Unit<'_, N>, hidden: &mut Vec<N>, cell: &mut Vec<N>);
}

/// A call's sizes and attributes.
pub(super) struct Layer {
    steps: usize,
    batch: usize,
    inputs: usize,
    pub(super) hidden: usize,
    reverse: Vec<bool>,
    is_batch_first: bool,
    /// The lengths of sequences, where they are given.
    lengths: Option<Vec<usize>>,
    activations: Vec<Activation>,
    clip: Option<f32>,
    /// `input_forget` of an LSTM, `linear_before_reset` of a GRU.
    pub(super) is_other: bool,
}

/// The weights of a direction and the input of a step.
pub(super) struct Unit<'a, N> {
    pub(super) layer: &'a Layer,
    direction: usize,
    x: &'a [N],
    w: &'a [N],
    r: &'a [N],
    b: &'a [N],
    p: &'a [N],
}

impl<N: Number> Unit<'_, N> {
    fn gates(&self) -> usize {
        self.r.len() / (self.layer.hidden * self.layer.hidden).max(1)
    }

    /// What the input makes of a row of a gate, and its bias.
    pub(super) fn of_input(&self, gate: usize, row: usize) -> N {
        let at = gate * self.layer.hidden + row;
        let start = self.b.get(at).copied().unwrap_or(N::ZERO);
        dot(start, &self.w[at * self.x.len()..][..self.x.len()], self.x)
    }

    /// What a state makes of it, and its bias.
    pub(super) fn of_state(&self, gate: usize, row: usize, hidden: &[N]) -> N {
        let at = gate * self.layer.hidden + row;
        let start = self.b.get(self.gates() * self.layer.hidden + at);
        dot(start.copied().unwrap_or(N::ZERO), &self.r[at * hidden.len()..][..hidden.len()], hidden)
    }

    /// What a peephole makes of the state of the cell.
    pub(super) fn of_cell(&self, which: usize, row: usize, cell: N) -> N {
        let weight = self.p.get(which * self.layer.hidden + row).copied();
        weight.map_or(N::ZERO, |weight| weight * cell)
    }

    /// The value of an activation function.
    pub(super) fn activated(&self, function: usize, x: N) -> N {
        let count = self.layer.activations.len() / self.layer.reverse.len();
        let x = match self.layer.clip {
            Some(clip) => bounded(x, -N::of(clip), N::of(clip)),
            None => x,
        };
        self.layer.activations[self.direction * count + function].of(x)
    }
}

fn dot<N: Number>(start: N, a: &[N], b: &[N]) -> N {
    a.iter().zip(b).fold(start, |sum, (&a, &b)| sum + a * b)
}

/// Computes the outputs.
pub(super) fn run<C: Cell>(call: &Call<'_>, other: &str) -> Result<Vec<Tensor>, KernelError> {
    let x = call.input(0).ok_or_else(|| refused(call, "there is no input"))?;
    let layer = Layer::of::<C>(call, other)?;
    let dtype = x.dtype();
    let wide = |at: usize| -> Option<Vec<f32>> {
        let tensor = call.input(at)?;
        Some(match tensor.dtype() {
            DType::Float16 => values::<f16>(tensor).iter().map(|own| own.to_f32()).collect(),
            DType::Bfloat16 => values::<bf16>(tensor).iter().map(|own| own.to_f32()).collect(),
            _ => values::<f32>(tensor).to_vec(),
        })
    };
    if dtype == Float64 {
        let wide = |at: usize| Some(values::<f64>(call.input(at)?).to_vec());
        return outputs(call, dtype, &layer, layer.computed::<C, f64>(wide), |own| own);
    }
    let computed = layer.computed::<C, f32>(wide);
    match dtype {
        DType::Float16 => outputs(call, dtype, &layer, computed, f16::from_f32),
        DType::Bfloat16 => outputs(call, dtype, &layer, computed, bf16::from_f32),
        _ => outputs(call, dtype, &layer, computed, |own| own),
    }
}

/// The outputs that are asked for.
fn outputs<N: Copy, T: bytemuck::Pod + Send + Sync>(
    call: &Call<'_>,
    dtype: DType,
    layer: &Layer,
    computed: [Vec<N>; 3],
    narrow: fn(N) -> T,
) -> Result<Vec<Tensor>, KernelError> {
    let Layer { steps, batch, hidden, .. } = *layer;
    let directions = layer.reverse.len();
    let [sequence, state] = match layer.is_batch_first {
        true => [vec![batch, steps, directions, hidden], vec![batch, directions, hidden]],
        false => [vec![steps, directions, batch, hidden], vec![directions, batch, hidden]],
    };
    let shapes = [sequence, state.clone(), state];
    let mut all = Vec::new();
    for (numbers, shape) in computed.into_iter().zip(shapes).take(call.outputs) {
        all.extend(tensor(dtype, &shape, numbers.into_iter().map(narrow).collect())?);
    }
    Ok(all)
}

impl Layer {
    fn of<C: Cell>(call: &Call<'_>, other: &str) -> Result<Self, KernelError> {
        let shape = |at: usize| call.input(at).map_or(&[][..], Tensor::shape);
        let reverse = match call.attributes.get("direction") {
            Some(Attribute::Text(text)) if text == "reverse" => vec![true],
            Some(Attribute::Text(text)) if text == "bidirectional" => vec![false, true],
            _ => vec![false],
        };
        let count = reverse.len();
        let is_batch_first = match call.int("layout", 0) {
            0 => false,
            1 => true,
            _ => return Err(refused(call, "`layout` is neither 0 nor 1")),
        };
        let (&[first, second, inputs], &[_, _, hidden]) = (shape(0), shape(2)) else {
            return Err(refused(call, "X and R have three dimensions"));
        };
        let (steps, batch) = if is_batch_first { (second, first) } else { (first, second) };
        if call.attributes.contains_key("hidden_size")
            && usize::try_from(call.int("hidden_size", -1)) != Ok(hidden)
        {
            return Err(refused(call, "`hidden_size` is another one"));
        }
        let too_large = || refused(call, "there are too many rows");
        let rows = |gates: usize| hidden.checked_mul(gates).ok_or_else(too_large);
        let state =
            if is_batch_first { vec![batch, count, hidden] } else { vec![count, batch, hidden] };
        let wanted = [
            vec![count, rows(C::GATES)?, inputs],
            vec![count, rows(C::GATES)?, hidden],
            vec![count, rows(2 * C::GATES)?],
            vec![batch],
            state.clone(),
            state,
            vec![count, rows(3)?],
        ];
        for (at, wanted) in (1..).zip(wanted) {
            if call.input(at).is_some_and(|given| given.shape() != wanted) {
                return Err(refused(call, "the sizes of the operands do not fit together"));
            }
        }
        let length = |length: i64| usize::try_from(length).ok().filter(|own| *own <= steps);
        let lengths: Option<Option<Vec<usize>>> =
            call.input(4).map(|given| integers(given).into_iter().map(length).collect());
        if lengths == Some(None) {
            return Err(refused(call, "a sequence is longer than X"));
        }
        for shape in [[steps, count, batch, hidden], [1, count, batch, hidden]] {
            checked_len(&shape, Float64, size_of::<f64>())?;
        }
        Ok(Self {
            steps,
            batch,
            inputs,
            hidden,
            is_batch_first,
            lengths: lengths.flatten(),
            activations: Activation::list(call, C::FUNCTIONS.len() * count, C::FUNCTIONS)?,
            clip: match call.attributes.get("clip") {
                Some(Attribute::Float(clip)) => Some(*clip),
                _ => None,
            },
            is_other: call.int(other, 0) != 0,
            reverse,
        })
    }

    /// Y, Y_h and Y_c.
    fn computed<C: Cell, N: Number>(&self, given: impl Fn(usize) -> Option<Vec<N>>) -> [Vec<N>; 3] {
        let Self { steps, batch, inputs, hidden, .. } = *self;
        let directions = self.reverse.len();
        let numbers = |at: usize| given(at).unwrap_or_default();
        let [x, w, r, b, h, c, p] = [0, 1, 2, 3, 5, 6, 7].map(numbers);
        let mut all = vec![N::ZERO; steps * directions * batch * hidden];
        let [mut last_h, mut last_c] = [(); 2].map(|()| vec![N::ZERO; directions * batch * hidden]);
        let part = |of: &[N], direction: usize| {
            let len = of.len() / directions;
            of[direction * len..][..len].to_vec()
        };
        for (direction, &is_reverse) in self.reverse.iter().enumerate() {
            let [w, r, b, p] = [&w, &r, &b, &p].map(|of| part(of, direction));
            // Where there are no units, there is nothing to do however many sequences there are.
            for sequence in 0..if hidden == 0 { 0 } else { batch } {
                let length = self.lengths.as_ref().map_or(steps, |lengths| lengths[sequence]);
                let place = match self.is_batch_first {
                    true => sequence * directions + direction,
                    false => direction * batch + sequence,
                };
                let own = place * hidden..(place + 1) * hidden;
                let zeros = || vec![N::ZERO; hidden];
                let mut state = h.get(own.clone()).map_or_else(zeros, <[N]>::to_vec);
                let mut cell = c.get(own.clone()).map_or_else(zeros, <[N]>::to_vec);
                for step in 0..length {
                    let step = if is_reverse { length - 1 - step } else { step };
                    let [at, to] = match self.is_batch_first {
                        true => [
                            sequence * steps + step,
                            (sequence * steps + step) * directions + direction,
                        ],
                        false => [
                            step * batch + sequence,
                            (step * directions + direction) * batch + sequence,
                        ],
                    };
                    let x = &x[at * inputs..(at + 1) * inputs];
                    let unit = Unit { layer: self, direction, x, w: &w, r: &r, b: &b, p: &p };
                    C::step(&unit, &mut state, &mut cell);
                    all[to * hidden..(to + 1) * hidden].copy_from_slice(&state);
                }
                last_h[own.clone()].copy_from_slice(&state);
                if C::HAS_CELL {
                    last_c[own].copy_from_slice(&cell);
                }
            }
        }
        [all, last_h, last_c]
    }
}
