//! Files of a limited size.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The bytes of a file of at most so many. Of a larger one the error is of the kind `FileTooLarge`.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    // One byte more, so that the read that finds the end needs no more memory.
    let expected = file.metadata()?.len().min(limit).saturating_add(1);
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or_default());
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        let message = format!("it is larger than {limit} bytes, so none of this tool's");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// The text of a file of at most so many bytes.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    String::from_utf8(read(path, limit)?)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_its_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "four").unwrap();
        assert_eq!(read_text(&path, 4).unwrap(), "four");
        let error = read(&path, 3).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert!(error.to_string().contains("larger than 3 bytes"));
    }

    #[test]
    fn text_is_utf8_and_a_device_without_a_length_is_no_way_round_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, b"\xff").unwrap();
        assert_eq!(read_text(&path, 4).unwrap_err().kind(), io::ErrorKind::InvalidData);
        let zeros = Path::new("/dev/zero");
        if zeros.exists() {
            assert_eq!(read(zeros, 1000).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        }
    }
}
