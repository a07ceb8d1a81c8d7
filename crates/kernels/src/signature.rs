//! What a kernel states of its operator: inputs, versions, element types and attributes.

use super::types::{FLOATS, LONG_NUMBERS, NUMBERS, without_bfloat16};
use super::{Attribute, Attributes};
use values::dtype::DType;
use values::tensor::Tensor;

/// Computes the results of elements of a type, operand by operand, given as the bytes of native values.
///
/// None where there is no such kernel for the type, or the bytes are not aligned for it. The error is the
/// index of the first element without a result; what the results then hold is unspecified.
pub type Slices = fn(DType, &[&[u8]], &mut [u8]) -> Option<Result<(), usize>>;

/// Whose operator it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Domain {
    /// ONNX's default domain.
    Onnx,
    /// OpenVINO's operator sets.
    OpenVino,
}

/// An input, the same in each version that has it.
pub(super) struct Input {
    pub(super) name: &'static str,
    pub(super) types: Types,
    pub(super) presence: Presence,
    /// The operator set since which there is this input; before, there is neither it nor any after it.
    pub(super) since: i64,
}

/// How many tensors an input stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    /// One.
    Required,
    /// One, or none.
    Optional,
    /// One or more: the last input alone.
    Variadic,
}

/// The element types of an input.
#[derive(Clone, Copy)]
pub(super) enum Types {
    /// Those of the version; all inputs of this kind have the same.
    OfVersion,
    /// Those of the version, whatever the other inputs have.
    Free,
    /// This one.
    Only(DType),
    /// One of these, whatever the other inputs have.
    OneOf(&'static [DType]),
    /// int32 or int64; all inputs of this kind have the same.
    Index,
    /// One of those that came with the newest of these operator sets that is not after the version, whatever the other
    /// inputs have.
    Since(&'static [(i64, &'static [DType])]),
}

/// A version of an operator.
pub(super) struct Version {
    /// The operator set that brought it.
    pub(super) since: i64,
    pub(super) types: &'static [DType],
    pub(super) attributes: &'static [AttributeSpec],
    pub(super) broadcasting: Broadcasting,
}

/// How the inputs of an element-wise operator are broadcast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Broadcasting {
    /// As the attributes say; without any that do, in all directions.
    ByAttributes,
    /// Not at all.
    Equal,
    /// The others to the shape of the first.
    Unidirectional,
    /// The second is a single element, or has one for each place along the first one's second dimension.
    PerChannel,
}

/// An attribute; none has to be there.
pub(super) struct AttributeSpec {
    pub(super) name: &'static str,
    pub(super) accepts: fn(&Attribute) -> bool,
    /// What is accepted, in words.
    pub(super) expected: &'static str,
}

impl AttributeSpec {
    /// An attribute that is a number.
    pub(super) const fn number(name: &'static str) -> Self {
        Self { name, accepts: |value| matches!(value, Attribute::Float(_)), expected: "a number" }
    }
}

/// What a document restricts the operands of an operator to, beyond what ONNX does.
#[derive(Clone, Copy, Debug)]
pub struct Restriction {
    /// The document that does.
    pub document: Document,
    /// The element types of each operand; of the output where there is none. That they are equal is the operator's
    /// own rule.
    pub types: &'static [&'static [DType]],
    /// The shapes of the operands.
    pub shapes: Shapes,
    /// The attributes and optional inputs that have to be there.
    pub needed: &'static [&'static str],
    /// Whatever else it restricts: what a call breaks, in words.
    pub problem: Option<Problem>,
}

/// What inputs and attributes break, if anything.
pub type Problem = fn(&[Option<&Tensor>], &Attributes) -> Option<&'static str>;

/// What a document restricts shapes to, beyond what ONNX does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shapes {
    /// All operands have the same.
    Equal,
    /// Each operand has so many dimensions.
    Rank(usize),
    /// Nothing.
    Free,
}

/// A document that specifies a part of ONNX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
    /// SONNX, which has a file for each operator, such as `div.md`.
    Sonnx,
    /// The earlier draft of SONNX, of Div alone.
    SonnxDraft,
}

