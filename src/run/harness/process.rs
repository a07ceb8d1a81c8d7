//! The process that the runtime is asked in: this test, started once more behind the adapter protocol.

use std::env;
use std::io::{self, BufWriter};
use std::process::ExitCode;
use std::time::Duration;

use super::tell;
use crate::backend::Runtime;
use crate::backend::adapter::{Adapter, Program, Sandbox, StartError};
use crate::backend::serve::{ServeError, serve};
use crate::foundation::platform::take_stdout;
use crate::foundation::text::with_causes;

/// The argument by which the test knows that it is such a process. No test has it for a name.
const ARGUMENT: &str = "--onnx-conformance-runtime";

/// Time that the runtime has to be made.
const START: Duration = Duration::from_secs(60);

/// The runtime cannot be started.
#[derive(Debug, thiserror::Error)]
pub(super) enum ProcessError {
    #[error("failed to find the program of this test")]
    Program(#[source] io::Error),
    #[error(transparent)]
    Start(#[from] StartError),
}

/// Whether this is such a process.
pub(super) fn is_of_runtime() -> bool {
    env::args_os().nth(1).is_some_and(|argument| argument == ARGUMENT)
}

/// Starts one, and more where several cases are run at once.
pub(super) fn start() -> Result<Adapter, ProcessError> {
    let path = env::current_exe().map_err(ProcessError::Program)?;
    // It is its author's own test: nothing keeps the runtime from what it is judged by.
    let (arguments, sandbox) = (vec![ARGUMENT.into()], Sandbox::default());
    let program = Program { path, arguments, folder: None, memory_limit: None, sandbox };
    Ok(Adapter::start(program, 1, START)?)
}

/// Makes the runtime and answers for it until there is no more to do.
pub(super) fn answer<R: Runtime>(runtime: impl FnOnce() -> R) -> ExitCode {
    // What the runtime prints is no answer.
    let answers = match take_stdout() {
        Ok(answers) => answers,
        Err(error) => return end(&ServeError::Answer(error)),
    };
    match serve(&runtime(), io::stdin().lock(), BufWriter::new(answers)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => end(&error),
    }
}

fn end(error: &ServeError) -> ExitCode {
    tell(&format!("error: {}", with_causes(error.to_string(), error)));
    ExitCode::FAILURE
}
