//! The tags of the documents' own, as the catalogues hold them: a tag names its operator.

use serde::Deserialize;

use super::{Cause, DefectKind, Finding, Level, Unreadable};
use reference::operators::OPERATORS;

/// What is read of a catalogue.
#[derive(Deserialize)]
struct Catalogue {
    requirement: Vec<Tagged>,
}

#[derive(Deserialize)]
struct Tagged {
    id: String,
    section: String,
}

/// Tags of the working group's that name another operator than that of their document.
pub(super) fn check() -> Result<Vec<Finding>, Unreadable> {
    let mut findings = Vec::new();
    for operator in OPERATORS {
        for document in operator.documents {
            let catalogue: Catalogue = toml::from_str(document.catalogue)
                .map_err(|source| Unreadable { name: document.key, source })?;
            let operator = operator.name.to_uppercase();
            for Tagged { id, section } in catalogue.requirement {
                if let Some(other) = other_operator(&id, &operator) {
                    let message = format!(
                        "the tag {id} names the operator {other}, and stands in the document of {operator}"
                    );
                    findings.push(Finding {
                        document: document.key.into(),
                        section: section.into(),
                        domain: "tags",
                        requirement: id.clone().into(),
                        kind: DefectKind::Contradiction,
                        level: Level::Warning,
                        cause: Cause::ForeignTag,
                        count: 1,
                        example: id,
                        against: operator.clone(),
                        message,
                    });
                }
            }
        }
    }
    Ok(findings)
}

/// The operator that a tag such as `E_DIV_INT_FUNC_0010` names, where it is not this one.
fn other_operator<'a>(id: &'a str, operator: &str) -> Option<&'a str> {
    let named = id.strip_prefix("E_")?.split('_').next()?;
    (named != operator).then_some(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_names_the_operator_between_its_first_two_underscores() {
        assert_eq!(other_operator("E_ABS_REAL_LESS_010", "LESS"), Some("ABS"));
        assert_eq!(other_operator("E_LESS_REAL_CONSTR_A_010", "LESS"), None);
        assert_eq!(other_operator("P_ABS_REAL_LESS_010", "LESS"), None);
        assert_eq!(other_operator("GR1", "LESS"), None);
    }
}
