//! RegexFullMatch: whether a string is all that an expression matches, by the crate `regex-lite`, which reads ASCII's classes and cases as
//! RE2 does. Where it takes more than RE2, or another meaning, the expression is refused or written otherwise.
//!
//! Classes of Unicode, single bytes and `\S` in brackets are refused as well.

use super::signature::{Domain, Input, Version};
use super::stringsplit::text;
use super::{Attribute, Call, Kernel, KernelError};
use regex_lite::Regex;
use values::dtype::DType::{Bool, String as Text};
use values::tensor::Tensor;

pub(super) static REGEXFULLMATCH: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "RegexFullMatch",
    inputs: &[Input::new("X")],
    is_elementwise: false,
    slices: None,
    versions: &[Version::with(20, &[Text], &[text("pattern")])],
    restricted: &[],
    run,
};

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [data] = call.inputs()?;
    let pattern = match call.attributes.get("pattern") {
        Some(Attribute::Text(pattern)) => compiled(pattern),
        _ => None,
    };
    let pattern = pattern.ok_or(KernelError::BadAttribute {
        operator: call.operator,
        name: "pattern",
        expected: "an expression of RE2",
    })?;
    let strings = data.strings().unwrap_or_default().iter();
    let is_match = |text: &bytes::Bytes| str::from_utf8(text).is_ok_and(|it| pattern.is_match(it));
    let matches = strings.map(|text| u8::from(is_match(text))).collect();
    Ok(vec![Tensor::from_values(Bool, data.shape().to_vec(), matches)?])
}

/// The expression for a whole string, if it is one.
fn compiled(pattern: &str) -> Option<Regex> {
    let pattern = rewritten(pattern)?;
    // By itself first: parentheses that do not match would do so in those around them.
    Regex::new(&pattern).ok()?;
    Regex::new(&format!(r"\A(?:{pattern})\z")).ok()
}

/// The largest count of a repetition.
const MOST: u32 = 1000;

/// An expression of RE2 as one of `regex-lite`; none where it is no expression.
fn rewritten(pattern: &str) -> Option<String> {
    let all: Vec<char> = pattern.chars().collect();
    let (mut written, mut at, mut is_in_brackets) = (String::new(), 0, false);
    while let Some(&character) = all.get(at) {
        at += 1;
        let rest = all.get(at..)?;
        match character {
            '\\' => {
                let (escape, length) = escape(rest, is_in_brackets)?;
                written.push_str(&escape);
                at += length;
            }
            '[' if !is_in_brackets => {
                is_in_brackets = true;
                let is_negated = rest.first() == Some(&'^');
                written.push_str(if is_negated { "[^" } else { "[" });
                at += usize::from(is_negated);
                // A bracket that is the first in brackets closes nothing.
                if all.get(at) == Some(&']') {
                    written.push_str(r"\]");
                    at += 1;
                }
            }
            '[' if rest.first() == Some(&':') => {
                let length = rest.windows(2).position(|pair| pair == [':', ']'])? + 2;
                written.push('[');
                written.extend(&rest[..length]);
                at += length;
            }
            ']' if is_in_brackets => {
                is_in_brackets = false;
                written.push(']');
            }
            '[' | '&' | '~' if is_in_brackets => written.extend(['\\', character]),
            '{' if !is_in_brackets => {
                let counts: String = rest.iter().take_while(|it| **it != '}').collect();
                let is_large = |count: &str| count.parse().is_ok_and(|count: u32| count > MOST);
                if counts.split(',').any(is_large) {
                    return None;
                }
                written.push('{');
            }
            '(' if rest.first() == Some(&'?') && !is_in_brackets => {
                let flags = rest.iter().skip(1).take_while(|it| it.is_ascii_alphabetic());
                if flags.clone().any(|flag| !"imsUP".contains(*flag)) && rest.get(1) != Some(&'P') {
                    return None;
                }
                written.push('(');
            }
            other => written.push(other),
        }
    }
    Some(written)
}

/// What follows a backslash, as it is written for `regex-lite`, and how many characters it is.
fn escape(rest: &[char], is_in_brackets: bool) -> Option<(String, usize)> {
    let octal = || {
        let digits = rest.iter().take(3).take_while(|it| it.is_digit(8));
        let digits: String = digits.collect();
        Some((u32::from_str_radix(&digits, 8).ok()?, digits.len()))
    };
    let one = |written: &str| Some((written.to_owned(), 1));
    match rest.first()? {
        // What RE2 takes for whitespace has no vertical tab.
        's' if is_in_brackets => one(r"\t\n\f\r\x20"),
        's' => one(r"[\t\n\f\r\x20]"),
        'S' if is_in_brackets => None,
        'S' => one(r"[^\t\n\f\r\x20]"),
        // As counts may follow, which are no part of it.
        'b' if !is_in_brackets => one(r"(?:\b)"),
        letter @ ('A' | 'B' | 'z') if !is_in_brackets => one(&format!(r"\{letter}")),
        letter @ ('d' | 'D' | 'w' | 'W' | 'a' | 'f' | 'n' | 'r' | 't' | 'v' | 'x') => {
            one(&format!(r"\{letter}"))
        }
        'Q' if !is_in_brackets => {
            let rest: String = rest.iter().skip(1).collect();
            let (quoted, end) = rest.split_once(r"\E").map_or((&*rest, 0), |(it, _)| (it, 2));
            Some((regex_lite::escape(quoted), 1 + quoted.chars().count() + end))
        }
        digit @ '0'..='7' => {
            let (code, length) = octal().filter(|(_, length)| *digit == '0' || *length > 1)?;
            Some((format!(r"\x{{{code:x}}}"), length))
        }
        letter if letter.is_ascii_alphanumeric() => None,
        other => Some((format!(r"\x{{{:x}}}", u32::from(*other)), 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::compiled;

    #[test]
    fn the_whole_string_has_to_match() {
        for (pattern, text, expected) in [
            ("a|ab", "ab", true),
            ("a|ab", "abc", false),
            ("b", "ab", false),
            ("", "", true),
            ("a$", "a\n", false),
            ("a.b", "a\nb", false),
            ("(?s)a.b", "a\nb", true),
            (r"\s", "\u{b}", false),
            (r"[\s]", "\u{c}", true),
            (r"\d", "\u{661}", false),
            (r"a\b.", "a\u{e9}", true),
            (r"[]a]+", "a]", true),
            (r"[[a&&b]+", "a[&", true),
            (r"\<\_\-", "<_-", true),
            (r"\Q.*\E+\101\0", ".**A\0", true),
            ("(?i)k", "\u{212a}", false),
            ("[[:^digit:]]", "\u{e9}", true),
        ] {
            let regex = compiled(pattern).unwrap();
            assert_eq!(regex.is_match(text), expected, "{pattern} {text:?}");
        }
    }

    #[test]
    fn what_is_no_expression_of_re2_is_refused() {
        for pattern in [
            "(",
            ")",
            "a)(b",
            "[",
            "[b-a]",
            "*a",
            "a|*",
            "a{1001}",
            "a{2,1}",
            r"\",
            r"\1",
            r"\u0041",
            "(?x)a",
            "(?R)",
            "(?=a)",
            "(?<!a)",
            "[[:other:]]",
            r"\Z",
            r"\y",
        ] {
            assert!(compiled(pattern).is_none(), "{pattern}");
        }
    }
}
