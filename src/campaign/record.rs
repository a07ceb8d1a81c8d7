//! Findings as the document holds them, and read back from it.

use std::collections::BTreeMap;
use std::str::FromStr;

use super::confidence;
use super::document::{
    Bin, Classes, Counterexample, Counterexamples, Document, FORMAT_VERSION, HeatCell, HeatMap,
    Part, Shard, Span,
};
use super::engine::State;
use super::example::{Example, KEPT, Severity};
use super::findings::{Cell, Findings, Heat};
use super::judge::{Judge, bits_of};
use super::notation;
use super::plan::Plan;
use super::ranges::Ranges;
use super::strategy::Strategy;
use crate::backend::Identity;
use crate::check::Check;
use crate::corpus::Digest;
use crate::dtype::{DType, Kind};
use crate::report::document::{Backend, Provenance};
use crate::report::provenance;
use crate::sweep::{self, BINS, LABELS, Largest, Tally};
use reference::operators;

/// What a document says cannot be: it was damaged, or written by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its member `{0}` is not what a campaign writes")]
pub struct Inconsistent(pub &'static str);

impl Document {
    /// The document of a plan before anything was executed, without digest and provenance.
    #[must_use]
    pub fn of(plan: &Plan, backend: Identity, judge: &Judge) -> Self {
        let mut document = Self {
            format_version: FORMAT_VERSION,
            tool: provenance::tool(),
            backend: Backend {
                name: backend.name,
                version: backend.version,
                details: backend.details,
            },
            profile: judge.profile().to_owned(),
            operator: plan.operator().name.to_owned(),
            type_name: plan.dtype().name().to_owned(),
            strategy: plan.strategy().name().to_owned(),
            parameters: plan.strategy().parameters(),
            inputs: plan.space().len(),
            parts: plan.space().parts().into_iter().map(Part::from).collect(),
            range: plan.range().clone().into(),
            shard: plan.shard().map(|shard| Shard { index: shard.index(), count: shard.count() }),
            promised: plan.promised(),
            executed: 0,
            ranges: Vec::new(),
            mismatches: 0,
            violations: None,
            confidence: None,
            max_error_ulp: None,
            histogram: Vec::new(),
            classes: Classes::default(),
            counterexamples: Counterexamples::default(),
            heat_map: HeatMap { stride: plan.stride(), ..HeatMap::default() },
            requirements: Vec::new(),
            failure: None,
            digest: Digest::of(&[]),
            provenance: Provenance::default(),
        };
        document.record(&State::begin(judge), plan.check());
        document
    }

    /// Puts what was executed and found in the place of what stood there.
    pub(super) fn record(&mut self, State { done, findings }: &State, check: &Check) {
        let Tally { classes, histogram, .. } = &findings.tally;
        let bins = LABELS.iter().zip(histogram);
        let all = self.range == Span::from(0..self.inputs);
        let with_specials = [Strategy::Exhaustive, Strategy::Hard].map(Strategy::name);
        let specials = all && with_specials.contains(&self.strategy.as_str());
        let covered = check.operator().covered(check.dtype(), specials);
        self.requirements = covered.into_iter().map(str::to_owned).collect();
        self.executed = done.len();
        self.ranges = done.iter().cloned().map(Span::from).collect();
        self.mismatches = findings.tally.mismatches;
        self.violations = findings.violations;
        self.confidence = confidence::of(self);
        self.max_error_ulp = findings.max_error().map(Severity).map(notation::error);
        self.histogram =
            bins.map(|(ulp, &results)| Bin { ulp: (*ulp).to_owned(), results }).collect();
        self.classes = Classes {
            nan: classes.nan,
            infinite: classes.infinite,
            zero: classes.zero,
            subnormal: classes.subnormal,
            normal: classes.normal,
            out_of_domain: classes.out_of_domain,
        };
        let examples =
            |examples: &[Example]| examples.iter().map(|example| show(check, example)).collect();
        self.counterexamples =
            Counterexamples { first: examples(&findings.first), worst: examples(&findings.worst) };
        self.heat_map = HeatMap {
            stride: self.heat_map.stride,
            group: match check.dtype().kind() {
                Kind::Float(format) => Cell::group(format.exponent_bits),
                _ => 1,
            },
            cells: findings.cells.iter().map(|(cell, heat)| heat_cell(*cell, *heat)).collect(),
        };
    }

    /// What was executed, and with what result.
    ///
    /// # Errors
    ///
    /// When the document contradicts itself.
    pub fn state(&self) -> Result<State, Inconsistent> {
        let done = self.done()?;
        let check = self.check()?;
        let read = |examples: &[Counterexample]| {
            let read = examples.iter().map(|example| read_back(&check, example)).collect();
            Option::<Vec<_>>::filter(read, |read| read.len() <= KEPT)
        };
        let examples = &self.counterexamples;
        let findings = Findings {
            tally: self.tally()?,
            violations: self.violations,
            first: read(&examples.first).ok_or(Inconsistent("counterexamples"))?,
            worst: read(&examples.worst).ok_or(Inconsistent("counterexamples"))?,
            cells: self.cells()?,
        };
        let parts = sum(self.parts.iter().map(|part| part.size));
        if !self.parts.is_empty() && parts != Some(self.inputs) {
            return Err(Inconsistent("parts"));
        }
        if self.confidence != confidence::of(self) {
            return Err(Inconsistent("confidence"));
        }
        if self.violations.is_some_and(|violations| violations > self.mismatches) {
            return Err(Inconsistent("violations"));
        }
        Ok(State { done, findings })
    }

    /// The check of the operator and type whose results were checked.
    ///
    /// # Errors
    ///
    /// When there is none such.
    pub fn check(&self) -> Result<Check, Inconsistent> {
        let known = operators::onnx().find(|known| known.name == self.operator);
        let operator = known.ok_or(Inconsistent("operator"))?;
        let dtype = DType::from_str(&self.type_name).map_err(|_| Inconsistent("type"))?;
        Check::new(operator, dtype).ok_or(Inconsistent("type"))
    }

    fn done(&self) -> Result<Ranges, Inconsistent> {
        let wrong = Inconsistent("ranges");
        let range = self.range;
        if range.first >= range.end || range.end > self.inputs {
            return Err(Inconsistent("range"));
        }
        let part = self.part().ok_or(Inconsistent("shard"))?;
        if self.promised != part.end - part.start {
            return Err(Inconsistent("promised"));
        }
        let mut done = Ranges::default();
        for &Span { first, end } in &self.ranges {
            if first < part.start || end > part.end || first >= end || !done.insert(first..end) {
                return Err(wrong);
            }
        }
        if !done.iter().cloned().map(Span::from).eq(self.ranges.iter().copied()) {
            return Err(wrong);
        }
        if done.len() == self.executed { Ok(done) } else { Err(Inconsistent("executed")) }
    }

    fn tally(&self) -> Result<Tally, Inconsistent> {
        let Classes { nan, infinite, zero, subnormal, normal, out_of_domain } = self.classes;
        let classes = [nan, infinite, zero, subnormal, normal, out_of_domain];
        if sum(classes) != Some(self.executed) {
            return Err(Inconsistent("classes"));
        }
        let mut histogram = [0; BINS];
        let labels = self.histogram.iter().map(|bin| bin.ulp.as_str());
        let results = || self.histogram.iter().map(|bin| bin.results);
        if !labels.eq(LABELS) || sum(results()).is_none_or(|sum| sum > self.executed) {
            return Err(Inconsistent("histogram"));
        }
        histogram.iter_mut().zip(results()).for_each(|(count, results)| *count = results);
        if self.mismatches > self.executed {
            return Err(Inconsistent("mismatches"));
        }
        let largest = self.max_error_ulp.as_deref().map(|text| {
            let error = notation::read_error(text).ok_or(Inconsistent("max_error_ulp"))?;
            let Severity(deviation) = error;
            // Where the largest error was is not told by the document.
            Ok(Largest { deviation, operands: [0; 2], result: 0 })
        });
        Ok(Tally {
            executed: self.executed,
            mismatches: self.mismatches,
            classes: sweep::Classes { nan, infinite, zero, subnormal, normal, out_of_domain },
            histogram,
            largest: largest.transpose()?,
        })
    }

    fn cells(&self) -> Result<BTreeMap<Cell, Heat>, Inconsistent> {
        let wrong = Inconsistent("heat_map");
        let mut cells = BTreeMap::new();
        for HeatCell { a, b, sampled, mismatches, worst_error_ulp } in &self.heat_map.cells {
            let worst = worst_error_ulp.as_deref();
            let worst = worst.map(|text| notation::read_error(text).ok_or(wrong)).transpose()?;
            let heat = Heat { sampled: *sampled, mismatches: *mismatches, worst };
            if cells.insert(Cell { a: *a, b: *b }, heat).is_some() {
                return Err(wrong);
            }
        }
        let sampled = sum(cells.values().map(|heat: &Heat| heat.sampled));
        let mismatches = sum(cells.values().map(|heat| heat.mismatches));
        let sampled_too_many = sampled.is_none_or(|sampled| sampled > self.executed);
        if mismatches != Some(self.mismatches) || sampled_too_many {
            return Err(wrong);
        }
        Ok(cells)
    }
}

impl From<reference::inputs::Part> for Part {
    fn from(reference::inputs::Part { name, size }: reference::inputs::Part) -> Self {
        Self { name, size }
    }
}

fn heat_cell(Cell { a, b }: Cell, Heat { sampled, mismatches, worst }: Heat) -> HeatCell {
    HeatCell { a, b, sampled, mismatches, worst_error_ulp: worst.map(notation::error) }
}

/// The sum of counts, where it fits.
fn sum(counts: impl IntoIterator<Item = u64>) -> Option<u64> {
    counts.into_iter().try_fold(0_u64, u64::checked_add)
}

fn show(check: &Check, example: &Example) -> Counterexample {
    let show = |bits| notation::element(check.dtype(), bits);
    Counterexample {
        index: example.index,
        inputs: example.operands.iter().copied().map(show).collect(),
        expected: show(bits_of(&check.conforming(&example.operands))),
        actual: show(example.actual),
        error_ulp: notation::error(example.error),
    }
}

/// The counterexample as it was found; none where the reference finds otherwise.
pub(super) fn read_back(check: &Check, shown: &Counterexample) -> Option<Example> {
    let bits = |text: &String| notation::element_bits(check.dtype(), text);
    let operands = shown.inputs.iter().map(bits).collect::<Option<Vec<_>>>()?;
    let actual = bits(&shown.actual)?;
    if operands.len() != check.operator().arity() {
        return None;
    }
    let error = Severity(check.deviation(&operands, actual));
    let example = Example { index: shown.index, operands, actual, error };
    (show(check, &example) == *shown).then_some(example)
}
