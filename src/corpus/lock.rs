//! Locks: what a corpus has to hold, as committed text.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use bytes::Bytes;
use serde::{Deserialize, Serialize, Serializer};

use crate::limits::{self, TOML_LIMIT};

use super::{CaseKind, CorpusError, Digest, Discrepancy, FETCH, Verified, natural_order};

/// Version of the lock's format; counts up on any change.
pub const LOCK_FORMAT_VERSION: u32 = 2;

/// What a corpus holds: a digest for each case, so that any source proves the same content, and one
/// over those. [`Digest::of_all`] says how `sha256sum` gives the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// [`LOCK_FORMAT_VERSION`].
    pub format_version: u32,
    /// Name of the corpus, and of the lock's file.
    pub name: String,
    /// Release of ONNX that it comes from; of the tool's own suites, the tool and its version.
    pub release: String,
    /// Files of all cases.
    pub files: u64,
    /// Bytes in those files.
    pub bytes: u64,
    /// Digest over those of the cases.
    pub digest: Digest,
    /// Digest of each schema file.
    pub schema: BTreeMap<String, Digest>,
    /// The command that fetches the corpus where the lock was found.
    #[serde(skip, default = "fetch_command")]
    pub fetched_by: &'static str,
    /// What is said of outputs that are computed by who fetches the corpus; `None` where the release
    /// ships them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub computed: Option<Computed>,
    /// Digest of each case, by its name.
    #[serde(serialize_with = "in_natural_order")]
    pub cases: BTreeMap<String, Digest>,
}

/// Outputs in floating point that are computed. Their last bits follow the host's NumPy and CPU, so
/// that each is verified within a bound of a reference, which then takes its place. The digests of
/// the cases are those with the reference; models, inputs and other outputs must match them as they
/// are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Computed {
    /// Files of all cases that hold such outputs.
    pub outputs: u64,
    /// Digest of the archive of the reference, `locks/NAME.outputs.tar.gz` of this corpus or another.
    pub reference: Digest,
}

const fn fetch_command() -> &'static str {
    FETCH
}

fn in_natural_order<S: Serializer>(
    cases: &BTreeMap<String, Digest>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut cases: Vec<_> = cases.iter().collect();
    cases.sort_by(|a, b| natural_order(a.0, b.0));
    serializer.collect_map(cases)
}

impl Lock {
    /// The result for a folder that satisfies the lock.
    pub(super) fn totals(&self) -> Verified {
        Verified {
            digest: self.digest,
            cases: self.cases.len() as u64,
            files: self.files,
            bytes: self.bytes,
        }
    }

    /// Reads the lock of the corpus `name`.
    pub fn read(path: &Path, name: &str) -> Result<Self, CorpusError> {
        let text = limits::read_text(path, TOML_LIMIT).map_err(CorpusError::io("read", path))?;
        Self::parse(path, name, &text)
    }

    /// The lock of the corpus `name` in the text of a file; `path` names it in errors.
    pub fn parse(path: &Path, name: &str, text: &str) -> Result<Self, CorpusError> {
        let bad = |reason| CorpusError::BadLock(path.to_owned(), reason);
        let lock: Self = limits::from_toml(text).map_err(|error| bad(error.to_string()))?;
        match lock.contradiction(name) {
            Some(reason) => Err(bad(reason)),
            None => Ok(lock),
        }
    }

    fn contradiction(&self, name: &str) -> Option<String> {
        let digest = Digest::of_all(self.cases.iter().map(|(name, digest)| (&**name, *digest)));
        if self.format_version != LOCK_FORMAT_VERSION {
            Some(format!("format version {}, not {LOCK_FORMAT_VERSION}", self.format_version))
        } else if self.name != name {
            Some(format!("it is the lock of `{}`", self.name))
        } else if digest != self.digest {
            Some(format!("`digest` is {}, that of its cases is {digest}", self.digest))
        } else {
            None
        }
    }

    /// The text of the lock file: the same for the same lock.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        let lock = toml::to_string(self)?;
        Ok(format!("# Content of a corpus: the SHA-256 of each case, and over those.\n{lock}"))
    }

    /// The kind of its cases, where they are those of a release.
    pub(super) fn kind(&self) -> CaseKind {
        CaseKind::of_corpus(&self.name).map_or(CaseKind::Node, |(_, kind)| kind)
    }

    /// Compares the names of cases with those of the lock.
    pub(super) fn check_listing(&self, found: &BTreeSet<&str>) -> Result<(), CorpusError> {
        let is_missing = |case: &&str| !found.contains(case);
        let missing: Vec<_> = self.cases.keys().map(String::as_str).filter(is_missing).collect();
        let (count, locked) = (self.cases.len() - missing.len(), self.cases.len());
        let is_extra = |case: &&&str| !self.cases.contains_key(**case);
        let extra = found.iter().filter(is_extra);
        match missing.iter().chain(extra).min_by(|a, b| natural_order(a, b)) {
            None => Ok(()),
            Some(&case) => Err(self.broken(match self.cases.contains_key(case) {
                true => Discrepancy::MissingCase(case.to_owned(), count, locked),
                false => Discrepancy::ExtraCase(case.to_owned()),
            })),
        }
    }

    pub(super) fn check_case(&self, case: &str, actual: Digest) -> Result<(), CorpusError> {
        let case = case.to_owned();
        Err(self.broken(match self.cases.get(&case) {
            Some(&expected) if expected == actual => return Ok(()),
            Some(&expected) => Discrepancy::Case(case, actual, expected),
            None => Discrepancy::ExtraCase(case),
        }))
    }

    pub(super) fn check_digest(&self, actual: Digest) -> Result<(), CorpusError> {
        if self.digest == actual {
            return Ok(());
        }
        Err(self.broken(Discrepancy::Cases(actual, self.digest)))
    }

    pub(super) fn check_schema(&self, files: &BTreeMap<String, Bytes>) -> Result<(), CorpusError> {
        let found = schema_digests(files);
        let names: BTreeSet<_> = self.schema.keys().chain(found.keys()).collect();
        for file in names {
            let problem = match (self.schema.get(file), found.get(file)) {
                (Some(expected), Some(actual)) if expected == actual => continue,
                (Some(_), Some(_)) => "has other content",
                (Some(_), None) => "is missing",
                (None, _) => "is not in the lock",
            };
            return Err(self.broken(Discrepancy::Schema(file.clone(), problem)));
        }
        Ok(())
    }

    /// The error that the corpus differs from this lock.
    pub(super) fn broken(&self, discrepancy: Discrepancy) -> CorpusError {
        CorpusError::Integrity {
            corpus: self.name.clone(),
            command: format!("{} {}", self.fetched_by, self.kind().fetched_with(&self.release)),
            discrepancy: Box::new(discrepancy),
        }
    }
}

pub(super) fn schema_digests(files: &BTreeMap<String, Bytes>) -> BTreeMap<String, Digest> {
    files.iter().map(|(name, content)| (name.clone(), Digest::of(content))).collect()
}
