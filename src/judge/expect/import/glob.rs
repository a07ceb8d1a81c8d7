//! Regular expressions that names are searched for, as patterns in which `*` stands for any characters.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, ClassUnicodeRange, Hir, HirKind, Look, Repetition};

/// Longest expression that is read, in bytes.
const LONGEST: usize = 300;

/// Most patterns that one becomes.
const MOST: usize = 16;

/// What ONNX's runner puts behind the name of each case: the device.
const DEVICE: &str = "_cpu";

/// A part of what an expression matches.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    /// Any characters.
    Any,
    /// Something several times, or not at all.
    Several,
    Begin,
    End,
}

/// The patterns that match what an expression does of the names of cases, each followed by its device; or why there
/// are none.
pub(super) fn patterns(expression: &str) -> Result<Vec<String>, String> {
    if expression.len() > LONGEST {
        return Err(format!("it is longer than {LONGEST} bytes"));
    }
    let parsed = ParserBuilder::new().nest_limit(16).build().parse(expression);
    let hir = parsed.map_err(|_| "this form of regular expression is not supported".to_owned())?;
    alternatives(&hir)?.into_iter().map(pattern).collect()
}

/// All sequences of pieces that an expression matches.
fn alternatives(hir: &Hir) -> Result<Vec<Vec<Piece>>, String> {
    let too_many = || format!("it stands for more than {MOST} patterns");
    let all = match hir.kind() {
        HirKind::Empty => vec![vec![]],
        HirKind::Literal(literal) => match str::from_utf8(&literal.0) {
            Ok(text) if !text.contains(['*', '/']) => vec![vec![Piece::Text(text.to_owned())]],
            _ => return Err("no name of a case has such characters".to_owned()),
        },
        HirKind::Class(class) => characters(class)
            .ok_or("no `*` stands for one character of many")?
            .into_iter()
            .map(|char| vec![Piece::Text(char.to_string())])
            .collect(),
        HirKind::Look(Look::Start) => vec![vec![Piece::Begin]],
        HirKind::Look(Look::End) => vec![vec![Piece::End]],
        HirKind::Look(_) => return Err("no `*` stands for the edge of a word".to_owned()),
        HirKind::Repetition(repetition) => repeated(repetition)?,
        HirKind::Capture(capture) => alternatives(&capture.sub)?,
        HirKind::Concat(parts) => {
            let mut all = vec![vec![]];
            for part in parts {
                let part = alternatives(part)?;
                if all.len() * part.len() > MOST {
                    return Err(too_many());
                }
                let with = |begin: &Vec<Piece>| {
                    part.iter().map(|end| [&begin[..], end].concat()).collect::<Vec<_>>()
                };
                all = all.iter().flat_map(with).collect();
            }
            all
        }
        HirKind::Alternation(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(alternatives(part)?);
                if all.len() > MOST {
                    return Err(too_many());
                }
            }
            all
        }
    };
    if all.len() > MOST { Err(too_many()) } else { Ok(all) }
}

fn repeated(repetition: &Repetition) -> Result<Vec<Vec<Piece>>, String> {
    let Repetition { min, max, sub, .. } = repetition;
    match (min, max) {
        (0, None) if is_any(sub) => Ok(vec![vec![Piece::Any]]),
        (0, None) => Ok(vec![vec![Piece::Several]]),
        (0, Some(1)) => {
            let mut all = alternatives(sub)?;
            all.insert(0, vec![]);
            Ok(all)
        }
        _ => Err("no `*` stands for a number of repetitions".to_owned()),
    }
}

/// Whether an expression matches any single character, as far as names of cases have it.
fn is_any(hir: &Hir) -> bool {
    let HirKind::Class(class) = hir.kind() else { return false };
    let has = |char: char| match class {
        Class::Unicode(class) => {
            class.iter().any(|range| (range.start()..=range.end()).contains(&char))
        }
        Class::Bytes(class) => class.iter().any(|range| {
            u8::try_from(char).is_ok_and(|it| (range.start()..=range.end()).contains(&it))
        }),
    };
    (' '..='~').all(has)
}

/// The characters of a class, where they are few.
fn characters(class: &Class) -> Option<Vec<char>> {
    let Class::Unicode(class) = class else { return None };
    let count: usize = class.iter().map(ClassUnicodeRange::len).sum();
    (count <= MOST).then(|| class.iter().flat_map(|range| range.start()..=range.end()).collect())
}

