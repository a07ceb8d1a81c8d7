//! NonZero: the indices of the elements that are not zero, dimension by dimension. A string is zero where it is empty.

use super::Kernel;
use super::operand::values;
use super::reshaping::moving;
use super::signature::{Domain, Input};
use super::types::with_type;
use values::dtype::DType::{self, Bool, Complex64, Complex128, Int64, String};
use values::tensor::Tensor;

pub(super) static NONZERO: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "NonZero",
    inputs: &[Input::new("X")],
    is_elementwise: false,
    slices: None,
    versions: &[moving(9, 15, &[]), moving(13, 16, &[])],
    restricted: &[],
    run: |call| {
        let [data] = call.inputs()?;
        let shape = data.shape();
        let found = nonzero(data);
        let mut indices = vec![0_i64; shape.len() * found.len()];
        for (at, &place) in found.iter().enumerate() {
            let mut rest = place;
            for (dimension, size) in shape.iter().enumerate().rev() {
                indices[dimension * found.len() + at] = (rest % size) as i64;
                rest /= size;
            }
        }
        Ok(vec![Tensor::from_values(Int64, vec![shape.len(), found.len()], indices)?])
    },
};

/// The places of the elements that are not zero.
fn nonzero(data: &Tensor) -> Vec<usize> {
    fn places(all: impl Iterator<Item = bool>) -> Vec<usize> {
        all.enumerate().filter(|(_, is_other)| *is_other).map(|(at, _)| at).collect()
    }
    match data.dtype() {
        String => places(data.strings().unwrap_or_default().iter().map(|text| !text.is_empty())),
        Bool => places(values::<u8>(data).iter().map(|byte| *byte != 0)),
        Complex64 => places(values::<[f32; 2]>(data).iter().map(|parts| *parts != [0.0; 2])),
        Complex128 => places(values::<[f64; 2]>(data).iter().map(|parts| *parts != [0.0; 2])),
        dtype => with_type!(numbers, dtype, T => {
            places(values::<T>(data).iter().map(|number| *number != T::default()))
        }, else Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use crate::find;
    use crate::tests::{read, tensor};
    use crate::{Attributes, tests::run};
    use values::dtype::DType::{Complex64, Float32};

    #[test]
    fn indices_come_row_by_row_of_dimensions() {
        let nonzero = find("NonZero", 13).unwrap();
        let data = tensor(Float32, &[2, 2], &[0.0_f32, f32::NAN, -0.0, 1e-45]);
        let output = run(nonzero, &[&data], &Attributes::new()).unwrap();
        assert_eq!((output.shape(), read::<i64>(&output)), (&[2, 2][..], vec![0, 1, 1, 1]));
        let data = tensor(Complex64, &[2], &[-0.0_f32, 0.0, 0.0, 1.0]);
        assert_eq!(read::<i64>(&run(nonzero, &[&data], &Attributes::new()).unwrap()), [1]);
        let scalar = run(nonzero, &[&tensor(Float32, &[], &[2.0_f32])], &Attributes::new());
        assert_eq!(scalar.unwrap().shape(), [0, 1]);
    }
}
