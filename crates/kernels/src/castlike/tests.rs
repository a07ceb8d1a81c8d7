//! CastLike takes the type of its second input, and nothing else of it.

use crate::cast::tests::{converted, zero};
use crate::tests::{Statement, Trial, run, tensor};
use crate::{Attribute, Attributes, ErrorKind, find};
use values::dtype::DType::{self, *};
use values::tensor::Tensor;

#[test]
fn the_kernel_does_what_is_stated_here() {
    let saturate = || ("saturate", Attribute::Int(0), Attribute::Ints(vec![1]));
    let mode = |mode: &str| Attribute::Text(mode.to_owned());
    let round_mode = ("round_mode", mode("down"), mode("even"));
    Statement {
        name: "CastLike",
        versions: &[
            (15, &converted(14), &[]),
            (19, &converted(18), &[saturate()]),
            (21, &converted(20), &[saturate()]),
            (23, &converted(21), &[saturate()]),
            (24, &converted(22), &[saturate(), round_mode.clone()]),
            (25, &converted(24), &[saturate(), round_mode]),
        ],
        sonnx: None,
        is_elementwise: false,
        keeps_ones: false,
    }
    .check_by(&Trial {
        inputs: |_, dtype| vec![zero(dtype), zero(Float32)],
        output: |_| Float32,
        ..Trial::PLAIN
    });
}

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
