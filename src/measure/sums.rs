//! Summation error of accumulated operators, and the accumulator width inferred from probes.
//!
//! A [`Summation`] is an operator of which each output element is a sum, or a dot product, of as many terms as asked. It is given
//! [vectors](Vector) of known condition number and exactly known sum, in orders that defeat one way of adding them up or
//! another, and [probes] that tell how many bits its additions keep. The [`Row`] of the [`document`] says how
//! much of the bound each result took, and what the probes betrayed.

pub mod document;
mod driver;
mod judge;
pub mod probes;
mod summation;
pub mod text;
mod validate;
mod vector;

pub use document::{Accumulator, Row, Sums};
pub use driver::{
    Ask, Choice, ConductError, Conducted, DOCUMENT, Subject, asked, drive, summations,
};
pub use summation::Summation;
pub use vector::{SEED, Vector};
