//! TensorScatter: a cache, row by row along its dimension, each one its own or one of the update.

use super::moving::Moving;
use super::reshaping::{axis_of, integer, integers, moving, refused};
use super::signature::{AttributeSpec, Domain, Input};
use super::{Attribute, Call, Kernel, KernelError};
use values::dtype::DType::Int64;
use values::tensor::Tensor;

pub(super) static TENSORSCATTER: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "TensorScatter",
    inputs: &[
        Input::new("past_cache"),
        Input::new("update"),
        Input::of("write_indices", Int64).optional(),
    ],
    is_elementwise: false,
    slices: None,
    versions: &[moving(24, 24, &[integer("axis"), MODE])],
    restricted: &[],
    run,
};

const MODE: AttributeSpec = AttributeSpec {
    name: "mode",
    accepts: |value| matches!(value, Attribute::Text(mode) if ["linear", "circular"].contains(&mode.as_str())),
    expected: "`linear` or `circular`",
};

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let (Some(cache), Some(update)) = (call.input(0), call.input(1)) else {
        let (operator, actual) = (call.operator, call.given.len());
        return Err(KernelError::Arity { operator, expected: 2, actual });
    };
    let shape = cache.shape();
    let axis = axis_of(call, call.int("axis", -2), shape.len(), 24)?;
    let (length, rank) = (shape[axis], shape.len());
    let mut expected = shape.to_vec();
    let written = update.shape().get(axis).copied().unwrap_or_default();
    expected[axis] = written;
    if axis == 0 || update.shape() != expected || rank < 2 || written > length {
        return Err(refused(call, "the update does not fit the cache"));
    }
    let places = match call.input(2) {
        Some(places) if places.shape() != [shape[0]] => {
            return Err(refused(call, "there is not one place for each sample"));
        }
        Some(places) => Some(integers(places)),
        None => None,
    };
    let is_circular =
        matches!(call.attributes.get("mode"), Some(Attribute::Text(mode)) if mode == "circular");
    let is_outside = |place: &i64| *place < 0 || *place > (length - written) as i64;
    if !is_circular && places.as_ref().is_some_and(|all| all.iter().any(is_outside)) {
        return Err(refused(call, "a place is outside of the cache"));
    }
    let mut output = Moving::new(cache.dtype(), shape.to_vec())?;
    if cache.elements() > 0 {
        let lines: usize = shape[..axis].iter().product();
        let step: usize = shape[axis + 1..].iter().product();
        for line in 0..lines {
            let place = places.as_ref().map_or(0, |all| all[line / (lines / shape[0])]);
            let place = place.rem_euclid(length as i64) as usize;
            for at in 0..length {
                let from = if at >= place { at - place } else { at + length - place };
                if from < written {
                    output.take(update, (line * written + from) * step, step);
                } else {
                    output.take(cache, (line * length + at) * step, step);
                }
            }
        }
    }
    Ok(vec![output.done()?])
}

#[cfg(test)]
mod tests {
    use crate::tests::{read, tensor};
    use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
    use values::dtype::DType::{Int32, Int64};
    use values::tensor::Tensor;

    fn run(update: &Tensor, places: Option<&[i64]>, mode: &str) -> Result<Vec<i32>, KernelError> {
        let attributes = Attributes::from([
            ("mode".to_owned(), Attribute::Text(mode.to_owned())),
            ("axis".to_owned(), Attribute::Int(-1)),
        ]);
        let cache = tensor(Int32, &[2, 4], &[0_i32, 1, 2, 3, 4, 5, 6, 7]);
        let places = places.map(|all| tensor(Int64, &[all.len()], all));
        let inputs = [Some(&cache), Some(update), places.as_ref()];
        Ok(read(&find("TensorScatter", 24).unwrap().run(&inputs, &attributes)?[0]))
    }

    fn update() -> Tensor {
        tensor(Int32, &[2, 2], &[100_i32, 101, 102, 103])
    }

    #[test]
    fn each_sample_is_written_from_its_place_on() {
        let all = run(&update(), Some(&[0, 2]), "linear").unwrap();
        assert_eq!(all, [100, 101, 2, 3, 4, 5, 102, 103]);
        let all = run(&update(), Some(&[3, -2]), "circular").unwrap();
        assert_eq!(all, [101, 1, 2, 100, 4, 5, 102, 103]);
        let all = run(&update(), None, "linear").unwrap();
        assert_eq!(all, [100, 101, 2, 3, 102, 103, 6, 7]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let others = [tensor(Int32, &[1, 2], &[1_i32, 2]), tensor(Int32, &[2, 5], &[1_i32; 10])];
        for update in others {
            assert_eq!(run(&update, None, "linear").unwrap_err().kind(), ErrorKind::Invalid);
        }
        for places in [&[0_i64][..], &[0, 3], &[0, i64::MAX], &[0, i64::MIN]] {
            let error = run(&update(), Some(places), "linear").unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Invalid, "{places:?}");
        }
        assert_eq!(run(&update(), None, "ring").unwrap_err().kind(), ErrorKind::Invalid);
    }
}
