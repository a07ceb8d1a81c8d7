//! The operands of a call, and where those of an element are.

use values::dtype::DType;
use values::element::Element;
use values::float::FloatFormat;
use values::tensor::Tensor;

use crate::exact::composed::Computed;
use crate::families::computation::{format_of, value};
use crate::operator::{Call, Invalid};

const QUERY: usize = 0;
const KEY: usize = 1;
const VALUE: usize = 2;
const PAST: usize = 3;
pub(super) const DECAY: usize = 4;
pub(super) const BETA: usize = 5;

/// Numbers of each token, so many for each of so many heads.
#[derive(Clone, Copy)]
pub(super) struct Heads<'a> {
    tensor: &'a Tensor,
    heads: usize,
    size: usize,
}

impl Heads<'_> {
    /// The place of a number; where there is one head only, or one number of it, it is that of all.
    const fn at(&self, token: usize, head: usize, number: usize) -> usize {
        let head = if self.heads == 1 { 0 } else { head };
        let number = if self.size == 1 { 0 } else { number };
        (token * self.heads + head) * self.size + number
    }

    pub(super) fn number(&self, token: usize, head: usize, number: usize, bits: u32) -> Computed {
        value(self.tensor, self.at(token, head, number), bits)
    }

    fn element(&self, token: usize, head: usize, number: usize) -> Option<Element> {
        Element::of(self.tensor, self.at(token, head, number))
    }

    /// Whether one number is that of all places of a head.
    pub(super) const fn is_single(&self) -> bool {
        self.size == 1
    }
}

/// The operands of a call.
pub(super) struct Plan<'a> {
    pub(super) query: &'a Tensor,
    pub(super) q: Heads<'a>,
    pub(super) k: Heads<'a>,
    pub(super) v: Heads<'a>,
    pub(super) past: Option<&'a Tensor>,
    /// Where the update rule decays the state.
    pub(super) decay: Option<Heads<'a>>,
    /// Where it writes what the state lacks.
    pub(super) beta: Option<Heads<'a>>,
    /// The formats of the tokens and of the state.
    pub(super) formats: [&'static FloatFormat; 2],
    /// The factor of the output, which is found by the depth where it is 0.
    pub(super) scale: u32,
    batch: usize,
    pub(super) tokens: usize,
    /// Heads of keys.
    heads: usize,
    /// Heads of queries for each head of keys.
    pub(super) shared: usize,
    /// Numbers of a key, and of a value.
    pub(super) depth: usize,
    pub(super) width: usize,
}

/// What an element is of.
pub(super) struct Place {
    /// The head of keys, counted over all instances.
    pub(super) line: usize,
    /// The last token that it depends on.
    token: usize,
    /// The head of queries among those of the head of keys; none of an element of the state.
    reader: Option<usize>,
    row: usize,
    column: usize,
}

fn packed<'a>(
    call: &Call,
    tensor: &'a Tensor,
    tokens: [usize; 2],
    heads: usize,
) -> Result<Heads<'a>, Invalid> {
    match *tensor.shape() {
        [batch, own, numbers] if [batch, own] == tokens && numbers.is_multiple_of(heads) => {
            Ok(Heads { tensor, heads, size: numbers / heads })
        }
        _ => Err(call.invalid("takes tokens of one number and of as many heads in all inputs")),
    }
}

