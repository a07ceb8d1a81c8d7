//! What everything else stands on: the operating system, files, text, and what a process leaves behind.

pub mod cleanup;
pub(crate) mod embedded;
pub(crate) mod files;
#[cfg(feature = "cli")]
pub mod guide;
pub mod platform;
pub mod printable;
pub(crate) mod text;
pub mod trust;

pub use judge::digest;
