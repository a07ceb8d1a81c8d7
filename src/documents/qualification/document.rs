//! The qualification document, format version 1: the types behind `qualification.json` and its JSON
//! Schema.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Version of the document's format; counts up on any change.
pub const FORMAT_VERSION: u32 = 1;

/// What `qualification.json` holds: the kill matrix, and what follows from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "onnx-conformance qualification")]
pub struct Qualification {
    /// Version of this format.
    #[schemars(extend("const" = FORMAT_VERSION))]
    pub format_version: u32,
    /// The tool that is qualified.
    pub tool: Tool,
    /// All defects together.
    pub summary: Tally,
    /// The defects of each fault class.
    pub classes: Vec<ClassTally>,
    /// What looks for defects.
    pub columns: Vec<Column>,
    /// What is right, and has to be found right before a defect counts.
    pub clean: Vec<Clean>,
    /// The seeded defects, by fault class.
    pub defects: Vec<Defect>,
}

/// The tool, without the commit: the document is part of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// `onnx-conformance`.
    pub name: String,
    /// Package version.
    pub version: String,
}

/// Defects, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// Defects seeded.
    pub defects: u64,
    /// Of these, found by something of this project: its suites, campaigns and checks.
    pub killed: u64,
    /// Of these, found by the suites of this project alone.
    pub killed_by_suites: u64,
    /// Of these, found by the official ONNX corpus under its official tolerance alone.
    pub killed_by_official: u64,
}

/// The defects of a fault class, counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClassTally {
    /// Which.
    pub class: Class,
    /// The counts.
    pub tally: Tally,
}

/// What kind of fault a defect is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// The wrong thing is computed.
    Arithmetic,
    /// The right thing is rounded wrongly.
    Rounding,
    /// Zeros, infinities, NaNs, subnormal numbers, or quotients that no integer is.
    SpecialValues,
    /// A value goes through a type that does not hold it.
    Conversion,
    /// The wrong elements are read or written.
    Indexing,
    /// Shapes that differ are matched wrongly.
    Broadcasting,
    /// A type is taken for another, refused, or taken where it should not be.
    TypeHandling,
    /// An adapter does not do what it says.
    Protocol,
}

impl Class {
    /// Every class.
    pub const ALL: [Self; 8] = [
        Self::Arithmetic,
        Self::Rounding,
        Self::SpecialValues,
        Self::Conversion,
        Self::Indexing,
        Self::Broadcasting,
        Self::TypeHandling,
        Self::Protocol,
    ];
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// Something that looks for defects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// Short name that stays.
    pub id: String,
    /// What it is.
    pub kind: ColumnKind,
    /// In a sentence.
    pub says: String,
    /// Accuracy profile that it judges under; null where it judges no results.
    pub profile: Option<String>,
    /// Cases or inputs that it holds; of a corpus those whose operators the kernels have.
    pub cases: u64,
    /// Digest of the corpus; null where there is none.
    pub digest: Option<String>,
    /// Defects that it could find: it has a case of their operators and types.
    pub applicable: u64,
    /// Of these, found.
    pub killed: u64,
}

/// What looks for defects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ColumnKind {
    /// A suite of this project.
    Suite,
    /// The official ONNX corpus under its official tolerance.
    Official,
    /// The official ONNX corpus, judged more strictly than by its own runner.
    OfficialStrict,
    /// Campaigns of this project.
    Campaign,
    /// The check that an adapter follows the protocol.
    Protocol,
}

impl ColumnKind {
    /// Whether it is this project's own.
    pub const fn is_own(self) -> bool {
        matches!(self, Self::Suite | Self::Campaign | Self::Protocol)
    }
}

/// A kernel or adapter without a defect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Clean {
    /// Short name.
    pub id: String,
    /// What it is.
    pub says: String,
    /// For each column, its result; there is no failure, or nothing would be qualified.
    pub cells: Vec<CleanCell>,
}

/// The result of a kernel without a defect in a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CleanCell {
    /// The column.
    pub column: String,
    /// Cases passed, or inputs with the right result.
    pub passed: u64,
    /// Cases that no specification decides.
    pub undecided: u64,
}

/// A seeded defect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Defect {
    /// Short name that stays.
    pub id: String,
    /// Its fault class.
    pub class: Class,
    /// What is wrong, in a sentence.
    pub says: String,
    /// Which of the clean ones it was seeded into.
    pub seeded_into: String,
    /// Operators in which it is wrong.
    pub operators: Vec<String>,
    /// Element types in which it is wrong, by the first operand.
    pub types: Vec<String>,
    /// The columns that have to find it, and no other does.
    pub promised: Vec<String>,
    /// For each column, whether it finds it.
    pub cells: Vec<Cell>,
}

/// What a column makes of a defect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// The column.
    pub column: String,
    /// Whether it finds it.
    pub status: Status,
    /// Cases or inputs of the defect's operators and types that the clean kernel is right on.
    pub cases: u64,
    /// Of these, those that fail: a run or campaign says so by itself.
    pub failed: u64,
    /// Of these, those that are a pass no longer without failing: the gate says so.
    pub lost: u64,
    /// The first of either.
    pub first: Option<String>,
}

/// Whether a column finds a defect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It does.
    Killed,
    /// It does not.
    Survived,
    /// It has nothing of the defect's operators and types.
    NotApplicable,
}

impl Cell {
    /// The cell of these counts.
    pub fn of(column: &str, cases: u64, failed: u64, lost: u64, first: Option<String>) -> Self {
        let status = match (cases, failed.saturating_add(lost)) {
            (0, 0) => Status::NotApplicable,
            (_, 0) => Status::Survived,
            _ => Status::Killed,
        };
        Self { column: column.to_owned(), status, cases, failed, lost, first }
    }

    /// Cases or inputs that find the defect.
    pub const fn found(&self) -> u64 {
        self.failed.saturating_add(self.lost)
    }
}

impl Defect {
    /// Whether a column of this kind finds it.
    pub fn is_killed_by(&self, columns: &[Column], is_meant: impl Fn(ColumnKind) -> bool) -> bool {
        let mut cells = columns.iter().zip(&self.cells);
        cells.any(|(column, cell)| is_meant(column.kind) && cell.status == Status::Killed)
    }

    /// The columns that find it.
    pub fn killers(&self) -> impl Iterator<Item = &str> {
        let killed = self.cells.iter().filter(|cell| cell.status == Status::Killed);
        killed.map(|cell| cell.column.as_str())
    }
}
