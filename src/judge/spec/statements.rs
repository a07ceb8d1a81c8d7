//! What documents state of accuracy: bounds on errors, and what tests may let pass.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, de};

use super::formula::Formula;
use crate::dtype::DType;

/// Statements on errors, and the operands that they are tried on: elements of some types for what the
/// operation introduces, real numbers with errors of their own for what it propagates.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Bound {
    pub(super) states: Vec<Statement>,
    #[serde(default, deserialize_with = "dtypes")]
    pub(super) types: Vec<DType>,
    /// Elements of the types; all of them where none are listed.
    #[serde(default)]
    pub(super) patterns: Vec<u64>,
    #[serde(default)]
    pub(super) values: Vec<Formula>,
    /// Errors of the values, which may be formulas of the operand.
    #[serde(default)]
    pub(super) errors: Vec<Formula>,
    /// What is above 0 wherever the error is bounded. The error of the operand A is Ae.
    pub(super) positive: Option<Formula>,
    /// Operands that have no error.
    #[serde(default)]
    pub(super) without_error: Vec<String>,
    /// The definitions of further names in the statements, such as the number of terms.
    #[serde(default)]
    pub(super) names: BTreeMap<String, Formula>,
    /// Whether the operation is the section's formula, each step of which is rounded, rather than what the operator
    /// gives.
    #[serde(default)]
    pub(super) step_by_step: bool,
}

/// A statement such as `|introduced error| < 0.5`.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Statement {
    /// As it is written.
    pub(super) text: String,
    /// `<=`, `<` or `=`.
    pub(super) relation: String,
    /// What the error is compared with.
    pub(super) formula: Formula,
}

impl TryFrom<String> for Statement {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let parts = ["<=", "<", "="]
            .into_iter()
            .find_map(|relation| Some((relation, text.split_once(&format!(" {relation} "))?.1)));
        let (relation, formula) = parts.ok_or_else(|| format!("`{text}` compares nothing"))?;
        Ok(Self { relation: relation.to_owned(), formula: formula.to_owned().try_into()?, text })
    }
}

/// What a difference from the exact result may be in a test, and the operands that it is tried on.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tolerance {
    /// By the exact result `Y` and the unit in its last place, `ulp`.
    pub(super) states: Statement,
    #[serde(deserialize_with = "dtypes")]
    pub(super) types: Vec<DType>,
    pub(super) values: Vec<Formula>,
}

/// Element types by their names.
pub(super) fn dtypes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<DType>, D::Error> {
    let names = Vec::<String>::deserialize(deserializer)?;
    names.iter().map(|name| name.parse().map_err(de::Error::custom)).collect()
}
