//! What a specification states of an operator: kinds, versions with their ports and attributes, and the
//! types of tensors.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use values::dtype::DType;
use values::onnx::Sparse;
use values::tensor::{Tensor, element_count};

use DType::{
    Bfloat16, Bool, Complex64, Complex128, Float4E2M1, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2,
    Float8E5M2Fnuz, Float8E8M0, Float16, Float32, Float64, Int2, Int4, Int8, Int16, Int32, Int64,
    String as Text, Uint2, Uint4, Uint8, Uint16, Uint32, Uint64,
};

/// Every type but the floats of 6 bits, in the order in which the versions of operators that move elements brought them.
pub(crate) const MOVED: [DType; 26] = [
    Uint8,
    Uint16,
    Uint32,
    Uint64,
    Int8,
    Int16,
    Int32,
    Int64,
    Float16,
    Float32,
    Float64,
    Text,
    Bool,
    Complex64,
    Complex128,
    Bfloat16,
    Float8E4M3Fn,
    Float8E4M3Fnuz,
    Float8E5M2,
    Float8E5M2Fnuz,
    Uint4,
    Int4,
    Float4E2M1,
    Float8E8M0,
    Uint2,
    Int2,
];
/// The numeric types of at least 8 bits.
pub const NUMERIC: [DType; 12] =
    [Bfloat16, Float16, Float32, Float64, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64];
/// Those without bfloat16, which SONNX's documents name.
pub const NUMERIC_SONNX: &[DType] = NUMERIC.split_at(1).1;
/// The float types of [`NUMERIC`], and those of IEEE 754 alone.
pub const FLOATS: &[DType] = NUMERIC.split_at(4).0;
/// See [`FLOATS`].
pub const IEEE_FLOATS: &[DType] = FLOATS.split_at(1).1;
/// The integer types of [`NUMERIC`], and those with and without a sign.
pub const INTEGERS: &[DType] = NUMERIC.split_at(4).1;
/// See [`INTEGERS`].
pub const SIGNED: &[DType] = INTEGERS.split_at(4).0;
/// See [`INTEGERS`].
pub const UNSIGNED: &[DType] = INTEGERS.split_at(4).1;

/// The types that a word of a table stands for.
pub(crate) fn types_of(word: &str) -> Option<&'static [DType]> {
    Some(match word {
        "floats" => IEEE_FLOATS,
        "floats+bfloat16" => FLOATS,
        "ints" => INTEGERS,
        "signed" => SIGNED,
        "unsigned" => UNSIGNED,
        "numbers" => &NUMERIC,
        _ => return None,
    })
}

/// Which specification a call is held to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Specification {
    /// ONNX.
    Onnx,
    /// SONNX, the safety-related profile of ONNX.
    Sonnx,
    /// The earlier SONNX draft of Div.
    SonnxDraft,
    /// OpenVINO's operation sets.
    #[serde(rename = "openvino")]
    OpenVino,
}

impl Specification {
    /// Every specification.
    pub const ALL: [Self; 4] = [Self::Onnx, Self::Sonnx, Self::SonnxDraft, Self::OpenVino];

    /// The name of its suite in commands and reports, and of the folder of the suite's own cases.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Onnx => "onnx",
            Self::Sonnx => "sonnx",
            Self::SonnxDraft => "sonnx-draft",
            Self::OpenVino => "openvino",
        }
    }

    /// Whether SONNX's general restrictions hold: dense tensors, explicit types, no conversion.
    pub const fn is_restricted(self) -> bool {
        matches!(self, Self::Sonnx | Self::SonnxDraft)
    }
}

impl fmt::Display for Specification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeValue {
    /// An integer.
    Int(i64),
    /// A list of integers.
    Ints(Vec<i64>),
    /// The bits of a float32.
    Float(u32),
    /// The bits of float32s.
    Floats(Vec<u32>),
    /// Text, as which OpenVINO writes every attribute.
    Text(String),
    /// A list of texts.
    Texts(Vec<String>),
    /// A tensor.
    Tensor(Tensor),
    /// A sparse tensor.
    Sparse(Sparse),
    /// Any other kind.
    Other,
}

/// Attributes by name.
pub type Attributes = BTreeMap<String, AttributeValue>;

/// Whose operator sets an operator is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Domain {
    /// ONNX's default domain.
    Onnx,
    /// OpenVINO's operation sets.
    OpenVino,
}

/// How the results of an operator are determined, from the strictest kind on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OperatorKind {
    /// Nothing is rounded: one set of bits.
    Exact,
    /// Correctly rounded, as IEEE 754 has it for one operation.
    Rounded,
    /// Approximated: no correct rounding is asked, so the error is measured and limited.
    Approximated,
    /// Summed up in any order, so an a-priori bound limits the error.
    Accumulated,
    /// Composed of several operations, each of which is rounded: enclosed with all that these may err by.
    Composed,
}

/// A version of an operator, as its document states it.
#[derive(Debug)]
pub struct Version {
    /// The operator set that brought it.
    pub since: i64,
    /// Its inputs in order.
    pub inputs: &'static [Port],
    /// Its outputs in order.
    pub outputs: &'static [Port],
    /// Its attributes.
    pub attributes: &'static [Attribute],
}

impl Version {
    /// The element types that cases are stated of: those of the inputs with the type variable of the first
    /// output; where none has it, those of the first input; where there is no input, those of the first output.
    pub fn taken(&self) -> &'static [DType] {
        let variable = self.outputs.first().map(|port| port.variable);
        let of_output = self.inputs.iter().find(|port| Some(port.variable) == variable);
        of_output.or(self.inputs.first()).or(self.outputs.first()).map_or(&[], |port| port.types)
    }

    /// The port of the input at a place.
    pub fn input(&self, at: usize) -> Option<&'static Port> {
        port(self.inputs, at)
    }

    /// The port of the output at a place.
    pub fn output(&self, at: usize) -> Option<&'static Port> {
        port(self.outputs, at)
    }
}

