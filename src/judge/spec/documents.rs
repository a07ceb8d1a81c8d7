//! The documents, section by section and none of it repaired: what the operators' `readings.toml` hold.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, de};

use super::formula::{Formula, Real};
use super::printed_call::Printed;
use super::reading::{Condition, Datum, Equality, RowAnswer};
use super::relations::Claim;
use super::statements::{Bound, Tolerance, dtypes};
use super::value_class::ValueClass;
use super::{Cause, DefectKind, Finding, Level};
use crate::dtype::DType;
use reference::operator::{AttributeValue, Attributes, Operator};
use reference::operators::{OPERATORS, READINGS};

/// What the documents state of an operator.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Operation {
    /// Names of the operands.
    operands: Vec<&'static str>,
    /// The types of those operands, and of the result, that do not have the type that is swept.
    #[serde(default, deserialize_with = "dtypes_by_name")]
    types: BTreeMap<String, DType>,
    /// What it computes of numbers.
    formula: Formula,
    /// What it does with operands, for readers.
    #[serde(default)]
    pub(super) verb: &'static str,
    /// Which numbers the formula has a result for, and the same for readers.
    #[serde(default)]
    defined: Condition,
    #[serde(default)]
    pub(super) undefined: &'static str,
    document: Vec<LiteralDocument>,
}

/// Whose document it is: findings come in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Publisher {
    Sonnx,
    Onnx,
    OpenVino,
}

/// A document.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LiteralDocument {
    /// Its key, such as `sonnx-div`.
    pub(crate) key: &'static str,
    publisher: Publisher,
    /// The key of the older document that it is a newer revision of. It is set beside that one alone.
    pub(super) revises: Option<&'static str>,
    /// The values of attributes that are left out.
    #[serde(default, deserialize_with = "texts")]
    defaults: Attributes,
    section: Vec<Section>,
    #[serde(default)]
    pub(super) shapes_shown: Vec<ShapesShown>,
}

/// What a section of a document states under one tag.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Section {
    pub(super) title: &'static str,
    /// Tag of the document as a whole; that of operands without a row.
    pub(super) requirement: &'static str,
    /// Tag of the statement that the result has the operands' type.
    pub(super) result_type: Option<&'static str>,
    /// The types that the rows are swept over.
    #[serde(default, deserialize_with = "dtypes")]
    pub(crate) types: Vec<DType>,
    /// The attributes that it is about.
    #[serde(default, deserialize_with = "texts")]
    attributes: Attributes,
    /// Names of its operands and its formula, where they are not those of the operation.
    operands: Option<Vec<&'static str>>,
    formula: Option<Formula>,
    /// It speaks about operands that one of these is true of, or about all; what they are called.
    #[serde(default)]
    pub(super) scope: Vec<Condition>,
    pub(super) scope_named: Option<&'static str>,
    /// Tag of the constraint that holds within the domain.
    pub(super) constraint: Option<&'static str>,
    #[serde(default)]
    domain: Condition,
    /// Its case analysis, in the document's order.
    #[serde(default)]
    pub(super) rows: Vec<Row>,
    /// Examples with the results printed for them, such as `3 / 4 = 0.75`.
    #[serde(default)]
    pub(super) examples: Vec<&'static str>,
    /// The element types that it lists.
    #[serde(default, deserialize_with = "dtypes")]
    pub(super) listed: Vec<DType>,
    /// Tag of the list that this one is based on.
    pub(super) based_on: Option<&'static str>,
    /// The version of ONNX's operator that it is based on, which the registry knows.
    pub(super) based_on_version: Option<i64>,
    /// The element types that the contents announce.
    #[serde(default, deserialize_with = "dtypes")]
    pub(super) contents: Vec<DType>,
    pub(super) shapes: Option<Shapes>,
    pub(super) bound: Option<Bound>,
    pub(super) tolerance: Option<Tolerance>,
    pub(super) claim: Option<Claim>,
    /// Whole calls that it shows.
    #[serde(default)]
    pub(super) calls: Vec<Printed>,
}

/// One row of a case analysis.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    pub(super) requirement: &'static str,
    #[serde(default)]
    pub(super) when: Condition,
    pub(super) then: RowAnswer,
}

