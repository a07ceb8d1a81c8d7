//! Values as ONNX has them: element types, float formats, tensors; and the messages of ONNX and
//! OpenVINO that hold models and values.
//!
//! Nothing here computes an operator or judges one. Tensors keep the bits of `raw_data`, and what a
//! stranger's file may take of memory is bounded by [`limits`].

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic"))]

pub mod dtype;
pub mod element;
pub mod float;
pub mod limits;
pub mod model;
mod native;
pub mod onnx;
pub mod openvino;
pub mod random;
pub mod tensor;
pub mod text;
