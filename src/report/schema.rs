//! The JSON Schemas of the report and baseline documents, derived from their types.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;

use super::baseline::Baseline;
use super::document::Report;

/// Path of the report's committed schema in the checkout.
pub const PATH: &str = "reports/schema/report.schema.json";

/// Path of the baseline's.
pub const BASELINE_PATH: &str = "reports/schema/baseline.schema.json";

/// The schema (draft 2020-12) of what is written: every member is required, none may be added.
///
/// # Errors
///
/// Never for a schema as such; serialisation as a whole may fail.
pub fn to_text() -> Result<String, serde_json::Error> {
    text_of::<Report>()
}

/// The schema of a document's type.
pub(crate) fn text_of<T: JsonSchema>() -> Result<String, serde_json::Error> {
    let schema =
        SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>();
    Ok(serde_json::to_string_pretty(&schema)? + "\n")
}

/// The generated files of this module: path in the checkout and contents.
///
/// # Errors
///
/// As [`to_text`].
pub fn files() -> Result<[(&'static str, String); 2], serde_json::Error> {
    Ok([(PATH, to_text()?), (BASELINE_PATH, text_of::<Baseline>()?)])
}
