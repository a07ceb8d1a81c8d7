//! `evidence` and `verify`: packs made and checked.

use std::process::ExitCode;

use onnx_conformance::documents::evidence::{self, Inputs, Redactor, text};
use onnx_conformance::foundation::cleanup::FolderLock;

use super::{CommandError, exit};
use crate::cli::{EvidenceArgs, VerifyArgs};
use crate::terminal;

pub(super) fn evidence(args: &EvidenceArgs) -> Result<ExitCode, CommandError> {
    // In a pack lies nothing but the pack.
    let _lock = FolderLock::beside(&args.out)?;
    let inputs = Inputs {
        reports: args.report.clone(),
        campaigns: args.campaign.clone(),
        subject: args.subject.clone(),
        profiles: args.profile.clone(),
        models: args.model.clone(),
    };
    let redactor = Redactor::of_this_machine()?;
    let gathered = evidence::gather(&inputs, &redactor)?;
    let packed = evidence::pack(&gathered, &args.out, &redactor)?;
    terminal::print(&text::packed(&packed, terminal::style()))?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn verify(args: &VerifyArgs) -> Result<ExitCode, CommandError> {
    let found = evidence::verify(&args.dir)?;
    terminal::print(&text::verified(&found, terminal::style()))?;
    Ok(ExitCode::from(match &found.digests_only {
        _ if found.is_whole() => 0,
        Some(_) if found.problems.is_empty() => exit::NOTHING_COMPARED,
        _ => exit::INTEGRITY,
    }))
}
