//! What there is to know of an operator: its versions, what a specification allows of its results,
//! and the documents that state it.

use std::fmt;

use values::dtype::DType;
use values::tensor::{Tensor, element_count};

use crate::boundaries::BoundaryInputs;
use crate::call::{Attributes, Call, Specification};
use crate::elementwise::Elementwise;
use crate::exact::{Conforming, Deviation};
use crate::inputs::{Parts, Tuple};
use crate::real::Real;
use crate::sweep::FastChecks;
use values::element::Element;

/// An operator: everything that judges it is reached from here.
pub struct Operator {
    /// Whose operator it is.
    pub domain: Domain,
    /// Its name in that domain, such as `Div`.
    pub name: &'static str,
    /// The name that accuracy profiles know it by: its own, or that of the operator of ONNX that it is a
    /// form of.
    pub judged_as: &'static str,
    /// How its results are determined.
    pub kind: Kind,
    /// Its versions, the oldest first.
    pub versions: &'static [Version],
    /// What is allowed of its results.
    pub reference: &'static dyn Reference,
    /// The fast checks of sweeps, where there are any.
    pub fast_checks: Option<&'static dyn FastChecks>,
    /// The inputs of a type that are hardest to get right, in named parts.
    pub hard_inputs: Option<fn(DType) -> Option<Parts>>,
    /// The operands that an implementation is given in a sweep in place of those whose result nothing
    /// specifies and processors may trap on; the element still counts as out of the domain.
    pub substitute: Option<fn(DType, Tuple) -> Option<Tuple>>,
    /// The requirements that sweeps speak for.
    pub coverage: &'static [Coverage],
}

/// Requirements on the results of elements that sweeps of some types speak for.
#[derive(Debug)]
pub struct Coverage {
    /// The element types.
    pub types: &'static [DType],
    /// Those that every sweep speaks for.
    pub always: &'static [&'static str],
    /// Those on special values, for which a sweep speaks that has all of them.
    pub by_specials: &'static [&'static str],
}

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
pub enum Kind {
    /// Nothing is rounded: one set of bits.
    Exact,
    /// Correctly rounded, as IEEE 754 has it for one operation.
    Rounded,
    /// Approximated: no correct rounding is asked, so the error is measured and limited.
    Approximated,
    /// Summed up in any order, so an a-priori bound limits the error.
    Accumulated,
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

/// An input or output of a version.
#[derive(Debug)]
pub struct Port {
    /// Its name in the document.
    pub name: &'static str,
    /// The element types that it takes.
    pub types: &'static [DType],
    /// The type variable: ports with the same one have one element type in a call.
    pub variable: &'static str,
}

/// An attribute of a version.
#[derive(Debug)]
pub struct Attribute {
    /// Its name.
    pub name: &'static str,
    /// What its value is.
    pub value: AttributeType,
}

/// What the value of an attribute is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeType {
    /// An integer.
    Int,
    /// A list of integers.
    Ints,
    /// Text that is one of these.
    Text(&'static [&'static str]),
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

/// What is allowed of an operator's results.
pub trait Reference: Sync {
    /// Element types and shapes of the outputs.
    ///
    /// # Errors
    ///
    /// The restriction that the call breaks, beyond those that its version's signature states.
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid>;

    /// What each output may be, for a call that [`Reference::infer`] accepts.
    fn allowed<'a>(&self, call: &'a Call, outputs: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>>;

    /// The function that computes an element, where the operator is element-wise on operands of one
    /// type: `None` for every other operator.
    fn elementwise(
        &self,
        _specification: Specification,
        _attributes: &Attributes,
    ) -> Option<Box<dyn Elementwise>> {
        None
    }

    /// Operands at the boundaries of the results of an element-wise operator that computes.
    fn boundaries(&self) -> Option<&'static dyn BoundaryInputs> {
        None
    }
}

/// What one output may be, element by element; indices are row-major.
pub trait Allowed {
    /// Which elements conform at an index.
    fn at(&self, index: usize) -> Conforming;

    /// The exact result at an index, known to `bits` bits at least; `None` where there is none.
    fn real(&self, index: usize, bits: u32) -> Option<Real>;

    /// How far the element `actual` is from the exact result at an index.
    fn deviation(&self, index: usize, actual: u64) -> Deviation;

    /// The elements that the result at an index is computed from, of whatever type each has.
    fn operands(&self, index: usize) -> Vec<Element>;

    /// The function that computes the element at an index from these operands, where the operator is
    /// element-wise.
    fn function(&self) -> Option<&dyn Elementwise> {
        None
    }
}

impl Operator {
    /// The version that an operator set has; `None` before the first.
    #[must_use]
    pub fn version(&self, opset: i64) -> Option<&'static Version> {
        self.versions.iter().rfind(|version| version.since <= opset)
    }

    /// The newest version.
    #[must_use]
    pub fn newest(&self) -> &'static Version {
        const NONE: Version = Version { since: 0, inputs: &[], outputs: &[], attributes: &[] };
        self.versions.last().unwrap_or(&NONE)
    }

    /// The element types of the first output in the newest version.
    #[must_use]
    pub fn types(&self) -> &'static [DType] {
        self.newest().outputs.first().map_or(&[], |port| port.types)
    }

    /// The ids of the requirements that a sweep of a type speaks for, special values among its inputs
    /// or not, in order.
    #[must_use]
    pub fn covered(&self, dtype: DType, specials: bool) -> Vec<&'static str> {
        let coverage = self.coverage.iter().filter(|coverage| coverage.types.contains(&dtype));
        let ids = coverage.flat_map(|coverage| {
            let by_specials = if specials { coverage.by_specials } else { &[] };
            coverage.always.iter().chain(by_specials)
        });
        let mut ids: Vec<_> = ids.copied().collect();
        ids.sort_unstable();
        ids
    }

    /// Number of inputs in the newest version.
    #[must_use]
    pub fn arity(&self) -> usize {
        self.newest().inputs.len()
    }
}

impl fmt::Debug for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Operator").field(&self.domain).field(&self.name).finish()
    }
}

/// Two operators are the same where domain and name are.
impl PartialEq for Operator {
    fn eq(&self, other: &Self) -> bool {
        (self.domain, self.name) == (other.domain, other.name)
    }
}

impl Eq for Operator {}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Exact, Self::Rounded, Self::Approximated, Self::Accumulated];

    /// The name used in profiles and documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Rounded => "rounded",
            Self::Approximated => "approximated",
            Self::Accumulated => "accumulated",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl TensorType {
    /// The type of a tensor.
    #[must_use]
    pub fn of(tensor: &Tensor) -> Self {
        Self { dtype: tensor.dtype(), shape: tensor.shape().to_vec() }
    }

    /// An output's type, where memory can address its elements.
    ///
    /// # Errors
    ///
    /// When it cannot.
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
