//! The integration tests, in one binary, as each binary is linked anew after every change:
//! `cargo test --test it NAME` runs those whose path holds a name.
//!
//! Beside it stand what cannot be part of it: tests with a harness of their own (`conformance`, `qualification`),
//! those that measure an allocator (`memory`), and those of the whole program, which take minutes (`system`).

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

mod adapter;
mod adapters_docs;
mod architecture;
mod audit;
mod backends;
mod c_abi;
mod cli;
mod compare_properties;
mod conversions;
mod corpora;
mod corpus;
mod documents;
mod expectations;
mod files;
mod functions;
mod gate;
mod independent;
mod inspect;
mod malformed;
mod matrix;
mod numpy_parity;
mod official_parity;
mod onnx_backend;
mod onnx_schemas;
mod openvino;
mod oracle_validation;
#[path = "../support/packed.rs"]
mod packed;
mod profiles;
mod python_judging;
mod python_protocol;
mod qualification_docs;
mod releases;
mod report;
mod requirements;
mod round_trips;
mod run;
mod scoreboard;
mod shares;
mod signatures;
mod site;
mod suites;
#[allow(dead_code, reason = "each binary uses its part")]
#[path = "../support/mod.rs"]
mod support;
mod sweep;
mod trace;
mod witnesses;

#[test]
fn every_file_of_tests_is_built() {
    support::assert_every_file_is_built("it");
}
