//! `evidence` and `verify`: packs made and checked.

use std::process::ExitCode;

use onnx_conformance::evidence::{
    self, GatherError, Inputs, PackError, Redactor, VerifyError, text,
};

use super::{CommandError, exit};
use crate::cli::{EvidenceArgs, VerifyArgs};
use crate::terminal;

/// A command on packs ends without doing what it was asked to.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("failed to prepare the search for paths in texts")]
    Redactor(#[from] regex::Error),
    #[error(transparent)]
    Gather(#[from] GatherError),
    #[error(transparent)]
    Pack(#[from] PackError),
    #[error(transparent)]
    Verify(#[from] VerifyError),
}

impl Error {
    pub(super) fn exit_code(&self) -> u8 {
        match self {
            Self::Gather(GatherError::Serialise(_)) | Self::Redactor(_) => exit::HARNESS,
            Self::Gather(GatherError::NothingCompared) => exit::NOTHING_COMPARED,
            Self::Gather(error) if error.is_of_integrity() => exit::INTEGRITY,
            Self::Gather(_) => exit::USAGE,
            Self::Pack(PackError::Occupied { .. }) => exit::USAGE,
            Self::Pack(_) => exit::HARNESS,
            Self::Verify(VerifyError::Contents(_) | VerifyError::Serialise(_)) => exit::HARNESS,
            Self::Verify(_) => exit::USAGE,
        }
    }
}

/// Makes a pack of reports and campaigns.
pub(super) fn evidence(args: &EvidenceArgs) -> Result<ExitCode, CommandError> {
    let inputs = Inputs {
        reports: args.report.clone(),
        campaigns: args.campaign.clone(),
        subject: args.subject.clone(),
        profiles: args.profile.clone(),
    };
    let redactor = Redactor::of_this_machine().map_err(Error::from)?;
    let gathered = evidence::gather(&inputs, &redactor).map_err(Error::from)?;
    let packed = evidence::pack(&gathered, &args.out, &redactor).map_err(Error::from)?;
    terminal::print(&text::packed(&packed, terminal::style()))?;
    Ok(ExitCode::SUCCESS)
}

/// Checks a pack.
pub(super) fn verify(args: &VerifyArgs) -> Result<ExitCode, CommandError> {
    let found = evidence::verify(&args.dir).map_err(Error::from)?;
    terminal::print(&text::verified(&found, terminal::style()))?;
    Ok(ExitCode::from(if found.is_whole() { 0 } else { exit::INTEGRITY }))
}
