//! The invariants of `docs/architecture.md` that can be read off the sources.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// The rooms of the library from the ground up; each line may import the lines above it and its own.
const ROOMS: &[&[&str]] = &[
    &["bounded", "dtype", "embedded", "float", "random", "tensor", "text"],
    &["oracle", "accuracy", "hard"],
    &["sweep"],
    &["spec"],
    &["onnx"],
    &["openvino"],
    &["model"],
    &["kernels"],
    &["profile", "compare"],
    &["case", "suite"],
    &["corpus"],
    &["verdict"],
    &["backend", "expect", "requirements"],
    &["run"],
    &["explain", "generate", "report"],
    &["gate"],
    &["manners", "serve"],
    &["c_abi"],
    &["scoreboard"],
    &["campaign"],
    &["matrix"],
    &["qualification"],
    &["evidence"],
];

/// Rooms that touch neither files nor network.
const PURE: &[&str] = &[
    "dtype",
    "embedded",
    "text",
    "float",
    "hard",
    "random",
    "tensor",
    "oracle",
    "accuracy",
    "sweep",
    "spec",
    "onnx",
    "openvino",
    "model",
    "kernels",
    "profile",
    "compare",
    "verdict",
    "requirements",
    "expect",
    "gate",
];

struct Source {
    path: PathBuf,
    room: String,
    text: String,
}

/// The library's sources; the binary's own modules are not among them.
fn sources() -> Vec<Source> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let rooms: BTreeSet<&str> = ROOMS.iter().copied().flatten().copied().collect();
    let mut sources = Vec::new();
    for entry in WalkDir::new(&src).sort_by_file_name() {
        let path = entry.unwrap().into_path();
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let first = path.strip_prefix(&src).unwrap().components().next().unwrap();
        let room = first.as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned();
        if rooms.contains(room.as_str()) {
            let text = std::fs::read_to_string(&path).unwrap();
            sources.push(Source { path, room, text });
        }
    }
    sources
}

fn level(room: &str) -> usize {
    ROOMS.iter().position(|rooms| rooms.contains(&room)).unwrap()
}

/// The code of a source without its unit tests, which may import what they like.
fn code(source: &Source) -> &str {
    source.text.split("#[cfg(test)]").next().unwrap()
}

#[test]
fn every_room_of_the_library_is_placed() {
    let lib = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs"));
    let declared: BTreeSet<String> = lib
        .unwrap()
        .lines()
        .filter_map(|line| {
            line.trim_start_matches("pub ")
                .strip_prefix("mod ")?
                .strip_suffix(';')
                .map(str::to_owned)
        })
        .collect();
    let placed: BTreeSet<String> =
        ROOMS.iter().copied().flatten().map(ToString::to_string).collect();
    assert_eq!(declared, placed);
}

#[test]
fn imports_point_to_the_ground_only() {
    for source in sources() {
        for (_, after) in
            code(&source).match_indices("crate::").map(|(at, _)| source.text.split_at(at))
        {
            let name: String = after["crate::".len()..]
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            if ROOMS.iter().any(|rooms| rooms.contains(&name.as_str())) {
                assert!(
                    level(&name) <= level(&source.room),
                    "{} imports `{name}`, which lies above it",
                    source.path.display()
                );
            }
        }
    }
}

#[test]
fn arithmetic_and_judgement_do_no_input_or_output() {
    for source in sources().iter().filter(|source| PURE.contains(&source.room.as_str())) {
        for forbidden in ["std::fs", "std::net", "std::process", "std::env", "println!", "ureq"] {
            let path = source.path.display();
            assert!(!code(source).contains(forbidden), "{path} uses {forbidden}");
        }
    }
}

#[test]
fn only_fetch_starts_a_network_client() {
    for source in sources() {
        let is_fetch = source
            .path
            .components()
            .any(|part| part.as_os_str() == "fetch" || part.as_os_str() == "fetch.rs");
        assert!(
            is_fetch || !source.text.contains("ureq"),
            "{} starts a network client",
            source.path.display()
        );
    }
}

#[test]
fn every_module_says_what_lives_there() {
    for source in sources() {
        let path = source.path.display();
        assert!(source.text.starts_with("//! "), "{path} does not open with a sentence");
    }
}

#[test]
fn oracle_and_kernels_never_import_each_other() {
    for (room, other) in [
        ("oracle", "kernels"),
        ("accuracy", "kernels"),
        ("sweep", "kernels"),
        ("kernels", "oracle"),
    ] {
        for source in sources().iter().filter(|source| source.room == room) {
            let import = format!("crate::{other}");
            assert!(!source.text.contains(&import), "{} imports {other}", source.path.display());
        }
    }
}
