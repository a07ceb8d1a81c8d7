//! The summary for the terminal: the backends, their disagreements, and where to read on.

use std::fmt::Write;
use std::path::PathBuf;

use unicode_width::UnicodeWidthStr;

use super::document::Scoreboard;
use super::groups::{self, Group};
use crate::document::style::{Style, fitted};
use crate::document::text::{counted, grouped};
use crate::foundation::printable::on_one_line;
use crate::judge::verdict::Verdict;

const GROUPS_SHOWN: usize = 12;

/// Lines that what is said of a disagreement takes about at most.
const LINES_SHOWN: usize = 3;

/// Columns that the counts need; no width below is honoured.
const NARROWEST: usize = 80;

/// The verdicts that are counted, with the width of each.
const COUNTED: [(Verdict, usize); 7] = [
    (Verdict::Pass, 7),
    (Verdict::Fail, 7),
    (Verdict::Unsupported, 13),
    (Verdict::OutOfDomain, 15),
    (Verdict::Crash, 7),
    (Verdict::Timeout, 9),
    (Verdict::Fault, 7),
];

/// The summary of a scoreboard that lies at `written`, in lines of at most the style's width (80 at
/// least) except for the paths at the end, which are there to be copied.
pub fn render(scoreboard: &Scoreboard, written: &[PathBuf], style: Style) -> String {
    let style = Style { width: style.width.max(NARROWEST), ..style };
    let mut page = Page { text: String::new(), style };
    page.backends(scoreboard);
    page.disagreements(scoreboard);
    page.text.push('\n');
    for (at, path) in written.iter().enumerate() {
        let role = if at == 0 { "written" } else { "" };
        let _ = writeln!(page.text, "{role:<8} {}", path.display());
    }
    page.text
}

struct Page {
    text: String,
    style: Style,
}

impl Page {
    fn backends(&mut self, scoreboard: &Scoreboard) {
        let corpora: Vec<_> =
            scoreboard.corpora.iter().map(|corpus| corpus.name.as_str()).collect();
        let backends = counted(scoreboard.backends.len() as u64, "backend");
        let cases = counted(scoreboard.cases.len() as u64, "case");
        self.line(&format!("{backends} on {cases} of {}\n", corpora.join(", ")));
        let heads = COUNTED.map(|(verdict, width)| format!("{verdict:>width$}"));
        self.line(&format!("{}{:>12}", heads.concat(), "elements"));
        for backend in &scoreboard.backends {
            let skipped = backend.summary.count(Verdict::Skipped);
            let skipped = match skipped {
                0 => String::new(),
                count => format!(", {} skipped", counted(count, "case")),
            };
            self.line(&format!(
                "{} {}, profile {}{skipped}",
                backend.name, backend.version, backend.profile
            ));
            let counts = COUNTED.map(|(verdict, width)| {
                let count = backend.summary.count(verdict);
                let text = format!("{:>width$}", grouped(count));
                if count == 0 { text } else { self.style.paint(&text, verdict) }
            });
            let elements = grouped(backend.summary.elements_compared);
            let _ = writeln!(self.text, "{}{elements:>12}", counts.concat());
        }
    }

    fn disagreements(&mut self, scoreboard: &Scoreboard) {
        self.line("");
        if scoreboard.disagreements.is_empty() {
            self.line("no disagreement");
            return;
        }
        let decided = scoreboard.decided();
        let counts = decided.iter().map(|(by, &count)| format!("{} {by}", grouped(count)));
        self.line(&counted(scoreboard.disagreements.len() as u64, "disagreement"));
        self.line(&format!("  {}", counts.collect::<Vec<_>>().join(", ")));
        let labels = scoreboard.labels();
        let groups = groups::of(scoreboard);
        for group in groups.iter().take(GROUPS_SHOWN) {
            self.group(group, &labels);
        }
        if groups.len() > GROUPS_SHOWN {
            let more: u64 =
                groups[GROUPS_SHOWN..].iter().map(|group| group.cases.len() as u64).sum();
            self.line("");
            self.line(&format!("... and {} more, see scoreboard.html", grouped(more)));
        }
    }

    fn group(&mut self, group: &Group<'_>, labels: &[String]) {
        let Group { first, case, cases } = group;
        let others = match cases.len() - 1 {
            0 => String::new(),
            more => format!(" and {} more of {}", grouped(more as u64), case.operator),
        };
        let others = fitted(&on_one_line(&others), self.style.width / 2);
        let id = fitted(&on_one_line(&first.case), self.style.width - others.width());
        self.line("");
        self.line(&format!("{id}{others}"));
        let by = first.decided_by;
        for outlier in &first.outliers {
            let name = labels.get(outlier.backend).map_or("", String::as_str);
            self.paragraph(&format!("{by}: {name} {}", outlier.because));
        }
        if first.outliers.is_empty() {
            self.paragraph(&format!("{by}: {}", first.reason));
            for (answer, names) in group.answers(labels) {
                self.paragraph(&format!("{answer}: {}", names.join(", ")));
            }
        }
    }

    /// Writes words below a line, on a few lines.
    fn paragraph(&mut self, words: &str) {
        let words = fitted(&on_one_line(words), LINES_SHOWN * (self.style.width - 8));
        let options =
            textwrap::Options::new(self.style.width).initial_indent("  ").subsequent_indent("    ");
        for line in textwrap::wrap(&words, options) {
            self.line(&line);
        }
    }

    /// Writes lines, harmless and cut to the width.
    fn line(&mut self, lines: &str) {
        for line in lines.split('\n') {
            self.text += &fitted(&on_one_line(line), self.style.width);
            self.text.push('\n');
        }
    }
}
