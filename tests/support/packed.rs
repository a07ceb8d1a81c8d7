//! What pages hold packed, for tests that read all of a page.

use std::io::Read;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::read::DeflateDecoder;
use regex::{Captures, Regex};

/// The page with every packed list in the place of what unpacks to it.
pub(crate) fn unpacked(page: &str) -> String {
    let pattern = r#"<script type="application/octet-stream" id="[^"]*">([^<]*)</script>"#;
    let unpack = |found: &Captures<'_>| {
        let bytes = BASE64_STANDARD.decode(&found[1]).unwrap();
        let mut list = String::new();
        DeflateDecoder::new(bytes.as_slice()).read_to_string(&mut list).unwrap();
        serde_json::from_str::<Vec<String>>(&list).unwrap().join("\n")
    };
    Regex::new(pattern).unwrap().replace_all(page, unpack).into_owned()
}
