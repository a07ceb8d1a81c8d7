//! The JSON Schemas of a pack's own documents, derived from their types.

use super::document::{Limitations, Manifest, Platforms, Provenance, Seeds, Subject, Tool};
use crate::report::schema::text_of;

/// The generated files of this module: path in the checkout and contents.
///
/// # Errors
///
/// Never for a schema as such; serialisation as a whole may fail.
pub fn files() -> Result<[(&'static str, String); 7], serde_json::Error> {
    Ok([
        ("reports/schema/evidence-limitations.schema.json", text_of::<Limitations>()?),
        ("reports/schema/evidence-manifest.schema.json", text_of::<Manifest>()?),
        ("reports/schema/evidence-platform.schema.json", text_of::<Platforms>()?),
        ("reports/schema/evidence-provenance.schema.json", text_of::<Provenance>()?),
        ("reports/schema/evidence-seeds.schema.json", text_of::<Seeds>()?),
        ("reports/schema/evidence-subject.schema.json", text_of::<Subject>()?),
        ("reports/schema/evidence-tool.schema.json", text_of::<Tool>()?),
    ])
}
