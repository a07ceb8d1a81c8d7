//! What the command line accepts.

mod backend;
pub(crate) mod config;
mod values;

use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ColorChoice, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use onnx_conformance::corpus::CaseKind;
use onnx_conformance::corpus::selection::{Opsets, Pattern};
use onnx_conformance::corpus::variant::Variant;
use onnx_conformance::documents::challenge::Challenge;
use onnx_conformance::dtype::DType;
use onnx_conformance::measure::campaign::Signs;
use onnx_conformance::measure::sums::SEED;
use onnx_conformance::models::inputs::Source;
use onnx_conformance::models::trace::{CASES, EFFECTS, FUSIONS};

pub(crate) use self::backend::{BackendArgs, BackendsArgs, Given, ProcessArgs, SandboxArgs};
use self::values::{
    attribute, case_kinds, count, dimension, dtype, pair, range, seconds, shape, source,
};

/// What identifies the program, as its documents have it in `tool` and the evidence.
const IDENTITY: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit     ",
    env!("BUILD_COMMIT"),
    "\ndirty      ",
    env!("BUILD_DIRTY"),
    "\ntoolchain  ",
    env!("BUILD_TOOLCHAIN"),
    "\ntarget     ",
    env!("BUILD_TARGET"),
);

/// Test whether an implementation of ONNX operators conforms, and produce evidence.
#[derive(Debug, Parser)]
#[command(version, long_version = IDENTITY, max_term_width = 80)]
#[command(after_long_help = include_str!("cli/exit-codes.txt"))]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// When to use colours [auto: on a terminal, subject to NO_COLOR, CLICOLOR and CLICOLOR_FORCE]
    #[arg(
        long,
        value_name = "WHEN",
        global = true,
        default_value = "auto",
        hide_default_value = true
    )]
    pub(crate) color: ColorChoice,
}

