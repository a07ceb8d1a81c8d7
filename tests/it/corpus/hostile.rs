//! Archives that try to do harm are refused as a whole, and nothing of them stays.

use std::fs;

use onnx_conformance::corpus::fetch::{Request, Source};
use onnx_conformance::corpus::{CaseKind, CorpusError};
use onnx_conformance::suites::archive::ArchiveError;
use tar::EntryType;

use super::synthetic::{Files, NODE, RELEASE, TestHome, files, gzip, tar, tar_header, zip};

/// Fetches from an archive of this content, making a lock, so that only the unpacking can object.
fn refusal(name: &str, archive: &[u8]) -> CorpusError {
    let home = TestHome::new();
    let request = Request::from_source(RELEASE, home.archive(name, archive));
    let error = home.fetch(&Request { write_lock: true, ..request }).unwrap_err();
    assert_eq!(home.in_corpora(), Vec::<String>::new(), "nothing stays");
    assert_eq!(home.home.locks().unwrap(), Vec::<String>::new(), "nothing is locked");
    assert_eq!(error.exit_code(), 5);
    match error {
        CorpusError::Failed { mut attempts, .. } => attempts.pop().unwrap().1,
        other => panic!("{other}"),
    }
}

fn assert_hostile(name: &str, archive: &[u8], part_of_problem: &str) {
    match refusal(name, archive) {
        CorpusError::Archive(ArchiveError::Hostile(_, problem))
            if problem.contains(part_of_problem) => {}
        other => panic!("{other}: not for a reason like `{part_of_problem}`"),
    }
}

/// Names that no release has, each with a part of the reason it is refused for.
const NAMES: [(&str, &str); 8] = [
    ("/tmp/onnx-conformance-absolute", "absolute"),
    ("../onnx-conformance-above", "climbs"),
    ("onnx/backend/test/data/node/../../../../../x", "climbs"),
    ("onnx/backend/test/data/node/test_add/../../../x", "climbs"),
    ("C:/Windows/x", "colon"),
    ("onnx\\backend\\x", "backslash"),
    ("onnx/backend/test/data/node//test_add/x", "empty part"),
    ("onnx/\x1b[31m", "control"),
];

/// The zip archive of these files, in which one name is replaced by another of the same length.
fn renamed(files: &Files, from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut archive = zip(files);
    let places: Vec<_> = (0..archive.len() - from.len())
        .filter(|&start| archive[start..].starts_with(from.as_bytes()))
        .collect();
    assert_eq!(places.len(), 2, "in its own header and in the directory");
    for start in places {
        archive[start..start + to.len()].copy_from_slice(to.as_bytes());
    }
    archive
}

/// A tar archive with a valid release in it and before that an entry.
fn tar_with(header: &tar::Header, content: &[u8]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    archive.append(header, content).unwrap();
    // The end of the one is cut off: the other follows.
    let mut bytes = archive.into_inner().unwrap();
    bytes.truncate(bytes.len() - 1024);
    bytes.extend(tar(&files(), "onnx-0.0.1"));
    bytes
}

#[test]
fn names_that_leave_the_archive_are_refused_in_a_zip() {
    for (name, problem) in NAMES {
        let mut files = files();
        let placeholder = "x".repeat(name.len());
        files.insert(placeholder.clone(), b"harm".to_vec());
        assert_hostile("onnx.whl", &renamed(&files, &placeholder, name), problem);
    }
}

#[test]
fn names_that_leave_the_archive_are_refused_in_a_tar() {
    for (name, problem) in NAMES {
        let archive = tar_with(&tar_header(name, 4), b"harm");
        assert_hostile("onnx.tar", &archive, problem);
        assert_hostile("onnx.tar.gz", &gzip(&archive), problem);
    }
}

#[test]
fn a_name_in_an_extension_header_is_judged_like_any_other() {
    let pax: &[u8] = b"16 path=../../x\n";
    for (kind, content) in [(EntryType::XHeader, pax), (EntryType::GNULongName, b"../../x\0")] {
        let mut header = tar_header("extension", content.len());
        header.set_entry_type(kind);
        header.set_cksum();
        assert_hostile("onnx.tar", &tar_with(&header, content), "climbs");
    }
}

#[test]
fn an_extension_header_of_absurd_size_is_refused() {
    let content = vec![b'x'; 1 << 20];
    for kind in [EntryType::XHeader, EntryType::GNULongName, EntryType::GNULongLink] {
        let mut header = tar_header("extension", content.len());
        header.set_entry_type(kind);
        header.set_cksum();
        let error = refusal("onnx.tar", &tar_with(&header, &content));
        assert!(matches!(error, CorpusError::Archive(ArchiveError::Limit(_))), "{error}");
    }
}

#[test]
fn links_among_the_data_and_links_that_leave_the_archive_are_refused() {
    let links = [
        (format!("{NODE}/test_add/link"), "model.onnx", "is a link"),
        ("onnx-0.0.1/onnx/backend".to_owned(), "../other", "is a link"),
        ("README".to_owned(), "/etc/passwd", "links out of"),
        ("docs/README".to_owned(), "../../README", "links out of"),
    ];
    for (name, target, problem) in links {
        for kind in [EntryType::Symlink, EntryType::Link] {
            let mut header = tar_header(&name, 0);
            header.set_entry_type(kind);
            header.set_link_name(target).unwrap();
            header.set_cksum();
            assert_hostile("onnx.tar", &tar_with(&header, b""), problem);
        }
        let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        archive
            .add_symlink(name.as_str(), target, zip::write::SimpleFileOptions::default())
            .unwrap();
        let archive = archive.finish().unwrap().into_inner();
        assert_hostile("onnx.whl", &archive, problem);
    }
}

