//! Unix: Linux, macOS, the BSDs.

pub(super) mod files;
pub(super) mod folder;
#[cfg(feature = "cli")]
pub(super) mod interruptions;
pub(super) mod process;
mod removal;
pub(super) mod streams;
