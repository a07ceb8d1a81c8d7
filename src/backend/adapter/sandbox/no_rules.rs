//! Rules of a system that has no sandbox: there are none.

use std::io;
use std::path::Path;

use super::Sandbox;
use crate::backend::adapter::Program;

pub(super) fn are_supported() -> bool {
    false
}

pub(super) fn restrict(_: &Sandbox, _: &Program, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
