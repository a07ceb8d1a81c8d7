//! What the commands print: of a pack that was written, and of one that was checked.

use std::fmt::Write;

use super::outcome::{Outcome, Result};
use super::pack::Packed;
use super::verify::Verification;
use crate::document::style::Style;
use crate::document::text::{counted, grouped, visible};
use crate::foundation::printable::on_one_line;
use crate::judge::verdict::Verdict;

const KNOWN_SHOWN: usize = 10;

/// What was written.
pub fn packed(packed: &Packed, style: Style) -> String {
    let mut text = String::new();
    outcome(&mut text, &packed.outcome, style);
    let (name, digest) = &packed.subject;
    let dir = packed.dir.display();
    // Writing to a string does not fail.
    let _ = write!(
        text,
        "\nsubject   {} (SHA-256 {digest})\nprofile   {}\n{}known limitations, listed on the front page\n\n\
         pack      {dir}, {}, {} bytes\nnext      open {} in a browser\n          \
         onnx-conformance verify {dir}\n",
        on_one_line(name),
        on_one_line(&packed.profiles),
        format_args!("{:<10}", packed.limitations),
        counted(packed.files as u64, "file"),
        grouped(packed.bytes),
        packed.dir.join(super::contents::FRONT).display(),
    );
    text
}

/// What a check found.
pub fn verified(found: &Verification, style: Style) -> String {
    let mut text = String::new();
    let indent = " ".repeat(14);
    let [verified, not_verified] = [&found.verified, &found.not_verified];
    for (head, all) in [("verified      ", verified), ("not verified  ", not_verified)] {
        all.iter().for_each(|one| wrapped(&mut text, head, &indent, one, style));
    }
    for problem in &found.problems {
        let problem = format!("{}: {}", problem.file, problem.what);
        wrapped(&mut text, "off           ", &indent, &problem, style);
    }
    if !found.problems.is_empty() {
        let problems = counted(found.problems.len() as u64, "problem");
        let word = style.paint("not as it was made", Verdict::Fail);
        let _ = writeln!(text, "\nThe pack is {word}: {problems}.");
        return text;
    }
    let unsigned = "who made the pack: that takes a signature (guide evidence)";
    wrapped(&mut text, "not verified  ", &indent, unsigned, style);
    if let Some(maker) = &found.digests_only {
        let word = style.paint("digests only", Verdict::Unsupported);
        let _ =
            writeln!(text, "\nThe pack was checked by its {word}: its pages were not verified.");
        let remedy = format!(
            "Check it with the program that made it: {maker}, or one built from the same clean commit."
        );
        wrapped(&mut text, "", "", &remedy, style);
        return text;
    }
    let word = style.paint("as it was made", Verdict::Pass);
    let _ = writeln!(text, "\nThe pack is {word}. What it shows:");
    if let Some((name, digest)) = &found.subject {
        let _ = writeln!(text, "\nsubject   {} (SHA-256 {digest})", on_one_line(name));
    }
    if let Some(all) = &found.outcome {
        outcome(&mut text, all, style);
    }
    text
}

/// Adds a paragraph. What is long and in one piece, such as a digest, is not cut.
fn wrapped(text: &mut String, head: &str, indent: &str, body: &str, style: Style) {
    let options = textwrap::Options::new(style.width.max(40)).break_words(false);
    let options = options.initial_indent(head).subsequent_indent(indent);
    let body = visible(body).replace(['\n', '\t'], " ");
    *text += &textwrap::fill(&body, options);
    text.push('\n');
}

fn outcome(text: &mut String, outcome: &Outcome, style: Style) {
    let result = outcome.result();
    let verdict = match result {
        Result::Passed => Verdict::Pass,
        Result::Warned => Verdict::Unsupported,
        Result::Failed => Verdict::Fail,
    };
    let _ = writeln!(text, "result    {}", style.paint(&result.to_string(), verdict));
    let failed = match outcome.known_cases() {
        0 => "failed".to_owned(),
        known => {
            format!("failed, {} of them known failures that violate requirements:", grouped(known))
        }
    };
    let warned = "with a warning: undecided, not executed, or known to fail";
    for (count, word) in [
        (outcome.passed.len(), "passed"),
        (outcome.warned.len(), warned),
        (outcome.failed.len(), &failed),
    ] {
        let _ = writeln!(text, "{:>9}  {word}", grouped(count as u64));
    }
    for known in outcome.known.iter().take(KNOWN_SHOWN) {
        wrapped(text, "           ", "             ", &known.to_string(), style);
    }
    let more = outcome.known.len().saturating_sub(KNOWN_SHOWN) as u64;
    if more > 0 {
        let _ = writeln!(text, "           ... and {} more, on the front page", grouped(more));
    }
}
