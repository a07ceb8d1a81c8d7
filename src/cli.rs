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
use onnx_conformance::campaign::Signs;
use onnx_conformance::challenge::Challenge;
use onnx_conformance::corpus::CaseKind;
use onnx_conformance::dtype::DType;
use onnx_conformance::selection::{Opsets, Pattern};
use onnx_conformance::sums::SEED;
use onnx_conformance::variant::Variant;

pub(crate) use self::backend::{BackendArgs, BackendsArgs, Given, ProcessArgs, SandboxArgs};
use self::values::{attribute, case_kinds, count, dtype, pair, range, seconds};

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

/// Tells whether an implementation of ONNX operators conforms, with evidence.
#[derive(Debug, Parser)]
#[command(version, long_version = IDENTITY, max_term_width = 80)]
#[command(after_long_help = include_str!("cli/exit-codes.txt"))]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Whether to use colours [auto: on a terminal, as NO_COLOR, CLICOLOR and CLICOLOR_FORCE say]
    #[arg(
        long,
        value_name = "WHEN",
        global = true,
        default_value = "auto",
        hide_default_value = true
    )]
    pub(crate) color: ColorChoice,
}

/// What words that are no command line say of colours, so that they are told of as they ask.
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
    /// A copy that is there and matches its lock is kept. Else the corpus comes from pip, which
    /// honours your mirror and proxy settings, or from the source archive of the release's git tag.
    /// Releases since 1.23 ship no node cases: their Python package computes them here, in an
    /// environment of its own, with exactly the packages that are pinned for it. Whatever the
    /// source, only what matches the lock is installed, whole or not at all.
    ///
    /// Each kind of cases is a corpus of its own: onnx-V has the node cases of a release V, and
    /// onnx-V-simple, onnx-V-pytorch-operator and onnx-V-pytorch-converted have the graphs beside
    /// them.
    ///
    /// The cases go into testdata/corpora of the checkout that the current folder is in. Elsewhere
    /// they go into the folder that ONNX_CONFORMANCE_HOME names, or onnx-conformance among your
    /// caches.
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
    /// Explain a case, or the largest errors of an atlas: operands, exact values, the rows that apply, what
    /// came back
    #[command(after_long_help = include_str!("cli/explain.txt"))]
    Explain(ExplainArgs),
    /// Set the expected outputs of cases beside what the reference allows
    ///
    /// No backend is asked. An expected element that no implementation gives which keeps to the operator's rule
    /// (exact bits, one rounding, the correctly rounded value of a function, the bound of a sum) judges nobody
    /// fairly; the audit tells which ones these are, and by how much they are off.
    #[command(after_long_help = include_str!("cli/audit.txt"))]
    Audit(AuditArgs),
    /// Check that an adapter follows the protocol
    #[command(after_long_help = include_str!("cli/adapter-check.txt"))]
    AdapterCheck(AdapterCheckArgs),
    /// Lint the specifications: interpret each literally and print its defects
    #[command(after_long_help = include_str!("cli/spec-check.txt"))]
    SpecCheck(SpecCheckArgs),
    /// Compare a report or an atlas with a baseline: report regressions and fail
    #[command(after_long_help = include_str!("cli/gate.txt"))]
    Gate(GateArgs),
    /// Bring a list of known failures up to date with what reports say
    #[command(after_long_help = include_str!("cli/expect.txt"))]
    Expect(ExpectArgs),
    /// Set reports of several backends side by side and say who is right where they disagree
    #[command(after_long_help = include_str!("cli/scoreboard.txt"))]
    Scoreboard(ScoreboardArgs),
    /// Make static pages with the history of many reports: backends, operators, regressions, badges
    #[command(after_long_help = include_str!("cli/site.txt"))]
    Site(SiteArgs),
    /// Sweep an operator over a whole input domain, or a directed part of it
    #[command(after_long_help = include_str!("cli/campaign.txt"))]
    Campaign(CampaignArgs),
    /// Chart the largest error of every operator over its domain, and where it is
    #[command(after_long_help = include_str!("cli/atlas.txt"))]
    Atlas(AtlasArgs),
    /// Ask for sums of known condition number: what each takes of its bound, how wide accumulators are
    #[command(after_long_help = include_str!("cli/sums.txt"))]
    Sums(SumsArgs),
    /// Merge the reports, campaigns or atlases of all shards, campaigns of ranges, or atlases of several backends
    /// into one
    #[command(after_long_help = include_str!("cli/merge.txt"))]
    Merge(MergeArgs),
    /// Make a regression case of a campaign's counterexamples
    #[command(after_long_help = include_str!("cli/regress.txt"))]
    Regress(RegressArgs),
    /// Make an evidence pack of reports and campaigns: a folder that anybody can check
    #[command(after_long_help = include_str!("cli/evidence.txt"))]
    Evidence(EvidenceArgs),
    /// Check an evidence pack, offline: that it is unaltered, and its claims follow from its documents
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
    /// Print the completions of a shell, for commands, options and their values
    #[command(after_long_help = include_str!("cli/completions.txt"))]
    Completions(CompletionsArgs),
    /// Print a chapter of the book, or the list of them
    #[command(after_long_help = include_str!("cli/guide.txt"))]
    Guide(GuideArgs),
    /// Write the manual pages, one of the program and one of each command
    #[command(after_long_help = include_str!("cli/man.txt"))]
    Man(ManArgs),
}

