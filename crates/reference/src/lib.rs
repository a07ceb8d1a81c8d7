//! What the specifications of ONNX's operators allow, in exact arithmetic.
//!
//! The reference shares nothing with the kernels that it judges, and decides nothing in floating
//! point without a proof: results, shapes, broadcasting and attributes are its own.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic"))]

pub mod accuracy;
pub mod boundaries;
pub mod brackets;
pub mod broadcast;
pub mod call;
pub mod case_spec;
mod case_table;
pub mod check;
pub mod conditioned;
pub mod derivation;
pub mod elements;
pub mod elementwise;
pub mod exact;
pub mod families;
pub mod graph;
pub mod hard;
pub mod inputs;
mod memoised;
pub mod operator;
pub mod operators;
mod pointwise;
pub mod real;
pub mod signature;
pub mod survey;
pub mod sweep;
pub mod variation;