/// The port of the tensor at a place, the last of which may stand for several.
fn port(ports: &'static [Port], at: usize) -> Option<&'static Port> {
    let last = ports.last().filter(|last| last.presence == Presence::Variadic);
    ports.get(at).or(last)
}

/// An input or output of a version.
#[derive(Clone, Copy, Debug)]
pub struct Port {
    /// Its name in the document.
    pub name: &'static str,
    /// The element types that it takes.
    pub types: &'static [DType],
    /// The type variable: ports with the same one have one element type in a call.
    pub variable: &'static str,
    /// How many tensors it stands for.
    pub presence: Presence,
}

impl Port {
    /// The name of the tensor at a place: the port's, with the place where that stands for several.
    pub fn name_at(&self, at: usize) -> String {
        match self.presence {
            Presence::Variadic => format!("{}_{at}", self.name),
            _ => self.name.to_owned(),
        }
    }
}

/// How many tensors a port stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// One.
    Required,
    /// One, or none.
    Optional,
    /// One or more, all of one type: the last port alone.
    Variadic,
}

impl Port {
    /// A port that has to be there.
    pub const fn new(name: &'static str, types: &'static [DType], variable: &'static str) -> Self {
        Self { name, types, variable, presence: Presence::Required }
    }

    /// The same where it may be left out.
    pub const fn optional(self) -> Self {
        Self { presence: Presence::Optional, ..self }
    }

    /// The same where it stands for one or more.
    pub const fn variadic(self) -> Self {
        Self { presence: Presence::Variadic, ..self }
    }
}

/// The ports of a version that takes and gives tensors of one type.
#[derive(Debug)]
pub struct Ports<const INPUTS: usize> {
    /// The inputs in order.
    pub inputs: [Port; INPUTS],
    /// The output.
    pub output: [Port; 1],
}

impl<const INPUTS: usize> Ports<INPUTS> {
    /// Inputs and an output of these names, of one of these types.
    pub const fn new(
        inputs: [&'static str; INPUTS],
        output: &'static str,
        types: &'static [DType],
    ) -> Self {
        let output = Port::new(output, types, "T");
        let (mut ports, mut at) = ([output; INPUTS], 0);
        while at < INPUTS {
            ports[at].name = inputs[at];
            at += 1;
        }
        Self { inputs: ports, output: [output] }
    }

    /// The version with these ports.
    pub const fn since(&'static self, since: i64, attributes: &'static [Attribute]) -> Version {
        Version { since, inputs: &self.inputs, outputs: &self.output, attributes }
    }
}

/// An attribute of a version.
#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    /// Its name.
    pub name: &'static str,
    /// What its value is.
    pub value: AttributeType,
    /// What holds where it is left out.
    pub otherwise: Otherwise,
}

/// What holds where an attribute is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// The call is invalid.
    Invalid,
    /// The operator's document says it, if anything.
    Unstated,
    /// This integer.
    Int(i64),
    /// The float32 with these bits.
    Float(u32),
    /// This list of integers.
    Ints(&'static [i64]),
    /// This text.
    Text(&'static str),
    /// This list of texts.
    Texts(&'static [&'static str]),
}

impl Attribute {
    /// An attribute that may be left out.
    pub const fn new(name: &'static str, value: AttributeType) -> Self {
        Self { name, value, otherwise: Otherwise::Unstated }
    }

    /// The same where it has to be there, or something else holds where it is left out.
    pub const fn otherwise(self, otherwise: Otherwise) -> Self {
        Self { otherwise, ..self }
    }
}

/// What the value of an attribute is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeType {
    /// An integer.
    Int,
    /// A list of integers.
    Ints,
    /// A float32.
    Float,
    /// A list of float32s.
    Floats,
    /// Text that is one of these.
    Text(&'static [&'static str]),
    /// Any text.
    AnyText,
    /// A list of texts.
    Texts,
    /// A tensor.
    Tensor,
    /// A sparse tensor.
    Sparse,
}

/// Element type and shape of a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorType {
    /// The element type.
    pub dtype: DType,
    /// Dimensions, outermost first.
    pub shape: Vec<usize>,
}

/// A call breaks a restriction of its specification, so an implementation refuses it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Invalid(pub String);

impl OperatorKind {
    /// Every kind.
    pub const ALL: [Self; 5] =
        [Self::Exact, Self::Rounded, Self::Approximated, Self::Accumulated, Self::Composed];

    /// The name used in profiles and documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Rounded => "rounded",
            Self::Approximated => "approximated",
            Self::Accumulated => "accumulated",
            Self::Composed => "composed",
        }
    }

    /// Whether a bound limits what conforms, as any order of evaluation does.
    pub const fn is_bounded(self) -> bool {
        matches!(self, Self::Accumulated | Self::Composed)
    }
}

impl fmt::Display for OperatorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl TensorType {
    /// The type of a tensor.
    pub fn of(tensor: &Tensor) -> Self {
        Self { dtype: tensor.dtype(), shape: tensor.shape().to_vec() }
    }

    /// An output's type, where memory can address its elements.
    pub fn new(dtype: DType, shape: Vec<usize>) -> Result<Self, Invalid> {
        element_count(&shape).map_err(|error| Invalid(error.to_string()))?;
        Ok(Self { dtype, shape })
    }
}

impl fmt::Display for TensorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of shape {:?}", self.dtype, self.shape)
    }
}
