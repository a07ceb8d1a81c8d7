//! What a case of this project's own suites says of itself in its `case.json`.

pub use judge::outcome::Expect;
use serde::{Deserialize, Serialize};

use crate::limits;

/// Content of a `case.json`; a case without one is expected to give its values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Class of inputs that it holds.
    pub class: String,
    /// What a conforming implementation does with it.
    pub expect: Expect,
    /// What is to be known of it.
    pub note: String,
    /// Requirements that the case verifies.
    pub requirements: Vec<String>,
}

impl Manifest {
    /// The manifest in the text of a `case.json`.
    pub fn from_json(text: &[u8]) -> Result<Self, serde_json::Error> {
        limits::from_json(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_is_required_and_no_other_is_known() {
        let text = r#"{"requirements": ["GR1"], "class": "c", "expect": "refusal", "note": ""}"#;
        let manifest = Manifest::from_json(text.as_bytes()).unwrap();
        assert_eq!(manifest.expect, Expect::Refusal);
        for wrong in [
            text.replace(r#", "note": """#, ""),
            text.replace("note", "notes"),
            text.replace("refusal", "maybe"),
            text.replace(r#"["GR1"]"#, "1"),
        ] {
            let error = Manifest::from_json(wrong.as_bytes()).unwrap_err();
            assert_eq!(error.line(), 1, "{wrong}");
        }
    }
}
