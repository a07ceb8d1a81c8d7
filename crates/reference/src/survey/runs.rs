//! Runs: consecutive operands that have one and the same result. Those where the function is not as constant are clamps.
//!
//! Where every result is one of the two numbers beside the real one, the results that are right at the two ends of a run
//! are at most two numbers apart: each is at most one from the result that both have. So a run is a clamp where these
//! are three numbers apart or more, and no implementation whose results are all within one unit in the last place has one.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use values::float::{Class, FloatFormat};

use super::near::Approximation;
use super::pieces::{Piece, Rule};
use super::{Cosines, Periodic, Sines, Survey, Tangents, bits_of, block, float};
use crate::exact::{Deviation, Ulps, quiet_nan};

/// How many numbers apart the right results at the ends of a clamp are at least.
const APART: u64 = 3;

/// Consecutive operands that have one and the same result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Bits of the first operand.
    pub first: u64,
    /// Bits of the last one.
    pub last: u64,
    /// Bits of the result; those of the positive quiet NaN for any NaN.
    pub result: u64,
}

/// What was seen of runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Runs {
    /// Operands in clamps.
    pub clamped: u64,
    /// The longest clamp; of several the one of the least operands.
    pub longest: Option<Run>,
    /// Those that may go on beyond what was seen, by their first operand.
    open: BTreeMap<u64, OpenRun>,
}

/// A run, and whether it may go on before its first operand, and after its last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OpenRun {
    run: Run,
    ends: [bool; 2],
}

impl Run {
    /// The number of its operands.
    pub const fn operands(&self) -> u64 {
        self.last - self.first + 1
    }

    /// What the longest is the longest by.
    const fn rank(&self) -> (u64, Reverse<u64>) {
        (self.operands(), Reverse(self.first))
    }
}

impl Runs {
    /// Clamps of which the number of operands and the longest one are known, and no open runs.
    pub fn of_clamps(clamped: u64, longest: Option<Run>) -> Self {
        Self { clamped, longest, open: BTreeMap::new() }
    }

    /// The runs that may go on beyond what was seen, in order.
    pub fn open(&self) -> impl Iterator<Item = &Run> {
        self.open.values().map(|open| &open.run)
    }

    /// Adds a run that may go on before its first operand, or after its last one: it joins those beside it.
    /// What ends there is a clamp if the survey says so.
    pub fn add(&mut self, run: Run, ends: [bool; 2], survey: &Survey<'_>) {
        let mut next = OpenRun { run, ends };
        let before = self.open.range(..run.first).next_back().map(|(_, before)| *before);
        if let Some(before) = before.filter(|one| one.ends[1] && one.run.last + 1 == run.first) {
            self.open.remove(&before.run.first);
            if before.run.result == run.result {
                next.run.first = before.run.first;
                next.ends[0] = before.ends[0];
            } else {
                next.ends[0] = false;
                self.put(OpenRun { ends: [before.ends[0], false], ..before }, survey);
            }
        }
        let after = run.last.checked_add(1).and_then(|at| self.open.get(&at)).copied();
        if let Some(after) = after.filter(|one| one.ends[0]) {
            self.open.remove(&after.run.first);
            if after.run.result == run.result {
                next.run.last = after.run.last;
                next.ends[1] = after.ends[1];
            } else {
                next.ends[1] = false;
                self.put(OpenRun { ends: [false, after.ends[1]], ..after }, survey);
            }
        }
        self.put(next, survey);
    }

    fn put(&mut self, OpenRun { run, ends }: OpenRun, survey: &Survey<'_>) {
        if ends == [false; 2] {
            self.close(run, survey);
        } else {
            self.open.insert(run.first, OpenRun { run, ends });
        }
    }

    /// Counts a run that goes on nowhere, if it is a clamp.
    fn close(&mut self, run: Run, survey: &Survey<'_>) {
        if survey.is_clamp(&run) {
            self.clamped = self.clamped.saturating_add(run.operands());
            self.note(run);
        }
    }

    fn note(&mut self, clamp: Run) {
        if self.longest.is_none_or(|longest| longest.rank() < clamp.rank()) {
            self.longest = Some(clamp);
        }
    }

    /// Adds what was seen of other operands.
    pub(super) fn merge(&mut self, other: &Self, survey: &Survey<'_>) {
        self.clamped = self.clamped.saturating_add(other.clamped);
        other.longest.iter().for_each(|clamp| self.note(*clamp));
        other.open.values().for_each(|open| self.add(open.run, open.ends, survey));
    }
}

