//! How a command ends that does not do what it was asked to: the error, and the exit code that tells it.

use std::error::Error;
use std::{fmt, io};

use onnx_conformance::backend::c_abi;
use onnx_conformance::backend::protocol_check;
use onnx_conformance::backend::serve;
use onnx_conformance::backend::{adapter, catalogue};
use onnx_conformance::corpus::CorpusError;
use onnx_conformance::corpus::case;
use onnx_conformance::corpus::generate::GenerateError;
use onnx_conformance::corpus::shard::ShardError;
use onnx_conformance::corpus::suite::UnknownSuite;
use onnx_conformance::document::ReadError;
use onnx_conformance::document::write::WriteError;
use onnx_conformance::documents::audit::AuditError;
use onnx_conformance::documents::challenge::ChallengeError;
use onnx_conformance::documents::evidence::{GatherError, PackError, VerifyError};
use onnx_conformance::documents::expectations::ExpectationsError;
use onnx_conformance::documents::gate::{self, GateError};
use onnx_conformance::documents::matrix;
use onnx_conformance::documents::report;
use onnx_conformance::documents::scoreboard::{CaseSpecError, JoinError};
use onnx_conformance::documents::site::{PublishError, SiteError};
use onnx_conformance::foundation::cleanup::LockError;
use onnx_conformance::foundation::printable::indented;
use onnx_conformance::judge::expect;
use onnx_conformance::judge::profile::{NamedError, ProfileError};
use onnx_conformance::judge::requirements::{CatalogueError, UnknownRequirement};
use onnx_conformance::judge::spec;
use onnx_conformance::measure::atlas;
use onnx_conformance::measure::campaign::{
    AttributeError, ConductError, JudgeError, MergeError, PlanError, RegressError,
};
use onnx_conformance::measure::sums;
use onnx_conformance::models::file::FileError;
use onnx_conformance::models::inputs::InputError;
use onnx_conformance::models::inspect::InspectError;
use onnx_conformance::models::trace::TraceError;
use onnx_conformance::models::trace::dumps::DumpError;
use onnx_conformance::run::{NoCase, RunError};

/// Exit codes, as documented in the command line's help.
pub(super) mod exit {
    pub(crate) const FAILED: u8 = 1;
    pub(crate) const USAGE: u8 = 2;
    pub(crate) const NOTHING_COMPARED: u8 = 3;
    pub(crate) const INTEGRITY: u8 = 4;
    pub(crate) const HARNESS: u8 = 5;
    /// 128 + SIGINT, as shells have it.
    pub(crate) const INTERRUPTED: u8 = 130;
}

/// Why a command ends, and with which code.
#[derive(Debug)]
pub(crate) struct CommandError {
    error: Box<dyn Error>,
    pub(super) code: u8,
}

impl<E: Exits + 'static> From<E> for CommandError {
    fn from(error: E) -> Self {
        Self { code: error.exit_code(), error: error.into() }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", indented(&self.error.to_string()))?;
        let mut cause = self.error.source();
        while let Some(inner) = cause {
            write!(f, "\n  caused by: {}", indented(&inner.to_string()))?;
            cause = inner.source();
        }
        Ok(())
    }
}

/// The operating system refused something.
#[derive(Debug, thiserror::Error)]
#[error("failed to {action}")]
struct Refused {
    action: String,
    source: io::Error,
}

impl CommandError {
    /// What is wrong with the arguments, beyond what their parser finds.
    pub(super) fn misuse(problem: impl Into<String>) -> Self {
        Self { error: problem.into().into(), code: exit::USAGE }
    }

    /// Something that the harness cannot go on with.
    pub(super) fn harness(problem: impl Into<String>) -> Self {
        Self { error: problem.into().into(), code: exit::HARNESS }
    }

    /// That the operating system refuses to do this, and the code that tells it.
    pub(super) fn io(action: String, code: u8) -> impl FnOnce(io::Error) -> Self {
        move |source| Self { error: Refused { action, source }.into(), code }
    }
}

/// An error that a command may end with. Most are for the user to mend.
pub(crate) trait Exits: Error {
    fn exit_code(&self) -> u8 {
        exit::USAGE
    }
}

/// Errors by exit code, and those that tell theirs themselves.
macro_rules! exits {
    ($($error:ty $(=> |$this:ident| $code:expr)?;)*) => {$(
        impl Exits for $error {
            $(fn exit_code(&self) -> u8 {
                let $this = self;
                $code
            })?
        }
    )*};
}

