//! RotaryEmbedding: pairs of elements turned by the angles of their tokens, in binary64 and rounded once.

use super::arg_extremum::switch;
use super::quantization::{encoded, packed, value};
use super::reshaping::{integer, integers, refused};
use super::signature::{Domain, Input, Version};
use super::{Call, Kernel, KernelError};
use values::dtype::DType::{self, Bfloat16, Float16, Float32, Int64};
use values::dtype::Kind;
use values::tensor::Tensor;

pub(super) static ROTARYEMBEDDING: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "RotaryEmbedding",
    inputs: &[
        Input::new("X"),
        Input::new("cos_cache"),
        Input::new("sin_cache"),
        Input::of("position_ids", Int64).optional(),
    ],
    is_elementwise: false,
    slices: None,
    versions: &[Version::with(
        23,
        TYPES,
        &[switch("interleaved"), integer("num_heads"), integer("rotary_embedding_dim")],
    )],
    restricted: &[],
    run,
};

const TYPES: &[DType] = &[Bfloat16, Float16, Float32];

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let missing =
        || KernelError::Arity { operator: call.operator, expected: 3, actual: call.given.len() };
    let (Some(x), Some(cosines), Some(sines)) = (call.input(0), call.input(1), call.input(2))
    else {
        return Err(missing());
    };
    let Kind::Float(format) = x.dtype().kind() else { return Err(missing()) };
    let shape = x.shape();
    let heads = usize::try_from(call.int("num_heads", 0)).unwrap_or_default();
    let (batch, heads, tokens, size) = match *shape {
        [batch, heads, tokens, size] => (batch, heads, tokens, size),
        [batch, tokens, hidden] if heads > 0 && hidden % heads == 0 => {
            (batch, heads, tokens, hidden / heads)
        }
        _ => return Err(refused(call, "X has no heads")),
    };
    let dim = match call.int("rotary_embedding_dim", 0) {
        0 => size as i64,
        dim => dim,
    };
    if dim < 0 || dim > size as i64 || dim % 2 != 0 || size % 2 != 0 {
        return Err(refused(call, "what is turned is no even part of an even head"));
    }
    let half = dim as usize / 2;
    let positions = match call.input(3) {
        Some(ids) if ids.shape() == [batch, tokens] => Some(integers(ids)),
        Some(_) => return Err(refused(call, "there is not one position for each token")),
        None => None,
    };
    let fits = |cache: &Tensor| match (cache.shape(), &positions) {
        ([count, width], Some(ids)) => {
            *width == half && ids.iter().all(|id| (0..*count as i64).contains(id))
        }
        (shape, None) => shape == [batch, tokens, half],
        _ => false,
    };
    if !fits(cosines) || !fits(sines) || cosines.shape() != sines.shape() {
        return Err(refused(call, "the caches have other shapes, or not that position"));
    }
    let is_interleaved = call.int("interleaved", 0) == 1;
    let result = |at: usize| {
        let place = at % size;
        if place >= 2 * half {
            return x.element(at).unwrap_or_default() as u64;
        }
        let head = at / size;
        let (instance, token) = if shape.len() == 4 {
            (head / tokens / heads, head % tokens)
        } else {
            (head / heads / tokens, head / heads % tokens)
        };
        let token = instance * tokens + token;
        let row = positions.as_ref().map_or(token, |ids| ids[token] as usize);
        let (is_imaginary, pair) = match is_interleaved {
            true => (place % 2 == 1, place / 2),
            false => (place >= half, place % half),
        };
        let step = if is_interleaved { 1 } else { half };
        let [cosine, sine] = [cosines, sines].map(|cache| value(cache, row * half + pair));
        let own = value(x, at);
        // Products of two numbers of at most 24 bits are exact.
        let turned = match is_imaginary {
            true => sine * value(x, at - step) + cosine * own,
            false => cosine * own - sine * value(x, at + step),
        };
        encoded(format, turned, false)
    };
    Ok(vec![packed(x.dtype(), shape, result)?])
}

#[cfg(test)]
mod tests;
