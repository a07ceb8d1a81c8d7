//! Conformance testing of ONNX operator implementations: what the tool `onnx-conformance` is made of.
//!
//! `docs/architecture.md` draws the layers; the modules below follow them from the ground up.
//! Imports point downwards only.
//!
//! # A tour
//!
//! A [`Tensor`](tensor::Tensor) is shape, [element type](dtype::DType) and raw bits. A
//! [`Profile`](judge::profile::Profile) says which elements of an output conform, and
//! [`compare()`](judge::compare::compare) finds those that do not:
//!
//! ```
//! use onnx_conformance::judge::compare::compare;
//! use onnx_conformance::judge::profile::{Profile, Tolerance};
//! use onnx_conformance::tensor::{Tensor, Value};
//!
//! let vector = |values: [f32; 3]| Tensor::from_vec(vec![3], values.to_vec()).map(Value::from);
//! let (expected, actual) = (vector([0.5, 1.0, 2.0])?, vector([0.5, 1.0, 2.0000002])?);
//! // The official runner accepts it; who asks for exact results does not.
//! for (profile, conforms) in [("onnx", true), ("ieee754", false)] {
//!     let profile = Profile::named(profile)?;
//!     let outputs = compare(&profile, Tolerance::default(), "y", &expected, &actual, None);
//!     assert_eq!(outputs[0].conforms(), conforms);
//!     assert_eq!(outputs[0].max_ulp, Some(1));
//!     assert_eq!(outputs[0].worst[0].index, [2]);
//!     println!("{}", outputs[0]);
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
//! A [`Trial`](judge::Trial) puts the two together. It is in a crate of its own, `onnx-conformance-judge`, for programs that
//! judge and need nothing else of this one.
//!
//! A system under test is a [`Backend`](backend::Backend). Programs in other languages go behind
//! the [adapter protocol](backend::adapter); what runs ONNX models in Rust is a
//! [`Runtime`](backend::Runtime), and as such a backend. Its outputs are compared, and nothing else
//! decides the [`Verdict`](judge::verdict::Verdict) of a case:
//!
//! ```
//! use std::sync::Arc;
//!
//! use onnx_conformance::backend::{Backend, Identity, Refusal, Runtime};
//! use onnx_conformance::bytes::Bytes;
//! use onnx_conformance::corpus::Home;
//! use onnx_conformance::onnx::Model;
//! use onnx_conformance::run::{Options, run};
//! use onnx_conformance::corpus::selection::Selection;
//! use onnx_conformance::corpus::suite::Suite;
//! use onnx_conformance::tensor::{Tensor, Value};
//!
//! /// Takes the square root of float32 tensors, and of nothing else.
//! struct Roots;
//!
//! impl Runtime for Roots {
//!     type Loaded = ();
//!
//!     fn identity(&self) -> Identity {
//!         Identity::new("roots", "1")
//!     }
//!
//!     fn load(&self, model: &Model, _file: &Bytes) -> Result<(), Refusal> {
//!         let is_root = model.operators() == ["Sqrt"];
//!         is_root.then_some(()).ok_or_else(|| Refusal::unsupported("only Sqrt is here"))
//!     }
//!
//!     fn run(&self, _loaded: &mut (), inputs: Vec<Value>) -> Result<Vec<Value>, Refusal> {
//!         let other = || Refusal::unsupported("only float32 is here");
//!         let [Value::Tensor(x)] = &inputs[..] else { return Err(other()) };
//!         let roots: Vec<f32> =
//!             x.as_slice::<f32>().ok_or_else(other)?.iter().map(|x| x.sqrt()).collect();
//!         let roots = Tensor::from_vec(x.shape().to_vec(), roots);
//!         Ok(vec![roots.map_err(|error| Refusal::unsupported(error.to_string()))?.into()])
//!     }
//! }
//!
//! let suite = Home::find()?.suite(Suite::Sonnx)?;
//! let selection = Selection::matching("sqrt/float32/".parse()?);
//! let options = Options { selection, ..Options::default() };
//! let backend: Arc<dyn Backend> = Arc::new(Roots);
//! let run = run(&[(Suite::Sonnx, suite)], &backend, &options, &mut |_event| ())?;
//! for case in run.cases.iter().filter(|case| case.is_unexpected_failure()) {
//!     println!("{}: {case}", case.id);
//! }
//! assert!(!run.has_failed() && run.elements_compared() > 100);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The [`harness`](mod@harness) makes each case a test of the runtime's own crate.
//!
//! A run becomes the one [report document](documents::report::document), which every form of report is made of.
//! It is read back as every [document](document::JsonDocument) is:
//!
//! ```no_run
//! use onnx_conformance::document::JsonDocument;
//! use onnx_conformance::documents::report::document::Report;
//! use onnx_conformance::judge::verdict::Verdict;
//!
//! let report = Report::read("reports/latest/report.json".as_ref())?;
//! for case in report.cases.iter().filter(|case| case.verdict == Verdict::Fail) {
//!     println!("{}: {}", case.id, case.message.as_deref().unwrap_or_default());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`gate`](documents::gate) sets a report against an earlier one, a [`scoreboard`](documents::scoreboard) sets the reports of
//! several backends side by side, and a [`campaign`](measure::campaign) sweeps a whole input domain instead of single cases.

#![cfg_attr(
    not(feature = "cli"),
    allow(
        dead_code,
        unreachable_pub,
        unused_imports,
        reason = "what the program alone uses lies beside what it is used on"
    )
)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic"))]

pub use bytes;
#[cfg(feature = "cli")]
pub use kernels;
pub use reference;
pub use reference::{accuracy, check, hard, sweep};
#[cfg(feature = "cli")]
pub use suites;
pub use values::{dtype, float, limits, model, onnx, openvino, random, tensor};

pub mod foundation;

#[cfg(feature = "cli")]
pub mod document;

/// Exact arithmetic, and the functions of Div and Sqrt.
pub mod oracle {
    pub use reference::exact::*;
    pub use reference::operators::div::{Division, div, div_error};
    pub use reference::operators::sqrt::{sqrt, sqrt_error};
}

pub mod corpus;
pub mod judge;

pub mod backend;
pub mod run;

#[cfg(feature = "cli")]
pub mod documents;
#[cfg(feature = "cli")]
pub mod measure;
#[cfg(feature = "cli")]
pub mod models;

pub use backend::serve;
#[cfg(feature = "harness")]
pub use run::harness::{self, harness};
