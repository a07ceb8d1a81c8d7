//! The cases that an operator states for the project's own suites.

use std::fmt::Display;

use values::dtype::DType;
use values::tensor::Tensor;

use crate::operator::{Operator, TensorType, Version};
use crate::signature::{AttributeValue, Specification};

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

/// The cases of one version of an operator that one specification is asked by.
#[derive(Debug)]
pub struct CaseList {
    specification: Specification,
    folder: String,
    opset: i64,
    /// What the ids of requirements begin with.
    prefix: String,
    cases: Vec<CaseSpec>,
}

impl CaseList {
    /// Cases of a version by ONNX: in `mul_14`, with requirements such as `P_ONNX_MUL14_FUNC_0010`.
    #[must_use]
    pub fn onnx(operator: &Operator, version: &Version) -> Self {
        let (name, since) = (operator.name, version.since);
        Self {
            specification: Specification::Onnx,
            folder: format!("{}_{since}", name.to_lowercase()),
            opset: since,
            prefix: format!("P_ONNX_{}{since}_", name.to_uppercase()),
            cases: Vec::new(),
        }
    }

    /// Cases by SONNX, which takes the newest version: in `mul`, with requirements by their whole id.
    #[must_use]
    pub fn sonnx(operator: &Operator) -> Self {
        Self {
            specification: Specification::Sonnx,
            folder: operator.name.to_lowercase(),
            opset: operator.newest().since,
            prefix: String::new(),
            cases: Vec::new(),
        }
    }

    /// Adds a case in the folder of an element type.
    pub fn add(
        &mut self,
        dtype: DType,
        name: impl AsRef<str>,
        inputs: Vec<Tensor>,
        requirements: &[impl AsRef<str>],
        note: &str,
    ) -> &mut CaseSpec {
        self.add_below(dtype.name(), name, inputs, requirements, note)
    }

    /// Adds a case in a folder.
    pub fn add_below(
        &mut self,
        folder: &str,
        name: impl AsRef<str>,
        inputs: Vec<Tensor>,
        requirements: &[impl AsRef<str>],
        note: &str,
    ) -> &mut CaseSpec {
        let id = |id: &_| format!("{}{}", self.prefix, AsRef::<str>::as_ref(id));
        let case = CaseSpec {
            specification: self.specification,
            path: self.path(folder, name.as_ref()),
            opset: self.opset,
            attributes: Vec::new(),
            inputs,
            last_input: LastInput::Typed,
            requirements: requirements.iter().map(id).collect(),
            note: note.to_owned(),
            refusal: None,
        };
        let at = self.cases.len();
        self.cases.push(case);
        &mut self.cases[at]
    }

    /// The path of a case, which seeds what is drawn for it.
    #[must_use]
    pub fn path(&self, folder: impl Display, name: &str) -> String {
        format!("{}/{folder}/{name}", self.folder)
    }

    /// All cases that were added.
    #[must_use]
    pub fn into_cases(self) -> Vec<CaseSpec> {
        self.cases
    }
}
