//! SoftmaxCrossEntropyLoss: NegativeLogLikelihoodLoss of the logarithms of Softmax along the second dimension, which are an output too. Losses are computed of logarithms
//! in binary64, before these are rounded.

use super::lines::{first, numbers};
use super::losses::{ATTRIBUTES, losses, sizes};
use super::quantization::{encoded, format_of, packed, value};
use super::reshaping::refused;
use super::signature::{Domain, Input, Version};
use super::types::{FLOATS, without_bfloat16};
use super::{Call, Kernel, KernelError};
use values::tensor::Tensor;

pub(super) static SOFTMAXCROSSENTROPYLOSS: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "SoftmaxCrossEntropyLoss",
    inputs: &[Input::new("scores"), Input::index("labels"), Input::new("weights").optional()],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(12, without_bfloat16(FLOATS), ATTRIBUTES),
        Version::with(13, FLOATS, ATTRIBUTES),
    ],
    restricted: &[],
    run,
};

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let scores = call.input(0).ok_or_else(|| refused(call, "there are no scores"))?;
    let (format, [_, classes, step]) = (format_of(call, scores)?, sizes(call, scores)?);
    // Of each line of classes the largest score, and the logarithm of the sum of the powers of the distances from it.
    let mut known: Vec<Option<(f64, f64)>> = vec![None; scores.elements() / classes.max(1)];
    let logarithms: Vec<f64> = (0..scores.elements())
        .map(|at| {
            let line = at / (classes * step) * step + at % step;
            let (largest, sum) = *known[line].get_or_insert_with(|| {
                let line = numbers(scores, first(at, classes, step), classes, step);
                let largest = line.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let sum: f64 = line.iter().map(|score| (score - largest).exp()).sum();
                (largest, sum.ln())
            });
            value(scores, at) - largest - sum
        })
        .collect();
    let output = losses(call, |place| logarithms[place])?;
    if call.outputs < 2 {
        return Ok(vec![output]);
    }
    let encode = |at: usize| encoded(format, logarithms[at], false);
    Ok(vec![output, packed(scores.dtype(), scores.shape(), encode)?])
}

#[cfg(test)]
mod tests {
    use crate::tests::{read, tensor};
    use crate::{Attribute, Attributes, find};
    use values::dtype::DType::{Float32, Float64, Int64};
    use values::tensor::Tensor;

    fn run(inputs: &[Option<&Tensor>], reduction: &str) -> Vec<Tensor> {
        let reduction = ("reduction".to_owned(), Attribute::Text(reduction.to_owned()));
        let attributes = Attributes::from([reduction]);
        find("SoftmaxCrossEntropyLoss", 13).unwrap().run_for(2, inputs, &attributes).unwrap()
    }

    #[test]
    fn losses_are_those_of_the_logarithms_along_the_classes() {
        let scores = tensor(Float64, &[1, 3, 2], &[1_f64, 5.0, 2.0, 5.0, 3.0, 5.0]);
        let labels = tensor(Int64, &[1, 2], &[2_i64, 0]);
        let all = run(&[Some(&scores), Some(&labels)], "none");
        let sum = (1.0 + (-1_f64).exp() + (-2_f64).exp()).ln();
        let logarithms = read::<f64>(&all[1]);
        for (at, expected) in [(0, -2.0 - sum), (2, -1.0 - sum), (4, -sum), (1, -3_f64.ln())] {
            assert!((logarithms[at] - expected).abs() < 1e-15, "{at}");
        }
        let losses = read::<f64>(&all[0]);
        assert_eq!(losses, [-logarithms[4], -logarithms[1]]);
        let sums = run(&[Some(&scores), Some(&labels)], "sum");
        assert!((read::<f64>(&sums[0])[0] - losses[0] - losses[1]).abs() < 1e-15);
        assert_eq!((sums[0].shape(), sums[1].shape()), (&[][..], &[1, 3, 2][..]));
    }

    #[test]
    fn scores_of_any_size_have_logarithms() {
        let scores = tensor(Float32, &[2, 2], &[1000_f32, -1000.0, f32::NEG_INFINITY, 5.0]);
        let labels = tensor(Int64, &[2], &[1_i64, 1]);
        let weights = tensor(Float32, &[2], &[3_f32, 0.5]);
        let all = run(&[Some(&scores), Some(&labels), Some(&weights)], "mean");
        assert_eq!(read::<f32>(&all[0]), [1000.0]);
        assert_eq!(read::<f32>(&all[1]), [0.0, -2000.0, f32::NEG_INFINITY, 0.0]);
        let nothing = tensor(Float32, &[2, 0], &[] as &[f32]);
        let attributes = Attributes::from([("ignore_index".to_owned(), Attribute::Int(-1))]);
        let labels = tensor(Int64, &[2], &[-1_i64; 2]);
        let operator = find("SoftmaxCrossEntropyLoss", 12).unwrap();
        let all = operator.run_for(2, &[Some(&nothing), Some(&labels)], &attributes).unwrap();
        assert!(read::<f32>(&all[0])[0].is_nan() && all[1].elements() == 0);
    }
}
