//! Attention: each query's scores in the type of Q, their softmax in that of `softmax_precision`, and the values that this weights. All is
//! computed in binary64 and rounded where a tensor of the operator would be; what a query does not see is left out of all sums.

use super::arg_extremum::switch;
use super::quantization::{encoded, packed, rounded, value};
use super::reshaping::{integer, integers, refused};
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::types::FLOATS;
use super::{Attribute, Broadcast, Call, Kernel, KernelError};
use values::dtype::DType::{
    self, Bfloat16, Bool, Float16, Float32, Float64, Int8, Int16, Int32, Int64, Uint8, Uint16,
    Uint32, Uint64,
};
use values::dtype::Kind;
use values::float::FloatFormat;
use values::tensor::Tensor;

pub(super) static ATTENTION: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Attention",
    inputs: &[
        Input::new("Q"),
        Input::new("K"),
        Input::free("V"),
        Input::of_any("attn_mask", MASKS).optional(),
        Input::new("past_key").optional(),
        Input::free("past_value").optional(),
        Input::of("nonpad_kv_seqlen", Int64).optional().since(24),
    ],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(23, FLOATS, ATTRIBUTES.split_at(7).0),
        Version::with(24, FLOATS, ATTRIBUTES.split_at(7).0),
        Version::with(25, FLOATS, &ATTRIBUTES),
    ],
    restricted: &[],
    run,
};

#[rustfmt::skip]
const MASKS: &[DType] = &[
    Bool, Bfloat16, Float16, Float32, Float64,
    Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64,
];

const ATTRIBUTES: [AttributeSpec; 9] = [
    switch("is_causal"),
    integer("kv_num_heads"),
    integer("q_num_heads"),
    AttributeSpec {
        name: "qk_matmul_output_mode",
        accepts: |value| matches!(value, Attribute::Int(0..=3)),
        expected: "0, 1, 2 or 3",
    },
    AttributeSpec::number("scale"),
    AttributeSpec::number("softcap"),
    AttributeSpec {
        name: "softmax_precision",
        accepts: |value| matches!(value, Attribute::Int(1 | 10 | 11 | 16)),
        expected: "the number of a float type of 16 bits or more",
    },
    window("left_window_size"),
    window("right_window_size"),
];

const fn window(name: &'static str) -> AttributeSpec {
    let accepts = |value: &Attribute| matches!(value, Attribute::Int(-1..));
    AttributeSpec { name, accepts, expected: "a number of places, or -1" }
}

/// A tensor by heads and tokens.
#[derive(Clone, Copy)]
struct Heads<'a> {
    tensor: &'a Tensor,
    batch: usize,
    heads: usize,
    tokens: usize,
    size: usize,
}

impl<'a> Heads<'a> {
    fn of(call: &Call<'_>, tensor: &'a Tensor, heads: &str) -> Result<Self, KernelError> {
        let is_free = !call.attributes.contains_key(heads);
        let given = usize::try_from(call.int(heads, 0)).unwrap_or_default();
        match *tensor.shape() {
            [batch, heads, tokens, size] if is_free || given == heads => {
                Ok(Self { tensor, batch, heads, tokens, size })
            }
            [batch, tokens, hidden] if given > 0 && hidden % given == 0 => {
                Ok(Self { tensor, batch, heads: given, tokens, size: hidden / given })
            }
            _ => Err(refused(call, "an input has no heads")),
        }
    }

    /// The place of the first element of a token.
    fn first(&self, batch: usize, head: usize, token: usize) -> usize {
        let row = match self.tensor.shape().len() {
            3 => (batch * self.tokens + token) * self.heads + head,
            _ => (batch * self.heads + head) * self.tokens + token,
        };
        row * self.size
    }
}

/// Tokens of a past and those that follow it.
struct Cache<'a> {
    past: Option<Heads<'a>>,
    new: Heads<'a>,
}

impl<'a> Cache<'a> {
    fn of(call: &Call<'_>, past: Option<&'a Tensor>, new: Heads<'a>) -> Result<Self, KernelError> {
        let Some(past) = past else { return Ok(Self { past: None, new }) };
        let (left, right) = (new.tensor.dtype(), past.dtype());
        if left != right {
            return Err(KernelError::TypesDiffer { operator: call.operator, left, right });
        }
        match *past.shape() {
            [batch, heads, tokens, size]
                if [batch, heads, size] == [new.batch, new.heads, new.size] =>
            {
                Ok(Self { past: Some(Heads { tensor: past, batch, heads, tokens, size }), new })
            }
            _ => Err(refused(call, "a past does not fit what follows it")),
        }
    }

