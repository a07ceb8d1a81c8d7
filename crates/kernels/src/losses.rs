//! What NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss have in common: logarithms of the samples' classes, weighted and added up in binary64. A mean counts
//! neither ignored samples nor their weights.

use super::quantization::{encoded, format_of, packed, value};
use super::reshaping::{integer, integers, refused};
use super::signature::AttributeSpec;
use super::{Attribute, Call, KernelError};
use values::tensor::Tensor;

pub(super) const ATTRIBUTES: &[AttributeSpec] = &[
    integer("ignore_index"),
    AttributeSpec {
        name: "reduction",
        accepts: |value| {
            let Attribute::Text(text) = value else { return false };
            ["none", "sum", "mean"].contains(&text.as_str())
        },
        expected: "`none`, `sum` or `mean`",
    },
];

/// The sizes of scores: batches, classes, and samples of each batch.
pub(super) fn sizes(call: &Call<'_>, scores: &Tensor) -> Result<[usize; 3], KernelError> {
    match *scores.shape() {
        [batches, classes, ref rest @ ..] => Ok([batches, classes, rest.iter().product()]),
        _ => Err(refused(call, "there are no classes")),
    }
}

/// The losses, or what they are reduced to, by the logarithm at a place of the scores.
pub(super) fn losses(
    call: &Call<'_>,
    logarithm: impl Fn(usize) -> f64,
) -> Result<Tensor, KernelError> {
    let (Some(scores), Some(labels)) = (call.input(0), call.input(1)) else {
        let (operator, actual) = (call.operator, call.given.len());
        return Err(KernelError::Arity { operator, expected: 2, actual });
    };
    let [_, classes, samples] = sizes(call, scores)?;
    let (shape, weights) = (scores.shape(), call.input(2));
    if *labels.shape() != [&shape[..1], &shape[2..]].concat() {
        return Err(refused(call, "there is no class for each sample"));
    }
    if weights.is_some_and(|weights| *weights.shape() != [classes]) {
        return Err(refused(call, "there is no weight for each class"));
    }
    let format = format_of(call, scores)?;
    let ignored = match call.attributes.get("ignore_index") {
        Some(Attribute::Int(class)) => Some(*class),
        _ => None,
    };
    // Of each sample the loss and the weight, both 0 where it is ignored.
    let mut all = Vec::with_capacity(labels.elements());
    for (at, class) in integers(labels).into_iter().enumerate() {
        if ignored == Some(class) {
            all.push((0.0, 0.0));
            continue;
        }
        let class = usize::try_from(class).ok().filter(|class| *class < classes);
        let class = class.ok_or_else(|| refused(call, "there is no such class"))?;
        let loss = -logarithm((at / samples * classes + class) * samples + at % samples);
        all.push(match weights.map(|weights| value(weights, class)) {
            Some(weight) => (loss * weight, weight),
            None => (loss, 1.0),
        });
    }
    let sum: f64 = all.iter().map(|(loss, _)| loss).sum();
    match call.attributes.get("reduction") {
        Some(Attribute::Text(name)) if name == "none" => {
            packed(scores.dtype(), labels.shape(), |at| encoded(format, all[at].0, false))
        }
        Some(Attribute::Text(name)) if name == "sum" => {
            packed(scores.dtype(), &[], |_| encoded(format, sum, false))
        }
        _ => {
            let weight: f64 = all.iter().map(|(_, weight)| weight).sum();
            packed(scores.dtype(), &[], |_| encoded(format, sum / weight, false))
        }
    }
}
