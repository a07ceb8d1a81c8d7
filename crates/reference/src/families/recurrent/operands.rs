//! The operands of a recurrent operator: their shapes, and where each number lies in them.

use values::tensor::Tensor;

use super::super::picking;
use super::activation::Activation;
use crate::operator::{Call, Invalid};

/// What kind of cell it is.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    /// Matrices of weights, one above the other.
    pub(crate) gates: usize,
    /// The activation functions of a direction where none are named.
    pub(crate) functions: &'static [&'static str],
    /// Whether there is a state of the cell beside the hidden one, and weights by which it is seen.
    pub(crate) has_cell: bool,
}

/// A call with everything that its shapes and attributes say.
#[derive(Clone)]
pub(crate) struct Plan {
    pub(crate) steps: usize,
    pub(crate) batch: usize,
    pub(crate) inputs: usize,
    pub(crate) hidden: usize,
    /// Of each direction whether it is the reverse one.
    pub(crate) directions: Vec<bool>,
    /// Whether the batch comes before steps and directions.
    pub(crate) is_batch_first: bool,
    /// The length of each sequence, all steps where none is given.
    lengths: Option<Vec<usize>>,
    /// The functions of each direction.
    pub(crate) activations: Vec<Vec<Activation>>,
    /// The threshold, as bits of a float32.
    pub(crate) clip: Option<u32>,
    pub(crate) form: Form,
}

/// The places of the inputs.
pub(crate) const X: usize = 0;
pub(crate) const W: usize = 1;
pub(crate) const R: usize = 2;
pub(crate) const B: usize = 3;
pub(crate) const LENGTHS: usize = 4;
pub(crate) const INITIAL_H: usize = 5;
pub(crate) const INITIAL_C: usize = 6;
pub(crate) const P: usize = 7;

impl Plan {
    pub(crate) fn of(call: &Call, form: Form) -> Result<Self, Invalid> {
        let directions = match call.text("direction").unwrap_or_default() {
            "reverse" => vec![true],
            "bidirectional" => vec![false, true],
            _ => vec![false],
        };
        let is_batch_first = match call.int("layout").unwrap_or(0) {
            0 => false,
            1 => true,
            _ => return Err(call.invalid("takes no `layout` but 0 and 1")),
        };
        let &[first, second, inputs] = call.input(X)?.shape() else {
            return Err(call.invalid("takes X of three dimensions"));
        };
        let (steps, batch) = if is_batch_first { (second, first) } else { (first, second) };
        let &[_, _, hidden] = call.input(R)?.shape() else {
            return Err(call.invalid("takes R of three dimensions"));
        };
        if call.int("hidden_size").is_some_and(|size| usize::try_from(size) != Ok(hidden)) {
            return Err(call.invalid("takes a `hidden_size` that is R's"));
        }
        let count = directions.len();
        let rows = |gates: usize| {
            hidden.checked_mul(gates).ok_or_else(|| call.invalid("has too many gates"))
        };
        let states =
            if is_batch_first { vec![batch, count, hidden] } else { vec![count, batch, hidden] };
        let wanted = [
            (W, vec![count, rows(form.gates)?, inputs]),
            (R, vec![count, rows(form.gates)?, hidden]),
            (B, vec![count, rows(2 * form.gates)?]),
            (LENGTHS, vec![batch]),
            (INITIAL_H, states.clone()),
            (INITIAL_C, states),
            (P, vec![count, rows(3)?]),
        ];
        for (at, shape) in wanted {
            let given = call.inputs.get(at).and_then(Option::as_ref).map(Tensor::shape);
            if given.is_some_and(|given| given != shape) {
                let name = call.version.input(at).map_or("", |port| port.name);
                return Err(call.invalid(&format!("takes {name} of shape {shape:?}")));
            }
        }
        let clip = call.float("clip");
        if clip.is_some_and(|bits| f32::from_bits(bits).is_nan() || bits >> 31 == 1) {
            return Err(call.invalid("takes no `clip` below 0"));
        }
        Ok(Self {
            steps,
            batch,
            inputs,
            hidden,
            lengths: lengths(call, steps)?,
            activations: activations(call, form, directions.len())?,
            directions,
            is_batch_first,
            clip,
            form,
        })
    }

