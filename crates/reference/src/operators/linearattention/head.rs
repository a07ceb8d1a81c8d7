//! What is computed of a head of keys: its state after all tokens, and what the queries of each token read.
//!
//! An element is a sum of terms, each a product of operands: by the recurrence, in which every token multiplies the state, and as well by the products of
//! all keys with each other that chunks are computed by. Both have the same terms, and none that cancel each other, so that what rounding adds to an element
//! is at most the sum of the terms' magnitudes, each times the roundings that it goes through (N. Higham, *Accuracy and Stability of Numerical Algorithms*,
//! 2nd edition, SIAM 2002, sections 3.1 and 3.4). The magnitudes follow the recurrence with all signs made positive; roundings are added up beside them, those
//! of the sums over earlier tokens included that chunks need. `docs/numerics.md` has the bound.

use super::plan::Plan;
use crate::exact::composed::{Arithmetic, Computed, Exact};
use crate::exact::interval::Interval;
use crate::families::computation::attribute;

/// The most products of a head that are computed exactly.
const MOST: usize = 1 << 20;

/// Bits of magnitudes and of the errors that are added up.
const ROUGH: u32 = 64;

const TOO_MANY: &str = "so many products make an element that nothing here computes them exactly";
const TERMS: &str = "so many roundings may lose every bit of an element";

/// The magnitudes of the terms that a value is the sum of, and what rounding may add to it, to the first order.
#[derive(Clone)]
struct Bound {
    size: Interval,
    error: Interval,
}

/// A value by the recurrence; without a bound where an operand is no number.
#[derive(Clone)]
struct Entry {
    value: Computed,
    bound: Option<Bound>,
}

/// What is computed of a head.
pub(super) struct Head {
    /// Of each token, reader and column.
    outputs: Vec<Computed>,
    /// Of each row and column.
    state: Vec<Computed>,
}

/// What holds of a whole head after so many tokens.
struct Progress {
    tokens: usize,
    /// The sum of the decays' magnitudes, the largest of all rows.
    decays: Interval,
    /// The exponents of the lowest bits of keys, values and beta, none above 0.
    lowest: [i64; 3],
    /// The same of the state, as long as nothing is irrational.
    of_state: Option<i64>,
    /// The largest number of the keys, or 1.
    largest: Interval,
}

/// What holds of a column.
#[derive(Clone)]
struct Column {
    /// Whether an infinity went in.
    has_infinity: bool,
    /// Whether a number may have overflown.
    may_overflow: bool,
    /// The magnitudes of what has been written.
    written: Interval,
}

/// The arithmetic of a head.
struct Rules<'p, 'a> {
    plan: &'p Plan<'a>,
    by: Arithmetic,
    /// u, and half of the smallest number.
    unit: Interval,
    half: Interval,
    /// Roundings of an operand that is converted.
    conversions: u64,
}

fn rough(number: u64) -> Interval {
    Interval::integer(i64::try_from(number).unwrap_or(i64::MAX), ROUGH)
}

/// The magnitude of a number.
fn magnitude(value: &Computed) -> Option<Interval> {
    Some(value.exact_number()?.abs().upper().with_precision(ROUGH))
}

fn larger(a: Interval, b: Interval) -> Interval {
    if a.compare(&b).is_some_and(std::cmp::Ordering::is_lt) { b } else { a }
}

/// The exponent of the lowest bit of a number, or 0 where that is above it.
fn lowest(value: &Computed) -> i64 {
    value.exact_number().and_then(Interval::lowest_bit).map_or(0, |bit| bit.min(0))
}

fn is_infinite(value: &Computed) -> bool {
    value.infinities != [false; 2]
}

impl Head {
    pub(super) fn of(plan: &Plan<'_>, line: usize, bits: u32) -> Self {
        if plan.products() > MOST {
            let open = |count| vec![Computed::open(Exact::Undefined, TOO_MANY); count];
            return Self { outputs: open(0), state: open(0) };
        }
        Rules::of(plan, bits).head(line)
    }

    /// An element of the output, or of the state.
    pub(super) fn value(&self, is_output: bool, at: usize) -> Computed {
        let all = if is_output { &self.outputs } else { &self.state };
        let missing = || Computed::open(Exact::Undefined, TOO_MANY);
        all.get(at).cloned().unwrap_or_else(missing)
    }
}

