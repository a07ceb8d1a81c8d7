//! Reports: the one report document and the forms derived from it.
//!
//! [`parts`] makes `report.json`, `report.html` and `junit.xml` of it, [`summary::render`]
//! says the same on a terminal. None of them computes a result of its own: what they show stands
//! in the [`document`], and all but its provenance is the same bytes for the same inputs.

pub mod baseline;
mod build;
pub mod document;
pub mod html;
pub mod junit;
mod merge;
pub mod messages;
pub(crate) mod operators;
pub(crate) mod packed;
mod parts;
pub mod summary;
pub(crate) mod text;
pub(crate) mod validate;

pub(crate) use build::requirements as requirements_of;
pub use merge::{Difference, MergeError, is_report, merge};
pub use parts::{Written, parts};
