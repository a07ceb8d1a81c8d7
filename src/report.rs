//! Reports: the one report document and the forms derived from it.

pub mod document;