impl Survey<'_> {
    /// Whether runs end before an operand, whatever its result is: the first one of all, the first negative one, and those at which
    /// infinities, NaNs and numbers meet.
    pub fn begins_at(&self, operand: u64) -> bool {
        let Some(format) = self.floats() else { return true };
        let is_number = |bits: u64| !matches!(format.class(bits), Class::Nan | Class::Infinite);
        let is_first = operand == 0 || operand == 1 << (format.width() - 1);
        is_first || is_number(operand) != is_number(operand - 1)
    }

    /// Whether runs end after an operand, whatever its result is.
    pub fn ends_at(&self, operand: u64) -> bool {
        let width = self.check.dtype().bits().unwrap_or(u64::BITS);
        let last = u64::MAX >> (u64::BITS - width.clamp(1, u64::BITS));
        operand >= last || self.begins_at(operand + 1)
    }

    /// The format, of functions of one float.
    pub(super) fn floats(&self) -> Option<&'static FloatFormat> {
        float(self.check.dtype()).filter(|_| self.check.operator().arity() == 1)
    }

    /// Whether a run is a clamp: the right results at its ends are numbers, three or more apart. Zeros in the place of subnormal numbers
    /// are none: those are flushed.
    pub fn is_clamp(&self, run: &Run) -> bool {
        let of_results = float(self.check.result()).filter(|_| run.first < run.last);
        let Some(of_results) = of_results else { return false };
        let decided = |ends: [Option<[i64; 2]>; 2]| {
            let [Some(first), Some(last)] = ends else { return None };
            is_clamp(of_results, run.result, [first, last])
        };
        let ends = [run.first, run.last];
        decided(ends.map(|at| self.nearly(at)))
            .or_else(|| decided(ends.map(|at| self.right(of_results, at))))
            .unwrap_or(false)
    }

    /// Between which numbers the right result of an operand is, by their ordinals, if there is a value near the real one.
    fn nearly(&self, operand: u64) -> Option<[i64; 2]> {
        const FORMAT: &FloatFormat = &FloatFormat::FLOAT32;
        let operand = u32::try_from(operand).ok()?;
        let [low, high] = self.pieces?.at(operand)?.between(operand)?;
        Some([FORMAT.ordinal(low.to_bits().into())?, FORMAT.ordinal(high.to_bits().into())?])
    }

    /// The ordinal of the right result of an operand, twice; none where it is no number.
    fn right(&self, format: &FloatFormat, operand: u64) -> Option<[i64; 2]> {
        let right = self.check.conforming(&[operand]).number()?;
        Some([format.ordinal(right)?; 2])
    }
}

/// Whether the run of a result is a clamp, where the right results at its ends are between these ordinals; `None` where these do not tell.
fn is_clamp(format: &FloatFormat, result: u64, ends: [[i64; 2]; 2]) -> Option<bool> {
    let [[a, b], [c, d]] = ends;
    let most = b.abs_diff(c).max(a.abs_diff(d));
    let least = if b < c {
        b.abs_diff(c)
    } else if d < a {
        d.abs_diff(a)
    } else {
        0
    };
    let normal = 1 << format.significand_bits;
    let is_zero = format.class(result) == Class::Zero;
    let is_flush = is_zero && [a, b, c, d].iter().all(|at| at.unsigned_abs() < normal);
    let is_beyond = |[low, high]: [i64; 2]| {
        low >= 0 && low.unsigned_abs() >= normal || high < 0 && high.unsigned_abs() >= normal
    };
    if most < APART || is_flush {
        Some(false)
    } else if least >= APART && (!is_zero || ends.into_iter().any(is_beyond)) {
        Some(true)
    } else {
        None
    }
}

impl Piece {
    /// Between which numbers the right result of one of its operands is.
    fn between(&self, operand: u32) -> Option<[f32; 2]> {
        let bytes = operand.to_le_bytes();
        let [real, bound] = match &self.rule {
            Rule::Same(bits) => return Some([f32::from_bits(*bits); 2]),
            Rule::Nan | Rule::Exactly => return None,
            Rule::Polynomial(polynomial, _) => polynomial.at(bytes),
            Rule::Angles(angles) => match angles.function {
                Periodic::Sine => Sines(*angles).at(bytes),
                Periodic::Cosine => Cosines(*angles).at(bytes),
                Periodic::Tangent => Tangents(*angles).at(bytes),
            },
        };
        // Rounding never falls, so that the right result is between those of two numbers that the real one is between.
        Some([(real - bound).next_down() as f32, (real + bound).next_up() as f32])
    }
}

/// Whether the result of an error is one of the two numbers beside the real one.
pub(super) fn is_beside(deviation: Deviation) -> bool {
    deviation < Deviation::Ulps(Ulps::ONE)
}

/// What follows runs from operand to operand.
pub(super) struct Follower<'a> {
    survey: &'a Survey<'a>,
    /// The first operand of all.
    first: u64,
    current: Option<Current>,
    runs: Runs,
}

/// The run that the last operand is in, and whether the results of its first operand and of its last one are known to be beside the real
/// ones. A run of which both are is no clamp.
struct Current {
    run: Run,
    beside: [bool; 2],
}

impl<'a> Follower<'a> {
    pub(super) const fn new(survey: &'a Survey<'a>, first: u64, runs: Runs) -> Self {
        Self { survey, first, current: None, runs }
    }

