//! Expressions of RE2, written as ranges of characters, alternatives, repetitions and positions alone.
//!
//! Source: RE2's page of its syntax, <https://github.com/google/re2/wiki/Syntax>.

mod class;
mod reader;

use std::collections::BTreeSet;

use self::class::Escaped;
pub(super) use self::reader::Problem;
use self::reader::{Before, Flags, Reader};

/// An expression as it was read.
#[derive(Debug)]
pub(super) struct Read {
    /// The same as an expression of the crate `regex`, on bytes, which has no class of Unicode in it.
    pub(super) ranges: String,
    /// Whether letters match those of the other case somewhere.
    pub(super) folds_case: bool,
}

/// Reads an expression.
pub(super) fn read(pattern: &str) -> Result<Read, Problem> {
    let mut reader = Reader {
        characters: pattern.chars().collect(),
        at: 0,
        ranges: String::new(),
        flags: Flags::default(),
        folds_case: false,
        names: BTreeSet::new(),
    };
    reader.alternatives(0)?;
    match reader.peek() {
        None => Ok(Read { ranges: reader.ranges, folds_case: reader.folds_case }),
        Some(_) => Err(Problem::Invalid("a parenthesis is closed that is not open")),
    }
}

/// The deepest groups that are read.
const DEEPEST: usize = 100;

/// The largest count of a repetition.
const MOST: u32 = 1000;

const UNCLOSED: Problem = Problem::Invalid("a parenthesis is not closed");
const NOT_SUPPORTED: Problem = Problem::Invalid("RE2 does not support such a group");
const OTHER_GROUP: Problem = Problem::Open("whether RE2 has such a group is not stated");
const BRACE: Problem = Problem::Open("whether such a brace stands for itself is not stated");

impl Reader {
    /// The alternatives of a group: the largest count that repetitions within it make together.
    fn alternatives(&mut self, depth: usize) -> Result<u32, Problem> {
        if depth > DEEPEST {
            return Err(Problem::Open("an implementation may not take groups as deep as these"));
        }
        let (mut before, mut largest) = (Before::Nothing, 1);
        while let Some(character) = self.peek().filter(|it| *it != ')') {
            self.at += 1;
            before = match character {
                '|' => {
                    self.ranges.push('|');
                    Before::Nothing
                }
                '(' => self.group(depth)?,
                '*' | '+' | '?' => {
                    self.ranges.push(character);
                    self.repeated(before, 1)?
                }
                '{' => {
                    let most = self.counts()?;
                    self.repeated(before, most)?
                }
                '^' => self.position(if self.flags.by_lines { "(?m:^)" } else { r"\A" }),
                '$' => self.position(if self.flags.by_lines { "(?m:$)" } else { r"\z" }),
                '.' if self.flags.dot_is_any => self.set(&[], true)?,
                '.' => self.set(&[('\n', '\n')], true)?,
                '[' => self.class()?,
                '\\' => self.escape()?,
                other => self.set(&[(other, other)], false)?,
            };
            if let Before::Item(count) | Before::Repeated(count) = before {
                largest = largest.max(count);
            }
        }
        Ok(largest)
    }

    /// What a repetition makes of what stands before it.
    fn repeated(&mut self, before: Before, most: u32) -> Result<Before, Problem> {
        match before {
            Before::Nothing => Err(Problem::Invalid("there is nothing to repeat")),
            Before::Position | Before::Repeated(_) => {
                Err(Problem::Open("whether this can be repeated is not stated"))
            }
            Before::Item(count) => {
                // That fewer are preferred has no bearing on whether the whole string matches.
                if self.peek() == Some('?') {
                    self.at += 1;
                }
                match count.checked_mul(most.max(1)).filter(|count| *count <= MOST) {
                    Some(count) => Ok(Before::Repeated(count)),
                    None => Err(Problem::Open("whether counts multiply is not stated")),
                }
            }
        }
    }

