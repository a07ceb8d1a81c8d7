//! The findings as JSON, for programs.

use serde::Serialize;

use super::Finding;

/// Version of the document that [`to_json`] writes; counts up on any change.
pub const FORMAT_VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    format_version: u32,
    findings: &'a [Finding],
}

/// The findings as indented JSON with a line feed at the end. The same findings give the same bytes.
///
/// # Errors
///
/// Never for findings as such; serialisation as a whole may fail.
pub fn to_json(findings: &[Finding]) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes =
        serde_json::to_vec_pretty(&Document { format_version: FORMAT_VERSION, findings })?;
    bytes.push(b'\n');
    Ok(bytes)
}
