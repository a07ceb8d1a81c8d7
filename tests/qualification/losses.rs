//! NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss computed wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{Arithmetic, Indexing};
use onnx_conformance::dtype::DType::{Float32, Int32};
use onnx_conformance::kernels::{Attribute, Attributes, find};
use onnx_conformance::tensor::{Tensor, Value, coordinates};

use crate::accumulated::numbers;
use crate::arg_extremum::int;
use crate::defect::Defect;
use crate::request::{Request, of_type, picked};

const BOTH: &[&str] = &["NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"];
const LIKELIHOOD: &[&str] = &["NegativeLogLikelihoodLoss"];
const ENTROPY: &[&str] = &["SoftmaxCrossEntropyLoss"];

const WEIGHTS: usize = 2;

/// A defect of requests of float32 that are not refused.
macro_rules! float32 {
    (|$request:ident, $right:ident| $result:expr) => {
        of_type!(Float32, |$request, $right| match $right {
            Outcome::Outputs(_) => $result,
            _ => $right,
        })
    };
}

/// The classes of the samples.
fn classes(request: &Request<'_>) -> Vec<i64> {
    let labels = &request.operands[1];
    let bits = (0..labels.elements()).map(|at| labels.element(at).unwrap());
    match labels.dtype() {
        Int32 => bits.map(|bits| (bits as i32).into()).collect(),
        _ => bits.map(|bits| bits as i64).collect(),
    }
}

fn is_reduced_by(request: &Request<'_>, name: &str) -> bool {
    match request.attributes.get("reduction") {
        Some(Attribute::Text(own)) => own == name,
        _ => name == "mean",
    }
}

/// The outputs with a first one whose elements are changed.
fn with_losses(right: Outcome, change: impl Fn(f32) -> f32) -> Outcome {
    let Outcome::Outputs(mut all) = right else { return right };
    if let Some(Value::Tensor(losses)) = all.first_mut() {
        let elements = numbers(losses).into_iter().map(change).collect();
        *losses = Tensor::from_values(Float32, losses.shape().to_vec(), elements).unwrap();
    }
    Outcome::Outputs(all)
}

/// What comes of a mean that is divided by another number than the sum of the weights.
fn divided_by(
    request: &Request<'_>,
    right: Outcome,
    divisor: impl Fn(&[i64], &[f32]) -> f32,
) -> Outcome {
    let Some(weights) = request.operands.get(WEIGHTS).map(numbers) else { return right };
    if !is_reduced_by(request, "mean") {
        return right;
    }
    let (classes, sum) = (classes(request), request.with("reduction", text("sum")).computed());
    let divisor = divisor(&classes, &weights);
    let Outcome::Outputs(all) = right else { return right };
    let Outcome::Outputs(sums) = with_losses(sum, |sum| sum / divisor) else { unreachable!() };
    Outcome::Outputs(sums.into_iter().take(1).chain(all.into_iter().skip(1)).collect())
}

fn text(name: &str) -> Option<Attribute> {
    Some(Attribute::Text(name.to_owned()))
}

/// The tensor of scores that another operator makes of them along an axis.
fn made(operator: &str, scores: &Tensor, axis: i64) -> Tensor {
    let axis = Attributes::from([("axis".to_owned(), Attribute::Int(axis))]);
    find(operator, 13).unwrap().run(&[Some(scores)], &axis).unwrap().remove(0)
}