/// Which pairs of shapes are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Shapes {
    /// Equal shapes alone.
    Same,
    /// B has one element and no higher rank than A, or its shape is a contiguous part of A's that
    /// starts at `axis`, by default the last part.
    Limited,
    /// Aligned at the last dimension, dimensions are equal or one of the two is 1.
    Numpy,
}

/// The shapes of two operands that a document shows as allowed, where it does, and in which test. The
/// second lies along the first from the axis on.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ShapesShown {
    pub(super) place: &'static str,
    pub(super) test: Option<&'static str>,
    pub(super) a: Vec<usize>,
    pub(super) b: Vec<usize>,
    pub(super) axis: Option<usize>,
}

fn dtypes_by_name<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, DType>, D::Error> {
    let names = BTreeMap::<String, String>::deserialize(deserializer)?.into_iter();
    names.map(|(name, dtype)| Ok((name, dtype.parse().map_err(de::Error::custom)?))).collect()
}

fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Attributes, D::Error> {
    let texts = BTreeMap::<String, String>::deserialize(deserializer)?.into_iter();
    Ok(texts.map(|(name, text)| (name, AttributeValue::Text(text))).collect())
}

/// What an operator's file states cannot be read.
#[derive(Clone, Debug, thiserror::Error)]
#[error("failed to read what the documents state of {name}")]
pub struct Unreadable {
    pub(super) name: &'static str,
    pub(super) source: toml::de::Error,
}

/// Everything that is read literally, operator by operator; those that are not in the registry last.
#[derive(Debug)]
pub(crate) struct Documents(Vec<(Option<&'static Operator>, Operation)>);

impl Documents {
    /// The documents of every operator, and those of none.
    pub(crate) fn load() -> Result<Self, Unreadable> {
        let known = OPERATORS
            .iter()
            .filter_map(|&operator| Some((Some(operator), operator.name, operator.readings?)));
        let others = READINGS.iter().map(|&(name, text)| (None, name, text));
        let read = known.chain(others).map(|(operator, name, text)| match toml::from_str(text) {
            Ok(operation) => Ok((operator, operation)),
            Err(source) => Err(Unreadable { name, source }),
        });
        read.collect::<Result<_, _>>().map(Self)
    }

    /// Every section, document by document.
    pub(crate) fn sections(&self) -> Vec<Reading<'_>> {
        let mut sections = Vec::new();
        for (operator, operation) in &self.0 {
            for document in &operation.document {
                let readings = document.section.iter();
                let operator = *operator;
                sections.extend(readings.map(|section| Reading {
                    operator,
                    operation,
                    document,
                    section,
                }));
            }
        }
        sections.sort_by_key(|reading| reading.document.publisher);
        sections
    }

    /// The sections with a case analysis.
    pub(crate) fn readings(&self) -> Vec<Reading<'_>> {
        let mut readings = self.sections();
        readings.retain(|reading| !reading.section.rows.is_empty());
        readings
    }
}

/// A section of one document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading<'a> {
    pub(super) operator: Option<&'static Operator>,
    pub(super) operation: &'a Operation,
    pub(crate) document: &'a LiteralDocument,
    pub(crate) section: &'a Section,
}

