//! The steps of a recurrent operator through time, and what its outputs may be.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use values::element::Element;
use values::float::FloatFormat;

use super::super::computation::{Elements, format_of, value};
use super::super::readings::Readings;
use super::activation::clipped;
use super::operands::{B, Form, INITIAL_C, INITIAL_H, LENGTHS, P, Plan, R, W, X};
use crate::exact::composed::{Arithmetic, Computed, Exact};
use crate::operator::{Allowed, Call, Invalid, Reference, Specification, TensorType};

/// How far an activation function may be from its exact value where ONNX alone specifies it, which states nothing: as far
/// as OpenCL C 3.0 permits tanh in single precision.
const ULPS: u32 = 5;

/// The same by SONNX's LSTM.
const ULPS_SONNX: u32 = 1;

/// The version from which on all releases of ONNX transpose R. Versions 1 and 3, and 7 as ONNX 1.2.1 published it, multiply the state
/// by R as it stands, though they transpose W; ONNX 1.2.2 changed the equations of version 7. Either conforms.
const TRANSPOSED: i64 = 14;

/// The most products that are computed exactly.
const MOST: u128 = 1 << 22;

const TOO_MANY: &str = "so many products make an element that nothing here computes them exactly";
const PADDING: &str = "no text says what Y holds after the end of a sequence";
const EMPTY: &str = "no text says what an empty sequence leaves behind";

/// A recurrent operator, by its cell.
pub(crate) struct Recurrent {
    pub(crate) form: Form,
    /// What holds of the operands beyond their shapes.
    pub(crate) check: fn(&Call, &Plan) -> Result<(), Invalid>,
    /// The state after a step.
    pub(crate) step: fn(&Moment<'_>, &State) -> State,
}

/// The numbers that a cell keeps.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) hidden: Vec<Computed>,
    /// Of an LSTM alone.
    pub(crate) cell: Vec<Computed>,
}

/// The weights of a direction.
struct Weights {
    input: Vec<Computed>,
    recurrent: Vec<Computed>,
    bias: Vec<Computed>,
    peepholes: Vec<Computed>,
}

/// A step of a direction: what its cell is computed from, but for the state.
pub(crate) struct Moment<'a> {
    pub(crate) call: &'a Call,
    pub(crate) plan: &'a Plan,
    pub(crate) by: Arithmetic,
    weights: &'a Weights,
    direction: usize,
    ulps: u32,
    x: Vec<Computed>,
}

impl Moment<'_> {
    /// The row of a gate's matrix that belongs to a unit.
    const fn row(&self, gate: usize, unit: usize) -> usize {
        gate * self.plan.hidden + unit
    }

    fn products(&self, matrix: &[Computed], row: usize, vector: &[Computed]) -> Vec<Computed> {
        let row = matrix.iter().skip(row * vector.len());
        row.zip(vector).map(|(weight, number)| self.by.mul(weight, number)).collect()
    }

    /// The products of the input.
    pub(crate) fn inputs(&self, gate: usize, unit: usize) -> Vec<Computed> {
        self.products(&self.weights.input, self.row(gate, unit), &self.x)
    }

    /// The products of the hidden state, or what stands for it.
    pub(crate) fn recurrent(&self, gate: usize, unit: usize, hidden: &[Computed]) -> Vec<Computed> {
        self.products(&self.weights.recurrent, self.row(gate, unit), hidden)
    }

    /// The bias of the input's weights, or of the recurrent ones.
    pub(crate) fn bias(&self, gate: usize, unit: usize, is_recurrent: bool) -> Option<Computed> {
        let own = self.row(gate, unit);
        let before = if is_recurrent { self.plan.form.gates * self.plan.hidden } else { 0 };
        self.weights.bias.get(before + own).cloned()
    }

    /// The product of a peephole and the state of the cell.
    pub(crate) fn peephole(&self, which: usize, unit: usize, cell: &Computed) -> Option<Computed> {
        let weight = self.weights.peepholes.get(self.row(which, unit))?;
        Some(self.by.mul(weight, cell))
    }

    /// The sum of all that goes into a gate.
    pub(crate) fn gate(&self, gate: usize, unit: usize, hidden: &[Computed]) -> Vec<Computed> {
        let mut terms = self.inputs(gate, unit);
        terms.extend(self.recurrent(gate, unit, hidden));
        terms.extend(self.bias(gate, unit, false));
        terms.extend(self.bias(gate, unit, true));
        terms
    }

    /// The activation function at a place of the list, of a value that is clipped first.
    pub(crate) fn activated(&self, function: usize, x: &Computed) -> Computed {
        let clipped = match self.plan.clip {
            Some(threshold) => &clipped(&self.by, x, threshold),
            None => x,
        };
        let own = self.plan.activations.get(self.direction).and_then(|all| all.get(function));
        match own {
            Some(function) => function.of(&self.by, self.ulps, clipped),
            None => Computed::open(Exact::Undefined, TOO_MANY),
        }
    }

    /// `share * a + (1 - share) * b`, or what is the same over the real numbers: `b + share * (a - b)`.
    pub(crate) fn mixed(&self, share: &Computed, a: &Computed, b: &Computed) -> Computed {
        let by = &self.by;
        let rest = by.sub(&by.integer(1), share);
        let mixed = by.add(&by.mul(share, a), &by.mul(&rest, b));
        mixed.or(&by.add(b, &by.mul(share, &by.sub(a, b))))
    }
}