impl<'p, 'a> Rules<'p, 'a> {
    fn of(plan: &'p Plan<'a>, bits: u32) -> Self {
        let [own, state] = plan.formats;
        let coarse = Arithmetic::of_either(plan.formats, ROUGH);
        Self {
            plan,
            by: Arithmetic::of_either(plan.formats, bits),
            unit: coarse.gamma(1).unwrap_or_else(|| rough(1)),
            half: coarse.half_smallest(),
            conversions: u64::from(own != state),
        }
    }

    /// So many roundings of numbers of a magnitude.
    fn roundings(&self, count: u64, size: &Interval) -> Interval {
        &(&self.unit * size) * &rough(count)
    }

    /// What rounding the sum of numbers of these magnitudes adds: nothing where one of them is 0.
    fn of_sum(&self, a: &Interval, b: &Interval) -> Interval {
        let is_rounded = !a.is_zero() && !b.is_zero();
        self.roundings(u64::from(is_rounded), &(a + b))
    }

    fn head(&self, line: usize) -> Head {
        let Plan { depth, width, tokens, shared, .. } = *self.plan;
        let [first, head] = self.plan.first(line);
        let none = rough(0);
        let mut progress = Progress {
            tokens: 0,
            decays: none.clone(),
            lowest: [0; 3],
            of_state: Some(0),
            largest: rough(1),
        };
        let column = Column { has_infinity: false, may_overflow: false, written: none };
        let mut columns = vec![column; width];
        let mut state: Vec<Entry> = (0..depth * width)
            .map(|at| {
                let value = self.plan.before(line, at, self.by.bits());
                let value = value.unwrap_or_else(|| self.by.integer(0));
                progress.of_state = progress.of_state.map(|bit| bit.min(lowest(&value)));
                columns[at % width].has_infinity |= is_infinite(&value);
                let bound = magnitude(&value).map(|size| Bound { error: rough(0), size });
                Entry { value, bound }
            })
            .collect();
        let scale = self.scale();
        let is_known = scale.exact_number().is_some_and(Interval::is_point);
        let of_scale = is_known.then(|| lowest(&scale));
        let mut outputs = Vec::with_capacity(tokens * shared * width);
        for token in first..first + tokens {
            progress.tokens += 1;
            self.step([token, head], &mut progress, &mut columns, &mut state);
            for reader in head * shared..(head + 1) * shared {
                let q: Vec<_> = (0..depth)
                    .map(|at| self.plan.q.number(token, reader, at, self.by.bits()))
                    .collect();
                let low = q.iter().map(lowest).fold(0, i64::min);
                let low = progress
                    .of_state
                    .zip(of_scale)
                    .map(|(state, scale)| state.saturating_add(scale).saturating_add(low));
                let has_infinity = q.iter().any(is_infinite) || is_infinite(&scale);
                for (at, column) in columns.iter().enumerate() {
                    let own = state.iter().skip(at).step_by(width.max(1));
                    let entry = self.read(&q, own, &scale, &progress, column);
                    let column = Column {
                        has_infinity: column.has_infinity || has_infinity,
                        ..column.clone()
                    };
                    outputs.push(self.result(entry, low, &progress, &column));
                }
            }
        }
        let state = state.into_iter().enumerate().map(|(at, entry)| {
            let mut entry = entry;
            if let Some(bound) = &mut entry.bound {
                bound.error = &bound.error + &self.of_chunks(&bound.size, &progress);
            }
            let mut column = columns[at % width].clone();
            // A first token is written in one way only.
            column.has_infinity &= progress.tokens > 1;
            self.result(entry, progress.of_state, &progress, &column)
        });
        Head { state: state.collect(), outputs }
    }

    /// The factor of the output.
    fn scale(&self) -> Computed {
        let by = &self.by;
        match self.plan.scale << 1 {
            0 => {
                let depth = i64::try_from(self.plan.depth).unwrap_or(i64::MAX);
                by.div(&by.integer(1), &by.sqrt(&by.integer(depth)))
            }
            _ => attribute(self.plan.scale, by.bits()),
        }
    }

    /// The roundings of the factor and of a product by it.
    fn of_scale(&self, scale: &Computed) -> u64 {
        let is_held = self.by.converted(scale).numbers.is_some_and(|numbers| numbers.is_point());
        match scale.exact_number() {
            Some(number) if number.abs().as_power().is_some() => 0,
            Some(number) if number.is_point() && is_held => 1,
            _ => 3,
        }
    }

