//! Which cases a folder holds. Links, devices and unusable names are refused wherever they lie.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;

use super::{CaseDir, CorpusError, SCHEMA_DIR, natural_order};
use crate::model::Format;

/// Folders below a corpus, or below a case, are followed to this depth.
pub(super) const MAX_DEPTH: usize = 8;

/// A plain file or folder.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) is_folder: bool,
}

impl Entry {
    fn must_be_folder(&self) -> Result<(), CorpusError> {
        if self.is_folder {
            return Ok(());
        }
        Err(CorpusError::NotPlain(self.path.clone(), "folder"))
    }

    /// Whether the folder that holds this is a case, be it a broken one that lacks its model.
    fn marks_a_case(&self) -> bool {
        match self.is_folder {
            true => self.name.starts_with("test_data_set_"),
            false => {
                self.name == "case.json"
                    || Format::ALL.iter().any(|format| self.name == format.file())
            }
        }
    }
}

/// What a folder holds, in no particular order.
pub(super) fn entries(folder: &Path) -> Result<Vec<Entry>, CorpusError> {
    let failed = CorpusError::io("read", folder);
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let path = entry.path();
        let name = utf8_name(&path)?.to_owned();
        let kind = entry.file_type().map_err(failed)?;
        if !kind.is_file() && !kind.is_dir() {
            return Err(CorpusError::NotPlain(path, "file or folder"));
        }
        entries.push(Entry { name, path, is_folder: kind.is_dir() });
    }
    Ok(entries)
}

/// The last part of a path, where it is such that `sha256sum` prints it as it is.
pub(super) fn utf8_name(path: &Path) -> Result<&str, CorpusError> {
    path.file_name()
        .and_then(|name| name.to_str())
        .filter(|name| !name.contains(|char: char| char.is_control() || char == '\\'))
        .ok_or_else(|| CorpusError::BadName(path.to_owned()))
}

/// The cases of a locked corpus: every folder in every folder but that of the schema.
pub(super) fn of_kinds(root: &Path) -> Result<Vec<CaseDir>, CorpusError> {
    let mut cases = Vec::new();
    for kind in entries(root)? {
        kind.must_be_folder()?;
        if kind.name == SCHEMA_DIR {
            continue;
        }
        for case in entries(&kind.path)? {
            case.must_be_folder()?;
            let name = format!("{}/{}", kind.name, case.name);
            cases.push(CaseDir { name, path: case.path, carried: None, lock: None });
        }
    }
    Ok(sorted(cases))
}

/// The cases of an unlocked folder: itself alone where it is one, else all those below it.
pub(super) fn of_any_depth(root: &Path, root_name: &str) -> Result<Vec<CaseDir>, CorpusError> {
    let mut cases = Vec::new();
    let mut folders = vec![(String::new(), root.to_owned(), 0)];
    while let Some((name, path, depth)) = folders.pop() {
        let entries = entries(&path)?;
        if entries.iter().any(Entry::marks_a_case) {
            let name = if depth == 0 { root_name.to_owned() } else { name };
            cases.push(CaseDir { name, path, carried: None, lock: None });
            continue;
        }
        if depth == MAX_DEPTH {
            return Err(CorpusError::TooLarge(path, format!("{MAX_DEPTH} folders")));
        }
        for entry in entries.into_iter().filter(|entry| entry.is_folder) {
            let name = if depth == 0 { entry.name } else { format!("{name}/{}", entry.name) };
            folders.push((name, entry.path, depth + 1));
        }
    }
    Ok(sorted(cases))
}

/// The cases among files, given by their paths below `root` in byte order: the program's own.
pub(super) fn of_files<'a>(
    files: impl Iterator<Item = (&'a str, &'static [u8])>,
    root: &Path,
) -> Vec<CaseDir> {
    let mut cases: BTreeMap<&str, BTreeMap<String, Bytes>> = BTreeMap::new();
    for (path, content) in files {
        // The folder of a case holds its data sets and files besides.
        let end = path.find("/test_data_set_").or_else(|| path.rfind('/')).unwrap_or_default();
        let (case, file) = path.split_at(end);
        let file = file.trim_start_matches('/').to_owned();
        cases.entry(case).or_default().insert(file, Bytes::from_static(content));
    }
    let case = |(name, files): (&str, _)| {
        let carried = Some(Arc::new(files));
        CaseDir { name: name.to_owned(), path: root.join(name), carried, lock: None }
    };
    sorted(cases.into_iter().map(case).collect())
}

fn sorted(mut cases: Vec<CaseDir>) -> Vec<CaseDir> {
    cases.sort_by(|a, b| natural_order(a.name(), b.name()));
    cases
}
