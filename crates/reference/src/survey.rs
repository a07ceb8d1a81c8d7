//! Surveys: what is seen of very many results of one operator, right or wrong: the largest error of each binade and where, and how many
//! are not correctly rounded, wrong where everything is exact, flushed, or out of order.
//!
//! What is decided, is decided by exact arithmetic, or by a bound on the error of float64 that `docs/numerics.md`
//! proves: where a smooth function of float32 has [`Pieces`], most results are decided by polynomials in
//! float64, and what these do not decide, and whatever might be the largest error of its binade, goes to exact
//! arithmetic. So a record is the one that exact arithmetic alone would give, at another speed.

mod angles;
mod block;
mod mirror;
mod near;
mod pieces;
mod runs;
mod size;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use values::dtype::{DType, Kind};
use values::float::{Class, FloatFormat};

use self::angles::{Cosines, Sines, Tangents};
use self::block::Seen;
use self::near::{Approximation, error_beside};
pub use self::pieces::Pieces;
use self::pieces::{Piece, Rule};
use self::runs::{Follower, is_beside};
pub use self::runs::{Run, Runs};
use self::size::Size;
pub use self::size::{by_size, tells_apart};
use crate::check::Check;
use crate::elementwise::{Periodic, Stretch};
use crate::exact::{Conforming, Deviation, Ulps};
use crate::sweep::exact_checker::{Mismatch, bits as bits_of};
use crate::sweep::{Largest, MAX_ARITY, Tally};

/// Errors up to 1/256 ULP are not told apart where there are [`Pieces`]: an exact function would be all ties.
const LEAST: Ulps = Ulps::new(1 << (Ulps::FRACTION_BITS - 8), true);
const LEAST_NUMBER: f64 = 1.0 / 256.0;

/// Elements of a block that is decided at once.
const BLOCK: usize = 1024;

/// What looks at the results of one operator on one type.
#[derive(Clone, Debug)]
pub struct Survey<'a> {
    check: &'a Check,
    pieces: Option<&'a Pieces>,
    stretches: Vec<Stretch>,
    follows_runs: bool,
}

/// What was seen. Records of parts add up to that of the whole, in whichever order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Results seen.
    pub executed: u64,
    /// Results that are not the exact ones, correctly rounded, or do not conform otherwise.
    pub not_correctly_rounded: u64,
    /// Those of them where everything is exact: an operand is a NaN or an infinity, or it is a zero, 1 or -1 of which the function has an
    /// exact value, or what conforms or what was given is a NaN or an infinity, or zero is what conforms.
    pub special_mismatches: u64,
    /// Those of them that are zeros where the exact result is below the smallest normal number, but not zero.
    pub flushed: u64,
    /// Neighbouring operands whose results are in the wrong order, where the function never falls or never rises.
    pub not_monotone: u64,
    /// Pairs of a number and its negation whose results do not go together, where the function is even or odd.
    pub not_symmetric: u64,
    /// Whether the results of some negations are not known.
    pub is_half: bool,
    /// Results of which the specification says nothing.
    pub undecided: u64,
    /// Consecutive operands of one result, where these are followed.
    pub runs: Runs,
    /// The largest errors, by the [`binade`] of the first operand.
    pub worst: BTreeMap<i32, Worst>,
}

/// A result with the largest error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worst {
    /// The error.
    pub deviation: Deviation,
    /// Bits of the operands; those that the operator does not have are 0.
    pub operands: [u64; MAX_ARITY],
    /// Bits of the result.
    pub result: u64,
}

/// The size of an operand: of floats the exponent field, of integers the length of the magnitude in bits; of negative ones the same below 0,
/// from -1 on.
pub fn binade(dtype: DType, bits: u64) -> i32 {
    let (is_negative, size) = match dtype.kind() {
        Kind::Float(format) => {
            (format.is_negative(bits), (format.magnitude(bits) >> format.significand_bits) as i32)
        }
        Kind::Int { signed, bits: width } => {
            let number = values::dtype::integer(bits.into(), signed, width);
            (number < 0, (u128::BITS - number.unsigned_abs().leading_zeros()) as i32)
        }
        Kind::Bool | Kind::Complex(_) | Kind::String => (false, 0),
    };
    if is_negative { -1 - size } else { size }
}

impl Record {
    /// The record of nothing that knows the largest errors of another, which are its own from then on.
    pub fn after(earlier: &Self) -> Self {
        Self { worst: earlier.worst.clone(), ..Self::default() }
    }

    /// The largest error of all that are noted; of several the one of the least operands.
    pub fn largest(&self) -> Option<&Worst> {
        self.worst.values().max_by_key(|worst| (worst.deviation, Reverse(worst.operands)))
    }