/// All outputs, in the order of steps, directions, sequences and units.
struct Outputs {
    hidden: Vec<Computed>,
    last: Vec<State>,
}

/// A call whose outputs are computed when they are first asked for.
struct Network<'a> {
    step: fn(&Moment<'_>, &State) -> State,
    call: &'a Call,
    plan: Plan,
    format: &'static FloatFormat,
    /// Whether the state is multiplied by R as it stands, not by its transpose.
    is_literal: bool,
    outputs: RefCell<BTreeMap<u32, Rc<Outputs>>>,
}

impl Network<'_> {
    fn outputs(&self, bits: u32) -> Rc<Outputs> {
        if let Some(outputs) = self.outputs.borrow().get(&bits) {
            return Rc::clone(outputs);
        }
        let outputs = Rc::new(self.computed(bits));
        self.outputs.borrow_mut().insert(bits, Rc::clone(&outputs));
        outputs
    }

    /// So many numbers of an input from a place on; none where it is left out.
    fn numbers(&self, input: usize, from: usize, count: usize, bits: u32) -> Vec<Computed> {
        let tensor = self.call.inputs.get(input).and_then(Option::as_ref);
        let numbers = |tensor| (from..from + count).map(|at| value(tensor, at, bits)).collect();
        tensor.map_or_else(Vec::new, numbers)
    }

    fn weights(&self, direction: usize, bits: u32) -> Weights {
        let Plan { inputs, hidden, form, .. } = &self.plan;
        let rows = form.gates * hidden;
        let of = |input: usize, count: usize| self.numbers(input, direction * count, count, bits);
        let mut recurrent = of(R, rows * hidden);
        if self.is_literal {
            recurrent
                .chunks_mut((hidden * hidden).max(1))
                .for_each(|gate| transpose(gate, *hidden));
        }
        Weights {
            input: of(W, rows * inputs),
            recurrent,
            bias: of(B, 2 * rows),
            peepholes: if form.has_cell { of(P, 3 * hidden) } else { Vec::new() },
        }
    }

    fn computed(&self, bits: u32) -> Outputs {
        let Plan { steps, batch, inputs, hidden, directions, .. } = &self.plan;
        let by = Arithmetic::of(self.format, bits);
        let is_sonnx = self.call.specification == Specification::Sonnx;
        let ulps = if is_sonnx { ULPS_SONNX } else { ULPS };
        let padding = Computed::open(Exact::Undefined, PADDING);
        let mut all = vec![padding; steps * directions.len() * batch * hidden];
        let mut last = Vec::with_capacity(directions.len() * batch);
        for (direction, &is_reverse) in directions.iter().enumerate() {
            let weights = self.weights(direction, bits);
            for sequence in 0..*batch {
                let length = self.plan.length(sequence);
                let mut state = self.initial(direction, sequence, bits);
                for step in 0..length {
                    let step = if is_reverse { length - 1 - step } else { step };
                    let x = self.numbers(X, self.plan.at_step(step, sequence), *inputs, bits);
                    let moment = Moment {
                        call: self.call,
                        plan: &self.plan,
                        by,
                        weights: &weights,
                        direction,
                        ulps,
                        x,
                    };
                    state = (self.step)(&moment, &state);
                    let from = ((step * directions.len() + direction) * batch + sequence) * hidden;
                    for (to, own) in all.iter_mut().skip(from).zip(&state.hidden) {
                        to.clone_from(own);
                    }
                }
                if length == 0 {
                    let open = || vec![Computed::open(Exact::Undefined, EMPTY); *hidden];
                    state = State { hidden: open(), cell: open() };
                }
                last.push(state);
            }
        }
        Outputs { hidden: all, last }
    }

    fn initial(&self, direction: usize, sequence: usize, bits: u32) -> State {
        let from = self.plan.at_state(direction, sequence);
        let state = |input: usize| {
            let given = self.numbers(input, from, self.plan.hidden, bits);
            let zero = || Computed::element(self.format, 0, bits);
            if given.is_empty() { vec![zero(); self.plan.hidden] } else { given }
        };
        let cell = if self.plan.form.has_cell { state(INITIAL_C) } else { Vec::new() };
        State { hidden: state(INITIAL_H), cell }
    }

    fn is_too_large(&self) -> bool {
        self.plan.products() > MOST
    }

    /// An element of an output.
    fn of_output(&self, at: usize, index: usize, bits: u32) -> Computed {
        match at {
            0 => self.of_y(index, bits),
            _ => self.of_last(index, at == 2, bits),
        }
    }

    /// The step, direction, sequence and unit that an element of an output comes from.
    fn place(&self, at: usize, index: usize) -> [usize; 4] {
        if at == 0 {
            return self.plan.of_y(index);
        }
        let [direction, sequence, unit] = self.plan.of_state(index);
        let last = self.plan.length(sequence).saturating_sub(1);
        let is_reverse = self.plan.directions.get(direction) == Some(&true);
        [if is_reverse { 0 } else { last }, direction, sequence, unit]
    }

    /// An element of Y.
    fn of_y(&self, index: usize, bits: u32) -> Computed {
        let [step, direction, sequence, unit] = self.plan.of_y(index);
        let Plan { batch, hidden, directions, .. } = &self.plan;
        let at = ((step * directions.len() + direction) * batch + sequence) * hidden + unit;
        self.element(|outputs| outputs.hidden.get(at).cloned(), bits)
    }

    /// An element of a last state.
    fn of_last(&self, index: usize, is_cell: bool, bits: u32) -> Computed {
        let [direction, sequence, unit] = self.plan.of_state(index);
        let of = |outputs: &Outputs| {
            let state = outputs.last.get(direction * self.plan.batch + sequence)?;
            let numbers = if is_cell { &state.cell } else { &state.hidden };
            numbers.get(unit).cloned()
        };
        self.element(of, bits)
    }

    fn element(&self, of: impl Fn(&Outputs) -> Option<Computed>, bits: u32) -> Computed {
        let open = || Computed::open(Exact::Undefined, TOO_MANY);
        if self.is_too_large() {
            return open();
        }
        of(&self.outputs(bits)).unwrap_or_else(open)
    }

    /// The input of the step that an element is of, number by number, each with what it meets first: its weight in the first
    /// gate, one of the state, and the unit's own of whatever else is given.
    fn operands(&self, [step, direction, sequence, unit]: [usize; 4]) -> Vec<Element> {
        let Plan { inputs, hidden, form, .. } = &self.plan;
        let rows = form.gates * hidden;
        let state = self.plan.at_state(direction, sequence) + unit;
        let row = direction * rows + unit;
        let mut all = Vec::new();
        for number in 0..*inputs {
            let places = [
                (X, self.plan.at_step(step, sequence) + number),
                (W, row * inputs + number),
                (R, row * hidden + number % (*hidden).max(1)),
                (B, direction * 2 * rows + unit),
                (LENGTHS, sequence),
                (INITIAL_H, state),
                (INITIAL_C, state),
                (P, direction * 3 * hidden + unit),
            ];
            all.extend(
                places.into_iter().filter_map(|(input, at)| {
                    Element::of(self.call.inputs.get(input)?.as_ref()?, at)
                }),
            );
        }
        all
    }
}

