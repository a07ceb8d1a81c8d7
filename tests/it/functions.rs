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

use crate::support::extent::size;

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

macro_rules! functions {
    ($($test:ident $name:literal)*) => {
        $(
            #[test]
            fn $test() {
                are_correctly_rounded($name, size(17, 1));
            }
        )*
    };
}

functions! {
    arccosine_of_16_bits_is_correctly_rounded "Acos"
    arcsine_of_16_bits_is_correctly_rounded "Asin"
    arctangent_of_16_bits_is_correctly_rounded "Atan"
    cosine_of_16_bits_is_correctly_rounded "Cos"
    error_function_of_16_bits_is_correctly_rounded "Erf"
    gelu_of_16_bits_is_correctly_rounded "Gelu"
    hardsigmoid_of_16_bits_is_correctly_rounded "HardSigmoid"
    hardswish_of_16_bits_is_correctly_rounded "HardSwish"
    sine_of_16_bits_is_correctly_rounded "Sin"
    tangent_of_16_bits_is_correctly_rounded "Tan"
}
