//! `c-abi`: an adapter that serves a shared library.

use std::io;
use std::process::ExitCode;

use onnx_conformance::adapter;
use onnx_conformance::c_abi::CAbi;

use super::CommandError;
use crate::cli::CAbiArgs;

pub(super) fn c_abi(args: &CAbiArgs) -> Result<ExitCode, CommandError> {
    let library = CAbi::open(&args.library)?;
    adapter::serve(&library, io::stdin().lock(), io::stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}
