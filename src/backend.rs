//! Backends: the systems under test, and what happens when one runs a case. The crate's
//! [tour](crate#a-tour) has a whole one.

pub mod adapter;
#[cfg(feature = "cli")]
pub mod builtin;
#[cfg(feature = "cli")]
pub mod c_abi;
#[cfg(feature = "cli")]
pub mod catalogue;
#[cfg(feature = "cli")]
mod graph;
mod identity;
#[cfg(feature = "cli")]
mod layers;
pub mod protocol;
#[cfg(feature = "cli")]
pub mod protocol_check;
#[cfg(feature = "cli")]
mod restrictions;
mod runtime;
pub mod serve;

use std::time::Duration;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

pub use self::identity::{Identity, IdentityError};
pub use self::runtime::Runtime;
use crate::corpus::suite::Suite;
use crate::model::Model;
use crate::tensor::Value;
pub use judge::outcome::{Outcome, Refusal, RefusalKind, Stage};

/// A system under test. One that runs ONNX models within this process is a [`Runtime`], which is less to write.
pub trait Backend: Send + Sync {
    /// Its identity.
    fn identity(&self) -> Identity;

    /// Runs a model on the values of one data set.
    fn run(&self, task: &Task<'_>) -> Answer;

    /// Where it ends a task by itself when its time is over, the time that this may take beyond it at
    /// most. Where it does not, whoever calls it has to give up on it.
    fn grace(&self) -> Option<Duration> {
        None
    }

    /// What keeps it from what it is judged by.
    fn isolation(&self) -> Isolation {
        Isolation::InProcess
    }

    /// What its isolation leaves open, where that is partial.
    fn isolation_gaps(&self) -> &[String] {
        &[]
    }

    /// Ends whatever it has started. A task in flight is finished; there will be no other.
    fn close(&self) {}
}

/// One data set of a case, put to a backend.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The model to run.
    pub model: &'a Model,
    /// The bytes of the file that `model` was decoded from.
    pub file: &'a Bytes,
    /// The values of the data set in the order of [`Model::inputs`]; trailing ones may be left out.
    pub inputs: &'a [Value],
    /// The suite; a backend that can keep to the restrictions of its specification does so.
    pub suite: Suite,
    /// Time that the backend has.
    pub time: Duration,
    /// Largest size in bytes that a serialised output may reasonably have.
    pub output_limit: u64,
}

/// What a backend did with a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The result of running a task.
    pub outcome: Outcome,
    /// What it wrote to its standard error meanwhile, or the end of it.
    pub stderr: String,
}

impl From<Outcome> for Answer {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, stderr: String::new() }
    }
}

/// What keeps a system under test from reading the results that are expected of it, and from
/// altering what it is judged by; the stronger, the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Isolation {
    /// It runs within the process of this program.
    InProcess,
    /// Nothing does: its process has the rights of the user who starts it.
    None,
    /// The system's sandbox, but with known copies of what it denies, such as a program that carries the
    /// suites itself, as this one does.
    Partial,
    /// The system's sandbox denies it reading corpora, suites, reports and this program's executable, and
    /// writing whatever was not allowed by name.
    Default,
    /// The system's sandbox denies it reading, too, all but the system, its own files and what was allowed by
    /// name.
    Strict,
}

impl Isolation {
    /// What it means, in a line for readers.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::InProcess => "none, as it runs within this program",
            Self::None => "none: it may read what is expected of it",
            Self::Partial => "a sandbox, but with known copies of what is expected of it",
            Self::Default => "a sandbox without corpora, suites and reports",
            Self::Strict => "a strict sandbox: the system and its own files alone",
        }
    }
}

/// The refusal of a runtime of ONNX models.
pub(crate) fn no_openvino() -> Refusal {
    Refusal::unsupported("models in OpenVINO's format are not taken")
}