    /// The counts in braces, of which the first is read: the largest.
    fn counts(&mut self) -> Result<u32, Problem> {
        let rest = self.characters.iter().skip(self.at);
        let text: String = rest.take_while(|it| **it != '}').collect();
        let number = |digits: &str| {
            let is_other = digits.len() > 8 || digits.len() > 1 && digits.starts_with('0');
            let is_number = !is_other && digits.chars().all(|digit| digit.is_ascii_digit());
            digits.parse::<u32>().ok().filter(|_| is_number).ok_or(BRACE)
        };
        self.at += text.chars().count();
        if self.take() != Some('}') {
            return Err(BRACE);
        }
        let (least, most) = text.split_once(',').unwrap_or((text.as_str(), text.as_str()));
        let least = number(least)?;
        let most = if most.is_empty() { least } else { number(most)? };
        if most.max(least) > MOST || most < least {
            return Err(Problem::Invalid("a count is above 1000, or the first above the second"));
        }
        self.ranges.push_str(&format!("{{{text}}}"));
        Ok(most)
    }

    /// What follows a parenthesis, with the one that closes it.
    fn group(&mut self, depth: usize) -> Result<Before, Problem> {
        let outer = self.flags;
        self.ranges.push_str("(?:");
        if self.peek() == Some('?') {
            self.at += 1;
            match self.take() {
                None => return Err(UNCLOSED),
                Some('P') => self.name()?,
                Some(':') => {}
                Some('=' | '!' | '>' | '|' | '#') => return Err(NOT_SUPPORTED),
                Some('<') if matches!(self.peek(), Some('=' | '!')) => return Err(NOT_SUPPORTED),
                first => {
                    if !self.flags(first)? {
                        self.ranges.push(')');
                        return Ok(Before::Position);
                    }
                }
            }
        }
        let count = self.alternatives(depth + 1)?;
        if self.take() != Some(')') {
            return Err(UNCLOSED);
        }
        self.flags = outer;
        self.ranges.push(')');
        Ok(Before::Item(count))
    }

    /// The name of a group.
    fn name(&mut self) -> Result<(), Problem> {
        match self.take() {
            Some('<') => {}
            Some('=' | '>') => return Err(NOT_SUPPORTED),
            _ => return Err(OTHER_GROUP),
        }
        let mut name = String::new();
        while let Some(character) = self.take().filter(|it| *it != '>') {
            name.push(character);
        }
        let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_';
        let is_name = !name.is_empty() && name.chars().all(is_word);
        if is_name && self.names.insert(name) { Ok(()) } else { Err(OTHER_GROUP) }
    }

    /// Flags from the first one on: whether they are those of a group that follows.
    fn flags(&mut self, first: Option<char>) -> Result<bool, Problem> {
        let (mut flags, mut value, mut is_empty, mut next) = (self.flags, true, true, first);
        loop {
            match next {
                Some('i') => flags.folds_case = value,
                Some('s') => flags.dot_is_any = value,
                Some('m') => flags.by_lines = value,
                // What is preferred has no bearing on whether the whole string matches.
                Some('U') => {}
                Some('-') if value => value = false,
                Some(end @ (':' | ')')) if !is_empty => {
                    self.flags = flags;
                    self.folds_case |= flags.folds_case;
                    return Ok(end == ':');
                }
                _ => return Err(OTHER_GROUP),
            }
            is_empty = next == Some('-');
            next = self.take();
        }
    }

    fn position(&mut self, position: &str) -> Before {
        self.ranges.push_str(position);
        Before::Position
    }

    /// What an escape outside of a class stands for.
    fn escape(&mut self) -> Result<Before, Problem> {
        match self.peek() {
            Some('A') => return Ok(self.position_escaped(r"\A")),
            Some('z') => return Ok(self.position_escaped(r"\z")),
            Some('b') => return Ok(self.position_escaped(r"(?-u:\b)")),
            Some('B') => return Ok(self.position_escaped(r"(?-u:\B)")),
            _ => {}
        }
        match self.escaped()? {
            Escaped::One(character) => self.set(&[(character, character)], false),
            Escaped::Class(ranges, is_negated) => self.set(ranges, is_negated),
        }
    }

    fn position_escaped(&mut self, position: &str) -> Before {
        self.at += 1;
        self.position(position)
    }
}

#[cfg(test)]
mod tests;
