//! What a page does not show at once: pieces of HTML, compressed, which the page's script unpacks.

use std::collections::HashMap;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use miniz_oxide::deflate::compress_to_vec;
use serde::Serialize;
use serde_json::json;

/// Of ten levels one that takes little time and nearly as little room as the last.
const LEVEL: u8 = 8;

/// The pieces as `unpack.js` reads them: as a JSON list, deflated, in base64. The same pieces give the same text on every
/// system, which is not so of a compressor that goes by the processor.
pub(crate) fn packed(pieces: &[String]) -> Result<String, askama::Error> {
    encoded(&pieces)
}

/// Likewise, of pieces that share parts: each part once, in the order in which they are first used, and of every piece
/// the runs of parts that it is made of, as the first one's place and how many there are.
pub(crate) fn packed_parts(pieces: &[Vec<String>]) -> Result<String, askama::Error> {
    let (mut parts, mut places) = (Vec::new(), HashMap::new());
    let mut runs = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let mut own: Vec<[usize; 2]> = Vec::new();
        for part in piece {
            let place = *places.entry(part.as_str()).or_insert_with(|| {
                parts.push(part);
                parts.len() - 1
            });
            match own.last_mut() {
                Some([first, count]) if *first + *count == place => *count += 1,
                _ => own.push([place, 1]),
            }
        }
        runs.push(own.concat());
    }
    encoded(&json!({ "parts": parts, "pieces": runs }))
}

fn encoded(pieces: &impl Serialize) -> Result<String, askama::Error> {
    let text = serde_json::to_vec(pieces).map_err(askama::Error::custom)?;
    Ok(BASE64_STANDARD.encode(compress_to_vec(&text, LEVEL)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_several_pieces_is_packed_once_and_pieces_name_runs_of_parts() {
        let pieces = [&["a", "b", "c"][..], &[], &["b", "c", "a"], &["d", "c"]];
        let pieces = pieces.map(|piece| piece.iter().map(|part| (*part).to_owned()).collect());
        let packed = BASE64_STANDARD.decode(packed_parts(&pieces).unwrap()).unwrap();
        let text = miniz_oxide::inflate::decompress_to_vec(&packed).unwrap();
        let expected = r#"{"parts":["a","b","c","d"],"pieces":[[0,3],[],[1,2,0,1],[3,1,2,1]]}"#;
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }
}
