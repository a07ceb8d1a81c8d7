//! Unix: Linux, macOS, the BSDs.

pub(super) mod files;
pub(super) mod folder;
pub(super) mod interruptions;
pub(super) mod process;
mod removal;
pub(super) mod streams;
