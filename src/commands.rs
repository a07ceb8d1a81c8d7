//! What the commands do: from arguments to an exit code.

mod adapter_check;
mod atlas;
mod backend;
mod campaign;
mod error;
mod evidence;
mod expect;
mod explain;
mod export;
mod fetch;
mod gate;
mod guide;
mod inspect;
mod interrupt;
mod manual;
mod matrix;
mod merge;
mod run;
mod sandbox;
mod scoreboard;
mod site;
mod sums;
mod testing;
mod trace;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use onnx_conformance::backend::c_abi::CAbi;
use onnx_conformance::corpus::case::Case;
use onnx_conformance::corpus::selection::Selection;
use onnx_conformance::corpus::suite::{self, Suite, UnknownSuite};
use onnx_conformance::corpus::{self, CaseDir, Corpus, CorpusError, Home};
use onnx_conformance::document::JsonDocument;
use onnx_conformance::document::write::write_file;
use onnx_conformance::documents::audit;
use onnx_conformance::documents::report::document::Report;
use onnx_conformance::foundation::cleanup::{self, FolderLock};
use onnx_conformance::foundation::printable::on_one_line;
use onnx_conformance::judge::profile::Profile;
use onnx_conformance::judge::spec;
use onnx_conformance::limits::{self, TOML_LIMIT};
use onnx_conformance::run::{Event, NoCase, case_id};
use onnx_conformance::serve::serve;

use self::error::{CommandError, exit};
use crate::cli::{AuditArgs, CAbiArgs, Cli, Command, SelectArgs, SpecCheckArgs};
use crate::terminal::{self, Progress};

/// Most bytes of the first line of a file with a seed.
const SEED_LIMIT: u64 = 4096;

pub(crate) fn execute(mut cli: Cli) -> ExitCode {
    interrupt::watch();
    // An adapter of ours is no start of the tool.
    if !matches!(cli.command, Command::CAbi(_)) {
        cleanup::sweep();
    }
    let seeded = cli.command.select().map_or(Ok(()), read_seed);
    let done = seeded.and_then(|()| match cli.command {
        Command::Fetch(args) => fetch::fetch(&args),
        Command::Run(args) => run::run(&args),
        Command::Matrix(args) => matrix::matrix(&args),
        Command::Explain(args) => explain::explain(&args),
        Command::Export(args) => export::export(args),
        Command::Audit(args) => audit(&args),
        Command::Inspect(args) => inspect::inspect(&args),
        Command::AdapterCheck(args) => adapter_check::adapter_check(&args),
        Command::SpecCheck(args) => spec_check(&args),
        Command::Gate(args) => gate::gate(&args),
        Command::Expect(args) => expect::expect(&args),
        Command::Scoreboard(args) => scoreboard::scoreboard(&args),
        Command::Site(args) => site::site(&args),
        Command::Campaign(args) => campaign::campaign(&args),
        Command::Atlas(args) => atlas::atlas(&args),
        Command::Trace(args) => trace::trace(&args),
        Command::Judge(args) => trace::judge(&args),
        Command::Sums(args) => sums::sums(&args),
        Command::Merge(args) => merge::merge(&args),
        Command::Regress(args) => campaign::regress(&args),
        Command::Evidence(args) => evidence::evidence(&args),
        Command::Verify(args) => evidence::verify(&args),
        Command::List(args) => list(&args),
        Command::CAbi(args) => c_abi(&args),
        Command::Completions(args) => manual::completions(&args),
        Command::Guide(args) => guide::guide(&args),
        Command::Man(args) => manual::man(&args),
    });
    let is_interruption = |error: &CommandError| error.code == exit::INTERRUPTED;
    let is_told = done.as_ref().is_err_and(is_interruption);
    let code = done.unwrap_or_else(|error| {
        terminal::eprint(&error.to_string());
        ExitCode::from(error.code)
    });
    interrupt::check(is_told);
    code
}

/// Where locks and suites are, also where a user has no folder for what is fetched.
fn home() -> Result<Home, CorpusError> {
    Home::find().or_else(|error| match error {
        CorpusError::Untrusted(_) => Err(error),
        _ => Ok(Home::outside(".")),
    })
}

