//! Tests: archives as others make them, and hostile ones.

use std::io::{Read, Write};

use ::tar::{Builder, EntryType, Header};
use ::zip::write::SimpleFileOptions;
use ::zip::{CompressionMethod, ZipWriter};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;

const FILE_BYTES: u64 = 1 << 20;

fn read(archive: Vec<u8>) -> Result<BTreeMap<String, Bytes>, ArchiveError> {
    files(&archive.into(), FILE_BYTES)
}

/// A zip of these files, compressed as `zip -r` does.
fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (path, content) in files {
        match path.strip_suffix('/') {
            Some(folder) => zip.add_directory(folder, options).unwrap(),
            None => {
                zip.start_file(*path, options).unwrap();
                zip.write_all(content).unwrap();
            }
        }
    }
    zip.finish().unwrap().into_inner()
}

fn header(kind: EntryType, size: u64) -> Header {
    let mut header = Header::new_ustar();
    header.set_entry_type(kind);
    header.set_size(size);
    header
}

/// A tar.gz of these files.
fn packed(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut tar = Builder::new(GzEncoder::new(Vec::new(), Compression::best()));
    for (path, content) in files {
        let kind = if path.ends_with('/') { EntryType::Directory } else { EntryType::Regular };
        tar.append_data(&mut header(kind, content.len() as u64), path, *content).unwrap();
    }
    tar.into_inner().unwrap().finish().unwrap()
}

const FILES: [(&str, &[u8]); 4] =
    [("top/", b""), ("top/a/", b""), ("top/a/model.onnx", b"model"), ("top/b", b"b")];

#[test]
fn archives_of_every_kind_hold_the_same_files() {
    let mut plain = Vec::new();
    GzDecoder::new(&packed(&FILES)[..]).read_to_end(&mut plain).unwrap();
    let stored = canonical::pack(&FILES[2..]).unwrap();
    for archive in [zipped(&FILES), packed(&FILES), plain, stored] {
        let files = read(archive).unwrap();
        let files: Vec<_> = files.iter().map(|(path, it)| (path.as_str(), &it[..])).collect();
        assert_eq!(files, FILES[2..]);
    }
}

#[test]
fn a_zip_of_more_than_65535_entries_is_read_and_one_that_claims_absurdly_many_is_not() {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for at in 0..66_000 {
        zip.start_file(format!("a/{at}"), SimpleFileOptions::default()).unwrap();
    }
    let archive = zip.finish().unwrap().into_inner();
    assert_eq!(read(archive.clone()).unwrap().len(), 66_000);
    let record = archive.windows(4).rposition(|bytes| bytes == b"PK\x06\x06").unwrap();
    let mut absurd = archive.clone();
    for at in [24, 32] {
        absurd[record + at..][..8].copy_from_slice(&u64::from(u32::MAX).to_le_bytes());
    }
    // And a locator that leads elsewhere.
    let mut elsewhere = archive;
    elsewhere[record + RECORD + 8] ^= 1;
    for archive in [absurd, elsewhere] {
        let error = read(archive).unwrap_err();
        assert!(matches!(error, ArchiveError::Zip(ZipError::UnsupportedArchive(_))), "{error:?}");
    }
}

/// Bytes of the record of a zip64 directory's end.
const RECORD: usize = 56;

#[test]
fn what_is_no_archive_is_said_to_be_none() {
    for bytes in [&b""[..], b"PK", b"model", &[0; 600]] {
        assert!(matches!(read(bytes.to_vec()), Err(ArchiveError::Unknown)), "{bytes:?}");
    }
    assert!(read(zipped(&[])).unwrap().is_empty());
}

#[test]
fn an_archive_that_is_cut_short_is_an_error_wherever_that_is() {
    for archive in [zipped(&FILES), packed(&FILES), canonical::pack(&FILES[2..]).unwrap()] {
        for length in 0..archive.len() {
            // Of gzip's own end a reader of tar sees nothing; that is looked at all the same.
            assert!(read(archive[..length].to_vec()).is_err(), "{length} of {}", archive.len());
        }
    }
}

#[test]
fn a_file_whose_checksum_is_another_is_an_error() {
    let mut archive = canonical::pack(&FILES[2..]).unwrap();
    let at = archive.windows(5).position(|bytes| bytes == b"model").unwrap();
    let at = at + "model.onnx".len();
    assert_eq!(&archive[at..at + 5], b"model");
    archive[at] ^= 1;
    assert!(matches!(read(archive), Err(ArchiveError::Damaged(_))));
}

