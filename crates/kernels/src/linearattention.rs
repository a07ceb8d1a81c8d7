//! LinearAttention: a state for each head of keys, which each token decays and writes to, and which queries read. All is computed token by token in
//! binary64, and rounded where it is given.

use super::elementwise::output;
use super::quantization::{encoded, format_of, packed, value};
use super::reshaping::{integer, refused};
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::types::{FLOATS, first};
use super::{Attribute, Call, Kernel, KernelError};
use values::dtype::DType::Float64;
use values::tensor::Tensor;

pub(super) static LINEARATTENTION: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "LinearAttention",
    inputs: &[
        Input::new("query"),
        Input::new("key"),
        Input::new("value"),
        Input::free("past_state").optional(),
        Input::new("decay").optional(),
        Input::new("beta").optional(),
    ],
    is_elementwise: false,
    slices: None,
    versions: &[Version::with(27, first(FLOATS, 3), &ATTRIBUTES)],
    restricted: &[],
    run,
};

const ATTRIBUTES: [AttributeSpec; 5] = [
    integer("chunk_size"),
    integer("kv_num_heads"),
    integer("q_num_heads"),
    AttributeSpec::number("scale"),
    AttributeSpec {
        name: "update_rule",
        accepts: |value| {
            let Attribute::Text(text) = value else { return false };
            ["linear", "gated", "delta", "gated_delta"].contains(&text.as_str())
        },
        expected: "`linear`, `gated`, `delta` or `gated_delta`",
    },
];

/// An operand of tokens with as many numbers for each head.
#[derive(Clone, Copy)]
struct Heads<'a> {
    tensor: &'a Tensor,
    heads: usize,
    size: usize,
}

impl<'a> Heads<'a> {
    /// That of a tensor of so many instances and tokens; `None` where its last dimension is not that of so many heads.
    fn of(tensor: &'a Tensor, tokens: [usize; 2], heads: usize) -> Option<Self> {
        match *tensor.shape() {
            [batch, own, width] if [batch, own] == tokens && width % heads == 0 => {
                Some(Self { tensor, heads, size: width / heads })
            }
            _ => None,
        }
    }

    /// A number of a head of a token.
    fn at(&self, token: usize, head: usize, place: usize) -> f64 {
        value(self.tensor, (token * self.heads + head) * self.size + place)
    }

    /// The same, or the only one where there is one for all heads, or for all places of a head.
    fn shared(&self, token: usize, head: usize, place: usize) -> f64 {
        self.at(
            token,
            if self.heads == 1 { 0 } else { head },
            if self.size == 1 { 0 } else { place },
        )
    }
}

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let (Some(query), Some(key), Some(values)) = (call.input(0), call.input(1), call.input(2))
    else {
        let (operator, actual) = (call.operator, call.given.len());
        return Err(KernelError::Arity { operator, expected: 3, actual });
    };
    let count = |name: &str| usize::try_from(call.int(name, 0)).unwrap_or_default();
    let [heads, kept] = [count("q_num_heads"), count("kv_num_heads")];
    if heads == 0 || kept == 0 || heads % kept != 0 {
        return Err(refused(call, "heads of queries do not share those of keys evenly"));
    }
    let &[batch, length, _] = query.shape() else {
        return Err(refused(call, "queries are no tokens of instances"));
    };
    let unfit = || refused(call, "the sizes of the operands do not fit together");
    let packed_heads = |tensor, heads| Heads::of(tensor, [batch, length], heads).ok_or_else(unfit);
    let (q, k) = (packed_heads(query, heads)?, packed_heads(key, kept)?);
    let v = packed_heads(values, kept)?;
    let (depth, width) = (k.size, v.size);
    let decay = call.input(4).map(|decay| packed_heads(decay, kept)).transpose()?;
    let beta = match call.input(5) {
        Some(beta) if beta.shape().last() == Some(&1) => Some(packed_heads(beta, 1)?),
        beta => beta.map(|beta| packed_heads(beta, kept)).transpose()?,
    };
    let past = call.input(3);
    let state = [batch, kept, depth, width];
    let fit = q.size == depth
        && decay.is_none_or(|decay| decay.size == 1 || decay.size == depth)
        && beta.is_none_or(|beta| beta.size == 1)
        && past.is_none_or(|past| past.shape() == state);
    if !fit {
        return Err(unfit());
    }
    let rule = match call.attributes.get("update_rule") {
        Some(Attribute::Text(rule)) => rule.as_str(),
        _ => "gated_delta",
    };
    let decay = match (rule, decay) {
        ("linear" | "delta", _) => None,
        (_, Some(decay)) => Some(decay),
        _ => return Err(refused(call, "the update rule needs a decay")),
    };
    let beta = match (rule, beta) {
        ("linear" | "gated", _) => None,
        (_, Some(beta)) => Some(beta),
        _ => return Err(refused(call, "the update rule needs a beta")),
    };
    let scale = match call.float("scale", 0.0) {
        0.0 => 1.0 / (depth as f64).sqrt(),
        scale => f64::from(scale),
    };
    let shared = heads / kept;
    let all = [batch, length, heads.checked_mul(width).ok_or_else(unfit)?];
    let mut outputs = output::<f64>(&all, Float64)?;
    let mut states = output::<f64>(&state, Float64)?;
    if let Some(past) = past {
        states.iter_mut().enumerate().for_each(|(at, own)| *own = value(past, at));
    }
    let is_empty = outputs.is_empty() && states.is_empty();
    let mut written = vec![0.0; width];
    for line in 0..if is_empty { 0 } else { batch * kept } {
        let (instance, head) = (line / kept, line % kept);
        let state = &mut states[line * depth * width..(line + 1) * depth * width];
        for token in instance * length..(instance + 1) * length {
            if let Some(decay) = decay {
                for (at, own) in state.iter_mut().enumerate() {
                    *own *= decay.shared(token, head, at / width).exp();
                }
            }
            for (at, to) in written.iter_mut().enumerate() {
                *to = v.at(token, head, at);
                if let Some(beta) = beta {
                    let kept =
                        (0..depth).map(|row| state[row * width + at] * k.at(token, head, row));
                    *to = beta.shared(token, head, 0) * (*to - kept.sum::<f64>());
                }
            }
            for (at, own) in state.iter_mut().enumerate() {
                *own += k.at(token, head, at / width) * written[at % width];
            }
            for reader in head * shared..(head + 1) * shared {
                for at in 0..width {
                    let read =
                        (0..depth).map(|row| state[row * width + at] * q.at(token, reader, row));
                    outputs[(token * heads + reader) * width + at] = scale * read.sum::<f64>();
                }
            }
        }
    }
    let format = format_of(call, query)?;
    let kept_as = past.unwrap_or(query);
    let state_format = format_of(call, kept_as)?;
    Ok(vec![
        packed(query.dtype(), &all, |at| encoded(format, outputs[at], false))?,
        packed(kept_as.dtype(), &state, |at| encoded(state_format, states[at], false))?,
    ])
}

#[cfg(test)]
mod tests;
