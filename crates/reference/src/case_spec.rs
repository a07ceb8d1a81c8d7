//! The cases that an operator states for the project's own suites.

use serde::Deserialize;
use values::tensor::Tensor;

use crate::boundaries::Unsolved;
use crate::elements::ElementError;
use crate::signature::{AttributeValue, Specification, TensorType};

/// What an operator states, or what is wrong with it.
pub type Stated = Result<Vec<CaseSpec>, StatementError>;

/// A table that does not state cases.
#[derive(Debug, thiserror::Error)]
pub enum StatementError {
    /// It is no table of statements.
    #[error(transparent)]
    Toml(#[from] Box<toml::de::Error>),
    /// The elements do not make a tensor.
    #[error(transparent)]
    Element(#[from] ElementError),
    /// A boundary has neither operands nor a proof.
    #[error(transparent)]
    Unsolved(#[from] Box<Unsolved>),
    /// A word has no meaning where it stands.
    #[error("`{word}` is no {expected}")]
    Word {
        /// The word.
        word: String,
        /// What is expected there.
        expected: &'static str,
    },
}

impl StatementError {
    pub(crate) fn word(word: &str, expected: &'static str) -> Self {
        Self::Word { word: word.to_owned(), expected }
    }
}

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
    /// The inputs in order; `None` where an optional one is left out.
    pub inputs: Vec<Option<Tensor>>,
    /// How many outputs the node names, or leaves out before one that it names.
    pub outputs: usize,
    /// The places of those that it leaves out.
    pub left_out: Vec<usize>,
    /// How the model's last input is given.
    pub last_input: LastInput,
    /// The requirements that it verifies.
    pub requirements: Vec<String>,
    /// What it is about.
    pub note: String,
    /// What the model declares of its outputs where a refusal is expected.
    pub refusal: Option<Vec<TensorType>>,
}

impl CaseSpec {
    /// Of each output that the node names or leaves out whether it is asked for.
    pub fn requested(&self) -> Vec<bool> {
        (0..self.outputs).map(|at| !self.left_out.contains(&at)).collect()
    }
}

/// How a model's last input is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LastInput {
    /// As an input of stated type.
    #[default]
    Typed,
    /// As an input whose element type is open.
    Untyped,
    /// As a sparse initialiser.
    Sparse,
}
