//! The atlas: how large the errors of operators are over their whole domains, and where.
//!
//! A [`Sheet`] is one operator on one type of one backend. Its inputs are all that there are, or where these are too many a sample of every
//! size and pattern; a [`Survey`](crate::reference::survey::Survey) looks at all results, and the [`Row`] of the [`document`]
//! tells what it saw. Rows of several backends, and of parts of the inputs, are joined by [`merge`]; the
//! [gate](crate::documents::gate) compares them with earlier ones.

mod clamps;
pub mod document;
mod driver;
mod html;
mod limits;
pub mod markdown;
mod merge;
mod repeatability;
mod row;
mod sheet;
pub mod text;
mod validate;

pub use document::{Atlas, Clamps, Row, Run};
pub use driver::{
    CHECKPOINT, Charted, ConductError, DOCUMENT, ForSheet, PAGE, SIZE_LIMIT, Subject, chart, write,
};
pub use html::page;
pub use merge::{MergeError, merge};
pub use sheet::{Choice, Extent, Sheet, sheets};
pub use validate::is_atlas;
pub(crate) use validate::name;
