//! Corpora: pinned sets of cases on disk, what identifies them, and where they come from.
//!
//! A corpus lies in `corpora/NAME`, below `testdata` or a folder of the user's (see [`Home`]), as `<kind>/<case>/model.onnx` with its data sets, and
//! beside them the release's own protobuf schema. Folders of cases that nobody locked may be archives, too. The committed `testdata/locks/NAME.toml` holds
//! the digest of each case; see [`Lock`]. Cases are read into memory once, hashed, and decoded from
//! those very bytes, so that what was verified is what is run.

mod carried;
pub mod case;
mod case_dir;
mod error;
#[cfg(feature = "fetch")]
pub mod export;
#[cfg(feature = "fetch")]
pub mod fetch;
#[cfg(feature = "cli")]
pub mod generate;
mod home;
mod kind;
mod known;
mod listing;
mod lock;
#[cfg(feature = "fetch")]
mod reference;
pub mod selection;
pub mod shard;
pub mod suite;
#[cfg(feature = "fetch")]
mod tarball;
#[cfg(feature = "cli")]
pub mod variant;

pub use crate::foundation::digest::{Digest, ParseDigestError};
pub(crate) use carried::CarriedFolder;
pub use case_dir::{CaseDir, CaseFiles, MAX_CASE_BYTES, MAX_CASE_FILES, MAX_FILE_BYTES};
pub use error::{CorpusError, Discrepancy};
pub use home::Home;
pub use judge::profile::{Tolerance, ToleranceError};
pub use judge::text::natural_order;
pub use kind::{CaseKind, names_listed};
pub use known::KnownCorpus;
pub use lock::{Computed, LOCK_FORMAT_VERSION, Lock};

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use rayon::prelude::*;

use crate::corpus::suite::Suite;
use crate::foundation::files::{self, Obstacle, Staged};

/// The releases of ONNX that are fetched where none is named: the last one that ships its node data
/// as files, and the two that hold Div-7 and the Div-6 of `broadcast=1`.
pub const DEFAULT_RELEASES: [&str; 3] = ["1.22.0", "1.2.1", "1.1.2"];

/// Names the folder that is used outside a checkout, instead of the one among the user's caches.
pub const HOME_VARIABLE: &str = "ONNX_CONFORMANCE_HOME";

/// The command that fetches corpora, of those who have no checkout.
const FETCH: &str = "onnx-conformance fetch";

/// Since this release, by major and minor number, no archive holds the cases of nodes: they exist
/// only in the memory of the release's Python package.
const FIRST_COMPUTED: (u32, u32) = (1, 23);

/// The schema files of a release that are kept, where the release has them.
pub const SCHEMA_FILES: [&str; 3] = ["onnx.proto", "onnx-data.proto", "onnx-ml.proto"];

/// Folder of a locked corpus that holds the schema and no cases.
const SCHEMA_DIR: &str = "schema";

/// Name of the corpus that holds the node data of a release of ONNX; [`CaseKind::corpus_of`] has those of
/// its other cases.
pub fn name_of_release(release: &str) -> String {
    CaseKind::Node.corpus_of(release)
}

/// The major and minor number of a release such as `1.23.2`; `None` where it has none.
pub fn number(release: &str) -> Option<(u32, u32)> {
    let mut parts = release.split('.').map(|part| part.parse().ok());
    Some((parts.next()??, parts.next()??))
}

/// A set of cases.
#[derive(Clone, Debug)]
pub struct Corpus {
    name: String,
    path: PathBuf,
    cases: Vec<CaseDir>,
    lock: Option<Arc<Lock>>,
    /// The release that its cases are of, or are made of.
    release: Option<String>,
}

/// The result of checking the files of a corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// SHA-256 over the digests of its cases; see [`Digest::of_all`].
    pub digest: Digest,
    /// Cases it holds.
    pub cases: u64,
    /// Files of those cases.
    pub files: u64,
    /// Bytes in those files.
    pub bytes: u64,
}

impl Corpus {
    /// The folder of a corpus that a lock describes. The folder's listing is compared with the lock
    /// here, the content of each case when it is loaded. The error names the first missing or
    /// additional case in natural order.
    pub fn open_locked(path: &Path, lock: Lock) -> Result<Self, CorpusError> {
        if !path.is_dir() {
            return Err(lock.broken(Discrepancy::NoFolder(path.to_owned())));
        }
        let cases = case_dir::of_kinds(path)?;
        lock.check_listing(&cases.iter().map(CaseDir::name).collect())?;
        let (name, path) = (lock.name.clone(), path.to_owned());
        let mut corpus = Self { name, path, cases, lock: None, release: None };
        corpus.hold_to(lock);
        Ok(corpus)
    }

