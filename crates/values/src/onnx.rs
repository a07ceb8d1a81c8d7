//! ONNX's protobuf messages: models, and values to and from their serialised form.
//!
//! The messages are generated from the schema; everything beyond the two submodules below sees
//! only [`Model`], [`ValueType`], [`Sparse`] and the types of [`crate::tensor`].

mod cost;
mod decode;
mod encode;
#[rustfmt::skip]
mod fields;
mod model;
mod port;

/// The protobuf messages, generated from the schema of ONNX.
#[rustfmt::skip]
#[allow(missing_docs, clippy::all, reason = "generated")]
pub mod proto;
mod sparse;
mod vary;

pub use decode::{DecodeError, Problem, decode_tensor, decode_value, decode_value_within};
pub use encode::{encode_tensor, encode_value};
pub use model::{Model, is_default_domain, operator_name};
pub use port::{Port, ValueType};
pub use sparse::{Sparse, decode_sparse, encode_sparse};
pub use vary::{NotOneGraph, with_initialisers, with_symbolic_shapes};