    /// Follows the results of operands from one on, of which it is known whether they are beside the real ones: at these places, and whether all
    /// others are.
    pub(super) fn follow<const R: usize>(
        &mut self,
        first: u64,
        results: &[[u8; R]],
        others: bool,
        places: &[(usize, bool)],
    ) {
        if others && places.iter().all(|(_, is_beside)| *is_beside) {
            return self.pass(first, results);
        }
        let mut beside = vec![others; results.len()];
        places.iter().for_each(|&(at, is_beside)| beside[at] = is_beside);
        self.walk(first, results, |at| beside[at]);
    }

    /// Follows the results of operands from one on, all of which are beside the real ones: only the runs at both ends matter.
    fn pass<const R: usize>(&mut self, first: u64, results: &[[u8; R]]) {
        let [Some(&start), Some(&end)] = [results.first(), results.last()] else { return };
        if self.begins_within(first, results.len()) {
            return self.walk(first, results, |_| true);
        }
        self.step(first, bits_of(start), true);
        let last = first + (results.len() - 1) as u64;
        let [start, end] = [start, end].map(|bits| self.canonical(bits_of(bits)));
        if start == end && self.all_are(results, start) {
            return self.step(last, end, true);
        }
        let is = |bits: &[u8; R], result| self.canonical(bits_of(*bits)) == result;
        let leading = results.iter().take_while(|bits| is(bits, start)).count();
        let trailing = results.iter().rev().take_while(|bits| is(bits, end)).count();
        self.step(first + (leading - 1) as u64, start, true);
        // There is another result between them where they are the same.
        self.end(false);
        self.step(last - (trailing - 1) as u64, end, true);
        self.step(last, end, true);
    }

    /// Follows the results of operands from one on, of which it is told which are known to be beside the real ones.
    fn walk<const R: usize>(
        &mut self,
        first: u64,
        results: &[[u8; R]],
        is_beside: impl Fn(usize) -> bool,
    ) {
        let len = results.len();
        let begins_within = self.begins_within(first, len);
        let step = |this: &mut Self, at: usize| {
            if begins_within && this.survey.begins_at(first + at as u64) {
                this.end(false);
            }
            this.step(first + at as u64, bits_of(results[at]), is_beside(at));
        };
        let is_quick = R == 4
            && len > 1
            && !begins_within
            && !block::has_equal_neighbours(results.as_flattened().as_chunks().0);
        if is_quick {
            // All but the first one are alone.
            step(self, 0);
            self.end(false);
            return step(self, len - 1);
        }
        (0..len).for_each(|at| step(self, at));
    }

    /// Whether runs end between an operand and one of so many from it on, or before it.
    fn begins_within(&self, first: u64, len: usize) -> bool {
        let Some(format) = self.survey.floats() else { return true };
        // The two operands at the ends are of one kind only where all between them are: signs and classes change seldom.
        let last = first + len.saturating_sub(1) as u64;
        self.survey.begins_at(first)
            || format.is_negative(first) != format.is_negative(last)
            || format.class(first) != format.class(last)
    }

    /// Whether these bits stand for all results.
    fn all_are<const R: usize>(&self, results: &[[u8; R]], bits: u64) -> bool {
        let of_results = float(self.survey.check.result());
        let is_nan = of_results.is_some_and(|format| format.class(bits) == Class::Nan);
        match u32::try_from(bits) {
            Ok(bits) if R == 4 => {
                let results = results.as_flattened().as_chunks().0;
                !if is_nan { block::has_numbers(results) } else { block::has_others(results, bits) }
            }
            _ => results.iter().all(|result| self.canonical(bits_of(*result)) == bits),
        }
    }

    /// The bits that stand for a result: any NaN is as good as another.
    fn canonical(&self, bits: u64) -> u64 {
        match float(self.survey.check.result()) {
            Some(format) if format.class(bits) == Class::Nan => quiet_nan(format),
            _ => bits,
        }
    }

    /// Adds an operand; all between the last one and it have its result.
    fn step(&mut self, operand: u64, result: u64, is_beside: bool) {
        let result = self.canonical(result);
        match &mut self.current {
            Some(Current { run, beside }) if run.result == result => {
                run.last = operand;
                beside[1] = is_beside;
            }
            _ => {
                self.end(false);
                let run = Run { first: operand, last: operand, result };
                self.current = Some(Current { run, beside: [is_beside; 2] });
            }
        }
    }

    /// Ends the run that the last operand is in; whether it may go on after that.
    fn end(&mut self, is_open: bool) {
        let Some(Current { run, beside }) = self.current.take() else { return };
        let survey = self.survey;
        let ends = [
            run.first == self.first && !survey.begins_at(run.first),
            is_open && !survey.ends_at(run.last),
        ];
        if ends != [false; 2] {
            self.runs.add(run, ends, survey);
        } else if beside != [true; 2] {
            self.runs.close(run, survey);
        }
    }

    /// What was seen.
    pub(super) fn finish(mut self) -> Runs {
        self.end(true);
        self.runs
    }
}
