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
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its folder; of a case that the program carries, the folder in the checkout.
    #[must_use]
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
            None => {
                let mut files = Reader { files: BTreeMap::new(), bytes_left: MAX_CASE_BYTES };
                files.read_folder(&self.path, "", MAX_DEPTH)?;
                files.files
            }
        };
        let digests: Vec<_> =
            files.iter().map(|(path, content)| (path.as_str(), Digest::of(content))).collect();
        let digest = Digest::of_case(digests);
        Ok(CaseFiles { path: self.path.clone(), files, digest })
    }
}

/// The files of a case, in memory.
#[derive(Clone, Debug)]
pub struct CaseFiles {
    path: PathBuf,
    files: BTreeMap<String, Bytes>,
    digest: Digest,
}

impl CaseFiles {
    /// The files by their paths in the case, which have forward slashes on every system.
    #[must_use]
    pub fn files(&self) -> &BTreeMap<String, Bytes> {
        &self.files
    }

    /// The content of one file, such as `model.onnx` or `test_data_set_0/input_0.pb`.
    pub fn file(&self, path: &str) -> Result<&Bytes, CorpusError> {
        self.files
            .get(path)
            .ok_or_else(|| CorpusError::NoSuchFile(self.path.clone(), path.to_owned()))
    }

    /// Digest over the files; see [`Digest::of_case`].
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// Bytes in all files.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.values().map(|content| content.len() as u64).sum()
    }
}

/// The schema files of a corpus, by their names; none where it has no such folder.
pub(super) fn read_schema(corpus: &Path) -> Result<BTreeMap<String, Bytes>, CorpusError> {
    let folder = corpus.join(SCHEMA_DIR);
    let mut schema = Reader { files: BTreeMap::new(), bytes_left: MAX_CASE_BYTES };
    if folder.exists() {
        schema.read_folder(&folder, "", 0)?;
    }
    Ok(schema.files)
}

/// Reads folders into memory, within limits.
struct Reader {
    files: BTreeMap<String, Bytes>,
    bytes_left: u64,
}

impl Reader {
    fn read_folder(
        &mut self,
        folder: &Path,
        prefix: &str,
        depth: usize,
    ) -> Result<(), CorpusError> {
        for entry in listing::entries(folder)? {
            let name = format!("{prefix}{}", entry.name);
            if !entry.is_folder {
                let content = self.read_file(&entry.path)?;
                self.files.insert(name, content);
            } else if depth > 0 {
                self.read_folder(&entry.path, &format!("{name}/"), depth - 1)?;
            } else {
                return Err(CorpusError::NotPlain(entry.path, "file"));
            }
        }
        Ok(())
    }

    fn read_file(&mut self, path: &Path) -> Result<Bytes, CorpusError> {
        let too_large = |limit| Err(CorpusError::TooLarge(path.to_owned(), limit));
        if self.files.len() == MAX_CASE_FILES {
            return too_large(format!("{MAX_CASE_FILES} files in a case"));
        }
        let failed = CorpusError::io("read", path);
        let file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        if length > MAX_FILE_BYTES {
            return too_large(format!("{MAX_FILE_BYTES} bytes in a file"));
        }
        let Some(bytes_left) = self.bytes_left.checked_sub(length) else {
            return too_large(format!("{MAX_CASE_BYTES} bytes in a case"));
        };
        // One byte more, so that the read that finds the end needs no more memory.
        let mut content = Vec::with_capacity(usize::try_from(length + 1).unwrap_or_default());
        file.take(length + 1).read_to_end(&mut content).map_err(failed)?;
        if content.len() as u64 != length {
            return Err(failed(io::Error::other("it changed while it was read")));
        }
        self.bytes_left = bytes_left;
        Ok(content.into())
    }
}
