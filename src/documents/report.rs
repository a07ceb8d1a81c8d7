//! Reports: the one report document and the forms derived from it.
//!
//! [`parts`] makes `report.json`, `report.html` and `junit.xml` of it, [`summary::render`]
//! says the same on a terminal. None of them computes a result of its own: what they show stands
//! in the [`document`], and all but its provenance is the same bytes for the same inputs.

pub mod baseline;
mod build;
pub mod contradiction;
pub mod document;
mod files;
pub mod html;
pub mod junit;
mod merge;
pub mod messages;
pub(crate) mod operators;
pub(crate) mod provenance;
pub mod summary;
pub(crate) mod text;

pub use crate::foundation::files::Obstacle;
pub(crate) use build::requirements as requirements_of;
pub use files::{Part, WriteError, Written, create_folder, parts, write_file, write_parts};
pub use merge::{Difference, MergeError, is_report, merge};
pub use provenance::prepare;
