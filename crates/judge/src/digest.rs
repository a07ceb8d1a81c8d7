//! SHA-256 digests of files, cases and corpora, such that `sha256sum` gives the same.

use std::fmt;
use std::io::{self, Read};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

/// A SHA-256 digest; text form is 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Digest of the content of one file.
    pub fn of(content: &[u8]) -> Self {
        Self(Sha256::digest(content).into())
    }

    /// Digest of what a reader gives, and its size, in little memory.
    pub fn of_reader(mut reader: impl Read) -> io::Result<(Self, u64)> {
        let mut hasher = Sha256::new();
        let mut buffer = vec![0; 1 << 16];
        let mut size = 0;
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => return Ok((Self(hasher.finalize().into()), size)),
                Ok(read) => {
                    hasher.update(&buffer[..read]);
                    size += read as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Digest of a case over its files, or of a corpus over its cases: of the lines `<digest>  <path>`,
    /// each ended by a newline, in byte order of the paths, which are relative and have forward slashes.
    ///
    /// In the folder of a case this prints the same:
    /// `find . -type f -printf '%P\0' | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum`.
    pub fn of_all<'a>(entries: impl IntoIterator<Item = (&'a str, Self)>) -> Self {
        let mut entries: Vec<_> = entries.into_iter().collect();
        entries.sort_unstable();
        let mut hasher = Sha256::new();
        for (name, digest) in entries {
            hasher.update(format!("{digest}  {name}\n"));
        }
        Self(hasher.finalize().into())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = [0; 64];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(self.0) {
            pair.copy_from_slice(
                &[byte >> 4, byte & 0xf].map(|digit| b"0123456789abcdef"[usize::from(digit)]),
            );
        }
        f.write_str(str::from_utf8(&digits).unwrap_or_default())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// The text is not that of a digest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a SHA-256 digest of 64 lower-case hexadecimal digits")]
pub struct ParseDigestError(pub String);

impl FromStr for Digest {
    type Err = ParseDigestError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ParseDigestError(text.chars().take(80).collect());
        let is_digit = |digit: u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
        if text.len() != 64 || !text.bytes().all(is_digit) {
            return Err(error());
        }
        let mut bytes = [0; 32];
        for (byte, start) in bytes.iter_mut().zip((0..).step_by(2)) {
            *byte = u8::from_str_radix(&text[start..start + 2], 16).map_err(|_| error())?;
        }
        Ok(Self(bytes))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // FIPS 180-4, the examples of an empty message and of "abc".
    const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn a_digest_reads_back_from_its_text() {
        assert_eq!(Digest::of(b"").to_string(), EMPTY);
        assert_eq!(Digest::of(b"abc").to_string(), ABC);
        assert_eq!(ABC.parse(), Ok(Digest::of(b"abc")));
    }

    #[test]
    fn text_that_is_no_digest_is_refused() {
        for text in ["", "abc", &ABC[1..], &ABC.to_uppercase(), &ABC.replace('b', "g")] {
            assert!(text.parse::<Digest>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_case_is_hashed_over_the_lines_of_sha256sum_in_byte_order() {
        let lines = format!("{ABC}  a/b\n{EMPTY}  model.onnx\n");
        let files = [("model.onnx", Digest::of(b"")), ("a/b", Digest::of(b"abc"))];
        assert_eq!(Digest::of_all(files), Digest::of(lines.as_bytes()));
    }
}
