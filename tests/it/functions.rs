//! The built-in kernels of functions of one number on operands of 16 bits, against the reference: on one of seventeen, and where
//! there is time for it on all.

use onnx_conformance::dtype::DType;
use onnx_conformance::judge::compare::Element;
use onnx_conformance::kernels::slices;
use onnx_conformance::oracle::Conforming;
use onnx_conformance::reference::operator::{Attributes, Specification};
use onnx_conformance::reference::operators::find;
use onnx_conformance::reference::signature::Domain;
use rayon::prelude::*;

/// Asserts that each result conforms as the reference has it: it is the correctly rounded one.
fn are_correctly_rounded(name: &str, every: usize) {
    let operator = find(Domain::Onnx, name).unwrap();
    let function = operator.reference.elementwise(Specification::Onnx, &Attributes::new()).unwrap();
    let operands: Vec<u16> = (0..=u16::MAX).step_by(every).collect();
    for dtype in [DType::Float16, DType::Bfloat16] {
        let mut results = vec![0_u16; operands.len()];
        let (from, to) = (bytemuck::cast_slice(&operands), bytemuck::cast_slice_mut(&mut results));
        assert_eq!(slices(name).unwrap()(dtype, &[from], to), Some(Ok(())));
        let open = operands.par_iter().zip(&results).filter(|&(&x, &result)| {
            let operand = [Element::Bits(dtype, x.into())];
            match function.conforming(dtype, &operand) {
                Conforming::Unspecified(_) => true,
                conforming => {
                    let is_right = conforming.accepts(result.into());
                    assert!(
                        is_right,
                        "{name} of {dtype} {x:#06x}: {result:#06x}, not {conforming:?}"
                    );
                    false
                }
            }
        });
        assert_eq!(open.count(), 0, "{name} of {dtype}: all are decided");
    }
}

macro_rules! every_operand {
    ($($test:ident $name:literal)*) => {
        #[test]
        fn one_operand_of_seventeen_has_the_correctly_rounded_result() {
            $(are_correctly_rounded($name, 17);)*
        }

        $(
            #[test]
            #[ignore = "takes minutes: cargo xtask ci --full-only"]
            fn $test() {
                are_correctly_rounded($name, 1);
            }
        )*
    };
}

every_operand! {
    every_arccosine_of_16_bits_is_correctly_rounded "Acos"
    every_arcsine_of_16_bits_is_correctly_rounded "Asin"
    every_arctangent_of_16_bits_is_correctly_rounded "Atan"
    every_cosine_of_16_bits_is_correctly_rounded "Cos"
    every_error_function_of_16_bits_is_correctly_rounded "Erf"
    every_gelu_of_16_bits_is_correctly_rounded "Gelu"
    every_hardsigmoid_of_16_bits_is_correctly_rounded "HardSigmoid"
    every_hardswish_of_16_bits_is_correctly_rounded "HardSwish"
    every_sine_of_16_bits_is_correctly_rounded "Sin"
    every_tangent_of_16_bits_is_correctly_rounded "Tan"
}
