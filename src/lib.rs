//! Conformance testing of ONNX operator implementations.
//!
//! `docs/architecture.md` draws the house; the modules below are its rooms, from the ground up.
//! Imports point downwards only.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic"))]

pub mod dtype;
pub mod float;
pub mod random;
pub mod tensor;
mod text;

pub mod accuracy;
pub mod hard;
pub mod oracle;

pub mod sweep;

pub mod spec;

pub mod onnx;

pub mod openvino;

pub mod model;

pub mod kernels;

pub mod compare;
pub mod profile;

pub mod case;
pub mod suite;

pub mod corpus;

pub mod backend;
pub mod expect;
pub mod requirements;
pub mod verdict;

pub mod run;

pub mod explain;
pub mod generate;
pub mod manners;
pub mod report;

pub mod gate;

pub mod serve;

pub mod c_abi;
pub mod campaign;
pub mod matrix;
pub mod qualification;
pub mod scoreboard;

pub mod evidence;
