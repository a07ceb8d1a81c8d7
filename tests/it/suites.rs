//! The project's own suites: what they hold, and what a wrong backend leaves verified. That wrong kernels are
//! found is for `tests/qualification`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

mod committed;
mod verdicts;
