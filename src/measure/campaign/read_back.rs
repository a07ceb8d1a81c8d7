//! Documents read back: the plan that one is of, and what was executed and found. Whatever contradicts
//! the rest is refused.

use std::collections::BTreeMap;
use std::str::FromStr;

use super::attributes;
use super::contradictions;
use super::document::{Campaign, Classes, Counterexample, HeatCell};
use super::engine::State;
use super::example::{Example, KEPT};
use super::findings::{Findings, Heat};
use super::judge::Judge;
use super::notation;
use super::plan::{Plan, PlanError, Strategy};
use super::ranges::Ranges;
use crate::check::{Check, Unchecked};
use crate::dtype::DType;
use crate::judge::profile::Profile;
use crate::sweep::{self, BINS, Largest, Tally};
use reference::operators;

/// What a document says cannot be: it was damaged, or written by hand or by a version of this program
/// with other inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its member `{0}` is not what a campaign of this program writes")]
pub struct Inconsistent(pub &'static str);

impl Campaign {
    /// What was executed, and with what result.
    pub fn state(&self) -> Result<State, Inconsistent> {
        let plan = self.plan()?;
        let told = |member: Option<_>| member.map_or(Ok(()), |member| Err(Inconsistent(member)));
        told(contradictions::of_plan(self, &plan))?;
        let check = &plan.check;
        let judge = self.judge(check)?;
        let mut done = Ranges::default();
        for &span in &self.ranges {
            // What was there is told below: it is not written twice.
            let _ = done.insert(span.into());
        }
        let read = |examples: &[Counterexample]| {
            let read = examples.iter().map(|example| read_back(check, example)).collect();
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
        told(contradictions::of_results(self, &plan, judge.as_ref(), &state))?;
        Ok(state)
    }

    /// The plan of which this is the document.
    fn plan(&self) -> Result<Plan, Inconsistent> {
        let check = self.check()?;
        let strategy = Strategy::read_back(&self.strategy, &self.parameters);
        let strategy = strategy.ok_or(Inconsistent("strategy"))?;
        let (range, shard) = (Some(self.range.into()), self.shard);
        if shard.is_some_and(|shard| shard.index == 0 || shard.index > shard.count) {
            return Err(Inconsistent("shard"));
        }
        Plan::of(check, strategy, range, shard).map_err(|error| {
            Inconsistent(match error {
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
    fn judge(&self, check: &Check) -> Result<Option<Judge>, Inconsistent> {
        let wrong = Inconsistent("profile");
        match Profile::named(&self.profile) {
            Ok(profile) => {
                let judge = Judge::new(profile, check.operator(), check.result());
                judge.map(Some).map_err(|_| wrong)
            }
            Err(_) => Profile::is_own(&self.profile).then_some(None).ok_or(wrong),
        }
    }

    /// The check of the operator with its type and attributes whose results were checked.
    pub(super) fn check(&self) -> Result<Check, Inconsistent> {
        let known = operators::onnx().find(|known| known.name == self.operator);
        let operator = known.ok_or(Inconsistent("operator"))?;
        let dtype = DType::from_str(&self.type_name).map_err(|_| Inconsistent("type"))?;
        let wrong = Inconsistent("attributes");
        let attributes = attributes::read(operator, &self.attributes).map_err(|_| wrong)?;
        let like = Check::takes_like(operator).then(|| DType::from_str(&self.result_type));
        let like = like.transpose().map_err(|_| Inconsistent("result_type"))?;
        Check::like(operator, dtype, like, attributes).map_err(|unchecked| match unchecked {
            Unchecked::NotElementwise(_) | Unchecked::Like(_) | Unchecked::NothingLike(_) => {
                Inconsistent("operator")
            }
            Unchecked::Type(..) => Inconsistent("type"),
            Unchecked::Invalid(_) | Unchecked::Undefined(..) => wrong,
        })
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
        let largest = |deviation| Largest { deviation, operands: [0; sweep::MAX_ARITY], result: 0 };
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
