//! `fetch`: corpora onto the disk.

use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

use onnx_conformance::corpus::export;
use onnx_conformance::corpus::fetch::{Fetched, Request, Source, fetch as bring};
use onnx_conformance::corpus::{CaseKind, DEFAULT_RELEASES, Home};
use onnx_conformance::foundation::cleanup::FolderLock;
use onnx_conformance::foundation::printable::indented;

use super::{CommandError, interrupt};
use crate::cli::FetchArgs;
use crate::terminal::{self, FetchProgress};

/// Brings the corpora of the releases and prints what is there then.
pub(super) fn fetch(args: &FetchArgs) -> Result<ExitCode, CommandError> {
    if args.list {
        return list(args);
    }
    let source = match (&args.archive, &args.url) {
        (Some(path), _) => Some(Source::Archive(path.clone())),
        (None, url) => url.clone().map(Source::Url),
    };
    let releases = match args.releases.as_slice() {
        [_] => args.releases.clone(),
        _ if source.is_some() => {
            return Err(CommandError::misuse("--archive and --url need exactly one --release"));
        }
        [] => DEFAULT_RELEASES.map(str::to_owned).to_vec(),
        several => several.to_vec(),
    };
    let home = Home::find()?;
    let interrupted = interrupt::flag();
    let _lock = args.export.as_deref().map(FolderLock::within).transpose()?;
    let kinds = if args.kinds.is_empty() { &[CaseKind::Node][..] } else { &args.kinds };
    for (release, kind) in releases.iter().flat_map(|it| kinds.iter().map(move |kind| (it, *kind)))
    {
        let request = Request::of_kind(release, kind);
        let request = match source.clone() {
            Some(source) => request.from(source),
            None => request.with_python(args.python.as_deref()),
        };
        let (write_lock, interrupted) = (args.write_lock, interrupted.clone());
        let progress = FetchProgress::new();
        let request = Request { write_lock, interrupted, ..request };
        let fetched = bring(&home, &request, &|event| progress.on(&event));
        drop(progress);
        let fetched = fetched?;
        for (source, error) in &fetched.failed {
            let error = indented(&error.with_causes());
            terminal::eprint(&format!("{}: not from {source}: {error}", fetched.name));
        }
        terminal::print(&text_of(&fetched))?;
        if let Some(folder) = &args.export {
            terminal::print(&exported(&home, &fetched.name, folder)?)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the corpora that have a lock, as far as they are asked for, and which are there.
fn list(args: &FetchArgs) -> Result<ExitCode, CommandError> {
    let home = Home::find()?;
    let is_asked = |name: &String| {
        let of_release = CaseKind::of_corpus(name);
        let is_release = |(release, _): (&str, _)| args.releases.iter().any(|it| it == release);
        let is_kind = |(_, kind): (_, CaseKind)| args.kinds.contains(&kind);
        (args.releases.is_empty() || of_release.is_some_and(is_release))
            && (args.kinds.is_empty() || of_release.is_some_and(is_kind))
    };
    let names: Vec<_> = home.locks()?.into_iter().filter(is_asked).collect();
    if names.is_empty() {
        return Err(CommandError::misuse("there is no lock for these releases and kinds"));
    }
    let width = names.iter().map(String::len).max().unwrap_or_default();
    let mut text = String::new();
    for name in names {
        let cases = home.lock(&name)?.cases.len();
        let there = if home.corpus_path(&name).is_dir() { "  fetched" } else { "" };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name:width$}  {cases:>5} cases{there}");
    }
    terminal::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a corpus, which is there, into a folder.
fn exported(home: &Home, name: &str, folder: &Path) -> Result<String, CommandError> {
    let exported = export::export(&home.corpus(name)?, folder)?;
    Ok(format!(
        "  export  {}\n          {}\n  sha256  {}\n",
        exported.archive.display(),
        exported.lock.display(),
        exported.digest
    ))
}

fn text_of(fetched: &Fetched) -> String {
    let verified = &fetched.verified;
    let source = match &fetched.source {
        Some(source) => source.to_string(),
        None => "there already".to_owned(),
    };
    let mut text = format!(
        "{}\n  at      {}\n  from    {source}\n  holds   {} cases, {} files\n  sha256  {}\n",
        fetched.name,
        fetched.path.display(),
        verified.cases,
        verified.files,
        verified.digest
    );
    // Writing to a string cannot fail.
    if fetched.replaced > 0 {
        let replaced = fetched.replaced;
        let _ = writeln!(text, "  took    the reference for {replaced} outputs of other last bits");
    }
    if let Some(lock) = &fetched.new_lock {
        let _ = writeln!(text, "  locked  {}", lock.display());
    }
    text
}
