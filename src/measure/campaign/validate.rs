//! Documents read back: the plan that one is of, and what was executed and found. Whatever else a document holds
//! is derived from these and compared.

use std::collections::BTreeMap;
use std::str::FromStr;

use super::attributes;
use super::bounds::{self, impossible};
use super::document::{Campaign, Classes, Counterexample, HeatCell};
use super::engine::State;
use super::example::{Example, KEPT};
use super::findings::{Findings, Heat};
use super::judge::Judge;
use super::notation;
use super::plan::{Plan, PlanError, Strategy};
use super::ranges::Ranges;
use crate::check::{Check, Unchecked};
use crate::document::{Contradiction, agrees};
use crate::dtype::DType;
use crate::judge::profile::Profile;
use crate::sweep::{self, BINS, Largest, Tally};
use reference::operator::Domain;
use reference::operators;

impl Campaign {
    /// What was executed, and with what result.
    pub fn state(&self) -> Result<State, Contradiction> {
        self.backend.check().map_err(|_| impossible("backend"))?;
        let plan = self.plan()?;
        let check = &plan.check;
        let judge = self.judge(check)?;
        let mut done = Ranges::default();
        for &span in &self.ranges {
            // One that was there already is not written again below.
            let _ = done.insert(span.into());
        }
        let read = |examples: &[Counterexample]| {
            let read = examples.iter().map(|example| read_back(check, example)).collect();
            let few = Option::<Vec<_>>::filter(read, |read| read.len() <= KEPT);
            few.ok_or_else(|| impossible("counterexamples"))
        };
        let findings = Findings {
            tally: self.tally()?,
            violations: self.violations,
            first: read(&self.counterexamples.first)?,
            worst: read(&self.counterexamples.worst)?,
            cells: self.cells()?,
        };
        let state = State { done, findings };
        let derived = Self {
            tool: self.tool.clone(),
            failure: self.failure.clone(),
            digest: self.digest,
            provenance: self.provenance.clone(),
            ..Self::with(&plan, self.backend.clone(), self.profile.clone(), &state)
        };
        agrees("", self, &derived)?;
        bounds::check(self, &plan, judge.as_ref(), &state)?;
        Ok(state)
    }

    /// The plan of which this is the document.
    fn plan(&self) -> Result<Plan, Contradiction> {
        let check = self.check()?;
        let strategy = Strategy::read_back(&self.strategy, &self.parameters);
        let strategy = strategy.ok_or_else(|| impossible("strategy"))?;
        let (range, shard) = (Some(self.range.into()), self.shard);
        if shard.is_some_and(|shard| shard.index == 0 || shard.index > shard.count) {
            return Err(impossible("shard"));
        }
        Plan::of(check, strategy, range, shard).map_err(|error| {
            impossible(match error {
                PlanError::Unchecked(_) => "type",
                PlanError::Range(..) => "range",
                PlanError::EmptyShard(..) => "shard",
                PlanError::Count(_) | PlanError::Exponent(..) => "parameters",
                PlanError::NoHardInputs(..)
                | PlanError::NoStrata(_)
                | PlanError::Endless(_)
                | PlanError::TooLarge(..)
                | PlanError::NoSignificands(..) => "strategy",
            })
        })
    }

    /// The judgement of the profile; none where that is a user's own, whose rules are not known here.
    fn judge(&self, check: &Check) -> Result<Option<Judge>, Contradiction> {
        let wrong = || impossible("profile");
        match Profile::named(&self.profile) {
            Ok(profile) => {
                let judge = Judge::new(profile, check.operator(), check.result());
                judge.map(Some).map_err(|_| wrong())
            }
            Err(_) => Profile::is_own(&self.profile).then_some(None).ok_or_else(wrong),
        }
    }

    /// The check of the operator with its type and attributes whose results were checked.
    pub(super) fn check(&self) -> Result<Check, Contradiction> {
        let known = operators::find(Domain::Onnx, &self.operator);
        let operator = known.ok_or_else(|| impossible("operator"))?;
        let dtype = DType::from_str(&self.type_name).map_err(|_| impossible("type"))?;
        let wrong = || impossible("attributes");
        let attributes = attributes::read(operator, &self.attributes).map_err(|_| wrong())?;
        let like = Check::takes_like(operator).then(|| DType::from_str(&self.result_type));
        let like = like.transpose().map_err(|_| impossible("result_type"))?;
        Check::like(operator, dtype, like, attributes).map_err(|unchecked| match unchecked {
            Unchecked::NotElementwise(_) | Unchecked::Like(_) | Unchecked::NothingLike(_) => {
                impossible("operator")
            }
            Unchecked::Type(..) => impossible("type"),
            Unchecked::Invalid(_) | Unchecked::Undefined(..) => wrong(),
        })
    }

    fn tally(&self) -> Result<Tally, Contradiction> {
        let mut histogram = [0; BINS];
        for (results, bin) in histogram.iter_mut().zip(&self.histogram) {
            *results = bin.results;
        }
        let Classes { nan, infinite, zero, subnormal, normal, out_of_domain } = self.classes;
        let error = self.max_error_ulp.as_deref().map(notation::read_error);
        let wrong = || impossible("max_error_ulp");
        // Where the largest error was is not told by the document.
        let largest = |deviation| Largest { deviation, operands: [0; sweep::MAX_ARITY], result: 0 };
        Ok(Tally {
            executed: self.executed,
            mismatches: self.mismatches,
            classes: sweep::Classes { nan, infinite, zero, subnormal, normal, out_of_domain },
            histogram,
            largest: error.map(|error| error.map(largest).ok_or_else(wrong)).transpose()?,
        })
    }

    fn cells(&self) -> Result<BTreeMap<(u64, u64), Heat>, Contradiction> {
        let heat = |cell: &HeatCell| {
            let &HeatCell { a, b, sampled, mismatches, ref worst_error_ulp } = cell;
            let worst = worst_error_ulp.as_deref().map(notation::read_error);
            let worst =
                worst.map(|error| error.ok_or_else(|| impossible("heat_map"))).transpose()?;
            Ok(((a, b), Heat { sampled, mismatches, worst }))
        };
        self.heat_map.cells.iter().map(heat).collect()
    }
}

/// The counterexample as it was found; none where it is not of the operator and type.
fn read_back(check: &Check, shown: &Counterexample) -> Option<Example> {
    let element = |(text, &dtype): (&String, &DType)| notation::read_element(dtype, text);
    let typed = shown.inputs.iter().zip(check.operands());
    let operands = typed.map(element).collect::<Option<Vec<_>>>()?;
    let actual = notation::read_element(check.result(), &shown.actual)?;
    if shown.inputs.len() != operands.len() || operands.len() != check.operands().len() {
        return None;
    }
    let (_, error) = check.judged_elements(&operands, &actual);
    Some(Example { index: shown.index, operands, actual, error })
}
