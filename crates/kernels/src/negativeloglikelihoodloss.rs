//! NegativeLogLikelihoodLoss: the elements of the samples' classes with the other sign, weighted and reduced.

use super::losses::{ATTRIBUTES, losses};
use super::quantization::value;
use super::reshaping::refused;
use super::signature::{Domain, Input, Version};
use super::types::{FLOATS, without_bfloat16};
use super::{Call, Kernel, KernelError};
use values::tensor::Tensor;

pub(super) static NEGATIVELOGLIKELIHOODLOSS: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "NegativeLogLikelihoodLoss",
    inputs: &[Input::new("input"), Input::index("target"), Input::new("weight").optional()],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(12, without_bfloat16(FLOATS), ATTRIBUTES),
        Version::with(13, without_bfloat16(FLOATS), ATTRIBUTES),
        Version::with(22, FLOATS, ATTRIBUTES),
    ],
    restricted: &[],
    run,
};

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let scores = call.input(0).ok_or_else(|| refused(call, "there are no logarithms"))?;
    Ok(vec![losses(call, |place| value(scores, place))?])
}

#[cfg(test)]
mod tests {
    use crate::tests::{read, tensor};
    use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
    use values::dtype::DType::{Float32, Int32, Int64};
    use values::tensor::Tensor;

    fn run(
        inputs: &[Option<&Tensor>],
        reduction: &str,
        ignored: Option<i64>,
    ) -> Result<Vec<f32>, KernelError> {
        let reduction = ("reduction".to_owned(), Attribute::Text(reduction.to_owned()));
        let ignored = ignored.map(|class| ("ignore_index".to_owned(), Attribute::Int(class)));
        let attributes: Attributes = std::iter::once(reduction).chain(ignored).collect();
        let all = find("NegativeLogLikelihoodLoss", 22).unwrap().run(inputs, &attributes)?;
        Ok(read(&all[0]))
    }

    /// Of two batches of three classes and two samples.
    fn scores() -> Tensor {
        let all = [1_f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0];
        tensor(Float32, &[2, 3, 2], &all)
    }

    #[test]
    fn each_sample_has_the_element_and_the_weight_of_its_class() {
        let (x, labels) = (scores(), tensor(Int32, &[2, 2], &[2, 0, 1, 2]));
        let weights = tensor(Float32, &[3], &[1_f32, 2.0, 0.5]);
        let plain = |reduction| run(&[Some(&x), Some(&labels)], reduction, None).unwrap();
        assert_eq!(plain("none"), [-5.0, -2.0, -9.0, -12.0]);
        assert_eq!((plain("sum"), plain("mean")), (vec![-28.0], vec![-7.0]));
        let inputs = [Some(&x), Some(&labels), Some(&weights)];
        let weighted = |reduction| run(&inputs, reduction, None).unwrap();
        assert_eq!(weighted("none"), [-2.5, -2.0, -18.0, -6.0]);
        assert_eq!((weighted("sum"), weighted("mean")), (vec![-28.5], vec![-7.125]));
    }

    #[test]
    fn ignored_samples_count_nowhere() {
        let (x, labels) = (scores(), tensor(Int64, &[2, 2], &[-1_i64, 0, -1, 2]));
        let of = |reduction| run(&[Some(&x), Some(&labels)], reduction, Some(-1)).unwrap();
        assert_eq!(of("none"), [0.0, -2.0, 0.0, -12.0]);
        assert_eq!((of("sum"), of("mean")), (vec![-14.0], vec![-7.0]));
        let none = tensor(Int64, &[2, 2], &[-1_i64; 4]);
        assert!(run(&[Some(&x), Some(&none)], "mean", Some(-1)).unwrap()[0].is_nan());
        assert!(run(&[Some(&x), Some(&labels)], "sum", None).is_err());
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let x = scores();
        let labels = |shape: &[usize]| tensor(Int64, shape, &vec![0_i64; shape.iter().product()]);
        for shape in [&[2][..], &[2, 1], &[2, 2, 1], &[2, 3]] {
            let error = run(&[Some(&x), Some(&labels(shape))], "sum", None).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Invalid, "{shape:?}");
        }
        let (own, weights) = (labels(&[2, 2]), tensor(Float32, &[2], &[1_f32; 2]));
        assert!(run(&[Some(&x), Some(&own), Some(&weights)], "sum", None).is_err());
        assert!(run(&[Some(&x), Some(&own)], "average", None).is_err());
        let line = tensor(Float32, &[3], &[1_f32; 3]);
        assert!(run(&[Some(&line), Some(&labels(&[]))], "sum", None).is_err());
        let three = tensor(Int64, &[2, 2], &[0_i64, 0, 0, 3]);
        assert!(run(&[Some(&x), Some(&three)], "none", None).is_err());
        let nothing = tensor(Float32, &[0, 3], &[] as &[f32]);
        assert_eq!(run(&[Some(&nothing), Some(&labels(&[0]))], "sum", None).unwrap(), [0.0]);
    }
}
