//! Models that users bring: which operators they use and how, and how each node of them comes out.
//!
//! [`mod@file`] reads a model, the data that lie beside it included; [`graph`] puts its nodes in the order in which they
//! are computed, with functions expanded, and finds what is wrong with it; [`cut`] makes a model of some of the nodes.
//! [`types`] finds what is known of each value, [`uses`] the distinct uses of operators, [`coverage`] the cases of exactly
//! these, and [`restrictions`] what of SONNX a model breaks; [`inspect`] puts them together. [`inputs`] finds what a model is
//! given, and [`trace`] runs each of its nodes alone.

pub mod coverage;
pub mod cut;
pub mod file;
pub mod graph;
pub mod inputs;
pub mod inspect;
mod npy;
pub mod restrictions;
pub mod trace;
pub mod types;
pub mod uses;
