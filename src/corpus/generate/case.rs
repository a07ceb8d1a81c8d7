//! The files of a case that an operator states.

use std::collections::BTreeMap;

use bytes::Bytes;
use prost::Message;
use reference::case_spec::{CaseSpec, LastInput};
use reference::elements::{blank, tensor_of};
use reference::exact::Conforming;
use reference::operator::{AttributeValue, Call, Domain, Operator, TensorType as Declared};

use super::GenerateError;
use super::graph::{
    attribute, forget_last_type, leave_outputs_out, make_last_input_sparse, node_model,
};
use crate::corpus::case::{Expect, Manifest};
use crate::document::layout;
use crate::model::Format;
use crate::onnx::encode_value;
use crate::onnx::proto::{ModelProto, ValueInfoProto};
use crate::openvino::{TensorType, write_model};
use crate::tensor::Tensor;

/// The files of one model and one data set, in the folder `path`, whose last part is the class of the case; the
/// model's graph has this name.
pub(super) fn files(
    operator: &'static Operator,
    path: &str,
    name: &str,
    spec: &CaseSpec,
) -> Result<BTreeMap<String, Bytes>, GenerateError> {
    let (outputs, expect) = match &spec.refusal {
        Some(declared) => {
            let blanks = declared.iter().map(|Declared { dtype, shape }| blank(*dtype, shape));
            (blanks.collect::<Result<_, _>>()?, Expect::Refusal)
        }
        None => answer(operator, spec)?,
    };
    let (format, model, [input_names, output_names]) = match operator.domain {
        Domain::Onnx => {
            let model = onnx_model(operator, path, name, spec, &outputs)?;
            (Format::Onnx, model.encode_to_vec(), ports(&model))
        }
        Domain::OpenVino => {
            let names = [vec!["a".to_owned(), "b".to_owned()], vec!["o".to_owned()]];
            (Format::OpenVino, openvino_model(path, spec, &outputs)?.into_bytes(), names)
        }
    };
    let manifest = Manifest {
        class: path.rsplit('/').next().unwrap_or_default().to_owned(),
        expect,
        note: spec.note.clone(),
        requirements: spec.requirements.clone(),
    };
    let manifest = layout::to_bytes(&manifest, 1, 0)?;
    let mut files = BTreeMap::from([
        (format!("{path}/{}", format.file()), model.into()),
        (format!("{path}/case.json"), manifest.into()),
    ]);
    // Where a data set has no other file, the output holds its place.
    let has_output = expect.is_of_values() || input_names.is_empty();
    let output_names = if has_output { output_names } else { Vec::new() };
    let inputs: Vec<&Tensor> = spec.inputs.iter().flatten().collect();
    let outputs = ("output", output_names, outputs.iter().collect());
    for (kind, names, tensors) in [("input", input_names, inputs), outputs] {
        for (k, (name, tensor)) in names.iter().zip(tensors).enumerate() {
            let contents = encode_value(name, &tensor.clone().into());
            files.insert(format!("{path}/test_data_set_0/{kind}_{k}.pb"), contents);
        }
    }
    Ok(files)
}

