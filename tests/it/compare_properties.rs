//! What holds of every comparison, whatever the type and the bits.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

use bytes::Bytes;
use onnx_conformance::dtype::{DType, Kind};
use onnx_conformance::float::{Class, FloatFormat};
use onnx_conformance::judge::compare::{OutputComparison, compare};
use onnx_conformance::judge::profile::{Profile, Tolerance};
use onnx_conformance::tensor::{Tensor, Value};
use proptest::prelude::*;
use proptest::sample::Index;

fn numbers() -> impl Strategy<Value = DType> {
    let types: Vec<DType> = DType::ALL.into_iter().filter(|dtype| dtype.bits().is_some()).collect();
    proptest::sample::select(types)
}

fn formats() -> impl Strategy<Value = &'static FloatFormat> {
    numbers().prop_filter_map("no float", |dtype| match dtype.kind() {
        Kind::Float(format) => Some(format),
        Kind::Int { .. } | Kind::Bool | Kind::Complex(_) | Kind::String => None,
    })
}

fn value(dtype: DType, elements: usize, mut data: Vec<u8>) -> Value {
    if dtype == DType::Bool {
        data.iter_mut().for_each(|byte| *byte &= 1);
    }
    Tensor::from_bits(dtype, vec![elements], Bytes::from(data)).unwrap().into()
}

/// A type, a number of elements, and bytes for them.
fn tensors() -> impl Strategy<Value = (DType, usize, Vec<u8>)> {
    (numbers(), 1..40_usize).prop_flat_map(|(dtype, elements)| {
        let length = dtype.packed_len(elements).unwrap();
        (Just(dtype), Just(elements), proptest::collection::vec(any::<u8>(), length))
    })
}

fn compared(profile: &str, expected: &Value, actual: &Value) -> OutputComparison {
    let tolerance = Tolerance::default();
    let mut outputs =
        compare(&Profile::named(profile).unwrap(), tolerance, "y", expected, actual, None);
    assert_eq!(outputs.len(), 1);
    outputs.remove(0)
}

proptest! {
    #[test]
    fn every_tensor_conforms_to_itself((dtype, elements, data) in tensors()) {
        let value = value(dtype, elements, data);
        for profile in ["onnx", "ieee754", "sonnx"] {
            let output = compared(profile, &value, &value);
            prop_assert_eq!((output.elements, output.mismatches), (elements as u64, 0));
            prop_assert!(output.worst.is_empty() && output.problem.is_none());
            prop_assert!(output.max_ulp.is_none_or(|ulp| ulp == 0));
            prop_assert!(output.max_abs_error.is_none_or(|error| error == 0.0));
        }
    }

    #[test]
    fn one_flipped_bit_is_one_mismatch_under_ieee754_unless_it_leaves_a_nan(
        (dtype, elements, data) in tensors(),
        bit in any::<Index>(),
    ) {
        let width = dtype.bits().unwrap() as usize;
        // Of a bool only the lowest bit means anything.
        let bit = match dtype {
            DType::Bool => bit.index(elements) * 8,
            _ => bit.index(elements * width),
        };
        let element = bit / width;
        let mut flipped = data.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let (expected, actual) = (value(dtype, elements, data), value(dtype, elements, flipped));
        let nan = match (dtype.kind(), &expected, &actual) {
            (Kind::Float(format) | Kind::Complex(format), Value::Tensor(a), Value::Tensor(b)) => {
                let part = bit % width / format.width() as usize;
                let is_nan = |tensor: &Tensor| {
                    let bits = format.parts(tensor.element(element).unwrap())[part];
                    format.class(bits) == Class::Nan
                };
                is_nan(a) && is_nan(b)
            }
            _ => false,
        };
        let output = compared("ieee754", &expected, &actual);
        prop_assert_eq!(output.mismatches, u64::from(!nan));
        prop_assert_eq!(output.nan_sign_or_payload_differs, u64::from(nan));
        prop_assert_eq!(output.worst.len(), 1);
        prop_assert_eq!(&output.worst[0].index, &[element]);
    }

    #[test]
    fn what_conforms_exactly_conforms_within_any_tolerance(
        (dtype, elements, data) in tensors(),
        other in proptest::collection::vec(any::<u8>(), 640),
    ) {
        let expected = value(dtype, elements, data.clone());
        let actual = value(dtype, elements, other[..data.len()].to_vec());
        let exact = compared("ieee754", &expected, &actual);
        let close = compared("onnx", &expected, &actual);
        prop_assert!(close.mismatches <= exact.mismatches);
        // Whatever the profile, the same is measured.
        prop_assert_eq!(close.max_ulp, exact.max_ulp);
        prop_assert_eq!(close.max_abs_error, exact.max_abs_error);
        prop_assert_eq!(close.max_rel_error, exact.max_rel_error);
        prop_assert_eq!(close.worst.len(), exact.worst.len());
    }

    #[test]
    fn the_distance_in_ulp_is_symmetric_and_obeys_the_triangle_inequality(
        format in formats(),
        bits in any::<[u64; 3]>(),
    ) {
        let [a, b, c] = bits.map(|bits| bits & (u64::MAX >> (64 - format.width())));
        let distance = |a, b| format.ulp_distance(a, b);
        prop_assert_eq!(distance(a, b), distance(b, a));
        prop_assert_eq!(distance(a, a), Some(0));
        if let (Some(ab), Some(bc), Some(ac)) = (distance(a, b), distance(b, c), distance(a, c)) {
            prop_assert!(ac <= ab.saturating_add(bc));
        }
    }
}
