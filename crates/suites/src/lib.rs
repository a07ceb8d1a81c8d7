//! The suites as the program carries them, and the archives that hold cases: reading those of strangers
//! within limits, and the one form in which suites are kept.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic"))]

pub mod archive;
pub mod canonical;
pub mod embedded;
