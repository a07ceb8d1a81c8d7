//! The documents, each by what it states; how they are written and read again is for [`document`](crate::document).

pub mod audit;
pub mod challenge;
pub mod evidence;
pub mod expectations;
pub mod explain;
pub mod gate;
pub mod matrix;
pub mod qualification;
pub mod report;
pub mod scoreboard;
pub mod site;
