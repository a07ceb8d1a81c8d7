//! `cargo xtask cases`: the committed cases as text, and what a change did to them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use onnx_conformance::bytes::Bytes;
use onnx_conformance::corpus::{Corpus, CorpusError, MAX_FILE_BYTES};
use onnx_conformance::documents::explain::contents;
use onnx_conformance::foundation::printable::printed;
use onnx_conformance::limits;
use onnx_conformance::suites::archive::{self, ArchiveError};
use similar::TextDiff;

use crate::generate::OUTPUT;

/// Arguments of the task.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Action {
    /// Print the cases of an archive: manifest, model, and every element in decimal and bits
    Text {
        /// The archive
        file: PathBuf,
    },
    /// Print what differs between the suites of a revision and those of the working tree
    Diff {
        /// The revision
        #[arg(default_value = "HEAD")]
        revision: String,
    },
}

/// Cases cannot be shown.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("failed to read {path}", path = .0.display())]
    Read(PathBuf, #[source] io::Error),
    #[error("failed to read {0} as an archive")]
    Archive(String, #[source] ArchiveError),
    #[error(transparent)]
    Case(#[from] CorpusError),
    #[error("failed to start `git`")]
    Start(#[source] io::Error),
    #[error("`git {0}` failed: {1}")]
    Git(String, String),
}

pub(crate) fn run(root: &Path, action: &Action) -> Result<(), Error> {
    let text = match action {
        Action::Text { file } => {
            let content = read(file)?;
            let cases = cases(&file.display().to_string(), content)?;
            cases.iter().map(|(case, text)| format!("{case}\n{text}\n")).collect()
        }
        Action::Diff { revision } => diff(root, revision)?,
    };
    print!("{}", printed(&text, false));
    Ok(())
}

/// Where archives differ, case by case, as unified differences of their texts.
fn diff(root: &Path, revision: &str) -> Result<String, Error> {
    let changed =
        git(root, &["diff", "--name-only", "--no-renames", "-z", revision, "--", OUTPUT])?;
    let new = git(root, &["ls-files", "--others", "--exclude-standard", "-z", "--", OUTPUT])?;
    let lists = [changed, new].map(|list| String::from_utf8_lossy(&list).into_owned());
    let archives: BTreeSet<&str> = lists
        .iter()
        .flat_map(|list| list.split('\0'))
        .filter(|path| path.ends_with(".zip"))
        .collect();
    let (mut text, mut counts) = (String::new(), [0; 3]);
    for path in &archives {
        let of_revision = git(root, &["cat-file", "blob", &format!("{revision}:{path}")]);
        let before = of_revision.map_or_else(|_| Ok(BTreeMap::new()), |it| cases(path, it))?;
        let file = root.join(path);
        let after = if file.exists() { cases(path, read(&file)?)? } else { BTreeMap::new() };
        let within = path.trim_start_matches(OUTPUT).trim_start_matches('/');
        let suite = within.split('/').next().unwrap_or_default();
        let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        for name in names {
            let sides = [&before, &after].map(|cases| cases.get(name).map(String::as_str));
            let kind = match sides {
                [Some(before), Some(after)] if before == after => continue,
                [Some(_), Some(_)] => 0,
                [None, _] => 1,
                [_, None] => 2,
            };
            counts[kind] += 1;
            let id = format!("{suite}/{name}");
            let headers = sides.map(|side| side.map_or("/dev/null", |_| id.as_str()));
            let [before, after] = sides.map(Option::unwrap_or_default);
            let difference = TextDiff::from_lines(before, after);
            text += &difference.unified_diff().header(headers[0], headers[1]).to_string();
        }
    }
    let [changed, new, removed] = counts;
    let archives = archives.len();
    text += &format!(
        "{changed} cases changed, {new} new and {removed} removed, in {archives} archives\n"
    );
    Ok(text)
}

/// The texts of the cases of an archive by their names.
fn cases(path: &str, content: Vec<u8>) -> Result<BTreeMap<String, String>, Error> {
    let files: BTreeMap<String, Bytes> = archive::files(&content.into(), MAX_FILE_BYTES)
        .map_err(|error| Error::Archive(path.to_owned(), error))?;
    let corpus = Corpus::made(String::new(), &files);
    let text = |case: &onnx_conformance::corpus::CaseDir| {
        Ok((case.name().to_owned(), contents(case.load()?.files())))
    };
    corpus.cases().iter().map(text).collect()
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    limits::read(path, archive::MAX_BYTES).map_err(|error| Error::Read(path.to_owned(), error))
}

/// What git prints.
fn git(root: &Path, words: &[&str]) -> Result<Vec<u8>, Error> {
    let output =
        Command::new("git").args(words).current_dir(root).output().map_err(Error::Start)?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let problem = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(Error::Git(words.join(" "), problem))
}
