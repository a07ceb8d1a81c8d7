//! Of the expressions of RE2.

use regex::bytes::Regex;

use super::*;

fn is_match(pattern: &str, text: &str) -> bool {
    let read = read(pattern).unwrap();
    let regex = Regex::new(&format!(r"\A(?:{})\z", read.ranges)).unwrap();
    regex.is_match(text.as_bytes())
}

/// Holds a pattern against strings that it matches, and others that it does not.
fn check(pattern: &str, matched: &[&str], others: &[&str]) {
    for text in matched {
        assert!(is_match(pattern, text), "{pattern} {text:?}");
    }
    for text in others {
        assert!(!is_match(pattern, text), "{pattern} {text:?}");
    }
}

#[test]
fn the_whole_string_has_to_match_whichever_alternative_does() {
    check("", &[""], &["a"]);
    check("abc", &["abc"], &["abcd", "xabc", "ABC", "ab", ""]);
    check("a|ab|abc", &["a", "ab", "abc"], &["abcd", "b", ""]);
    check("(a|ab)(c|bcd)", &["abcd", "ac", "abc", "abbcd"], &["abcde", "bc"]);
    check("a||b", &["a", "", "b"], &["ab"]);
}

#[test]
fn repetitions_are_read_lazy_or_not() {
    check("ab*?c", &["ac", "abbbc"], &["abb"]);
    check("(?U)ab+c", &["abc", "abbc"], &["ac"]);
    check("a{2}", &["aa"], &["a", "aaa"]);
    check("a{2,}", &["aa", "aaaa"], &["a"]);
    check("(ab){0,2}", &["", "abab"], &["ababab"]);
    check("a{0}b", &["b"], &["ab"]);
    check("a{1000}", &[&"a".repeat(1000)], &[&"a".repeat(999)]);
}

#[test]
fn a_dot_is_any_character_but_ends_of_lines() {
    check("a.c", &["abc", "a\u{e9}c", "a\u{1f600}c", "a\rc"], &["a\nc", "ac"]);
    check("(?s)a.c", &["a\nc", "a\u{e9}c"], &["ac"]);
    check("(?s:.)(?-s:.)", &["\na"], &["\n\n"]);
    check("((?s).).", &["\na"], &["\n\n"]);
}

