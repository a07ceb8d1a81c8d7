//! The gate: a report against a baseline, and the regressions since; how these are told, of other documents too.
//!
//! Cases are joined by their ids alone. Every [`Change`] has a [`ChangeKind`]; those that are findings
//! close the gate, and warnings close a strict one; the others are told. What a case says is taken from the two documents, nothing is
//! judged anew.

pub mod atlas;
mod change;
mod compare;
pub mod markdown;
pub mod text;

use crate::documents::report::baseline::Baseline;
use crate::documents::report::document::Report;
use crate::foundation::text::counted;

pub use change::{Change, ChangeKind, Kind, Weight};

/// A document set against a baseline: a report, where nothing else is said.
///
/// ```
/// use onnx_conformance::documents::gate::Comparison;
/// use onnx_conformance::documents::report::baseline::Baseline;
/// use onnx_conformance::documents::report::document::Report;
///
/// /// Whether a release may go out.
/// fn is_no_worse(released: &Report, candidate: &Report) -> bool {
///     let baseline = Baseline::of(released);
///     let comparison = Comparison::of(&baseline, candidate);
///     comparison.is_ok_and(|comparison| !comparison.is_closed())
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Comparison<K = ChangeKind> {
    /// Lines that tell what is compared with what.
    pub heading: Vec<String>,
    /// What differs, by kind and in natural order of what differs.
    pub changes: Vec<Change<K>>,
    /// Whether warnings close the gate, too.
    pub is_strict: bool,
}

/// The two cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum GateError {
    #[error(
        "the baseline is of the backend `{baseline}`, the report of `{report}`; compare reports of \
         one backend"
    )]
    OtherBackend { baseline: String, report: String },
    #[error(
        "the baseline has no pass and no element that was compared, so nothing could become worse; \
         make it of a run that compared something"
    )]
    NothingCompared,
}

impl Comparison {
    /// Sets a report against a baseline.
    pub fn of(baseline: &Baseline, report: &Report) -> Result<Self, GateError> {
        let (then, now) = (&baseline.backend.name, &report.backend.name);
        if then != now {
            return Err(GateError::OtherBackend { baseline: then.clone(), report: now.clone() });
        }
        if baseline.summary.pass == 0 && baseline.summary.elements_compared == 0 {
            return Err(GateError::NothingCompared);
        }
        let heading = compare::heading(baseline, report);
        Ok(Self { heading, changes: compare::changes(baseline, report), is_strict: false })
    }
}

impl<K: Kind> Comparison<K> {
    /// The changes of each kind that there are any of.
    fn by_kind(&self) -> impl Iterator<Item = (K, &[Change<K>])> {
        let same = self.changes.chunk_by(|a, b| a.kind == b.kind);
        same.filter_map(|changes| Some((changes.first()?.kind, changes)))
    }

    /// Number of the changes of one weight.
    pub fn count(&self, weight: Weight) -> u64 {
        self.changes.iter().filter(|change| change.kind.weight() == weight).count() as u64
    }

    /// Whether what differs closes the gate.
    pub fn is_closed(&self) -> bool {
        self.count(Weight::Finding) > 0 || (self.is_strict && self.count(Weight::Warning) > 0)
    }

    /// What the gate says.
    fn conclusion(&self) -> String {
        let some = |weight, noun| match self.count(weight) {
            0 => String::new(),
            count => format!(", {}", counted(count, noun)),
        };
        let (warnings, better) =
            (some(Weight::Warning, "warning"), some(Weight::Improvement, "improvement"));
        let strict =
            if self.is_strict && !warnings.is_empty() { ": closed, as it is strict" } else { "" };
        match self.count(Weight::Finding) {
            0 if !strict.is_empty() || better.is_empty() => {
                format!("no finding{warnings}{better}{strict}")
            }
            0 => format!("no finding{warnings}{better}: a new baseline would keep them"),
            count => format!("{}{warnings}{better}", counted(count, "finding")),
        }
    }
}