    /// The shape of Y, and that of the last states.
    pub(crate) fn shapes(&self) -> [Vec<usize>; 2] {
        let Self { steps, batch, hidden, .. } = *self;
        let directions = self.directions.len();
        match self.is_batch_first {
            true => [vec![batch, steps, directions, hidden], vec![batch, directions, hidden]],
            false => [vec![steps, directions, batch, hidden], vec![directions, batch, hidden]],
        }
    }

    /// Step, direction, sequence and unit of an element of Y.
    pub(crate) fn of_y(&self, index: usize) -> [usize; 4] {
        let (rest, unit) = divided(index, self.hidden);
        let directions = self.directions.len();
        if self.is_batch_first {
            let (rest, direction) = divided(rest, directions);
            let (sequence, step) = divided(rest, self.steps);
            return [step, direction, sequence, unit];
        }
        let (rest, sequence) = divided(rest, self.batch);
        let (step, direction) = divided(rest, directions);
        [step, direction, sequence, unit]
    }

    /// Direction, sequence and unit of an element of a state.
    pub(crate) fn of_state(&self, index: usize) -> [usize; 3] {
        let (rest, unit) = divided(index, self.hidden);
        if self.is_batch_first {
            let (sequence, direction) = divided(rest, self.directions.len());
            return [direction, sequence, unit];
        }
        let (direction, sequence) = divided(rest, self.batch);
        [direction, sequence, unit]
    }

    /// The place in X of the first number of a step.
    pub(crate) const fn at_step(&self, step: usize, sequence: usize) -> usize {
        let Self { steps, batch, inputs, .. } = *self;
        if self.is_batch_first {
            (sequence * steps + step) * inputs
        } else {
            (step * batch + sequence) * inputs
        }
    }

    /// The place of the first number of a state.
    pub(crate) fn at_state(&self, direction: usize, sequence: usize) -> usize {
        let before = match self.is_batch_first {
            true => sequence * self.directions.len() + direction,
            false => direction * self.batch + sequence,
        };
        before * self.hidden
    }

    /// The length of a sequence.
    pub(crate) fn length(&self, sequence: usize) -> usize {
        let given = self.lengths.as_ref().and_then(|lengths| lengths.get(sequence));
        given.copied().unwrap_or(self.steps)
    }

    /// How many products there are at most, and one for each state.
    pub(crate) fn products(&self) -> u128 {
        let all =
            [self.steps.max(1), self.batch, self.directions.len(), self.form.gates, self.hidden];
        let rows = all.iter().fold(1_u128, |product, &count| product.saturating_mul(count as u128));
        rows.saturating_mul(self.inputs as u128 + self.hidden as u128 + 1)
    }
}

const fn divided(index: usize, by: usize) -> (usize, usize) {
    let by = if by == 0 { 1 } else { by };
    (index / by, index % by)
}

/// The length of each sequence, where they are given.
fn lengths(call: &Call, steps: usize) -> Result<Option<Vec<usize>>, Invalid> {
    let Some(given) = call.inputs.get(LENGTHS).and_then(Option::as_ref) else { return Ok(None) };
    let length = |length: i64| usize::try_from(length).ok().filter(|length| *length <= steps);
    let all: Option<Vec<usize>> = picking::integers(given).map(length).collect();
    all.map(Some).ok_or_else(|| call.invalid("takes sequences no longer than X"))
}

/// The functions of each direction.
fn activations(
    call: &Call,
    form: Form,
    directions: usize,
) -> Result<Vec<Vec<Activation>>, Invalid> {
    let count = form.functions.len();
    let named = match call.attributes.contains_key("activations") {
        true => call.texts("activations"),
        false => None,
    };
    let named = named.unwrap_or_else(|| form.functions.repeat(directions));
    if named.len() != count * directions {
        let told = format!("takes {count} activation functions for each direction");
        return Err(call.invalid(&told));
    }
    let all = Activation::all(call, &named)?;
    Ok(all.chunks(count.max(1)).map(<[Activation]>::to_vec).collect())
}