    /// Has each case compared with a lock when it is loaded.
    fn hold_to(&mut self, lock: Lock) {
        let lock = Arc::new(lock);
        for case in &mut self.cases {
            case.lock = Some(Arc::clone(&lock));
        }
        self.release = Some(lock.release.clone());
        self.lock = Some(lock);
    }

    /// A folder in ONNX's layout that no lock describes: a case, or a folder of cases at any depth
    /// (such as `<kind>/<case>`). The corpus is named after the folder, a case by its path in it. A zip archive among the
    /// folders is one of them, without the ending of its name.
    pub fn open_dir(path: &Path) -> Result<Self, CorpusError> {
        let path = path.canonicalize().map_err(CorpusError::io("read", path))?;
        let name = listing::utf8_name(&path)?.to_owned();
        let cases = case_dir::of_any_depth(&path, &name)?;
        if cases.is_empty() {
            return Err(CorpusError::NoCases(path));
        }
        Ok(Self { name, path, cases, lock: None, release: None })
    }

    /// An archive (zip, tar, tar.gz) of such a folder, read into memory. Where its name begins with that of the one folder
    /// in it, it is that folder; else the corpus is named after the file.
    pub fn open_archive(path: &Path) -> Result<Self, CorpusError> {
        let path = path.canonicalize().map_err(CorpusError::io("read", path))?;
        let file = listing::utf8_name(&path)?;
        let mut endings = ["zip", "tgz", "tar.gz", "tar"].into_iter();
        let stem = endings.find_map(|ending| file.strip_suffix(ending)?.strip_suffix('.'));
        let stem = stem.filter(|stem| !stem.is_empty()).unwrap_or(file);
        let files = case_dir::read_archive(&path)?;
        let top = files.keys().next().and_then(|path| Some(path.split_once('/')?.0));
        let top = top.filter(|top| stem.starts_with(top)).map(|top| format!("{top}/"));
        let top = top.filter(|top| files.keys().all(|path| path.starts_with(top)));
        let name = top.as_deref().unwrap_or(stem).trim_end_matches('/').to_owned();
        let top = top.as_deref().unwrap_or_default();
        let cases = case_dir::of_archive(&files, top, &path, &name)?;
        if cases.is_empty() {
            return Err(CorpusError::NoCases(path));
        }
        Ok(Self { name, path, cases: case_dir::sorted(cases), lock: None, release: None })
    }

    /// A folder or archive of cases that no lock describes.
    pub fn open(path: &Path) -> Result<Self, CorpusError> {
        if path.is_file() { Self::open_archive(path) } else { Self::open_dir(path) }
    }

    /// A suite's own cases as the program carries them.
    pub(crate) fn carried(suite: Suite) -> Self {
        let folders: Vec<_> = CarriedFolder::all(suite).collect();
        let cases: Vec<_> = folders.into_par_iter().flat_map(CarriedFolder::cases).collect();
        let (name, path) = (suite.name().to_owned(), CarriedFolder::of(suite).into());
        Self { name, path, cases: case_dir::sorted(cases), lock: None, release: None }
    }

    /// A corpus that lies nowhere but in memory, by the paths of its files.
    pub fn made(name: String, files: &BTreeMap<String, Bytes>) -> Self {
        let files = files.iter().map(|(path, content)| (path.as_str(), content.clone()));
        let cases = case_dir::of_files(files, Path::new(&name));
        Self { path: (&name).into(), name, cases, lock: None, release: None }
    }

    /// Such a corpus, made of this one's cases.
    pub(crate) fn remade(&self, name: String, files: &BTreeMap<String, Bytes>) -> Self {
        Self { path: self.path.clone(), release: self.release.clone(), ..Self::made(name, files) }
    }

    /// Its name, such as `onnx-1.22.0`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its cases, in natural order of their names.
    pub fn cases(&self) -> &[CaseDir] {
        &self.cases
    }

    /// The lock it was opened with.
    pub fn lock(&self) -> Option<&Lock> {
        self.lock.as_deref()
    }

    /// The release of ONNX that its cases are of, or are made of; none of a suite's own and of a folder.
    pub fn release(&self) -> Option<&str> {
        self.release.as_deref()
    }

