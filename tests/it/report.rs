//! The report forms, on reports made up for the purpose.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

mod bounds;
mod contradiction;
mod edits;
mod html;
mod json;
mod junit;
mod summary;
mod write;

use crate::support::reports as synthetic;
