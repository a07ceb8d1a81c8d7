//! burn-onnx's expectations: a table with a status for each test.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{ImportError, Imported};
use crate::judge::expect::Known;
use crate::judge::verdict::Verdict;
use crate::limits;

#[derive(Deserialize)]
struct Test {
    status: String,
    reason: Option<String>,
    /// An address, or the number of an issue.
    tracking: Option<String>,
}

pub(super) fn read(file: &str, text: &str) -> Result<Imported, ImportError> {
    let tests: BTreeMap<String, Test> = limits::from_toml(text)
        .map_err(|source| ImportError::Burn { file: file.to_owned(), source: source.into() })?;
    let mut all = Imported::default();
    for (name, test) in tests {
        let Test { status, reason, tracking } = test;
        let (verdict, flaky) = match status.as_str() {
            "pass" => continue,
            "fail-compare" => (Verdict::Fail, false),
            // The test runner refuses a model that was not translated.
            "skip-codegen" | "skip-compile" => (Verdict::Unsupported, false),
            "flaky" => (Verdict::Fail, true),
            _ => {
                all.left.push((name, format!("its status is `{status}`")));
                continue;
            }
        };
        if name.is_empty() || name.contains(['*', '/']) {
            all.left.push((name, "it is not the name of a case".to_owned()));
            continue;
        }
        let mut reason = reason.filter(|reason| !reason.trim().is_empty()).unwrap_or(status);
        let (link, issue) = match tracking {
            Some(address) if address.starts_with("https://") => (Some(address), None),
            issue => (None, issue),
        };
        if let Some(issue) = issue {
            reason += &format!(" ({issue})");
        }
        all.entries.push(Known { cases: name, verdict, flaky, reason, link, ..Known::default() });
    }
    Ok(all)
}
