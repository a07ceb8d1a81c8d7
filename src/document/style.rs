//! How text is drawn on a terminal.

use anstyle::AnsiColor;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use judge::verdict::Verdict;

/// How text is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Columns of the terminal; 80 where there is none.
    pub width: usize,
    /// Whether to use colours; they only repeat what the words say.
    pub color: bool,
}

impl Style {
    /// The text in the colour of a verdict, where colours are wanted.
    pub(crate) fn paint(self, text: &str, verdict: Verdict) -> String {
        if !self.color {
            return text.to_owned();
        }
        let color = match verdict {
            Verdict::Pass => AnsiColor::Green,
            Verdict::Fail | Verdict::Crash | Verdict::Timeout | Verdict::Fault => AnsiColor::Red,
            Verdict::OutOfDomain => AnsiColor::Cyan,
            Verdict::Unsupported | Verdict::Skipped => AnsiColor::Yellow,
        };
        let style = color.on_default().bold();
        format!("{style}{text}{style:#}")
    }
}

/// The text cut to a width in columns, an ellipsis at the end where something is missing.
pub(crate) fn fitted(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut columns = 0;
    let kept: String = text
        .chars()
        .take_while(|c| {
            columns += c.width().unwrap_or(0);
            columns + 3 <= width
        })
        .collect();
    kept.trim_end().to_owned() + "..."
}