#[test]
fn a_link_elsewhere_that_stays_inside_is_left_out() {
    let home = TestHome::locked();
    let mut header = tar_header("onnx-0.0.1/docs/README", 0);
    header.set_entry_type(EntryType::Symlink);
    header.set_link_name("../README").unwrap();
    header.set_cksum();
    home.fetch_from(home.archive("onnx.tar", &tar_with(&header, b""))).unwrap();
}

#[test]
fn devices_and_pipes_are_refused() {
    for kind in [EntryType::Char, EntryType::Block, EntryType::Fifo, EntryType::GNUSparse] {
        let mut header = tar_header("device", 0);
        header.set_entry_type(kind);
        header.set_cksum();
        assert_hostile("onnx.tar", &tar_with(&header, b""), "neither a file nor a folder");
    }
}

#[test]
fn an_entry_that_is_there_twice_is_refused() {
    let model = format!("{NODE}/test_add/model.onnx");
    let archive = tar_with(&tar_header(&model, 4), b"harm");
    assert_hostile("onnx.tar", &archive, "twice");

    let mut files = files();
    let other = model.replace("test_add", "test_xyz");
    files.insert(other.clone(), b"harm".to_vec());
    let error = refusal("onnx.whl", &renamed(&files, &other, &model));
    assert!(matches!(error, CorpusError::Archive(ArchiveError::Zip(_))), "{error}");
    // Two entries that go to one place.
    files.remove(&other);
    files.insert(format!("root/{model}"), b"harm".to_vec());
    assert_hostile("onnx.whl", &zip(&files), "twice");
}

#[test]
fn a_file_where_a_folder_has_to_be_is_refused() {
    let mut files = files();
    files.retain(|path, _| !path.contains("/test_add/"));
    let archive = tar_with(&tar_header(&format!("{NODE}/test_add_10"), 4), b"harm");
    let error = refusal("onnx.tar", &archive);
    assert!(matches!(error, CorpusError::Io("write", ..)), "{error}");
}

#[test]
#[cfg(unix)]
fn a_folder_with_a_link_among_the_data_is_refused() {
    let home = TestHome::new();
    super::synthetic::write_folder(&home.path("folder"), &files());
    let link = home.path("folder").join(NODE).join("test_add/link.pb");
    std::os::unix::fs::symlink("/etc/passwd", link).unwrap();
    let source = Source::Archive(home.path("folder"));
    let request = Request::from_source(RELEASE, source);
    let error = home.fetch(&Request { write_lock: true, ..request }).unwrap_err();
    assert!(error.to_string().contains("link.pb"), "{error}");
}

#[test]
fn an_archive_cut_anywhere_is_refused() {
    let whole = [
        ("onnx.whl", zip(&files())),
        ("onnx.tar", tar(&files(), "onnx-0.0.1")),
        ("onnx.tar.gz", gzip(&tar(&files(), "onnx-0.0.1"))),
    ];
    for (name, whole) in whole {
        // Among them cuts between the entries of a tar, which leave entries that are whole.
        let cuts = (1..whole.len()).step_by(97).chain((512..whole.len()).step_by(512));
        for cut in cuts.chain([whole.len() - 1]) {
            drop(refusal(name, &whole[..cut]));
        }
    }
}

#[test]
fn a_changed_byte_in_compressed_content_is_refused_by_its_checksum() {
    let mut archive = gzip(&tar(&files(), "onnx-0.0.1"));
    let checksum = archive.len() - 8;
    archive[checksum] ^= 1;
    let error = refusal("onnx.tar.gz", &archive);
    assert!(matches!(error, CorpusError::Archive(ArchiveError::Damaged(_))), "{error}");
}

#[test]
fn the_large_form_of_zip_is_refused() {
    let mut archive = zip(&files());
    let end = archive.len() - 22;
    archive.splice(end..end, *b"PK\x06\x07................");
    let error = refusal("onnx.whl", &archive);
    assert!(error.to_string().contains("unusable"), "{error}");
    assert!(matches!(error, CorpusError::Archive(ArchiveError::Zip(_))), "{error}");
}

#[test]
fn an_archive_of_something_else_is_said_to_lack_node_data() {
    let mut files = files();
    files.retain(|path, _| !path.starts_with(NODE));
    let error = refusal("onnx.whl", &zip(&files));
    assert!(matches!(error, CorpusError::NoCasesOf(CaseKind::Node)), "{error}");
}

#[test]
fn a_missing_archive_is_named() {
    let home = TestHome::locked();
    let source = Source::Archive(home.path("missing.whl"));
    let error = home.fetch_from(source).unwrap_err();
    assert!(error.to_string().contains("missing.whl"), "{error}");
    assert!(fs::exists(home.home.corpora()).unwrap());
}
