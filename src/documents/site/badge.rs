//! Badges in the format of shields.io's endpoint badge.

use serde::Serialize;

use super::document::{Site, Standing};
use crate::document::text::{counted, grouped};

/// A badge, as that service reads it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Badge {
    schema_version: u32,
    label: &'static str,
    message: String,
    color: &'static str,
}

const LABEL: &str = "ONNX conformance";

impl Badge {
    /// The badge of a backend: the newest result of each case. It is red where one failed that was not known
    /// to, and green where all that anything decides pass; what is not supported does not.
    pub(super) fn of_backend(standing: &Standing) -> Self {
        let summary = &standing.summary;
        let decided = summary.cases - summary.out_of_domain;
        let color = match () {
            () if standing.unexpected > 0 => "red",
            () if summary.pass == 0 => "lightgrey",
            () if summary.pass == decided => "brightgreen",
            () => "yellow",
        };
        let message = format!("{} of {} pass", grouped(summary.pass), grouped(decided));
        Self { schema_version: 1, label: LABEL, message, color }
    }

    /// The badge of all: the regressions in the last reports.
    pub(super) fn of_site(site: &Site) -> Self {
        let findings = site.backends.iter().map(Standing::findings).sum::<u64>();
        let backends = counted(site.backends.len() as u64, "backend");
        let entries = || site.backends.iter().flat_map(|one| &one.series);
        let is_compared = entries().any(|series| series.report.since.is_some());
        let (message, color) = match findings {
            0 if !is_compared => (backends, "blue"),
            0 => (format!("{backends}, no regression"), "brightgreen"),
            count => (format!("{backends}, {}", counted(count, "regression")), "red"),
        };
        Self { schema_version: 1, label: LABEL, message, color }
    }

    pub(super) fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        crate::document::to_bytes(self)
    }
}