/// Takes the seed of a challenge from the file that has it.
fn read_seed(select: &mut SelectArgs) -> Result<(), CommandError> {
    let Some(path) = &select.challenge_from else { return Ok(()) };
    let shown = path.display();
    // Adapters inherit what is open.
    let is_descriptor = path.starts_with("/proc") || path.starts_with("/dev/fd");
    if is_descriptor && path.canonicalize().is_ok() {
        let problem = format!("`{shown}` is a file that adapters inherit; name it by its path");
        return Err(CommandError::misuse(problem));
    }
    let mut line = String::new();
    let file = File::open(path).map(|file| BufReader::new(file.take(SEED_LIMIT)));
    file.and_then(|mut file| file.read_line(&mut line))
        .map_err(CommandError::io(format!("read the seed in `{shown}`"), exit::USAGE))?;
    let challenge = line.trim_end_matches(['\r', '\n']).parse();
    select.challenge = Some(challenge.map_err(|error| {
        CommandError::misuse(format!("`{shown}` has no seed in its first line: {error}"))
    })?);
    Ok(())
}

/// The profile of this name, or in the file of this name.
fn profile(name: &str) -> Result<Arc<Profile>, CommandError> {
    if !name.ends_with(".toml") {
        return Ok(Profile::named(name)?);
    }
    let text = limits::read_text(Path::new(name), TOML_LIMIT)
        .map_err(CommandError::io(format!("read the profile `{name}`"), exit::USAGE))?;
    Ok(Arc::new(Profile::own(name, &text)?))
}

fn list(args: &SelectArgs) -> Result<ExitCode, CommandError> {
    let (corpora, selection) = (corpora(args, &[Suite::Onnx])?, selection(args)?);
    let mut ids: Vec<_> = taken(&corpora, &selection)?.into_iter().map(|(id, _)| id).collect();
    if ids.is_empty() {
        return Err(NoCase::among(&corpora, &selection).into());
    }
    ids.sort_by(|a, b| corpus::natural_order(a, b));
    let lines = ids.iter().map(|id| on_one_line(id) + "\n").collect::<String>();
    terminal::print(&lines)?;
    Ok(ExitCode::SUCCESS)
}

/// The cases that are selected, by their ids.
fn taken<'a>(
    corpora: &'a [(Suite, Corpus)],
    selection: &Selection,
) -> Result<Vec<(String, &'a CaseDir)>, CommandError> {
    let mut taken = Vec::new();
    for (_, corpus) in corpora {
        for case in corpus.cases() {
            let id = case_id(corpus, case.name());
            if !selection.takes_id(&id) {
                continue;
            }
            let is_taken = !selection.asks_models()
                || Case::decode(&id, case.load()?.files())
                    // One that cannot be decoded is run, too: its verdict is a fault.
                    .map_or(true, |case| selection.takes_model(&case.model));
            if is_taken {
                taken.push((id, case));
            }
        }
    }
    Ok(taken)
}

/// The cases of the corpora that the arguments choose.
fn selection(args: &SelectArgs) -> Result<Selection, CommandError> {
    let mut ids = None;
    for path in &args.failed_in {
        let report = Report::read(path)?;
        let failed = report.cases.into_iter().filter(|case| case.verdict.is_failure());
        ids.get_or_insert_with(BTreeSet::new).extend(failed.map(|case| case.id));
    }
    Ok(Selection {
        filters: args.filter.clone(),
        excludes: args.exclude.clone(),
        ids,
        operators: args.operator.clone(),
        types: args.dtype.clone(),
        opsets: args.opset.clone(),
    })
}

fn spec_check(args: &SpecCheckArgs) -> Result<ExitCode, CommandError> {
    let document = spec::check_all()?;
    let findings = &document.findings;
    if let Some(path) = &args.json {
        write_file(path, document.to_bytes()?)?;
    }
    if let Some(path) = &args.sarif {
        write_file(path, spec::to_sarif(findings)?)?;
    }
    let text = if args.full { spec::to_text } else { spec::to_summary };
    terminal::print(&text(findings, &document.revisions, terminal::style().width))?;
    Ok(ExitCode::SUCCESS)
}

