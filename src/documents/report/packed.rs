//! What a page does not show at once: pieces of HTML, compressed, which the page's script unpacks.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use miniz_oxide::deflate::compress_to_vec;

/// Of ten levels one that takes little time and nearly as little room as the last.
const LEVEL: u8 = 8;

/// The pieces as `unpack.js` reads them: as a JSON list, deflated, in base64. The same pieces give the same text on every
/// system, which is not so of a compressor that goes by the processor.
pub(crate) fn packed(pieces: &[String]) -> Result<String, askama::Error> {
    let list = serde_json::to_vec(pieces).map_err(askama::Error::custom)?;
    Ok(BASE64_STANDARD.encode(compress_to_vec(&list, LEVEL)))
}
