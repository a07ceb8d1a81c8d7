//! The commands `campaign`, `merge` and `regress`.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use onnx_conformance::backend::builtin;
use onnx_conformance::check::{Check, Unchecked};
use onnx_conformance::corpus::Home;
use onnx_conformance::corpus::selection::nearest;
use onnx_conformance::document::JsonDocument;
use onnx_conformance::foundation::cleanup::FolderLock;
use onnx_conformance::foundation::printable::indented;
use onnx_conformance::measure::campaign::{
    self, Campaign, Conducted, Ended, Failure, Implementation, Judge, Kernels, Plan, PlanError,
    Strategy, Task, Tensors, summary,
};
use onnx_conformance::reference::operator::Operator;
use onnx_conformance::reference::operators;

use super::backend::{self, Chosen};
use super::testing::shard;
use super::{CommandError, cpus, exit, interrupt, profile, sandbox};
use crate::cli::{CampaignArgs, MergeArgs, RegressArgs};
use crate::terminal::{self, SweepProgress};

/// Where campaigns go that are not told where.
const DEFAULT_OUT: &str = "reports/campaigns";

pub(super) fn campaign(args: &CampaignArgs) -> Result<ExitCode, CommandError> {
    let plan = plan(args)?;
    let check = &plan.check;
    let judge = Judge::new(profile(&args.profile)?, check.operator(), check.result())?;
    let jobs = args.jobs.unwrap_or_else(cpus);
    let default = || Path::new(DEFAULT_OUT).join(plan.file_name());
    let out = args.out.clone().unwrap_or_else(default);
    let _lock = FolderLock::within(&out)?;

    let stop = interrupt::flag();
    let denied = sandbox::denied(&[], Some(&out));
    let Chosen { backend, name, .. } =
        backend::choose(args.backend.given(), &args.backend.process, jobs, denied)?;
    let is_builtin = name.as_deref() == Some(builtin::NAME);
    let implementation: Box<dyn Implementation> = match Kernels::of(check) {
        Some(kernels) if is_builtin => Box::new(kernels),
        _ => {
            let timeout = args.backend.process.timeout;
            Box::new(Tensors::new(Arc::clone(&backend), check.clone(), timeout))
        }
    };
    let progress = SweepProgress::new(plan.promised());
    let task = Task { plan: &plan, implementation: &*implementation, judge: &judge };
    let conducted = campaign::drive(&task, &out, jobs, &mut |executed| {
        progress.at(executed);
        if stop.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    drop(progress);
    backend.close();
    let Conducted { document, ended, written } = conducted?;
    terminal::print(&summary::render(&document, &written, terminal::style()))?;
    let code = match &ended {
        Ok(()) => verdict_of(&document),
        Err(Ended::Failed { failure: Failure::Unsupported(_), .. }) => exit::NOTHING_COMPARED,
        Err(Ended::Failed { .. }) => exit::FAILED,
        Err(Ended::Stopped | Ended::Panicked) => exit::HARNESS,
    };
    if let Err(ended) = ended {
        let ended = ended.to_string();
        terminal::eprint(&format!("error: the campaign did not finish {}", indented(&ended)));
    }
    Ok(ExitCode::from(code))
}

/// Merges the campaigns of all shards, or of ranges.
pub(super) fn merge(args: &MergeArgs) -> Result<ExitCode, CommandError> {
    let read = |path: &PathBuf| {
        Campaign::read(path).map(|document| (path.display().to_string(), document))
    };
    let parts = args.shards.iter().map(read).collect::<Result<Vec<_>, _>>();
    let whole = campaign::merge(parts?)?;
    let _lock = FolderLock::within(&args.out)?;
    let written = campaign::write(&whole, &args.out)?;
    terminal::print(&summary::render(&whole, &written, terminal::style()))?;
    Ok(ExitCode::from(verdict_of(&whole)))
}

pub(super) fn regress(args: &RegressArgs) -> Result<ExitCode, CommandError> {
    let document = Campaign::read(&args.campaign)?;
    let out = args.out.clone().unwrap_or_else(|| {
        let is_checkout = Home::find().is_ok_and(|home| home.checkout().is_some());
        Path::new(if is_checkout { "testdata/regressions" } else { "regressions" }).to_owned()
    });
    let _lock = FolderLock::within(&out)?;
    let case = campaign::regress(&document, args.index, &out)?;
    let (case, out) = (case.display(), out.display());
    terminal::print(&format!("{case}\nrun it with `run --corpus {out} --profile sonnx`\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// The operators that can be swept in some type.
fn swept() -> impl Iterator<Item = &'static Operator> {
    operators::onnx().filter(|operator| Check::is_of(operator))
}

/// That a name is of none of the operators that there are.
pub(super) fn unknown_operator(name: &str, known: &[&str]) -> CommandError {
    let like = nearest(name, known.iter().copied());
    let like = like.map_or_else(String::new, |like| format!("did you mean `{like}`? "));
    let known = known.join(", ");
    CommandError::misuse(format!("unknown operator `{name}`; {like}the operators are {known}"))
}

/// That these names are of operators that there are.
pub(super) fn known_operators(
    names: &[String],
    known: &BTreeSet<&str>,
) -> Result<(), CommandError> {
    match names.iter().find(|name| !known.contains(name.as_str())) {
        None => Ok(()),
        Some(name) => Err(unknown_operator(name, &known.iter().copied().collect::<Vec<_>>())),
    }
}

fn plan(args: &CampaignArgs) -> Result<Plan, CommandError> {
    let operator = swept().find(|operator| operator.name == args.operator);
    let operator = operator.ok_or_else(|| {
        let known: Vec<_> = swept().map(|operator| operator.name).collect();
        unknown_operator(&args.operator, &known)
    })?;
    let name = args.strategy.as_str();
    if name != "significands" && (args.exponents.is_some() || args.signs.is_some()) {
        let problem = "--exponents and --signs are for the strategy significands";
        return Err(CommandError::misuse(problem));
    }
    if name != "stratified" && (args.count.is_some() || args.seed.is_some()) {
        return Err(CommandError::misuse("--count and --seed are for the strategy stratified"));
    }
    let strategy = match name {
        "exhaustive" => Strategy::Exhaustive,
        "hard" => Strategy::Hard,
        "stratified" => Strategy::Stratified {
            count: args.count.unwrap_or(Strategy::COUNT),
            seed: args.seed.unwrap_or(Strategy::SEED),
        },
        "significands" => Strategy::Significands {
            exponents: args.exponents.unwrap_or_default(),
            signs: args.signs.unwrap_or_default(),
        },
        _ => {
            return Err(CommandError::misuse(format!(
                "unknown strategy `{name}`; the strategies are exhaustive, significands, hard and \
                 stratified"
            )));
        }
    };
    let shard = shard(args.shard.as_deref())?;
    let attributes = args.attributes.iter().cloned().collect();
    let attributes = campaign::read_attributes(operator, &attributes)?;
    let check = Check::like(operator, args.dtype, args.like, attributes).map_err(refused)?;
    Ok(Plan::of(check, strategy, args.range.clone(), shard)?)
}

/// That there is no such check, and how to ask for another.
fn refused(unchecked: Unchecked) -> CommandError {
    let remedy = match unchecked {
        Unchecked::Invalid(_) => "give attributes as --attribute NAME=VALUE",
        Unchecked::NothingLike(_) => "name its type as --like TYPE",
        Unchecked::Like(_) => "leave out --like",
        Unchecked::NotElementwise(_) | Unchecked::Type(..) | Unchecked::Undefined(..) => {
            return PlanError::Unchecked(unchecked).into();
        }
    };
    CommandError::misuse(format!("{unchecked}; {remedy}"))
}

/// The exit code that tells what a campaign found.
fn verdict_of(document: &Campaign) -> u8 {
    if !document.is_complete() {
        exit::HARNESS
    } else if document.compared_nothing() {
        exit::NOTHING_COMPARED
    } else if document.conforms() {
        0
    } else {
        exit::FAILED
    }
}
