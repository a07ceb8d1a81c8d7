//! Backends: the systems under test, and what happens when one runs a case.

pub mod builtin;
pub(crate) mod graph;
mod layers;
mod restrictions;

use std::collections::BTreeMap;
use std::fmt;

use crate::model::Model;
use crate::suite::Suite;
use crate::tensor::Value;

/// A system under test.
pub trait Backend: Send + Sync {
    /// Who it is.
    fn identity(&self) -> Identity;

    /// Runs a model on the values of one data set, given in the order of [`Model::inputs`]. A
    /// backend that can keep to the restrictions of the case's suite does so.
    fn run(&self, model: &Model, inputs: &[Value], suite: Suite) -> Outcome;
}

/// Who a backend is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// What else it says of itself.
    pub details: BTreeMap<String, String>,
}

/// What happened when a backend ran a case.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It returned these values, in the order of the graph's outputs.
    Outputs(Vec<Value>),
    /// It refused, and lives.
    Refused(Refusal),
    /// It died.
    Crashed {
        /// Its last words.
        message: String,
    },
}

/// An orderly refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// When it refused.
    pub stage: Stage,
    /// Why.
    pub kind: RefusalKind,
    /// Its own words.
    pub message: String,
}

/// When a backend refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// On loading the model.
    Load,
    /// On running it.
    Run,
}

/// Why a backend refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// It has no implementation of what the case asks for.
    Unsupported,
    /// It holds the model or its inputs to be invalid.
    Invalid,
    /// Anything else, such as an operand outside the operator's domain.
    Error,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stage = match self.stage {
            Stage::Load => "load",
            Stage::Run => "run",
        };
        let kind = match self.kind {
            RefusalKind::Unsupported => "unsupported",
            RefusalKind::Invalid => "invalid",
            RefusalKind::Error => "error",
        };
        write!(f, "refused on {stage} ({kind}): {}", self.message)
    }
}
