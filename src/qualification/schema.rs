//! The JSON Schema of the qualification document, derived from its types.

use super::document::Document;
use crate::report::schema;

/// Path of the committed schema in the checkout.
pub const PATH: &str = "reports/schema/qualification.schema.json";

/// The schema (draft 2020-12) of what is written: every member is required, none may be added.
///
/// # Errors
///
/// Never for a schema as such; serialisation as a whole may fail.
pub fn to_text() -> Result<String, serde_json::Error> {
    schema::text_of::<Document>()
}
