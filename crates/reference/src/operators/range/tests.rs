//! Counts, exact integers, and the two ways in which floats are computed.

use values::dtype::DType;
use values::tensor::Tensor;

use super::*;
use crate::operator::{AttributeValue, Attributes, Specification};

fn call<T: bytemuck::Pod + Send + Sync>(
    specification: Specification,
    dtype: DType,
    all: [T; 3],
) -> Result<(Call, Vec<TensorType>), Invalid> {
    let inputs = all.map(|one| Tensor::from_values(dtype, vec![], vec![one]).map(Some).unwrap());
    Call::new(&RANGE, &RANGE.versions[0], specification, Attributes::new(), inputs.to_vec())
}

fn count(all: [f64; 3]) -> Result<usize, Invalid> {
    call(Specification::Onnx, Float64, all).map(|(_, types)| types[0].shape[0])
}

#[test]
fn the_number_of_elements_is_that_of_the_exact_quotient() {
    for (all, elements) in [
        ([3.0, 9.0, 3.0], 2),
        ([3.0, 10.0, 3.0], 3),
        ([10.0, 4.0, -2.0], 3),
        ([10.0, 10.0, -3.0], 0),
        ([30.0, 10.0, 3.0], 0),
        ([0.0, 1.0, 0.1], 10),
        ([0.0, 1.0_f64.next_up(), 0.1], 11),
        ([0.0, f64::NEG_INFINITY, 1.0], 0),
        ([f64::INFINITY, 0.0, 1.0], 0),
        ([0.0, 5.0, f64::INFINITY], 0),
    ] {
        assert_eq!(count(all), Ok(elements), "{all:?}");
    }
    let nan = f64::NAN;
    for all in [
        [0.0, 5.0, 0.0],
        [nan, 1.0, 1.0],
        [0.0, nan, 1.0],
        [0.0, 1.0, nan],
        [0.0, f64::INFINITY, 1.0],
        [0.0, f64::INFINITY, f64::INFINITY],
        [0.0, f64::MAX, f64::MIN_POSITIVE],
    ] {
        assert!(count(all).is_err(), "{all:?}");
    }
}

#[test]
fn integers_are_exact_from_end_to_end() {
    let of = |all: [i64; 3]| {
        let (call, types) = call(Specification::Onnx, Int64, all).unwrap();
        let allowed = RANGE.reference.allowed(&call, &types);
        (0..types[0].shape[0]).map(|at| allowed[0].at(at)).collect::<Vec<_>>()
    };
    let one = |x: i64| Conforming::One(x.cast_unsigned());
    assert_eq!(of([i64::MIN, i64::MAX, i64::MAX]), [i64::MIN, -1, i64::MAX - 1].map(one));
    assert_eq!(of([10, 4, -2]), [10, 8, 6].map(one));
}

#[test]
fn floats_are_products_and_sums_or_added_up_and_by_sonnx_the_former_alone() {
    let of = |specification: Specification| {
        let (call, types) = call(specification, Float32, [0_f32, 2.05, 0.1]).unwrap();
        let allowed = RANGE.reference.allowed(&call, &types);
        (0..types[0].shape[0]).map(|at| allowed[0].at(at)).collect::<Vec<_>>()
    };
    let (onnx, sonnx) = (of(Specification::Onnx), of(Specification::Sonnx));
    let (mut sum, mut apart) = (0_f32, 0);
    for (at, (onnx, sonnx)) in onnx.iter().zip(&sonnx).enumerate() {
        let bits = |x: f32| u64::from(x.to_bits());
        let product = at as f32 * 0.1;
        for allowed in [onnx, sonnx] {
            assert!(allowed.accepts(bits(product)), "{at}");
            assert!(allowed.accepts(bits((at as f64 * f64::from(0.1_f32)) as f32)), "{at}");
            assert!(at == 0 || !allowed.accepts(bits(product) + 4), "{at}");
        }
        assert!(onnx.accepts(bits(sum)), "{at}");
        apart += usize::from(!sonnx.accepts(bits(sum)));
        sum += 0.1;
    }
    assert!(apart > 0, "sums that no product is");
}

#[test]
fn the_type_that_sums_are_kept_in_decides_beside_a_tie_of_the_narrow_one() {
    // 29 steps of 565 2^-24 from 2 lie above the tie 2 + 2^-10 by 2^-24, which float32 rounds off.
    let stashed = |stash: i64| {
        let scalar = |bits: u16| Tensor::from_values(DType::Float16, vec![], vec![bits]).unwrap();
        let inputs = [0x4000, 0x4001, 565].map(|bits| Some(scalar(bits))).to_vec();
        let attributes = [("stash_type".to_owned(), AttributeValue::Int(stash))].into();
        let (of, newest) = (Specification::Onnx, &RANGE.versions[1]);
        let (stashed, types) = Call::new(&RANGE, newest, of, attributes, inputs).unwrap();
        let allowed = Range.allowed(&stashed, &types);
        [0x4000, 0x4001].map(|bits| allowed[0].at(29).accepts(bits))
    };
    assert_eq!(stashed(1), [true, true]);
    assert_eq!(stashed(11), [false, true]);
}