/// Reads `--color` from arguments that failed to parse, so that the error is coloured accordingly.
pub(crate) fn color_of(words: impl IntoIterator<Item = String>) -> ColorChoice {
    let mut words = words.into_iter().take_while(|word| word != "--");
    let mut color = ColorChoice::Auto;
    while let Some(word) = words.next() {
        let when = match word.strip_prefix("--color") {
            Some("") => words.next(),
            Some(rest) => rest.strip_prefix('=').map(str::to_owned),
            None => None,
        };
        if let Some(when) = when.and_then(|when| when.parse().ok()) {
            color = when;
        }
    }
    color
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Fetch ONNX's own cases and verify them against their locks
    ///
    /// An existing copy that matches its lock is kept. Otherwise the corpus comes from pip, which
    /// honours your mirror and proxy settings, or from the source archive of the release's git tag.
    /// Releases since 1.23 ship no node cases: their Python package computes them here, in a
    /// virtual environment with exactly the packages that are pinned for it. Whatever the source,
    /// a corpus is installed only if all of it matches the lock.
    ///
    /// Each kind of case is a corpus of its own: onnx-V has the node cases of release V, and
    /// onnx-V-simple, onnx-V-pytorch-operator and onnx-V-pytorch-converted have its other graphs.
    ///
    /// In a checkout, the cases are stored in testdata/corpora. Elsewhere they are stored in the
    /// folder that ONNX_CONFORMANCE_HOME names, or in onnx-conformance in your cache folder.
    #[command(after_long_help = include_str!("cli/fetch.txt"))]
    Fetch(FetchArgs),
    /// Run cases and write the reports
    #[command(after_long_help = include_str!("cli/run.txt"))]
    #[command(args_override_self = true)]
    Run(RunArgs),
    /// Print which requirements are verified by a run, or by existing reports and campaigns
    #[command(after_long_help = include_str!("cli/matrix.txt"))]
    #[command(args_override_self = true)]
    Matrix(MatrixArgs),
    /// Explain a case, or the largest errors of an atlas: operands, exact values, applicable rules, results
    #[command(after_long_help = include_str!("cli/explain.txt"))]
    Explain(ExplainArgs),
    /// Find the node of a model that is wrong: run each alone, and judge it exactly from its actual inputs
    #[command(after_long_help = include_str!("cli/trace.txt"))]
    Trace(TraceArgs),
    /// Judge the outputs of a model that were computed elsewhere and lie in files
    #[command(after_long_help = include_str!("cli/judge.txt"))]
    Judge(JudgeArgs),
    /// Compare the expected outputs of cases with what the reference allows
    ///
    /// No backend is run. If no implementation that follows the operator's rule (exact bits, one rounding, the
    /// correctly rounded value of a function, the bound of a sum) can give an expected element, the case is not a
    /// fair test; the audit lists these elements and how far they are off.
    #[command(after_long_help = include_str!("cli/audit.txt"))]
    Audit(AuditArgs),
    /// Inspect a model: which of its uses of operators cases cover, and which restrictions of SONNX it breaks
    ///
    /// No backend is run, and no weights are needed: data in other files may be missing.
    #[command(after_long_help = include_str!("cli/inspect.txt"))]
    Inspect(InspectArgs),
    /// Check that an adapter follows the protocol
    #[command(after_long_help = include_str!("cli/adapter-check.txt"))]
    AdapterCheck(AdapterCheckArgs),
    /// Lint the specifications: interpret each literally and print its defects
    #[command(after_long_help = include_str!("cli/spec-check.txt"))]
    SpecCheck(SpecCheckArgs),
    /// Compare a report or an atlas with a baseline: report regressions and fail
    #[command(after_long_help = include_str!("cli/gate.txt"))]
    Gate(GateArgs),
    /// Update a list of known failures from reports
    #[command(after_long_help = include_str!("cli/expect.txt"))]
    Expect(ExpectArgs),
    /// Compare reports of several backends and decide which is right where they disagree
    #[command(after_long_help = include_str!("cli/scoreboard.txt"))]
    Scoreboard(ScoreboardArgs),
    /// Make static pages with the history of many reports: backends, operators, regressions, badges
    #[command(after_long_help = include_str!("cli/site.txt"))]
    Site(SiteArgs),
    /// Sweep an operator over a whole input domain, or a directed part of it
    #[command(after_long_help = include_str!("cli/campaign.txt"))]
    Campaign(CampaignArgs),
    /// Chart the largest error of every operator over its domain, and where it occurs
    #[command(after_long_help = include_str!("cli/atlas.txt"))]
    Atlas(AtlasArgs),
    /// Measure summation error and accumulator width on sums of known condition number
    #[command(after_long_help = include_str!("cli/sums.txt"))]
    Sums(SumsArgs),
    /// Merge the reports, campaigns or atlases of all shards, campaigns of ranges, or atlases of several backends
    /// into one
    #[command(after_long_help = include_str!("cli/merge.txt"))]
    Merge(MergeArgs),
    /// Make a regression case of a campaign's counterexamples
    #[command(after_long_help = include_str!("cli/regress.txt"))]
    Regress(RegressArgs),
    /// Make an evidence pack from reports and campaigns: a folder that anybody can check
    #[command(after_long_help = include_str!("cli/evidence.txt"))]
    Evidence(EvidenceArgs),
    /// Check an evidence pack offline: that it is unaltered and its claims follow from its documents
    #[command(after_long_help = include_str!("cli/verify.txt"))]
    Verify(VerifyArgs),
    /// List the cases, one id per line
    #[command(after_long_help = include_str!("cli/list.txt"))]
    List(SelectArgs),
    /// Write cases as folders in ONNX's layout, for other runners
    ///
    /// Each case is a folder DIR/SUITE/CASE with its model.onnx or model.xml, its data sets and its case.json. Of a
    /// suite its own cases are written, which the program carries; --corpus chooses others. The folder has to be
    /// new or empty, and has all of the cases or, where that fails, none.
    #[command(after_long_help = include_str!("cli/export.txt"))]
    Export(ExportArgs),
    /// Serve a library of C kernels as a backend: an adapter, for `--adapter`
    #[command(after_long_help = include_str!("cli/c-abi.txt"))]
    CAbi(CAbiArgs),
    /// Print a completion script for a shell: commands, options and their values
    #[command(after_long_help = include_str!("cli/completions.txt"))]
    Completions(CompletionsArgs),
    /// Print a chapter of the book, or list the chapters
    #[command(after_long_help = include_str!("cli/guide.txt"))]
    Guide(GuideArgs),
    /// Write the manual pages: one for the program and one for each command
    #[command(after_long_help = include_str!("cli/man.txt"))]
    Man(ManArgs),
}