impl<'a> Plan<'a> {
    pub(super) fn of(call: &'a Call) -> Result<Self, Invalid> {
        let [query, key, value] = [call.input(QUERY)?, call.input(KEY)?, call.input(VALUE)?];
        let count = |name: &str| {
            let count = call.int(name).and_then(|count| usize::try_from(count).ok());
            count.filter(|count| *count > 0).ok_or_else(|| call.invalid(&format!("needs `{name}`")))
        };
        let (readers, heads) = (count("q_num_heads")?, count("kv_num_heads")?);
        if !readers.is_multiple_of(heads) {
            return Err(call.invalid("takes a multiple of `kv_num_heads` as `q_num_heads`"));
        }
        let [batch, tokens, _] = *query.shape() else {
            return Err(call.invalid("takes queries of 3 dimensions"));
        };
        let of = |tensor, heads| packed(call, tensor, [batch, tokens], heads);
        let (q, k, v) = (of(query, readers)?, of(key, heads)?, of(value, heads)?);
        let (depth, width) = (k.size, v.size);
        if q.size != depth {
            return Err(call.invalid("takes queries of the size of the keys"));
        }
        let input = |at: usize| call.inputs.get(at).and_then(Option::as_ref);
        let past = input(PAST);
        if past.is_some_and(|past| *past.shape() != [batch, heads, depth, width]) {
            return Err(call.invalid("takes a state of the sizes of keys and values for each head"));
        }
        let decay = input(DECAY).map(|decay| of(decay, heads)).transpose()?;
        if decay.is_some_and(|decay| decay.size != 1 && decay.size != depth) {
            return Err(call.invalid("takes one decay for each head, or for each number of a key"));
        }
        let is_of_all = |beta: &Tensor| beta.shape().last() == Some(&1);
        let of_beta = |beta| of(beta, if is_of_all(beta) { 1 } else { heads });
        let beta = input(BETA).map(of_beta).transpose()?;
        if beta.is_some_and(|beta| beta.size != 1) {
            return Err(call.invalid("takes one beta for each head, or one for all"));
        }
        let rule = call.text("update_rule").unwrap_or("gated_delta");
        let used = |is_used: bool, operand: Option<Heads<'a>>, name: &str| match operand {
            None if is_used => Err(call.invalid(&format!("needs {name} for this `update_rule`"))),
            operand => Ok(operand.filter(|_| is_used)),
        };
        let decay = used(matches!(rule, "gated" | "gated_delta"), decay, "decay")?;
        let beta = used(matches!(rule, "delta" | "gated_delta"), beta, "beta")?;
        let types = [query, past.unwrap_or(query)].map(|tensor| format_of(tensor.dtype()));
        let [Some(own), Some(of_state)] = types else {
            return Err(call.invalid("takes floats"));
        };
        let problem = || call.invalid("takes no so many numbers of all heads");
        readers.checked_mul(width).ok_or_else(problem)?;
        Ok(Self {
            query,
            q,
            k,
            v,
            past,
            decay,
            beta,
            formats: [own, of_state],
            scale: call.float("scale").unwrap_or_default(),
            batch,
            tokens,
            heads,
            shared: readers / heads,
            depth,
            width,
        })
    }

    /// The shapes of the output and of the state.
    pub(super) fn shapes(&self) -> [Vec<usize>; 2] {
        let Self { batch, tokens, heads, shared, depth, width, .. } = *self;
        [vec![batch, tokens, heads * shared * width], vec![batch, heads, depth, width]]
    }

    pub(super) fn state_type(&self) -> DType {
        self.past.unwrap_or(self.query).dtype()
    }

    /// The number of heads of keys of all instances, where there is anything to compute.
    pub(super) fn lines(&self) -> usize {
        let is_empty = |shape: &[usize]| shape.contains(&0);
        let are_empty = self.shapes().iter().all(|shape| is_empty(shape));
        if are_empty { 0 } else { self.batch.saturating_mul(self.heads) }
    }

    /// The products of a head.
    pub(super) const fn products(&self) -> usize {
        let each = self.depth.saturating_mul(self.width).saturating_mul(self.shared + 3);
        self.tokens.saturating_mul(each)
    }

    /// What an element of the output is of, or of the state.
    pub(super) const fn place(&self, is_output: bool, index: usize) -> Place {
        let (above, column) = (index / self.width, index % self.width);
        if !is_output {
            let (line, row) = (above / self.depth, above % self.depth);
            return Place { line, token: self.tokens, reader: None, row, column };
        }
        let readers = self.heads * self.shared;
        let (token, reader) = (above / readers, above % readers);
        let (instance, token) = (token / self.tokens, token % self.tokens);
        let line = instance * self.heads + reader / self.shared;
        let reader = Some(reader % self.shared);
        Place { line, token: token + 1, reader, row: 0, column }
    }

    /// The place of an element among those of its head.
    pub(super) const fn within(&self, is_output: bool, place: &Place) -> usize {
        let row = match place.reader {
            Some(reader) if is_output => (place.token - 1) * self.shared + reader,
            _ => place.row,
        };
        row * self.width + place.column
    }

    /// The instance's first token, counted over all instances, and the head of keys of a line.
    pub(super) const fn first(&self, line: usize) -> [usize; 2] {
        [line / self.heads * self.tokens, line % self.heads]
    }

    /// A number of the state before all tokens.
    pub(super) fn before(&self, line: usize, at: usize, bits: u32) -> Option<Computed> {
        Some(value(self.past?, line * self.depth * self.width + at, bits))
    }

    /// What an element is computed from: the query, then token by token the key, the value, the decay and beta, and the state before them.
    pub(super) fn operands(&self, place: &Place) -> Vec<Element> {
        let ([first, head], column) = (self.first(place.line), place.column);
        let mut all = Vec::new();
        if let Some(reader) = place.reader {
            let own = |at| self.q.element(first + place.token - 1, head * self.shared + reader, at);
            all.extend((0..self.depth).filter_map(own));
        }
        for token in first..first + place.token {
            all.extend((0..self.depth).filter_map(|at| self.k.element(token, head, at)));
            all.extend(self.v.element(token, head, column));
            let decays = |decay: Heads<'a>| {
                let count = if decay.is_single() { 1 } else { self.depth };
                (0..count).filter_map(move |at| decay.element(token, head, at))
            };
            all.extend(self.decay.into_iter().flat_map(decays));
            all.extend(self.beta.and_then(|beta| beta.element(token, head, 0)));
        }
        let row = |past: &'a Tensor| {
            let start = place.line * self.depth;
            (0..self.depth)
                .filter_map(move |at| Element::of(past, (start + at) * self.width + column))
        };
        all.extend(self.past.into_iter().flat_map(row));
        all
    }
}
