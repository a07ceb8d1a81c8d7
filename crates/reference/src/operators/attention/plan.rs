//! The operands of a call: where their elements are, and which keys a query sees.

use values::dtype::DType::{self, Bfloat16, Bool, Float16, Float32, Float64};
use values::element::Element;
use values::float::FloatFormat;
use values::tensor::Tensor;

use crate::broadcast::Broadcast;
use crate::exact::composed::Computed;
use crate::families::along::flag;
use crate::families::computation::{format_of, value};
use crate::families::picking::integers;
use crate::operator::{Call, Invalid};

pub(super) const Q: usize = 0;
pub(super) const K: usize = 1;
pub(super) const V: usize = 2;
pub(super) const MASK: usize = 3;
pub(super) const PAST_K: usize = 4;
pub(super) const PAST_V: usize = 5;
const LENGTHS: usize = 6;

const FOREIGN: &str =
    "the document gives a meaning to masks of truth values and of the type of Q alone";
const ONE_COLUMN: &str =
    "the document says both that a mask of one column is repeated and that it is padded";
const LENGTH: &str = "the document says nothing of a count of tokens that K does not have";
const NEGATIVE: &str = "the document says nothing of a scale that has no root";
const CAP: &str = "the document says nothing of a softcap below 0";

/// What a query is to a key.
pub(super) enum Sight {
    /// It sees it.
    Seen,
    /// It sees it, and this is added to the score.
    Biased(Box<Computed>),
    /// It does not see it.
    Masked,
    /// No text says which.
    Open(&'static str),
}

/// The operands of a call.
pub(super) struct Plan<'a> {
    pub(super) q: &'a Tensor,
    pub(super) k: &'a Tensor,
    pub(super) v: &'a Tensor,
    /// The keys and the values before those that are given.
    pub(super) past: Option<[&'a Tensor; 2]>,
    /// The format of Q, and that of the softmax.
    pub(super) format: &'static FloatFormat,
    pub(super) precision: &'static FloatFormat,
    pub(super) mode: i64,
    pub(super) scale: Option<u32>,
    pub(super) softcap: Option<u32>,
    /// Elements of a key, and of a value.
    pub(super) size: usize,
    pub(super) value_size: usize,
    /// Keys of a head, those before them counted.
    pub(super) keys: usize,
    /// Why nothing is known of scores.
    pub(super) open: Option<&'static str>,
    since: i64,
    mask: Option<(&'a Tensor, Broadcast)>,
    lengths: Option<Vec<i64>>,
    is_causal: bool,
    windows: [Option<i64>; 2],
    /// Whether heads lie within tokens, as in tensors of 3 dimensions.
    is_flat: bool,
    batch: usize,
    heads: usize,
    key_heads: usize,
    queries: usize,
    before: usize,
}

/// Instances, heads, tokens and elements of a head of a tensor of 3 or 4 dimensions.
fn sizes(call: &Call, at: usize, heads: &str) -> Result<[usize; 4], Invalid> {
    let given = call.int(heads);
    match *call.input(at)?.shape() {
        [batch, own, tokens, size] => match given {
            Some(heads) if usize::try_from(heads) != Ok(own) => {
                Err(call.invalid("has another number of heads than its inputs"))
            }
            _ => Ok([batch, own, tokens, size]),
        },
        [batch, tokens, hidden] => {
            let heads = given.and_then(|heads| usize::try_from(heads).ok());
            let heads = heads.filter(|heads| *heads > 0 && hidden.is_multiple_of(*heads));
            let problem = "takes a number of heads that divides the last of 3 dimensions";
            let heads = heads.ok_or_else(|| call.invalid(problem))?;
            Ok([batch, heads, tokens, hidden / heads])
        }
        _ => Err(call.invalid("takes inputs of 3 or 4 dimensions")),
    }
}

impl<'a> Plan<'a> {
    pub(super) fn of(call: &'a Call) -> Result<Self, Invalid> {
        let [q, k, v] = [call.input(Q)?, call.input(K)?, call.input(V)?];
        let rank = q.shape().len();
        let [batch, heads, queries, size] = sizes(call, Q, "q_num_heads")?;
        let [k_batch, key_heads, tokens, key_size] = sizes(call, K, "kv_num_heads")?;
        let [v_batch, value_heads, values, value_size] = sizes(call, V, "kv_num_heads")?;
        let fit = [k.shape().len(), v.shape().len()] == [rank; 2]
            && [k_batch, v_batch] == [batch; 2]
            && key_size == size
            && (key_heads, tokens) == (value_heads, values)
            && key_heads > 0
            && heads.is_multiple_of(key_heads);
        if !fit {
            return Err(call.invalid("takes a Q, K and V of shapes that fit together"));
        }
        let input = |at: usize| call.inputs.get(at).and_then(Option::as_ref);
        let past = match (input(PAST_K), input(PAST_V)) {
            (None, None) => None,
            (Some(key), Some(value)) => Some([key, value]),
            _ => return Err(call.invalid("takes both past_key and past_value or neither")),
        };
        let before = past.map_or(0, |[key, _]| key.shape().get(2).copied().unwrap_or(0));
        let is_past = |tensor: &Tensor, size| *tensor.shape() == [batch, key_heads, before, size];
        if past.is_some_and(|[key, value]| !is_past(key, size) || !is_past(value, value_size)) {
            return Err(call.invalid("takes no past of these shapes"));
        }
        let lengths: Option<Vec<i64>> = input(LENGTHS).map(|it| integers(it).collect());
        if input(LENGTHS).is_some_and(|lengths| *lengths.shape() != [batch]) {
            return Err(call.invalid("takes a count of tokens for each instance"));
        }
        if lengths.is_some() && (past.is_some() || call.asks_for(1) || call.asks_for(2)) {
            return Err(call.invalid("takes no counts of tokens with a past or a present"));
        }
        let keys = before.checked_add(tokens);
        let keys = keys.ok_or_else(|| call.invalid("takes no so many keys"))?;
        let mode = call.int("qk_matmul_output_mode").unwrap_or(0);
        if !(0..=3).contains(&mode) {
            return Err(call.invalid(&format!("takes no `qk_matmul_output_mode` of {mode}")));
        }
        let precision = match call.int("softmax_precision") {
            None => format_of(q.dtype()),
            Some(code) => {
                let dtype = i32::try_from(code).ok().and_then(DType::from_onnx);
                let is_float = |it: &DType| [Bfloat16, Float16, Float32, Float64].contains(it);
                dtype.filter(is_float).and_then(format_of)
            }
        };
        let (Some(format), Some(precision)) = (format_of(q.dtype()), precision) else {
            return Err(call.invalid("takes no such `softmax_precision`"));
        };
        let window = |name: &str| match call.int(name) {
            None | Some(-1) => Ok(None),
            Some(size @ 0..) => Ok(Some(size)),
            Some(size) => Err(call.invalid(&format!("takes no `{name}` of {size}"))),
        };
        let windows = [window("left_window_size")?, window("right_window_size")?];
        let is_below_zero = |bits: u32| f32::from_bits(bits) < 0.0 || f32::from_bits(bits).is_nan();
        let scale = call.float("scale");
        let softcap = call.float("softcap").filter(|bits| bits << 1 != 0);
        let open = scale.filter(|bits| is_below_zero(*bits)).map(|_| NEGATIVE);
        let mut plan = Self {
            q,
            k,
            v,
            past,
            format,
            precision,
            mode,
            scale,
            softcap,
            size,
            value_size,
            keys,
            open: open.or_else(|| softcap.filter(|bits| is_below_zero(*bits)).map(|_| CAP)),
            since: call.version.since,
            mask: None,
            lengths,
            is_causal: flag(call, "is_causal")?,
            windows,
            is_flat: rank == 3,
            batch,
            heads,
            key_heads,
            queries,
            before,
        };
        plan.mask = input(MASK).map(|mask| plan.broadcast(call, mask)).transpose()?;
        Ok(plan)
    }

    /// A mask, and how it is repeated along the scores, or along as many columns of these as it has.
    fn broadcast(&self, call: &Call, mask: &'a Tensor) -> Result<(&'a Tensor, Broadcast), Invalid> {
        let columns = match mask.shape().last() {
            Some(&columns) if self.since >= 24 && columns < self.keys => columns,
            _ => self.keys,
        };
        let longest = self.lengths.iter().flatten().copied().max().unwrap_or(0);
        if usize::try_from(longest).is_ok_and(|longest| columns < longest.min(self.keys))
            && columns != 1
        {
            return Err(call.invalid("takes no mask that is shorter than the tokens that count"));
        }
        let scores = [self.batch, self.heads, self.queries, columns];
        let places = Broadcast::multidirectional(&[&scores, mask.shape()])?;
        if *places.shape() != scores {
            return Err(call.invalid("takes a mask that can be broadcast to the scores"));
        }
        Ok((mask, places))
    }

    /// The shapes of all outputs.
    pub(super) fn shapes(&self) -> [Vec<usize>; 4] {
        let Self { batch, heads, key_heads, queries, size, value_size, keys, .. } = *self;
        let output = match self.is_flat {
            true => vec![batch, queries, heads.saturating_mul(value_size)],
            false => vec![batch, heads, queries, value_size],
        };
        let scores = vec![batch, heads, queries, keys];
        [
            output,
            vec![batch, key_heads, keys, size],
            vec![batch, key_heads, keys, value_size],
            scores,
        ]
    }

    /// The number of queries of all heads and instances.
    pub(super) const fn rows(&self) -> usize {
        self.batch.saturating_mul(self.heads).saturating_mul(self.queries)
    }

    /// The query that an element of Y is of, or of the scores, and its place in what the query has.
    pub(super) const fn place(&self, is_output: bool, index: usize) -> (usize, usize) {
        let size = if is_output { self.value_size } else { self.keys };
        let (row, place) = (index / size, index % size);
        if !is_output || !self.is_flat {
            return (row, place);
        }
        let (token, head) = (row / self.heads, row % self.heads);
        let (instance, query) = (token / self.queries, token % self.queries);
        ((instance * self.heads + head) * self.queries + query, place)
    }

    /// The instance, the head and the query of a row.
    const fn of_row(&self, row: usize) -> [usize; 3] {
        let head = row / self.queries;
        [head / self.heads, head % self.heads, row % self.queries]
    }

    /// The first element of a head's token in a tensor of so many heads, tokens and elements.
    const fn first(
        &self,
        [instance, head, token]: [usize; 3],
        [heads, tokens, size]: [usize; 3],
    ) -> usize {
        match self.is_flat {
            true => ((instance * tokens + token) * heads + head) * size,
            false => ((instance * heads + head) * tokens + token) * size,
        }
    }

    /// The elements of a query.
    fn query(&self, row: usize) -> impl Iterator<Item = usize> + use<> {
        let first = self.first(self.of_row(row), [self.heads, self.queries, self.size]);
        first..first + self.size
    }

    /// The tensor with a key or a value of a head of keys, and the place of its first element.
    fn stored(
        &self,
        past: Option<&'a Tensor>,
        new: &'a Tensor,
        size: usize,
        [instance, head, key]: [usize; 3],
    ) -> (&'a Tensor, usize) {
        match (past, key.checked_sub(self.before)) {
            (_, Some(token)) => {
                let sizes = [self.key_heads, self.keys - self.before, size];
                (new, self.first([instance, head, token], sizes))
            }
            (Some(past), None) => {
                (past, ((instance * self.key_heads + head) * self.before + key) * size)
            }
            (None, None) => (new, usize::MAX),
        }
    }

    /// The tensor with an element of a present, and its place there.
    pub(super) fn present(
        &self,
        past: Option<&'a Tensor>,
        new: &'a Tensor,
        size: usize,
        index: usize,
    ) -> (&'a Tensor, usize) {
        let (row, place) = (index / size, index % size);
        let head = row / self.keys;
        let at = [head / self.key_heads, head % self.key_heads, row % self.keys];
        let (tensor, first) = self.stored(past, new, size, at);
        (tensor, first.saturating_add(place))
    }

    /// The head of keys that a query has, with one of its keys.
    const fn key_of(&self, row: usize, key: usize) -> [usize; 3] {
        let [instance, head, _] = self.of_row(row);
        // Heads of queries that share one of keys follow each other.
        [instance, head / (self.heads / self.key_heads), key]
    }

    fn key_at(&self, row: usize, key: usize) -> (&'a Tensor, usize) {
        self.stored(self.past.map(|past| past[0]), self.k, self.size, self.key_of(row, key))
    }

    fn value_at(&self, row: usize, key: usize) -> (&'a Tensor, usize) {
        let past = self.past.map(|past| past[1]);
        self.stored(past, self.v, self.value_size, self.key_of(row, key))
    }

    /// The numbers of a query.
    pub(super) fn query_numbers(&self, row: usize, bits: u32) -> Vec<Computed> {
        self.query(row).map(|place| value(self.q, place, bits)).collect()
    }

    /// The numbers of a key that a query has.
    pub(super) fn key_numbers(&self, row: usize, key: usize, bits: u32) -> Vec<Computed> {
        let (tensor, first) = self.key_at(row, key);
        (first..first.saturating_add(self.size)).map(|place| value(tensor, place, bits)).collect()
    }

    /// A number of a value that a query has.
    pub(super) fn value_number(&self, row: usize, key: usize, place: usize, bits: u32) -> Computed {
        let (tensor, first) = self.value_at(row, key);
        value(tensor, first.saturating_add(place), bits)
    }

    /// The format of the values.
    pub(super) fn value_format(&self) -> Option<&'static FloatFormat> {
        format_of(self.v.dtype())
    }

    /// What a query is to a key.
    pub(super) fn sight(&self, row: usize, key: usize, bits: u32) -> Sight {
        let [instance, _, query] = self.of_row(row);
        let length = self.lengths.as_ref().and_then(|lengths| lengths.get(instance).copied());
        if length.is_some_and(|it| usize::try_from(it).map_or(true, |it| it > self.keys)) {
            return Sight::Open(LENGTH);
        }
        let offset = length.map_or(self.before as i64, |it| it - self.queries as i64);
        // How far a key is behind the query.
        let behind = i128::from(offset) + query as i128 - key as i128;
        let is_outside = |window: Option<i64>, by: i128| window.is_some_and(|it| by > it.into());
        let is_masked = length.is_some_and(|length| key as i64 >= length)
            || self.is_causal && behind < 0
            || is_outside(self.windows[0], behind)
            || is_outside(self.windows[1], -behind);
        if is_masked {
            return Sight::Masked;
        }
        let Some((mask, places)) = &self.mask else { return Sight::Seen };
        let columns = places.shape().last().copied().unwrap_or(self.keys);
        if columns < self.keys && columns == 1 {
            return Sight::Open(ONE_COLUMN);
        }
        if key >= columns {
            return Sight::Masked;
        }
        let place = places.source(1, row * columns + key);
        match mask.dtype() {
            Bool if mask.element(place) == Some(0) => Sight::Masked,
            Bool => Sight::Seen,
            own if own == self.q.dtype() => Sight::Biased(Box::new(value(mask, place, bits))),
            _ => Sight::Open(FOREIGN),
        }
    }

    /// Whether -infinity that is added to every score of a query may disable all of its keys without saying so.
    pub(super) const fn is_silent_of_added(&self) -> bool {
        self.since >= 24
    }

    /// What an element of Y is computed from, or of the scores: query and key in turn, each with the mask and the value.
    pub(super) fn operands(&self, is_output: bool, index: usize) -> Vec<Element> {
        let (row, place) = self.place(is_output, index);
        let keys = if is_output || self.mode == 3 { 0..self.keys } else { place..place + 1 };
        let mut all: Vec<_> = self.query(row).map(|at| (self.q, at)).collect();
        for key in keys {
            let (tensor, first) = self.key_at(row, key);
            all.extend((first..first.saturating_add(self.size)).map(|at| (tensor, at)));
            if let Some((mask, places)) = &self.mask {
                let columns = places.shape().last().copied().unwrap_or(0);
                all.extend((key < columns).then(|| (*mask, places.source(1, row * columns + key))));
            }
            if is_output {
                let (tensor, first) = self.value_at(row, key);
                all.push((tensor, first.saturating_add(place)));
            }
        }
        all.into_iter().filter_map(|(tensor, at)| Element::of(tensor, at)).collect()
    }
}
