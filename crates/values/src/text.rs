//! Strings of bytes as readers see them: quoted, escaped and cut.

use std::fmt::Write;

/// Bytes of a string that are shown before it is cut.
const STRING_SHOWN: usize = 120;

/// The string in quotes, escaped; cut after 120 bytes.
pub fn quoted(string: &[u8]) -> String {
    let (shown, rest) = string.split_at(boundary(string, STRING_SHOWN));
    let mut text = format!("\"{}\"", escaped(shown));
    if !rest.is_empty() {
        // Writing to a string does not fail.
        let _ = write!(text, " and {} more bytes", rest.len());
    }
    text
}

/// The text, cut to about so many bytes, with the number of those that were cut.
pub fn bounded(text: String, limit: usize) -> String {
    if text.len() <= limit {
        return text;
    }
    let end = boundary(text.as_bytes(), limit);
    format!("{} ... and {} more bytes", &text[..end], text.len() - end)
}

/// The largest index of at most `limit` that does not cut a character of UTF-8.
pub fn boundary(string: &[u8], limit: usize) -> usize {
    let is_start = |&index: &usize| string.get(index).is_none_or(|byte| byte & 0xc0 != 0x80);
    let limit = limit.min(string.len());
    (limit.saturating_sub(3)..=limit).rev().find(is_start).unwrap_or(limit)
}

/// The string with everything escaped that is not printed as itself.
pub fn escaped(string: &[u8]) -> String {
    let mut text = String::new();
    for chunk in string.utf8_chunks() {
        text.extend(chunk.valid().chars().flat_map(char::escape_debug));
        for byte in chunk.invalid() {
            // Writing to a string does not fail.
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_quoted_escaped_and_cut_between_characters() {
        assert_eq!(quoted(b"a\tb\"\n"), r#""a\tb\"\n""#);
        assert_eq!(quoted("d\u{fc}r\u{200b}".as_bytes()), "\"d\u{fc}r\\u{200b}\"");
        assert_eq!(quoted(b"\xff\xfea"), r#""\xff\xfea""#);
        assert_eq!(quoted(&[b'x'; 200]), format!("\"{}\" and 80 more bytes", "x".repeat(120)));
        let wide = |characters| format!("x{}", "\u{fc}".repeat(characters));
        let cut = format!("\"{}\" and 4 more bytes", wide(59));
        assert_eq!(quoted(wide(61).as_bytes()), cut);
        assert_eq!(quoted(&[0x80; 121]), format!("\"{}\" and 1 more bytes", "\\x80".repeat(120)));
    }
}
