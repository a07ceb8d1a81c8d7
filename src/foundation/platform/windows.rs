//! Windows, 10 or later.

pub(super) mod files;
pub(super) mod folder;
#[cfg(feature = "cli")]
pub(super) mod interruptions;
pub(super) mod process;
pub(super) mod streams;