/// Selects the cases.
#[derive(Debug, Args)]
pub(crate) struct SelectArgs {
    /// Suite: onnx, sonnx, sonnx-draft or openvino; may be given several times
    /// [onnx]
    #[arg(long, value_name = "NAME")]
    pub(crate) suite: Vec<String>,
    /// Corpus by name, or a folder or archive (zip, tar.gz) of cases; may be given several times [those of the suite]
    #[arg(long, value_name = "NAME|DIR|FILE")]
    pub(crate) corpus: Vec<String>,
    /// Take only the suites' own cases, which are built into the program, without the fetched releases
    #[arg(long, conflicts_with_all = ["corpus", "challenge", "challenge_from"])]
    pub(crate) own: bool,
    /// Instead of the suites' committed cases, run others of the same classes, generated now from
    /// this seed; without the fetched releases
    #[arg(long, value_name = "SEED", conflicts_with = "corpus")]
    pub(crate) challenge: Option<Challenge>,
    /// The same, with the seed in the first line of this file, which adapters cannot read, such as /dev/stdin; they
    /// can read a command line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["corpus", "challenge"])]
    pub(crate) challenge_from: Option<PathBuf>,
    /// Run the cases with equivalent models: constant-inputs, where all tensors except the first input are
    /// initialisers, or dynamic-shapes, where every dimension is symbolic; ids show the variant. Cases
    /// that the variant leaves unchanged are omitted
    #[arg(long, value_name = "NAME", conflicts_with_all = ["challenge", "challenge_from"])]
    pub(crate) variant: Option<Variant>,
    /// Take only the cases whose id matches this regular expression, ignoring case; may be given
    /// several times, and takes the cases that match any of them
    #[arg(long, value_name = "REGEX")]
    pub(crate) filter: Vec<Pattern>,
    /// Leave out the cases whose id matches this; may be given several times
    #[arg(long, value_name = "REGEX")]
    pub(crate) exclude: Vec<Pattern>,
    /// Take only the cases with this operator in their models, such as Div; may be given several times
    #[arg(long = "op", value_name = "NAME")]
    pub(crate) operator: Vec<String>,
    /// Take only the cases with inputs or outputs of this element type, such as float16; may be given
    /// several times
    #[arg(long = "type", value_name = "TYPE", value_parser = dtype)]
    pub(crate) dtype: Vec<DType>,
    /// Take only the cases of this operator set, or of a range of them; may be given several times
    #[arg(long, value_name = "N|N-M", allow_hyphen_values = true)]
    pub(crate) opset: Vec<Opsets>,
    /// Take only the cases that failed in this report.json; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) failed_in: Vec<PathBuf>,
}

impl Command {
    /// The cases that are selected, where a command selects some.
    pub(crate) fn select(&mut self) -> Option<&mut SelectArgs> {
        match self {
            Self::Run(args) => Some(&mut args.test.select),
            Self::Matrix(args) => Some(&mut args.test.select),
            Self::Export(args) => Some(&mut args.select),
            Self::Audit(args) => Some(&mut args.select),
            Self::List(args) => Some(args),
            _ => None,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) select: SelectArgs,
    /// Folder for the cases
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}

/// Which cases, against what, judged how.
#[derive(Debug, Args)]
pub(crate) struct TestArgs {
    #[command(flatten)]
    pub(crate) select: SelectArgs,
    #[command(flatten)]
    pub(crate) backend: BackendArgs,
    /// Known failures of the backend [with --backend NAME those in testdata/expectations/NAME.toml;
    /// none with --adapter, whatever name the adapter reports]
    #[arg(long, value_name = "FILE")]
    pub(crate) expectations: Option<PathBuf>,
    /// Accuracy profile to compare under: onnx, onnx-1.23, onnx-exact, exact, ieee754, sonnx, opencl-full,
    /// opencl-embedded, webgpu, cuda-approx, or a file in their format (NAME.toml), for all
    /// suites [each suite's own: onnx for onnx, or onnx-1.23 for releases since 1.23, and
    /// onnx-exact for this project's own cases in it; sonnx for the others]
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) profile: Option<String>,
    /// Number of cases to run at once [one per CPU]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
}

