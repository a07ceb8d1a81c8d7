//! Cases of exactly the uses that none covers, made as those of the own suites are: the reference states the results.
//!
//! A model's tensors are large, and the exact reference is not made for millions of elements. So sizes above 8 become
//! smaller ones, equal sizes equal ones, as long as the call stays valid and of its class; where it does not, the call is
//! taken as it is, unless it is too large. Elements that are known, such as the shape of a Reshape, stay; others are drawn
//! from the seed.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use reference::case_spec::{CaseSpec, LastInput};
use reference::elements::{decimal, tensor, whole};
use reference::operator::{AttributeValue, Attributes, Call, Specification, TensorType};
use values::random::Random;

use super::Sample;
use crate::corpus::Digest;
use crate::corpus::generate::{GenerateError, stated_case};
use crate::dtype::{DType, Kind};
use crate::models::types::deciding;
use crate::models::uses::Class;
use crate::tensor::{Tensor, element_count};

/// The most elements of a call, inputs and outputs together.
const ELEMENTS: usize = 1 << 14;
/// Sizes up to this one stay.
const STAYS: usize = 8;

/// The cases that were made, and why there are none of some uses.
#[derive(Debug, Default)]
pub struct Made {
    /// Their files by path.
    pub files: BTreeMap<String, Bytes>,
    /// How many cases there are.
    pub cases: u64,
    /// The uses without one, and why.
    pub skipped: Vec<(String, String)>,
}

/// Makes a case of each use of these that has none, from a seed.
pub fn make<'a>(
    uses: impl IntoIterator<Item = (String, &'a Option<Sample>)>,
    seed: &str,
) -> Result<Made, GenerateError> {
    let mut made = Made::default();
    let mut numbers: BTreeMap<String, u64> = BTreeMap::new();
    for (name, sample) in uses {
        let Some(Sample { call, opset }) = sample else {
            made.skipped
                .push((name, "types and shapes are not known, or the call is invalid".into()));
            continue;
        };
        let Some(small) = smaller(call) else {
            made.skipped
                .push((name, "it takes too many elements, and no smaller call is like it".into()));
            continue;
        };
        let (operator, since) = (call.operator.name.to_lowercase(), call.version.since);
        let dtype = call.inputs.iter().flatten().next().map_or("none", |it| it.dtype().name());
        let folder = format!("{operator}_{since}/{dtype}");
        let number = numbers.entry(folder.clone()).or_default();
        *number += 1;
        let path = format!("{folder}/use_{number}");
        let digest = Digest::of(format!("{seed}\n{path}").as_bytes()).to_string();
        let mut random = Random::new(u64::from_str_radix(&digest[..16], 16).unwrap_or_default());
        let spec = CaseSpec {
            specification: Specification::Onnx,
            path,
            opset: *opset,
            attributes: small.attributes.clone().into_iter().collect(),
            inputs: drawn(&small, &mut random),
            outputs: small.outputs,
            left_out: small.left_out.clone(),
            last_input: LastInput::Typed,
            requirements: Vec::new(),
            note: format!("A use of {} in a model.", call.operator.name),
            refusal: None,
        };
        made.files.extend(stated_case(call.operator, &spec)?);
        made.cases += 1;
    }
    Ok(made)
}

fn class(call: &Call) -> Class {
    let inputs: Vec<_> = call
        .inputs
        .iter()
        .map(|input| input.as_ref().map(|tensor| (tensor.dtype(), tensor.shape())))
        .collect();
    let outputs: Vec<bool> = (0..call.outputs).map(|at| call.asks_for(at)).collect();
    Class::of(call.operator, call.version, &call.attributes, &inputs, &outputs)
}

/// A call of the same class on few elements.
fn smaller(call: &Call) -> Option<Call> {
    let class_of_call = class(call);
    let sizes: BTreeSet<usize> = call
        .inputs
        .iter()
        .flatten()
        .flat_map(|tensor| tensor.shape().iter().copied())
        .filter(|&size| size > STAYS)
        .collect();
    let one_by_one: BTreeMap<usize, usize> =
        sizes.iter().enumerate().map(|(at, &size)| (size, size.min(4 + 2 * at))).collect();
    let divided = [64, 32, 16, 8, 4, 2].map(|by| {
        let part = |&size: &usize| (size % by == 0 && size / by > 1).then(|| (size, size / by));
        sizes.iter().filter_map(part).collect::<BTreeMap<_, _>>()
    });
    let as_it_is = BTreeMap::new();
    let attempts = [one_by_one].into_iter().chain(divided).chain([as_it_is]);
    let mut calls = attempts.filter_map(|sizes| resized(call, &sizes));
    calls
        .find(|(small, outputs)| {
            let inputs = small.inputs.iter().flatten().map(Tensor::elements);
            let outputs = outputs.iter().map(|it| element_count(&it.shape).unwrap_or(usize::MAX));
            let elements = inputs.chain(outputs).fold(0_usize, usize::saturating_add);
            elements <= ELEMENTS && class(small) == class_of_call
        })
        .map(|(small, _)| small)
}

