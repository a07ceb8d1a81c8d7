//! The substrings of one string.

/// What is between substrings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separator<'a> {
    /// Whitespace, as much of it as there is.
    Whitespace,
    /// This text, which is not empty.
    Delimiter(&'a str),
}

/// The substrings of a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pieces<'a> {
    /// All of them; of nothing one that is empty.
    pub(super) all: Vec<&'a str>,
    /// Whether the string is empty, or of whitespace alone that words are split on: it has one substring, or none.
    pub(super) are_of_nothing: bool,
    /// The last one without whitespace at its end, where it may be removed.
    trimmed: Option<&'a str>,
}

/// The characters that are whitespace to C's `isspace` and to Unicode.
const WHITESPACE: [char; 6] = [' ', '\t', '\n', '\u{b}', '\u{c}', '\r'];

impl<'a> Separator<'a> {
    /// Whether a string has a character that is whitespace to some: to Unicode, to Python, or once was to Unicode.
    pub(super) fn is_doubtful_in(self, text: &str) -> bool {
        let is_doubtful = |character: char| match character {
            '\u{1c}'..='\u{1f}' | '\u{180e}' | '\u{200b}' | '\u{2060}' | '\u{feff}' => true,
            other => !other.is_ascii() && other.is_whitespace(),
        };
        self == Self::Whitespace && text.chars().any(is_doubtful)
    }

    /// The substrings of a string that is split so many times at most.
    pub(super) fn split<'b>(self, text: &'b str, most: usize) -> Pieces<'b> {
        let mut pieces = match self {
            Self::Whitespace => words(text, most),
            Self::Delimiter(delimiter) => Pieces {
                all: text.splitn(most.saturating_add(1), delimiter).collect(),
                are_of_nothing: text.is_empty(),
                trimmed: None,
            },
        };
        if pieces.all.is_empty() {
            pieces.are_of_nothing = true;
            pieces.all.push("");
        }
        pieces
    }
}

/// The words of a text, of which so many at most are split off what follows them.
fn words(text: &str, most: usize) -> Pieces<'_> {
    let (mut all, mut trimmed) = (Vec::new(), None);
    let mut rest = text.trim_start_matches(WHITESPACE);
    while !rest.is_empty() {
        let end = rest.find(WHITESPACE).unwrap_or(rest.len());
        if all.len() >= most {
            all.push(rest);
            trimmed = Some(rest.trim_end_matches(WHITESPACE));
            break;
        }
        let (word, after) = rest.split_at(end);
        all.push(word);
        rest = after.trim_start_matches(WHITESPACE);
    }
    Pieces { all, are_of_nothing: false, trimmed }
}

impl<'a> Pieces<'a> {
    /// What may be in a place of the output: a substring, or behind the last one an empty string.
    pub(super) fn readings(&self, place: usize) -> Vec<&'a str> {
        let own = self.all.get(place).copied().unwrap_or_default();
        let is_last = place + 1 == self.all.len();
        [own].into_iter().chain(self.trimmed.filter(|_| is_last)).collect()
    }
}
