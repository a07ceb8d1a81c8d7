//! What pages hold packed, for tests that read all of a page.

use std::io::Read;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::read::DeflateDecoder;
use regex::{Captures, Regex};
use serde::Deserialize;

/// A list of pieces, or of runs of the parts that they share.
#[derive(Deserialize)]
#[serde(untagged)]
enum List {
    Pieces(Vec<String>),
    Shared { parts: Vec<String>, pieces: Vec<Vec<usize>> },
}

/// The page with every packed list in the place of what unpacks to it.
pub(crate) fn unpacked(page: &str) -> String {
    let pattern = r#"<script type="application/octet-stream" id="[^"]*">([^<]*)</script>"#;
    let unpack = |found: &Captures<'_>| {
        let bytes = BASE64_STANDARD.decode(&found[1]).unwrap();
        let mut list = String::new();
        DeflateDecoder::new(bytes.as_slice()).read_to_string(&mut list).unwrap();
        match serde_json::from_str(&list).unwrap() {
            List::Pieces(pieces) => pieces.join("\n"),
            List::Shared { parts, pieces } => {
                let piece = |runs: Vec<usize>| {
                    let runs = runs.as_chunks::<2>().0.iter();
                    runs.flat_map(|&[first, count]| &parts[first..first + count])
                        .cloned()
                        .collect::<String>()
                };
                pieces.into_iter().map(piece).collect::<Vec<_>>().join("\n")
            }
        }
    };
    Regex::new(pattern).unwrap().replace_all(page, unpack).into_owned()
}
