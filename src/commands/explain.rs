//! The command `explain`: of cases, and of the rows of an atlas.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;

use onnx_conformance::corpus::case::Case;
use onnx_conformance::corpus::selection::nearest;
use onnx_conformance::corpus::suite::{self, Suite};
use onnx_conformance::corpus::variant::Variant;
use onnx_conformance::corpus::{Corpus, Home, natural_order};
use onnx_conformance::document::JsonDocument;
use onnx_conformance::documents::challenge::Challenge;
use onnx_conformance::documents::explain;
use onnx_conformance::dtype::DType;
use onnx_conformance::foundation::printable::on_one_line;
use onnx_conformance::measure::atlas::Atlas;
use onnx_conformance::run::{CaseResult, Profiles, case_id};

use super::backend::{self, Chosen};
use super::campaign::unknown_operator;
use super::{CommandError, exit, named_corpus, profile, sandbox};
use crate::cli::ExplainArgs;
use crate::terminal;

pub(super) fn explain(args: &ExplainArgs) -> Result<ExitCode, CommandError> {
    let text = match (&args.atlas, &args.case) {
        (Some(atlas), _) => of_atlas(atlas, &args.operators, &args.types)?,
        (None, Some(case)) => of_case(case, args)?,
        (None, None) => return Err(CommandError::misuse("give the id of a case, or --atlas")),
    };
    terminal::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// The rows of an atlas that are of these operators and types.
fn of_atlas(path: &Path, operators: &[String], types: &[DType]) -> Result<String, CommandError> {
    let document = Atlas::read(path)?;
    let known: BTreeSet<&str> = document.rows.iter().map(|row| row.operator.as_str()).collect();
    if let Some(name) = operators.iter().find(|name| !known.contains(name.as_str())) {
        return Err(unknown_operator(name, &known.into_iter().collect::<Vec<_>>()));
    }
    let text = explain::atlas::explain(&document, operators, types)?;
    if text.is_empty() {
        return Err(CommandError::misuse("the atlas has no row of these operators and types"));
    }
    Ok(text)
}

/// A case, of which a backend is asked.
fn of_case(id: &str, args: &ExplainArgs) -> Result<String, CommandError> {
    let chosen = args.profile.as_deref().map(profile).transpose()?;
    let (suite, corpus) = corpus(id, args)?;
    let (_, case_name) = id.split_once('/').unwrap_or((id, ""));
    let Some(dir) = corpus.cases().iter().find(|dir| dir.name() == case_name) else {
        let corpora = match (&args.corpus, &args.challenge) {
            (None, None) => everywhere(),
            _ => vec![corpus],
        };
        return Err(unknown(id, &corpora));
    };
    let case = Case::decode(id, dir.load()?.files())?;
    let known = CaseResult::not_run(id, suite, &case);
    let corpora = [(suite, corpus)];
    let denied = sandbox::denied(&corpora, None);
    let Chosen { backend, .. } =
        backend::choose(args.backend.given(), &args.backend.process, NonZeroUsize::MIN, denied)?;
    let time = args.backend.process.timeout;
    let element = args.element.as_deref();
    let profiles = Profiles::of(&corpora, chosen.as_ref())?;
    let profile = profiles.get(suite, case.is_own);
    Ok(explain::explain(&*backend, &case, suite, profile, time, known, element)?)
}

/// The corpus that the case is of, by its id, or as the arguments say, and its suite.
fn corpus(id: &str, args: &ExplainArgs) -> Result<(Suite, Corpus), CommandError> {
    let full_name = id.split_once('/').map_or(id, |(name, _)| name);
    let (variant, corpus_name) = Variant::split(full_name)
        .map_or((None, full_name), |(variant, name)| (Some(variant), name));
    let of_challenge = Challenge::suite_of(corpus_name);
    if corpus_name.is_empty() && args.corpus.is_none() {
        let problem = match Path::new(id).exists() {
            true => {
                "is a path, not the id of a case; give the folder or archive of its corpus with --corpus"
            }
            false => {
                "is neither a file nor the id of a case; `onnx-conformance list` shows the ids"
            }
        };
        return Err(CommandError::misuse(format!("`{id}` {problem}")));
    }
    let named = of_challenge.or_else(|| suite::named(corpus_name).ok());
    let corpus = match (&args.corpus, named, &args.challenge) {
        (Some(folder), _, _) => named_corpus(folder)?,
        (None, Some(suite), Some(challenge)) if of_challenge.is_some() => {
            challenge.corpus(suite)?
        }
        (None, Some(suite), None) if of_challenge.is_none() => Home::find()?.suite(suite)?,
        (None, None, None) => named_corpus(corpus_name).map_err(|error| match error.code {
            exit::USAGE => unknown(id, &everywhere()),
            _ => error,
        })?,
        (None, _, Some(_)) => {
            let names = Suite::ALL.map(Challenge::name_of).join(", ");
            let problem =
                format!("`{id}` is not a case of a challenge; their ids begin with {names}");
            return Err(CommandError::misuse(problem));
        }
        (None, _, None) => {
            let problem = format!(
                "`{id}` is a case of a challenge; give its seed with --challenge, as the report has it"
            );
            return Err(CommandError::misuse(problem));
        }
    };
    let suite = named.unwrap_or(Suite::Onnx);
    let corpus = match variant {
        Some(variant) => variant.corpus(suite, &corpus)?,
        None => corpus,
    };
    Ok((suite, corpus))
}

/// The corpora that are there without being named: what is fetched, and the own suites.
fn everywhere() -> Vec<Corpus> {
    let home = Home::find().unwrap_or_else(|_| Home::outside("."));
    let fetched = home.locks().unwrap_or_default();
    let fetched = fetched.iter().filter_map(|name| home.corpus(name).ok());
    let own = Suite::ALL.into_iter().filter_map(|suite| home.suite(suite).ok());
    fetched.chain(own).collect()
}

/// How many ids are told.
const IDS_TOLD: usize = 10;

/// That there is no case of this id, and the ids of these corpora that contain it, or its last part; else the one
/// that is most like it.
fn unknown(case: &str, corpora: &[Corpus]) -> CommandError {
    let mut ids: Vec<_> = corpora
        .iter()
        .flat_map(|corpus| corpus.cases().iter().map(|one| case_id(corpus, one.name())))
        .collect();
    ids.sort_by(|a, b| natural_order(a, b));
    let name = last_part(case);
    let containing = |part: &str| {
        let part = part.to_lowercase();
        ids.iter().filter(|id| id.to_lowercase().contains(&part)).collect::<Vec<_>>()
    };
    let (mut found, mut part) = (containing(case), case);
    if found.is_empty() && !name.is_empty() {
        (found, part) = (containing(name), name);
    }
    // Those of just this name come first.
    found.sort_by_key(|id| !last_part(id).eq_ignore_ascii_case(part));
    let help = if found.is_empty() {
        let names = ids.iter().map(|id| last_part(id));
        let like = nearest(name, names).and_then(|like| ids.iter().find(|id| id.ends_with(like)));
        like.map_or_else(
            || "`onnx-conformance list` shows the ids".to_owned(),
            |id| format!("did you mean `{id}`?"),
        )
    } else {
        let told = found.iter().take(IDS_TOLD).map(|id| format!("\n{}", on_one_line(id)));
        let told: String = told.collect();
        let more = match found.len().saturating_sub(IDS_TOLD) {
            0 => String::new(),
            more => format!("\n... and {more} more"),
        };
        format!("the ids that contain `{part}` are{told}{more}")
    };
    CommandError::misuse(format!("there is no case `{case}`; {help}"))
}

/// What an id has behind its last slash.
fn last_part(id: &str) -> &str {
    id.rsplit_once('/').map_or(id, |(_, name)| name)
}