/// The losses of SoftmaxCrossEntropyLoss where the logarithms are others, and these logarithms where they are asked for.
fn of_logarithms(request: &Request<'_>, right: Outcome, logarithms: Tensor) -> Outcome {
    let Outcome::Outputs(all) = &right else { return right };
    let mut other = request.clone();
    other.operator = find("NegativeLogLikelihoodLoss", 13).unwrap();
    other.operands[0] = logarithms.clone();
    let operands: Vec<Option<&Tensor>> = other.operands.iter().map(Some).collect();
    match other.operator.run(&operands, &other.attributes) {
        Ok(losses) => {
            let outputs = [losses[0].clone(), logarithms].into_iter().take(all.len());
            Outcome::Outputs(outputs.map(Value::from).collect())
        }
        Err(_) => right,
    }
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "loss-mean-by-count",
        class: Arithmetic,
        says: "A mean of weighted losses is divided by the number of samples that are not ignored.",
        operators: BOTH,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            let ignored = int(request, "ignore_index");
            divided_by(request, right, |classes, _| {
                classes.iter().filter(|class| ignored != Some(**class)).count() as f32
            })
        }),
    },
    Defect {
        id: "loss-mean-with-clamped-weights",
        class: Arithmetic,
        says: "A mean counts the weight of the nearest class where a class that there is not is ignored.",
        operators: BOTH,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            divided_by(request, right, |classes, weights| {
                let last = weights.len() as i64 - 1;
                let counted = |class: &i64| {
                    let is_ignored = int(request, "ignore_index") == Some(*class);
                    !is_ignored || !(0..=last).contains(class)
                };
                let counted = classes.iter().filter(|class| counted(class));
                counted.map(|class| weights[(*class).clamp(0, last) as usize]).sum()
            })
        }),
    },
    Defect {
        id: "loss-weight-of-the-first-class",
        class: Indexing,
        says: "All samples have the weight of the first class.",
        operators: BOTH,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| match request.operands.get(WEIGHTS) {
            Some(weights) if weights.elements() > 0 => {
                let mut other = request.clone();
                let all = vec![0; weights.elements()];
                other.operands[WEIGHTS] = picked(weights, &all, weights.shape());
                other.computed()
            }
            _ => right,
        }),
    },
    Defect {
        id: "loss-weights-without-effect-unreduced",
        class: Arithmetic,
        says: "Losses that are not reduced are not multiplied by weights.",
        operators: BOTH,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| match is_reduced_by(request, "none") {
            true => {
                let mut other = request.clone();
                other.operands.truncate(WEIGHTS);
                other.places.truncate(WEIGHTS);
                other.computed()
            }
            false => right,
        }),
    },
    Defect {
        id: "loss-ignores-negative-numbers-alone",
        class: Indexing,
        says: "Samples are ignored only where `ignore_index` is negative.",
        operators: BOTH,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| match int(request, "ignore_index") {
            Some(0..) => request.without("ignore_index"),
            _ => right,
        }),
    },
    Defect {
        id: "loss-ignored-class-of-32-bits",
        class: Indexing,
        says: "`ignore_index` is held in 32 bits.",
        operators: BOTH,
        types: &[Float32],
        caught_by: "onnx",
        wrong: float32!(|request, right| match int(request, "ignore_index") {
            Some(ignored) if i64::from(ignored as i32) != ignored => {
                let short = Attribute::Int((ignored as i32).into());
                request.with("ignore_index", Some(short)).computed()
            }
            _ => right,
        }),
    },
    Defect {
        id: "loss-classes-last",
        class: Indexing,
        says: "The classes are taken for the last dimension of the scores.",
        operators: BOTH,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            let scores = &request.operands[0];
            let shape = scores.shape();
            let after: usize = shape[2..].iter().product();
            if after < 2 || scores.elements() == 0 {
                return right;
            }
            let place = |at: usize| {
                let all = coordinates(at, &[shape[0], shape[1], after]);
                (all[0] * after + all[2]) * shape[1] + all[1]
            };
            let all: Vec<usize> = (0..scores.elements()).map(place).collect();
            let mut other = request.clone();
            other.operands[0] = picked(scores, &all, shape);
            other.computed()
        }),
    },
    Defect {
        id: "loss-mean-is-a-sum",
        class: Arithmetic,
        says: "A mean is not divided.",
        operators: BOTH,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| match is_reduced_by(request, "mean") {
            true => request.with("reduction", text("sum")).computed(),
            false => right,
        }),
    },
    Defect {
        id: "negativeloglikelihoodloss-sign-kept",
        class: Arithmetic,
        says: "Losses have the sign of the logarithms.",
        operators: LIKELIHOOD,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|_request, right| with_losses(right, |loss| -loss)),
    },
    Defect {
        id: "softmaxcrossentropyloss-no-logarithm",
        class: Arithmetic,
        says: "Losses are made of the probabilities, and not of their logarithms.",
        operators: ENTROPY,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            of_logarithms(request, right, made("Softmax", &request.operands[0], 1))
        }),
    },
    Defect {
        id: "softmaxcrossentropyloss-along-the-last-dimension",
        class: Indexing,
        says: "Probabilities are shares of the powers along the last dimension.",
        operators: ENTROPY,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            of_logarithms(request, right, made("LogSoftmax", &request.operands[0], -1))
        }),
    },
    Defect {
        id: "softmaxcrossentropyloss-logarithms-of-rounded-shares",
        class: Arithmetic,
        says: "The probabilities are rounded to float32 before their logarithms are taken, to 0 at last.",
        operators: ENTROPY,
        types: &[Float32],
        caught_by: "onnx",
        wrong: float32!(|request, right| {
            let shares = made("Softmax", &request.operands[0], 1);
            let all = numbers(&shares).into_iter().map(f32::ln).collect();
            let logarithms = Tensor::from_values(Float32, shares.shape().to_vec(), all).unwrap();
            of_logarithms(request, right, logarithms)
        }),
    },
    Defect {
        id: "softmaxcrossentropyloss-powers-overflow",
        class: Arithmetic,
        says: "The largest score is not subtracted before powers are taken.",
        operators: ENTROPY,
        types: &[Float32],
        caught_by: "onnx",
        wrong: float32!(|request, right| {
            let scores = &request.operands[0];
            let powers: Vec<f32> = numbers(scores).into_iter().map(f32::exp).collect();
            let shape = scores.shape();
            let (classes, after) = (shape[1], shape[2..].iter().product::<usize>());
            let logarithm = |at: usize| {
                let first = at / (classes * after) * classes * after + at % after;
                let sum: f32 = (0..classes).map(|class| powers[first + class * after]).sum();
                (powers[at] / sum).ln()
            };
            let all = (0..scores.elements()).map(logarithm).collect();
            let logarithms = Tensor::from_values(Float32, shape.to_vec(), all).unwrap();
            of_logarithms(request, right, logarithms)
        }),
    },
    Defect {
        id: "softmaxcrossentropyloss-log-prob-of-probabilities",
        class: Arithmetic,
        says: "The second output has the probabilities, and not their logarithms.",
        operators: ENTROPY,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            let Outcome::Outputs(mut all) = right else { return right };
            if let Some(own) = all.get_mut(1) {
                *own = made("Softmax", &request.operands[0], 1).into();
            }
            Outcome::Outputs(all)
        }),
    },
];