/// Sets expected outputs beside the reference: those of the corpora that are asked for, or of ONNX's releases.
fn audit(args: &AuditArgs) -> Result<ExitCode, CommandError> {
    let _lock = args.out.as_deref().map(FolderLock::within).transpose()?;
    let mut corpora = corpora(&args.select, &[Suite::Onnx])?;
    let SelectArgs { suite, challenge, own, .. } = &args.select;
    if suite.is_empty() && challenge.is_none() && !own {
        // The own suites hold what the reference gave.
        corpora.retain(|(_, corpus)| corpus.release().is_some() || !args.select.corpus.is_empty());
    }
    let mut progress = Progress::new();
    let mut on_event = |event: Event<'_>| progress.on(event);
    let selection = selection(&args.select)?;
    let audited = audit::audit(&corpora, &selection, &interrupt::flag(), &mut on_event);
    drop(progress);
    let audited = audited?;
    let mut page = audit::text::render(&audited, terminal::style());
    if let Some(out) = &args.out {
        let [html, json] = audit::write(&audited, out)?;
        page += &format!("\naudit    {}\n         {}\n", html.display(), json.display());
    }
    terminal::print(&page)?;
    Ok(ExitCode::from(if audited.summary.elements == 0 { exit::NOTHING_COMPARED } else { 0 }))
}

fn c_abi(args: &CAbiArgs) -> Result<ExitCode, CommandError> {
    let library = &CAbi::open(&args.library)?;
    serve(&library, io::stdin().lock(), io::stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}

/// The corpora asked for, each with its suite, in the variant that is asked for. How many cases are no others
/// there is told.
fn corpora(args: &SelectArgs, default: &[Suite]) -> Result<Vec<(Suite, Corpus)>, CommandError> {
    let corpora = plain_corpora(args, default)?;
    let Some(variant) = args.variant else { return Ok(corpora) };
    let varied =
        corpora.iter().map(|(suite, corpus)| Ok((*suite, variant.corpus(*suite, corpus)?)));
    let varied = varied.collect::<Result<Vec<_>, CommandError>>()?;
    let [all, left] = [&corpora, &varied]
        .map(|corpora| corpora.iter().map(|(_, corpus)| corpus.cases().len() as u64).sum::<u64>());
    if left == 0 {
        let problem = format!("the variant {variant} changes no case of these corpora");
        return Err(CommandError::misuse(problem));
    }
    let same = all - left;
    terminal::eprint(&format!(
        "variant {variant}: {same} of {all} cases are the same in it, and left out"
    ));
    Ok(varied)
}

/// The corpora asked for, each with its suite: those named, or those of the suites, or those of
/// the default suites. ONNX's are the fetched releases, if these are asked for, and then its own cases.
fn plain_corpora(
    args: &SelectArgs,
    default: &[Suite],
) -> Result<Vec<(Suite, Corpus)>, CommandError> {
    let suites = args
        .suite
        .iter()
        .map(|name| suite::named(name))
        .collect::<Result<BTreeSet<_>, UnknownSuite>>()?;
    if args.corpus.is_empty() {
        let suites = if suites.is_empty() { default.iter().copied().collect() } else { suites };
        if let Some(challenge) = &args.challenge {
            let made = suites.into_iter().map(|suite| Ok((suite, challenge.corpus(suite)?)));
            return made.collect();
        }
        let home = Home::find()?;
        let mut corpora = Vec::new();
        for suite in suites {
            if suite == Suite::Onnx && !args.own {
                for release in corpus::DEFAULT_RELEASES {
                    corpora.push((suite, home.corpus(&corpus::name_of_release(release))?));
                }
            }
            corpora.push((suite, home.suite(suite)?));
        }
        return Ok(corpora);
    }
    if suites.len() > 1 {
        let problem = "the folders given with --corpus belong to one suite; give --suite once";
        return Err(CommandError::misuse(problem));
    }
    let suite = suites.first().copied().unwrap_or(Suite::Onnx);
    args.corpus.iter().map(|name| Ok((suite, named_corpus(name)?))).collect()
}

/// A corpus by its name, or the folder or archive of that name.
fn named_corpus(name: &str) -> Result<Corpus, CommandError> {
    // Without a home there are folders still, and what the program knows.
    let home = home()?;
    let known = home.locks()?;
    if known.iter().any(|known| known == name) {
        return Ok(home.corpus(name)?);
    }
    if Path::new(name).exists() {
        return Ok(home.folder(Path::new(name))?);
    }
    let known = corpus::names_listed(&known);
    let problem = format!(
        "unknown corpus `{name}`: it is no folder or archive, and the corpora are: {known}"
    );
    Err(CommandError::misuse(problem))
}

fn cpus() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}
