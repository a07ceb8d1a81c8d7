//! The generator of the project's own suites, which `testdata/suites` holds in ONNX's folder layout.
//!
//! Everything is made here from integers and fixed seeds, and every expected element comes from the
//! oracle; no kernel is asked. A case holds many elements of one equivalence class, so that a suite
//! has few cases and each says by its name what it is about.

mod boundaries;
mod case;
mod graph;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use bytes::Bytes;
use prost::Message;
use rayon::prelude::*;
use reference::case_spec::{CaseSpec, LastInput};
use reference::derivation::derived;
use reference::operator::{Attributes, Operator, Specification};
use reference::operators::OPERATORS;
use reference::variation::varied;
use values::random::Random;

use crate::dtype::DType;
use crate::onnx::proto::ModelProto;
use crate::tensor::{Tensor, TensorError};
pub use boundaries::boundaries_page;
pub(crate) use graph::node_model;

/// The suites cannot be made.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum GenerateError {
    #[error("{operator} has no version for operator set {opset}, or more than one output")]
    NoReference { operator: &'static str, opset: i64 },
    #[error("by the reference the call is invalid")]
    Invalid(#[from] reference::operator::Invalid),
    #[error(transparent)]
    Element(#[from] reference::elements::ElementError),
    #[error("the cases of {operator} are stated wrongly")]
    Statement { operator: &'static str, source: reference::case_spec::StatementError },
    #[error(transparent)]
    Unsolved(#[from] reference::boundaries::Unsolved),
    #[error(transparent)]
    Variation(#[from] reference::variation::VariationError),
    #[error("OpenVINO has no name for {a} or {b}")]
    NoOpenVinoType { a: DType, b: DType },
    #[error("{path} gives `{name}` a value that no operator of ONNX takes here")]
    Attribute { path: String, name: String },
    #[error("{path} has not the two inputs of an OpenVINO layer here")]
    Inputs { path: String },
    #[error("two cases are named {0}")]
    SameName(String),
    #[error(transparent)]
    Tensor(#[from] TensorError),
    #[error("failed to write a case.json")]
    Json(#[from] serde_json::Error),
}

/// Every file of every suite by its path below `testdata/suites`, such as
/// `sonnx/div/float32/overflow/model.onnx`.
pub fn files() -> Result<BTreeMap<String, Bytes>, GenerateError> {
    let mut files = BTreeMap::new();
    let all = Specification::ALL.map(stated).into_iter().collect::<Result<Vec<_>, _>>()?;
    let of_case = |(operator, spec): &StatedCase| {
        let folder = format!("{}/{}", spec.specification, spec.path);
        let files = case::files(operator, &folder, &folder.replace('/', "_"), spec)?;
        Ok::<_, GenerateError>((folder, files))
    };
    let all: Vec<_> = all.into_iter().flatten().collect();
    for case in all.into_par_iter().map(of_case).collect::<Vec<_>>() {
        let (folder, of_case) = case?;
        for (path, contents) in of_case {
            if files.insert(path, contents).is_some() {
                return Err(GenerateError::SameName(folder));
            }
        }
    }
    Ok(files)
}

/// A case with the operator that states it.
type StatedCase = (&'static Operator, CaseSpec);

/// Every case of a suite that an operator states, and of ONNX's all that follow from them. They are made when they are first asked for, which takes most of
/// the time, and stay.
fn stated(suite: Specification) -> Result<&'static [StatedCase], GenerateError> {
    static STATED: [OnceLock<Vec<StatedCase>>; Specification::ALL.len()] =
        [const { OnceLock::new() }; Specification::ALL.len()];
    let place = &STATED[suite as usize];
    if let Some(known) = place.get() {
        return Ok(known);
    }
    let of = |operator: &&'static Operator| {
        let stated = operator.cases.map_or_else(|| Ok(Vec::new()), |state| state(suite));
        let wrong = |source| GenerateError::Statement { operator: operator.name, source };
        let mut specs = stated.map_err(wrong)?;
        if suite == Specification::Onnx {
            let derived = derived(operator, &specs);
            specs.extend(derived.cases);
        }
        Ok(specs.into_iter().map(|spec| (*operator, spec)).collect::<Vec<_>>())
    };
    let all: Vec<_> = OPERATORS.par_iter().map(of).collect();
    let all = all.into_iter().collect::<Result<Vec<_>, GenerateError>>()?;
    Ok(place.get_or_init(|| all.into_iter().flatten().collect()))
}

/// The files of a suite's cases with other inputs, by their paths below the folder of the suite. Of each case's
/// path is told from which numbers its inputs are drawn, and how its model is named.
pub(crate) fn varied_files(
    suite: Specification,
    of_case: impl Fn(&str) -> (Random, String) + Sync,
) -> Result<BTreeMap<String, Bytes>, GenerateError> {
    let of_suite = stated(suite)?.par_iter();
    let files = |(operator, spec): &StatedCase| {
        let (mut random, name) = of_case(&spec.path);
        let varied = varied(operator, spec, &mut random)?;
        case::files(operator, &spec.path, &name, &varied)
    };
    let files: Vec<_> = of_suite.map(files).collect();
    let files = files.into_iter().collect::<Result<Vec<_>, GenerateError>>()?;
    Ok(files.into_iter().flatten().collect())
}

/// A serialised model of the operator in its newest version, with these attributes, for these operands and an
/// output like this tensor. Attributes of kinds that no case has are left out.
pub fn single_node(
    operator: &Operator,
    attributes: &Attributes,
    operands: &[Tensor],
    output: &Tensor,
) -> Bytes {
    single_node_model(operator, attributes, operands, output).encode_to_vec().into()
}

/// The same before it is serialised.
pub(crate) fn single_node_model(
    operator: &Operator,
    attributes: &Attributes,
    operands: &[Tensor],
    output: &Tensor,
) -> ModelProto {
    let opset = operator.newest().since;
    let inputs: Vec<_> = operands.iter().cloned().map(Some).collect();
    let attributes = attributes.iter().filter_map(|(name, value)| graph::attribute(name, value));
    let (name, output) = (operator.name, std::slice::from_ref(output));
    node_model(name, opset, attributes.collect(), "single_node", &inputs, output)
}

/// The files of a case that is stated by somebody else than its operator, by their paths below the folder of its corpus.
pub(crate) fn stated_case(
    operator: &'static Operator,
    spec: &CaseSpec,
) -> Result<BTreeMap<String, Bytes>, GenerateError> {
    case::files(operator, &spec.path, &spec.path.replace('/', "_"), spec)
}

/// The files of a case in ONNX's folder layout, by their paths below the folder of the suite: the
/// operator in its newest version with these attributes on these operands, with the results that the reference expects.
pub fn single_case(
    path: String,
    operator: &'static Operator,
    attributes: &Attributes,
    operands: Vec<Tensor>,
    requirements: &[&str],
    note: &str,
) -> Result<BTreeMap<String, Bytes>, GenerateError> {
    let spec = CaseSpec {
        specification: Specification::Onnx,
        path,
        opset: operator.newest().since,
        attributes: attributes.clone().into_iter().collect(),
        inputs: operands.into_iter().map(Some).collect(),
        outputs: operator.newest().outputs.len(),
        left_out: Vec::new(),
        last_input: LastInput::Typed,
        requirements: requirements.iter().map(ToString::to_string).collect(),
        note: note.to_owned(),
        refusal: None,
    };
    case::files(operator, &spec.path, &spec.path.replace('/', "_"), &spec)
}