#[derive(Debug, Args)]
pub(crate) struct FetchArgs {
    /// Release of ONNX; may be given several times [1.22.0 1.2.1 1.1.2]
    #[arg(long = "release", value_name = "V")]
    pub(crate) releases: Vec<String>,
    /// Which of its cases; may be given several times [node]
    #[arg(long = "kind", value_name = "KIND", value_parser = case_kinds())]
    pub(crate) kinds: Vec<CaseKind>,
    /// Take the one release from this wheel, zip, tar, tar.gz or unpacked folder
    #[arg(long, value_name = "FILE", conflicts_with = "url")]
    pub(crate) archive: Option<PathBuf>,
    /// Take the one release from the archive at this address
    #[arg(long)]
    pub(crate) url: Option<String>,
    /// Python that makes the environment for releases since 1.23 [python3 or python]
    #[arg(long, conflicts_with_all = ["archive", "url"])]
    pub(crate) python: Option<PathBuf>,
    /// Also write each corpus as onnx-V-KIND.tar.gz into this folder, its lock beside it
    #[arg(long, value_name = "DIR")]
    pub(crate) export: Option<PathBuf>,
    /// Make the lock of a release that has none, trusting the source
    #[arg(long)]
    pub(crate) write_lock: bool,
    /// Fetch nothing; print every corpus that has a lock, or those of --release and --kind, and
    /// which are already fetched
    #[arg(long, conflicts_with_all = ["archive", "url", "python", "export", "write_lock"])]
    pub(crate) list: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) test: TestArgs,
    /// Also fail on unexpected passes and on stale entries, which match no case
    #[arg(long)]
    pub(crate) strict: bool,
    /// Run only part I of N, counted from 1: every N-th of the selected cases, beginning with the I-th;
    /// `merge` combines the parts into one report. auto takes I and N from Slurm's array variables, or
    /// from Kubernetes' JOB_COMPLETION_INDEX and JOB_COMPLETIONS
    #[arg(long, value_name = "I/N|auto")]
    pub(crate) shard: Option<String>,
    /// Stop at the N-th unexpected fail, crash, timeout or fault; the cases after it, in natural
    /// order, are reported as skipped
    #[arg(long, value_name = "N")]
    pub(crate) maxfail: Option<NonZeroUsize>,
    /// Stop at the first one: --maxfail 1
    #[arg(short = 'x', overrides_with = "maxfail")]
    pub(crate) exit_first: bool,
    /// How many failed cases the summary shows; the reports contain all of them
    #[arg(long, value_name = "N|all", default_value = "10", value_parser = count)]
    pub(crate) failures: usize,
    /// What to write to standard output: human (the summary), or json (one line for each case as soon as
    /// it has its result, with the summary on standard error)
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "human",
        value_enum,
        hide_possible_values = true
    )]
    pub(crate) message_format: MessageFormat,
    /// Folder for report.json, report.html, junit.xml, matrix.json and matrix.html
    #[arg(long, value_name = "DIR", default_value = "reports/latest")]
    pub(crate) out: PathBuf,
    /// Ignore conformance.toml, which otherwise sets the options that are not given
    #[arg(long)]
    no_config: bool,
    /// The options taken from such a file.
    #[arg(skip)]
    pub(crate) config: Option<config::Taken>,
}

/// Who reads standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MessageFormat {
    Human,
    Json,
}

impl RunArgs {
    /// Unexpected results with which the run ends.
    pub(crate) fn max_failures(&self) -> Option<NonZeroUsize> {
        if self.exit_first { Some(NonZeroUsize::MIN) } else { self.maxfail }
    }
}

#[derive(Debug, Args)]
pub(crate) struct MatrixArgs {
    #[command(flatten)]
    pub(crate) test: TestArgs,
    /// Run nothing, but take the cases of this report.json; may be given several times
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = TEST_ARGS)]
    pub(crate) report: Vec<PathBuf>,
    /// Take this campaign.json in, or that within a folder; may be given several times
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "report")]
    pub(crate) campaign: Vec<PathBuf>,
    /// Folder for matrix.json and matrix.html [none are written]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// The arguments that select what is run, which have no meaning for finished reports.