    /// What the underflow of a product adds to what is read, written or kept, with the factors that it may meet before: each of the products of a step, of
    /// keys with each other, and of earlier tokens with what they have written.
    fn underflow(&self, progress: &Progress, column: &Column, beta: Option<&Interval>) -> Interval {
        let products = self.plan.depth as u64 + 8 + 4 * u64::from(self.by.published());
        let one = rough(1);
        let factors = beta.map_or(one.clone(), |beta| &one + beta);
        let met = &(&one + &column.written) * &progress.largest;
        &(&self.half * &rough(products)) * &(factors * met)
    }

    /// What computing by chunks of tokens may add to a number of this magnitude that the recurrence has after so many tokens.
    fn of_chunks(&self, size: &Interval, progress: &Progress) -> Interval {
        let before = progress.tokens.saturating_sub(1) as u64;
        if before == 0 {
            return rough(0);
        }
        // The sum over tokens, keys times the first state, and decays that are added up, of which one is taken from another.
        let products = if self.plan.beta.is_some() { self.plan.depth as u64 } else { 0 };
        let sums = &progress.decays * &rough(2 * progress.tokens as u64);
        &(&self.unit * size) * &(rough(before + products + 2) + sums)
    }

    /// The decays of a token by row, with the magnitude of each and its error.
    fn decays(
        &self,
        [token, head]: [usize; 2],
        progress: &mut Progress,
    ) -> Option<(Vec<Entry>, bool)> {
        let decay = self.plan.decay?;
        let by = &self.by;
        let mut has_infinity = false;
        let count = if decay.is_single() { 1 } else { self.plan.depth };
        let mut all = Vec::with_capacity(self.plan.depth);
        let mut largest = rough(0);
        for row in 0..count {
            let log = decay.number(token, head, row, by.bits());
            has_infinity |= log.infinities[0];
            let value = by.exp(&log, by.published());
            let is_exact = value.exact_number().is_some_and(Interval::is_point);
            progress.of_state = progress.of_state.filter(|_| is_exact);
            let size_of_log = magnitude(&log).unwrap_or_else(|| rough(0));
            let bound = magnitude(&value).map(|size| {
                let ulps = 2 * u64::from(by.published());
                let converted = &self.roundings(self.conversions, &size) * &size_of_log;
                let near = &self.half * &rough(ulps);
                let error = self.roundings(ulps, &size) + converted + near;
                Bound { error: if is_exact { rough(0) } else { error }, size }
            });
            largest = larger(largest, size_of_log);
            all.push(Entry { value, bound });
        }
        progress.decays = &progress.decays + &largest;
        if let (true, Some(only)) = (decay.is_single(), all.first().cloned()) {
            all.resize(self.plan.depth, only);
        }
        Some((all, has_infinity))
    }

    /// What a token makes of the state.
    fn step(
        &self,
        at: [usize; 2],
        progress: &mut Progress,
        columns: &mut [Column],
        state: &mut [Entry],
    ) {
        let (by, [token, head]) = (&self.by, at);
        let Plan { depth, width, .. } = *self.plan;
        let k: Vec<Computed> =
            (0..depth).map(|row| self.plan.k.number(token, head, row, by.bits())).collect();
        let sizes: Vec<Option<Interval>> = k.iter().map(magnitude).collect();
        let beta = self.plan.beta.map(|beta| beta.number(token, head, 0, by.bits()));
        let decays = self.decays(at, progress);
        for size in sizes.iter().flatten() {
            progress.largest = larger(progress.largest.clone(), size.clone());
        }
        let has_infinity = k.iter().chain(&beta).any(is_infinite)
            || decays.as_ref().is_some_and(|(_, has_infinity)| *has_infinity);
        let values: Vec<Computed> =
            (0..width).map(|at| self.plan.v.number(token, head, at, by.bits())).collect();
        let [keys, written, betas] = &mut progress.lowest;
        *keys = k.iter().map(lowest).fold(*keys, i64::min);
        *written = values.iter().map(lowest).fold(*written, i64::min);
        *betas = beta.iter().map(lowest).fold(*betas, i64::min);
        let (keys, written, betas) = (*keys, *written, *betas);
        progress.of_state = progress.of_state.map(|state| match self.plan.beta {
            None => state.min(keys.saturating_add(written)),
            Some(_) => {
                let lacking = written.min(keys.saturating_add(state));
                state.min(keys.saturating_add(betas).saturating_add(lacking))
            }
        });
        for (at, (v, column)) in values.iter().zip(columns).enumerate() {
            column.has_infinity |= has_infinity || is_infinite(v);
            let mut own: Vec<Entry> = state.iter().skip(at).step_by(width).cloned().collect();
            if progress.tokens == 1 {
                for bound in own.iter_mut().filter_map(|entry| entry.bound.as_mut()) {
                    bound.error = self.roundings(self.conversions, &bound.size);
                }
            }
            if let Some((decays, _)) = &decays {
                for (entry, decay) in own.iter_mut().zip(decays) {
                    *entry = self.product(entry, decay);
                }
            }
            let written =
                self.written(&own, (&k, v), &sizes, beta.as_ref(), (&*progress, &mut *column));
            let more = written.bound.as_ref().map(|bound| bound.size.clone());
            column.written = &column.written + &more.clone().unwrap_or_else(|| rough(0));
            column.may_overflow |= self.overflows(&written);
            let lost = {
                let beta = beta.as_ref().and_then(magnitude);
                self.underflow(progress, column, beta.as_ref())
            };
            for ((row, entry), size) in own.into_iter().enumerate().zip(&sizes) {
                let value = by.add(&entry.value, &by.mul(&k[row], &written.value));
                let bound = || {
                    let (kept, added) = (entry.bound?, written.bound.as_ref()?);
                    let product = size.as_ref()? * &added.size;
                    let all = &kept.size + &product;
                    // The key may be converted, as beta may; its product is rounded, and is added with those of the tokens before.
                    let own = progress.tokens as u64 + 2 * self.conversions;
                    let error = kept.error
                        + size.as_ref()? * &added.error
                        + self.roundings(own, &product)
                        + self.of_sum(&kept.size, &product)
                        + lost.clone();
                    Some(Bound { size: all.upper(), error: error.upper() })
                };
                let entry = Entry { bound: bound(), value };
                column.may_overflow |= self.overflows(&entry);
                state[row * width + at] = entry;
            }
        }
    }

