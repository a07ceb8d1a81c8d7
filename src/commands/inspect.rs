//! The command `inspect`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use onnx_conformance::corpus::suite::{self, Suite};
use onnx_conformance::corpus::{self, Corpus, Digest, Home, export};
use onnx_conformance::document::JsonDocument;
use onnx_conformance::documents::challenge::Challenge;
use onnx_conformance::documents::report;
use onnx_conformance::documents::report::document::Report;
use onnx_conformance::foundation::cleanup::FolderLock;
use onnx_conformance::measure::atlas::is_atlas;
use onnx_conformance::measure::campaign::Campaign;
use onnx_conformance::models::file::ModelFile;
use onnx_conformance::models::inspect::cases::{self, Made};
use onnx_conformance::models::inspect::{self, Against, Given, Inspected, text};
use onnx_conformance::models::types::Sizes;

use super::{CommandError, named_corpus, profile};
use crate::cli::InspectArgs;
use crate::terminal;

pub(super) fn inspect(args: &InspectArgs) -> Result<ExitCode, CommandError> {
    let _lock = args.out.as_deref().map(FolderLock::within).transpose()?;
    let profile = args.profile.as_deref().map(profile).transpose()?;
    let model = ModelFile::read(&args.model)?;
    let sizes =
        Sizes { dims: by_name(&args.dims, "--dim")?, shapes: by_name(&args.shapes, "--shape")? };
    let mut against = Against { sizes, profile: profile.as_deref(), ..Against::default() };
    for path in &args.report {
        add(&mut against, path)?;
    }
    against.corpora = corpora(&against.reports, &args.corpus)?;
    let inspected = inspect::inspect(&model, &against)?;
    let mut page = text::render(&inspected.document, terminal::style());
    if let Some(out) = &args.out {
        let [html, json] = inspect::write(&inspected.document, out)?;
        page += &format!("\ninspect  {}\n         {}\n", html.display(), json.display());
    }
    if let Some(out) = &args.make_cases {
        page += &make_cases(&inspected, out, &args.seed)?;
    }
    terminal::print(&page)?;
    Ok(ExitCode::SUCCESS)
}

/// Values by names, each of which is given once.
fn by_name<T: Clone>(
    given: &[(String, T)],
    option: &str,
) -> Result<BTreeMap<String, T>, CommandError> {
    let mut all = BTreeMap::new();
    for (name, value) in given {
        if all.insert(name.clone(), value.clone()).is_some() {
            return Err(CommandError::misuse(format!(
                "{option} gives `{name}` twice; give it once"
            )));
        }
    }
    Ok(all)
}

/// Adds a document with results, whichever it is.
fn add(against: &mut Against<'_>, path: &Path) -> Result<(), CommandError> {
    fn read<D: JsonDocument>(path: &Path) -> Result<Given<D>, CommandError> {
        let path = D::file(path);
        let bytes = D::read_bytes(&path)?;
        let digest = Digest::of(&bytes);
        Ok(Given { document: D::from_bytes(&path, &bytes)?, digest })
    }
    let within = report::Written::within(path).json;
    let path: PathBuf = if within.is_file() { within } else { path.to_owned() };
    if !report::is_report(&path) && is_atlas(&path) {
        against.atlases.push(read(&path)?);
    } else if !report::is_report(&path) && Campaign::read(&path).is_ok() {
        against.campaigns.push(read(&path)?);
    } else {
        against.reports.push(read(&path)?);
    }
    Ok(())
}

/// The corpora of the reports' cases that are no own suites: those that are named, and those that were fetched.
fn corpora(
    reports: &[Given<Report>],
    names: &[String],
) -> Result<Vec<(Suite, Corpus)>, CommandError> {
    let mut all = Vec::new();
    for name in names {
        all.push((Suite::Onnx, named_corpus(name)?));
    }
    let home = Home::find().ok();
    let locks = home.as_ref().and_then(|home| home.locks().ok()).unwrap_or_default();
    let known = reports.iter().flat_map(|given| &given.document.corpora);
    for corpus in known {
        let name = &corpus.name;
        let is_own = suite::named(name).is_ok() || Challenge::suite_of(name).is_some();
        if is_own || !locks.contains(name) || all.iter().any(|(_, other)| other.name() == name) {
            continue;
        }
        // One that is not there leaves its cases unseen, which is said.
        let fetched = home.as_ref().and_then(|home| home.corpus(name).ok());
        all.extend(fetched.map(|corpus| (Suite::Onnx, corpus)));
    }
    all.sort_by(|(_, a), (_, b)| corpus::natural_order(a.name(), b.name()));
    Ok(all)
}

/// Writes a case of each use that no case covers exactly, and says of which there are none.
fn make_cases(inspected: &Inspected, out: &Path, seed: &str) -> Result<String, CommandError> {
    let _lock = FolderLock::beside(out)?;
    let Made { files, cases, skipped } = cases::make(inspected.uncovered(), seed)?;
    let mut page = String::new();
    if cases > 0 {
        export::unpack(&files, out)?;
        let out = out.display();
        page += &format!("\n{cases} cases in {out}\nrun them with `run --corpus {out}`\n");
    }
    for (name, why) in &skipped {
        page += &format!("no case of {name}: {why}\n");
    }
    Ok(page)
}