/// Which cases.
#[derive(Debug, Args)]
pub(crate) struct SelectArgs {
    /// Suite: onnx, sonnx, sonnx-draft or openvino; may be given several times
    /// [onnx]
    #[arg(long, value_name = "NAME")]
    pub(crate) suite: Vec<String>,
    /// Corpus by name, or a folder or archive (zip, tar.gz) of cases; may be given several times [those of the suite]
    #[arg(long, value_name = "NAME|DIR|FILE")]
    pub(crate) corpus: Vec<String>,
    /// Take only the suites' own cases, which the program carries, without the fetched releases
    #[arg(long, conflicts_with_all = ["corpus", "challenge"])]
    pub(crate) own: bool,
    /// Take, instead of the committed cases of the suites, others of the same classes, made now from
    /// this seed; without the fetched releases
    #[arg(long, value_name = "SEED", conflicts_with = "corpus")]
    pub(crate) challenge: Option<Challenge>,
    /// Take the cases with models that say the same in another way: constant-inputs, where all tensors but
    /// the first input are initialisers, or dynamic-shapes, where no dimension is a number; ids say so.
    /// Cases that are the same there are left out
    #[arg(long, value_name = "NAME", conflicts_with = "challenge")]
    pub(crate) variant: Option<Variant>,
    /// Take only the cases whose id matches this regular expression, in upper or lower case; may be
    /// given several times, and takes what any of them matches
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
    /// Known failures of the backend [with --backend NAME those of testdata/expectations/NAME.toml;
    /// none with --adapter, whatever the adapter calls itself]
    #[arg(long, value_name = "FILE")]
    pub(crate) expectations: Option<PathBuf>,
    /// Accuracy profile to compare under: onnx, onnx-1.23, onnx-exact, exact, ieee754, sonnx, opencl-full,
    /// opencl-embedded, webgpu, cuda-approx, or a file in their format (NAME.toml), for all
    /// suites [each suite's own: onnx for onnx, or onnx-1.23 where its cases are of releases since
    /// 1.23, and onnx-exact for this project's own among them; sonnx for the others]
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) profile: Option<String>,
    /// Cases in flight at once [one per CPU]
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
    /// Fetch nothing, but print every corpus that has a lock, or those of --release and --kind, and
    /// which are there
    #[arg(long, conflicts_with_all = ["archive", "url", "python", "export", "write_lock"])]
    pub(crate) list: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) test: TestArgs,
    /// Also fail if a case passes that is known not to, or if an entry of the list is of no case
    #[arg(long)]
    pub(crate) strict: bool,
    /// Run only part I of N, from 1: every N-th of the selected cases, beginning with the I-th; `merge`
    /// makes one report of all parts. auto takes it from Slurm's array variables, or from Kubernetes'
    /// JOB_COMPLETION_INDEX and JOB_COMPLETIONS
    #[arg(long, value_name = "I/N|auto")]
    pub(crate) shard: Option<String>,
    /// End the run with the N-th fail, crash, timeout or fault that was not expected; the cases behind
    /// it, in natural order, are in the report as skipped
    #[arg(long, value_name = "N")]
    pub(crate) maxfail: Option<NonZeroUsize>,
    /// End the run with the first one: --maxfail 1
    #[arg(short = 'x', overrides_with = "maxfail")]
    pub(crate) exit_first: bool,
    /// How many of the cases that failed the summary shows; the reports have all
    #[arg(long, value_name = "N|all", default_value = "10", value_parser = count)]
    pub(crate) failures: usize,
    /// What is written to standard output: human (the summary), or json (a line for each case as soon as
    /// it is settled, with the summary on standard error)
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
    /// Leave out conformance.toml, which else sets the options that are not given
    #[arg(long)]
    no_config: bool,
    /// What was taken of such a file.
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

