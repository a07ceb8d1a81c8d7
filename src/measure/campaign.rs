//! Campaigns: sweeps over a whole input domain, or a directed part of it.
//!
//! A [`Plan`] says which inputs are to be executed: an operator, a type, and the [`Strategy`] whose
//! [`Space`](reference::inputs::Space) numbers them. A [`Implementation`] computes their results, [`execute`] brings them to the
//! check on all cores, a [`Judge`] says what a profile makes of the wrong ones, and the [`Findings`]
//! of all parts add up to those of the whole. What comes of it is the one [`document`].
//!
//! ```
//! use std::num::NonZeroUsize;
//! use std::ops::ControlFlow;
//!
//! use onnx_conformance::measure::campaign::{Judge, Kernels, Plan, State, Strategy, Task, execute};
//! use onnx_conformance::dtype::DType;
//! use onnx_conformance::judge::profile::Profile;
//! use onnx_conformance::reference::operators::sqrt::SQRT;
//!
//! // The square root of every binary16 number.
//! let (operator, dtype) = (&SQRT, DType::Float16);
//! let plan = Plan::new(operator, dtype, Strategy::Exhaustive, None, None)?;
//! let judge = Judge::new(Profile::named("sonnx")?, operator, dtype)?;
//! let kernels = Kernels::new(operator, dtype);
//! let task = Task { plan: &plan, implementation: &kernels, judge: &judge };
//! let observer = &mut |_: &State| ControlFlow::Continue(());
//! let (state, ended) = execute(&task, State::begin(&judge), NonZeroUsize::MIN, observer);
//! assert_eq!((plan.promised(), ended), (65_536, Ok(())));
//! assert_eq!(state.findings.violations, Some(0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod attributes;
mod bounds;
mod confidence;
pub mod document;
mod driver;
mod engine;
mod example;
mod findings;
mod html;
mod identity;
mod implementation;
mod judge;
mod merge;
pub(crate) mod notation;
mod plan;
mod plot;
mod ranges;
mod recompute;
mod record;
mod regress;
mod solved;
pub mod summary;
mod validate;

pub use crate::corpus::shard::{Shard, ShardError};
pub use attributes::{AttributeError, read as read_attributes};
pub use document::Campaign;
pub use driver::{CHECKPOINT, ConductError, Conducted, DOCUMENT, PAGE, SIZE_LIMIT, drive, write};
pub use engine::{Ended, State, Task, Work, execute};
pub use example::Example;
pub use findings::Findings;
pub use html::page;
pub use identity::Differs;
pub(crate) use implementation::outputs;
pub use implementation::{Failure, Implementation, Kernels, Tensors};
pub use judge::{Judge, JudgeError};
pub use merge::{MergeError, merge};
pub use plan::{BadSigns, Plan, PlanError, Signs, Strategy};
pub use ranges::Ranges;
pub use reference::inputs::Column;
pub use regress::{RegressError, regress};
