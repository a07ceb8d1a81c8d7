//! The cases that an operator states for the project's own suites.

use values::dtype::DType;
use values::tensor::Tensor;

use crate::elements::ElementError;
use crate::signature::{AttributeValue, Specification, TensorType};

/// What an operator states, or the element that a type does not hold.
pub type Stated = Result<Vec<CaseSpec>, ElementError>;

/// A case of a suite: a model of one node and its inputs. The reference says what is expected.
#[derive(Clone, Debug)]
pub struct CaseSpec {
    /// The specification that it is held to, which says to which suite it belongs.
    pub specification: Specification,
    /// Its folder below that of the suite, such as `mul_14/float32/elements`.
    pub path: String,
    /// The operator set of the model.
    pub opset: i64,
    /// Attributes of the node, in the order in which the model has them.
    pub attributes: Vec<(String, AttributeValue)>,
    /// The inputs in order.
    pub inputs: Vec<Tensor>,
    /// How the model's last input is given.
    pub last_input: LastInput,
    /// The requirements that it verifies.
    pub requirements: Vec<String>,
    /// What it is about.
    pub note: String,
    /// What the model declares of its output where a refusal is expected.
    pub refusal: Option<TensorType>,
}

/// How a model's last input is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastInput {
    /// As an input of stated type.
    Typed,
    /// As an input whose element type is open.
    Untyped,
    /// As a sparse initialiser.
    Sparse,
}

impl CaseSpec {
    /// The case with one more attribute.
    pub fn with(&mut self, name: &str, value: AttributeValue) -> &mut Self {
        self.attributes.push((name.to_owned(), value));
        self
    }

    /// The case of a call to be refused, whose model declares an output of this type.
    pub fn refused(&mut self, dtype: DType, shape: &[usize]) -> &mut Self {
        self.refusal = Some(TensorType { dtype, shape: shape.to_vec() });
        self
    }

    /// The case with its last input given in another way.
    pub fn given(&mut self, last_input: LastInput) -> &mut Self {
        self.last_input = last_input;
        self
    }
}
