//! `c-abi`: an adapter that serves a shared library.

use std::io;
use std::process::ExitCode;

use onnx_conformance::c_abi::CAbi;
use onnx_conformance::serve::serve;

use super::CommandError;
use crate::cli::CAbiArgs;

pub(super) fn c_abi(args: &CAbiArgs) -> Result<ExitCode, CommandError> {
    let library = &CAbi::open(&args.library)?;
    serve(&library, io::stdin().lock(), io::stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}
