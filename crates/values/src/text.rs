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

/// The string that was [`escaped`] so; `None` where none is escaped to this text.
pub fn unescaped(text: &str) -> Option<Vec<u8>> {
    let mut string = Vec::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        let character = match character {
            '\\' => match rest.next()? {
                '0' => '\0',
                't' => '\t',
                'r' => '\r',
                'n' => '\n',
                'x' => {
                    let (byte, after) = rest.as_str().split_at_checked(2)?;
                    string.push(u8::from_str_radix(byte, 16).ok()?);
                    rest = after.chars();
                    continue;
                }
                'u' => {
                    let (code, after) = rest.as_str().strip_prefix('{')?.split_once('}')?;
                    rest = after.chars();
                    char::from_u32(u32::from_str_radix(code, 16).ok()?)?
                }
                itself => itself,
            },
            itself => itself,
        };
        string.extend(character.encode_utf8(&mut [0; 4]).bytes());
    }
    (escaped(&string) == text).then_some(string)
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

    #[test]
    fn escaped_strings_are_read_back_and_no_others() {
        for string in [
            &b""[..],
            b"a\0b\t\r\n'\"\\",
            "d\u{fc}r\u{200b}e\u{301}\u{10ffff}".as_bytes(),
            b"\xff\xfea\xe2\x82",
            br"\xff\u{41}",
        ] {
            assert_eq!(unescaped(&escaped(string)).as_deref(), Some(string));
        }
        for text in [
            "\\",
            "\\x",
            "\\x4",
            "\\x41",
            "\\x\u{fc}",
            "\\xFF",
            "\\u{41}",
            "\\u{d800}",
            "\\u",
            "\\a",
            "\"",
            "\n",
        ] {
            assert_eq!(unescaped(text), None, "{text}");
        }
    }
}
