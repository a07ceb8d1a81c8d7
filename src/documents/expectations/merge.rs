//! Patterns that differ in one folder or in the name alone, as one.

use std::collections::BTreeMap;

use super::judge::Open;
use crate::foundation::text;

/// Most patterns of one group that are set side by side: each trial looks at every open case.
const MOST: usize = 500;

/// A pattern and the cases that it is for.
pub(super) type Pattern<'o> = (String, Vec<&'o Open<'o>>);

/// The same cases by fewer patterns, each of which matches none of the others: `ids` are all of them. The corpus of
/// a pattern stays.
pub(super) fn merged<'o>(mut patterns: Vec<Pattern<'o>>, ids: &[&str]) -> Vec<Pattern<'o>> {
    let deepest = patterns.iter().map(|(pattern, _)| pattern.split('/').count()).max().unwrap_or(0);
    for place in 1..deepest {
        if patterns.len() <= MOST {
            patterns = merged_at(place, patterns, ids);
        }
    }
    patterns
}

/// Merges what differs in the part at this place alone.
fn merged_at<'o>(place: usize, patterns: Vec<Pattern<'o>>, ids: &[&str]) -> Vec<Pattern<'o>> {
    let mut alike = BTreeMap::<Vec<String>, Vec<Pattern<'o>>>::new();
    for (pattern, cases) in patterns {
        let others = pattern.split('/').enumerate().filter(|(at, _)| *at != place);
        // What has no such part is like nothing else.
        let has_part = pattern.split('/').nth(place).is_some();
        let mut key: Vec<_> = others.map(|(_, part)| part.to_owned()).collect();
        key.push(if has_part { String::new() } else { pattern.clone() });
        alike.entry(key).or_default().push((pattern, cases));
    }
    let mut all = Vec::new();
    for group in alike.into_values() {
        match one(place, &group, ids) {
            Some(pattern) => {
                all.push((pattern, group.into_iter().flat_map(|(_, cases)| cases).collect()));
            }
            None => all.extend(group),
        }
    }
    all
}

/// The one pattern of several, unless it matches a case of others.
fn one(place: usize, group: &[Pattern<'_>], ids: &[&str]) -> Option<String> {
    let [(first, _), _, ..] = group else { return None };
    let parts = || group.iter().filter_map(|(pattern, _)| pattern.split('/').nth(place));
    let common = parts().reduce(|common, part| {
        let alike = common.chars().zip(part.chars()).take_while(|(a, b)| a == b && *a != '*');
        &common[..alike.map(|(char, _)| char.len_utf8()).sum()]
    })?;
    let part = format!("{common}*");
    let parts: Vec<_> = first
        .split('/')
        .enumerate()
        .map(|(at, old)| if at == place { part.as_str() } else { old })
        .collect();
    let pattern = parts.join("/");
    let cases: usize = group.iter().map(|(_, cases)| cases.len()).sum();
    let matched = ids.iter().filter(|id| text::matches(&pattern, id)).count();
    (matched == cases).then_some(pattern)
}