#[test]
fn an_entry_that_leaves_the_archive_is_refused() {
    let names = ["../x", "/x", "a/../../x", "C:/x", "a\\..\\x", "a//b", "a/./b", "a\u{1b}b"];
    for name in names {
        for archive in [zipped(&[(name, b"1")]), canonical::pack(&[(name, b"1")]).unwrap()] {
            let error = read(archive).unwrap_err();
            assert!(matches!(error, ArchiveError::Hostile(..)), "{name:?}: {error}");
        }
        let mut tar = Builder::new(Vec::new());
        let mut raw = header(EntryType::Regular, 1);
        raw.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        raw.set_cksum();
        tar.append(&raw, &b"1"[..]).unwrap();
        let error = read(tar.into_inner().unwrap()).unwrap_err();
        assert!(matches!(error, ArchiveError::Hostile(..)), "{name:?}: {error}");
    }
}

#[test]
fn links_and_devices_are_refused() {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.add_symlink("a", "b", SimpleFileOptions::default()).unwrap();
    let mut archives = vec![zip.finish().unwrap().into_inner()];
    for kind in [EntryType::Symlink, EntryType::Link, EntryType::Char, EntryType::Fifo] {
        let mut tar = Builder::new(Vec::new());
        tar.append_link(&mut header(kind, 0), "a", "b").unwrap();
        archives.push(tar.into_inner().unwrap());
    }
    for archive in archives {
        assert!(matches!(read(archive), Err(ArchiveError::Hostile(..))));
    }
}

#[test]
fn a_path_that_is_there_twice_is_refused() {
    let mut twice = zipped(&[("a/b", b"1"), ("a/c", b"2")]);
    for at in 0..twice.len() - 3 {
        if &twice[at..at + 3] == b"a/c" {
            twice[at + 2] = b'b';
        }
    }
    assert!(matches!(read(twice), Err(ArchiveError::Zip(_))));
    assert!(matches!(read(packed(&[("a", b"1"), ("a", b"1")])), Err(ArchiveError::Hostile(..))));
    // By another spelling.
    assert!(matches!(read(packed(&[("a", b"1"), ("./a", b"1")])), Err(ArchiveError::Hostile(..))));
    assert!(matches!(read(zipped(&[("a", b"1"), ("./a", b"1")])), Err(ArchiveError::Hostile(..))));
}

#[test]
fn an_encrypted_file_is_refused() {
    let mut archive = zipped(&[("a", b"1")]);
    let central = archive.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").unwrap();
    archive[6] |= 1;
    archive[central + 8] |= 1;
    assert!(matches!(read(archive), Err(ArchiveError::Zip(ZipError::UnsupportedArchive(_)))));
}

#[test]
fn bombs_are_limited_by_what_they_give_and_not_by_what_they_declare() {
    let zeros = vec![0; FILE_BYTES as usize + 1];
    for content in [&zeros[..], &zeros[1..]] {
        let fits = content.len() as u64 == FILE_BYTES;
        let stored = canonical::pack(&[("a", content)]).unwrap();
        for archive in [zipped(&[("a", content)]), packed(&[("a", content)]), stored] {
            match read(archive) {
                Ok(_) => assert!(fits),
                Err(ArchiveError::Limit(_)) => assert!(!fits),
                Err(other) => panic!("{other}"),
            }
        }
    }
    // A zip that declares a byte, and one that declares 4 GB.
    for declared in [1_u32, u32::MAX - 1] {
        let mut archive = zipped(&[("a", &zeros)]);
        let central = archive.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").unwrap();
        archive[central + 24..][..4].copy_from_slice(&declared.to_le_bytes());
        archive[22..26].copy_from_slice(&declared.to_le_bytes());
        assert!(read(archive).is_err(), "{declared}");
    }
}

#[test]
fn a_stream_that_decompresses_beyond_its_limit_is_refused_however_small_it_is() {
    let zeros = vec![0; 1 << 20];
    for (limit, fits) in [(4 << 20, true), (1 << 20, false)] {
        let archive = packed(&[("a", &zeros)]);
        assert!(archive.len() < 3000);
        let mut skip = |_: &str, _: EntryKind<'_>, _: &mut dyn Read| Ok::<_, ArchiveError>(());
        match entries(Cursor::new(archive), limit, &mut skip) {
            Ok(()) => assert!(fits),
            Err(ArchiveError::Limit(_)) => assert!(!fits),
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn too_many_entries_are_refused() {
    let mut tar = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for _ in 0..=MAX_ENTRIES {
        tar.append_data(&mut header(EntryType::Directory, 0), "a/", &b""[..]).unwrap();
    }
    let archive = tar.into_inner().unwrap().finish().unwrap();
    assert!(matches!(read(archive), Err(ArchiveError::Limit(_))));
}
