//! Why a kernel refuses to compute.

use super::Operator;
use values::dtype::DType;
use values::tensor::TensorError;

/// Whose matter a refusal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The request may be sound; these kernels do not serve it.
    Unsupported,
    /// The request breaks the operator's specification.
    Invalid,
    /// The operands lie where the specification defines no result.
    Domain,
}

/// A kernel refuses to compute.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum KernelError {
    #[error("{operator} takes {expected} input(s), but {actual} are given")]
    Arity { operator: Operator, expected: usize, actual: usize },
    #[error("{operator} needs its input `{input}`, which is left out")]
    MissingInput { operator: Operator, input: &'static str },
    #[error("{operator} is not defined for {dtype}; its types are {}", names(.operator.types()))]
    Type { operator: Operator, dtype: DType },
    #[error("{operator} takes operands of one type, but they are {left} and {right}")]
    TypesDiffer { operator: Operator, left: DType, right: DType },
    #[error("input `{input}` of {operator} is of {expected}, but {dtype} is given")]
    InputType { operator: Operator, input: &'static str, expected: DType, dtype: DType },
    #[error("{operator} cannot take shapes {}: {reason}", listed(.shapes))]
    Shapes { operator: Operator, shapes: Vec<Vec<usize>>, reason: &'static str },
    #[error("{operator} does not compute its output element by element")]
    NotElementwise { operator: Operator },
    #[error("{operator} has no attribute `{name}`")]
    UnknownAttribute { operator: Operator, name: String },
    #[error("attribute `{name}` of {operator} must be {expected}")]
    BadAttribute { operator: Operator, name: &'static str, expected: &'static str },
    #[error("an output of shape {shape:?} and type {dtype} is more than the kernels allocate")]
    TooLarge { shape: Vec<usize>, dtype: DType },
    #[error("element {coordinates:?}: {dividend} / 0 has no {dtype} value")]
    DivisionByZero { dtype: DType, coordinates: Vec<usize>, dividend: i128 },
    #[error("element {coordinates:?}: {dividend} / {divisor} exceeds every {dtype} value")]
    Overflow { dtype: DType, coordinates: Vec<usize>, dividend: i128, divisor: i128 },
    #[error("{operator}: the text of element {element} is no number for {dtype}")]
    NoNumber { operator: Operator, dtype: DType, element: usize },
    #[error(transparent)]
    Tensor(#[from] TensorError),
}

impl KernelError {
    /// Whose matter the refusal is.
    pub const fn kind(&self) -> ErrorKind {
        match self {
            Self::TooLarge { .. } | Self::NotElementwise { .. } => ErrorKind::Unsupported,
            Self::Arity { .. }
            | Self::MissingInput { .. }
            | Self::Type { .. }
            | Self::TypesDiffer { .. }
            | Self::InputType { .. }
            | Self::Shapes { .. }
            | Self::UnknownAttribute { .. }
            | Self::BadAttribute { .. }
            | Self::Tensor(_) => ErrorKind::Invalid,
            Self::DivisionByZero { .. } | Self::Overflow { .. } | Self::NoNumber { .. } => {
                ErrorKind::Domain
            }
        }
    }
}

fn names(types: &[DType]) -> String {
    types.iter().map(|dtype| dtype.name()).collect::<Vec<_>>().join(", ")
}

/// The shapes, separated by commas and at last by `and`.
fn listed(shapes: &[Vec<usize>]) -> String {
    let shapes: Vec<_> = shapes.iter().map(|shape| format!("{shape:?}")).collect();
    match shapes.as_slice() {
        [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => shapes.concat(),
    }
}
