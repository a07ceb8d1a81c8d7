//! `matrix.json`: the matrix document itself.

use super::document::Matrix;

/// The bytes of `matrix.json`: indented, members in the order of the document, and a line feed at the
/// end. The same matrix gives the same bytes.
///
/// # Errors
///
/// Never for a matrix as such; serialisation as a whole may fail.
pub fn to_bytes(matrix: &Matrix) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = serde_json::to_vec_pretty(matrix)?;
    bytes.push(b'\n');
    Ok(bytes)
}
