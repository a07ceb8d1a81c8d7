//! Edits of a true pack, as they are or with every digest corrected. The check of it ends, and finds nothing
//! whole in which anything but the provenance was changed.

#![no_main]

mod campaigns;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use libfuzzer_sys::arbitrary::{self, Arbitrary, Unstructured};
use libfuzzer_sys::fuzz_target;
use onnx_conformance::corpus::Digest;
use onnx_conformance::document::JsonDocument;
use onnx_conformance::documents::evidence::document::{Manifest, Provenance};
use onnx_conformance::documents::evidence::{self, Inputs, Redactor, text};
use onnx_conformance::documents::report::summary::Style;
use serde_json::{Value, json};
use tempfile::TempDir;

const MANIFEST: &str = "manifest.json";
const STATEMENT: &str = "statement.json";
const ENVELOPE: &str = "statement.dsse.json";
const PROVENANCE: &str = "provenance.json";
const OWN: [&str; 4] = [MANIFEST, STATEMENT, ENVELOPE, PROVENANCE];

type Files = BTreeMap<String, Vec<u8>>;

/// The files of a pack that this very program made, by their paths.
static TRUE: LazyLock<Files> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let written = |(at, document): (usize, onnx_conformance::measure::campaign::Campaign)| {
        let path = folder.path().join(format!("{at}.json"));
        fs::write(&path, document.to_bytes().expect("JSON")).expect("room");
        path
    };
    // One of each operator: each run makes their pages, and the matrix over them, anew.
    let campaigns = campaigns::all().into_iter().step_by(3).take(2).enumerate();
    let campaigns = campaigns.map(written).collect();
    let redactor = Redactor::of_this_machine().expect("patterns");
    let inputs = Inputs { campaigns, ..Inputs::default() };
    let gathered = evidence::gather(&inputs, &redactor).expect("evidence");
    let dir = folder.path().join("pack");
    evidence::pack(&gathered, &dir, &redactor).expect("a pack");
    files(&dir, &dir)
});

fn files(root: &Path, dir: &Path) -> Files {
    let mut all = Files::new();
    for entry in fs::read_dir(dir).expect("a folder").flatten() {
        let path = entry.path();
        // Neither links nor what is no file.
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            all.extend(files(root, &path));
        } else if kind.is_file() {
            let name = path.strip_prefix(root).expect("it lies there").to_string_lossy();
            all.insert(name.into_owned(), fs::read(&path).unwrap_or_default());
        }
    }
    all
}

/// What is done to a pack.
#[derive(Arbitrary, Debug)]
enum Edit<'a> {
    Overwrite {
        file: u8,
        at: u32,
        with: &'a [u8],
    },
    Insert {
        file: u8,
        at: u32,
        text: &'a [u8],
    },
    Cut {
        file: u8,
        at: u32,
    },
    /// A string or a number of a document becomes another.
    Value {
        file: u8,
        place: u16,
        number: u64,
    },
    Text {
        file: u8,
        place: u16,
        text: &'a str,
    },
    Remove {
        file: u8,
    },
    Swap {
        one: u8,
        other: u8,
    },
    Add {
        place: u8,
        contents: &'a [u8],
    },
    Rename {
        file: u8,
        place: u8,
    },
    Executable {
        file: u8,
    },
    Link {
        place: u8,
    },
    Folder {
        place: u8,
    },
}

/// Where strangers are put.
const PLACES: [&str; 12] = [
    "run.sh",
    ".hidden",
    "index.htm",
    "tool/onnx-conformance",
    "reports/a/report.json",
    "reports/a/report.html",
    "campaigns/a/campaign.json",
    "profiles/mine.toml",
    "locks/mine.toml",
    "subjects/other.json",
    "a/b/c/d/e",
    "with space.json",
];

/// Where the numbers and the texts of JSON begin and end.
fn tokens(bytes: &[u8]) -> Vec<(usize, usize)> {
    let (mut all, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'"' => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
                all.push((start, at.min(bytes.len())));
            }
            b'0'..=b'9' => {
                while at < bytes.len() && bytes[at].is_ascii_digit() {
                    at += 1;
                }
                all.push((start, at));
            }
            _ => at += 1,
        }
    }
    all
}