    /// Where it lies; of a suite that the program carries, its place in the checkout.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads every case that no lock pins and notes its digest: from now on, one that changes is an error.
    pub fn pin(&mut self) -> Result<(), CorpusError> {
        if self.lock.is_some() {
            return Ok(());
        }
        let (_, mut digests) = hash_cases(&self.cases)?;
        for case in &mut self.cases {
            case.pinned = digests.remove(&case.name);
        }
        Ok(())
    }

    /// Digest of the corpus from the digests of its cases, in any order.
    pub fn digest<'a>(
        &self,
        cases: impl IntoIterator<Item = (&'a str, Digest)>,
    ) -> Result<Digest, CorpusError> {
        let actual = Digest::of_all(cases);
        match &self.lock {
            Some(lock) => lock.check_digest(actual).map(|()| actual),
            None => Ok(actual),
        }
    }

    /// The schema files of a locked corpus, each checked against the lock; none where no lock is.
    pub fn schema(&self) -> Result<BTreeMap<String, Bytes>, CorpusError> {
        let Some(lock) = &self.lock else { return Ok(BTreeMap::new()) };
        let files = case_dir::read_schema(&self.path)?;
        lock.check_schema(&files)?;
        Ok(files)
    }

    /// Reads every file, on all threads of the pool, and compares it with the lock. The error is that
    /// of the first bad case in natural order.
    pub fn verify(&self) -> Result<Verified, CorpusError> {
        self.schema()?;
        let (verified, _) = hash_cases(&self.cases)?;
        match &self.lock {
            Some(lock) => lock.check_digest(verified.digest).map(|()| verified),
            None => Ok(verified),
        }
    }
}

impl Lock {
    /// The lock that the folder of a corpus satisfies as it is.
    pub fn of_folder(path: &Path, name: &str, release: &str) -> Result<Self, CorpusError> {
        let cases = case_dir::of_kinds(path)?;
        if cases.is_empty() {
            return Err(CorpusError::NoCases(path.to_owned()));
        }
        Ok(Self {
            schema: lock::schema_digests(&case_dir::read_schema(path)?),
            ..Self::of_cases(&cases, name, release)?
        })
    }

    /// The lock of a suite's own cases, as the program carries them.
    pub(crate) fn of_suite(suite: Suite) -> Result<Self, CorpusError> {
        let release = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));
        Self::of_cases(Corpus::carried(suite).cases(), suite.name(), release)
    }

    /// The lock that cases satisfy as they are.
    fn of_cases(cases: &[CaseDir], name: &str, release: &str) -> Result<Self, CorpusError> {
        let (Verified { digest, files, bytes, .. }, cases) = hash_cases(cases)?;
        Ok(Self {
            format_version: LOCK_FORMAT_VERSION,
            name: name.to_owned(),
            release: release.to_owned(),
            files,
            bytes,
            digest,
            schema: BTreeMap::new(),
            fetched_by: FETCH,
            computed: None,
            cases,
        })
    }
}

/// Loads each case for its digest; the error is that of the first bad case, whatever the threads do.
fn hash_cases(cases: &[CaseDir]) -> Result<(Verified, BTreeMap<String, Digest>), CorpusError> {
    let loaded: Vec<_> = cases
        .par_iter()
        .map(|case| {
            let files = case.load()?;
            let count = files.files().len() as u64;
            Ok::<_, CorpusError>((case.name(), files.digest(), count, files.bytes()))
        })
        .collect();
    let loaded = loaded.into_iter().collect::<Result<Vec<_>, _>>()?;
    let verified = Verified {
        digest: Digest::of_all(loaded.iter().map(|case| (case.0, case.1))),
        cases: loaded.len() as u64,
        files: loaded.iter().map(|case| case.2).sum(),
        bytes: loaded.iter().map(|case| case.3).sum(),
    };
    Ok((verified, loaded.into_iter().map(|case| (case.0.to_owned(), case.1)).collect()))
}

/// Writes a file whole or not at all, into a folder that is made where it is missing.
fn write_whole(path: &Path, content: &[u8]) -> Result<(), CorpusError> {
    let write = || {
        fs::create_dir_all(path.parent().unwrap_or(path))?;
        let staged =
            Staged::new(path, |out| out.write_all(content)).map_err(|obstacle| match obstacle {
                Obstacle::Io(error) => error,
                obstacle => io::Error::other(obstacle),
            })?;
        files::install(vec![staged]).map_err(|(_, error)| error)
    };
    write().map_err(CorpusError::io("write", path))
}
