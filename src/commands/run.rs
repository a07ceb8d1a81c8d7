//! The command `run`.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::document::provenance;
use onnx_conformance::documents::matrix::write_with;
use onnx_conformance::documents::report::document::Report;
use onnx_conformance::documents::report::messages::Message;
use onnx_conformance::documents::report::{Written, summary};
use onnx_conformance::foundation::cleanup::FolderLock;
use onnx_conformance::judge::requirements::Catalogue;
use onnx_conformance::run::Event;

use super::testing::{Extent, test, verdict_of};
use super::{CommandError, matrix};
use crate::cli::{MessageFormat, RunArgs};
use crate::terminal;

pub(super) fn run(args: &RunArgs) -> Result<ExitCode, CommandError> {
    if let Some(taken) = &args.config {
        terminal::eprint(&format!("options {taken}"));
    }
    let _lock = FolderLock::within(&args.out)?;
    provenance::prepare();
    let catalogue = Arc::new(Catalogue::embedded()?);
    let (out, extent) = (Some(args.out.as_path()), Extent::of(args)?);
    let mut messages = Messages::new(args.message_format);
    let mut on_event = |event: Event<'_>| messages.on(event);
    let run = test(&args.test, &[Suite::Onnx], &catalogue, out, extent, &mut on_event)?;
    let report = Report::of(run, &catalogue)?;
    let written = write(&report, &catalogue, &args.out)?;
    let text = |style| summary::render(&report, &written, args.failures, style);
    match args.message_format {
        MessageFormat::Human => terminal::print(&text(terminal::style()))?,
        MessageFormat::Json => terminal::eprint(text(terminal::style_stderr()).trim_end()),
    }
    let code = verdict_of(&report, args.strict);
    messages.send(|| Message::finished(&report, &written, code));
    messages.written?;
    // The process ends, and with it goes at once what takes long to give back piece by piece.
    std::mem::forget(report);
    Ok(ExitCode::from(code))
}

/// The messages of a run on standard output, where they are asked for.
struct Messages {
    format: MessageFormat,
    /// Whether all could be written up to now.
    written: Result<(), CommandError>,
}

impl Messages {
    const fn new(format: MessageFormat) -> Self {
        Self { format, written: Ok(()) }
    }

    fn on(&mut self, event: Event<'_>) {
        match event {
            Event::Started { backend: Some(backend), cases } => {
                self.send(|| Message::started(backend, cases));
            }
            Event::Settled(case) => self.send(|| Message::of(case)),
            Event::Started { .. } | Event::Finished(_) | Event::Verified => {}
        }
    }

    fn send(&mut self, message: impl FnOnce() -> Message) {
        if self.format == MessageFormat::Json && self.written.is_ok() {
            self.written = line(&message());
        }
    }
}

fn line(message: &Message) -> Result<(), CommandError> {
    Ok(terminal::print_json(&serde_json::to_string(message)?)?)
}

/// Writes a report with its matrix.
pub(super) fn write(
    report: &Report,
    catalogue: &Catalogue,
    out: &Path,
) -> Result<Written, CommandError> {
    Ok(write_with(report, &matrix::of_report(report, catalogue)?, out)?)
}
