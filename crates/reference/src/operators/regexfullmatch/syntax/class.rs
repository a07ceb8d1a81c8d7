//! Classes of characters, and escapes that stand for characters.

use super::reader::{Before, FOLDED, NO_ESCAPE, OTHER_ESCAPE, Problem, Reader};

/// Characters from one to another.
type Range = (char, char);

const DIGITS: &[Range] = &[('0', '9')];
const WORD: &[Range] = &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];
/// Without the vertical tab, which is in the class of that name in brackets.
const SPACE: &[Range] = &[('\t', '\n'), ('\u{c}', '\r'), (' ', ' ')];

/// The classes that have a name in brackets, all of ASCII.
const NAMED: [(&str, &[Range]); 14] = [
    ("alnum", &[('0', '9'), ('A', 'Z'), ('a', 'z')]),
    ("alpha", &[('A', 'Z'), ('a', 'z')]),
    ("ascii", &[('\0', '\u{7f}')]),
    ("blank", &[('\t', '\t'), (' ', ' ')]),
    ("cntrl", &[('\0', '\u{1f}'), ('\u{7f}', '\u{7f}')]),
    ("digit", DIGITS),
    ("graph", &[('!', '~')]),
    ("lower", &[('a', 'z')]),
    ("print", &[(' ', '~')]),
    ("punct", &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')]),
    ("space", &[('\t', '\r'), (' ', ' ')]),
    ("upper", &[('A', 'Z')]),
    ("word", WORD),
    ("xdigit", &[('0', '9'), ('A', 'F'), ('a', 'f')]),
];

const UNCLOSED: Problem = Problem::Invalid("a bracket is not closed");

/// What an escape stands for.
pub(super) enum Escaped {
    One(char),
    /// The characters of these ranges, or all others.
    Class(&'static [Range], bool),
}

/// All characters but those of these ranges, which are of ASCII and in order.
fn others(ranges: &[Range]) -> Vec<Range> {
    let (mut others, mut first) = (Vec::new(), '\0');
    for (low, high) in ranges {
        if first < *low {
            others.push((first, char::from(*low as u8 - 1)));
        }
        first = char::from(*high as u8 + 1);
    }
    others.push((first, char::MAX));
    others
}

impl Reader {
    /// Writes the characters of these ranges, or all others.
    pub(super) fn set(&mut self, ranges: &[Range], is_negated: bool) -> Result<Before, Problem> {
        let mut ranges = ranges.to_vec();
        if self.flags.folds_case {
            if ranges.iter().any(|(_, high)| !high.is_ascii()) {
                return Err(FOLDED);
            }
            let letters = ('A'..='Z').chain('a'..='z');
            let is_in =
                |letter: &char| ranges.iter().any(|(low, high)| (low..=high).contains(&letter));
            let others = letters.filter(is_in).map(|letter| match letter.is_ascii_lowercase() {
                true => letter.to_ascii_uppercase(),
                false => letter.to_ascii_lowercase(),
            });
            let others: Vec<Range> = others.map(|letter| (letter, letter)).collect();
            ranges.extend(others);
        }
        if ranges.is_empty() {
            self.ranges.push_str("(?s:.)");
            return Ok(Before::Item(1));
        }
        self.ranges.push_str(if is_negated { "[^" } else { "[" });
        for (low, high) in ranges {
            let [low, high] = [low, high].map(u32::from);
            self.ranges.push_str(&format!(r"\x{{{low:x}}}-\x{{{high:x}}}"));
        }
        self.ranges.push(']');
        Ok(Before::Item(1))
    }

    /// A class in brackets, the first of which is read.
    pub(super) fn class(&mut self) -> Result<Before, Problem> {
        let is_negated = self.peek() == Some('^');
        self.at += usize::from(is_negated);
        let (mut ranges, mut is_first) = (Vec::new(), true);
        loop {
            match self.take().ok_or(UNCLOSED)? {
                ']' if !is_first => break,
                '[' if self.peek() == Some(':') => ranges.extend(self.named()?),
                '-' if !is_first && self.peek() != Some(']') => {
                    return Err(Problem::Open("whether a hyphen may stand here is not stated"));
                }
                '\\' => match self.escaped()? {
                    Escaped::One(character) => ranges.push(self.range(character)?),
                    Escaped::Class(class, false) => ranges.extend(class),
                    Escaped::Class(class, true) => ranges.extend(others(class)),
                },
                character => ranges.push(self.range(character)?),
            }
            is_first = false;
        }
        self.set(&ranges, is_negated)
    }

    /// A range from this character on, or the character alone.
    fn range(&mut self, low: char) -> Result<Range, Problem> {
        let next = [self.peek(), self.characters.get(self.at + 1).copied()];
        if next[0] != Some('-') || next[1] == Some(']') {
            return Ok((low, low));
        }
        self.at += 1;
        let high = match self.take().ok_or(UNCLOSED)? {
            '\\' => match self.escaped()? {
                Escaped::One(character) => character,
                Escaped::Class(..) => {
                    return Err(Problem::Open("whether a range may end in a class is not stated"));
                }
            },
            '[' => return Err(Problem::Open("whether a range may end in a bracket is not stated")),
            character => character,
        };
        if high < low {
            return Err(Problem::Invalid("a range ends before it begins"));
        }
        Ok((low, high))
    }

    /// A class by its name, of which the first bracket is read.
    fn named(&mut self) -> Result<Vec<Range>, Problem> {
        let rest: String = self.characters.iter().skip(self.at + 1).collect();
        let Some((name, _)) = rest.split_once(":]") else {
            return Err(Problem::Open("whether such a bracket stands for itself is not stated"));
        };
        self.at += name.chars().count() + 3;
        let (name, is_negated) = name.strip_prefix('^').map_or((name, false), |name| (name, true));
        let class = NAMED.iter().find(|(known, _)| *known == name);
        let (_, ranges) = class.ok_or(Problem::Invalid("RE2 has no class of this name"))?;
        match is_negated {
            _ if self.flags.folds_case && matches!(name, "lower" | "upper") => Err(FOLDED),
            true => Ok(others(ranges)),
            false => Ok(ranges.to_vec()),
        }
    }

    /// What an escape stands for, of which the backslash is read.
    pub(super) fn escaped(&mut self) -> Result<Escaped, Problem> {
        let escaped = self.take().ok_or(Problem::Invalid("a backslash is the last character"))?;
        Ok(match escaped {
            'd' => Escaped::Class(DIGITS, false),
            'D' => Escaped::Class(DIGITS, true),
            's' => Escaped::Class(SPACE, false),
            'S' => Escaped::Class(SPACE, true),
            'w' => Escaped::Class(WORD, false),
            'W' => Escaped::Class(WORD, true),
            'a' => Escaped::One('\u{7}'),
            'f' => Escaped::One('\u{c}'),
            'n' => Escaped::One('\n'),
            'r' => Escaped::One('\r'),
            't' => Escaped::One('\t'),
            'v' => Escaped::One('\u{b}'),
            'x' => Escaped::One(self.hexadecimal()?),
            '1'..='9' if !matches!(self.peek(), Some('0'..='7')) => {
                return Err(Problem::Invalid("RE2 has no references to groups"));
            }
            // Positions in a class, single bytes, quoted text, and classes of Unicode.
            'A' | 'B' | 'b' | 'z' | 'C' | 'E' | 'Q' | 'p' | 'P' | '0'..='9' => {
                return Err(OTHER_ESCAPE);
            }
            letter if letter.is_ascii_alphabetic() => return Err(NO_ESCAPE),
            punctuation if punctuation.is_ascii_punctuation() => Escaped::One(punctuation),
            _ => return Err(OTHER_ESCAPE),
        })
    }

    /// The character of two hexadecimal digits, or of some in braces.
    fn hexadecimal(&mut self) -> Result<char, Problem> {
        let rest: String = self.characters.iter().skip(self.at).take(12).collect();
        let (digits, length) = match rest.strip_prefix('{') {
            Some(rest) => {
                // However many zeros there are.
                let is_long = rest.chars().count() >= 11;
                let unclosed = if is_long { OTHER_ESCAPE } else { NO_ESCAPE };
                let (digits, _) = rest.split_once('}').ok_or(unclosed)?;
                (digits, digits.chars().count() + 2)
            }
            None => (rest.get(..2).ok_or(NO_ESCAPE)?, 2),
        };
        if digits.is_empty() || !digits.chars().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(NO_ESCAPE);
        }
        self.at += length;
        match u32::from_str_radix(digits, 16) {
            Ok(code @ ..0x11_0000) => char::from_u32(code).ok_or(OTHER_ESCAPE),
            _ => Err(NO_ESCAPE),
        }
    }
}