    /// A part of the state that decays.
    fn product(&self, entry: &Entry, decay: &Entry) -> Entry {
        let value = self.by.mul(&entry.value, &decay.value);
        let bound = || {
            let (kept, by) = (entry.bound.as_ref()?, decay.bound.as_ref()?);
            let size = (&kept.size * &by.size).upper();
            // A decay of 0 is a factor of 1.
            let is_power = decay.value.exact_number().is_some_and(|it| it.as_power().is_some());
            let own = self.roundings(u64::from(!is_power), &size);
            let error = &kept.error * &by.size + &kept.size * &by.error + own;
            Some(Bound { error: error.upper(), size })
        };
        Entry { bound: bound(), value }
    }

    /// What is written to a column: the value, or what the state lacks of it, times beta.
    fn written(
        &self,
        own: &[Entry],
        (k, v): (&[Computed], &Computed),
        sizes: &[Option<Interval>],
        beta: Option<&Computed>,
        (progress, column): (&Progress, &mut Column),
    ) -> Entry {
        let by = &self.by;
        let given =
            magnitude(v).map(|size| Bound { error: self.roundings(self.conversions, &size), size });
        let Some(beta) = beta else { return Entry { value: v.clone(), bound: given } };
        let products: Vec<Computed> =
            own.iter().zip(k).map(|(entry, k)| by.mul(&entry.value, k)).collect();
        let known = by.sum(&products);
        let value = by.mul(beta, &by.sub(v, &known));
        // The sum over the keys, or over the tokens that have been written.
        let before = progress.tokens as u64 - 1;
        let sums = self.plan.depth as u64 + before + self.conversions;
        let bound = || {
            let (given, beta) = (given?, magnitude(beta)?);
            let (mut size, mut error) = (rough(0), rough(0));
            for (entry, key) in own.iter().zip(sizes) {
                let (kept, key) = (entry.bound.as_ref()?, key.as_ref()?);
                size = (size + key * &kept.size).upper();
                error = (error + key * &kept.error).upper();
            }
            let lost = self.underflow(progress, column, Some(&beta));
            column.may_overflow |= self.reaches(&size);
            error = error + self.roundings(sums, &size) + lost.clone();
            let all = &given.size + &size;
            let error = error + given.error + self.of_sum(&given.size, &size);
            let size = (&beta * &all).upper();
            // The product with beta, and the sum over tokens by which chunks have it.
            let own = if before == 0 { 1 } else { before + 3 };
            let error = &beta * &error + self.roundings(own, &size) + lost;
            Some(Bound { error: error.upper(), size })
        };
        let bound = bound();
        Entry { value, bound }
    }

