//! Outcomes: what a conforming implementation does with a case, and what happened when one ran it.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use values::tensor::Value;

/// What a conforming implementation does with a case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expect {
    /// It returns values that conform.
    #[default]
    Values,
    /// It refuses: the case lies outside the specification. Returning values is no failure of a
    /// more general implementation, but decides nothing.
    Refusal,
    /// It refuses, or returns values that conform.
    ValuesOrRefusal,
    /// It refuses or returns any values: no specification decides.
    Undecided,
}

impl Expect {
    /// Whether values that come back are compared with expected ones.
    pub const fn is_of_values(self) -> bool {
        matches!(self, Self::Values | Self::ValuesOrRefusal)
    }
}

/// What happened when a backend ran a case.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It returned these values, in the order of the graph's outputs.
    Outputs(Vec<Value>),
    /// It refused, and lives.
    Refused(Refusal),
    /// The backend crashed.
    Crashed {
        /// How it crashed.
        message: String,
    },
    /// It did not answer within this time.
    TimedOut(Duration),
    /// It answered against the adapter protocol, or what it returned cannot be read.
    Fault {
        /// In what way.
        message: String,
    },
}

/// An orderly refusal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refusal {
    /// The stage at which it refused.
    pub stage: Stage,
    /// The kind of refusal.
    pub kind: RefusalKind,
    /// The backend's own message.
    pub message: String,
}

/// When a backend refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// On loading the model.
    Load,
    /// On running it.
    Run,
}

/// Why a backend refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalKind {
    /// There is no implementation for what the case needs.
    Unsupported,
    /// It holds the model or its inputs to be invalid.
    Invalid,
    /// Anything else, such as an operand outside the operator's domain.
    Error,
}

impl Refusal {
    /// The refusal of what has no implementation.
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::load(RefusalKind::Unsupported, message.into())
    }

    /// A refusal on loading the model.
    pub const fn load(kind: RefusalKind, message: String) -> Self {
        Self { stage: Stage::Load, kind, message }
    }

    /// A refusal on running it.
    pub const fn run(kind: RefusalKind, message: String) -> Self {
        Self { stage: Stage::Run, kind, message }
    }
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

/// What is said of a case whose time is over.
pub fn no_answer_within(time: Duration) -> String {
    format!("no answer within {} s", time.as_secs_f64())
}