const TEST_ARGS: [&str; 25] = [
    "suite",
    "corpus",
    "own",
    "challenge",
    "challenge_from",
    "variant",
    "filter",
    "exclude",
    "operator",
    "dtype",
    "opset",
    "failed_in",
    "backend",
    "adapter",
    "onnx_backend",
    "python",
    "timeout",
    "start_timeout",
    "memory_limit",
    "sandbox",
    "allow_path",
    "allow_write",
    "expectations",
    "profile",
    "jobs",
];

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// Id of the case, as reports and `list` show it
    #[arg(required_unless_present = "atlas")]
    pub(crate) case: Option<String>,
    /// Instead of a case, explain the largest error of each row of an atlas (an atlas.json, or a folder
    /// with one) from the recorded results; no backend is run
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = [
            "case", "corpus", "challenge", "element", "profile", "backend", "adapter", "onnx_backend",
        ]
    )]
    pub(crate) atlas: Option<PathBuf>,
    /// Rows of the atlas for these operators only, such as Exp,Tanh [all]
    #[arg(
        long = "op",
        value_name = "NAME,..",
        value_delimiter = ',',
        requires = "atlas",
        conflicts_with = "case"
    )]
    pub(crate) operators: Vec<String>,
    /// Rows of the atlas for these element types only [all]
    #[arg(long = "type", value_name = "TYPE,..", value_delimiter = ',', value_parser = dtype, requires = "atlas",
        conflicts_with = "case")]
    pub(crate) types: Vec<DType>,
    /// Folder that contains the case, if it is not in a known corpus
    #[arg(long, value_name = "DIR")]
    pub(crate) corpus: Option<String>,
    /// Seed of the challenge that the case belongs to, as the report states it
    #[arg(long, value_name = "SEED", conflicts_with = "corpus")]
    pub(crate) challenge: Option<Challenge>,
    /// Coordinates of one element [those that differ most, or the first few]
    #[arg(long, value_name = "I,J,..", value_delimiter = ',')]
    pub(crate) element: Option<Vec<usize>>,
    #[command(flatten)]
    pub(crate) backend: BackendArgs,
    /// Accuracy profile, as for `run` [that of the case's suite]
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) profile: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct AdapterCheckArgs {
    /// Command that starts the adapter, split into words as a shell would
    #[arg(value_name = "CMD")]
    pub(crate) command: String,
    /// Time limit for a request
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub(crate) timeout: Duration,
    /// Time limit for the handshake
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub(crate) start_timeout: Duration,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
}

#[derive(Debug, Args)]
pub(crate) struct SpecCheckArgs {
    /// Print each finding with the text of its rows [findings with one cause are grouped]
    #[arg(long)]
    pub(crate) full: bool,
    /// Write the findings as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Write the findings as SARIF 2.1.0, for editors and CI systems
    #[arg(long, value_name = "FILE")]
    pub(crate) sarif: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    #[command(flatten)]
    pub(crate) select: SelectArgs,
    /// Folder for audit.json and audit.html [none are written]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// The model: an ONNX file
    pub(crate) model: PathBuf,
    /// A report.json, campaign.json or atlas.json, or a folder with one, whose results are shown with the uses; may be
    /// given several times
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) report: Vec<PathBuf>,
    /// Corpus of a report's cases: a fetched one by name, or a folder or archive; may be given several times. The own
    /// suites, and challenges of them, need not be named
    #[arg(long, value_name = "NAME|DIR|FILE")]
    pub(crate) corpus: Vec<String>,
    /// Also show how strictly this profile judges each operator
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) profile: Option<String>,
    /// Size of a dimension that the model leaves open; may be given several times [1 for a first one, else 32, 64, ..]
    #[arg(long = "dim", value_name = "NAME=N", value_parser = dimension)]
    pub(crate) dims: Vec<(String, usize)>,
    /// Sizes of an input; may be given several times
    #[arg(long = "shape", value_name = "INPUT=N,..", value_parser = shape)]
    pub(crate) shapes: Vec<(String, Vec<usize>)>,
    /// Folder for inspect.json and inspect.html [none are written]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Folder for cases of the uses that no case covers exactly; new or empty
    #[arg(long, value_name = "DIR")]
    pub(crate) make_cases: Option<PathBuf>,
    /// Seed of their inputs
    #[arg(long, value_name = "SEED", default_value = "1", requires = "make_cases")]
    pub(crate) seed: String,
}