    /// What a query reads of a column.
    fn read<'e>(
        &self,
        q: &[Computed],
        own: impl Iterator<Item = &'e Entry>,
        scale: &Computed,
        progress: &Progress,
        column: &Column,
    ) -> Entry {
        let by = &self.by;
        let own: Vec<&Entry> = own.collect();
        let products: Vec<Computed> =
            q.iter().zip(&own).map(|(q, entry)| by.mul(q, &entry.value)).collect();
        let value = by.mul(scale, &by.sum(&products));
        let bound = || {
            let (mut size, mut error, mut weights) = (rough(0), rough(0), rough(1));
            for (entry, q) in own.iter().zip(q) {
                let (kept, q) = (entry.bound.as_ref()?, magnitude(q)?);
                size = (size + &q * &kept.size).upper();
                error = (error + &q * &kept.error).upper();
                weights = (weights + q).upper();
            }
            let (factor, of_scale) = (magnitude(scale)?, self.of_scale(scale));
            let lost = self.underflow(progress, column, None);
            error = error
                + self.roundings(self.plan.depth as u64 + self.conversions, &size)
                + self.of_chunks(&size, progress)
                + &lost * &weights;
            let size = (&factor * &size).upper();
            let error = &factor * &error + self.roundings(of_scale, &size) + lost;
            Some(Bound { error: error.upper(), size })
        };
        Entry { bound: bound(), value }
    }

    fn reaches(&self, size: &Interval) -> bool {
        let number = Computed::number(size.upper());
        is_infinite(&self.by.converted(&number))
    }

    /// Whether a value may overflow.
    fn overflows(&self, entry: &Entry) -> bool {
        entry.bound.as_ref().is_some_and(|bound| self.reaches(&(&bound.size + &bound.error)))
    }

    /// The most roundings that a term goes through, those of the decays' errors included.
    fn most(&self, progress: &Progress) -> Option<u32> {
        let (depth, tokens) = (self.plan.depth as u64, progress.tokens as u64);
        // What the state lacks, with three sums over the tokens before; the decay; and what is written and kept.
        let lacking = self.plan.beta.map_or(0, |_| depth + 5);
        let before = self.plan.beta.map_or(0, |_| tokens.saturating_mul(tokens.saturating_sub(1)));
        let decay = self.plan.decay.map_or(0, |_| 2 * u64::from(self.by.published()) + 1);
        let each = lacking + decay + 2 + 4 * self.conversions;
        let sums = &progress.decays * &rough(2 * tokens + self.conversions);
        let decays: u64 = sums.integers()[1].clone().try_into().ok()?;
        let all = tokens.checked_mul(each)?.checked_add(before / 2 * 3)?;
        all.checked_add(2 * depth + 2 * tokens + 8)?.checked_add(decays)?.try_into().ok()
    }

    /// What a value may be, by the recurrence and by chunks.
    fn result(
        &self,
        Entry { value, bound }: Entry,
        lowest: Option<i64>,
        progress: &Progress,
        column: &Column,
    ) -> Computed {
        if value.open.is_some() {
            return value;
        }
        let (number, bound) = match (&value.exact, bound) {
            (Exact::Number(number), Some(bound)) => (number, bound),
            (Exact::Number(_), None) => return value,
            // Zeros that an infinity is multiplied by are others where products are added up before.
            _ if column.has_infinity => {
                return Computed { infinities: [true; 2], nan: true, ..value };
            }
            _ => return value,
        };
        let is_exact = number.is_point()
            && lowest.is_some_and(|lowest| self.by.are_added_exactly(&bound.size, lowest));
        let numbers = if is_exact {
            number.clone()
        } else {
            let gamma = self.most(progress).and_then(|most| self.by.gamma(most));
            let half = Interval::power_of_two(-1, ROUGH);
            let is_small =
                |gamma: &Interval| gamma.compare(&half).is_some_and(std::cmp::Ordering::is_lt);
            let Some(gamma) = gamma.filter(is_small) else {
                return Computed::open(value.exact, TERMS);
            };
            let margin = &bound.error * &(rough(1) + gamma.with_precision(ROUGH));
            number.widened(&margin.upper().with_precision(self.by.bits()))
        };
        let may_overflow = column.may_overflow || self.reaches(&(&bound.size + &bound.error));
        let (infinities, nan) =
            if may_overflow { (value.infinities, value.nan) } else { ([false; 2], false) };
        let signs = [!numbers.is_negative(), !numbers.is_positive()];
        Computed { numbers: Some(numbers), infinities, nan, signs, ..value }
    }
}
