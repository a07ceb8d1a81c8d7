//! Scoreboards of reports made up for the purpose.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

mod adjudicate;
mod command;
mod divergences;
mod forms;
mod join;
pub(crate) mod synthetic;