    fn before(&self) -> usize {
        self.past.map_or(0, |past| past.tokens)
    }

    fn tokens(&self) -> usize {
        self.before() + self.new.tokens
    }

    /// The tensor that has a token, and the place of its first element.
    fn at(&self, batch: usize, head: usize, token: usize) -> (&'a Tensor, usize) {
        match (self.past, token.checked_sub(self.before())) {
            (Some(past), None) => (past.tensor, past.first(batch, head, token)),
            (_, new) => (self.new.tensor, self.new.first(batch, head, new.unwrap_or(token))),
        }
    }

    /// All tokens of all heads.
    fn present(&self) -> Result<Tensor, KernelError> {
        let Heads { batch, heads, size, .. } = self.new;
        let shape = [batch, heads, self.tokens(), size];
        packed(self.new.tensor.dtype(), &shape, |at| {
            let (row, place) = (at / size, at % size);
            let (head, token) = (row / self.tokens(), row % self.tokens());
            let (tensor, first) = self.at(head / heads, head % heads, token);
            tensor.element(first + place).unwrap_or_default() as u64
        })
    }
}

/// What a score of a query is worth.
#[derive(Clone, Copy)]
enum Seen {
    No,
    Plus(f64),
}

fn format(call: &Call<'_>, dtype: DType) -> Result<&'static FloatFormat, KernelError> {
    match dtype.kind() {
        Kind::Float(format) => Ok(format),
        _ => Err(KernelError::Type { operator: call.operator, dtype }),
    }
}

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let missing =
        || KernelError::Arity { operator: call.operator, expected: 3, actual: call.given.len() };
    let (Some(q), Some(k), Some(v)) = (call.input(0), call.input(1), call.input(2)) else {
        return Err(missing());
    };
    let own = format(call, q.dtype())?;
    let precise = match call.int("softmax_precision", 0) {
        1 => format(call, Float32)?,
        10 => format(call, Float16)?,
        11 => format(call, Float64)?,
        16 => format(call, Bfloat16)?,
        _ => own,
    };
    let query = Heads::of(call, q, "q_num_heads")?;
    let [new_k, new_v] = [k, v].map(|tensor| Heads::of(call, tensor, "kv_num_heads"));
    let (keys, values) =
        (Cache::of(call, call.input(4), new_k?)?, Cache::of(call, call.input(5), new_v?)?);
    let sizes =
        |cache: &Cache<'_>| [cache.new.batch, cache.new.heads, cache.new.tokens, cache.before()];
    let fit = [k, v].iter().all(|other| other.shape().len() == q.shape().len())
        && sizes(&keys) == sizes(&values)
        && keys.past.is_some() == values.past.is_some()
        && (keys.new.batch, keys.new.size) == (query.batch, query.size)
        && keys.new.heads > 0
        && query.heads % keys.new.heads == 0;
    if !fit {
        return Err(refused(call, "queries, keys and values do not fit together"));
    }
    let total = keys.tokens();
    let lengths = call.input(6).map(integers);
    if lengths.is_some() && (keys.past.is_some() || call.outputs > 1 && call.outputs < 4) {
        return Err(refused(call, "counts of tokens are for a cache that is kept elsewhere"));
    }
    if call.input(6).is_some_and(|lengths| *lengths.shape() != [query.batch]) {
        return Err(refused(call, "there is not one count of tokens for each instance"));
    }
    let longest = lengths.iter().flatten().copied().max().unwrap_or(0);
    let mask = call.input(3);
    let columns = match mask.and_then(|mask| mask.shape().last()) {
        Some(&columns) if call.operator.since_version() >= 24 => columns.min(total),
        _ => total,
    };
    if (columns as i64) < longest.min(total as i64) {
        return Err(refused(call, "the mask is shorter than the tokens that count"));
    }
    let places = mask.map(|mask| {
        let scores = [query.batch, query.heads, query.tokens, columns];
        Broadcast::unidirectional(&scores, &[&scores, mask.shape()])
            .map_err(|_| refused(call, "the mask cannot be broadcast to the scores"))
    });
    let places = places.transpose()?;
    let is_causal = call.int("is_causal", 0) == 1;
    let windows = [call.int("left_window_size", -1), call.int("right_window_size", -1)];
    let seen = |row: usize, token: usize| {
        let (instance, at) = (row / query.tokens / query.heads, row % query.tokens);
        let length = lengths.as_ref().map(|lengths| lengths[instance]);
        let offset = length
            .map_or(keys.before() as i64, |length| length.saturating_sub(query.tokens as i64));
        let ahead = token as i128 - at as i128 - i128::from(offset);
        if length.is_some_and(|length| token as i64 >= length)
            || is_causal && ahead > 0
            || windows[0] >= 0 && -ahead > i128::from(windows[0])
            || windows[1] >= 0 && ahead > i128::from(windows[1])
        {
            return Seen::No;
        }
        let (Some(mask), Some(places)) = (mask, &places) else { return Seen::Plus(0.0) };
        if token >= columns {
            return Seen::No;
        }
        let place = places.operand_index(1, row * columns + token).unwrap_or_default();
        match mask.dtype() {
            Bool if mask.element(place) == Some(0) => Seen::No,
            Bool => Seen::Plus(0.0),
            _ => Seen::Plus(value(mask, place)),
        }
    };
    let scale = match call.attributes.get("scale") {
        Some(_) => f64::from(call.float("scale", 1.0)),
        None => 1.0 / (query.size as f64).sqrt(),
    };
    let root = rounded(own, scale.sqrt());
    let cap = f64::from(call.float("softcap", 0.0));
    let mode = call.int("qk_matmul_output_mode", 0);
    let group = query.heads / keys.new.heads;
    let rows = query.batch * query.heads * query.tokens;
    let (size, width) = (query.size, values.new.size);
    let (mut outputs, mut shown) = (vec![0_u64; rows * width], vec![0_u64; rows * total]);
    for row in 0..rows {
        let (head, at) = (row / query.tokens, row % query.tokens);
        let (instance, head) = (head / query.heads, head % query.heads);
        let first = query.first(instance, head, at);
        let scores: Vec<f64> = (0..total)
            .map(|token| {
                let (tensor, start) = keys.at(instance, head / group, token);
                let terms = (0..size).map(|place| {
                    rounded(own, value(q, first + place) * root)
                        * rounded(own, value(tensor, start + place) * root)
                });
                rounded(own, terms.fold(0.0, |sum, term| sum + term))
            })
            .collect();
        let capped = |score: f64| match cap > 0.0 {
            true => rounded(own, (score / cap).tanh() * cap),
            false => score,
        };
        let sights: Vec<Seen> = (0..total).map(|token| seen(row, token)).collect();
        let biased: Vec<f64> = (scores.iter().zip(&sights))
            .map(|(score, sight)| match sight {
                Seen::No => f64::NEG_INFINITY,
                Seen::Plus(bias) => rounded(own, capped(*score) + bias),
            })
            .collect();
        let is_blind = sights.iter().all(|sight| match sight {
            Seen::No => true,
            Seen::Plus(bias) => *bias == f64::NEG_INFINITY,
        });
        let narrowed: Vec<f64> = biased.iter().map(|score| rounded(precise, *score)).collect();
        let largest = narrowed.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let powers: Vec<f64> = (narrowed.iter().zip(&sights))
            .map(|(score, sight)| match sight {
                Seen::No => 0.0,
                Seen::Plus(_) => (score - largest).exp(),
            })
            .collect();
        let sum: f64 = powers.iter().sum();
        let weights: Vec<f64> = (powers.iter())
            .map(|power| if is_blind { 0.0 } else { rounded(own, rounded(precise, power / sum)) })
            .collect();
        let last = match mode {
            0 => scores,
            1 => scores.into_iter().map(capped).collect(),
            2 => biased,
            _ => weights.clone(),
        };
        for (to, score) in shown[row * total..].iter_mut().zip(last) {
            *to = encoded(own, score, false);
        }
        let start = match q.shape().len() {
            3 => ((instance * query.tokens + at) * query.heads + head) * width,
            _ => row * width,
        };
        for place in 0..width {
            let term = |(token, weight): (usize, &f64)| {
                let (tensor, first) = values.at(instance, head / group, token);
                weight * rounded(own, value(tensor, first + place))
            };
            let seen = weights
                .iter()
                .enumerate()
                .filter(|(token, _)| !is_blind && matches!(sights[*token], Seen::Plus(_)));
            outputs[start + place] = encoded(own, seen.map(term).sum(), false);
        }
    }
    let mut shape = q.shape().to_vec();
    if let Some(last) = shape.last_mut() {
        *last = if q.shape().len() == 3 { query.heads * width } else { width };
    }
    let scores = [query.batch, query.heads, query.tokens, total];
    let all = [
        packed(q.dtype(), &shape, |at| outputs[at]),
        keys.present(),
        values.present(),
        packed(q.dtype(), &scores, |at| shown[at]),
    ];
    all.into_iter().take(call.outputs).collect()
}

#[cfg(test)]
mod tests;
