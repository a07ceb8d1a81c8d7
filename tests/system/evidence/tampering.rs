//! Whatever is done to a pack, the check finds it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use onnx_conformance::document::JsonDocument;
use onnx_conformance::documents::evidence::document::Manifest;
use onnx_conformance::documents::evidence::{self, VerifyError};
use onnx_conformance::judge::verdict::Verdict;
use rayon::prelude::*;
use serde_json::json;
use tempfile::TempDir;

use super::packs::{copy, files, packed, problems, put, read, reseal, told, tool};
use super::synthetic::{case, report};
use crate::support::extent::{is_full, report_sample, size};

/// The files that most positions are changed of.
const OWN: [&str; 4] =
    ["manifest.json", "statement.json", "statement.dsse.json", "provenance.json"];

/// A small pack, which the tests leave as it is.
fn pack() -> &'static Path {
    static PACK: OnceLock<TempDir> = OnceLock::new();
    let make = || packed(&[&report(vec![case("onnx-1.22.0/node/test_a", "Div", Verdict::Pass)])]);
    PACK.get_or_init(make).path()
}

/// Whether the check finds anything in a folder.
fn is_found(dir: &Path) -> bool {
    evidence::verify(dir).map_or(true, |found| !found.is_whole() && found.outcome.is_none())
}

/// Positions in a file: all of them, or some from one end to the other.
fn positions(length: usize, most: usize) -> Vec<usize> {
    if length <= most {
        (0..length).collect()
    } else {
        (0..most).map(|step| step * (length - 1) / (most - 1)).collect()
    }
}

#[test]
fn a_pack_that_nobody_touched_is_whole() {
    assert_eq!(problems(pack()), [""; 0]);
}

#[test]
fn a_changed_byte_is_found_wherever_it_is() {
    let all = files(pack());
    assert!(OWN.iter().all(|path| all.contains_key(*path)));
    // Threads change copies of their own.
    let work: Vec<_> = all.iter().collect();
    let tried = AtomicU64::new(0);
    work.par_iter().for_each(|(path, bytes)| {
        let dir = copy(pack());
        let file = dir.path().join(path);
        let most = if OWN.contains(&path.as_str()) { size(100, 3_000) } else { size(3, 12) };
        let places = positions(bytes.len(), most);
        tried.fetch_add(places.len() as u64, Ordering::Relaxed);
        for (step, at) in places.into_iter().enumerate() {
            let mut changed = (*bytes).clone();
            // One bit, each in its turn, so that text may stay text.
            changed[at] ^= 1 << (step % 8);
            fs::write(&file, &changed).unwrap();
            assert!(is_found(dir.path()), "{path}, byte {at}");
        }
        fs::write(&file, bytes).unwrap();
        assert!(!is_found(dir.path()), "{path} is as it was");
    });
    if !is_full() {
        let bytes = all.values().map(|bytes| bytes.len() as u64).sum();
        report_sample(tried.into_inner(), bytes, "bytes of a pack");
    }
}

#[test]
fn every_file_that_is_cut_grown_removed_or_renamed_is_found() {
    /// What is done to a file of these bytes, in place or beside it.
    type Tampering = fn(&Path, &[u8]);
    const WAYS: [(&str, Tampering); 6] = [
        ("cut by a byte", |file, bytes| fs::write(file, &bytes[..bytes.len() - 1]).unwrap()),
        ("cut in half", |file, bytes| fs::write(file, &bytes[..bytes.len() / 2]).unwrap()),
        ("emptied", |file, _| fs::write(file, b"").unwrap()),
        ("grown", |file, bytes| fs::write(file, [bytes, b"\n"].concat()).unwrap()),
        ("removed", |file, _| fs::remove_file(file).unwrap()),
        ("renamed", |file, _| fs::rename(file, beside(file)).unwrap()),
    ];
    fn beside(file: &Path) -> PathBuf {
        PathBuf::from(format!("{}x", file.display()))
    }
    let dir = copy(pack());
    let (mut in_folder, mut tried) = (BTreeMap::<_, usize>::new(), 0);
    let all = files(pack());
    for (at, (path, bytes)) in all.iter().enumerate() {
        let file = dir.path().join(path);
        let before = in_folder.entry(Path::new(path).parent()).or_default();
        *before += 1;
        // All is done to some files of each folder, and to each other one a thing in its turn.
        let ways = if *before <= size(2, usize::MAX) { &WAYS[..] } else { &WAYS[at % 6..][..1] };
        for (way, tamper) in ways {
            tamper(&file, bytes);
            assert!(is_found(dir.path()), "{path}, {way}");
            let _ = fs::remove_file(beside(&file));
            fs::write(&file, bytes).unwrap();
        }
        tried += ways.len();
    }
    assert!(!is_found(dir.path()));
    if !is_full() {
        report_sample(tried as u64, (all.len() * WAYS.len()) as u64, "ways to damage a file");
    }
}

