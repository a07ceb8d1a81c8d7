//! Corpora for other runners: a fetched one as an archive, and any cases as folders.
//!
//! An archive is for runners that have neither this tool nor Python.
//!
//! `onnx-V-KIND.tar.gz` holds `NAME/lock.toml`, `NAME/KIND/CASE/..` and `NAME/schema/..` in byte order
//! of the paths, without any time, user or host, so that the same corpus gives the same bytes. The
//! lock also lies beside it. [`super::fetch::Source::Archive`] takes the archive back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bytes::Bytes;

use super::tarball::Tarball;
use super::{CaseDir, CaseKind, Corpus, CorpusError, Digest, SCHEMA_DIR, write_whole};
use crate::foundation::files;

/// A corpus in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The archive.
    pub archive: PathBuf,
    /// Its SHA-256.
    pub digest: Digest,
    /// Its lock.
    pub lock: PathBuf,
}

/// Writes a corpus and its lock into a folder, which is made where it is missing. Every file is
/// compared with the lock on its way; one that differs ends the export with nothing written.
pub fn export(corpus: &Corpus, folder: &Path) -> Result<Exported, CorpusError> {
    let name = corpus.name();
    let lock = corpus.lock().ok_or_else(|| CorpusError::Unlocked(name.to_owned()))?;
    let file = match lock.kind() {
        CaseKind::Node => format!("{name}-{}", CaseKind::Node),
        // Their corpora are named after them.
        _ => name.to_owned(),
    };
    let lock = lock.to_toml()?;
    std::fs::create_dir_all(folder).map_err(CorpusError::io("write", folder))?;
    let archive = packed(corpus, &lock)?;
    let digest = Digest::of(&archive);
    let beside = |ending: &str, content: &[u8]| {
        let path = folder.join(format!("{file}{ending}"));
        write_whole(&path, content).map(|()| path)
    };
    let lock = beside(".toml", lock.as_bytes())?;
    let archive = beside(".tar.gz", &archive)?;
    Ok(Exported { archive, digest, lock })
}

/// Writes the files of cases, by their paths below it, into a folder that is not there or empty: all of them or none.
pub fn unpack(files: &BTreeMap<String, Bytes>, folder: &Path) -> Result<(), CorpusError> {
    let failed = CorpusError::io("write", folder);
    let is_there = folder.try_exists().map_err(failed)?;
    if is_there && folder.read_dir().map_err(failed)?.next().is_some() {
        return Err(CorpusError::Occupied(folder.to_owned()));
    }
    files::replace_folder(folder, ".onnx-conformance-export-", files, false).map_err(failed)
}

fn packed(corpus: &Corpus, lock: &str) -> Result<Vec<u8>, CorpusError> {
    let name = corpus.name();
    let failed = |source| CorpusError::Step("pack the corpus", source);
    let mut archive = Tarball::new();
    archive.file(&format!("{name}/lock.toml"), lock.as_bytes()).map_err(failed)?;
    let mut cases: Vec<&CaseDir> = corpus.cases().iter().collect();
    cases.sort_by_key(|case| case.name());
    for case in cases {
        for (file, content) in case.load()?.files() {
            let path = format!("{name}/{}/{file}", case.name());
            archive.file(&path, content).map_err(failed)?;
        }
    }
    for (file, content) in corpus.schema()? {
        archive.file(&format!("{name}/{SCHEMA_DIR}/{file}"), &content).map_err(failed)?;
    }
    archive.finish().map_err(failed)
}
