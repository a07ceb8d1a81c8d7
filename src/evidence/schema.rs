//! The JSON Schemas of a pack's own documents, derived from their types.

use super::document::{Limitations, Manifest, Platforms, Provenance, Seeds, Subject, Tool};
use crate::document::schema_of;

/// The generated files of this module: path in the checkout and contents.
///
/// # Errors
///
/// Never for a schema as such; serialisation as a whole may fail.
pub fn files() -> Result<[(&'static str, String); 7], serde_json::Error> {
    Ok([
        ("reports/schema/evidence-limitations.schema.json", schema_of::<Limitations>()?),
        ("reports/schema/evidence-manifest.schema.json", schema_of::<Manifest>()?),
        ("reports/schema/evidence-platform.schema.json", schema_of::<Platforms>()?),
        ("reports/schema/evidence-provenance.schema.json", schema_of::<Provenance>()?),
        ("reports/schema/evidence-seeds.schema.json", schema_of::<Seeds>()?),
        ("reports/schema/evidence-subject.schema.json", schema_of::<Subject>()?),
        ("reports/schema/evidence-tool.schema.json", schema_of::<Tool>()?),
    ])
}