#[derive(Debug, Args)]
pub(crate) struct CAbiArgs {
    /// Shared library to load
    pub(crate) library: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct GuideArgs {
    /// The chapter, such as running [the list of all]
    #[arg(value_name = "TOPIC")]
    pub(crate) topic: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Folder for the pages
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct GateArgs {
    /// The accepted state: a baseline, a report.json or an atlas.json
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: PathBuf,
    /// The report.json to compare with it, or the atlas.json
    #[arg(long, value_name = "FILE")]
    pub(crate) report: PathBuf,
    /// Write everything that differs as Markdown
    #[arg(long, value_name = "FILE")]
    pub(crate) markdown: Option<PathBuf>,
    /// Fail for warnings, too: known failures that pass or are of no case, weaker isolation
    #[arg(long)]
    pub(crate) strict: bool,
}

#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("source").args(["report", "from"]).multiple(true).required(true)))]
pub(crate) struct ExpectArgs {
    /// The list, in the format of --expectations; created if it does not exist
    #[arg(long, value_name = "FILE", required_unless_present = "from")]
    pub(crate) update: Option<PathBuf>,
    /// The report.json of a run of the backend; may be given several times
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "update")]
    pub(crate) report: Vec<PathBuf>,
    /// Start from another project's list: ONNX Runtime's onnx_backend_test_series_filters.jsonc or
    /// burn-onnx's expectations.toml [printed if there is no --update]
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<PathBuf>,
    /// Take this list of ONNX Runtime's filters; may be given several times [all except those of one
    /// platform or execution provider, current_failing_tests_*]
    #[arg(long, value_name = "NAME", requires = "from")]
    pub(crate) list: Vec<String>,
    /// Write nothing; print what would change, and exit with 1 if anything would
    #[arg(long, requires = "update")]
    pub(crate) check: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ScoreboardArgs {
    /// The `report.json` of each run, each of one backend under one profile
    #[arg(value_name = "REPORT", required = true)]
    pub(crate) reports: Vec<PathBuf>,
    /// Folder for scoreboard.json and scoreboard.html
    #[arg(long, value_name = "DIR", default_value = "reports/scoreboard")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct SiteArgs {
    /// The `report.json` of each run, in any order; duplicates count once
    #[arg(value_name = "REPORT", required = true)]
    pub(crate) reports: Vec<PathBuf>,
    /// Folder for the site
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct EvidenceArgs {
    /// The `report.json` of a run; may be given several times
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "campaign")]
    pub(crate) report: Vec<PathBuf>,
    /// The `campaign.json` of a campaign, or its folder; may be given several times
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) campaign: Vec<PathBuf>,
    /// The implementation under test, whose digest the pack records: a library, wheel or binary
    /// [this program if its own kernels were tested, otherwise the identity that the backend reports]
    #[arg(long, value_name = "FILE")]
    pub(crate) subject: Option<PathBuf>,
    /// File of a profile of your own that reports or campaigns used; may be given several times
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) profile: Vec<PathBuf>,
    /// A model whose uses of operators the pack lists, with what its reports and campaigns have of them; may be given
    /// several times
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) model: Vec<PathBuf>,
    /// Folder for the pack; must be new, empty, or hold an earlier pack
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Folder of the pack
    pub(crate) dir: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct CampaignArgs {
    /// Operator, such as Div
    #[arg(long = "op", value_name = "NAME")]
    pub(crate) operator: String,
    /// Element type of the operands, such as float16 or int8
    #[arg(long = "type", value_name = "TYPE", value_parser = dtype)]
    pub(crate) dtype: DType,
    /// Element type of CastLike's second operand, which determines the type of the results
    #[arg(long, value_name = "TYPE", value_parser = dtype)]
    pub(crate) like: Option<DType>,
    /// An attribute of the operator, such as to=float16 of Cast; may be given several times
    #[arg(long = "attribute", value_name = "NAME=VALUE", value_parser = attribute)]
    pub(crate) attributes: Vec<(String, String)>,
    /// Which inputs: exhaustive (all of them), significands (for Div and Mul, all pairs of significands at
    /// chosen exponents), hard (next to rounding boundaries and thresholds, ties, special values), or
    /// stratified (random ones of every size and pattern)
    #[arg(long, value_name = "NAME", default_value = "exhaustive")]
    pub(crate) strategy: String,
    /// Exponents of dividend and divisor, for significands [0,0]
    #[arg(long, value_name = "A,B", allow_hyphen_values = true, value_parser = pair)]
    pub(crate) exponents: Option<(i32, i32)>,
    /// Signs of dividend and divisor, for significands [++]
    #[arg(long, value_name = "SIGNS", allow_hyphen_values = true)]
    pub(crate) signs: Option<Signs>,
    /// Inputs per stratum, for stratified [10000]
    #[arg(long, value_name = "N")]
    pub(crate) count: Option<NonZeroU64>,
    /// Seed of the random inputs, for stratified [a fixed one]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Take only the inputs from FIRST up to, but excluding, END; powers may be written 2^40
    #[arg(long, value_name = "FIRST..END", value_parser = range)]
    pub(crate) range: Option<Range<u64>>,
    /// Take only part I of N, counted from 1; auto takes I and N from Slurm's array variables, or
    /// from Kubernetes' JOB_COMPLETION_INDEX and JOB_COMPLETIONS
    #[arg(long, value_name = "I/N|auto")]
    pub(crate) shard: Option<String>,
    #[command(flatten)]
    pub(crate) backend: BackendArgs,
    /// Accuracy profile, as for `run`
    #[arg(long, value_name = "NAME|FILE", default_value = "sonnx")]
    pub(crate) profile: String,
    /// Threads [one per CPU]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Folder for campaign.json and campaign.html [reports/campaigns/NAME]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct AtlasArgs {
    /// Operators, such as Exp,Tanh [all that compute element by element on operands of one type, except Cast]
    #[arg(long = "op", value_name = "NAME,..", value_delimiter = ',')]
    pub(crate) operators: Vec<String>,
    /// Element types of operands, such as float16,float32 [all]
    #[arg(long = "type", value_name = "TYPE,..", value_delimiter = ',', value_parser = dtype)]
    pub(crate) types: Vec<DType>,
    /// An attribute of the operators, such as approximate=tanh of Gelu; may be given several times [none; for Cast each type as to]
    #[arg(long = "attribute", value_name = "NAME=VALUE", value_parser = attribute)]
    pub(crate) attributes: Vec<(String, String)>,
    /// Take all inputs if there are at most 2^32, however long it takes [a sample if they cannot be decided fast]
    #[arg(long)]
    pub(crate) exhaustive: bool,
    /// Sample everything with more than 65,536 inputs, for slow runtimes
    #[arg(long, conflicts_with = "exhaustive")]
    pub(crate) sample: bool,
    /// Inputs per stratum of a sample [10000; 300 with two operands]
    #[arg(long, value_name = "N", conflicts_with = "exhaustive")]
    pub(crate) count: Option<NonZeroU64>,
    /// Take only part I of N of each row's inputs, counted from 1; auto as for `campaign`
    #[arg(long, value_name = "I/N|auto")]
    pub(crate) shard: Option<String>,
    #[command(flatten)]
    pub(crate) backends: BackendsArgs,
    /// Threads [one per CPU]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Folder for atlas.json and atlas.html
    #[arg(long, value_name = "DIR", default_value = "reports/atlas")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct SumsArgs {
    /// Operators among Conv, Gemm, GlobalAveragePool, MatMul, ReduceMean and ReduceSum [all]
    #[arg(long = "op", value_name = "NAME,..", value_delimiter = ',')]
    pub(crate) operators: Vec<String>,
    /// Element types among float16, bfloat16, float32 and float64 [all]
    #[arg(long = "type", value_name = "TYPE,..", value_delimiter = ',', value_parser = dtype)]
    pub(crate) types: Vec<DType>,
    /// Seed of the random terms
    #[arg(long, value_name = "N", default_value_t = SEED)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) backends: BackendsArgs,
    /// Calls at once [one per CPU]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Folder for sums.json
    #[arg(long, value_name = "DIR", default_value = "reports/sums")]
    pub(crate) out: PathBuf,
}

