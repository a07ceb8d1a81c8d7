//! MeanVarianceNormalization: elements by the mean and the variance of those along some dimensions, computed in binary64 and rounded
//! once. 10^-9 is added to the root of the variance, as ONNX's function does.

use super::lines::moments;
use super::quantization::{encoded, format_of, packed, value};
use super::reshaping::{axis_of, integer_list, refused};
use super::signature::{Domain, Input, Version};
use super::types::{FLOATS, without_bfloat16};
use super::{Attribute, Call, Kernel, KernelError};
use values::tensor::Tensor;

pub(super) static MEANVARIANCENORMALIZATION: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "MeanVarianceNormalization",
    inputs: &[Input::new("X")],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(9, without_bfloat16(FLOATS), &[integer_list("axes")]),
        Version::with(13, FLOATS, &[integer_list("axes")]),
    ],
    restricted: &[],
    run,
};

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [x] = call.inputs()?;
    let format = format_of(call, x)?;
    let shape = x.shape();
    let axes = match call.attributes.get("axes") {
        Some(Attribute::Ints(axes)) => axes.clone(),
        _ => vec![0, 2, 3],
    };
    if shape.len() > 64 {
        return Err(refused(call, "there are too many dimensions"));
    }
    let mut is_along = vec![axes.is_empty(); shape.len()];
    for axis in axes {
        is_along[axis_of(call, axis, shape.len(), 13)?] = true;
    }
    // The number of an element's group: its index without the dimensions that are gone along.
    let group = |mut at: usize| {
        let (mut group, mut stride) = (0, 1);
        for (size, is_along) in shape.iter().zip(&is_along).rev() {
            if !is_along {
                group += at % size * stride;
                stride *= size;
            }
            at /= size;
        }
        group
    };
    let mut groups: Vec<Vec<f64>> = Vec::new();
    for at in 0..x.elements() {
        let group = group(at);
        if groups.len() <= group {
            groups.resize(group + 1, Vec::new());
        }
        groups[group].push(value(x, at));
    }
    let known: Vec<(f64, f64)> = groups.iter().map(|numbers| moments(numbers)).collect();
    let result = |at: usize| {
        let (mean, variance) = known[group(at)];
        encoded(format, (value(x, at) - mean) / (variance.sqrt() + f64::from(1e-9_f32)), false)
    };
    Ok(vec![packed(x.dtype(), shape, result)?])
}

#[cfg(test)]
mod tests {
    use crate::tests::{read, tensor};
    use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
    use values::dtype::DType::Float32;
    use values::tensor::Tensor;

    fn all(shape: &[usize], x: &[f32], axes: Option<&[i64]>) -> Result<Tensor, KernelError> {
        let axes = axes.map(|axes| ("axes".to_owned(), Attribute::Ints(axes.to_vec())));
        let x = tensor(Float32, shape, x);
        let operator = find("MeanVarianceNormalization", 13).unwrap();
        Ok(operator.run(&[Some(&x)], &Attributes::from_iter(axes))?.remove(0))
    }

    #[test]
    fn elements_are_normalized_along_any_dimensions() {
        let x = [1.0, 3.0, 10.0, 18.0];
        let run = |axes| read::<f32>(&all(&[2, 1, 1, 2], &x, axes).unwrap());
        assert_eq!(run(Some(&[3])), [-1.0, 1.0, -1.0, 1.0]);
        assert_eq!(run(Some(&[0, -2])), [-1.0, -1.0, 1.0, 1.0]);
        let expected = [-7.0, -5.0, 2.0, 10.0].map(|x| x / 44.5_f32.sqrt());
        let is_near = |(a, b): (f32, f32)| (a / b - 1.0).abs() < 1e-6;
        assert!(run(None).into_iter().zip(expected).all(is_near), "{:?}", run(None));
        assert_eq!(read::<f32>(&all(&[3], &[2.0; 3], Some(&[0])).unwrap()), [0.0; 3]);
    }

    #[test]
    fn what_is_no_dimension_is_refused() {
        for axes in [None, Some(&[3_i64][..]), Some(&[0, -4]), Some(&[i64::MIN])] {
            let error = all(&[1, 2, 3], &[1.0; 6], axes).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Invalid, "{axes:?}");
        }
    }
}
