//! A case, decoded: one model with its data sets.

mod manifest;

use std::collections::BTreeMap;

use bytes::Bytes;

use crate::foundation::text::natural_order;
use crate::limits::{self, Budget};
use crate::model::{Format, Model, ModelError};
use crate::onnx::{DecodeError, Port, decode_value_within};
use crate::tensor::{Tensor, Value};
use judge::profile::{Tolerance, ToleranceError};

pub use manifest::{Expect, Manifest};

/// Most tensors that the data sets of a case may expect as outputs: reports tell each of them.
pub const MAX_OUTPUTS: usize = 1024;

/// Name of the file in which a case of this project's own suites says what it is.
const MANIFEST_FILE: &str = "case.json";

/// Name of the file that may state a tolerance of its own for the case.
const TOLERANCE_FILE: &str = "data.json";

/// A decoded case.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The model.
    pub model: Model,
    /// The bytes of its file.
    pub file: Bytes,
    /// The data sets in natural order of their folders.
    pub data_sets: Vec<DataSet>,
    /// What the official runner allows: its default, or what the case's `data.json` states.
    pub tolerance: Tolerance,
    /// What the case says of itself.
    pub manifest: Manifest,
    /// Whether it says so in a manifest, as the cases of this project's own suites do.
    pub is_own: bool,
}

/// The values of one data set, in the order of the model's ports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataSet {
    /// Its folder, by which it is named, such as `test_data_set_0`.
    pub folder: String,
    /// A value for each input of the model that is not an initialiser; trailing ones may be left
    /// out.
    pub inputs: Vec<Value>,
    /// The expected value of each output; none where the case expects no values.
    pub outputs: Vec<Value>,
}

/// The files do not make a case.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum CaseError {
    #[error(transparent)]
    Decode(#[from] DecodeError),
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error("the case has neither {} nor {}", Format::Onnx.file(), Format::OpenVino.file())]
    NoModel,
    #[error("the case has both {} and {}; remove one", Format::Onnx.file(), Format::OpenVino.file())]
    TwoModels,
    #[error("the case has no data set, so it compares nothing")]
    NoDataSet,
    #[error("{folder} has {found} {port} files, but the model has {wanted} {port}s")]
    Count { folder: String, port: &'static str, found: usize, wanted: usize },
    #[error("{folder} lacks {file}")]
    Gap { folder: String, file: String },
    #[error(
        "the data sets expect {found} tensors as outputs, and a case may expect {MAX_OUTPUTS}; \
         split it into several"
    )]
    Outputs { found: usize },
    #[error("{file} holds {found} elements, but the model's {port} is of {declared}")]
    Type { file: String, port: String, found: &'static str, declared: &'static str },
    #[error("failed to read {file}")]
    Tolerance { file: String, source: ToleranceError },
    #[error("{file}:{line}: {problem}")]
    Manifest { file: String, line: usize, problem: String },
}

impl Case {
    /// The case that these files make. Their names are relative to the case's folder; `prefix` goes
    /// before them in errors.
    pub fn decode(prefix: &str, files: &BTreeMap<String, Bytes>) -> Result<Self, CaseError> {
        let mut models = Format::ALL.into_iter().filter(|format| files.contains_key(format.file()));
        let format = models.next().ok_or(CaseError::NoModel)?;
        if models.next().is_some() {
            return Err(CaseError::TwoModels);
        }
        let file = format.file();
        let bytes = files[file].clone();
        // All files are one input.
        let budget = &mut Budget::default();
        let path = format!("{prefix}/{file}");
        let model = Model::decode_within(format, &path, bytes.clone(), budget)?;
        let manifest = match files.get(MANIFEST_FILE) {
            None => Manifest::default(),
            Some(text) => {
                limits::from_json_within(text, budget).map_err(|error| CaseError::Manifest {
                    file: format!("{prefix}/{MANIFEST_FILE}"),
                    line: error.line(),
                    problem: error.to_string(),
                })?
            }
        };
        let mut folders: Vec<&str> = files
            .keys()
            .filter_map(|file| file.split_once('/'))
            .map(|(folder, _)| folder)
            .filter(|folder| folder.starts_with("test_data_set"))
            .collect();
        folders.dedup();
        folders.sort_by(|a, b| natural_order(a, b));
        if folders.is_empty() {
            return Err(CaseError::NoDataSet);
        }
        let data_sets = folders
            .into_iter()
            .map(|folder| DataSet::decode(prefix, folder, files, &model, manifest.expect, budget))
            .collect::<Result<Vec<_>, _>>()?;
        let tensors =
            |set: &DataSet| set.outputs.iter().map(|value| value.tensors().len()).sum::<usize>();
        let found = data_sets.iter().map(tensors).sum();
        if found > MAX_OUTPUTS {
            return Err(CaseError::Outputs { found });
        }
        let tolerance = match files.get(TOLERANCE_FILE) {
            None => Tolerance::default(),
            Some(text) => Tolerance::from_data_json_within(text, budget).map_err(|source| {
                CaseError::Tolerance { file: format!("{prefix}/{TOLERANCE_FILE}"), source }
            })?,
        };
        let is_own = files.contains_key(MANIFEST_FILE);
        Ok(Self { model, file: bytes, data_sets, tolerance, manifest, is_own })
    }

