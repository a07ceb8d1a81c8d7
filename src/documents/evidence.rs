//! Evidence packs: a folder that shows what was tested, and with what result, and that anybody can check.
//!
//! [`gather`] reads reports and campaigns and takes out of them what tells of the machine; [`pack`]
//! writes the folder; [`verify()`] checks one, offline. All of a pack but `provenance.json` is a function
//! of the documents in it and of the tool, so that the check can make it again and compare.
//!
//! A pack is not signed. Whoever can change a file can change the manifest and the statement with it;
//! `docs/evidence.md` shows how a signature over the statement prevents that.

mod canonical;
mod contents;
pub mod document;
mod gather;
mod html;
mod limitations;
mod listing;
mod locks;
mod models;
mod named;
mod outcome;
mod pack;
mod redact;
mod requirements;
mod sbom;
mod sources;
mod statement;
pub mod text;
mod verify;

pub use gather::{GatherError, Gathered, Inputs, gather};
pub use outcome::{Outcome, Result as TestResult};
pub use pack::{PackError, Packed, pack};
pub use redact::Redactor;
pub use verify::{Problem, Verification, VerifyError, verify};
