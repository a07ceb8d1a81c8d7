//! The summary for the terminal: what was executed, the result, and where to read on.

use std::fmt::Write;
use std::path::Path;

use anstyle::AnsiColor;

use super::document::{Counterexample, Document};
use crate::report::summary::Style;
use crate::report::text::visible;
use crate::text::grouped;

/// Counterexamples shown.
const SHOWN: usize = 3;

/// The summary of a document, in lines of at most 80 columns but for names and paths.
#[must_use]
pub fn render(document: &Document, written: &[impl AsRef<Path>], style: Style) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut text, document, written, style);
    text
}

fn write(
    text: &mut String,
    document: &Document,
    written: &[impl AsRef<Path>],
    style: Style,
) -> std::fmt::Result {
    let Document { operator, type_name, strategy, profile, backend, .. } = document;
    let shard = document.shard.map(|shard| format!(", shard {}/{}", shard.index, shard.count));
    writeln!(text, "{operator} {type_name} {strategy}{}", shard.unwrap_or_default())?;
    let (name, version) = (visible(&backend.name), visible(&backend.version));
    writeln!(text, "on {name} {version}, profile {profile}\n")?;

    let mut count = |name: &str, count: u64, good: bool| {
        let color = if good { AnsiColor::Green } else { AnsiColor::Red };
        let (on, off) = if style.color {
            let paint = color.on_default().bold();
            (format!("{paint}"), format!("{paint:#}"))
        } else {
            Default::default()
        };
        writeln!(text, "{:>19}  {on}{name}{off}", grouped(count))
    };
    count("planned", document.promised, true)?;
    count("executed", document.executed, document.is_complete())?;
    count("mismatches", document.mismatches, document.mismatches == 0)?;
    if let Some(violations) = document.violations {
        count("violations of the profile", violations, violations == 0)?;
    }
    if document.classes.out_of_domain > 0 {
        count("out of domain", document.classes.out_of_domain, true)?;
    }
    if let Some(error) = &document.max_error_ulp {
        let error = error.split_once(" (").map_or(error.as_str(), |(decimal, _)| decimal);
        writeln!(text, "{error:>19}  ULP at most")?;
    }
    if let Some(confidence) = &document.confidence {
        let (bound, level) = (&confidence.upper_bound, &confidence.level);
        writeln!(text, "{bound:>19}  share of mismatches at most, confidence {level}")?;
    }
    let seconds = document.duration().as_secs_f64();
    #[expect(clippy::cast_precision_loss, reason = "a rate for readers")]
    let rate = document.executed as f64 / seconds / 1e6;
    writeln!(text, "{:>19}  seconds, {rate:.1} million inputs a second", format!("{seconds:.2}"))?;

    for example in document.counterexamples.worst.iter().take(SHOWN) {
        counterexample(text, example)?;
    }
    if document.mismatches > SHOWN as u64 {
        writeln!(text, "\n... the first and the worst of the others are in the files below")?;
    }
    if let Some(failure) = &document.failure {
        writeln!(text, "\nnot executed to the end: {}", visible(failure))?;
    }
    for (at, path) in written.iter().enumerate() {
        let head = if at == 0 { "\ncampaign " } else { "         " };
        writeln!(text, "{head}{}", path.as_ref().display())?;
    }
    Ok(())
}

fn counterexample(text: &mut String, example: &Counterexample) -> std::fmt::Result {
    writeln!(text, "\ninput {}", example.index)?;
    let inputs = example.inputs.iter().map(|input| ("input", input));
    let results = [("expected", &example.expected), ("actual", &example.actual)];
    for (role, value) in inputs.chain(results) {
        writeln!(text, "    {role:<8}  {value}")?;
    }
    writeln!(text, "    error     {}", example.error_ulp)
}
