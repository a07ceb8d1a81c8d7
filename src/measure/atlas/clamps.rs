//! Clamps, from runs that were followed, and runs, from what a row says of them.

use super::document::{Clamps, Row, Run};
use crate::check::Check;
use crate::measure::campaign::{Ranges, notation};
use crate::reference::survey::{self, Runs, Survey};

impl Clamps {
    /// What a row says of runs.
    pub(super) fn of(runs: &Runs, check: &Check) -> Self {
        let run = |run: &survey::Run| Run {
            first: notation::number(check.dtype(), run.first),
            last: notation::number(check.dtype(), run.last),
            result: notation::number(check.result(), run.result),
        };
        Self {
            operands: runs.clamped,
            longest: runs.longest.as_ref().map(run),
            open: runs.open().map(run).collect(),
        }
    }

    /// The runs that it was made of, which the operands of these ranges had; `None` where that cannot be.
    pub(super) fn runs(&self, survey: &Survey<'_>, check: &Check, done: &Ranges) -> Option<Runs> {
        let within = |run: &survey::Run| {
            done.iter().find(|range| range.start <= run.first && run.last < range.end)
        };
        let longest = match &self.longest {
            Some(run) => Some(run.read(check)?),
            None => None,
        };
        let is_possible = longest.is_none_or(|run| {
            within(&run).is_some() && survey.is_clamp(&run) && run.operands() <= self.operands
        });
        if !is_possible || longest.is_some() != (self.operands > 0) {
            return None;
        }
        let mut runs = Runs::of_clamps(self.operands, longest);
        // Runs go on at the ends of ranges, but where they end whatever the results are: there is one at each, and no other.
        let mut ends: Vec<u64> = Vec::new();
        for range in done.iter() {
            ends.extend((!survey.begins_at(range.start)).then_some(range.start));
            ends.extend((!survey.ends_at(range.end - 1)).then_some(range.end - 1));
        }
        let mut ends = ends.into_iter().peekable();
        let mut after = 0;
        for run in &self.open {
            let run = run.read(check)?;
            let range = within(&run).filter(|_| run.first >= after)?;
            let goes_on = [
                run.first == range.start && !survey.begins_at(run.first),
                run.last + 1 == range.end && !survey.ends_at(run.last),
            ];
            let mut is_next = |end| ends.next() == Some(end);
            let are_next =
                (!goes_on[0] || is_next(run.first)) && (!goes_on[1] || is_next(run.last));
            if goes_on == [false; 2] || !are_next {
                return None;
            }
            runs.add(run, goes_on, survey);
            after = run.last + 1;
        }
        ends.peek().is_none().then_some(runs)
    }
}

impl Row {
    /// How many operands are in clamps, and the longest one, where there is one.
    pub(crate) fn clamped(&self) -> Option<(u64, &Run)> {
        let clamps = self.clamps.as_ref()?;
        Some((clamps.operands, clamps.longest.as_ref()?))
    }
}

impl Run {
    fn read(&self, check: &Check) -> Option<survey::Run> {
        let bits = |text: &String| notation::read_number(check.dtype(), text);
        let (first, last) = (bits(&self.first)?, bits(&self.last)?);
        let result = notation::read_number(check.result(), &self.result)?;
        (first <= last).then_some(survey::Run { first, last, result })
    }
}
