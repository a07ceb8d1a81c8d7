//! Summation error of accumulated operators, and the accumulator width inferred from probes.
//!
//! A [`Summation`] is an operator of which each output element is a sum, or a dot product, of as many terms as asked. It is given
//! [vectors](Vector) of known condition number and exactly known sum, in orders that defeat one way of adding them up or
//! another, and [probes] that tell how many bits its additions keep. The [`Row`] of the [`document`] says how
//! much of the bound each result took, and what the probes betrayed.

mod conduct;
pub mod document;
mod judge;
pub mod probes;
mod read_back;
mod summation;
pub mod text;
mod vector;

pub use conduct::{
    Ask, Choice, ConductError, Conducted, DOCUMENT, Subject, asked, conduct, summations,
};
pub use document::{Accumulator, Row, Sums};
pub use summation::Summation;
pub use vector::{SEED, Vector};
