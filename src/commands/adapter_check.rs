//! `adapter-check`: whether an adapter follows the protocol, as a list.

use std::fmt::Write;
use std::process::ExitCode;

use onnx_conformance::backend::adapter::Program;
use onnx_conformance::backend::protocol_check;
use onnx_conformance::foundation::printable::on_one_line;

use super::{CommandError, exit, sandbox};
use crate::cli::AdapterCheckArgs;
use crate::terminal;

pub(super) fn adapter_check(args: &AdapterCheckArgs) -> Result<ExitCode, CommandError> {
    let sandbox = sandbox::of(&args.sandbox, sandbox::Denied::default())?;
    let program = Program { sandbox, ..Program::parse(&args.command)? };
    let findings = protocol_check::check(program, args.start_timeout, args.timeout)?;
    let (mut text, mut bad) = (String::new(), 0);
    for finding in &findings {
        let (mark, detail) = match &finding.result {
            Ok(detail) => ("ok ", detail),
            Err(detail) => ("BAD", detail),
        };
        bad += usize::from(finding.result.is_err());
        let detail = on_one_line(detail);
        let lines = textwrap::wrap(&detail, terminal::style().width.saturating_sub(6).max(34));
        let _ = writeln!(text, "{mark}  {}", finding.check);
        for line in lines {
            let _ = writeln!(text, "       {line}");
        }
    }
    let _ = match bad {
        0 => writeln!(text, "\nThe adapter follows the protocol."),
        _ => writeln!(
            text,
            "\n{bad} of {} checks failed; `guide adapter-protocol` lists them all.",
            findings.len()
        ),
    };
    terminal::print(&text)?;
    Ok(ExitCode::from(if bad == 0 { 0 } else { exit::HARNESS }))
}