    fn note(&mut self, binade: i32, next: Worst) {
        let worst = self.worst.entry(binade).or_insert(next);
        if worst.rank() < next.rank() {
            *worst = next;
        }
    }
}

impl Worst {
    /// What the worst of a binade is the worst by: of errors that are of the same [`Size`] it is that of the least operands.
    fn rank(&self) -> (Size, Reverse<[u64; MAX_ARITY]>) {
        (Size::of(self.deviation), Reverse(self.operands))
    }
}

impl<'a> Survey<'a> {
    /// The survey of what a check decides, with the pieces of its function if there are any.
    pub fn new(check: &'a Check, pieces: Option<&'a Pieces>) -> Self {
        let stretches = match check.dtype().kind() {
            Kind::Float(format)
                if check.operator().arity() == 1 && check.result() == check.dtype() =>
            {
                check.function().smooth().map(|smooth| smooth.stretches(format))
            }
            _ => None,
        };
        let stretches = stretches.unwrap_or_default();
        Self { check, pieces, stretches, follows_runs: false }
    }

    /// The same of operands that come in the order of their bits, all that there are: it follows runs, where operands and results are floats.
    pub fn of_all(self) -> Self {
        let are_floats = self.floats().is_some() && float(self.check.result()).is_some();
        Self { follows_runs: are_floats, ..self }
    }

    /// Whether it follows runs.
    pub const fn follows_runs(&self) -> bool {
        self.follows_runs
    }

    /// Adds what was seen of another part to a record.
    pub fn merge(&self, record: &mut Record, other: &Record) {
        record.executed += other.executed;
        record.not_correctly_rounded += other.not_correctly_rounded;
        record.special_mismatches += other.special_mismatches;
        record.flushed += other.flushed;
        record.not_monotone += other.not_monotone;
        record.not_symmetric += other.not_symmetric;
        record.is_half |= other.is_half;
        record.undecided += other.undecided;
        record.runs.merge(&other.runs, self);
        other.worst.iter().for_each(|(&binade, worst)| record.note(binade, *worst));
    }

    /// Whether it is known where the function never falls, or never rises.
    pub const fn knows_order(&self) -> bool {
        !self.stretches.is_empty()
    }

    /// Adds the results of consecutive operands, which are given in columns of bits. The first `lead` ones come before: they
    /// were seen already, and are only compared with their neighbours.
    pub fn add(&self, operands: &[&[u8]], results: &[u8], lead: usize, record: &mut Record) {
        match self.check.dtype().bits() {
            Some(..=8) => self.of_operands::<1>(operands, results, lead, record),
            Some(16) => self.of_operands::<2>(operands, results, lead, record),
            Some(32) => self.of_operands::<4>(operands, results, lead, record),
            Some(64) => self.of_operands::<8>(operands, results, lead, record),
            _ => {}
        }
    }

    fn of_operands<const W: usize>(
        &self,
        operands: &[&[u8]],
        results: &[u8],
        lead: usize,
        record: &mut Record,
    ) {
        match self.check.result().bits() {
            Some(..=8) => self.of_widths::<W, 1>(operands, results, lead, record),
            Some(16) => self.of_widths::<W, 2>(operands, results, lead, record),
            Some(32) => self.of_widths::<W, 4>(operands, results, lead, record),
            Some(64) => self.of_widths::<W, 8>(operands, results, lead, record),
            _ => {}
        }
    }

    fn of_widths<const W: usize, const R: usize>(
        &self,
        operands: &[&[u8]],
        results: &[u8],
        lead: usize,
        record: &mut Record,
    ) {
        let results = results.as_chunks::<R>().0;
        let columns: Vec<&[[u8; W]]> =
            operands.iter().map(|column| column.as_chunks::<W>().0).collect();
        let Some(first) = columns.first() else { return };
        let mut follower = first
            .get(lead)
            .filter(|_| self.follows_runs)
            .map(|&first| Follower::new(self, bits_of(first), std::mem::take(&mut record.runs)));
        if lead == 0 && self.check.is_fast() {
            self.mismatches(&columns, results, follower.as_mut(), record);
        } else {
            self.one_by_one(&columns, results, lead, follower.as_mut(), record);
        }
        if let Some(follower) = follower {
            record.runs = follower.finish();
        }
    }