/// A model, and what it is given.
#[derive(Debug, Args)]
pub(crate) struct ModelArgs {
    /// The model, an ONNX file
    pub(crate) model: PathBuf,
    /// Folder with the inputs: input_0.pb and so on as in ONNX's data sets, NAME.npy, or an .npz
    #[arg(long, value_name = "DIR")]
    pub(crate) inputs: Option<PathBuf>,
    /// What an input is or is drawn from: normal(MEAN,DEVIATION), uniform(FROM,TO), integers(FROM,TO), constant(VALUE),
    /// or a .pb or .npy file; may be given several times [floats normal(0,0.5), integers integers(0,4)]
    #[arg(long, value_name = "NAME=SOURCE", value_parser = source)]
    pub(crate) input: Vec<(String, Source)>,
    /// Size of a symbolic dimension; may be given several times [1]
    #[arg(long, value_name = "NAME=N", value_parser = dimension)]
    pub(crate) dim: Vec<(String, usize)>,
    /// Shape of an input, as in image=1,3,224,224; may be given several times
    #[arg(long, value_name = "INPUT=N,..", value_parser = shape)]
    pub(crate) shape: Vec<(String, Vec<usize>)>,
}

/// By what the nodes of a model are judged.
#[derive(Debug, Args)]
pub(crate) struct JudgingArgs {
    /// Accuracy profile that each node is judged by, or a file in the format of one (NAME.toml)
    #[arg(long, value_name = "NAME|FILE", default_value = "onnx-exact")]
    pub(crate) profile: String,
    /// Largest error of an element-wise operator in ULP, in place of the profile's; may be given several times
    #[arg(long = "limit", value_name = "OP=ULP", value_parser = attribute)]
    pub(crate) limits: Vec<(String, String)>,
    /// Judge so many elements of each output at most [as many as take about a quarter of a second]
    #[arg(long, value_name = "N")]
    pub(crate) sample: Option<NonZeroUsize>,
    /// Seed of what is drawn: inputs, and the elements that are judged of large outputs
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Count the elements of outputs that cross this threshold because of a node that is wrong
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub(crate) threshold: Option<f64>,
}