#[test]
fn what_is_off_is_told_by_its_file() {
    let told = |change: &dyn Fn(&Path)| {
        let dir = copy(pack());
        change(dir.path());
        problems(dir.path()).join("\n")
    };
    let text = told(&|dir| fs::write(dir.join("profiles/ieee754.toml"), "x").unwrap());
    assert!(text.contains("profiles/ieee754.toml: its size is 1 bytes"), "{text}");
    let text = told(&|dir| fs::remove_file(dir.join("seeds.json")).unwrap());
    assert!(text.contains("seeds.json: it is missing"), "{text}");
    let text = told(&|dir| fs::write(dir.join("reports/notes.txt"), "x").unwrap());
    assert!(text.contains("reports/notes.txt: the manifest does not list it"), "{text}");
    let text = told(&|dir| fs::create_dir(dir.join("empty")).unwrap());
    assert!(text.contains("empty: it is a folder of no file"), "{text}");
    let text = told(&|dir| fs::write(dir.join(".hidden"), "x").unwrap());
    assert!(text.contains(".hidden: it is no plain file"), "{text}");
    let text = told(&|dir| fs::remove_file(dir.join("statement.json")).unwrap());
    assert!(text.contains("statement.json: it is missing"), "{text}");
    let text = told(&|dir| fs::remove_file(dir.join("provenance.json")).unwrap());
    assert!(text.contains("provenance.json: it is missing"), "{text}");
    // Of a damaged document its field is told too.
    let text = told(&|dir| {
        let path = "reports/onnx-under-ieee754/report.json";
        let mut report = read(dir, path);
        report["summary"]["pass"] = json!(2);
        put(dir, path, &report);
    });
    assert!(
        text.contains("report.json: its SHA-256") && text.contains("`summary.pass` is 2"),
        "{text}"
    );
}

