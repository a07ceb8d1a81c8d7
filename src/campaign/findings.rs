//! Findings: the result of a part of a campaign. Those of parts add up to those of the whole, in
//! whichever order.

use std::collections::BTreeMap;

use super::Column;
use super::example::{Example, Severity, keep};
use super::judge::{Judge, Wrong};
use super::plan::Plan;
use crate::dtype::{DType, Kind, integer};
use crate::oracle::Deviation;
use crate::sweep::Tally;

/// The result of a part of a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Findings {
    /// What the check counted. Of the largest error only the size matters: where it is may depend on
    /// which part was executed first.
    pub tally: Tally,
    /// Wrong results that violate the profile; none where it decides nothing.
    pub violations: Option<u64>,
    /// The first wrong results, in the order of the space.
    pub first: Vec<Example>,
    /// The worst of them, the worst one first.
    pub worst: Vec<Example>,
    /// Results by the size of their operands: the wrong ones, and of the others a sample.
    pub cells: BTreeMap<Cell, Heat>,
}

/// The size of the operands: for each the group of its exponent field, for integers the length of
/// its magnitude in bits. A single operand stands for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// Of the first operand.
    pub a: u64,
    /// Of the second operand.
    pub b: u64,
}

/// Results of one cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heat {
    /// How many were sampled.
    pub sampled: u64,
    /// How many are wrong.
    pub mismatches: u64,
    /// The worst error among these.
    pub worst: Option<Severity>,
}

impl Cell {
    /// Exponents make at most 32 groups.
    const GROUPS: u32 = 5;

    /// Exponents that make a group: 1 for float16, 8 for bfloat16 and float32.
    #[must_use]
    pub const fn group(exponent_bits: u32) -> u64 {
        1 << exponent_bits.saturating_sub(Self::GROUPS)
    }

    fn of(dtype: DType, operands: &[u64]) -> Self {
        let size = |bits: u64| match dtype.kind() {
            Kind::Float(format) => {
                let field = format.magnitude(bits) >> format.significand_bits;
                field / Self::group(format.exponent_bits)
            }
            Kind::Int { signed, bits: width } => {
                let magnitude = integer(bits.into(), signed, width).unsigned_abs();
                u64::from(u128::BITS - magnitude.leading_zeros())
            }
            Kind::Bool | Kind::Complex(_) | Kind::String => 0,
        };
        let a = operands.first().map_or(0, |&bits| size(bits));
        Self { a, b: operands.get(1).map_or(a, |&bits| size(bits)) }
    }
}

impl Findings {
    /// The findings of nothing.
    #[must_use]
    pub fn none(judge: &Judge) -> Self {
        Self {
            tally: Tally::default(),
            violations: judge.no_violations(),
            first: Vec::new(),
            worst: Vec::new(),
            cells: BTreeMap::new(),
        }
    }

    /// Whether everything that was executed conforms: to the profile, or to the specification where
    /// the profile decides nothing.
    #[must_use]
    pub fn conforms(&self) -> bool {
        self.violations.unwrap_or(self.tally.mismatches) == 0
    }

    /// The largest error of all results; none where no result has one.
    #[must_use]
    pub fn max_error(&self) -> Option<Deviation> {
        self.tally.largest.map(|largest| largest.deviation)
    }

    /// Checks the results of consecutive inputs, the first at an index, and adds them.
    pub(super) fn add(
        &mut self,
        plan: &Plan,
        judge: &Judge,
        index: u64,
        operands: &[Column],
        results: &Column,
    ) {
        let dtype = plan.dtype();
        let bytes: Vec<&[u8]> = operands.iter().map(Column::bytes).collect();
        let mut wrong = Wrong::new(plan.check());
        self.sample(plan, index, operands, results);
        let Self { tally, first, worst, cells, .. } = self;
        plan.check().run(&bytes, results.bytes(), tally, &mut |mismatch| {
            let example = Example {
                index: index + mismatch.index as u64,
                operands: operands.iter().map(|column| column.element(mismatch.index)).collect(),
                actual: results.element(mismatch.index),
                error: Severity(mismatch.deviation),
            };
            let heat = Heat { sampled: 0, mismatches: 1, worst: Some(example.error) };
            cells.entry(Cell::of(dtype, &example.operands)).or_default().add(heat);
            keep(first, &example, Example::first_first);
            keep(worst, &example, Example::worst_first);
            wrong.push(example.operands, example.actual, &mismatch.conforming);
        });
        if let Some(violations) = &mut self.violations {
            *violations += judge.violations(&wrong);
        }
    }

    /// Measures the errors of every so many-th result, right or wrong, for the heat map.
    fn sample(&mut self, plan: &Plan, index: u64, operands: &[Column], results: &Column) {
        let (dtype, check, stride) = (plan.dtype(), plan.check(), plan.stride());
        let first = index.next_multiple_of(stride) - index;
        let places =
            (first..results.len() as u64).step_by(usize::try_from(stride).unwrap_or(usize::MAX));
        for at in places.map(|at| at as usize) {
            let bits: Vec<u64> = operands.iter().map(|column| column.element(at)).collect();
            let error = match check.deviation(&bits, results.element(at)) {
                Deviation::NoRealResult => None,
                _ if !check.conforming(&bits).is_decided() => None,
                error => Some(Severity(error)),
            };
            let heat = Heat { sampled: 1, mismatches: 0, worst: error };
            self.cells.entry(Cell::of(dtype, &bits)).or_default().add(heat);
        }
    }

    /// Adds the findings of another part.
    pub fn merge(&mut self, other: &Self) {
        self.tally.append(&other.tally);
        self.violations = self.violations.zip(other.violations).map(|(a, b)| a + b);
        for example in &other.first {
            keep(&mut self.first, example, Example::first_first);
        }
        for example in &other.worst {
            keep(&mut self.worst, example, Example::worst_first);
        }
        for (&cell, &heat) in &other.cells {
            self.cells.entry(cell).or_default().add(heat);
        }
    }
}

impl Heat {
    fn add(&mut self, other: Self) {
        self.sampled += other.sampled;
        self.mismatches += other.mismatches;
        self.worst = self.worst.max(other.worst);
    }
}