impl Types {
    /// The types that came with the newest of these operator sets that is not after this one.
    pub(super) fn since(sets: &[(i64, &'static [DType])], since_version: i64) -> &'static [DType] {
        sets.iter().rfind(|(since, _)| *since <= since_version).map_or(&[], |(_, types)| types)
    }
}

impl Input {
    /// An input that must be there, of the version's types.
    pub(super) const fn new(name: &'static str) -> Self {
        Self { name, types: Types::OfVersion, presence: Presence::Required, since: 1 }
    }

    /// An input that must be there, of one type.
    pub(super) const fn of(name: &'static str, dtype: DType) -> Self {
        Self { types: Types::Only(dtype), ..Self::new(name) }
    }

    /// An input that must be there, of one of these types.
    pub(super) const fn of_any(name: &'static str, types: &'static [DType]) -> Self {
        Self { types: Types::OneOf(types), ..Self::new(name) }
    }

    /// An input that must be there, of one of the version's types of its own.
    pub(super) const fn free(name: &'static str) -> Self {
        Self { types: Types::Free, ..Self::new(name) }
    }

    /// An input that must be there, of int32 or int64.
    pub(super) const fn index(name: &'static str) -> Self {
        Self { types: Types::Index, ..Self::new(name) }
    }

    /// The same where it may be left out.
    pub(super) const fn optional(self) -> Self {
        Self { presence: Presence::Optional, ..self }
    }

    /// The same where it stands for one or more.
    pub(super) const fn variadic(self) -> Self {
        Self { presence: Presence::Variadic, ..self }
    }

    /// The same since an operator set.
    pub(super) const fn since(self, since: i64) -> Self {
        Self { since, ..self }
    }
}

impl Version {
    /// A version without attributes.
    pub(super) const fn new(since: i64, types: &'static [DType]) -> Self {
        Self::with(since, types, &[])
    }

    /// A version with these attributes.
    pub(super) const fn with(
        since: i64,
        types: &'static [DType],
        attributes: &'static [AttributeSpec],
    ) -> Self {
        Self { since, types, attributes, broadcasting: Broadcasting::ByAttributes }
    }

    /// The same with this form of broadcasting.
    pub(super) const fn broadcasting(self, broadcasting: Broadcasting) -> Self {
        Self { broadcasting, ..self }
    }
}

/// The versions of the functions of one float.
pub(super) static FLOAT_VERSIONS: [Version; 3] = [
    Version::with(1, without_bfloat16(FLOATS), &[CONSUMED_INPUTS]),
    Version::new(6, without_bfloat16(FLOATS)),
    Version::new(13, FLOATS),
];

/// The versions of the arithmetic operations on two numbers.
pub(super) static NUMBER_VERSIONS: [Version; 5] = [
    Version::with(1, without_bfloat16(FLOATS), &[AXIS, BROADCAST, CONSUMED_INPUTS]),
    Version::with(6, without_bfloat16(LONG_NUMBERS), &[AXIS, BROADCAST]),
    Version::new(7, without_bfloat16(LONG_NUMBERS)),
    Version::new(13, LONG_NUMBERS),
    Version::new(14, NUMBERS),
];

/// What SONNX restricts the functions of one float to.
pub(super) const SONNX_FLOAT: Restriction = Restriction {
    document: Document::Sonnx,
    types: &[without_bfloat16(FLOATS)],
    shapes: Shapes::Equal,
    needed: &[],
    problem: None,
};

/// What SONNX restricts the arithmetic operations on two numbers to.
pub(super) const SONNX_NUMBERS: Restriction =
    Restriction { types: &[without_bfloat16(NUMBERS); 2], ..SONNX_FLOAT };

/// Which inputs may be overwritten: of no effect, and gone since operator set 6.
pub(super) const CONSUMED_INPUTS: AttributeSpec = AttributeSpec {
    name: "consumed_inputs",
    accepts: |value| matches!(value, Attribute::Ints(_)),
    expected: "a list of integers",
};

/// Whether B may have another shape than A, before operator set 7.
pub(super) const BROADCAST: AttributeSpec = AttributeSpec {
    name: "broadcast",
    accepts: |value| matches!(value, Attribute::Int(0 | 1)),
    expected: "0 or 1",
};

/// The dimension of A where B's begin, before operator set 7; a negative one, of which the
/// documents do not speak, is refused. It has no effect without `broadcast`, nor where B has a
/// single element.
pub(super) const AXIS: AttributeSpec = AttributeSpec {
    name: "axis",
    accepts: |value| matches!(value, Attribute::Int(0..)),
    expected: "a dimension, counted from 0",
};
