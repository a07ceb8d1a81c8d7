//! A case that was read: what is known of it before it is run, and its run.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::execute::{panic_message, returned};
use super::{CaseResult, Options, RunError, judge};
use crate::backend::Backend;
use crate::corpus::case::{Case, CaseError};
use crate::corpus::suite::Suite;
use crate::corpus::{CaseDir, CaseFiles};
use crate::judge::profile::Profile;
use crate::judge::verdict::Verdict;

/// A case that was read.
pub(super) struct Read<'a> {
    suite: Suite,
    profile: &'a Profile,
    /// The case, or what is wrong with its files.
    case: Result<Case, CaseError>,
    /// What is known of it.
    pub(super) known: Arc<CaseResult>,
}

impl<'a> Read<'a> {
    /// The case that some files are.
    pub(super) fn of(
        id: &str,
        suite: Suite,
        files: &CaseFiles,
        options: &'a Options,
    ) -> Result<Self, RunError> {
        let files = files.files();
        let case = Case::decode(id, files).and_then(|case| {
            let is_known = |id: &str| {
                options.catalogue.as_ref().is_none_or(|catalogue| catalogue.get(id).is_some())
            };
            case.check_requirements(id, files, is_known).map(|()| case)
        });
        // What this project says of a case is configuration: a mistake in it ends the run.
        let case = match case {
            Err(error @ CaseError::Manifest { .. }) => return Err(RunError::Manifest(error)),
            case => case,
        };
        let known = match &case {
            Ok(case) => CaseResult::not_run(id, suite, case),
            Err(_) => CaseResult::unread(id, suite),
        };
        let is_own = case.as_ref().is_ok_and(|case| case.is_own);
        let profile = options.profiles.get(suite, is_own);
        let entry = options.expectations.of_case(&known.facts());
        let known = CaseResult { profile: profile.name().to_owned(), ..known }.expecting(entry);
        Ok(Self { suite, profile, case, known: Arc::new(known) })
    }

    /// Whether the selection leaves it out, by what its model says.
    pub(super) fn is_left_out(&self, options: &Options) -> bool {
        self.case.as_ref().is_ok_and(|case| !options.selection.takes_model(&case.model))
    }

    /// Its result before it is run.
    fn before(&self) -> CaseResult {
        CaseResult::clone(&self.known)
    }

    /// The case where it is to be run, or the result that it has without.
    pub(super) fn to_run(&self) -> Result<&Case, Box<CaseResult>> {
        match &self.case {
            _ if self.known.expected == Verdict::Skipped => Err(Box::new(self.before())),
            Err(error) => {
                let result = self.before().broken(Verdict::Fault, error.to_string());
                Err(Box::new(result))
            }
            Ok(case) => Ok(case),
        }
    }

    /// Its result on a backend. As soon as that has returned, `on_return` is called: what judging takes is not the
    /// backend's time.
    pub(super) fn run(
        &self,
        case: &Case,
        backend: &dyn Backend,
        options: &Options,
        on_return: impl FnOnce(),
    ) -> CaseResult {
        // The backend's panics are caught where it is called; this one is the harness's own.
        let run = || {
            let (suite, time) = (self.suite, options.timeout);
            let (outcomes, known) = returned(backend, case, suite, time, self.before());
            on_return();
            judge(case, suite, self.profile, &outcomes, known)
        };
        catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
            let message = format!("the harness {}", panic_message(&*panic));
            self.before().broken(Verdict::Fault, message)
        })
    }
}

/// Runs a single case on a backend that keeps time itself (see [`Backend::grace`]), whatever the selection
/// says.
pub fn run_case(
    id: &str,
    suite: Suite,
    case: &CaseDir,
    backend: &dyn Backend,
    options: &Options,
) -> Result<CaseResult, RunError> {
    let read = Read::of(id, suite, &case.load()?, options)?;
    Ok(match read.to_run() {
        Ok(case) => read.run(case, backend, options, || ()),
        Err(result) => *result,
    })
}