/// The pattern of what is found anywhere in a name, unless it is held to the begin or the end.
fn pattern(mut pieces: Vec<Piece>) -> Result<String, String> {
    let mut pattern = match pieces.first() {
        Some(Piece::Begin) => {
            pieces.remove(0);
            String::new()
        }
        _ => "*".to_owned(),
    };
    let mut is_open = true;
    match pieces.last() {
        Some(Piece::End) => {
            pieces.pop();
            is_open = false;
        }
        // It need not be there, and whatever follows is found too.
        Some(Piece::Several) => {
            pieces.pop();
        }
        _ => {}
    }
    for piece in pieces {
        match piece {
            Piece::Text(text) => pattern += &text,
            Piece::Any if pattern.ends_with('*') => {}
            Piece::Any => pattern.push('*'),
            Piece::Several => return Err("no `*` stands for what is repeated in it".to_owned()),
            Piece::Begin | Piece::End => return Err("it is found nowhere".to_owned()),
        }
    }
    if pattern.ends_with("_cuda") {
        return Err("it is of another device than the CPU".to_owned());
    }
    if let Some(name) = pattern.strip_suffix(DEVICE) {
        pattern.truncate(name.len());
    } else if is_open && !pattern.ends_with('*') {
        pattern.push('*');
    }
    if pattern.is_empty() || pattern == "*" {
        Err("it matches every case".to_owned())
    } else {
        Ok(pattern)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_beginning_and_one_with_its_device_is_whole() {
        for (expression, expected) in [
            ("^test_div", "test_div*"),
            ("^test_div.*", "test_div*"),
            ("^test_div_cpu", "test_div"),
            ("^test_div_cpu$", "test_div"),
            ("^test_div$", "test_div"),
            ("test_div", "*test_div*"),
            ("test_div_cpu", "*test_div"),
            ("^test_div_.*_expanded_cpu", "test_div_*_expanded"),
            ("^test_div_float_*", "test_div_float*"),
            ("^test_div.*.*", "test_div*"),
            (r"^test_div\.1_cpu", "test_div.1"),
        ] {
            assert_eq!(patterns(expression), Ok(vec![expected.to_owned()]), "{expression}");
        }
    }

    #[test]
    fn alternatives_are_patterns_each() {
        for (expression, expected) in [
            ("^test_(div|mod)_cpu", &["test_div", "test_mod"][..]),
            ("^test_div_cpu|^test_mod", &["test_div", "test_mod*"]),
            ("^test_add(_bcast)?_cpu", &["test_add", "test_add_bcast"]),
            ("^test_and[2-4]d_cpu", &["test_and2d", "test_and3d", "test_and4d"]),
            (
                "^test_(max|min)_u?int8_cpu",
                &["test_max_int8", "test_max_uint8", "test_min_int8", "test_min_uint8"],
            ),
        ] {
            assert_eq!(patterns(expression).unwrap(), expected, "{expression}");
        }
    }

    #[test]
    fn what_no_pattern_says_is_refused_with_a_reason() {
        for (expression, why) in [
            ("^test_reduce_[a-z1-9_]*_axes", "is repeated in it"),
            ("^test_[a-z]_cpu", "one character of many"),
            ("^test_x{3}_cpu", "a number of repetitions"),
            ("^test_x+", "a number of repetitions"),
            (r"^test_\bdiv", "the edge of a word"),
            ("^test_div_cuda", "another device"),
            (".*", "every case"),
            ("^test_(", "regular expression is not supported"),
            (r"^test_(?=div)", "regular expression is not supported"),
            (r"^test_\*", "such characters"),
            ("^(a|b)(c|d)(e|f)(g|h)(i|j)_cpu", "more than 16 patterns"),
            ("^te$st", "found nowhere"),
            (&"x".repeat(301), "longer than"),
            (&"(".repeat(200), "regular expression is not supported"),
        ] {
            let told = patterns(expression).unwrap_err();
            assert!(told.contains(why), "{expression}: {told}");
        }
    }

    #[test]
    fn a_pattern_matches_the_names_that_the_expression_finds() {
        let names = ["test_div", "test_div_bcast", "test_div_x_expanded", "a_test_div", "test_mod"];
        for expression in [
            "^test_div",
            "test_div",
            "^test_div_cpu",
            "^test_(div|mod)_cpu",
            "^test_.*_expanded",
            "div_.*x",
        ] {
            let regex = regex::Regex::new(expression).unwrap();
            let patterns = patterns(expression).unwrap();
            for name in names {
                let found = regex.is_match(&format!("{name}{DEVICE}"));
                let matched =
                    patterns.iter().any(|pattern| crate::foundation::text::matches(pattern, name));
                assert_eq!(matched, found, "{expression} on {name}");
            }
        }
    }
}
