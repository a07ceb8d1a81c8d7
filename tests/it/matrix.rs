//! The requirement matrix: its document, its page, and the links between it and other pages.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

mod build;
mod command;
mod html;
mod links;
mod synthetic;
mod text;

use crate::support::reports;
