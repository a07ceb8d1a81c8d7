//! Rules of a system that has no sandbox: there are none.

use std::io;
use std::path::Path;

use super::Sandbox;
use crate::backend::adapter::Program;

pub(super) fn are_supported() -> bool {
    false
}

pub(super) fn restrict(sandbox: &Sandbox, _: &Program, _: &Path) -> io::Result<()> {
    let Sandbox { denied, allowed, .. } = sandbox;
    let message = format!("this system has no sandbox to deny {denied:?} and allow {allowed:?}");
    Err(io::Error::new(io::ErrorKind::Unsupported, message))
}
