//! ONNX Runtime's filters: lists of regular expressions that the names of excluded tests are searched for, in
//! JSON with comments.

use std::collections::BTreeMap;

use super::{ImportError, Imported, glob};
use crate::judge::expect::Known;
use crate::judge::verdict::Verdict;
use crate::limits;

/// What the lists of one platform or execution provider begin with.
const OF_ONE: &str = "current_failing_tests_";

/// What a text consists of, as far as it is asked here.
enum Token {
    /// A string, and the line that it ends on.
    String { text: String, line: usize },
    /// What makes the string before it a name.
    Colon,
}

/// A text of which comments and commas without a use are blank, and what was in it.
struct Lexed {
    json: String,
    tokens: Vec<Token>,
    /// The comments that begin on a line, by its number.
    comments: BTreeMap<usize, String>,
}

/// Whether a text begins as an object does.
pub(super) fn is_of(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        rest = match (rest.strip_prefix("//"), rest.strip_prefix("/*")) {
            (Some(comment), _) => {
                comment.split_once('\n').map_or("", |(_, rest)| rest).trim_start()
            }
            (_, Some(comment)) => {
                comment.split_once("*/").map_or("", |(_, rest)| rest).trim_start()
            }
            (None, None) => return rest.starts_with('{'),
        };
    }
}

pub(super) fn read(file: &str, text: &str, lists: &[String]) -> Result<Imported, ImportError> {
    let error = |source| ImportError::Filters { file: file.to_owned(), source };
    let Lexed { json, tokens, comments } = lexed(text.trim_start_matches('\u{feff}'));
    // All is well-formed, and nothing but lists of strings.
    let known: BTreeMap<String, Vec<String>> = limits::from_json(json.as_bytes()).map_err(error)?;
    if let Some(list) = lists.iter().find(|list| !known.contains_key(*list)) {
        let known = known.into_keys().collect::<Vec<_>>().join(", ");
        return Err(ImportError::NoList { file: file.to_owned(), list: list.clone(), known });
    }
    let is_taken = |list: &str| match lists {
        [] => !list.starts_with(OF_ONE),
        lists => lists.iter().any(|taken| taken == list),
    };
    let mut all = Imported::default();
    let mut list = String::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let Token::String { text, line } = token else { continue };
        if matches!(tokens.peek(), Some(Token::Colon)) {
            if !is_taken(&text) {
                let count = known.get(&text).map_or(0, Vec::len);
                let why = format!("{count} patterns of a list that was not requested (--list)");
                all.left.push((text.clone(), why));
            }
            list = text;
        } else if is_taken(&list) {
            entries(&list, &text, comments.get(&line).map(String::as_str), &mut all);
        }
        if all.entries.len() > super::MOST {
            break;
        }
    }
    Ok(all)
}

/// The entries of a pattern in a list, with the comment behind it.
fn entries(list: &str, pattern: &str, comment: Option<&str>, all: &mut Imported) {
    let comment = comment.map(str::trim).filter(|comment| !comment.is_empty());
    let told = comment.unwrap_or_default().to_ascii_lowercase();
    let is_missing =
        ["unsupported", "pre_opset", "disabled"].iter().any(|word| list.contains(word))
            || ["not_implemented", "not implemented", "not supported", "not support "]
                .iter()
                .any(|words| told.contains(words));
    let verdict = if is_missing { Verdict::Unsupported } else { Verdict::Fail };
    let reason = match comment {
        Some(comment) => format!("{comment} ({list})"),
        None => format!("in {list}"),
    };
    match glob::patterns(pattern) {
        Ok(patterns) => all.entries.extend(patterns.into_iter().map(|cases| Known {
            cases,
            verdict,
            reason: reason.clone(),
            ..Known::default()
        })),
        Err(why) => all.left.push((format!("{list}: {pattern}"), why)),
    }
}

/// Takes a text apart. What is not well-formed stays so.
fn lexed(text: &str) -> Lexed {
    let (mut json, mut tokens, mut comments) = (String::new(), Vec::new(), BTreeMap::new());
    let (mut rest, mut line, mut comma) = (text, 0, None);
    while let Some(char) = rest.chars().next() {
        let length = match char {
            '"' => string_length(rest),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest[2..].find("*/").map_or(rest.len(), |at| at + 4),
            char => char.len_utf8(),
        };
        let (token, behind) = rest.split_at(length);
        rest = behind;
        line += token.matches('\n').count();
        match char {
            '/' if token.len() > 1 => {
                let comment = token.trim_start_matches(['/', '*']).trim_end_matches("*/").trim();
                comments.entry(line).or_insert_with(|| comment.to_owned());
                json.push(' ');
                continue;
            }
            '"' => {
                // One that is none is told where the whole is read.
                let text = serde_json::from_str(token).unwrap_or_default();
                tokens.push(Token::String { text, line });
            }
            ':' => tokens.push(Token::Colon),
            // A comma before the end of a list or an object has no use.
            ']' | '}' => {
                if let Some(at) = comma.take() {
                    json.replace_range(at..=at, " ");
                }
            }
            _ => {}
        }
        if char == ',' {
            comma = Some(json.len());
        } else if !char.is_whitespace() {
            comma = None;
        }
        json += token;
    }
    Lexed { json, tokens, comments }
}

/// Length of the string that a text begins with, quotes and all.
fn string_length(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text.char_indices().skip(1).find(|(_, char)| {
        let ends = *char == '"' && !is_escaped;
        is_escaped = *char == '\\' && !is_escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}