    /// Adds results that a fast check decides: what it does not accept goes to exact arithmetic, and no errors of others are told.
    fn mismatches<const W: usize, const R: usize>(
        &self,
        columns: &[&[[u8; W]]],
        results: &[[u8; R]],
        mut follower: Option<&mut Follower<'_>>,
        record: &mut Record,
    ) {
        // No error is larger than this one, so that none is measured.
        let (deviation, operands) = (Deviation::Unbounded, [0; MAX_ARITY]);
        let largest = Largest { deviation, operands, result: 0 };
        let mut tally = Tally { largest: Some(largest), ..Tally::default() };
        let mut wrong = Vec::new();
        let operands: Vec<&[u8]> = columns.iter().map(|column| column.as_flattened()).collect();
        let mut note = |mismatch: Mismatch| wrong.push(mismatch.index);
        self.check.run(&operands, results.as_flattened(), &mut tally, &mut note);
        record.executed += tally.executed;
        record.undecided += tally.classes.out_of_domain;
        let mut wrong = wrong.into_iter().peekable();
        for (number, block) in results.chunks(BLOCK).enumerate() {
            let start = number * BLOCK;
            let mut places = Vec::new();
            while let Some(at) = wrong.next_if(|at| *at < start + block.len()) {
                let is_beside =
                    self.element(operands_at(columns, at), bits_of(results[at]), record);
                places.push((at - start, is_beside));
            }
            if let (Some(follower), Some(first)) = (&mut follower, columns[0].get(start)) {
                follower.follow(bits_of(*first), block, true, &places);
            }
        }
    }

    /// Adds results by the pieces of the function where it has such, else by exact arithmetic.
    fn one_by_one<const W: usize, const R: usize>(
        &self,
        columns: &[&[[u8; W]]],
        results: &[[u8; R]],
        lead: usize,
        mut follower: Option<&mut Follower<'_>>,
        record: &mut Record,
    ) {
        let first = columns[0];
        for stretch in &self.stretches {
            record.not_monotone += self.out_of_order(stretch, first, results);
        }
        record.executed += (results.len() - lead) as u64;
        let mut at = lead;
        while at < results.len() {
            let fast = self.pieces.filter(|_| columns.len() == 1).and_then(|pieces| {
                let piece = pieces.at(bits_of(first[at]) as u32)?;
                Some((piece, run_of(&first[at..], piece)?))
            });
            let (len, decided) = if let Some((piece, len)) = fast {
                let len = len.min(BLOCK);
                let operands = first[at..at + len].as_flattened().as_chunks::<4>().0;
                let given = results[at..at + len].as_flattened().as_chunks::<4>().0;
                (len, self.block(piece, operands, given, record))
            } else {
                (1, Decided { left: vec![0], all_beside: true })
            };
            let of_exact_arithmetic = decided.left.into_iter().map(|place| {
                let given = operands_at(columns, at + place);
                (place, self.element(given, bits_of(results[at + place]), record))
            });
            let places: Vec<_> = of_exact_arithmetic.collect();
            if let Some(follower) = &mut follower {
                let block = &results[at..at + len];
                follower.follow(bits_of(first[at]), block, decided.all_beside, &places);
            }
            at += len;
        }
    }

    /// Enters a block of one piece.
    fn block(
        &self,
        piece: &Piece,
        operands: &[[u8; 4]],
        results: &[[u8; 4]],
        record: &mut Record,
    ) -> Decided {
        let but = |left| Decided { left, all_beside: true };
        match &piece.rule {
            Rule::Exactly => but((0..results.len()).collect()),
            Rule::Same(bits) => but(block::others(results, *bits)),
            Rule::Nan => but(block::numbers(results)),
            Rule::Polynomial(polynomial, beside) => {
                self.approximated(polynomial, *beside, operands, results, record)
            }
            Rule::Angles(angles) => match angles.function {
                Periodic::Sine => {
                    self.approximated(&Sines(*angles), None, operands, results, record)
                }
                Periodic::Cosine => {
                    self.approximated(&Cosines(*angles), None, operands, results, record)
                }
                Periodic::Tangent => {
                    self.approximated(&Tangents(*angles), None, operands, results, record)
                }
            },
        }
    }

