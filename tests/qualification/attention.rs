//! Attention computed wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Indexing, SpecialValues,
};
use onnx_conformance::dtype::DType::{Bool, Float32};
use onnx_conformance::kernels::Attribute;
use onnx_conformance::tensor::{Tensor, Value};

use crate::arg_extremum::int;
use crate::defect::{Defect, Wrong};
use crate::request::{Request, picked};

const ATTENTION: &[&str] = &["Attention"];
const BOTH: &str = "onnx onnx-1.22.0 onnx-1.22.0-exact";

const MASK: usize = 3;
const PAST_KEY: usize = 4;
const PAST_VALUE: usize = 5;
const LENGTHS: usize = 6;

/// A defect of requests of float32 alone that are not refused.
macro_rules! float32 {
    (|$request:ident, $right:ident| $result:expr) => {
        Wrong::Tensors(|$request, $right| {
            let is_single = |tensor: &Tensor| tensor.dtype() == Float32;
            match (&$right, $request.operands.iter().take(3).all(is_single)) {
                (Outcome::Outputs(_), true) => $result,
                _ => $right,
            }
        })
    };
}

fn operand<'r>(request: &'r Request<'_>, input: usize) -> Option<&'r Tensor> {
    request.operands.get((*request.places.get(input)?)?)
}

/// The right outputs, with Y of another outcome.
fn with_output(right: Outcome, other: Outcome) -> Outcome {
    let (Outcome::Outputs(all), Outcome::Outputs(others)) = (&right, other) else { return right };
    let first = others.into_iter().take(1);
    Outcome::Outputs(first.chain(all.iter().skip(1).cloned()).collect())
}

/// The request with another mask, where it has none, with `is_causal` left out.
fn with_frontier(
    request: &Request<'_>,
    right: Outcome,
    is_seen: impl Fn(usize, usize) -> bool,
) -> Outcome {
    if int(request, "is_causal") != Some(1) || operand(request, MASK).is_some() {
        return right;
    }
    let [.., queries, _] = *request.operands[0].shape() else { return right };
    let [.., keys, _] = *request.operands[1].shape() else { return right };
    if request.operands[0].shape().len() != 4 {
        return right;
    }
    let past = operand(request, PAST_KEY).map_or(0, |past| past.shape()[2]);
    let keys = keys + past;
    let seen = |at: usize| u8::from(is_seen(at / keys, at % keys));
    let mask = (0..queries * keys).map(seen).collect();
    let mut other = request.with("is_causal", None);
    // Operands are in the order of the inputs that they are given for.
    other.operands.insert(MASK, Tensor::from_values(Bool, vec![queries, keys], mask).unwrap());
    let inputs = other.places.len().max(MASK + 1);
    other.places.resize(inputs, None);
    other.places.iter_mut().flatten().filter(|place| **place >= MASK).for_each(|place| *place += 1);
    other.places[MASK] = Some(MASK);
    with_output(right, other.computed())
}

/// A query: its scores, what is added to each, and what limits them.
struct Query {
    scores: Vec<f64>,
    bias: Vec<f64>,
    cap: f64,
}

impl Query {
    fn capped(&self, score: f64) -> f64 {
        if self.cap > 0.0 { (score / self.cap).tanh() * self.cap } else { score }
    }

    fn is_blind(&self) -> bool {
        self.bias.iter().all(|bias| *bias == f64::NEG_INFINITY)
    }
}

fn softmax(scores: impl Iterator<Item = f64>) -> Vec<f64> {
    let scores: Vec<f64> = scores.collect();
    let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = scores.iter().map(|score| (score - largest).exp()).collect();
    let sum: f64 = powers.iter().sum();
    powers.iter().map(|power| power / sum).collect()
}

