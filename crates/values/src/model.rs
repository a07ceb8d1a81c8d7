//! A model in whichever format a case holds it.

use bytes::Bytes;

use crate::limits::Budget;
use crate::onnx::{self, DecodeError, Port};
use crate::openvino::{self, ReadError};

/// A model: of ONNX, or of OpenVINO.
#[derive(Clone, Debug, PartialEq)]
pub enum Model {
    /// From `model.onnx`.
    Onnx(Box<onnx::Model>),
    /// From `model.xml`.
    OpenVino(openvino::Model),
}

/// The format of a model's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// ONNX's protobuf.
    Onnx,
    /// OpenVINO's intermediate representation.
    OpenVino,
}

/// The file does not hold a model.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub enum ModelError {
    /// Of ONNX.
    Onnx(#[from] DecodeError),
    /// Of OpenVINO.
    OpenVino(#[from] ReadError),
}

impl Format {
    /// What the name of a model's file ends in.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Onnx => "onnx",
            Self::OpenVino => "xml",
        }
    }

    /// The formats there are.
    pub const ALL: [Self; 2] = [Self::Onnx, Self::OpenVino];

    /// Name of the model's file within a case.
    pub const fn file(self) -> &'static str {
        match self {
            Self::Onnx => "model.onnx",
            Self::OpenVino => "model.xml",
        }
    }
}

impl Model {
    /// The format that it is in.
    pub const fn format(&self) -> Format {
        match self {
            Self::Onnx(_) => Format::Onnx,
            Self::OpenVino(_) => Format::OpenVino,
        }
    }

    /// The model that the bytes of a file in this format hold.
    pub fn decode(format: Format, file: &str, bytes: Bytes) -> Result<Self, ModelError> {
        Self::decode_within(format, file, bytes, &mut Budget::default())
    }

    /// As [`Self::decode`], of a file that is a part of an input.
    pub fn decode_within(
        format: Format,
        file: &str,
        bytes: Bytes,
        budget: &mut Budget,
    ) -> Result<Self, ModelError> {
        Ok(match format {
            Format::Onnx => Self::Onnx(Box::new(onnx::Model::decode_within(file, bytes, budget)?)),
            Format::OpenVino => Self::OpenVino(openvino::Model::read_within(file, &bytes, budget)?),
        })
    }

    /// The inputs that a data set gives.
    pub fn inputs(&self) -> &[Port] {
        match self {
            Self::Onnx(model) => model.inputs(),
            Self::OpenVino(model) => model.inputs(),
        }
    }

    /// The outputs.
    pub fn outputs(&self) -> &[Port] {
        match self {
            Self::Onnx(model) => model.outputs(),
            Self::OpenVino(model) => model.outputs(),
        }
    }

    /// The operators in order of first use, such as `Div` or `Divide`.
    pub fn operators(&self) -> Vec<String> {
        match self {
            Self::Onnx(model) => model.operators(),
            Self::OpenVino(model) => model.operators(),
        }
    }

    /// The version of the operator set that the first operator belongs to, 0 where it is unknown.
    pub fn first_opset(&self) -> i64 {
        match self {
            Self::Onnx(model) => model.first_opset(),
            Self::OpenVino(model) => model.first_opset(),
        }
    }
}
