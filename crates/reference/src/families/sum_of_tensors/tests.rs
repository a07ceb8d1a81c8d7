//! Sums and means of hand-picked elements, and what is refused.

use values::dtype::DType::Float32;
use values::tensor::Tensor;

use super::*;
use crate::operator::{Attributes, Operator, Specification};
use crate::operators::{mean::MEAN, sum::SUM};

fn at_first(operator: &'static Operator, elements: &[f32]) -> Conforming {
    let scalar = |x: &f32| Tensor::from_values(Float32, vec![], vec![*x]).ok();
    let inputs = elements.iter().map(scalar).collect();
    let (call, types) =
        Call::new(operator, operator.newest(), Specification::Onnx, Attributes::new(), inputs)
            .unwrap();
    let allowed = operator.reference.allowed(&call, &types);
    assert_eq!(allowed[0].sources(0), Some((0..elements.len()).collect()));
    allowed[0].at(0)
}

fn bits(x: f32) -> u64 {
    x.to_bits().into()
}

#[test]
fn sums_may_be_added_in_any_order_and_no_result_of_none_conforms() {
    // (2^24 + 1) + 1 is 2^24, and 2^24 + (1 + 1) is 2^24 + 2.
    let sum = at_first(&SUM, &[16_777_216.0, 1.0, 1.0]);
    assert!(sum.accepts(bits(16_777_216.0)) && sum.accepts(bits(16_777_218.0)));
    assert!(!sum.accepts(bits(16_777_214.0)) && !sum.accepts(bits(16_777_222.0)));
    assert_eq!(at_first(&SUM, &[-0.0, -0.0]).example(), Some(bits(-0.0).into()));
    assert!(!at_first(&SUM, &[-0.0, 0.0]).accepts(bits(-0.0)));
    let single = at_first(&SUM, &[0.1]);
    assert!(single.accepts(bits(0.1)) && !single.accepts(bits(0.1) + 1));
}

#[test]
fn means_are_divided_by_the_number_of_inputs() {
    let mean = at_first(&MEAN, &[1.0, 3.0, 5.0, 7.0]);
    assert!(mean.accepts(bits(4.0)) && !mean.accepts(bits(4.0) + 1));
    let third = at_first(&MEAN, &[1.0, 0.0, 0.0]);
    assert!(third.accepts(bits(1.0 / 3.0)) && !third.accepts(bits(1.0 / 3.0) + 3));
    let large = at_first(&MEAN, &[f32::MAX, f32::MAX]);
    assert!(large.accepts(bits(f32::MAX)) && large.accepts(bits(f32::INFINITY)));
}

#[test]
fn infinities_of_both_signs_have_no_sum() {
    for operator in [&SUM, &MEAN] {
        let of = |all: &[f32]| at_first(operator, all);
        assert!(of(&[f32::INFINITY, 1.0]).accepts(bits(f32::INFINITY)));
        let none = of(&[f32::INFINITY, f32::NEG_INFINITY, 1.0]);
        assert!(none.accepts(bits(f32::NAN)) && !none.accepts(bits(f32::INFINITY)));
    }
}
