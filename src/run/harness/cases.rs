//! Where the cases come from, and the test that each is.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use libtest_mimic::{Completion, Failed, Trial};

use super::{completion, process, rendered};
use crate::backend::Backend;
use crate::backend::adapter::Adapter;
use crate::corpus::suite::Suite;
use crate::corpus::{CarriedFolder, CaseDir, CaseKind, Corpus, CorpusError, Home, natural_order};
use crate::run::{Options, run_case};

/// Cases that are looked for together, when the first of them is run.
pub(super) struct Shelf {
    source: Source,
    cases: OnceLock<Result<BTreeMap<String, CaseDir>, String>>,
}

enum Source {
    /// Own cases of a version of an operator.
    Carried(CarriedFolder),
    /// Those of a folder or an archive.
    Given(Corpus),
    /// The corpus of this name, of a kind in a release.
    Fetched { home: Home, release: String, kind: CaseKind, name: String },
}

impl Shelf {
    fn new(source: Source) -> Self {
        Self { source, cases: OnceLock::new() }
    }

    /// The own cases of a suite.
    pub(super) fn of_suite(suite: Suite) -> impl Iterator<Item = Self> {
        CarriedFolder::all(suite).map(|folder| Self::new(Source::Carried(folder)))
    }

    /// The cases of a kind in a release of ONNX.
    pub(super) fn of_release(home: &Home, release: &str, kind: CaseKind) -> Self {
        let (home, name) = (home.clone(), kind.corpus_of(release));
        Self::new(Source::Fetched { home, release: release.to_owned(), kind, name })
    }

    /// The cases of a folder or an archive.
    pub(super) fn of_path(home: &Home, path: &Path) -> Result<Self, CorpusError> {
        Ok(Self::new(Source::Given(home.folder(path)?)))
    }

    /// How the names of the tests begin.
    pub(super) fn prefix(&self) -> &str {
        match &self.source {
            Source::Carried(folder) => folder.prefix(),
            Source::Given(corpus) => corpus.name(),
            Source::Fetched { name, .. } => name,
        }
    }

    /// Whether a test of this name may be one of these.
    pub(super) fn may_have(&self, test: &str) -> bool {
        test.strip_prefix(self.prefix()).is_some_and(|rest| rest.starts_with(['/', ' ']))
    }

    const fn suite(&self) -> Suite {
        match &self.source {
            Source::Carried(folder) => folder.suite(),
            Source::Given(_) | Source::Fetched { .. } => Suite::Onnx,
        }
    }

    /// Name of the corpus that the cases belong to.
    fn corpus(&self) -> &str {
        match &self.source {
            Source::Carried(folder) => folder.suite().name(),
            Source::Given(corpus) => corpus.name(),
            Source::Fetched { name, .. } => name,
        }
    }

    /// The names of the cases in natural order, as far as they are known: those that can be fetched are by
    /// their lock.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = match &self.source {
            Source::Carried(folder) => folder.names().collect(),
            Source::Given(corpus) => corpus.cases().iter().map(|it| it.name().to_owned()).collect(),
            Source::Fetched { home, name, .. } if is_to_be_had(home, name) => {
                let lock = home.lock(name);
                lock.map_or_else(|_| Vec::new(), |lock| lock.cases.into_keys().collect())
            }
            Source::Fetched { .. } => Vec::new(),
        };
        names.sort_by(|a, b| natural_order(a, b));
        names
    }

    /// The cases by their names, or why there are none.
    fn cases(&self) -> &Result<BTreeMap<String, CaseDir>, String> {
        self.cases.get_or_init(|| {
            let cases = match &self.source {
                Source::Carried(folder) => folder.cases(),
                Source::Given(corpus) => corpus.cases().to_vec(),
                Source::Fetched { home, release, kind, name } => open(home, release, *kind, name)
                    .map_err(|error| rendered(&error))?
                    .cases()
                    .to_vec(),
            };
            Ok(cases.into_iter().map(|case| (case.name().to_owned(), case)).collect())
        })
    }

    fn case(&self, name: &str) -> Result<CaseDir, Failed> {
        let cases = self.cases().as_ref()?;
        Ok(cases.get(name).ok_or("the case no longer exists")?.clone())
    }
}

/// Whether a corpus is there, or can be brought.
fn is_to_be_had(home: &Home, name: &str) -> bool {
    cfg!(feature = "fetch") || home.corpus_path(name).is_dir()
}

/// The corpus of a release, fetched where that is possible; its listing compared with its lock.
#[cfg_attr(not(feature = "fetch"), expect(unused_variables, reason = "nothing is fetched"))]
fn open(home: &Home, release: &str, kind: CaseKind, name: &str) -> Result<Corpus, CorpusError> {
    #[cfg(feature = "fetch")]
    if !home.corpus_path(name).is_dir() {
        use crate::corpus::fetch::{Request, fetch};

        super::tell(&format!("fetching {name}"));
        // Of several processes the first one brings it, and the others find it there.
        fetch(home, &Request::of_kind(release, kind), &|_event| ())?;
    }
    home.corpus(name)
}

/// The runtime, how its cases are judged, and what came of it.
pub(super) struct Tested {
    options: Options,
    runtime: OnceLock<Result<Adapter, String>>,
    /// Elements compared so far.
    compared: AtomicU64,
}

impl Tested {
    pub(super) fn new(options: Options) -> Self {
        Self { options, runtime: OnceLock::new(), compared: AtomicU64::new(0) }
    }

    /// Elements that were compared.
    pub(super) fn compared(&self) -> u64 {
        self.compared.load(Ordering::Relaxed)
    }

    /// Ends the processes that were started.
    pub(super) fn close(&self) {
        if let Some(Ok(runtime)) = self.runtime.get() {
            runtime.close();
        }
    }

    /// Runs a case.
    fn test(&self, id: &str, suite: Suite, case: &CaseDir) -> Result<Completion, Failed> {
        let runtime =
            self.runtime.get_or_init(|| process::start().map_err(|error| rendered(&error)));
        let result = run_case(id, suite, case, runtime.as_ref()?, &self.options)
            .map_err(|error| rendered(&error))?;
        self.compared.fetch_add(result.elements_compared(), Ordering::Relaxed);
        let list = &self.options.expectations;
        completion::of(&result, list.of_case(&result.facts()), completion::is_in_nextest())
    }
}

/// The tests of some cases. Whether the corpus is there is one more, so that one that is not there fails.
pub(super) fn trials(shelf: &Arc<Shelf>, tested: &Arc<Tested>) -> Vec<Trial> {
    let trial = |name: String| {
        let id = format!("{}/{name}", shelf.corpus());
        if !tested.options.selection.takes_id(&id) {
            return None;
        }
        let is_ignored = completion::is_ignored(&tested.options.expectations, &id);
        let (shelf, tested) = (Arc::clone(shelf), Arc::clone(tested));
        let test = {
            let id = id.clone();
            move || tested.test(&id, shelf.suite(), &shelf.case(&name)?)
        };
        Some(Trial::ignorable_test(id, test).with_ignored_flag(is_ignored))
    };
    let mut trials: Vec<_> = shelf.names().into_iter().filter_map(trial).collect();
    if let Source::Fetched { name, .. } = &shelf.source {
        let shelf = Arc::clone(shelf);
        let matches_lock = move || Ok(shelf.cases().as_ref().map(drop)?);
        trials.push(Trial::test(format!("{name} matches its lock"), matches_lock));
    }
    trials
}