#[test]
fn classes_are_of_ranges_and_names() {
    check("[^a]", &["\n", "\u{e9}", "b"], &["a", "bb"]);
    check("[]a]+", &["a]"], &["["]);
    check("[^]a]", &["b"], &["]", "a"]);
    check("[-a]+[a-]", &["a-"], &["b"]);
    check(r"[\]\[\\^-]+", &[r"^-][\"], &["a"]);
    check("[[ab]+", &["[a"], &["]"]);
    check("[a&&b~~c]+", &["a&b~c"], &["d"]);
    check("[\u{430}-\u{44f}]", &["\u{436}"], &["\u{410}"]);
    check("[[:alpha:][:digit:]_]+", &["a1_Z"], &["\u{e9}", "-"]);
    check("[[:^digit:]]", &["a", "\u{661}"], &["1"]);
    check("[[:space:]]", &["\u{b}", " "], &["\u{a0}"]);
    check("[[:punct:]]+", &["!/:@[`{~"], &["a"]);
    check(r"[^\W\d]+", &["a_"], &["1", "-"]);
}

#[test]
fn classes_of_letters_are_of_ascii() {
    check(r"\d+", &["0189"], &["\u{661}", "\u{ff11}", "a"]);
    check(r"\D", &["\u{661}", "a"], &["1"]);
    check(r"\w+", &["aZ_9"], &["\u{e9}", "-"]);
    check(r"\W", &["\u{e9}", "-"], &["a"]);
    check(r"\s+", &["\t\n\u{c}\r "], &["\u{b}", "\u{a0}"]);
    check(r"\S", &["\u{b}", "\u{a0}", "a"], &[" "]);
    check(r"a\b.", &["a\u{e9}", "a "], &["aa", "a_"]);
    check(r"a\B.", &["aa", "a_"], &["a\u{e9}", "a "]);
}

#[test]
fn positions_are_those_of_the_text_or_of_lines() {
    check("^abc$", &["abc"], &["abc\n", "\nabc"]);
    check("a$b|a^b", &[], &["ab"]);
    check("(?m)^a$\n^b$", &["a\nb"], &["ab", "a\n\nb"]);
    check(r"\Aa\z", &["a"], &["a\n"]);
}

#[test]
fn escapes_stand_for_characters() {
    check(r"\.\*\+\?\(\)\|\[\]\{\}\^\$\\\/\_", &[r".*+?()|[]{}^$\/_"], &[]);
    check(r"\a\f\t\n\r\v", &["\u{7}\u{c}\t\n\r\u{b}"], &[]);
    check(r"\x41\x{e9}\x{1F600}", &["A\u{e9}\u{1f600}"], &[]);
    check("]}", &["]}"], &[]);
}

#[test]
fn case_is_folded_where_flags_say_so() {
    check("(?i)aBc", &["AbC"], &["ab"]);
    check("(?i:a)b", &["Ab", "ab"], &["AB"]);
    check("a(?i)b|c", &["aB", "C"], &["A"]);
    check("(?i)[^a-c]", &["d"], &["A", "b"]);
    check("(?i)[a-c]{2}(?-i)d", &["aCd"], &["acD"]);
    check(r"(?i)\w", &["K"], &["-"]);
    assert!(read("(?i)a").unwrap().folds_case && !read("(?s)a").unwrap().folds_case);
}

#[test]
fn groups_may_have_names() {
    check("(?P<a1>b)(?P<c_>d)(?:e)", &["bde"], &[]);
    check("((a)(b|))", &["a", "ab"], &["b"]);
}

#[test]
fn what_is_no_expression_is_invalid() {
    for pattern in [
        "(",
        ")",
        "a)(b",
        "(?:a",
        "[",
        "[]",
        "[^]",
        "[a",
        "[b-a]",
        "*",
        "a|*",
        "(+)",
        "{2}",
        "a{1001}",
        "a{2,1}",
        r"\",
        r"\1",
        r"\9",
        r"\Z",
        r"\y",
        r"\i",
        r"\x",
        r"\xg0",
        r"\x{}",
        r"\x{110000}",
        "(?=a)",
        "(?!a)",
        "(?<=a)",
        "(?<!a)",
        "(?>a)",
        "(?#a)",
        "(?P=a)",
        "[[:other:]]",
        "(?",
        r"[\",
    ] {
        let problem = read(pattern).unwrap_err();
        assert!(matches!(problem, Problem::Invalid(_)), "{pattern} {problem:?}");
    }
}

#[test]
fn what_is_read_otherwise_by_others_is_open() {
    let deep = format!("{}a{}", "(".repeat(200), ")".repeat(200));
    for pattern in [
        "a**",
        "a*+",
        "a{2}{3}",
        "^*",
        r"\b+",
        "a{",
        "a{,2}",
        "a{x}",
        "(a{40}){40}",
        "[a-c-e]",
        r"[a-\d]",
        "[a-[b]]",
        "[[:a]",
        r"\pL",
        r"\C",
        r"\101",
        r"\0",
        r"\Qa\E",
        r"[\b]",
        r"\x{d800}",
        "\\\u{e9}",
        r"\ ",
        "(?i)\u{e9}",
        "(?i)[a-\u{e9}]",
        "(?i)[[:upper:]]",
        "(?<a>b)",
        "(?x)a",
        "(?)",
        "(?i-)",
        "(?P<a>b)(?P<a>c)",
        "(?P<>a)",
        "(?R)",
        "a{99999999999}",
        "a{02}",
        &deep,
    ] {
        let problem = read(pattern).unwrap_err();
        assert!(matches!(problem, Problem::Open(_)), "{pattern} {problem:?}");
    }
}
