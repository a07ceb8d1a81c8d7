//! Audits: the expected outputs of corpora set beside what the reference allows.
//!
//! A corpus says of each case what has to come out. [`audit`] asks the reference instead: which expected
//! elements may an implementation give that keeps to the operator's rule of its
//! [kind](reference::operator::OperatorKind), and how far are they from the exact result? An element that no
//! such implementation gives judges nobody fairly by its bits. No backend is asked.
//!
//! [`document::Audit`] is the one document; [`html`] and [`text`] show what stands in it.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use self::document::Audit;
use crate::corpus::selection::Selection;
use crate::corpus::suite::Suite;
use crate::corpus::{Corpus, CorpusError, Digest, natural_order};
use crate::document::JsonDocument;
use crate::document::write::{Part, WriteError, write_parts};
use crate::foundation::text::grouped;
use crate::run::{CorpusResult, Event, NoCase, case_id};

mod build;
pub mod document;
pub mod html;
pub mod text;

/// Name of the document's file within a folder.
pub const DOCUMENT: &str = "audit.json";
/// Name of the page for readers.
pub const PAGE: &str = "audit.html";

/// The audit has no result.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum AuditError {
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    #[error(transparent)]
    NoCase(#[from] NoCase),
    #[error(
        "interrupted after {} of {} cases; no audit was written",
        grouped(*.done as u64),
        grouped(*.cases as u64)
    )]
    Interrupted { done: usize, cases: usize },
}

/// Audits the cases of corpora that are selected. Every case is verified against its lock.
///
/// `on_event` receives the number of cases that will be read, and each one that was.
pub fn audit(
    corpora: &[(Suite, Corpus)],
    selection: &Selection,
    interrupted: &AtomicBool,
    on_event: &mut dyn FnMut(Event<'_>),
) -> Result<Audit, AuditError> {
    let all = corpora.iter().map(|(_, corpus)| corpus.cases().len()).sum();
    let (mut results, mut cases, mut done) = (Vec::new(), Vec::new(), 0);
    on_event(Event::Started { backend: None, cases: all });
    for (suite, corpus) in corpora {
        let mut digests: Vec<(&str, Digest)> = Vec::new();
        for dir in corpus.cases() {
            if interrupted.load(Ordering::Relaxed) {
                return Err(AuditError::Interrupted { done, cases: all });
            }
            let files = dir.load()?;
            digests.push((dir.name(), files.digest()));
            let id = case_id(corpus, dir.name());
            if selection.takes_id(&id) {
                cases.extend(build::case(id, *suite, files.files(), selection));
            }
            done += 1;
            on_event(Event::Verified);
        }
        results.push(CorpusResult {
            name: corpus.name().to_owned(),
            cases: digests.len() as u64,
            digest: corpus.digest(digests.iter().copied())?.to_string(),
        });
    }
    if cases.is_empty() && !selection.is_everything() {
        return Err(NoCase::among(corpora, selection).into());
    }
    cases.sort_by(|a, b| natural_order(&a.id, &b.id));
    Ok(Audit::of(results, cases))
}

/// Writes `audit.html` and `audit.json` into the folder, both or none; it is created where it is missing.
/// Gives their paths.
pub fn write(audit: &Audit, dir: &Path) -> Result<[PathBuf; 2], WriteError> {
    let parts = vec![
        Part::new(PAGE, || html::to_text(audit).map(String::into_bytes)),
        Part::new(DOCUMENT, || audit.to_bytes()),
    ];
    write_parts(parts, dir)?;
    Ok([PAGE, DOCUMENT].map(|name| dir.join(name)))
}
