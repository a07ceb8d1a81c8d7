//! Sweeps: whether every one of very many results is what the specification allows, and a tally of
//! them all.
//!
//! What is decided, is decided in integers on the bits. Where an operator has a fast check of a type,
//! most elements are decided many at a time, by inequalities that `docs/numerics.md` proves; whatever
//! these do not accept, and whatever might be the largest error so far, goes to the exact arithmetic
//! one by one. So a tally is the one that exact arithmetic alone would give, at another speed.

mod counts;
pub(crate) mod exact_checker;
pub(crate) mod fast_check;
pub(crate) mod float_lanes;
pub(crate) mod int_lanes;
pub mod run;
mod tally;
pub(crate) mod threshold;

pub use exact_checker::Mismatch;
pub use tally::{BINS, Classes, LABELS, Largest, Tally, bin};

/// Operands that a sweep takes at most.
pub const MAX_ARITY: usize = 3;