/// The call with other sizes in place of these, where that is valid.
fn resized(call: &Call, sizes: &BTreeMap<usize, usize>) -> Option<(Call, Vec<TensorType>)> {
    let other = |size: &usize| sizes.get(size).copied().unwrap_or(*size);
    let deciding = deciding(call.operator);
    let input = |(at, input): (usize, &Option<Tensor>)| match input {
        Some(tensor) if !deciding.contains(&at) => {
            let shape: Vec<usize> = tensor.shape().iter().map(other).collect();
            match shape == tensor.shape() {
                true => Some(Some(tensor.clone())),
                false => Some(Some(blank(tensor.dtype(), shape)?)),
            }
        }
        kept => Some(kept.clone()),
    };
    let inputs: Option<Vec<Option<Tensor>>> = call.inputs.iter().enumerate().map(input).collect();
    let mut attributes: Attributes = call.attributes.clone();
    for name in ["group", "hidden_size"] {
        if let Some(AttributeValue::Int(value)) = attributes.get_mut(name)
            && let Ok(size) = usize::try_from(*value)
        {
            *value = i64::try_from(other(&size)).unwrap_or(*value);
        }
    }
    let asked: Vec<bool> = (0..call.outputs).map(|at| call.asks_for(at)).collect();
    let specification = Specification::Onnx;
    Call::asking_for(&asked, call.operator, call.version, specification, attributes, inputs?).ok()
}

fn blank(dtype: DType, shape: Vec<usize>) -> Option<Tensor> {
    let count = element_count(&shape).ok().filter(|&count| count <= ELEMENTS)?;
    if dtype == DType::String {
        return Tensor::from_strings(shape, vec![Bytes::new(); count]).ok();
    }
    Tensor::from_bits(dtype, shape, vec![0; dtype.packed_len(count)?].into()).ok()
}

/// The inputs with elements drawn for those that are data; zeros stay where no others are valid.
fn drawn(call: &Call, random: &mut Random) -> Vec<Option<Tensor>> {
    let deciding = deciding(call.operator);
    let mut inputs = call.inputs.clone();
    for at in 0..inputs.len() {
        let Some(old) = inputs[at].clone() else { continue };
        if deciding.contains(&at) {
            continue;
        }
        let name = call.version.input(at).map_or("", |port| port.name);
        let is_positive = matches!(name, "var" | "input_var" | "scale" | "x_scale" | "y_scale");
        let Some(new) = elements(&old, is_positive, random) else { continue };
        inputs[at] = Some(new);
        let asked: Vec<bool> = (0..call.outputs).map(|at| call.asks_for(at)).collect();
        let Call { operator, version, attributes, .. } = call.clone();
        let valid = Call::asking_for(
            &asked,
            operator,
            version,
            Specification::Onnx,
            attributes,
            inputs.clone(),
        );
        if valid.is_err() {
            inputs[at] = Some(old);
        }
    }
    inputs
}

/// A tensor like this one of ordinary numbers; `None` where none are drawn of its type.
fn elements(like: &Tensor, is_positive: bool, random: &mut Random) -> Option<Tensor> {
    let dtype = like.dtype();
    let low = if is_positive { 1 } else { -2000 };
    let mut one = || match dtype.kind() {
        Kind::Float(_) => decimal(dtype, random.between(low, 2000), 3).ok(),
        Kind::Int { bits, .. } => {
            whole(dtype, random.between(0, if bits < 8 { 1 } else { 7 })).ok()
        }
        Kind::Bool => Some(random.below(2)),
        Kind::Complex(_) | Kind::String => None,
    };
    let drawn: Option<Vec<u64>> = (0..like.elements()).map(|_| one()).collect();
    tensor(dtype, like.shape(), &drawn?).ok()
}
