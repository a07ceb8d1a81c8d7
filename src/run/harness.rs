//! The cases as tests of one's own crate: `cargo test` and `cargo nextest run` show each with its name.
//!
//! With this in `Cargo.toml`
//!
//! ```toml
//! [dev-dependencies]
//! onnx-conformance = { version = "0.1", default-features = false, features = ["harness"] }
//!
//! [[test]]
//! name = "conformance"
//! harness = false
//! ```
//!
//! all of `tests/conformance.rs` is a [`Runtime`] and a `main`:
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use onnx_conformance::backend::{Identity, Refusal, Runtime};
//! use onnx_conformance::bytes::Bytes;
//! use onnx_conformance::onnx::Model;
//! use onnx_conformance::tensor::{Tensor, Value};
//!
//! /// Takes the square root of float32 tensors, and of nothing else.
//! struct Roots;
//!
//! impl Runtime for Roots {
//!     type Loaded = ();
//!
//!     fn identity(&self) -> Identity {
//!         Identity::new("roots", env!("CARGO_PKG_VERSION"))
//!     }
//!
//!     fn load(&self, model: &Model, _file: &Bytes) -> Result<(), Refusal> {
//!         let is_root = model.operators() == ["Sqrt"];
//!         is_root.then_some(()).ok_or_else(|| Refusal::unsupported("only Sqrt is here"))
//!     }
//!
//!     fn run(&self, _loaded: &mut (), inputs: Vec<Value>) -> Result<Vec<Value>, Refusal> {
//!         let other = || Refusal::unsupported("only float32 is here");
//!         let [Value::Tensor(x)] = &inputs[..] else { return Err(other()) };
//!         let roots: Vec<f32> =
//!             x.as_slice::<f32>().ok_or_else(other)?.iter().map(|x| x.sqrt()).collect();
//!         let roots = Tensor::from_vec(x.shape().to_vec(), roots);
//!         Ok(vec![roots.expect("as many elements as there were").into()])
//!     }
//! }
//!
//! fn main() -> ExitCode {
//!     onnx_conformance::harness(|| Roots).expectations("tests/known.toml").main()
//! }
//! ```
//!
//! The runtime is asked in a process of its own, which is this test started once more: a crash or a hang costs
//! one case, and what it prints is shown with the case that fails. It is made there alone: to list the cases
//! neither makes it nor unpacks them.
//!
//! # What a test shows
//!
//! | the case | the test |
//! | --- | --- |
//! | conforms | passes |
//! | does not conform, crashes, hangs, or cannot be judged | fails, with the elements that differ |
//! | the same, as the list of [expectations](Harness::expectations) has it | is ignored, with the list's reason |
//! | conforms, and the list says that it does not | fails: the list is out of date |
//! | is unsupported | is ignored, with the runtime's own words |
//! | is left open by every specification | is ignored |
//!
//! A case that the list says is `unsupported` or `skipped` is listed as ignored and not run; the former runs with
//! `--include-ignored`. `cargo nextest` takes from the list alone what is ignored. So that nothing unsupported
//! passes there, what the list does not say is unsupported fails there.
//!
//! A test that finds nothing to compare fails, and so does one whose corpus is not there.

mod cases;
mod completion;
mod process;

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::{Arguments, Trial};

use self::cases::{Shelf, Tested};
use crate::backend::Runtime;
use crate::corpus::selection::{Pattern, PatternError, Selection};
use crate::corpus::suite::Suite;
use crate::corpus::{CaseKind, CorpusError, Home};
use crate::foundation::cleanup;
use crate::foundation::printable::printed;
use crate::foundation::text::{natural_order, with_causes};
use crate::judge::expect::{ExpectError, Expectations};
use crate::judge::profile::{NamedError, Profile, ProfileError};
use crate::limits::{self, TOML_LIMIT};
use crate::run::{Options, Profiles, has_newer_rule};

/// Exit code where the tests cannot begin, which is none of a test that failed.
const SETUP: u8 = 2;

/// The cases as tests of a runtime, which is made where it is needed. By default they are ONNX's own cases of this
/// project, for which nothing has to be fetched.
pub fn harness<F: FnOnce() -> R, R: Runtime>(runtime: F) -> Harness<F> {
    Harness { runtime, plan: Plan::default() }
}

