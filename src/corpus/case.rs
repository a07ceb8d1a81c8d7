//! A case on disk, and its files once they are read.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;

use super::listing::{self, MAX_DEPTH};
use super::{CorpusError, Digest, Lock, SCHEMA_DIR};

/// Largest file of a case that is read, in bytes.
pub const MAX_FILE_BYTES: u64 = 256 << 20;

/// Most that the files of one case may hold together, in bytes.
pub const MAX_CASE_BYTES: u64 = 512 << 20;

/// Most files that one case may have.
pub const MAX_CASE_FILES: usize = 10_000;

/// The folder of a case.
#[derive(Clone, Debug)]
pub struct CaseDir {
    pub(super) name: String,
    pub(super) path: PathBuf,
    /// Its files, where they lie in the program and not in that folder.
    pub(super) carried: Option<Arc<BTreeMap<String, Bytes>>>,
    /// What its content is to be compared with.
    pub(super) lock: Option<Arc<Lock>>,
}

impl CaseDir {
    /// Its name in the corpus, such as `node/test_div`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its folder; of a case that the program carries, the folder in the checkout.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads every file of the case, once, and compares their digest with the lock where one is.
    pub fn load(&self) -> Result<CaseFiles, CorpusError> {
        let files = self.read()?;
        if let Some(lock) = &self.lock {
            lock.check_case(&self.name, files.digest)?;
        }
        Ok(files)
    }

    /// As [`Self::load`], but whatever the lock says.
    pub(super) fn read(&self) -> Result<CaseFiles, CorpusError> {
        let files = match &self.carried {
            Some(files) => BTreeMap::clone(files),
            None => read_folder(&self.path, MAX_DEPTH)?,
        };
        let digests: Vec<_> =
            files.iter().map(|(path, content)| (path.as_str(), Digest::of(content))).collect();
        let digest = Digest::of_all(digests);
        Ok(CaseFiles { files, digest })
    }
}

/// The files of a case, in memory.
#[derive(Clone, Debug)]
pub struct CaseFiles {
    files: BTreeMap<String, Bytes>,
    digest: Digest,
}

impl CaseFiles {
    /// The files by their paths in the case, which have forward slashes on every system.
    pub fn files(&self) -> &BTreeMap<String, Bytes> {
        &self.files
    }

    /// Digest over the files; see [`Digest::of_all`].
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// Bytes in all files.
    pub fn bytes(&self) -> u64 {
        self.files.values().map(|content| content.len() as u64).sum()
    }
}

/// The schema files of a corpus, by their names; none where it has no such folder.
pub(super) fn read_schema(corpus: &Path) -> Result<BTreeMap<String, Bytes>, CorpusError> {
    let folder = corpus.join(SCHEMA_DIR);
    if folder.exists() { read_folder(&folder, 0) } else { Ok(BTreeMap::new()) }
}

/// The files below a folder by their paths in it, within the limits of a case and so many folders deep.
fn read_folder(root: &Path, depth: usize) -> Result<BTreeMap<String, Bytes>, CorpusError> {
    let mut files = BTreeMap::new();
    let mut bytes_left = MAX_CASE_BYTES;
    let mut folders = vec![(root.to_owned(), String::new(), depth)];
    while let Some((folder, prefix, depth)) = folders.pop() {
        for entry in listing::entries(&folder)? {
            let name = format!("{prefix}{}", entry.name);
            if !entry.is_folder {
                if files.len() == MAX_CASE_FILES {
                    let limit = format!("{MAX_CASE_FILES} files in a case");
                    return Err(CorpusError::TooLarge(entry.path, limit));
                }
                files.insert(name, read_file(&entry.path, &mut bytes_left)?);
            } else if depth > 0 {
                folders.push((entry.path, name + "/", depth - 1));
            } else {
                return Err(CorpusError::NotPlain(entry.path, "file"));
            }
        }
    }
    Ok(files)
}

/// The content of a file of a case that may hold so many more bytes.
fn read_file(path: &Path, bytes_left: &mut u64) -> Result<Bytes, CorpusError> {
    let too_large = |limit| Err(CorpusError::TooLarge(path.to_owned(), limit));
    let failed = CorpusError::io("read", path);
    let file = File::open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    if length > MAX_FILE_BYTES {
        return too_large(format!("{MAX_FILE_BYTES} bytes in a file"));
    }
    let Some(left) = bytes_left.checked_sub(length) else {
        return too_large(format!("{MAX_CASE_BYTES} bytes in a case"));
    };
    // One byte more, so that the read that finds the end needs no more memory.
    let mut content = Vec::with_capacity(usize::try_from(length + 1).unwrap_or_default());
    file.take(length + 1).read_to_end(&mut content).map_err(failed)?;
    if content.len() as u64 != length {
        return Err(failed(io::Error::other("it changed while it was read")));
    }
    *bytes_left = left;
    Ok(content.into())
}
