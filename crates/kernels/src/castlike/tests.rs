//! CastLike takes the type of its second input, and nothing else of it.

use crate::cast::tests::{converted, zero};
use crate::tests::{run, tensor};
use crate::{Attribute, Attributes, ErrorKind, find};
use values::dtype::DType::{self, *};
use values::tensor::Tensor;

#[test]
fn it_does_what_cast_does_to_every_type() {
    let x = tensor(Float32, &[2, 2], &[1.5_f32, 0.0, 3.0, 2.0]);
    for to in converted(24) {
        let like = Tensor::from_bits(to, vec![0, 3], Vec::new().into())
            .or_else(|_| Tensor::from_strings(vec![0, 3], Vec::new()));
        let like = run(find("CastLike", 25).unwrap(), &[&x, &like.unwrap()], &Attributes::new());
        let code = Attribute::Int(to.onnx_code().into());
        let to = Attributes::from([("to".to_owned(), code)]);
        assert_eq!(like, run(find("Cast", 25).unwrap(), &[&x], &to));
    }
}

#[test]
fn a_target_of_a_type_that_the_version_does_not_have_is_refused() {
    for (opset, target) in [(15, Float8E5M2), (19, Int4), (23, Float8E8M0), (25, Complex64)] {
        let inputs: [DType; 2] = [Float32, target];
        let inputs = inputs.map(zero);
        let error =
            run(find("CastLike", opset).unwrap(), &[&inputs[0], &inputs[1]], &Attributes::new());
        assert_eq!(error.unwrap_err().kind(), ErrorKind::Invalid);
    }
}
