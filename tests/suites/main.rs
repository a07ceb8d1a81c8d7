//! The project's own suites: what they hold, that the built-in backend conforms to them, and that
//! wrong kernels do not.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

mod committed;
mod gate;
mod judge;
mod kernels;
mod mutants;