impl Reading<'_> {
    /// Names of the operands.
    pub(crate) fn operands(&self) -> &[&'static str] {
        self.section.operands.as_ref().unwrap_or(&self.operation.operands)
    }

    /// What is computed of numbers.
    pub(super) fn formula(&self) -> &Formula {
        self.section.formula.as_ref().unwrap_or(&self.operation.formula)
    }

    /// The type of an operand, or of the `result`, where this is the type that is swept.
    pub(crate) fn type_of(&self, operand: &str, swept: DType) -> DType {
        self.operation.types.get(operand).copied().unwrap_or(swept)
    }

    /// The type that is swept where the operands have these types.
    pub(crate) fn swept(&self, types: impl Iterator<Item = DType>) -> Option<DType> {
        let mut operands = self.operands().iter().zip(types);
        let own = |(name, _): &(&&str, DType)| !self.operation.types.contains_key(**name);
        operands.find(own).map(|(_, dtype)| dtype)
    }

    /// Whether what the section says takes more of operands than their sorts.
    pub(super) fn needs_values(&self) -> bool {
        let Section { scope, domain, rows, .. } = self.section;
        let conditions = scope.iter().chain([domain]).chain(rows.iter().map(|row| &row.when));
        conditions.into_iter().any(Condition::needs_values)
    }

    /// Whether the section speaks about these operands.
    pub(crate) fn speaks_of(&self, operands: &[Datum]) -> bool {
        let scope = &self.section.scope;
        scope.is_empty() || scope.iter().any(|one| self.holds(one, operands, Equality::Datum))
    }

    /// Whether a constraint excludes these operands.
    pub(super) fn excludes(&self, operands: &[Datum], equality: Equality) -> bool {
        !self.holds(&self.section.domain, operands, equality)
    }

    /// Whether the formula has a result for operands of these sorts.
    pub(super) fn is_defined(&self, sorts: &[ValueClass]) -> bool {
        let operands: Vec<Datum> = sorts.iter().copied().map(Datum::of_sort).collect();
        sorts.iter().all(|sort| sort.is_number())
            && self.holds(&self.operation.defined, &operands, Equality::Comparison)
    }

    fn holds(&self, condition: &Condition, operands: &[Datum], equality: Equality) -> bool {
        condition.holds(self.operands(), operands, equality)
    }

    /// Indices of the rows that apply to these operands.
    pub(crate) fn covering(&self, operands: &[Datum], equality: Equality) -> Vec<usize> {
        let mut covering = Vec::new();
        for (index, row) in self.section.rows.iter().enumerate() {
            let is_left = !row.when.is_otherwise() || covering.is_empty();
            if is_left && self.holds(&row.when, operands, equality) {
                covering.push(index);
            }
        }
        covering
    }

    /// Whether the section is about calls of an operator with these attributes.
    pub(crate) fn is_about(&self, operator: &Operator, attributes: &Attributes) -> bool {
        let given = |name: &str| attributes.get(name).or_else(|| self.document.defaults.get(name));
        let mut stated = self.section.attributes.iter();
        self.operator == Some(operator) && stated.all(|(name, value)| given(name) == Some(value))
    }

    /// The attributes that it is about.
    pub(super) fn attributes(&self) -> &Attributes {
        &self.section.attributes
    }

    /// Whether another section is about the same operation.
    pub(super) fn is_of_operation(&self, other: &Self) -> bool {
        match (self.operator, other.operator) {
            (Some(one), Some(other)) => one.judged_as == other.judged_as,
            _ => self.document.key == other.document.key,
        }
    }

    /// The formula's result for these operands.
    pub(super) fn exact<N: Real + Clone>(&self, operands: &[N]) -> Option<N> {
        self.formula().value(&|name| self.operand(name, operands))
    }

    /// The operand with this name.
    pub(super) fn operand<N: Clone>(&self, name: &str, operands: &[N]) -> Option<N> {
        let at = self.operands().iter().position(|operand| *operand == name)?;
        operands.get(at).cloned()
    }

    /// A row in words, with its number, such as `row 2 (+-inf if A != 0 and B = 0)`.
    pub(crate) fn describe(&self, row: usize) -> String {
        let Some(Row { when, then, .. }) = self.section.rows.get(row) else {
            return format!("row {}", row + 1);
        };
        let condition = match &*when.text {
            "" => String::new(),
            "otherwise" => " otherwise".to_owned(),
            condition => format!(" if {condition}"),
        };
        let answer = then.describe(&self.formula().text);
        format!("row {} ({answer}{condition})", row + 1)
    }

    pub(crate) fn tag(&self, row: usize) -> &'static str {
        self.section.rows.get(row).map_or(self.section.requirement, |row| row.requirement)
    }

    /// A finding on the section as a whole.
    pub(super) fn finding(
        &self,
        domain: &'static str,
        (kind, level): (DefectKind, Level),
        count: u64,
        example: String,
        message: String,
    ) -> Finding {
        Finding {
            document: self.document.key.into(),
            section: self.section.title.into(),
            domain,
            requirement: self.section.requirement.into(),
            kind,
            level,
            cause: Cause::default(),
            count,
            example,
            against: String::new(),
            message,
        }
    }
}
