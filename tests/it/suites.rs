//! The project's own suites: what they hold, and that the built-in backend conforms to them. That
//! wrong kernels do not is for `tests/qualification`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

mod committed;
mod judge;
mod verdicts;
