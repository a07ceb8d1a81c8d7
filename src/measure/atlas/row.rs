//! A row, from what was seen, and what was seen, from a row.

use std::borrow::Cow;

use super::document::{Binade, Clamps, Row};
use super::limits::limits;
use super::sheet::Sheet;
use crate::backend::Identity;
use crate::check::Check;
use crate::document::{Contradiction, agrees};
use crate::dtype::DType;
use crate::measure::campaign::document::Span;
use crate::measure::campaign::{Plan, Ranges, State, Strategy, attributes, notation};
use crate::oracle::Deviation;
use crate::reference::operator::Domain;
use crate::reference::operators;
use crate::reference::survey::{Record, Survey, Worst, binade};
use crate::sweep::MAX_ARITY;

impl Row {
    /// The row of a sheet before anything was executed.
    pub(super) fn of(sheet: &Sheet, identity: &Identity) -> Self {
        let plan = &sheet.plan;
        let mut row = Self {
            backend: identity.name.clone(),
            version: identity.version.clone(),
            operator: plan.check.operator().name.to_owned(),
            type_name: plan.check.dtype().name().to_owned(),
            attributes: attributes::written(plan.check.attributes()),
            result_type: plan.check.result().name().to_owned(),
            strategy: plan.strategy.name().to_owned(),
            parameters: plan.strategy.parameters(),
            shard: plan.shard(),
            inputs: plan.promised(),
            executed: 0,
            ranges: Vec::new(),
            max_error_ulp: None,
            at: Vec::new(),
            result: None,
            expected: None,
            not_correctly_rounded: 0,
            special_mismatches: 0,
            flushed: 0,
            not_monotone: sheet.knows_order().then_some(0),
            not_symmetric: sheet.knows_symmetry().then_some(0),
            clamps: sheet.survey().follows_runs().then(Clamps::default),
            position_dependent: None,
            size_dependent: None,
            repetition_dependent: None,
            reference_undecided: 0,
            limits: Vec::new(),
            binades: Some(Vec::new()),
            failure: None,
        };
        row.record(&State { done: Ranges::default(), findings: Record::default() }, &plan.check);
        row
    }

    /// Puts what was executed and seen in the place of what stood there.
    pub(super) fn record(&mut self, state: &State<Record>, check: &Check) {
        let record = &state.findings;
        let arity = check.operands().len();
        let operand = |bits: &u64| notation::number(check.dtype(), *bits);
        let result = |bits| notation::number(check.result(), bits);
        let operands = |worst: &Worst| worst.operands[..arity].iter().map(operand).collect();
        let largest = record.largest();
        self.executed = state.done.len();
        self.ranges = state.done.iter().cloned().map(Span::from).collect();
        self.max_error_ulp = largest.map(|worst| notation::error(worst.deviation));
        self.at = largest.map(operands).unwrap_or_default();
        self.result = largest.map(|worst| result(worst.result));
        self.expected = largest.and_then(|worst| {
            let example = check.conforming(&worst.operands[..arity]).example()?;
            Some(result(u64::try_from(example).ok()?))
        });
        self.not_correctly_rounded = record.not_correctly_rounded;
        self.special_mismatches = record.special_mismatches;
        self.flushed = record.flushed;
        self.not_monotone = self.not_monotone.map(|_| record.not_monotone);
        self.not_symmetric =
            self.not_symmetric.filter(|_| !record.is_half).map(|_| record.not_symmetric);
        self.clamps = self.clamps.take().map(|_| Clamps::of(&record.runs, check));
        self.reference_undecided = record.undecided;
        self.limits = limits(check, record);
        let of_size = |(&binade, worst): (&i32, &Worst)| Binade {
            binade,
            max_error_ulp: notation::error(worst.deviation),
            at: operands(worst),
            result: result(worst.result),
        };
        self.binades = self.binades.as_ref().map(|_| record.worst.iter().map(of_size).collect());
    }

    /// The check of the results; none where the row is of an operator or a type that has none.
    pub(crate) fn check(&self) -> Option<Check> {
        let operator = operators::find(Domain::Onnx, &self.operator)?;
        let attributes = attributes::read(operator, &self.attributes).ok()?;
        let check = Check::of(operator, self.type_name.parse().ok()?, attributes).ok()?;
        Sheet::is_of(&check).then_some(check)
    }

