//! Windows, 10 or later.

pub(super) mod files;
pub(super) mod folder;
pub(super) mod interruptions;
pub(super) mod process;
pub(super) mod streams;
