//! What was judged of a trace that is not written yet, so that one that was interrupted goes on from there.
//!
//! A file of lines, each a judgement with the digest of all that it is a function of: the node's model, its inputs, what
//! the backend returned, the profile, the sample and the program. The backend is asked again, as its values are needed;
//! what it gives the same again is not judged again, which takes most of the time.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::TraceError;
use super::document::Worst;
use crate::judge::verdict::Verdict;
use crate::limits;

/// The largest file that is read, in bytes.
const LIMIT: u64 = 1 << 30;

/// What the judge says of a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Judged {
    pub(super) verdict: Verdict,
    pub(super) message: Option<String>,
    pub(super) judged: u64,
    pub(super) mismatches: u64,
    pub(super) max_error_ulp: Option<String>,
    pub(super) share_of_bound: Option<String>,
    pub(super) max_abs_error: Option<String>,
    pub(super) worst: Option<Worst>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    key: String,
    judged: Judged,
}

/// The file of what was judged, if there is one.
#[derive(Default)]
pub(super) struct Checkpoint {
    file: Option<(PathBuf, File)>,
    known: BTreeMap<String, Judged>,
}

impl Checkpoint {
    /// Opens the file, anew or with what is in it.
    pub(super) fn open(path: Option<&Path>, resume: bool) -> Result<Self, TraceError> {
        let Some(path) = path else { return Ok(Self::default()) };
        let failed = |source| TraceError::Checkpoint { path: path.to_owned(), source };
        let known = match limits::read_text(path, LIMIT) {
            // The last line of a trace that was killed may be cut.
            Ok(text) if resume => text
                .lines()
                .filter_map(|line| serde_json::from_str(line).ok())
                .collect::<Vec<Line>>(),
            Ok(_) => Vec::new(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(failed(error)),
        };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let known = known.into_iter().map(|Line { key, judged }| (key, judged)).collect();
        let mut options = OpenOptions::new();
        let file = match resume {
            true => options.create(true).append(true).open(path),
            false => options.create(true).write(true).truncate(true).open(path),
        };
        let mut file = file.map_err(failed)?;
        // What is added begins on a line of its own.
        file.write_all(b"\n").map_err(failed)?;
        Ok(Self { file: Some((path.to_owned(), file)), known })
    }

    /// Whether anything is kept.
    pub(super) const fn is_kept(&self) -> bool {
        self.file.is_some()
    }

    pub(super) fn find(&self, key: &str) -> Option<Judged> {
        self.known.get(key).cloned()
    }

    pub(super) fn keep(&mut self, key: String, judged: &Judged) -> Result<(), TraceError> {
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        let line = Line { key, judged: judged.clone() };
        let line = serde_json::to_string(&line)? + "\n";
        file.write_all(line.as_bytes())
            .map_err(|source| TraceError::Checkpoint { path: path.clone(), source })
    }

    /// Removes the file, now that the trace is whole.
    pub(super) fn remove(self) {
        // One that stays is overwritten by the next trace.
        let _ = self.file.map(|(path, _)| fs::remove_file(path));
    }
}
