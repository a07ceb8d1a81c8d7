//! Scoreboards: several reports side by side, and for each disagreement who is right.
//!
//! [`Joined::of`] joins reports by the ids of their cases; [`document::Scoreboard::of`] makes the one
//! document that [`html`] and [`text`] show. It says who is the outlier of a disagreement and by
//! what: by the oracle where that decides, else by a majority of the backends, else by the second
//! reference. All of it is a function of the reports alone.

mod adjudicate;
mod build;
mod divergences;
pub mod document;
mod elements;
mod groups;
pub mod html;
mod join;
mod known;
pub mod text;
mod validate;

pub use join::{JoinError, Joined, Source, combine};
pub use known::CaseSpecError;
