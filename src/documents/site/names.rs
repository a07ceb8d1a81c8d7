//! Safe file names for untrusted names: distinct, harmless and short, on any system.

use std::collections::BTreeMap;

use crate::corpus::Digest;

/// Longest name that a file has as it is, in bytes.
const LONGEST: usize = 64;

/// Characters of a name that are kept before its digest.
const KEPT: usize = 24;

/// Number of digits of the digest that keep names distinct.
const DIGITS: usize = 32;

/// Names that Windows keeps for devices, whatever follows behind a dot.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// A file's name for each of these names. One that is plain, and no other one in upper or lower case, is
/// its own; all others have `~` and digits of their SHA-256, so that none is that of another.
pub(super) fn of<'a>(names: impl IntoIterator<Item = &'a str>) -> BTreeMap<&'a str, String> {
    let names: Vec<&str> = names.into_iter().collect();
    let mut alike = BTreeMap::<String, usize>::new();
    for name in &names {
        *alike.entry(name.to_ascii_lowercase()).or_default() += 1;
    }
    let is_alone = |name: &str| alike.get(&name.to_ascii_lowercase()) == Some(&1);
    let file = |name: &'a str| match is_plain(name) && is_alone(name) {
        true => (name, name.to_owned()),
        false => (name, with_digest(name)),
    };
    names.iter().copied().map(file).collect()
}

fn is_plain(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let is_device = DEVICES.iter().any(|device| {
        stem.strip_prefix(device)
            .is_some_and(|rest| rest.bytes().all(|digit| digit.is_ascii_digit()))
    });
    let is_kept = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    name.len() <= LONGEST
        && name.starts_with(|first: char| first.is_ascii_alphanumeric())
        && name.bytes().all(is_kept)
        && !name.ends_with('.')
        && !is_device
}

fn with_digest(name: &str) -> String {
    let kept = name.chars().filter(char::is_ascii_alphanumeric).take(KEPT).collect::<String>();
    format!("{kept}~{}", &Digest::of(name.as_bytes()).to_string()[..DIGITS])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn plain_names_stay_as_they_are() {
        for name in ["Div", "onnx-reference", "tract 0.21".split(' ').next().unwrap(), "a.b_c"] {
            assert_eq!(of([name])[name], name);
        }
    }

    #[test]
    fn no_name_leads_elsewhere_or_is_that_of_another() {
        let long = "x".repeat(300);
        let names = [
            "",
            ".",
            "..",
            "../up",
            "/etc",
            "a\\b",
            "C:",
            "con",
            "NUL.html",
            "com1",
            "Div",
            "div",
            "a/b",
            "a?b",
            "a b",
            "\u{202e}x",
            "a.",
            ".x",
            "-x",
            "é",
            &long,
            "ab~x",
        ];
        let files = of(names);
        let distinct: BTreeSet<String> =
            files.values().map(|file| file.to_ascii_lowercase()).collect();
        assert_eq!(distinct.len(), names.len());
        for (name, file) in &files {
            assert!(file.contains('~'), "{name} is not its own file: {file}");
            assert!(file.len() <= LONGEST, "{file}");
            assert!(
                file.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'~'),
                "{file}"
            );
        }
    }
}