impl Edit<'_> {
    fn apply(self, dir: &Path) {
        // The paths are those of the true pack, so that an edit means the same beside any others.
        let path = |file: u8| {
            let file = usize::from(file) % TRUE.len();
            dir.join(TRUE.keys().nth(file).expect("one of them"))
        };
        let place = |place: u8| -> PathBuf {
            let place = dir.join(PLACES[usize::from(place) % PLACES.len()]);
            let _ = place.parent().map(fs::create_dir_all);
            place
        };
        let change = |file: u8, change: &dyn Fn(Vec<u8>) -> Vec<u8>| {
            // Whatever lies there instead, by another edit, stays.
            if let Ok(bytes) = fs::read(path(file)) {
                let _ = fs::write(path(file), change(bytes));
            }
        };
        let splice = |file: u8, place: u16, new: &str| {
            change(file, &|mut bytes| {
                let all = tokens(&bytes);
                if let Some(&(start, end)) = all.get(usize::from(place) % all.len().max(1)) {
                    bytes.splice(start..end, new.bytes());
                }
                bytes
            });
        };
        match self {
            Self::Overwrite { file, at, with } => change(file, &|mut bytes| {
                let at = at as usize % bytes.len().max(1);
                let end = (at + with.len()).min(bytes.len());
                bytes[at..end].copy_from_slice(&with[..end - at]);
                bytes
            }),
            Self::Insert { file, at, text } => change(file, &|mut bytes| {
                let at = at as usize % (bytes.len() + 1);
                bytes.splice(at..at, text.iter().copied());
                bytes
            }),
            Self::Cut { file, at } => change(file, &|mut bytes| {
                bytes.truncate(at as usize % (bytes.len() + 1));
                bytes
            }),
            Self::Value { file, place, number } => splice(file, place, &number.to_string()),
            Self::Text { file, place, text } => splice(file, place, &json!(text).to_string()),
            Self::Remove { file } => {
                let _ = fs::remove_file(path(file));
            }
            Self::Swap { one, other } => {
                if let (Ok(first), Ok(second)) = (fs::read(path(one)), fs::read(path(other))) {
                    let _ = (fs::write(path(one), second), fs::write(path(other), first));
                }
            }
            Self::Add { place: at, contents } => {
                let _ = fs::write(place(at), contents);
            }
            Self::Rename { file, place: at } => {
                let _ = fs::rename(path(file), place(at));
            }
            Self::Executable { file } => {
                use std::os::unix::fs::PermissionsExt;
                let _ = fs::set_permissions(path(file), fs::Permissions::from_mode(0o755));
            }
            Self::Link { place: at } => {
                let _ = std::os::unix::fs::symlink(path(0), place(at));
            }
            Self::Folder { place: at } => {
                let _ = fs::create_dir_all(place(at));
            }
        }
    }
}

/// Whether anything may be executed, or is neither file nor folder, or is a folder of nothing.
fn is_strange(dir: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let entries: Vec<_> = fs::read_dir(dir).expect("a folder").flatten().collect();
    entries.is_empty()
        || entries.iter().any(|entry| {
            let metadata = entry.path().symlink_metadata().expect("it is there");
            if metadata.is_dir() {
                is_strange(&entry.path())
            } else {
                !metadata.is_file() || metadata.permissions().mode() & 0o111 != 0
            }
        })
}

/// Corrects manifest, provenance, statement and envelope, as far as they still are such.
fn reseal(dir: &Path) -> Option<()> {
    let all = files(dir, dir);
    let listed: Vec<Value> = all
        .iter()
        .filter(|(path, _)| !OWN.contains(&path.as_str()))
        .map(|(path, bytes)| {
            json!({"path": path, "size": bytes.len(), "sha256": Digest::of(bytes).to_string()})
        })
        .collect();
    let manifest = json!({"format_version": 2, "kind": "evidence-manifest", "files": listed});
    let manifest: Manifest = serde_json::from_value(manifest).expect("a manifest");
    let bytes = manifest.to_bytes().expect("JSON");
    let digest = Digest::of(&bytes);
    fs::write(dir.join(MANIFEST), bytes).ok()?;

    let mut provenance: Provenance = serde_json::from_slice(all.get(PROVENANCE)?).ok()?;
    provenance.manifest = digest;
    let mut contents = serde_json::to_value(&provenance).expect("JSON");
    contents.as_object_mut()?.remove("digest");
    provenance.digest = Digest::of(&serde_json::to_vec(&contents).expect("JSON"));
    fs::write(dir.join(PROVENANCE), provenance.to_bytes().expect("JSON")).ok()?;

    let mut statement = String::from_utf8(all.get(STATEMENT)?.clone()).ok()?;
    let old = Digest::of(&TRUE[MANIFEST]).to_string();
    statement = statement.replace(&old, &digest.to_string());
    for (path, bytes) in &all {
        if let Some(old) = TRUE.get(path).filter(|old| *old != bytes) {
            let [old, new] = [old, bytes].map(|bytes| Digest::of(bytes).to_string());
            statement = statement.replace(&old, &new);
        }
    }
    let mut envelope = String::from_utf8(all.get(ENVELOPE)?.clone()).ok()?;
    let old = BASE64_STANDARD.encode(&TRUE[STATEMENT]);
    envelope = envelope.replace(&old, &BASE64_STANDARD.encode(&statement));
    fs::write(dir.join(STATEMENT), statement).ok()?;
    fs::write(dir.join(ENVELOPE), envelope).ok()
}

fn edited(bytes: &[u8], dir: &Path) -> arbitrary::Result<()> {
    let mut input = Unstructured::new(bytes);
    let is_sealed = bool::arbitrary(&mut input)?;
    for _ in 0..input.int_in_range(1..=3)? {
        Edit::arbitrary(&mut input)?.apply(dir);
    }
    if is_sealed {
        // What is no document any more cannot be corrected.
        let _ = reseal(dir);
    }
    Ok(())
}

fn copy() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, bytes) in TRUE.iter() {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("the pack")).expect("room");
        fs::write(path, bytes).expect("room");
    }
    folder
}

fuzz_target!(|bytes: &[u8]| {
    let folder = copy();
    let dir = folder.path();
    if edited(bytes, dir).is_err() {
        return;
    }
    let mut now = files(dir, dir);
    let mut then = TRUE.clone();
    now.remove(PROVENANCE);
    then.remove(PROVENANCE);
    let is_changed = now != then || is_strange(dir);
    let Ok(found) = evidence::verify(dir) else { return };
    assert!(!(is_changed && found.is_whole()), "it was changed");
    assert_eq!(found.is_whole(), found.outcome.is_some());
    let told = text::verified(&found, Style { width: 80, color: false });
    assert_eq!(told.contains("The pack is as it was made"), found.is_whole());
});