exits! {
    UnknownSuite;
    spec::Unreadable;
    catalogue::CatalogueError;
    adapter::CommandError;
    adapter::SandboxError;
    adapter::StartError;
    protocol_check::CheckError;
    expect::ExpectError;
    expect::import::ImportError;
    ExpectationsError;
    NamedError;
    ProfileError;
    case::CaseError;
    CatalogueError;
    UnknownRequirement;
    matrix::MatrixError;
    c_abi::OpenError;
    Box<JoinError>;
    ShardError;
    report::MergeError => |error| match error {
        report::MergeError::Selection => exit::INTEGRITY,
        report::MergeError::Serialise(_) => exit::HARNESS,
        _ => exit::USAGE,
    };
    FileError;
    InspectError;
    PlanError;
    AttributeError;
    JudgeError;
    atlas::MergeError => |error| match error {
        atlas::MergeError::Contradiction(_) => exit::INTEGRITY,
        atlas::MergeError::Serialise(_) => exit::HARNESS,
        _ => exit::USAGE,
    };
    gate::atlas::CompareError => |error| match error {
        gate::atlas::CompareError::NothingExecuted => exit::NOTHING_COMPARED,
        _ => exit::USAGE,
    };
    atlas::ConductError => |error| match error {
        atlas::ConductError::Checkpoint(error) => error.exit_code(),
        atlas::ConductError::Other(_)
        | atlas::ConductError::Plan(_)
        | atlas::ConductError::Same(..) => exit::USAGE,
        atlas::ConductError::Interrupted(..) => exit::INTERRUPTED,
        _ => exit::HARNESS,
    };

    sums::ConductError => |error| match error {
        sums::ConductError::Same(..) => exit::USAGE,
        sums::ConductError::Interrupted(..) => exit::INTERRUPTED,
        _ => exit::HARNESS,
    };

    InputError;
    DumpError;
    TraceError => |error| match error {
        TraceError::Graph { .. } | TraceError::External(_) | TraceError::Initialiser { .. } => {
            exit::USAGE
        }
        TraceError::Interrupted { .. } => exit::INTERRUPTED,
        _ => exit::HARNESS,
    };

    CorpusError => |error| error.exit_code();
    ReadError => |error| if error.is_of_integrity() { exit::INTEGRITY } else { exit::USAGE };
    RunError => |error| match error {
        RunError::Corpus(error) => error.exit_code(),
        RunError::SameName(_) | RunError::Manifest(_) | RunError::EmptyShard(..) => exit::USAGE,
        RunError::NoCase(_) => exit::NOTHING_COMPARED,
        RunError::Interrupted { .. } => exit::INTERRUPTED,
        RunError::Thread(_) => exit::HARNESS,
    };
    NoCase => |_error| exit::NOTHING_COMPARED;
    AuditError => |error| match error {
        AuditError::Corpus(error) => error.exit_code(),
        AuditError::NoCase(_) => exit::NOTHING_COMPARED,
        AuditError::Interrupted { .. } => exit::INTERRUPTED,
    };
    GateError => |error| match error {
        GateError::OtherBackend { .. } => exit::USAGE,
        GateError::NothingCompared => exit::NOTHING_COMPARED,
    };
    ConductError => |error| match error {
        ConductError::Other(..) => exit::USAGE,
        ConductError::Checkpoint(error) => error.exit_code(),
        ConductError::Inconsistent(_) => exit::INTEGRITY,
        ConductError::Interrupted { .. } => exit::INTERRUPTED,
        _ => exit::HARNESS,
    };
    MergeError => |error| match error {
        MergeError::Inconsistent(_) => exit::INTEGRITY,
        MergeError::Serialise(_) => exit::HARNESS,
        _ => exit::USAGE,
    };
    RegressError => |error| match error {
        RegressError::Inconsistent(_) => exit::INTEGRITY,
        RegressError::Io(..) => exit::HARNESS,
        _ => exit::USAGE,
    };
    LockError => |error| match error {
        LockError::Held(_) => exit::USAGE,
        LockError::Io(..) => exit::HARNESS,
    };
    GatherError => |error| match error {
        GatherError::Serialise(_) | GatherError::Challenge(_) => exit::HARNESS,
        GatherError::NothingCompared => exit::NOTHING_COMPARED,
        error if error.is_of_integrity() => exit::INTEGRITY,
        _ => exit::USAGE,
    };
    SiteError => |error| match error {
        SiteError::Read(error) => error.exit_code(),
        SiteError::Serialise(_) | SiteError::Render(_) => exit::HARNESS,
        _ => exit::USAGE,
    };
    PublishError => |error| match error {
        PublishError::Occupied { .. } => exit::USAGE,
        PublishError::Write { .. } => exit::HARNESS,
    };
    PackError => |error| match error {
        PackError::Occupied { .. } => exit::USAGE,
        _ => exit::HARNESS,
    };
    VerifyError => |error| match error {
        VerifyError::Contents(_) | VerifyError::Challenge(_) | VerifyError::Serialise(_) => {
            exit::HARNESS
        }
        _ => exit::USAGE,
    };

    // What the user can do nothing about.
    ChallengeError => |_error| exit::HARNESS;
    GenerateError => |_error| exit::HARNESS;
    CaseSpecError => |_error| exit::HARNESS;
    WriteError => |_error| exit::HARNESS;
    serve::ServeError => |_error| exit::HARNESS;
    serde_json::Error => |_error| exit::HARNESS;
    askama::Error => |_error| exit::HARNESS;
    regex::Error => |_error| exit::HARNESS;
    io::Error => |_error| exit::HARNESS;
}
