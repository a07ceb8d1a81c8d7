//! Text of others as it is shown: nothing in it acts on a terminal, a page or a CI system.
//!
//! What is made of a document goes through `visible` or [`on_one_line`] where a stranger's string
//! enters it. Whatever is printed goes through [`printed`], which knows no exception.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use values::text::bounded;

/// Whether a character acts on what shows the text (a terminal, a page, an XML parser) instead of
/// being shown: controls but tab and line feed, line separators, whatever sets the writing direction,
/// characters without a width, tags and the non-characters that XML 1.0 forbids.
pub(crate) const fn is_hidden(c: char) -> bool {
    matches!(
        c,
        '\0'..='\u{8}'
            | '\u{b}'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{fffe}'
            | '\u{ffff}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// The text with hidden characters written as Rust escapes, such as `\u{1b}`.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_hidden(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// The visible text on one line.
pub fn on_one_line(text: &str) -> String {
    visible(text).replace('\n', "\\n").replace('\t', "\\t")
}

/// A text of several lines below a head: no line of it but the first begins where lines of ours do.
pub fn indented(text: &str) -> String {
    text.replace('\n', "\n  ")
}

/// Longest line that is printed, in bytes.
const LINE_LIMIT: usize = 16 << 10;

/// The text with lines of a bounded length, and how much was cut of each.
fn with_bounded_lines(text: &str) -> Cow<'_, str> {
    if text.split('\n').all(|line| line.len() <= LINE_LIMIT) {
        return Cow::Borrowed(text);
    }
    let lines = text.split('\n').map(|line| bounded(line.to_owned(), LINE_LIMIT));
    Cow::Owned(lines.collect::<Vec<_>>().join("\n"))
}

/// A text as it may be printed, its lines of a bounded length. Hidden characters are shown as escapes; where colours are wanted, the
/// sequences that set colour, weight and underline alone pass. What CI systems would take for a command, `::`
/// at the start of a line and `##[` and `##vso[` anywhere, begins with an escape.
pub fn printed(text: &str, color: bool) -> String {
    static STYLES: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new("\x1b\\[(?:0|(?:1|4|[39][1-7])(?:;(?:1|4|[39][1-7]))*)?m").ok()
    });
    static COMMANDS: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?m)^([^\S\n]*):(:)|#(#\[|#vso\[)").ok());
    let text = &*with_bounded_lines(text);
    let styles = STYLES.as_ref().filter(|_| color);
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(style) = styles.and_then(|styles| styles.find(rest)) {
        shown += &visible(&rest[..style.start()]);
        shown += style.as_str();
        rest = &rest[style.end()..];
    }
    shown += &visible(rest);
    let Some(commands) = COMMANDS.as_ref() else { return shown };
    let escaped = commands.replace_all(&shown, |found: &Captures<'_>| {
        let part = |at: usize| found.get(at).map_or("", |part| part.as_str());
        match found.get(3) {
            Some(rest) => format!("\\u{{23}}{}", rest.as_str()),
            None => format!("{}\\u{{3a}}{}", part(1), part(2)),
        }
    });
    escaped.into_owned()
}

/// The text of a JSON document as it may be printed, with nothing cut: hidden characters, and what CI systems would
/// take for a command, are escaped as JSON has it, so that it says the same.
pub fn printed_json(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let is_command = c == '#' && matches!(rest.peek(), Some('#'));
        if is_command || (is_hidden(c) && c != '\n') {
            let mut units = [0; 2];
            shown.extend(c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            shown.push(c);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_says_the_same_when_it_is_printed_and_does_nothing() {
        let text = "\u{9b}\u{202e}\u{e0041}\u{7f} ###[x] ##vso[y] \u{1b}[2J \"é\\\n";
        let json = serde_json::to_string(text).unwrap();
        let shown = printed_json(&json);
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), text);
        assert!(!shown.contains(is_hidden) && !shown.contains("##"), "{shown}");
        assert_eq!(printed(&shown, false), shown, "nothing is left to escape");
    }

    #[test]
    fn what_would_act_on_the_reader_is_shown_instead() {
        assert_eq!(visible("\u{1b}[31mred\0\r\u{202e}"), r"\u{1b}[31mred\u{0}\r\u{202e}");
        assert_eq!(visible("\u{9b}\u{fffe}\u{7f}"), r"\u{9b}\u{fffe}\u{7f}");
        assert_eq!(visible("a\u{200f}b\u{200d}\u{e0041}"), r"a\u{200f}b\u{200d}\u{e0041}");
    }

    #[test]
    fn ordinary_text_of_any_script_stays_as_it_is() {
        for text in ["two\nlines\tand a tab", "שלום", "数値", "e\u{301}", "a :: b\n#[x] ## [y]"]
        {
            assert!(matches!(visible(text), Cow::Borrowed(same) if same == text));
            assert_eq!(printed(text, false), text);
        }
    }

    #[test]
    fn only_styles_are_printed_and_only_where_colours_are_wanted() {
        let text = "\u{1b}[1m\u{1b}[31mred\u{1b}[0m\u{1b}[2J\u{1b}]8;;x\u{7}\u{1b}[8m\u{1b}[30m";
        let kept = "\u{1b}[1m\u{1b}[31mred\u{1b}[0m";
        let rest = r"\u{1b}[2J\u{1b}]8;;x\u{7}\u{1b}[8m\u{1b}[30m";
        assert_eq!(printed(text, true), format!("{kept}{rest}"));
        assert!(!printed(text, false).contains('\u{1b}'));
    }

    #[test]
    fn an_endless_line_is_cut_and_those_beside_it_are_whole() {
        let told = printed(&format!("first\n{}\nlast", "x".repeat(100_000)), false);
        assert!(
            told.starts_with("first\nxxx") && told.ends_with("x ... and 83616 more bytes\nlast")
        );
        assert!(told.len() < 17_000);
    }

    #[test]
    fn commands_of_ci_systems_are_none() {
        let text =
            "::error::x\n \t::set-output name=a::b\na ##[group]b##vso[task.setvariable]c\n:::";
        let told = printed(text, false);
        let expected = "\\u{3a}:error::x\n \t\\u{3a}:set-output name=a::b\n\
                        a \\u{23}#[group]b\\u{23}#vso[task.setvariable]c\n\\u{3a}::";
        assert_eq!(told, expected);
    }
}
