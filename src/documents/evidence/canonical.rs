//! Where bytes differ from those that a document is written as.

use std::io::{self, Write};

use serde::Serialize;

/// The first line in which bytes differ from those of a document; none where they are its bytes.
pub(super) fn differing_line<T: Serialize>(document: &T, bytes: &[u8]) -> Option<usize> {
    let mut rest = Rest { bytes, line: 1 };
    // Nothing but the difference itself ends the writing of what was read.
    let is_written = serde_json::to_writer_pretty(&mut rest, document).is_ok();
    let is_same = is_written && rest.write_all(b"\n").is_ok() && rest.bytes.is_empty();
    (!is_same).then_some(rest.line)
}

/// How many bytes two texts have in common at their beginning, and how many lines end in them.
pub(super) fn common(one: &[u8], other: &[u8]) -> (usize, usize) {
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    (same, one[..same].iter().filter(|&&byte| byte == b'\n').count())
}

/// What is still to come of bytes that are written again, none of them kept.
struct Rest<'a> {
    bytes: &'a [u8],
    /// The line where they begin.
    line: usize,
}

impl Write for Rest<'_> {
    fn write(&mut self, written: &[u8]) -> io::Result<usize> {
        let (same, lines) = common(written, self.bytes);
        self.line += lines;
        self.bytes = &self.bytes[same..];
        match same == written.len() {
            true => Ok(same),
            false => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::document::to_bytes;

    #[test]
    fn bytes_differ_from_a_document_in_their_first_line_that_does() {
        let document = json!({"a": [1, 2], "b": "x"});
        let bytes = to_bytes(&document).unwrap();
        assert_eq!(differing_line(&document, &bytes), None);
        let edited = |from: &str, to: &str| {
            let text = String::from_utf8(bytes.clone()).unwrap().replacen(from, to, 1);
            differing_line(&document, text.as_bytes())
        };
        assert_eq!(edited("{", "["), Some(1));
        assert_eq!(edited("2", "3"), Some(4));
        assert_eq!(edited("}", "} "), Some(7));
        assert_eq!(edited("}\n", "}"), Some(7));
        assert_eq!(edited("}\n", "}\n\n"), Some(8));
        assert_eq!(edited("x", "x\", \"c\": \""), Some(6));
    }
}
