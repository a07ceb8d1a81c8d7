//! The summary for the terminal: what was executed, the result, and where to read on.

use std::fmt::Write;
use std::path::Path;

use anstyle::AnsiColor;

use super::confidence::percent;
use super::document::Campaign;
use crate::document::style::Style;
use crate::document::text::short;
use crate::foundation::printable::on_one_line;
use crate::foundation::text::grouped;
use values::text::bounded;

/// Counterexamples shown.
const SHOWN: usize = 3;

/// Bytes of a value that have room in a line, and those that are shown of a longer one.
const ROOM: usize = 66;
const CUT: usize = 40;

/// The summary of a document, in lines of at most 80 columns but for names and paths.
pub fn render(document: &Campaign, written: &[impl AsRef<Path>], style: Style) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut text, document, written, style);
    text
}

fn shown(value: &str) -> String {
    if value.len() <= ROOM { value.to_owned() } else { bounded(value.to_owned(), CUT) }
}

fn write(
    text: &mut String,
    document: &Campaign,
    written: &[impl AsRef<Path>],
    style: Style,
) -> std::fmt::Result {
    let Campaign { operator, strategy, profile, backend, .. } = document;
    let shard = document.shard.map(|shard| format!(", shard {shard}"));
    let (subject, shard) = (document.subject(), shard.unwrap_or_default());
    writeln!(text, "{operator} {subject} {strategy}{shard}")?;
    let (name, version) = (on_one_line(&backend.name), on_one_line(&backend.version));
    writeln!(text, "on {name} {version}, profile {profile}\n")?;

    let Campaign { promised, executed, mismatches, violations, .. } = *document;
    let (violated, out_of_domain) = (violations.unwrap_or(0), document.classes.out_of_domain);
    let counts = [
        ("planned", Some(promised), true),
        ("executed", Some(executed), document.is_complete()),
        ("mismatches", Some(mismatches), mismatches == 0),
        ("violations of the profile", violations, violated == 0),
        ("out of domain", Some(out_of_domain).filter(|count| *count > 0), true),
    ];
    for (name, count, good) in counts {
        let color = if good { AnsiColor::Green } else { AnsiColor::Red };
        let paint = if style.color { color.on_default().bold() } else { anstyle::Style::new() };
        if let Some(count) = count {
            writeln!(text, "{:>19}  {paint}{name}{paint:#}", grouped(count))?;
        }
    }
    if let Some(error) = document.max_error_ulp.as_deref().map(short) {
        writeln!(text, "{error:>19}  ULP at most")?;
    }
    if let Some(confidence) = &document.confidence {
        let bound = percent(&confidence.upper_bound);
        writeln!(text, "{bound:>19}  of the inputs mismatch at most, with 95 % confidence")?;
    }
    let (seconds, rate) = (document.duration().as_secs_f64(), document.rate());
    writeln!(text, "{:>19}  seconds, {rate:.1} million inputs a second", format!("{seconds:.2}"))?;

    for example in document.counterexamples.worst.iter().take(SHOWN) {
        writeln!(text, "\ninput {}", example.index)?;
        for (role, value) in example.roles().chain([("error", short(&example.error_ulp))]) {
            writeln!(text, "    {role:<8}  {}", shown(value))?;
        }
    }
    if mismatches > SHOWN as u64 {
        writeln!(text, "\n... the first and the worst of the others are in the files below")?;
    }
    if let Some(failure) = &document.failure {
        writeln!(text, "\nnot executed to the end: {}", on_one_line(failure))?;
    }
    for (at, path) in written.iter().enumerate() {
        let head = if at == 0 { "\ncampaign " } else { "         " };
        writeln!(text, "{head}{}", path.as_ref().display())?;
    }
    Ok(())
}