/// Y with other weights, where heads have a dimension of their own and there is neither a past nor a count of tokens.
fn weighted(
    request: &Request<'_>,
    right: Outcome,
    weights: impl Fn(&Query) -> Vec<f64>,
) -> Outcome {
    let Outcome::Outputs(outputs) = &right else { return right };
    let [q, k, v] = [0, 1, 2].map(|at| &request.operands[at]);
    let ([batch, heads, queries, size], [_, key_heads, keys, _]) = (q.shape(), k.shape()) else {
        return right;
    };
    let (batch, heads, queries, size) = (*batch, *heads, *queries, *size);
    let (key_heads, keys, width) = (*key_heads, *keys, v.shape()[3]);
    let others = [PAST_KEY, LENGTHS].map(|at| operand(request, at).is_some());
    let is_windowed = ["left_window_size", "right_window_size"]
        .iter()
        .any(|name| int(request, name).is_some_and(|size| size >= 0));
    if others.contains(&true) || is_windowed || q.elements() * keys * width == 0 {
        return right;
    }
    let number =
        |tensor: &Tensor, at: usize| f64::from(f32::from_bits(tensor.element(at).unwrap() as u32));
    let float = |name: &str| match request.attributes.get(name) {
        Some(Attribute::Float(value)) => Some(f64::from(*value)),
        _ => None,
    };
    let scale = float("scale").unwrap_or_else(|| 1.0 / (size as f64).sqrt());
    let mask = operand(request, MASK);
    let columns = mask.and_then(|mask| mask.shape().last().copied()).unwrap_or(keys);
    let bias = |places: [usize; 4]| {
        let Some(mask) = mask else { return 0.0 };
        if columns != 1 && places[3] >= columns {
            return f64::NEG_INFINITY;
        }
        let sizes = mask.shape();
        let own = places.iter().skip(4 - sizes.len()).zip(sizes);
        let at = own.fold(0, |at, (place, size)| at * size + if *size == 1 { 0 } else { *place });
        match mask.dtype() {
            Bool if mask.element(at) == Some(0) => f64::NEG_INFINITY,
            Float32 => number(mask, at),
            _ => 0.0,
        }
    };
    let mut all = vec![0_f32; batch * heads * queries * width];
    for (row, to) in all.chunks_mut(width).enumerate() {
        let (head, query) = (row / queries, row % queries);
        let (instance, head) = (head / heads, head % heads);
        let from = (instance * key_heads + head / (heads / key_heads)) * keys;
        let score = |key: usize| {
            let product =
                |at: usize| number(q, row * size + at) * number(k, (from + key) * size + at);
            (0..size).map(product).sum::<f64>() * scale
        };
        let added = |key: usize| match int(request, "is_causal") == Some(1) && key > query {
            true => f64::NEG_INFINITY,
            false => bias([instance, head, query, key]),
        };
        let own = Query {
            scores: (0..keys).map(score).collect(),
            bias: (0..keys).map(added).collect(),
            cap: float("softcap").unwrap_or(0.0),
        };
        let weights = weights(&own);
        for (place, to) in to.iter_mut().enumerate() {
            let term = |key: usize| weights[key] * number(v, (from + key) * width + place);
            *to = (0..keys).filter(|key| weights[*key] != 0.0).map(term).sum::<f64>() as f32;
        }
    }
    let shape = vec![batch, heads, queries, width];
    let output: Value = Tensor::from_values(Float32, shape, all).unwrap().into();
    let rest = outputs.iter().skip(1).cloned();
    Outcome::Outputs(std::iter::once(output).chain(rest).collect())
}