/// The cases as tests of a runtime; [`harness()`] begins it.
#[derive(Clone, Debug)]
#[must_use = "`main` runs it"]
pub struct Harness<F> {
    runtime: F,
    plan: Plan,
}

/// Which cases are tests, and how they are judged.
#[derive(Clone, Debug, Default)]
struct Plan {
    corpora: Vec<PathBuf>,
    releases: Vec<String>,
    kinds: Vec<CaseKind>,
    suites: Vec<Suite>,
    filters: Vec<String>,
    excludes: Vec<String>,
    expectations: Option<PathBuf>,
    profile: Option<String>,
    timeout: Option<Duration>,
}

/// The tests cannot begin.
#[derive(Debug, thiserror::Error)]
enum SetupError {
    #[error("failed to read {0} `{path}`", path = .1.display())]
    Read(&'static str, PathBuf, #[source] io::Error),
    #[error(transparent)]
    Expectations(#[from] ExpectError),
    #[error(transparent)]
    Profile(#[from] NamedError),
    #[error(transparent)]
    OwnProfile(#[from] ProfileError),
    #[error(transparent)]
    Pattern(#[from] PatternError),
    #[error(transparent)]
    Home(#[from] CorpusError),
    #[error("no case is left by the filters of the test")]
    NoCase,
}

impl<F: FnOnce() -> R, R: Runtime> Harness<F> {
    /// The cases of these releases of ONNX, such as `1.22.0`. They have to be fetched, which `onnx-conformance
    /// fetch` does; with the feature `fetch` the first test that needs them does it, while others wait.
    pub fn releases<S: Into<String>>(mut self, releases: impl IntoIterator<Item = S>) -> Self {
        self.plan.releases.extend(releases.into_iter().map(Into::into));
        self
    }

    /// These kinds of cases of the releases, instead of those of nodes alone.
    pub fn kinds(mut self, kinds: impl IntoIterator<Item = CaseKind>) -> Self {
        self.plan.kinds.extend(kinds);
        self
    }

    /// This project's own cases of these suites, which are part of it.
    pub fn suites(mut self, suites: impl IntoIterator<Item = Suite>) -> Self {
        self.plan.suites.extend(suites);
        self
    }

    /// The cases of a folder or an archive (zip, tar, tar.gz) in ONNX's layout. A relative path is one in the folder of the
    /// crate.
    pub fn corpus(mut self, path: impl Into<PathBuf>) -> Self {
        self.plan.corpora.push(path.into());
        self
    }

    /// Only cases in whose ids this regular expression is found, or another one that is given so.
    pub fn filter(mut self, pattern: impl Into<String>) -> Self {
        self.plan.filters.push(pattern.into());
        self
    }

    /// No cases in whose ids this regular expression is found.
    pub fn exclude(mut self, pattern: impl Into<String>) -> Self {
        self.plan.excludes.push(pattern.into());
        self
    }

    /// What is known of the runtime, as a TOML file of entries `[[known]]` says: which cases fail, are unsupported,
    /// flaky, or to be skipped, each with a reason. A relative path is one in the folder of the crate.
    pub fn expectations(mut self, path: impl Into<PathBuf>) -> Self {
        self.plan.expectations = Some(path.into());
        self
    }

    /// The accuracy profile that all cases are judged by, instead of the default one of each suite: its name, or the
    /// path of a file whose name ends with `.toml`.
    pub fn profile(mut self, name: impl Into<String>) -> Self {
        self.plan.profile = Some(name.into());
        self
    }

    /// Time that the runtime has for each data set of a case, instead of a minute.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.plan.timeout = Some(timeout);
        self
    }

    /// Does as the arguments of the command line say, which are those of any test: lists the cases or runs them. In
    /// the process that the runtime is asked in, it is this that answers.
    pub fn main(self) -> ExitCode {
        if process::is_of_runtime() {
            return process::answer(self.runtime);
        }
        match self.plan.run(&Arguments::from_args()) {
            Ok(code) => code,
            Err(error) => {
                tell(&format!("error: {}", with_causes(error.to_string(), &error)));
                ExitCode::from(SETUP)
            }
        }
    }
}

impl Plan {
    fn run(&self, arguments: &Arguments) -> Result<ExitCode, SetupError> {
        if !arguments.list {
            cleanup::sweep();
        }
        let tested = Arc::new(Tested::new(self.options()?));
        let exact = arguments.filter.as_deref().filter(|_| arguments.exact);
        let trials = self.trials(&tested, exact)?;
        if trials.is_empty() && exact.is_none() {
            return Err(SetupError::NoCase);
        }
        let conclusion = libtest_mimic::run(arguments, trials);
        let is_whole = arguments.filter.is_none() && arguments.skip.is_empty();
        let is_run = is_whole && !arguments.list && !arguments.ignored;
        tested.close();
        if is_run && !conclusion.has_failed() && tested.compared() == 0 {
            tell("error: nothing was compared; choose cases that the runtime supports");
            return Ok(ExitCode::FAILURE);
        }
        Ok(conclusion.exit_code())
    }

    /// The tests, of which one may be the only one that is wanted.
    fn trials(&self, tested: &Arc<Tested>, exact: Option<&str>) -> Result<Vec<Trial>, SetupError> {
        let suites = self.suites().into_iter().flat_map(Shelf::of_suite);
        let mut shelves: Vec<_> = suites.collect();
        if !self.releases.is_empty() {
            let home = Home::find()?;
            let kinds = if self.kinds.is_empty() { &[CaseKind::Node][..] } else { &self.kinds };
            for release in &self.releases {
                shelves.extend(kinds.iter().map(|kind| Shelf::of_release(&home, release, *kind)));
            }
        }
        if !self.corpora.is_empty() {
            // Without a home there are folders still, and what the program knows.
            let home = Home::find().unwrap_or_else(|_| Home::outside("."));
            for path in &self.corpora {
                shelves.push(Shelf::of_path(&home, path)?);
            }
        }
        shelves.sort_by(|a, b| natural_order(a.prefix(), b.prefix()));
        let shelves = shelves.into_iter().map(Arc::new);
        let wanted = shelves.filter(|shelf| exact.is_none_or(|id| shelf.may_have(id)));
        Ok(wanted.flat_map(|shelf| cases::trials(&shelf, tested)).collect())
    }

    /// The suites whose own cases are taken.
    fn suites(&self) -> Vec<Suite> {
        if self.suites.is_empty() && self.releases.is_empty() && self.corpora.is_empty() {
            return vec![Suite::Onnx];
        }
        self.suites.clone()
    }

    fn options(&self) -> Result<Options, SetupError> {
        let patterns = |texts: &[String]| texts.iter().map(|text| text.parse()).collect();
        let filters: Result<Vec<Pattern>, PatternError> = patterns(&self.filters);
        let excludes: Result<Vec<Pattern>, PatternError> = patterns(&self.excludes);
        let selection =
            Selection { filters: filters?, excludes: excludes?, ..Selection::default() };
        let expectations = match &self.expectations {
            Some(path) => {
                let text = read("the expectations", path)?;
                Expectations::parse(&path.display().to_string(), &text)?
            }
            None => Expectations::default(),
        };
        let defaults = Options::default();
        Ok(Options {
            profiles: self.profiles()?,
            selection,
            expectations: Arc::new(expectations),
            timeout: self.timeout.unwrap_or(defaults.timeout),
            ..defaults
        })
    }

    fn profiles(&self) -> Result<Profiles, SetupError> {
        let named = match &self.profile {
            Some(name) if name.ends_with(".toml") => {
                let text = read("the profile", Path::new(name))?;
                Some(Arc::new(Profile::own(name, &text)?))
            }
            Some(name) => Some(Profile::named(name)?),
            None => None,
        };
        let is_newer = !self.suites().contains(&Suite::Onnx)
            && self.releases.iter().all(|release| has_newer_rule(release));
        Ok(Profiles::of_suites(Suite::ALL, is_newer, named.as_ref())?)
    }
}

fn read(what: &'static str, path: &Path) -> Result<String, SetupError> {
    limits::read_text(path, TOML_LIMIT)
        .map_err(|error| SetupError::Read(what, path.to_owned(), error))
}

/// Tells on standard error what no test tells.
fn tell(text: &str) {
    eprintln!("{}", printed(text, false));
}

/// A text that tells of an error with its causes.
fn rendered(error: &(impl Error + 'static)) -> String {
    printed(&with_causes(error.to_string(), error), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(plan: &Plan) -> Vec<String> {
        let tested = Arc::new(Tested::new(plan.options().unwrap()));
        let trials = plan.trials(&tested, None).unwrap();
        trials.iter().map(|trial| trial.name().to_owned()).collect()
    }

    #[test]
    fn the_tests_are_the_cases_that_the_filters_leave_in_natural_order() {
        let plan = Plan {
            suites: vec![Suite::Sonnx],
            filters: vec!["^sonnx/(div|mul)/int".to_owned()],
            excludes: vec!["int8".to_owned()],
            ..Plan::default()
        };
        let names = names(&plan);
        assert!(names.contains(&"sonnx/div/int32/minimum_by_minus_one".to_owned()));
        let is_left = |name: &String| {
            !name.contains("int8")
                && ["sonnx/div/int", "sonnx/mul/int"].iter().any(|start| name.starts_with(start))
        };
        assert!(names.iter().all(is_left), "{names:?}");
        assert!(names.is_sorted_by(|a, b| natural_order(a, b).is_lt()));
    }

    #[test]
    fn where_one_test_is_wanted_no_other_folder_is_looked_into() {
        let plan = Plan { suites: vec![Suite::Sonnx], ..Plan::default() };
        let tested = Arc::new(Tested::new(plan.options().unwrap()));
        let name = "sonnx/div/int32/minimum_by_minus_one";
        let trials = plan.trials(&tested, Some(name)).unwrap();
        assert!(trials.iter().any(|trial| trial.name() == name));
        assert!(trials.iter().all(|trial| trial.name().starts_with("sonnx/div/")));
    }

    #[test]
    fn a_release_that_no_lock_describes_is_a_test_that_fails() {
        let plan = Plan { releases: vec!["0.0.1".to_owned()], ..Plan::default() };
        assert_eq!(names(&plan), ["onnx-0.0.1 matches its lock"]);
    }

    #[test]
    fn the_kinds_of_a_release_that_are_asked_for_are_tests_and_no_others() {
        let kinds = vec![CaseKind::Simple, CaseKind::PytorchOperator];
        let plan = Plan { releases: vec!["0.0.1".to_owned()], kinds, ..Plan::default() };
        let expected = ["onnx-0.0.1-pytorch-operator", "onnx-0.0.1-simple"];
        assert_eq!(names(&plan), expected.map(|name| format!("{name} matches its lock")));
    }

    #[test]
    fn what_cannot_be_read_is_told_before_any_test_begins() {
        let error = |plan: Plan| plan.options().unwrap_err().to_string();
        let path = Some("no/such.toml".into());
        assert_eq!(
            error(Plan { expectations: path, ..Plan::default() }),
            "failed to read the expectations `no/such.toml`"
        );
        let profile = Some("strict".to_owned());
        assert!(error(Plan { profile, ..Plan::default() }).starts_with("unknown profile `strict`"));
        assert!(error(Plan { filters: vec!["(".to_owned()], ..Plan::default() }).contains("`(`"));
    }

    #[test]
    fn newer_releases_alone_are_judged_by_the_newer_rule() {
        let profile = |suites: &[Suite], releases: &[&str]| {
            let releases = releases.iter().map(ToString::to_string).collect();
            let plan = Plan { suites: suites.to_vec(), releases, ..Plan::default() };
            plan.profiles().unwrap().get(Suite::Onnx, false).name().to_owned()
        };
        assert_eq!(profile(&[], &["1.23.0"]), "onnx-1.23");
        assert_eq!(profile(&[], &["1.23.0", "1.22.0"]), "onnx");
        assert_eq!(profile(&[Suite::Onnx], &["1.23.0"]), "onnx");
        assert_eq!(profile(&[], &[]), "onnx");
    }
}