#[test]
fn files_that_changed_places_are_found() {
    let all = files(pack());
    let paths: Vec<_> = all.keys().collect();
    let dir = copy(pack());
    for pair in paths.windows(2) {
        let [one, other] = pair else { unreachable!() };
        fs::write(dir.path().join(one), &all[*other]).unwrap();
        fs::write(dir.path().join(other), &all[*one]).unwrap();
        assert!(is_found(dir.path()), "{one} and {other}");
        fs::write(dir.path().join(one), &all[*one]).unwrap();
        fs::write(dir.path().join(other), &all[*other]).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn links_and_pipes_are_found_and_not_followed() {
    let outside = tempfile::tempdir().unwrap();
    for path in ["index.html", "manifest.json", "reports/onnx-under-ieee754/report.json"] {
        let dir = copy(pack());
        let (file, kept) = (dir.path().join(path), outside.path().join("kept"));
        fs::rename(&file, &kept).unwrap();
        std::os::unix::fs::symlink(&kept, &file).unwrap();
        assert!(is_found(dir.path()), "{path}");
        fs::remove_file(&kept).unwrap();
    }
    let dir = copy(pack());
    fs::rename(dir.path().join("reports"), outside.path().join("reports")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("reports"), dir.path().join("reports")).unwrap();
    let text = problems(dir.path()).join("\n");
    assert!(text.contains("reports: it is no plain file"), "{text}");

    let dir = copy(pack());
    let pipe = dir.path().join("seeds.json");
    fs::remove_file(&pipe).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    if made.is_ok_and(|status| status.success()) {
        assert!(is_found(dir.path()));
    }
}

#[test]
fn a_manifest_that_leads_elsewhere_is_refused() {
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("secret");
    fs::write(&secret, "x").unwrap();
    let elsewhere = [
        "../secret",
        "reports/../../secret",
        "reports/../report.json",
        secret.to_str().unwrap(),
        "C:/x",
        "a\\b",
        "manifest.json",
        "provenance.json",
        "",
        ".",
        "a//b",
        "a/./b",
    ];
    for path in elsewhere {
        let dir = copy(pack());
        let mut manifest = read(dir.path(), "manifest.json");
        let mut file = manifest["files"][0].clone();
        file["path"] = json!(path);
        manifest["files"].as_array_mut().unwrap().push(file);
        put(dir.path(), "manifest.json", &manifest);
        let text = problems(dir.path()).join("\n");
        assert!(text.contains("is no path of a file that a manifest lists"), "{path}: {text}");
    }
    for twice in [true, false] {
        let dir = copy(pack());
        let mut manifest = read(dir.path(), "manifest.json");
        let files = manifest["files"].as_array_mut().unwrap();
        if twice {
            files.insert(0, files[0].clone());
        } else {
            files.swap(0, 1);
        }
        put(dir.path(), "manifest.json", &manifest);
        let text = problems(dir.path()).join("\n");
        assert!(text.contains("is out of order"), "{text}");
    }
}

#[test]
fn the_documents_of_a_pack_are_read_and_refused_in_the_words_of_all_documents() {
    assert!(!Manifest::read(&pack().join("manifest.json")).unwrap().files.is_empty());
    for (member, value, flaw) in [
        ("kind", json!("evidence-tool"), "it is a document of the kind `evidence-tool`"),
        ("format_version", json!(1), "it has format version 1, and this program reads version 2"),
        ("surplus", json!(1), "it is damaged or was not written by this tool"),
    ] {
        let dir = copy(pack());
        let mut provenance = read(dir.path(), "provenance.json");
        provenance[member] = value;
        put(dir.path(), "provenance.json", &provenance);
        let text = problems(dir.path()).join("\n");
        let told = format!("failed to read the evidence provenance `provenance.json`: {flaw}");
        assert!(text.contains(&told), "{text}");
    }
}

#[test]
fn a_folder_that_is_no_pack_and_a_newer_pack_are_told_apart_from_a_damaged_one() {
    let empty = tempfile::tempdir().unwrap();
    assert!(matches!(evidence::verify(empty.path()), Err(VerifyError::List(_))));
    assert!(matches!(evidence::verify(Path::new("no/such/folder")), Err(VerifyError::List(_))));

    let dir = copy(pack());
    let mut manifest = read(dir.path(), "manifest.json");
    manifest["format_version"] = json!(3);
    manifest["new"] = json!("member");
    put(dir.path(), "manifest.json", &manifest);
    let (code, _, complaint) = told(&tool(&["verify", dir.path().to_str().unwrap()]));
    assert!(code == 2 && complaint.contains("format version 3"), "{complaint}");

    manifest["kind"] = json!("baseline");
    put(dir.path(), "manifest.json", &manifest);
    let (code, _, complaint) = told(&tool(&["verify", dir.path().to_str().unwrap()]));
    assert!(code == 2 && complaint.contains("`baseline`"), "{complaint}");

    fs::write(dir.path().join("manifest.json"), "{\"format_version\": 2, \"kind\"").unwrap();
    let (code, text, _) = told(&tool(&["verify", dir.path().to_str().unwrap()]));
    assert!(
        code == 4 && text.contains("manifest.json") && !text.contains("verified      "),
        "{text}"
    );
    assert_eq!(told(&tool(&["verify", empty.path().to_str().unwrap()])).0, 2);
}

#[test]
fn a_pack_that_was_sealed_again_as_it_is_stays_whole() {
    let dir = copy(pack());
    reseal(dir.path());
    assert_eq!(problems(dir.path()), [""; 0]);
    assert_eq!(files(dir.path()), files(pack()));
}