/// The heads of a tensor of keys or values in another order.
fn reordered(tensor: &Tensor, heads: usize, head: impl Fn(usize) -> usize) -> Tensor {
    let [batch, own, tokens, size] = *tensor.shape() else { return tensor.clone() };
    let each = tokens * size;
    let place = |at: usize| {
        let (row, within) = (at / each, at % each);
        (row / heads * own + head(row % heads)) * each + within
    };
    let all: Vec<usize> = (0..batch * heads * each).map(place).collect();
    picked(tensor, &all, &[batch, heads, tokens, size])
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "attention-mask-after-softmax",
        class: Arithmetic,
        says: "The mask counts after the softmax: what is hidden has a share of the sum.",
        operators: ATTENTION,
        types: &[Float32],
        caught_by: BOTH,
        wrong: float32!(|request, right| {
            weighted(request, right, |query| {
                let shares = softmax(query.scores.iter().map(|score| query.capped(*score)));
                shares.iter().zip(&query.bias).map(|(share, bias)| share * bias.exp()).collect()
            })
        }),
    },
    Defect {
        id: "attention-softcap-after-mask",
        class: Arithmetic,
        says: "The limit counts after the mask, so that what is hidden is as far away as the limit.",
        operators: ATTENTION,
        types: &[Float32],
        caught_by: BOTH,
        wrong: float32!(|request, right| {
            weighted(request, right, |query| match query.is_blind() && query.cap == 0.0 {
                true => vec![0.0; query.scores.len()],
                false => {
                    let all = query.scores.iter().zip(&query.bias);
                    softmax(all.map(|(score, bias)| query.capped(score + bias)))
                }
            })
        }),
    },
    Defect {
        id: "attention-nan-where-nothing-is-seen",
        class: SpecialValues,
        says: "A query that sees no key has NaN, as the softmax of nothing but -infinity.",
        operators: ATTENTION,
        types: &[Float32],
        caught_by: "onnx",
        wrong: float32!(|request, right| {
            weighted(request, right, |query| {
                let all = query.scores.iter().zip(&query.bias);
                softmax(all.map(|(score, bias)| query.capped(*score) + bias))
            })
        }),
    },
    Defect {
        id: "attention-scaled-twice",
        class: Arithmetic,
        says: "The scale multiplies queries and keys, not its root.",
        operators: ATTENTION,
        types: &[Float32],
        caught_by: BOTH,
        wrong: float32!(|request, right| {
            let size = match *request.operands[0].shape() {
                [.., size] if request.operands[0].shape().len() == 4 => size,
                _ => return right,
            };
            let scale = match request.attributes.get("scale") {
                Some(Attribute::Float(scale)) => *scale,
                _ => 1.0 / (size as f32).sqrt(),
            };
            request.with("scale", Some(Attribute::Float(scale * scale))).computed()
        }),
    },
    Defect {
        id: "attention-groups-interleaved",
        class: Indexing,
        says: "Heads of queries share the heads of keys in turn, not in groups.",
        operators: ATTENTION,
        types: &[Float32],
        caught_by: BOTH,
        wrong: float32!(|request, right| {
            let ([_, heads, ..], [_, own, ..]) =
                (request.operands[0].shape(), request.operands[1].shape())
            else {
                return right;
            };
            let (heads, own) = (*heads, *own);
            if request.operands[0].shape().len() != 4 || heads == own {
                return right;
            }
            let mut other = request.with("kv_num_heads", None);
            for at in [1, 2, PAST_KEY, PAST_VALUE] {
                if let Some(tensor) = other.given(at) {
                    *tensor = reordered(tensor, heads, |head| head % own);
                }
            }
            with_output(right, other.computed())
        }),
    },
    Defect {
        id: "attention-past-dropped",
        class: Indexing,
        says: "Queries see the new keys alone, though the present has those of the past.",
        operators: ATTENTION,
        types: &[Float32],
        caught_by: "onnx",
        wrong: float32!(|request, right| {
            let mut other = request.clone();
            other.leave_out(PAST_KEY);
            other.leave_out(PAST_VALUE);
            with_output(right, other.computed())
        }),
    },
    Defect {
        id: "attention-frontier-from-the-lower-right",
        class: Indexing,
        says: "Without a past the last query sees all keys, however many there are.",
        operators: ATTENTION,
        types: &[Float32],
        caught_by: BOTH,
        wrong: float32!(|request, right| {
            if operand(request, PAST_KEY).is_some() || operand(request, LENGTHS).is_some() {
                return right;
            }
            let [queries, keys] = [0, 1]
                .map(|at| request.operands[at].shape().iter().rev().nth(1).copied().unwrap_or(0));
            with_frontier(request, right, |query, key| key + queries <= query + keys)
        }),
    },
    Defect {
        id: "attention-frontier-without-the-past",
        class: Indexing,
        says: "The frontier begins at the upper left corner of all keys, those of the past counted.",
        operators: ATTENTION,
        types: &[Float32],
        caught_by: "onnx",
        wrong: float32!(|request, right| match operand(request, PAST_KEY).is_some() {
            true => with_frontier(request, right, |query, key| key <= query),
            false => right,
        }),
    },
    Defect {
        id: "attention-mask-shifted-by-one",
        class: Indexing,
        says: "Each key has the column of the mask after its own.",
        operators: ATTENTION,
        types: &[Float32],
        caught_by: BOTH,
        wrong: float32!(|request, right| {
            let mut other = request.clone();
            let Some(mask) = other.given(MASK) else { return right };
            let columns = mask.shape().last().copied().unwrap_or(1).max(1);
            let all: Vec<usize> = (0..mask.elements())
                .map(|at| at / columns * columns + (at % columns + 1) % columns)
                .collect();
            *mask = picked(mask, &all, mask.shape());
            other.computed()
        }),
    },
    Defect {
        id: "attention-frontier-from-the-first-key-with-counts",
        class: Indexing,
        says: "With counts of tokens the frontier begins at the upper left corner, as the text of onnx 1.22 has it.",
        operators: ATTENTION,
        types: &[Float32],
        caught_by: "onnx",
        wrong: float32!(|request, right| match operand(request, LENGTHS).is_some() {
            true => with_frontier(request, right, |query, key| key <= query),
            false => right,
        }),
    },
    Defect {
        id: "attention-window-off-by-one",
        class: Indexing,
        says: "A window has one more key before the query.",
        operators: ATTENTION,
        types: &[Float32],
        caught_by: "onnx",
        wrong: float32!(|request, right| match int(request, "left_window_size") {
            Some(size @ 0..) => {
                request.with("left_window_size", Some(Attribute::Int(size + 1))).computed()
            }
            _ => right,
        }),
    },
];
