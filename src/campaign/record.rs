//! Findings as the document holds them, and read back from it.

use std::collections::BTreeMap;
use std::str::FromStr;

use super::confidence;
use super::document::{
    Bin, Campaign, Classes, Counterexample, Counterexamples, FORMAT_VERSION, HeatCell, HeatMap,
    Part, Span,
};
use super::engine::State;
use super::example::{Example, KEPT};
use super::findings::{Findings, Heat, group};
use super::judge::{Judge, bits_of};
use super::notation;
use super::plan::{Plan, Strategy};
use super::ranges::Ranges;
use crate::backend::Identity;
use crate::check::Check;
use crate::corpus::Digest;
use crate::dtype::DType;
use crate::report::document::{Backend, Provenance};
use crate::report::provenance;
use crate::sweep::{self, BINS, LABELS, Largest, Tally};
use reference::operators;

/// What a document says cannot be: it was damaged, or written by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its member `{0}` is not what a campaign writes")]
pub struct Inconsistent(pub &'static str);

impl Campaign {
    /// The document of a plan before anything was executed, without digest and provenance.
    pub(super) fn of(plan: &Plan, backend: Identity, judge: &Judge) -> Self {
        let Identity { name, version, details, .. } = backend;
        let parts = plan.space.parts().into_iter();
        let mut document = Self {
            format_version: FORMAT_VERSION,
            tool: provenance::tool(),
            backend: Backend { name, version, details },
            profile: judge.profile.name().to_owned(),
            operator: plan.check.operator().name.to_owned(),
            type_name: plan.check.dtype().name().to_owned(),
            strategy: plan.strategy.name().to_owned(),
            parameters: plan.strategy.parameters(),
            inputs: plan.space.len(),
            parts: parts.map(|part| Part { name: part.name, size: part.size }).collect(),
            range: plan.range.clone().into(),
            shard: plan.shard,
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
        document.record(&State::begin(judge), &plan.check);
        document
    }

    /// Puts what was executed and found in the place of what stood there.
    pub(super) fn record(&mut self, State { done, findings }: &State, check: &Check) {
        let Tally { mismatches, largest, classes, histogram, .. } = findings.tally;
        let all = self.range == Span::from(0..self.inputs);
        let with_specials = [Strategy::Exhaustive, Strategy::Hard].map(Strategy::name);
        let specials = all && with_specials.contains(&self.strategy.as_str());
        let covered = check.operator().covered(check.dtype(), specials);
        self.requirements = covered.into_iter().map(str::to_owned).collect();
        self.executed = done.len();
        self.ranges = done.iter().cloned().map(Span::from).collect();
        self.mismatches = mismatches;
        self.violations = findings.violations;
        self.confidence = confidence::of(self);
        self.max_error_ulp = largest.map(|largest| notation::error(largest.deviation));
        let bin = |(ulp, results): (&str, u64)| Bin { ulp: ulp.to_owned(), results };
        self.histogram = LABELS.into_iter().zip(histogram).map(bin).collect();
        let sweep::Classes { nan, infinite, zero, subnormal, normal, out_of_domain } = classes;
        self.classes = Classes { nan, infinite, zero, subnormal, normal, out_of_domain };
        let shown = |all: &[Example]| all.iter().map(|example| show(check, example)).collect();
        self.counterexamples =
            Counterexamples { first: shown(&findings.first), worst: shown(&findings.worst) };
        self.heat_map.group = group(check.dtype());
        let cell = |(&(a, b), heat): (&_, &Heat)| HeatCell {
            a,
            b,
            sampled: heat.sampled,
            mismatches: heat.mismatches,
            worst_error_ulp: heat.worst.map(notation::error),
        };
        self.heat_map.cells = findings.cells.iter().map(cell).collect();
    }

    /// What was executed, and with what result.
    pub fn state(&self) -> Result<State, Inconsistent> {
        let check = self.check()?;
        if self.range.first >= self.range.end || self.range.end > self.inputs {
            return Err(Inconsistent("range"));
        }
        let part = self.part().ok_or(Inconsistent("shard"))?;
        let mut done = Ranges::default();
        for &span in &self.ranges {
            // What was there is told below: it is not written twice.
            let _ = done.insert(span.into());
        }
        let read = |examples: &[Counterexample]| {
            let read = examples.iter().map(|example| read_back(&check, example)).collect();
            let few = Option::<Vec<_>>::filter(read, |read| read.len() <= KEPT);
            few.ok_or(Inconsistent("counterexamples"))
        };
        let findings = Findings {
            tally: self.tally()?,
            violations: self.violations,
            first: read(&self.counterexamples.first)?,
            worst: read(&self.counterexamples.worst)?,
            cells: self.cells()?,
        };
        let state = State { done, findings };
        // All that is derived has to be what would be written of the rest.
        let mut again = self.clone();
        again.record(&state, &check);
        let Classes { nan, infinite, zero, subnormal, normal, out_of_domain } = self.classes;
        let classes = [nan, infinite, zero, subnormal, normal, out_of_domain];
        let inside = |span: &Span| part.start <= span.first && span.end <= part.end;
        let parts = sum(self.parts.iter().map(|part| part.size));
        let errors = sum(self.histogram.iter().map(|bin| bin.results));
        let cells = &self.heat_map.cells;
        let sampled = sum(cells.iter().map(|cell| cell.sampled));
        let wrong = sum(cells.iter().map(|cell| cell.mismatches));
        let at_most = |sum: Option<u64>| sum.is_some_and(|sum| sum <= self.executed);
        let holds = [
            ("promised", self.promised == part.end - part.start),
            ("ranges", self.ranges.iter().all(inside) && self.ranges == again.ranges),
            ("executed", self.executed == again.executed),
            ("classes", sum(classes) == Some(self.executed)),
            ("histogram", self.histogram == again.histogram && at_most(errors)),
            ("mismatches", self.mismatches <= self.executed),
            ("max_error_ulp", self.max_error_ulp == again.max_error_ulp),
            ("counterexamples", self.counterexamples == again.counterexamples),
            ("heat_map", self.heat_map == again.heat_map && at_most(sampled)),
            ("heat_map", wrong == Some(self.mismatches)),
            ("parts", self.parts.is_empty() || parts == Some(self.inputs)),
            ("confidence", self.confidence == again.confidence),
            ("violations", self.violations.is_none_or(|violations| violations <= self.mismatches)),
        ];
        match holds.into_iter().find(|(_, holds)| !holds) {
            Some((member, _)) => Err(Inconsistent(member)),
            None => Ok(state),
        }
    }

    /// The check of the operator and type whose results were checked.
    pub(super) fn check(&self) -> Result<Check, Inconsistent> {
        let known = operators::onnx().find(|known| known.name == self.operator);
        let operator = known.ok_or(Inconsistent("operator"))?;
        let dtype = DType::from_str(&self.type_name).map_err(|_| Inconsistent("type"))?;
        Check::new(operator, dtype).ok_or(Inconsistent("type"))
    }

    fn tally(&self) -> Result<Tally, Inconsistent> {
        let mut histogram = [0; BINS];
        for (results, bin) in histogram.iter_mut().zip(&self.histogram) {
            *results = bin.results;
        }
        let Classes { nan, infinite, zero, subnormal, normal, out_of_domain } = self.classes;
        let error = self.max_error_ulp.as_deref().map(notation::read_error);
        let wrong = Inconsistent("max_error_ulp");
        // Where the largest error was is not told by the document.
        let largest = |deviation| Largest { deviation, operands: [0; 2], result: 0 };
        Ok(Tally {
            executed: self.executed,
            mismatches: self.mismatches,
            classes: sweep::Classes { nan, infinite, zero, subnormal, normal, out_of_domain },
            histogram,
            largest: error.map(|error| error.map(largest).ok_or(wrong)).transpose()?,
        })
    }

    fn cells(&self) -> Result<BTreeMap<(u64, u64), Heat>, Inconsistent> {
        let heat = |cell: &HeatCell| {
            let &HeatCell { a, b, sampled, mismatches, ref worst_error_ulp } = cell;
            let worst = worst_error_ulp.as_deref().map(notation::read_error);
            let worst = worst.map(|error| error.ok_or(Inconsistent("heat_map"))).transpose()?;
            Ok(((a, b), Heat { sampled, mismatches, worst }))
        };
        self.heat_map.cells.iter().map(heat).collect()
    }
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

/// The counterexample as it was found; none where it is not of the operator and type.
fn read_back(check: &Check, shown: &Counterexample) -> Option<Example> {
    let bits = |text: &String| notation::element_bits(check.dtype(), text);
    let operands = shown.inputs.iter().map(bits).collect::<Option<Vec<_>>>()?;
    let actual = bits(&shown.actual)?;
    let error = |operands: &[u64]| check.deviation(operands, actual);
    (operands.len() == check.operator().arity()).then(|| Example {
        index: shown.index,
        error: error(&operands),
        operands,
        actual,
    })
}
