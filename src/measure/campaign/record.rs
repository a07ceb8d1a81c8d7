//! Findings as the document holds them.

use super::attributes;
use super::confidence;
use super::document::{
    Bin, Campaign, Classes, Counterexample, Counterexamples, FORMAT_VERSION, HeatCell, HeatMap,
    Part, Span,
};
use super::engine::State;
use super::example::Example;
use super::findings::{Heat, group};
use super::judge::{Judge, expected};
use super::notation;
use super::plan::{Plan, Strategy};
use crate::backend::Identity;
use crate::backend::Identity as Backend;
use crate::check::Check;
use crate::corpus::Digest;
use crate::document::provenance;
use crate::document::provenance::Provenance;
use crate::sweep::{self, LABELS, Tally};

impl Campaign {
    /// The document of a plan before anything was executed, without digest and provenance.
    pub(super) fn of(plan: &Plan, backend: Identity, judge: &Judge) -> Self {
        let profile = judge.profile.name().to_owned();
        Self::with(plan, backend, profile, &State::begin(judge))
    }

    /// The document of what was executed of a plan and found, likewise.
    pub(super) fn with(plan: &Plan, backend: Identity, profile: String, state: &State) -> Self {
        let Identity { name, version, details, .. } = backend;
        let parts = plan.space.parts().into_iter();
        let mut document = Self {
            format_version: FORMAT_VERSION,
            tool: provenance::tool(),
            backend: Backend { name, version, details },
            profile,
            operator: plan.check.operator().name.to_owned(),
            type_name: plan.check.dtype().name().to_owned(),
            attributes: attributes::written(plan.check.attributes()),
            result_type: plan.check.result().name().to_owned(),
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
        document.record(state, &plan.check);
        document
    }

    /// Puts what was executed and found in the place of what stood there.
    pub(super) fn record(&mut self, State { done, findings }: &State, check: &Check) {
        let Tally { mismatches, largest, classes, histogram, .. } = findings.tally;
        let all = self.range == Span::from(0..self.inputs);
        let with_specials = [Strategy::Exhaustive, Strategy::Hard].map(Strategy::name);
        let specials = all && with_specials.contains(&self.strategy.as_str());
        let covered = check.covered(specials);
        self.requirements = covered.into_iter().map(str::to_owned).collect();
        self.executed = done.len();
        self.ranges = done.iter().cloned().map(Span::from).collect();
        self.mismatches = mismatches;
        self.violations = findings.violations;
        // Elements that share their scalars are not drawn independently.
        let are_independent = check.scalars().is_empty();
        self.confidence = confidence::of(self).filter(|_| are_independent);
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
}

fn show(check: &Check, example: &Example) -> Counterexample {
    Counterexample {
        index: example.index,
        inputs: example.operands.iter().map(notation::element).collect(),
        expected: notation::element(&expected(check, &example.operands)),
        actual: notation::element(&example.actual),
        error_ulp: notation::error(example.error),
    }
}