    /// Whether the requirements that the case names are all known, told by `is_known`; `prefix` and
    /// `files` as for [`Case::decode`]. The error names the line.
    pub fn check_requirements(
        &self,
        prefix: &str,
        files: &BTreeMap<String, Bytes>,
        is_known: impl Fn(&str) -> bool,
    ) -> Result<(), CaseError> {
        let Some(unknown) = self.manifest.requirements.iter().find(|id| !is_known(id)) else {
            return Ok(());
        };
        let text = files.get(MANIFEST_FILE).map(|bytes| String::from_utf8_lossy(bytes));
        let quoted = format!("\"{unknown}\"");
        let holds = |line: &str| line.contains(&quoted);
        Err(CaseError::Manifest {
            file: format!("{prefix}/{MANIFEST_FILE}"),
            line: text.and_then(|text| text.lines().position(holds)).unwrap_or(0) + 1,
            problem: format!(
                "unknown requirement `{unknown}`; `onnx-conformance matrix` shows the known ones"
            ),
        })
    }

    /// The name that an output of a data set has in reports: its own in the first set, with the folder in
    /// front in the others.
    pub fn output_name(&self, set: &DataSet, output: &str) -> String {
        match self.data_sets.first() {
            Some(first) if first.folder != set.folder => format!("{}:{output}", set.folder),
            _ => output.to_owned(),
        }
    }

    /// Element types of the inputs and outputs, in order of first appearance.
    pub fn types(&self) -> Vec<&'static str> {
        let mut types = Vec::new();
        let values = self.data_sets.iter().flat_map(|set| set.inputs.iter().chain(&set.outputs));
        for dtype in values.flat_map(Value::tensors).map(Tensor::dtype) {
            if !types.contains(&dtype.name()) {
                types.push(dtype.name());
            }
        }
        types
    }
}

impl DataSet {
    fn decode(
        prefix: &str,
        folder: &str,
        files: &BTreeMap<String, Bytes>,
        model: &Model,
        expect: Expect,
        budget: &mut Budget,
    ) -> Result<Self, CaseError> {
        let mut read = |port, ports| decode_ports(prefix, folder, files, port, ports, budget);
        let inputs = read("input", model.inputs())?;
        let outputs = read("output", model.outputs())?;
        let none_expected = outputs.is_empty() && !expect.is_of_values();
        if outputs.len() != model.outputs().len() && !none_expected {
            return Err(CaseError::Count {
                folder: format!("{prefix}/{folder}"),
                port: "output",
                found: outputs.len(),
                wanted: model.outputs().len(),
            });
        }
        Ok(Self { folder: folder.to_owned(), inputs, outputs })
    }

    /// Bytes of all expected outputs.
    pub fn output_bytes(&self) -> u64 {
        let size = |tensor: &Tensor| match (tensor.bits(), tensor.strings()) {
            (Some(bits), _) => bits.len(),
            (_, Some(strings)) => strings.iter().map(Bytes::len).sum(),
            (None, None) => 0,
        };
        self.outputs.iter().flat_map(Value::tensors).map(|tensor| size(tensor) as u64).sum()
    }

    /// Number of elements of all outputs: what a comparison has to compare.
    pub fn promised_elements(&self) -> u64 {
        self.outputs.iter().flat_map(Value::tensors).map(|tensor| tensor.elements() as u64).sum()
    }
}

/// The values of `input_0.pb`, `input_1.pb`, .. (or `output_..`) in a data set's folder.
fn decode_ports(
    prefix: &str,
    folder: &str,
    files: &BTreeMap<String, Bytes>,
    port: &'static str,
    ports: &[Port],
    budget: &mut Budget,
) -> Result<Vec<Value>, CaseError> {
    let start = format!("{folder}/{port}_");
    let found = files.keys().filter(|f| f.starts_with(&start) && f.ends_with(".pb")).count();
    if found > ports.len() {
        let folder = format!("{prefix}/{folder}");
        return Err(CaseError::Count { folder, port, found, wanted: ports.len() });
    }
    let mut values = Vec::with_capacity(found);
    for (k, declared_port) in ports.iter().take(found).enumerate() {
        let file = format!("{start}{k}.pb");
        let bytes = files.get(&file).ok_or_else(|| CaseError::Gap {
            folder: format!("{prefix}/{folder}"),
            file: format!("{port}_{k}.pb"),
        })?;
        let file = format!("{prefix}/{file}");
        let value_type = &declared_port.value_type;
        let value = decode_value_within(&file, bytes.clone(), value_type, budget)?;
        if let Some(declared) = declared_port.value_type.dtype()
            && let Some(other) = value.tensors().into_iter().find(|t| t.dtype() != declared)
        {
            return Err(CaseError::Type {
                file,
                port: declared_port.name.clone(),
                found: other.dtype().name(),
                declared: declared.name(),
            });
        }
        values.push(value);
    }
    Ok(values)
}
