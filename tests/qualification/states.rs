//! CausalConvWithState and LinearAttention computed wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{Arithmetic, Indexing};
use onnx_conformance::dtype::DType::Float32;
use onnx_conformance::kernels::Attribute;
use onnx_conformance::tensor::{Tensor, Value};

use crate::accumulated::numbers;
use crate::arg_extremum::int;
use crate::defect::{Defect, Wrong};
use crate::request::{Request, picked};

const CAUSAL: &[&str] = &["CausalConvWithState"];
const LINEAR: &[&str] = &["LinearAttention"];

const WEIGHT: usize = 1;
const BIAS: usize = 2;
const PAST: usize = 3;
const DECAY: usize = 4;
const BETA: usize = 5;

/// A defect of requests of float32 alone that are not refused.
macro_rules! float32 {
    (|$request:ident, $right:ident| $result:expr) => {
        Wrong::Tensors(|$request, $right| {
            let is_single = |tensor: &Tensor| tensor.dtype() == Float32;
            match (&$right, $request.operands.iter().all(is_single)) {
                (Outcome::Outputs(_), true) => $result,
                _ => $right,
            }
        })
    };
}

fn operand<'r>(request: &'r Request<'_>, input: usize) -> Option<&'r Tensor> {
    request.operands.get((*request.places.get(input)?)?)
}

fn tensor(shape: &[usize], all: Vec<f32>) -> Tensor {
    Tensor::from_values(Float32, shape.to_vec(), all).unwrap()
}

/// The right outputs, with one of another outcome.
fn with_output(right: Outcome, other: Outcome, at: usize) -> Outcome {
    let (Outcome::Outputs(mut all), Outcome::Outputs(others)) = (right.clone(), other) else {
        return right;
    };
    if let (Some(to), Some(from)) = (all.get_mut(at), others.get(at)) {
        to.clone_from(from);
    }
    Outcome::Outputs(all)
}

/// The right outputs, with other elements of the first one.
fn of_output(right: Outcome, element: impl Fn(usize, f32) -> f32) -> Outcome {
    let Outcome::Outputs(mut all) = right else { return right };
    if let Some(Value::Tensor(output)) = all.first_mut() {
        let elements = numbers(output).into_iter().enumerate();
        *output = tensor(output.shape(), elements.map(|(at, x)| element(at, x)).collect());
    }
    Outcome::Outputs(all)
}

/// The request with the elements of an input at other places.
fn with_places(
    request: &Request<'_>,
    right: Outcome,
    input: usize,
    place: impl Fn(usize, usize) -> usize,
) -> Outcome {
    let mut other = request.clone();
    let Some(of) = other.given(input) else { return right };
    let line = of.shape().last().copied().unwrap_or(1).max(1);
    let all: Vec<usize> = (0..of.elements()).map(|at| place(at / line, at % line)).collect();
    *of = picked(of, &all, of.shape());
    other.computed()
}

/// The sums of CausalConvWithState with another activation, where it has one.
fn activated(request: &Request<'_>, right: Outcome, other: impl Fn(f32) -> f32) -> Outcome {
    match request.attributes.get("activation") {
        Some(Attribute::Text(name)) if name != "none" => {
            of_output(request.without("activation"), |_, x| other(x))
        }
        _ => right,
    }
}

/// How the steps of LinearAttention go wrong.
#[derive(Clone, Copy, Default)]
struct Steps {
    decays_after_the_write: bool,
    retrieves_before_the_decay: bool,
    reads_before_the_write: bool,
    reads_the_last_state: bool,
    decay_is_a_factor: bool,
    beta_of_the_value_alone: bool,
}

