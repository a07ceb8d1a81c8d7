//! RotaryEmbedding: pairs of elements of each token turned by an angle, whose cosine and sine are given.
//!
//! A turned element is the sum of two products, in any order and fused or not; those beyond the dimension that is turned are moved as they
//! are. The algorithm halves an even dimension, so that an odd one is refused. Of a negative position it takes what NumPy does, of which
//! no sentence speaks: its token is left open. Source: ONNX's schema of RotaryEmbedding-23.

use values::dtype::DType::{self, Bfloat16, Float16, Float32, Int64};
use values::element::Element;
use values::float::FloatFormat;
use values::tensor::Tensor;

use crate::case_table::{self, Own};
use crate::exact::dot::NoBound;
use crate::exact::sum::{Scale, Sum, Terms};
use crate::exact::{Conforming, Deviation, Share};
use crate::families::along::flag;
use crate::families::picking::integers;
use crate::families::summing::{Accumulated, Summed};
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Port, Reference, TensorType, Version,
};
use crate::pointwise::Moved;
use crate::real::Real;

/// RotaryEmbedding in ONNX's default domain.
pub static ROTARYEMBEDDING: Operator = Operator {
    documents: &[Document {
        key: "onnx-rotaryembedding",
        catalogue: include_str!("rotaryembedding/onnx-rotaryembedding.toml"),
    }],
    cases: Some(|of| {
        let tables = [include_str!("rotaryembedding/cases.toml")];
        case_table::cases(of, &ROTARYEMBEDDING, &tables, Own::NONE)
    }),
    ..Operator::onnx("RotaryEmbedding", OperatorKind::Accumulated, &VERSIONS, &Rotary)
};

const TYPES: [DType; 3] = [Float32, Float16, Bfloat16];
const VERSIONS: [Version; 1] = [Version {
    since: 23,
    inputs: &[
        Port::new("X", &TYPES, "T"),
        Port::new("cos_cache", &TYPES, "T"),
        Port::new("sin_cache", &TYPES, "T"),
        Port::new("position_ids", &[Int64], "M").optional(),
    ],
    outputs: &[Port::new("Y", &TYPES, "T")],
    attributes: &[
        Attribute::new("interleaved", AttributeType::Int).otherwise(Otherwise::Int(0)),
        Attribute::new("num_heads", AttributeType::Int),
        Attribute::new("rotary_embedding_dim", AttributeType::Int).otherwise(Otherwise::Int(0)),
    ],
}];

struct Rotary;

/// Where the elements of a call are.
#[derive(Clone)]
struct Plan<'a> {
    x: &'a Tensor,
    caches: [&'a Tensor; 2],
    /// The rows of the caches, by the tokens, as far as these have one.
    rows: Vec<Option<usize>>,
    /// Elements of a head, and those of them that are turned.
    size: usize,
    turned: usize,
    /// From an element of a token to that of the next one, and the tokens of an instance.
    stride: usize,
    tokens: usize,
    /// Elements of an instance.
    instance: usize,
    is_interleaved: bool,
}

impl<'a> Plan<'a> {
    fn of(call: &'a Call) -> Result<Self, Invalid> {
        let x = call.input(0)?;
        let caches = [call.input(1)?, call.input(2)?];
        let (batch, tokens, heads, size) = match *x.shape() {
            [batch, heads, tokens, size] => (batch, tokens, heads, size),
            [batch, tokens, hidden] => {
                let heads = call.int("num_heads").and_then(|heads| usize::try_from(heads).ok());
                let heads = heads.filter(|heads| *heads > 0 && hidden.is_multiple_of(*heads));
                let problem = "takes a divisor of the last dimension for `num_heads`";
                let heads = heads.ok_or_else(|| call.invalid(problem))?;
                (batch, tokens, heads, hidden / heads)
            }
            _ => return Err(call.invalid("takes an X of 3 or 4 dimensions")),
        };
        let turned = match call.int("rotary_embedding_dim").unwrap_or(0) {
            0 => Some(size),
            turned => usize::try_from(turned).ok().filter(|turned| *turned <= size),
        };
        let turned = turned.filter(|turned| turned.is_multiple_of(2) && size.is_multiple_of(2));
        let turned = turned.ok_or_else(|| call.invalid("turns an even part of an even head"))?;
        let ids = call.inputs.get(3).and_then(Option::as_ref);
        let of_cache = |cache: &Tensor| match (cache.shape(), ids) {
            ([_, half], Some(_)) => *half == turned / 2,
            ([own, each, half], None) => [*own, *each, *half] == [batch, tokens, turned / 2],
            _ => false,
        };
        if caches[0].shape() != caches[1].shape() || !of_cache(caches[0]) {
            return Err(call.invalid("takes no caches of these shapes"));
        }
        let rows = match ids {
            Some(ids) if ids.shape() != [batch, tokens] => {
                return Err(call.invalid("takes a position for each token"));
            }
            Some(ids) => {
                let count = caches[0].shape()[0] as i128;
                let row = |id: i64| match i128::from(id) {
                    id if id >= count || id < -count => {
                        Err(call.invalid(&format!("has no position {id} among {count}")))
                    }
                    id => Ok(usize::try_from(id).ok()),
                };
                integers(ids).map(row).collect::<Result<_, _>>()?
            }
            None if x.elements() == 0 => Vec::new(),
            None => (0..batch * tokens).map(Some).collect(),
        };
        let is_by_head = x.shape().len() == 4;
        // Only a tensor without elements has sizes whose product is too large, and it is never read.
        let instance = x.shape().iter().skip(1).fold(1_usize, |all, it| all.saturating_mul(*it));
        let stride = if is_by_head { size } else { size.saturating_mul(heads) };
        let is_interleaved = flag(call, "interleaved")?;
        Ok(Self { x, caches, rows, size, turned, stride, tokens, instance, is_interleaved })
    }

