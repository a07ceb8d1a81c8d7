//! Hardmax: one at the first maximum of each line; a NaN is none.

use super::exponentials::{VERSIONS, lines};
use super::lines::{first, numbers};
use super::quantization::{encoded, format_of, packed};
use super::signature::{Domain, Input};
use super::{Call, Kernel, KernelError};
use values::tensor::Tensor;

pub(super) static HARDMAX: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Hardmax",
    inputs: &[Input::new("input")],
    is_elementwise: false,
    slices: None,
    versions: &VERSIONS,
    restricted: &[],
    run,
};

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [input] = call.inputs()?;
    let format = format_of(call, input)?;
    let shape = input.shape();
    let Some((count, step)) = lines(call, input)? else {
        return Ok(vec![packed(input.dtype(), shape, |_| 0)?]);
    };
    let mut results = vec![0_u64; input.elements()];
    for line in 0..input.elements() / count {
        let start = first(line / step * count * step + line % step, count, step);
        let mut best = (f64::NEG_INFINITY, 0);
        for (at, number) in numbers(input, start, count, step).into_iter().enumerate() {
            if number > best.0 {
                best = (number, at);
            }
        }
        results[start + best.1 * step] = encoded(format, 1.0, false);
    }
    Ok(vec![packed(input.dtype(), shape, |at| results[at])?])
}

#[cfg(test)]
mod tests {
    use crate::tests::{read, run, tensor};
    use crate::{Attribute, Attributes, find};
    use values::dtype::DType::Float32;

    fn hot(since: i64, axis: i64) -> Option<Vec<f32>> {
        let infinity = f32::NEG_INFINITY;
        let data = tensor(Float32, &[2, 3], &[1.0_f32, 3.0, 3.0, infinity, infinity, infinity]);
        let axis = Attributes::from([("axis".to_owned(), Attribute::Int(axis))]);
        run(find("Hardmax", since).unwrap(), &[&data], &axis).ok().map(|it| read(&it))
    }

    #[test]
    fn the_first_maximum_is_one() {
        assert_eq!(hot(13, -1).unwrap(), [0.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
        assert_eq!(hot(13, 0).unwrap(), [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
        assert_eq!(hot(11, 0).unwrap(), [0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(hot(1, 1).unwrap(), [0.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
        assert_eq!([hot(13, 2), hot(13, -3), hot(1, -1)], [None, None, None]);
    }
}
