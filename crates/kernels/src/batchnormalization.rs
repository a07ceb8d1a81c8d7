//! BatchNormalization: each channel by a mean and a variance that are given or, in training, by its own, computed in
//! binary64 and rounded once.

use super::arg_extremum::switch;
use super::instancenormalization::EPSILON;
use super::lines::moments;
use super::quantization::{encoded, packed, value};
use super::reshaping::{integer, refused};
use super::signature::{
    AttributeSpec, CONSUMED_INPUTS, Domain, Input, Restriction, SONNX_FLOAT, Shapes, Version,
};
use super::types::{FLOATS, without_bfloat16};
use super::{Attribute, Call, Kernel, KernelError};
use values::dtype::{DType, Kind};
use values::tensor::Tensor;

pub(super) static BATCHNORMALIZATION: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "BatchNormalization",
    inputs: &[
        Input::new("X"),
        Input::free("scale"),
        Input::free("B"),
        Input::free("input_mean"),
        Input::free("input_var"),
    ],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(1, EARLY, &[EPSILON, MOMENTUM, SPATIAL, IS_TEST, CONSUMED_INPUTS]),
        Version::with(6, EARLY, &[EPSILON, MOMENTUM, SPATIAL, IS_TEST]),
        Version::with(7, EARLY, &[EPSILON, MOMENTUM, SPATIAL]),
        Version::with(9, EARLY, &[EPSILON, MOMENTUM]),
        Version::with(14, FLOATS, &[EPSILON, MOMENTUM, TRAINING]),
        Version::with(15, FLOATS, &[EPSILON, MOMENTUM, TRAINING]),
    ],
    restricted: &[Restriction {
        types: &[without_bfloat16(FLOATS); 5],
        shapes: Shapes::Free,
        needed: &["epsilon", "momentum", "training_mode"],
        problem: Some(|_, attributes| {
            match (attributes.get("training_mode"), attributes.get("epsilon")) {
                (Some(Attribute::Int(1)), _) => Some("it is specified in inference alone"),
                (_, Some(Attribute::Float(epsilon))) if !is_above_zero(*epsilon) => {
                    Some("`epsilon` is not above 0")
                }
                _ => None,
            }
        }),
        ..SONNX_FLOAT
    }],
    run,
};

const EARLY: &[DType] = without_bfloat16(FLOATS);
const MOMENTUM: AttributeSpec = AttributeSpec::number("momentum");
const SPATIAL: AttributeSpec = integer("spatial");
const IS_TEST: AttributeSpec = integer("is_test");
const TRAINING: AttributeSpec = switch("training_mode");

fn is_above_zero(epsilon: f32) -> bool {
    epsilon > 0.0
}

/// How the elements of X are grouped: so many instances of so many groups of so many elements each.
struct Form {
    instances: usize,
    groups: usize,
    size: usize,
    /// The shape of the other inputs.
    shape: Vec<usize>,
}

impl Form {
    fn of(call: &Call<'_>, shape: &[usize]) -> Result<Self, KernelError> {
        let since = call.operator.since_version();
        let (instances, channels, features): (_, _, &[usize]) = match shape {
            _ if since < 6 && shape.len() != 4 => {
                return Err(refused(call, "X has not four dimensions"));
            }
            [size] if since >= 9 => (*size, 1, &[]),
            [instances, channels, features @ ..] => (*instances, *channels, features),
            _ => return Err(refused(call, "X has too few dimensions")),
        };
        let size = features.iter().product::<usize>();
        if since == 7 && call.int("spatial", 1) == 0 {
            let shape = shape[1..].to_vec();
            return Ok(Self { instances, groups: channels * size, size: 1, shape });
        }
        Ok(Self { instances, groups: channels, size, shape: vec![channels] })
    }
}

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [x, scale, shift, mean, variance] = call.inputs()?;
    let operator = call.operator;
    let since = operator.since_version();
    let are_equal = |left: &Tensor, right: &Tensor| match left.dtype() == right.dtype() {
        true => Ok(()),
        false => {
            Err(KernelError::TypesDiffer { operator, left: left.dtype(), right: right.dtype() })
        }
    };
    are_equal(scale, shift)?;
    are_equal(mean, variance)?;
    if since < 15 {
        are_equal(x, scale)?;
    }
    if since < 14 {
        are_equal(x, mean)?;
    }
    let (Kind::Float(format), Kind::Float(saved)) = (x.dtype().kind(), mean.dtype().kind()) else {
        return Err(KernelError::Type { operator, dtype: x.dtype() });
    };
    if since < 6 && !call.attributes.contains_key("consumed_inputs") {
        return Err(refused(call, "`consumed_inputs` is left out"));
    }
    let form = Form::of(call, x.shape())?;
    if [scale, shift, mean, variance].iter().any(|tensor| tensor.shape() != form.shape) {
        return Err(refused(call, "an input does not have one element for each channel"));
    }
    let is_training = match (since, call.int("is_test", 0)) {
        (14.., _) => call.int("training_mode", 0) == 1,
        (..7, 0) => true,
        (..7, _) => false,
        _ => call.outputs > 1,
    };
    if since >= 14 && !is_training && call.outputs > 1 {
        return Err(refused(call, "inference has one output"));
    }
    let Form { instances, groups, size, shape } = form;
    let of_group = |group: usize| {
        let all = (0..instances * size).map(|at| (at / size * groups + group) * size + at % size);
        moments(&all.map(|place| value(x, place)).collect::<Vec<_>>())
    };
    let current: Vec<(f64, f64)> = match is_training {
        true => (0..groups).map(of_group).collect(),
        false => (0..groups).map(|group| (value(mean, group), value(variance, group))).collect(),
    };
    let epsilon = f64::from(call.float("epsilon", 1e-5));
    let result = |at: usize| {
        let group = at / size % groups;
        let (mean, variance) = current[group];
        let normal = (value(x, at) - mean) / (variance + epsilon).sqrt();
        encoded(format, normal * value(scale, group) + value(shift, group), false)
    };
    let mut outputs = vec![packed(x.dtype(), x.shape(), result)?];
    let momentum = f64::from(call.float("momentum", 0.9));
    for output in 1..call.outputs.min(5) {
        let given = if output % 2 == 1 { mean } else { variance };
        let element = |group: usize| {
            let own = if output % 2 == 1 { current[group].0 } else { current[group].1 };
            let running = value(given, group) * momentum + own * (1.0 - momentum);
            encoded(saved, if output > 2 { own } else { running }, false)
        };
        outputs.push(packed(mean.dtype(), &shape, element)?);
    }
    Ok(outputs)
}

#[cfg(test)]
mod tests;
