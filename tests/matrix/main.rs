//! The requirement matrix: its document, its page, and the links between it and other pages.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

mod build;
mod command;
mod html;
mod links;
#[path = "../report/synthetic.rs"]
#[allow(dead_code, reason = "made for the tests of reports")]
mod reports;
mod synthetic;
mod text;