/// What comes of the steps, where there is anything to compute.
fn stepped(request: &Request<'_>, right: Outcome, steps: Steps) -> Outcome {
    let count = |name: &str| usize::try_from(int(request, name).unwrap_or(0)).unwrap_or(0);
    let [readers, heads] = [count("q_num_heads"), count("kv_num_heads")];
    let given = |input: usize| operand(request, input).map(numbers).unwrap_or_default();
    let all: Vec<Vec<f32>> = (0..6).map(given).collect();
    let [batch, tokens, _] = *request.operands[0].shape() else { return right };
    if all[..3].iter().any(Vec::is_empty) {
        return right;
    }
    let each = |at: usize, heads: usize| all[at].len() / (batch * tokens * heads);
    let (depth, width, shared) = (each(1, heads), each(2, heads), readers / heads);
    let rule = match request.attributes.get("update_rule") {
        Some(Attribute::Text(rule)) => rule.as_str(),
        _ => "gated_delta",
    };
    let (is_gated, is_delta) = (rule.starts_with("gated"), rule.ends_with("delta"));
    let scale = match request.attributes.get("scale") {
        Some(Attribute::Float(scale)) if *scale != 0.0 => f64::from(*scale),
        _ => 1.0 / (depth as f64).sqrt(),
    };
    // The number of an input for a token, a head and a place, of which there may be one for all.
    let number = |at: usize, heads: usize, token: usize, head: usize, place: usize| {
        let own = all[at].len() / (batch * tokens);
        let heads = if own < heads { 1 } else { heads };
        let (size, head) = (own / heads, if heads == 1 { 0 } else { head });
        f64::from(all[at][token * own + head * size + if size == 1 { 0 } else { place }])
    };
    let mut output = vec![0.0_f32; batch * tokens * readers * width];
    let mut states = Vec::new();
    for line in 0..batch * heads {
        let (instance, head) = (line / heads, line % heads);
        let of =
            |at: usize| all[PAST].get(line * depth * width + at).map_or(0.0, |x| f64::from(*x));
        let mut state: Vec<f64> = (0..depth * width).map(of).collect();
        let mut seen = Vec::new();
        for token in instance * tokens..(instance + 1) * tokens {
            let before = state.clone();
            let decay = |state: &mut Vec<f64>| {
                for (at, own) in state.iter_mut().enumerate().filter(|_| is_gated) {
                    let log = number(DECAY, heads, token, head, at / width);
                    *own *= if steps.decay_is_a_factor { log } else { log.exp() };
                }
            };
            if !steps.decays_after_the_write {
                decay(&mut state);
            }
            let kept =
                if steps.retrieves_before_the_decay { before.clone() } else { state.clone() };
            for (at, own) in state.iter_mut().enumerate() {
                let (row, column) = (at / width, at % width);
                let mut written = number(2, heads, token, head, column);
                if is_delta {
                    let terms = (0..depth)
                        .map(|row| kept[row * width + column] * number(1, heads, token, head, row));
                    let beta = number(BETA, heads, token, head, 0);
                    let known: f64 = terms.sum();
                    written = match steps.beta_of_the_value_alone {
                        true => beta * written - known,
                        false => beta * (written - known),
                    };
                }
                *own += number(1, heads, token, head, row) * written;
            }
            if steps.decays_after_the_write {
                decay(&mut state);
            }
            seen.push(if steps.reads_before_the_write { before } else { state.clone() });
        }
        for (token, own) in seen.iter().enumerate() {
            let own = if steps.reads_the_last_state { &state } else { own };
            let token = instance * tokens + token;
            for reader in head * shared..(head + 1) * shared {
                for column in 0..width {
                    let terms = (0..depth).map(|row| {
                        own[row * width + column] * number(0, readers, token, reader, row)
                    });
                    output[(token * readers + reader) * width + column] =
                        (scale * terms.sum::<f64>()) as f32;
                }
            }
        }
        states.extend(state.into_iter().map(|x| x as f32));
    }
    let output: Value = tensor(&[batch, tokens, readers * width], output).into();
    let state: Value = tensor(&[batch, heads, depth, width], states).into();
    Outcome::Outputs(vec![output, state])
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "causalconv-weights-reversed",
        class: Indexing,
        says: "The first weight meets the element itself, and the last one the earliest.",
        operators: CAUSAL,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            let size = request.operands[WEIGHT].shape()[2];
            with_places(request, right, WEIGHT, |line, tap| line * size + size - 1 - tap)
        }),
    },
    Defect {
        id: "causalconv-weights-of-the-first-channel",
        class: Indexing,
        says: "All channels are convolved with the weights of the first one.",
        operators: CAUSAL,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| with_places(request, right, WEIGHT, |_, tap| tap)),
    },
    Defect {
        id: "causalconv-one-place-ahead",
        class: Indexing,
        says: "Sums end with the element after the place.",
        operators: CAUSAL,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            let length = request.operands[0].shape()[2];
            let next = |line: usize, place: usize| line * length + (place + 1).min(length - 1);
            let other = with_places(request, right.clone(), 0, next);
            with_output(right, other, 0)
        }),
    },
    Defect {
        id: "causalconv-state-not-used",
        class: Indexing,
        says: "Zeros are in front of the input, though there is a state.",
        operators: CAUSAL,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            let mut other = request.clone();
            other.leave_out(PAST);
            with_output(right, other.computed(), 0)
        }),
    },
    Defect {
        id: "causalconv-state-of-a-short-input-forgotten",
        class: Indexing,
        says: "Zeros come into the next state, where the input is shorter than it and there was a state.",
        operators: CAUSAL,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            let mut other = request.clone();
            other.leave_out(PAST);
            with_output(right, other.computed(), 1)
        }),
    },
    Defect {
        id: "causalconv-state-not-renewed",
        class: Indexing,
        says: "The next state is the one that was given.",
        operators: CAUSAL,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| match (operand(request, PAST), right) {
            (Some(past), Outcome::Outputs(mut all)) => {
                all.truncate(1);
                all.push(past.clone().into());
                Outcome::Outputs(all)
            }
            (_, right) => right,
        }),
    },
    Defect {
        id: "causalconv-bias-dropped",
        class: Arithmetic,
        says: "The bias is not added.",
        operators: CAUSAL,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, _right| {
            let mut other = request.clone();
            other.leave_out(BIAS);
            other.computed()
        }),
    },
    Defect {
        id: "causalconv-swish-without-effect",
        class: Arithmetic,
        says: "The second name of the activation is not known, and none is computed.",
        operators: CAUSAL,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| match request.attributes.get("activation") {
            Some(Attribute::Text(name)) if name == "swish" => request.without("activation"),
            _ => right,
        }),
    },
    Defect {
        id: "causalconv-sigmoid-for-silu",
        class: Arithmetic,
        says: "The activation is the sigmoid alone.",
        operators: CAUSAL,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| activated(request, right, |x| 1.0 / (1.0 + (-x).exp()))),
    },
    Defect {
        id: "causalconv-hard-swish",
        class: Arithmetic,
        says: "The sigmoid of the activation is a line between 0 and 1.",
        operators: CAUSAL,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            activated(request, right, |x| x * (x / 6.0 + 0.5).clamp(0.0, 1.0))
        }),
    },
    Defect {
        id: "linearattention-scale-of-the-values",
        class: Arithmetic,
        says: "The scale is 1 divided by the root of the number of a value's numbers.",
        operators: LINEAR,
        types: &[Float32],
        caught_by: "onnx",
        wrong: float32!(|request, right| {
            let heads = int(request, "kv_num_heads").unwrap_or(1).max(1) as f32;
            let width = request.operands[2].shape()[2] as f32 / heads;
            match request.attributes.get("scale") {
                Some(Attribute::Float(scale)) if *scale != 0.0 => right,
                _ if width == 0.0 => right,
                _ => request.with("scale", Some(Attribute::Float(width.sqrt().recip()))).computed(),
            }
        }),
    },
    Defect {
        id: "linearattention-scale-of-zero",
        class: Arithmetic,
        says: "A scale of 0 multiplies the output by 0.",
        operators: LINEAR,
        types: &[Float32],
        caught_by: "onnx",
        wrong: float32!(|request, right| match request.attributes.get("scale") {
            Some(Attribute::Float(scale)) if *scale == 0.0 => of_output(right, |_, x| x * 0.0),
            _ => right,
        }),
    },
    Defect {
        id: "linearattention-groups-interleaved",
        class: Indexing,
        says: "Heads of queries share the heads of keys in turn, not in groups.",
        operators: LINEAR,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            let count = |name: &str| int(request, name).unwrap_or(1).max(1) as usize;
            let [readers, heads] = [count("q_num_heads"), count("kv_num_heads")];
            let shared = readers / heads;
            // The head that stands in the place of another, and the other way round.
            let own = |head: usize| head % shared * heads + head / shared;
            let back = |head: usize| head % heads * shared + head / heads;
            let reordered = |of: &Tensor, from: &dyn Fn(usize) -> usize| {
                let size = of.shape()[2] / readers;
                let place = |at: usize| {
                    let (row, within) = (at / size, at % size);
                    (row / readers * readers + from(row % readers)) * size + within
                };
                let all: Vec<usize> = (0..of.elements()).map(place).collect();
                picked(of, &all, of.shape())
            };
            let mut other = request.clone();
            other.operands[0] = reordered(&request.operands[0], &own);
            match other.computed() {
                Outcome::Outputs(mut all) => {
                    if let Some(Value::Tensor(output)) = all.first_mut() {
                        *output = reordered(output, &back);
                    }
                    Outcome::Outputs(all)
                }
                _ => right,
            }
        }),
    },
    Defect {
        id: "linearattention-state-not-used",
        class: Indexing,
        says: "The first token meets a state of zeros, though another one is given.",
        operators: LINEAR,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, _right| {
            let mut other = request.clone();
            other.leave_out(PAST);
            other.computed()
        }),
    },
    Defect {
        id: "linearattention-decay-of-the-first-row",
        class: Indexing,
        says: "All rows of a head decay as the first one does.",
        operators: LINEAR,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            let heads = int(request, "kv_num_heads").unwrap_or(1).max(1) as usize;
            let Some(decay) = operand(request, DECAY) else { return right };
            let line = decay.shape()[2];
            let size = (line / heads).max(1);
            with_places(request, right, DECAY, |row, at| row * line + at / size * size)
        }),
    },
    Defect {
        id: "linearattention-decay-as-a-factor",
        class: Arithmetic,
        says: "The decay multiplies the state, and not its power of e.",
        operators: LINEAR,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            stepped(request, right, Steps { decay_is_a_factor: true, ..Steps::default() })
        }),
    },
    Defect {
        id: "linearattention-decays-after-the-write",
        class: Arithmetic,
        says: "What a token writes decays with the state before it.",
        operators: LINEAR,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            stepped(request, right, Steps { decays_after_the_write: true, ..Steps::default() })
        }),
    },
    Defect {
        id: "linearattention-retrieves-before-the-decay",
        class: Arithmetic,
        says: "What the state has for a key is taken from it before it decays.",
        operators: LINEAR,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            stepped(request, right, Steps { retrieves_before_the_decay: true, ..Steps::default() })
        }),
    },
    Defect {
        id: "linearattention-beta-of-the-value-alone",
        class: Arithmetic,
        says: "Beta multiplies the value, and not what the state has for the key.",
        operators: LINEAR,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            stepped(request, right, Steps { beta_of_the_value_alone: true, ..Steps::default() })
        }),
    },
    Defect {
        id: "linearattention-reads-before-the-write",
        class: Indexing,
        says: "A query reads the state before its own token.",
        operators: LINEAR,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            stepped(request, right, Steps { reads_before_the_write: true, ..Steps::default() })
        }),
    },
    Defect {
        id: "linearattention-reads-the-last-state",
        class: Indexing,
        says: "All queries read the state after the last token.",
        operators: LINEAR,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            stepped(request, right, Steps { reads_the_last_state: true, ..Steps::default() })
        }),
    },
];
