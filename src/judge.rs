//! What decides a verdict: profiles, comparison, requirements and expectations. Nothing here runs a backend, opens a connection or prints.

pub mod compare;
pub mod expect;
pub mod profile;
pub mod requirements;
#[cfg(feature = "cli")]
pub mod spec;
pub mod verdict;