/// What the reference allows of the outputs, as ones that conform, and how firmly they are expected.
fn answer(
    operator: &'static Operator,
    spec: &CaseSpec,
) -> Result<(Vec<Tensor>, Expect), GenerateError> {
    let unknown = || GenerateError::NoReference { operator: operator.name, opset: spec.opset };
    let version = operator.version(spec.opset).ok_or_else(unknown)?;
    let attributes = spec.attributes.iter().cloned().collect();
    let CaseSpec { specification, inputs, .. } = spec;
    let asked = spec.requested();
    let (call, types) =
        Call::asking_for(&asked, operator, version, *specification, attributes, inputs.clone())?;
    let allowed = operator.reference.allowed(&call, &types);
    if allowed.len() < types.len() {
        return Err(unknown());
    }
    let mut all: Vec<Vec<Conforming>> = Vec::new();
    for (output, allowed) in types.iter().zip(&allowed) {
        let count = crate::tensor::element_count(&output.shape)?;
        all.push((0..count).map(|index| allowed.at(index)).collect());
    }
    let any = |wanted: fn(&Conforming) -> bool| all.iter().flatten().any(wanted);
    let is_open = |element: &Conforming| matches!(element, Conforming::Unspecified(_));
    // Outputs of which nothing is said leave those open alone that are asked for first.
    let mut wholly = all.iter().filter(|output| output.iter().any(is_open));
    let beside = all.first().is_some_and(|first| !first.is_empty() && !first.iter().any(is_open))
        && wholly.all(|output| output.iter().all(is_open));
    let expect = if any(is_open) && !beside {
        Expect::Undecided
    } else if any(|element| matches!(element, Conforming::RefusalOr(_))) {
        Expect::ValuesOrRefusal
    } else {
        Expect::Values
    };
    let tensor = |(output, elements): (&Declared, Vec<Conforming>)| {
        let elements = elements.iter().map(|it| it.example_element(output.dtype)).collect();
        tensor_of(output.dtype, &output.shape, elements)
    };
    let tensors = types.iter().zip(all).map(tensor).collect::<Result<_, _>>()?;
    Ok((tensors, expect))
}

/// An ONNX model of one node.
fn onnx_model(
    operator: &Operator,
    path: &str,
    graph: &str,
    spec: &CaseSpec,
    outputs: &[Tensor],
) -> Result<ModelProto, GenerateError> {
    let proto = |(name, value): &(String, AttributeValue)| {
        let unknown = || GenerateError::Attribute { path: path.to_owned(), name: name.clone() };
        attribute(name, value).ok_or_else(unknown)
    };
    let attributes = spec.attributes.iter().map(proto).collect::<Result<_, _>>()?;
    let mut model = node_model(operator.name, spec.opset, attributes, graph, &spec.inputs, outputs);
    if let Some(graph) = model.graph.as_mut().filter(|_| !spec.left_out.is_empty()) {
        leave_outputs_out(graph, operator, spec);
    }
    if let (Some(graph), Some(last)) = (&mut model.graph, spec.inputs.iter().flatten().last()) {
        match spec.last_input {
            LastInput::Typed => {}
            LastInput::Untyped => forget_last_type(graph),
            LastInput::Sparse => make_last_input_sparse(graph, last),
        }
    }
    Ok(model)
}

/// The XML of a Divide layer of OpenVINO's intermediate representation.
fn openvino_model(
    path: &str,
    spec: &CaseSpec,
    outputs: &[Tensor],
) -> Result<String, GenerateError> {
    fn port(tensor: &Tensor) -> TensorType<'_> {
        TensorType { dtype: tensor.dtype(), shape: tensor.shape() }
    }
    let text = |(name, value): &'_ (String, AttributeValue)| match value {
        AttributeValue::Text(value) => Ok((name.clone(), value.clone())),
        _ => Err(GenerateError::Attribute { path: path.to_owned(), name: name.clone() }),
    };
    let attributes = spec.attributes.iter().map(text).collect::<Result<Vec<_>, _>>()?;
    let attributes: Vec<(&str, &str)> =
        attributes.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let ([Some(a), Some(b)], [output]) = (spec.inputs.as_slice(), outputs) else {
        return Err(GenerateError::Inputs { path: path.to_owned() });
    };
    let unnamed = || GenerateError::NoOpenVinoType { a: a.dtype(), b: b.dtype() };
    write_model(&attributes, port(a), port(b), port(output)).ok_or_else(unnamed)
}

/// The names of a model's inputs and of its outputs.
fn ports(model: &ModelProto) -> [Vec<String>; 2] {
    let graph = model.graph.as_ref();
    [graph.map(|graph| &graph.input), graph.map(|graph| &graph.output)].map(|ports| {
        ports.into_iter().flatten().map(|port| ValueInfoProto::name(port).to_owned()).collect()
    })
}