/// What says what is run, and is nothing to those who have run it.
const TEST_ARGS: [&str; 23] = [
    "suite",
    "corpus",
    "own",
    "challenge",
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
    "expectations",
    "profile",
    "jobs",
];

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// Id of the case, as reports and `list` show it
    #[arg(required_unless_present = "atlas")]
    pub(crate) case: Option<String>,
    /// Explain, instead of a case, the largest error of each row of an atlas, from what came back then: an
    /// atlas.json, or a folder with one; no backend is asked
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = [
            "case", "corpus", "challenge", "element", "profile", "backend", "adapter", "onnx_backend",
        ]
    )]
    pub(crate) atlas: Option<PathBuf>,
    /// Of an atlas the rows of these operators, such as Exp,Tanh [all]
    #[arg(
        long = "op",
        value_name = "NAME,..",
        value_delimiter = ',',
        requires = "atlas",
        conflicts_with = "case"
    )]
    pub(crate) operators: Vec<String>,
    /// Of an atlas the rows of these element types [all]
    #[arg(long = "type", value_name = "TYPE,..", value_delimiter = ',', value_parser = dtype, requires = "atlas",
        conflicts_with = "case")]
    pub(crate) types: Vec<DType>,
    /// Folder that the case lies in, where it is none of the known corpora
    #[arg(long, value_name = "DIR")]
    pub(crate) corpus: Option<String>,
    /// Seed of the challenge that the case is of, as the report has it
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
    /// Command that starts the adapter; its words are split as a shell would
    #[arg(value_name = "CMD")]
    pub(crate) command: String,
    /// Time that it has for a task
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub(crate) timeout: Duration,
    /// Time that it has to introduce itself
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub(crate) start_timeout: Duration,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
}

#[derive(Debug, Args)]
pub(crate) struct SpecCheckArgs {
    /// Write out each finding, with the words of its rows [what has one cause together]
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
    /// What was known before: a baseline, a report.json or an atlas.json
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: PathBuf,
    /// The report.json to compare with it, or the atlas.json
    #[arg(long, value_name = "FILE")]
    pub(crate) report: PathBuf,
    /// Write everything that differs as Markdown
    #[arg(long, value_name = "FILE")]
    pub(crate) markdown: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("source").args(["report", "from"]).multiple(true).required(true)))]
