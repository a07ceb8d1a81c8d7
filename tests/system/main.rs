//! The program as its users have it: installed, in the jobs of their servers and clusters, from the campaign and the
//! run to the pack of evidence. Minutes, which the gate takes on every change: `cargo test --test system`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

mod atlas;
mod campaign;
mod challenge;
#[cfg(unix)]
mod ci_docs;
mod deploy;
mod evidence;
#[cfg(unix)]
mod harness;
mod installed;
#[path = "../support/packed.rs"]
mod packed;
#[cfg(target_os = "linux")]
mod sandbox;
mod signals;
mod spec_check;
mod suites;
mod sums;
#[allow(dead_code, reason = "each binary uses its part")]
#[path = "../support/mod.rs"]
mod support;
mod terminal;
#[cfg(unix)]
mod wheel;

#[test]
fn every_file_of_tests_is_built() {
    support::assert_every_file_is_built("system");
}