    /// Enters a block that values near the real ones decide.
    fn approximated(
        &self,
        function: &impl Approximation,
        beside: Option<bool>,
        operands: &[[u8; 4]],
        results: &[[u8; 4]],
        record: &mut Record,
    ) -> Decided {
        let seen = block::see(function, operands, results);
        let Some(place) = operands.first().map(|bits| binade(DType::Float32, bits_of(*bits)))
        else {
            return Decided { left: Vec::new(), all_beside: true };
        };
        record.not_correctly_rounded += u64::from(seen.wrong);
        record.flushed += u64::from(seen.flushed);
        let (mut left, mut all_beside) = (Vec::new(), seen.most < 1.0);
        if seen.undecided > 0 {
            for (at, (operand, result)) in operands.iter().zip(results).enumerate() {
                match block::judge(function, *operand, *result) {
                    block::Judged::Undecided => left.push(at),
                    // Neither a NaN nor an infinity is near any result of a piece.
                    block::Judged::NoNumber => {
                        all_beside = false;
                        record.not_correctly_rounded += 1;
                        record.special_mismatches += 1;
                        let operands = alone(bits_of(*operand));
                        let (deviation, result) = (Deviation::Unbounded, bits_of(*result));
                        record.note(place, Worst { deviation, operands, result });
                    }
                    block::Judged::Decided { .. } => {}
                }
            }
        }
        self.largest_of_block(function, beside, seen, [operands, results], place, record);
        Decided { left, all_beside }
    }

    /// Notes the largest error of a block, where its [`Size`] may be that of its binade.
    fn largest_of_block(
        &self,
        function: &impl Approximation,
        beside: Option<bool>,
        seen: Seen,
        [operands, results]: [&[[u8; 4]]; 2],
        place: i32,
        record: &mut Record,
    ) {
        // Float64 computes the error and the margin with a relative error far below this.
        const SLACK: f64 = 1e-12;
        let largest = |record: &Record| record.worst.get(&place).map(Worst::rank);
        let bits = |operand: [u8; 4]| alone(bits_of(operand));
        let [lowest, highest] = [seen.least * (1.0 - SLACK), seen.most * (1.0 + SLACK)];
        if highest < LEAST_NUMBER {
            return;
        }
        let [least, most] = Size::between(lowest, highest);
        let first = operands.first().map(|operand| (most, Reverse(bits(*operand))));
        if first.is_none_or(|first| largest(record) >= Some(first)) {
            return;
        }
        for (operand, result) in operands.iter().zip(results) {
            let block::Judged::Decided { error, margin } =
                block::judge(function, *operand, *result)
            else {
                continue;
            };
            let slack = margin + error * SLACK;
            // Errors that differ by this are not of the same size.
            if error + slack < lowest - (lowest + 1.0) / 256.0 {
                continue;
            }
            let known = beside.and_then(|farther| error_beside(farther, *operand, *result));
            let [_, most] = known.map_or_else(
                || Size::between(error - slack, error + slack),
                |error| [Size::of_ulps(error); 2],
            );
            let operands = bits(*operand);
            if error + slack < LEAST_NUMBER
                || most < least
                || largest(record) >= Some((most, Reverse(operands)))
            {
                continue;
            }
            let result = bits_of(*result);
            let deviation = self.check.deviation(&operands[..1], result);
            if deviation > Deviation::Ulps(LEAST) {
                record.note(place, Worst { deviation, operands, result });
            }
        }
    }

    /// Looks at one result by exact arithmetic, and tells whether it is one of the two numbers beside the real one.
    fn element(&self, operands: [u64; MAX_ARITY], result: u64, record: &mut Record) -> bool {
        let (check, dtype) = (self.check, self.check.dtype());
        let given = &operands[..check.operator().arity().min(MAX_ARITY)];
        let (conforming, deviation) = check.judged(given, result);
        if !conforming.is_decided() {
            record.undecided += 1;
            return false;
        }
        if !conforming.accepts(result) {
            record.not_correctly_rounded += 1;
            if self.is_special(given, &conforming, result) {
                record.special_mismatches += 1;
            }
            if let (Some(format), Some(number)) = (float(check.result()), conforming.number())
                && format.class(number) == Class::Subnormal
                && format.class(result) == Class::Zero
            {
                record.flushed += 1;
            }
        }
        let least = self.pieces.map(|_| LEAST);
        if deviation != Deviation::NoRealResult
            && least.is_none_or(|least| deviation > Deviation::Ulps(least))
        {
            record.note(binade(dtype, operands[0]), Worst { deviation, operands, result });
        }
        is_beside(deviation)
    }

