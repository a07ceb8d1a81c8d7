//! Conformance testing of ONNX operator implementations: what the tool `onnx-conformance` is made of.
//!
//! `docs/architecture.md` draws the layers; the modules below follow them from the ground up.
//! Imports point downwards only.
//!
//! # A tour
//!
//! A [`Tensor`](tensor::Tensor) is shape, [element type](dtype::DType) and raw bits. A
//! [`Profile`](profile::Profile) says which elements of an output conform, and
//! [`compare()`](compare::compare) finds those that do not:
//!
//! ```
//! use onnx_conformance::compare::compare;
//! use onnx_conformance::dtype::DType;
//! use onnx_conformance::profile::{Profile, Tolerance};
//! use onnx_conformance::tensor::{Tensor, Value};
//!
//! let vector = |values: [f32; 3]| {
//!     Tensor::from_values(DType::Float32, vec![3], values.to_vec()).map(Value::from)
//! };
//! let (expected, actual) = (vector([0.5, 1.0, 2.0])?, vector([0.5, 1.0, 2.0000002])?);
//! // The official runner accepts it; who asks for exact results does not.
//! for (profile, conforms) in [("onnx", true), ("ieee754", false)] {
//!     let profile = Profile::named(profile)?;
//!     let outputs = compare(&profile, Tolerance::default(), "y", &expected, &actual, None);
//!     assert_eq!(outputs[0].conforms(), conforms);
//!     assert_eq!(outputs[0].max_ulp, Some(1));
//!     assert_eq!(outputs[0].worst[0].index, [2]);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Which results a specification allows, the [`oracle`] says in exact arithmetic, from the bits of
//! the operands:
//!
//! ```
//! use onnx_conformance::dtype::DType;
//! use onnx_conformance::oracle::{Conforming, Division, div};
//!
//! let (a, b) = (1.0_f32.to_bits().into(), 3.0_f32.to_bits().into());
//! let third = div(Division::Div, DType::Float32, a, b);
//! assert_eq!(third, Some(Conforming::One(0x3eaa_aaab)));
//! ```
//!
//! A system under test is a [`Backend`](backend::Backend). Programs in other languages go behind
//! the [adapter protocol](backend::adapter); one in Rust answers tasks itself. Its outputs are
//! compared, and nothing else decides the [`Verdict`](verdict::Verdict) of a case:
//!
//! ```
//! use std::sync::Arc;
//! use std::time::Duration;
//!
//! use onnx_conformance::backend::{
//!     Answer, Backend, Identity, Outcome, Refusal, RefusalKind, Stage, Task,
//! };
//! use onnx_conformance::corpus::Home;
//! use onnx_conformance::dtype::DType;
//! use onnx_conformance::profile::Profile;
//! use onnx_conformance::requirements::Catalogue;
//! use onnx_conformance::run::{Options, Profiles, run};
//! use onnx_conformance::selection::Selection;
//! use onnx_conformance::suite::Suite;
//! use onnx_conformance::tensor::{Tensor, Value};
//!
//! /// Takes the square root of float32 tensors, and of nothing else.
//! struct Roots;
//!
//! impl Backend for Roots {
//!     fn identity(&self) -> Identity {
//!         Identity { name: "roots".into(), version: "1".into(), details: Default::default() }
//!     }
//!
//!     fn run(&self, task: &Task<'_>) -> Answer {
//!         let roots = match task.inputs {
//!             [Value::Tensor(x)] if x.dtype() == DType::Float32 => x.bits().and_then(|bits| {
//!                 let element = |x: &[u8]| f32::from_le_bytes([x[0], x[1], x[2], x[3]]).sqrt();
//!                 let roots: Vec<f32> = bits.chunks_exact(4).map(element).collect();
//!                 Tensor::from_values(DType::Float32, x.shape().to_vec(), roots).ok()
//!             }),
//!             _ => None,
//!         };
//!         let refusal = || Refusal {
//!             stage: Stage::Run,
//!             kind: RefusalKind::Unsupported,
//!             message: "only Sqrt of float32 is here".into(),
//!         };
//!         roots.map_or_else(|| Outcome::Refused(refusal()), |y| Outcome::Outputs(vec![y.into()])).into()
//!     }
//! }
//!
//! let suite = Home::find()?.suite(Suite::Sonnx)?;
//! let options = Options {
//!     profiles: Profiles::all(Profile::named("sonnx")?),
//!     selection: Selection::matching("sqrt/float32/".parse()?),
//!     catalogue: Arc::new(Catalogue::embedded()?),
//!     expectations: Arc::default(),
//!     challenge: None,
//!     jobs: std::num::NonZeroUsize::MIN,
//!     timeout: Duration::from_secs(60),
//!     shard: None,
//!     max_failures: None,
//!     interrupted: Arc::default(),
//! };
//! let backend: Arc<dyn Backend> = Arc::new(Roots);
//! let run = run(&[(Suite::Sonnx, suite)], &backend, &options, &mut |_event| ())?;
//! assert!(!run.has_failed() && run.elements_compared() > 100);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A run becomes the one [report document](report::document), which every form of report is made of.
//! It is read back as every [document](document::JsonDocument) is:
//!
//! ```no_run
//! use onnx_conformance::document::JsonDocument;
//! use onnx_conformance::report::document::Report;
//! use onnx_conformance::verdict::Verdict;
//!
//! let report = Report::read("reports/latest/report.json".as_ref())?;
//! for case in report.cases.iter().filter(|case| case.verdict == Verdict::Fail) {
//!     println!("{}: {}", case.id, case.message.as_deref().unwrap_or_default());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`gate`] sets a report against an earlier one, a [`scoreboard`] sets the reports of several
//! backends side by side, and a [`campaign`] sweeps a whole input domain instead of single cases.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic"))]

pub use kernels;
pub use reference;
pub use reference::{accuracy, check, hard, sweep};
pub use values::{dtype, float, limits, model, onnx, openvino, random, tensor};

mod embedded;
mod files;
pub mod leftovers;
pub mod platform;
pub mod printable;
mod text;

pub mod document;

/// Exact arithmetic, and the functions of Div and Sqrt.
pub mod oracle {
    pub use reference::exact::*;
    pub use reference::operators::div::{Division, div, div_error};
    pub use reference::operators::sqrt::{sqrt, sqrt_error};
}

pub mod spec;

pub mod compare;
pub mod profile;

pub mod case;
pub mod selection;
pub mod shard;
pub mod suite;

pub mod corpus;

pub mod backend;
pub mod expect;
pub mod requirements;
pub mod verdict;

pub mod run;

pub mod explain;
pub mod generate;
pub mod protocol_check;
pub mod report;

pub mod audit;
pub mod challenge;

pub mod gate;
pub mod upkeep;

pub mod serve;

pub mod c_abi;
pub mod campaign;
pub mod matrix;
pub mod qualification;
pub mod scoreboard;

pub mod evidence;