pub(crate) struct ExpectArgs {
    /// The list, as --expectations takes it; made where there is none
    #[arg(long, value_name = "FILE", required_unless_present = "from")]
    pub(crate) update: Option<PathBuf>,
    /// The report.json of a run of the backend; may be given several times
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "update")]
    pub(crate) report: Vec<PathBuf>,
    /// Take over what another project lists first: ONNX Runtime's
    /// onnx_backend_test_series_filters.jsonc or burn-onnx's expectations.toml [printed, where there
    /// is no --update]
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<PathBuf>,
    /// Of ONNX Runtime's filters take this list; may be given several times [all but those of one
    /// platform or execution provider, current_failing_tests_*]
    #[arg(long, value_name = "NAME", requires = "from")]
    pub(crate) list: Vec<String>,
    /// Write nothing; tell what would change, and exit with 1 where anything would
    #[arg(long, requires = "update")]
    pub(crate) check: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ScoreboardArgs {
    /// The `report.json` of each run; one backend under one profile each
    #[arg(value_name = "REPORT", required = true)]
    pub(crate) reports: Vec<PathBuf>,
    /// Folder for scoreboard.json and scoreboard.html
    #[arg(long, value_name = "DIR", default_value = "reports/scoreboard")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct SiteArgs {
    /// The `report.json` of each run, in any order; one that is named twice counts once
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
    /// The implementation under test, whose digest the pack names: a library, wheel or binary
    /// [this program where its own kernels were tested, or what the backend says of itself]
    #[arg(long, value_name = "FILE")]
    pub(crate) subject: Option<PathBuf>,
    /// The file of a profile of your own, under which reports or campaigns were made; may be given
    /// several times
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) profile: Vec<PathBuf>,
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
    /// Element type of the operand that tells CastLike which type results have
    #[arg(long, value_name = "TYPE", value_parser = dtype)]
    pub(crate) like: Option<DType>,
    /// An attribute of the operator, such as to=float16 of Cast; may be given several times
    #[arg(long = "attribute", value_name = "NAME=VALUE", value_parser = attribute)]
    pub(crate) attributes: Vec<(String, String)>,
    /// Which inputs: exhaustive (all of them), significands (of Div and Mul, all pairs of significands at
    /// chosen exponents), hard (those next to rounding boundaries and thresholds, ties, special
    /// values), or stratified (random ones of every size and pattern)
    #[arg(long, value_name = "NAME", default_value = "exhaustive")]
    pub(crate) strategy: String,
    /// Exponents of dividend and divisor, for significands [0,0]
    #[arg(long, value_name = "A,B", allow_hyphen_values = true, value_parser = pair)]
    pub(crate) exponents: Option<(i32, i32)>,
    /// Signs of dividend and divisor, for significands [++]
    #[arg(long, value_name = "SIGNS", allow_hyphen_values = true)]
    pub(crate) signs: Option<Signs>,
    /// Inputs of every stratum, for stratified [10000]
    #[arg(long, value_name = "N")]
    pub(crate) count: Option<NonZeroU64>,
    /// Seed of the random inputs, for stratified [a fixed one]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Take only the inputs from FIRST up to, but without, END; powers may be written 2^40
    #[arg(long, value_name = "FIRST..END", value_parser = range)]
    pub(crate) range: Option<Range<u64>>,
    /// Take only part I of N, from 1; auto takes it from Slurm's array variables, or from
    /// Kubernetes' JOB_COMPLETION_INDEX and JOB_COMPLETIONS
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
    /// Operators, such as Exp,Tanh [all that compute element by element on operands of one type, but Cast]
    #[arg(long = "op", value_name = "NAME,..", value_delimiter = ',')]
    pub(crate) operators: Vec<String>,
    /// Element types of operands, such as float16,float32 [all]
    #[arg(long = "type", value_name = "TYPE,..", value_delimiter = ',', value_parser = dtype)]
    pub(crate) types: Vec<DType>,
    /// An attribute of the operators, such as approximate=tanh of Gelu; may be given several times [none; of Cast each type for to]
    #[arg(long = "attribute", value_name = "NAME=VALUE", value_parser = attribute)]
    pub(crate) attributes: Vec<(String, String)>,
    /// Take all inputs of up to 2^32, however long it takes; without, a sample where they cannot be decided fast
    #[arg(long)]
    pub(crate) exhaustive: bool,
    /// Take a sample of everything with more than 65,536 inputs, for runtimes that are slow
    #[arg(long, conflicts_with = "exhaustive")]
    pub(crate) sample: bool,
    /// Inputs of every stratum where they are sampled [10000; 300 of two operands]
    #[arg(long, value_name = "N", conflicts_with = "exhaustive")]
    pub(crate) count: Option<NonZeroU64>,
    /// Take only part I of N of each row's inputs, from 1; auto as for `campaign`
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
    /// Operators, of Conv, Gemm, GlobalAveragePool, MatMul, ReduceMean and ReduceSum [all]
    #[arg(long = "op", value_name = "NAME,..", value_delimiter = ',')]
    pub(crate) operators: Vec<String>,
    /// Element types, of float16, bfloat16, float32 and float64 [all]
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

#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// The reports, campaigns or atlases: a report.json, campaign.json or atlas.json each, or a folder with one
    #[arg(required = true, value_name = "SHARD")]
    pub(crate) shards: Vec<PathBuf>,
    /// Of reports: also fail if a known failure passes or matches no case
    #[arg(long)]
    pub(crate) strict: bool,
    /// Folder for the files of the whole, as `run`, `campaign` or `atlas` writes them
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct RegressArgs {
    /// The campaign: a campaign.json, or a folder with one
    pub(crate) campaign: PathBuf,
    /// Take only the counterexample of this index [all that it lists]
    #[arg(long, value_name = "N")]
    pub(crate) index: Option<u64>,
    /// Folder of cases that the new one goes into [regressions; in a checkout
    /// testdata/regressions]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use onnx_conformance::report::summary::FAILURES_SHOWN;

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
