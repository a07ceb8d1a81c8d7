//! `scoreboard.json`: the scoreboard document itself.

use super::document::Scoreboard;

/// The bytes of `scoreboard.json`: one line, as it holds very many elements, with members in the
/// order of the document. The same scoreboard gives the same bytes.
///
/// # Errors
///
/// Never for a scoreboard as such; serialisation as a whole may fail.
pub fn to_bytes(scoreboard: &Scoreboard) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = serde_json::to_vec(scoreboard)?;
    bytes.push(b'\n');
    Ok(bytes)
}
