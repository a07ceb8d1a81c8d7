//! Findings: the result of a part of a campaign. Those of parts add up to those of the whole, in
//! whichever order.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::Column;
use super::example::{Example, KEPT, severity};
use super::judge::Judge;
use super::plan::Plan;
use crate::check::Check;
use crate::dtype::{DType, Kind, integer};
use crate::oracle::Deviation;
use crate::sweep::Tally;
use values::element::Element;

/// The result of a part of a campaign.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    pub(super) cells: BTreeMap<Cell, Heat>,
}

/// The sizes of the first and the second operand: for each the group of its exponent field, for
/// integers the length of its magnitude in bits. A single operand stands for both.
pub(super) type Cell = (u64, u64);

/// Results of one cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Heat {
    pub(super) sampled: u64,
    pub(super) mismatches: u64,
    /// The worst error among these.
    pub(super) worst: Option<Deviation>,
}

/// Exponents that make a group, of which there are at most 32: 1 for float16, 8 for bfloat16 and
/// float32; of integers, 1 length.
pub(super) fn group(dtype: DType) -> u64 {
    match dtype.kind() {
        Kind::Float(format) => 1 << format.exponent_bits.saturating_sub(5),
        _ => 1,
    }
}

/// Number of the sizes that an operand may be of; none where the type has no sizes.
pub(super) fn sizes(dtype: DType) -> Option<u64> {
    match dtype.kind() {
        Kind::Float(format) => Some((1 << format.exponent_bits) / group(dtype)),
        Kind::Int { bits, .. } => Some(u64::from(bits) + 1),
        Kind::Bool | Kind::Complex(_) | Kind::String => None,
    }
}

pub(super) fn cell(check: &Check, operands: &[Element]) -> Cell {
    let dtype = check.dtype();
    let operands = operands.get(check.axes()).unwrap_or_default();
    let size = |operand: &Element| match (operand, dtype.kind()) {
        (Element::Bits(_, bits), Kind::Float(format)) => {
            (format.magnitude(*bits as u64) >> format.significand_bits) / group(dtype)
        }
        (Element::Bits(_, bits), Kind::Int { signed, bits: width }) => {
            let magnitude = integer(*bits, signed, width).unsigned_abs();
            u64::from(u128::BITS - magnitude.leading_zeros())
        }
        _ => 0,
    };
    let a = operands.first().map_or(0, size);
    (a, operands.get(1).map_or(a, size))
}

/// The first bin that holds wrong results alone: correct ones are off by half a unit in the last place
/// at most, numbers that are read from strings by hardly more, as they may be rounded to a wider format before, and
/// quotients of integers, whose fractions are dropped, by less than one.
pub(super) fn first_wrong(check: &Check) -> usize {
    match check.dtype() {
        _ if matches!(check.result().kind(), Kind::Int { .. }) => 10,
        DType::String => 7,
        _ => 6,
    }
}

impl Findings {
    /// The findings of nothing.
    pub(super) fn none(judge: &Judge) -> Self {
        Self { violations: judge.no_violations(), ..Self::default() }
    }

    /// Checks the results of consecutive inputs, the first at an index, and adds them. Without a judge,
    /// violations are not counted.
    pub(super) fn add(
        &mut self,
        plan: &Plan,
        judge: Option<&Judge>,
        index: u64,
        operands: &[Column],
        results: &Column,
    ) {
        let check = &plan.check;
        let operands_at = |at: usize| operands.iter().map(|column| column.get(at)).collect();
        let mut wrong = Vec::new();
        // Every so many-th result is measured for the heat map, right or wrong.
        let stride = plan.stride();
        let first = index.next_multiple_of(stride) - index;
        let stride = usize::try_from(stride).unwrap_or(usize::MAX);
        for at in (first..results.len() as u64).step_by(stride) {
            let given: Vec<Element> = operands_at(at as usize);
            let (conforming, error) = check.judged_elements(&given, &results.get(at as usize));
            let is_measured = error != Deviation::NoRealResult && conforming.is_decided();
            let error = is_measured.then_some(error);
            self.heat(check, &given, Heat { sampled: 1, mismatches: 0, worst: error });
        }
        check.run_columns(operands, results, &mut self.tally, &mut |mismatch| {
            wrong.push(Example {
                index: index + mismatch.index as u64,
                operands: operands_at(mismatch.index),
                actual: results.get(mismatch.index),
                error: mismatch.deviation,
            });
        });
        for example in &wrong {
            let heat = Heat { sampled: 0, mismatches: 1, worst: Some(example.error) };
            self.heat(check, &example.operands, heat);
            self.keep(example);
        }
        if let (Some(violations), Some(judge)) = (&mut self.violations, judge) {
            *violations += judge.violations(check, &wrong);
        }
    }

    fn heat(&mut self, check: &Check, operands: &[Element], heat: Heat) {
        self.cells.entry(cell(check, operands)).or_default().add(heat);
    }

    /// Keeps an example where it is among the first or the worst.
    pub(super) fn keep(&mut self, example: &Example) {
        keep(&mut self.first, example, |one| one.index);
        keep(&mut self.worst, example, |one| (Reverse(severity(one.error)), one.index));
    }

    /// Adds the findings of another part.
    pub(super) fn merge(&mut self, other: &Self) {
        self.tally.append(&other.tally);
        self.violations = self.violations.zip(other.violations).map(|(a, b)| a + b);
        other.first.iter().chain(&other.worst).for_each(|example| self.keep(example));
        for (&cell, &heat) in &other.cells {
            self.cells.entry(cell).or_default().add(heat);
        }
    }
}

impl Heat {
    fn add(&mut self, other: Self) {
        self.sampled += other.sampled;
        self.mismatches += other.mismatches;
        let by_severity = |worst: &Option<Deviation>| worst.map(severity);
        self.worst = [self.worst, other.worst].into_iter().max_by_key(by_severity).flatten();
    }
}

/// Keeps an example among the least by a key, at most [`KEPT`], if it is not there.
fn keep<K: Ord>(examples: &mut Vec<Example>, example: &Example, key: impl Fn(&Example) -> K) {
    let place = examples.partition_point(|kept| key(kept) < key(example));
    if place < KEPT && examples.get(place) != Some(example) {
        examples.insert(place, example.clone());
        examples.truncate(KEPT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Ulps;

    fn kept(errors: impl DoubleEndedIterator<Item = Deviation> + ExactSizeIterator) -> Findings {
        let mut findings = Findings::default();
        for (index, error) in errors.enumerate().rev() {
            let index = index as u64;
            let element = |bits: u64| Element::Bits(DType::Int8, bits.into());
            let operands = vec![element(index)];
            findings.keep(&Example { index, operands, actual: element(0), error });
        }
        findings
    }

    #[test]
    fn the_worst_come_by_severity_then_distance_then_place() {
        let (half, one) = (Deviation::Ulps(Ulps::HALF), Deviation::Ulps(Ulps::ONE));
        let errors = [half, Deviation::NoRealResult, one, Deviation::Unbounded, one, half];
        let order: Vec<u64> =
            kept(errors.into_iter()).worst.iter().map(|example| example.index).collect();
        assert_eq!(order, [1, 3, 2, 4, 0, 5]);
    }

    #[test]
    fn no_more_are_kept_than_are_shown_and_none_twice() {
        let mut findings = kept((0..100).map(|_| Deviation::Unbounded));
        findings.merge(&findings.clone());
        assert_eq!(findings.first.len(), KEPT);
        assert_eq!(findings.first.last().unwrap().index, KEPT as u64 - 1);
    }
}