impl Recurrent {
    fn plan(&self, call: &Call) -> Result<Plan, Invalid> {
        let plan = Plan::of(call, self.form)?;
        (self.check)(call, &plan)?;
        Ok(plan)
    }
}

impl Reference for Recurrent {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let plan = self.plan(call)?;
        let [y, state] = plan.shapes();
        let dtype = call.input(X)?.dtype();
        let mut types = vec![super::super::picking::bounded(call, dtype, y)?];
        for _ in 1..call.version.outputs.len() {
            types.push(super::super::picking::bounded(call, dtype, state.clone())?);
        }
        Ok(types)
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(plan), Ok(x)) = (self.plan(call), call.input(X)) else { return Vec::new() };
        let Some(format) = format_of(x.dtype()) else { return Vec::new() };
        let is_stated_twice = call.version.since < TRANSPOSED && plan.hidden > 1;
        let readings = if is_stated_twice { &[false, true][..] } else { &[false] };
        let network = |&is_literal: &bool| {
            let (step, plan) = (self.step, plan.clone());
            let outputs = RefCell::default();
            Rc::new(Network { step, call, plan, format, is_literal, outputs })
        };
        let networks: Vec<_> = readings.iter().map(network).collect();
        let asked = (0..call.version.outputs.len()).filter(|at| call.asks_for(*at));
        let output = |at: usize| -> Box<dyn Allowed + 'a> {
            let by = |network: &Rc<Network<'a>>| {
                let (own, other) = (Rc::clone(network), Rc::clone(network));
                let compute = move |index, bits| own.of_output(at, index, bits);
                let operands = move |index| other.operands(other.place(at, index));
                Elements::new(format, compute, operands)
            };
            Box::new(Readings(networks.iter().map(by).collect()))
        };
        asked.map(output).collect()
    }
}

/// Turns rows of a square matrix into columns.
fn transpose(square: &mut [Computed], size: usize) {
    for row in 0..size {
        for column in 0..row {
            square.swap(row * size + column, column * size + row);
        }
    }
}
