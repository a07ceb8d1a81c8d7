//! The cases of an operator, listed by suite and version.

use std::fmt::Display;

use values::dtype::DType;
use values::tensor::Tensor;

use crate::case_spec::{CaseSpec, LastInput};
use crate::operator::Operator;
use crate::signature::{Specification, Version};

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

    /// Cases by the earlier draft of SONNX, as those by SONNX.
    #[must_use]
    pub fn sonnx_draft(operator: &Operator) -> Self {
        Self { specification: Specification::SonnxDraft, ..Self::sonnx(operator) }
    }

    /// Cases by OpenVINO: in `divide_1`, with requirements such as `P_OV_DIVIDE1_FUNC_0010`.
    #[must_use]
    pub fn openvino(operator: &Operator) -> Self {
        let (name, since) = (operator.name, operator.newest().since);
        let prefix = format!("P_OV_{}{since}_", name.to_uppercase());
        let onnx = Self::onnx(operator, operator.newest());
        Self { specification: Specification::OpenVino, prefix, ..onnx }
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
