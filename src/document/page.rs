//! What all pages share: escaping, the content security policy, style and script, and addresses within a page.

use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

use crate::foundation::printable::is_hidden;

/// The style sheet of all pages.
pub(crate) const STYLE: &str = include_str!("../documents/report/templates/report.css");
/// The script of pages without filters: the theme switch, and the focus kept in sight.
pub(crate) const PAGE_SCRIPT: &str = concat!(
    include_str!("../documents/report/templates/theme.js"),
    include_str!("../documents/report/templates/focus.js")
);
/// Escapes text for HTML, attribute values included, and shows hidden characters as Rust escapes.
#[derive(Clone, Copy, Debug)]
pub struct Escape;

impl askama::filters::Escaper for Escape {
    fn write_escaped_str<W: fmt::Write>(&self, mut dest: W, string: &str) -> fmt::Result {
        // Nearly all of a page.
        let is_plain = |byte: u8| {
            matches!(byte, b' '..=b'~') && !matches!(byte, b'<' | b'>' | b'&' | b'"' | b'\'')
        };
        // All are looked at, as then many are at once.
        if string.bytes().fold(true, |all, byte| all & is_plain(byte)) {
            return dest.write_str(string);
        }
        let mut written = 0;
        for (at, c) in string.char_indices() {
            let entity = match c {
                '<' => "&lt;",
                '>' => "&gt;",
                '&' => "&amp;",
                '"' => "&quot;",
                '\'' => "&#39;",
                _ if is_hidden(c) => "",
                _ => continue,
            };
            dest.write_str(&string[written..at])?;
            if entity.is_empty() {
                write!(dest, "{}", c.escape_default())?;
            } else {
                dest.write_str(entity)?;
            }
            written = at + c.len_utf8();
        }
        dest.write_str(&string[written..])
    }
}

/// Nothing is loaded, and nothing but the page's own style and script, if it has one, applies.
pub(crate) fn content_security_policy(style: &str, script: Option<&str>) -> String {
    let own = |text: &str| format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)));
    let script = script.map_or_else(String::new, |script| format!(" script-src {};", own(script)));
    format!(
        "default-src 'none'; style-src {};{script} base-uri 'none'; form-action 'none'",
        own(style)
    )
}

/// The stable address of a case on the page: `case-` and its id, [`encoded`].
pub(crate) fn anchor(case: &str) -> String {
    format!("case-{}", encoded(case))
}

/// The stable address of a requirement on the page of a matrix: its id, or, where that is none of a
/// catalogue, `requirement-` and what is in its place, [`encoded`].
pub(crate) fn requirement_anchor(id: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    if !id.is_empty() && id.bytes().all(is_plain) {
        return id.to_owned();
    }
    format!("requirement-{}", encoded(id))
}

/// A name in an address: every byte but letters, digits and `-._/` as `~` and two hexadecimal digits.
fn encoded(name: &str) -> String {
    let mut encoded = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte.is_ascii_alphanumeric() || b"-._/".contains(&byte) {
            true => encoded.push(char::from(byte)),
            false => encoded += &format!("~{byte:02x}"),
        }
    }
    encoded
}