    /// What was executed and seen, of which everything that can be known without the backend is found out anew.
    pub(super) fn state(&self) -> Result<State<Record>, Contradiction> {
        let check = self.check().ok_or_else(|| wrong("`operator` or `type`"))?;
        if self.attributes != attributes::written(check.attributes())
            || self.result_type != check.result().name()
        {
            return Err(wrong("`attributes` or `result_type`"));
        }
        let mut done = Ranges::default();
        for span in &self.ranges {
            if span.first >= span.end || !done.insert((*span).into()) {
                return Err(wrong("`ranges`"));
            }
        }
        let (dtype, arity) = (check.dtype(), check.operands().len());
        let mut record = Record {
            executed: self.executed,
            not_correctly_rounded: self.not_correctly_rounded,
            special_mismatches: self.special_mismatches,
            flushed: self.flushed,
            not_monotone: self.not_monotone.unwrap_or(0),
            not_symmetric: self.not_symmetric.unwrap_or(0),
            is_half: self.not_symmetric.is_none(),
            undecided: self.reference_undecided,
            ..Record::default()
        };
        for one in self.errors_by_size(dtype).ok_or_else(|| wrong("largest error"))?.iter() {
            let bits = |text: &String| notation::read_number(dtype, text);
            let given: Option<Vec<u64>> = one.at.iter().map(bits).collect();
            let given = given.filter(|given| given.len() == arity);
            let result = notation::read_number(check.result(), &one.result);
            let (Some(given), Some(result), Some(error)) =
                (given, result, notation::read_error(&one.max_error_ulp))
            else {
                return Err(wrong("`binades`"));
            };
            let is_so = check.deviation(&given, result) == error
                && binade(dtype, given[0]) == one.binade
                && error != Deviation::NoRealResult;
            let mut operands = [0; MAX_ARITY];
            operands[..arity].copy_from_slice(&given);
            let worst = Worst { deviation: error, operands, result };
            if !is_so || record.worst.insert(one.binade, worst).is_some() {
                return Err(wrong("`binades`"));
            }
        }
        if let Some(clamps) = &self.clamps {
            let survey = Survey::new(&check, None).of_all();
            let is_of_all = self.strategy == Strategy::Exhaustive.name() && survey.follows_runs();
            let runs = clamps.runs(&survey, &check, &done).filter(|_| is_of_all);
            record.runs = runs.ok_or_else(|| wrong("`clamps`"))?;
        }
        let state = State { done, findings: record };
        // Whatever follows from these is written as it follows.
        let mut again = self.clone();
        again.record(&state, &check);
        let counts = [self.not_correctly_rounded, self.reference_undecided, self.executed];
        if self.binades.is_none() {
            // What broke a limit need not be the largest error, which is all that a summary has.
            for (derived, stated) in again.limits.iter_mut().zip(&self.limits) {
                derived.holds = derived.holds.or(stated.holds.filter(|holds| !holds));
            }
        }
        agrees("", self, &again)?;
        let is_possible = self.special_mismatches <= self.not_correctly_rounded
            && self.flushed <= self.not_correctly_rounded
            && self.not_symmetric.is_none_or(|count| count <= self.executed)
            && counts[0].checked_add(counts[1]).is_some_and(|sum| sum <= counts[2])
            && self.clamps.as_ref().is_none_or(|clamps| clamps.operands <= self.executed)
            && self.executed <= self.inputs;
        if is_possible { Ok(state) } else { Err(wrong("one of its counts")) }
    }

    /// The largest errors by the size of the first operand; of a summary the largest of all. None where it is not that of an
    /// operand.
    fn errors_by_size(&self, dtype: DType) -> Option<Cow<'_, [Binade]>> {
        if let Some(binades) = &self.binades {
            return Some(Cow::Borrowed(binades));
        }
        let (Some(error), Some(result)) = (&self.max_error_ulp, &self.result) else {
            return Some(Cow::default());
        };
        let largest = Binade {
            binade: binade(dtype, notation::read_number(dtype, self.at.first()?)?),
            max_error_ulp: error.clone(),
            at: self.at.clone(),
            result: result.clone(),
        };
        Some(Cow::Owned(vec![largest]))
    }

    /// Whether this is the row of a plan.
    pub(super) fn is_of(&self, empty: &Self, plan: &Plan) -> bool {
        self.key() == empty.key()
            && self.parameters == empty.parameters
            && self.shard == empty.shard
            && self.inputs == empty.inputs
            && self.ranges.iter().all(|span| {
                let part = plan.part();
                span.first >= part.start && span.end <= part.end
            })
    }
}

/// A member that no results give.
pub(super) fn wrong(member: &str) -> Contradiction {
    Contradiction::Impossible(format!("no results give {member} as it is"))
}
