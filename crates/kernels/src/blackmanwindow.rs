//! BlackmanWindow: 0.42 - 0.5 cos x + 0.08 cos 2x, where x are the parts of a turn.

use super::Kernel;
use super::signature::Domain;
use super::windows::{self, INPUTS, VERSIONS};

pub(super) static BLACKMANWINDOW: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "BlackmanWindow",
    inputs: INPUTS,
    is_elementwise: false,
    slices: None,
    versions: VERSIONS,
    restricted: &[],
    run: |call| windows::run(call, [21.0, 25.0, 4.0, 50.0]),
};

#[cfg(test)]
mod tests {
    use crate::tests::{read, run, tensor};
    use crate::{Attribute, Attributes, find};
    use values::dtype::DType::{Int8, Int64};

    fn made(size: i64, attributes: &[(&str, i64)]) -> Option<values::tensor::Tensor> {
        let named = attributes.iter().map(|(name, it)| ((*name).to_owned(), Attribute::Int(*it)));
        let attributes: Attributes = named.collect();
        run(find("BlackmanWindow", 17).unwrap(), &[&tensor(Int64, &[], &[size])], &attributes).ok()
    }

    #[test]
    fn both_forms_are_those_of_the_formula() {
        let near = |made: values::tensor::Tensor, expected: &[f64]| {
            let made = read::<f64>(&made);
            assert_eq!(made.len(), expected.len());
            assert!(made.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{made:?}");
        };
        near(made(6, &[("output_datatype", 11)]).unwrap(), &[0.0, 0.13, 0.63, 1.0, 0.63, 0.13]);
        near(made(3, &[("output_datatype", 11), ("periodic", 0)]).unwrap(), &[0.0, 1.0, 0.0]);
    }

    #[test]
    fn integers_are_cut_off_and_other_types_refused() {
        let bytes = made(4, &[("output_datatype", 3)]).unwrap();
        assert_eq!((bytes.dtype(), read::<i8>(&bytes)), (Int8, vec![0, 0, 1, 0]));
        for dtype in [0, 8, 9, 14, i64::MAX] {
            assert_eq!(made(4, &[("output_datatype", dtype)]), None);
        }
        assert_eq!((made(-1, &[]), made(4, &[("periodic", 2)])), (None, None));
    }
}