    /// Whether everything is exact at these operands, or was to be at this result. Of 0, 1 and -1 a function may have a value that is rounded.
    fn is_special(&self, operands: &[u64], conforming: &Conforming, result: u64) -> bool {
        let [of_operands, of_results] = [self.check.dtype(), self.check.result()].map(float);
        let is_no_number = |format: Option<&FloatFormat>, bits: u64| {
            let class = format.map(|format| format.class(bits));
            matches!(class, Some(Class::Nan | Class::Infinite))
        };
        let is_zero = |format: &FloatFormat, bits: u64| format.class(bits) == Class::Zero;
        let Some(right) = conforming.example().and_then(|bits| u64::try_from(bits).ok()) else {
            return of_operands.is_some() || of_results.is_some();
        };
        let is_exact = || self.check.deviation(operands, right) == Deviation::Ulps(Ulps::ZERO);
        let is_small = |format: &FloatFormat, x: u64| {
            let one = (format.bias as u64) << format.significand_bits;
            is_zero(format, x) || format.magnitude(x) == one
        };
        operands.iter().any(|&x| is_no_number(of_operands, x))
            || [result, right].into_iter().any(|x| is_no_number(of_results, x))
            || of_results.is_some_and(|format| is_zero(format, right))
            || of_operands.is_some_and(|format| operands.iter().any(|&x| is_small(format, x)))
                && is_exact()
    }

    /// How many neighbours have results in the wrong order.
    fn out_of_order<const W: usize, const R: usize>(
        &self,
        stretch: &Stretch,
        operands: &[[u8; W]],
        results: &[[u8; R]],
    ) -> u64 {
        let Kind::Float(format) = self.check.dtype().kind() else { return 0 };
        let ordinal = |bits: [u8; R]| format.ordinal(bits_of(bits));
        let inside = |at: usize| {
            let operand = format.ordinal(bits_of(operands[at]));
            operand.filter(|at| (stretch.low..=stretch.high).contains(at))
        };
        if operands.len() < 2 || self.is_outside(format, stretch, operands) {
            return 0;
        }
        let last = operands.len() - 1;
        if W == 4
            && inside(0).zip(inside(last)).is_some_and(|(x, y)| (x < 0) == (y < 0))
            && are_consecutive(operands)
        {
            let results = results.as_flattened().as_chunks::<4>().0;
            // Negative numbers get less as their bits get more.
            let falls = stretch.falls != format.is_negative(bits_of(operands[0]));
            return block::out_of_order(results, falls);
        }
        let mut count = 0;
        for at in 1..results.len().min(operands.len()) {
            let (Some(x), Some(y)) = (inside(at - 1), inside(at)) else { continue };
            let (Some(a), Some(b)) = (ordinal(results[at - 1]), ordinal(results[at])) else {
                continue;
            };
            let (before, after) = if y > x { (a, b) } else { (b, a) };
            let is_wrong = if stretch.falls { before < after } else { before > after };
            count += u64::from(x.abs_diff(y) == 1 && is_wrong);
        }
        count
    }

    /// Whether consecutive operands all lie beyond the stretch.
    fn is_outside<const W: usize>(
        &self,
        format: &FloatFormat,
        stretch: &Stretch,
        operands: &[[u8; W]],
    ) -> bool {
        let ends = [operands.first(), operands.last()]
            .map(|bits| bits.and_then(|bits| format.ordinal(bits_of(*bits))));
        match ends {
            [Some(a), Some(b)] => a.max(b) < stretch.low || a.min(b) > stretch.high,
            _ => false,
        }
    }
}

/// The format of a type of floats.
fn float(dtype: DType) -> Option<&'static FloatFormat> {
    match dtype.kind() {
        Kind::Float(format) => Some(format),
        _ => None,
    }
}

/// What is known of a block: the places that exact arithmetic has to look at, and whether the results in all others are known to be
/// among the two numbers beside the real ones.
struct Decided {
    left: Vec<usize>,
    all_beside: bool,
}

/// The only operand of an element.
const fn alone(bits: u64) -> [u64; MAX_ARITY] {
    let mut operands = [0; MAX_ARITY];
    operands[0] = bits;
    operands
}

/// The bits of the operands of one element.
fn operands_at<const W: usize>(columns: &[&[[u8; W]]], at: usize) -> [u64; MAX_ARITY] {
    let mut operands = [0; MAX_ARITY];
    for (bits, column) in operands.iter_mut().zip(columns) {
        *bits = bits_of(column[at]);
    }
    operands
}

/// The number of operands, from the first on, that are in a piece and at most a block; `None` where they are not consecutive.
fn run_of<const W: usize>(operands: &[[u8; W]], piece: &Piece) -> Option<usize> {
    let first = bits_of(*operands.first()?) as u32;
    let len = operands.len().min((piece.end - first) as usize).min(BLOCK);
    are_consecutive(&operands[..len]).then_some(len)
}

/// Whether operands of 32 bits follow each other by their bits.
fn are_consecutive<const W: usize>(operands: &[[u8; W]]) -> bool {
    block::are_consecutive(operands.as_flattened().as_chunks().0)
}

#[cfg(test)]
mod tests;