    /// The place of an element in its head.
    const fn place(&self, index: usize) -> usize {
        index % self.size
    }

    /// The row of the caches that an element is turned by.
    fn row(&self, index: usize) -> Option<usize> {
        let token = index / self.stride % self.tokens;
        self.rows.get(index / self.instance * self.tokens + token).copied().flatten()
    }

    /// The two elements of a pair, of which the one at this index is one, whether it is the second, and the place of the pair.
    const fn pair(&self, index: usize) -> ([usize; 2], bool, usize) {
        let (at, half) = (self.place(index), self.turned / 2);
        let (is_second, pair, step) = match self.is_interleaved {
            true => (at % 2 == 1, at / 2, 1),
            false => (at >= half, if at >= half { at - half } else { at }, half),
        };
        let first = if is_second { index - step } else { index };
        ([first, first + step], is_second, pair)
    }

    /// The factors of both products: each time one of a cache and one of X, that of the sines first for the second of a pair.
    fn factors(&self, index: usize) -> Option<[Element; 4]> {
        let row = self.row(index)?;
        let ([first, second], is_second, pair) = self.pair(index);
        let place = row * (self.turned / 2) + pair;
        let [cosine, sine] = [0, 1].map(|at: usize| Element::of(self.caches[at], place));
        let [x, y] = [first, second].map(|place| Element::of(self.x, place));
        let [one, other] = if is_second { [sine?, cosine?] } else { [cosine?, sine?] };
        Some([one, x?, other, y?])
    }
}

impl Summed for Plan<'_> {
    fn dtype(&self) -> DType {
        self.x.dtype()
    }

    fn sums(&self, format: &'static FloatFormat, index: usize) -> Result<Vec<Sum>, NoBound> {
        let mut sum = Sum::new(format, Terms::Products, Scale::ONE)?;
        if let Some(factors) = self.factors(index) {
            let [one, x, other, y] = factors.map(|element| match element {
                Element::Bits(_, bits) => bits as u64,
                Element::String(_) => 0,
            });
            let (_, is_second, _) = self.pair(index);
            sum.add(one, x);
            sum.add(if is_second { other } else { format.negated(other) }, y);
        }
        Ok(vec![sum])
    }

    fn integer(&self, _: usize) -> Conforming {
        Conforming::Unspecified("the type is no float")
    }

    fn open(&self, index: usize) -> Option<&'static str> {
        self.row(index).is_none().then_some("the document says nothing of negative positions")
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        self.factors(index).into_iter().flatten().collect()
    }
}

/// What is allowed: of elements that are turned, and of those that are moved.
struct Turned<'a> {
    plan: Plan<'a>,
    sums: Accumulated<Plan<'a>>,
    moved: Box<dyn Allowed + 'a>,
}

impl Turned<'_> {
    fn of(&self, index: usize) -> &dyn Allowed {
        if self.plan.place(index) < self.plan.turned { &self.sums } else { &*self.moved }
    }
}

impl Allowed for Turned<'_> {
    fn at(&self, index: usize) -> Conforming {
        self.of(index).at(index)
    }

    fn real(&self, index: usize, bits: u32) -> Option<Real> {
        self.of(index).real(index, bits)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        self.of(index).deviation(index, actual)
    }

    fn judged(&self, index: usize, actual: [u64; 2]) -> (Conforming, [Deviation; 2]) {
        self.of(index).judged(index, actual)
    }

    fn share(&self, index: usize, actual: u64) -> Option<Share> {
        self.of(index).share(index, actual)
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        self.of(index).operands(index)
    }

    fn sources(&self, index: usize) -> Option<Vec<usize>> {
        let all = if self.plan.pair(index).1 { [2, 0, 1, 0] } else { [1, 0, 2, 0] };
        // An element that is moved is the one of X.
        let is_turned = self.plan.place(index) < self.plan.turned;
        Some(if is_turned { all[..self.operands(index).len()].to_vec() } else { vec![0] })
    }
}

impl Reference for Rotary {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        Ok(vec![TensorType::of(Plan::of(call)?.x)])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let Ok(plan) = Plan::of(call) else { return Vec::new() };
        let x = plan.x;
        let moved = Box::new(Moved(move |index| Element::of(x, index)));
        vec![Box::new(Turned { sums: Accumulated(plan.clone()), moved, plan })]
    }
}

#[cfg(test)]
mod tests;