#[derive(Debug, Args)]
pub(crate) struct TraceArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) backends: BackendsArgs,
    #[command(flatten)]
    pub(crate) judging: JudgingArgs,
    /// Look for this many groups of nodes that give other bits together than one by one
    #[arg(long, value_name = "N", default_value_t = FUSIONS)]
    pub(crate) fusions: usize,
    /// Of this many nodes that are wrong, find out what they do to the outputs
    #[arg(long, value_name = "N", default_value_t = EFFECTS)]
    pub(crate) effects: usize,
    /// Write cases of this many nodes that are wrong
    #[arg(long, value_name = "N", default_value_t = CASES)]
    pub(crate) cases: usize,
    /// Nodes that are known to be wrong, by MODEL/NODE with verdict and reason, as in testdata/README.md: they do not fail the trace
    #[arg(long, value_name = "FILE")]
    pub(crate) expectations: Option<PathBuf>,
    /// Add the nodes that are wrong to the list of --expectations with this reason, or make it; what was accepted does not fail
    #[arg(long, value_name = "REASON", requires = "expectations", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) accept: Option<String>,
    /// Go on from where an interrupted trace into the same folder ended
    #[arg(long)]
    pub(crate) resume: bool,
    /// Folder for trace.json, trace.html and the cases; with several backends, for a folder of each
    #[arg(long, value_name = "DIR", default_value = "reports/trace")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct JudgeArgs {
    /// The model, an ONNX file
    pub(crate) model: PathBuf,
    /// Folder with all inputs of the model
    #[arg(long, value_name = "DIR")]
    pub(crate) inputs: PathBuf,
    /// Folder with the outputs, and with inner values where they are known
    #[arg(long, value_name = "DIR")]
    pub(crate) outputs: PathBuf,
    #[command(flatten)]
    pub(crate) judging: JudgingArgs,
    /// Folder for trace.json, trace.html and the cases
    #[arg(long, value_name = "DIR", default_value = "reports/judge")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// The reports, campaigns or atlases: a report.json, campaign.json or atlas.json each, or a folder with one
    #[arg(required = true, value_name = "SHARD")]
    pub(crate) shards: Vec<PathBuf>,
    /// For reports: also fail on unexpected passes and on stale entries, which match no case
    #[arg(long)]
    pub(crate) strict: bool,
    /// For atlases: leave out the largest error of each binade, for a document of a tenth of the size
    #[arg(long)]
    pub(crate) summary: bool,
    /// Folder for the merged files, as `run`, `campaign` or `atlas` writes them
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct RegressArgs {
    /// The campaign: a campaign.json, or a folder with one
    pub(crate) campaign: PathBuf,
    /// Take only the counterexample with this index [all that are listed]
    #[arg(long, value_name = "N")]
    pub(crate) index: Option<u64>,
    /// Folder of cases to which the new one is added [regressions; in a checkout
    /// testdata/regressions]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use onnx_conformance::documents::report::summary::FAILURES_SHOWN;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_run_shows_as_many_failures_as_summaries_do_elsewhere() {
        let cli = Cli::try_parse_from(["onnx-conformance", "run"]).unwrap();
        let Command::Run(run) = cli.command else { panic!("another command") };
        assert_eq!(run.failures, FAILURES_SHOWN);
    }
}
