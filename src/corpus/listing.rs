//! What a folder holds. Links, devices and unusable names are refused wherever they lie.

use std::fs;
use std::path::{Path, PathBuf};

use super::CorpusError;
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
    pub(super) fn must_be_folder(&self) -> Result<(), CorpusError> {
        if self.is_folder {
            return Ok(());
        }
        Err(CorpusError::NotPlain(self.path.clone(), "folder"))
    }

    /// Whether the folder that holds this is a case, be it a broken one that lacks its model.
    pub(super) fn marks_a_case(&self) -> bool {
        marks_a_case(&self.name, self.is_folder)
    }
}

/// Whether the folder that holds an entry of this name is a case.
pub(super) fn marks_a_case(name: &str, is_folder: bool) -> bool {
    match is_folder {
        true => name.starts_with("test_data_set_"),
        false => name == "case.json" || Format::ALL.iter().any(|format| name == format.file()),
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

/// The last part of a path, where it is such that `sha256sum` prints it is.
pub(super) fn utf8_name(path: &Path) -> Result<&str, CorpusError> {
    path.file_name()
        .and_then(|name| name.to_str())
        .filter(|name| !name.contains(|char: char| char.is_control() || char == '\\'))
        .ok_or_else(|| CorpusError::BadName(path.to_owned()))
}
