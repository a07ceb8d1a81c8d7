//! Campaigns: from the command line, as a library with wrong subjects, killed and resumed, in parts
//! and merged.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

mod command;
mod forged;
mod kill;
mod splits;
mod strategies;
mod subjects;
mod whole;
