//! What decides a verdict.
//!
//! The crate `judge` has what whoever embeds a judge needs: one model, one implementation, a judgement. It is
//! handed on here. Beside it is what only the harness needs, which compares many cases with lists and documents:
//! the verdicts that are expected of a backend, and the check of the specifications themselves. Nothing here runs
//! a backend, opens a connection or prints.

pub use judge::{
    Extent, Judgement, Sample, Trial, compare, operands_of, outcome, profile, requirements, verdict,
};

pub mod expect;
#[cfg(feature = "cli")]
pub mod spec;
