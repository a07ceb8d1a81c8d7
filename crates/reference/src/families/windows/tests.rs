//! What windows accept: the formula, and the body in float32.

use super::*;
use crate::operator::{AttributeValue, Attributes};
use crate::operators::blackmanwindow::BLACKMANWINDOW;
use crate::operators::hammingwindow::HAMMINGWINDOW;
use crate::operators::hannwindow::HANNWINDOW;
use values::dtype::DType::{Float32, Float64, Int64};
use values::tensor::Tensor;

/// What conforms for the elements of a window.
pub(crate) fn made(
    operator: &'static Operator,
    size: &Tensor,
    attributes: &[(&str, i64)],
) -> Option<(DType, Vec<Conforming>)> {
    let named = |(name, value): &(&str, i64)| ((*name).to_owned(), AttributeValue::Int(*value));
    let attributes: Attributes = attributes.iter().map(named).collect();
    let inputs = vec![Some(size.clone())];
    let (call, types) =
        Call::new(operator, operator.newest(), Specification::Onnx, attributes, inputs).ok()?;
    let allowed = operator.reference.allowed(&call, &types);
    let count = types[0].shape.iter().product();
    Some((types[0].dtype, (0..count).map(|at| allowed[0].at(at)).collect()))
}

/// A scalar size.
pub(crate) fn scalar(size: i64) -> Tensor {
    Tensor::from_values(Int64, vec![], vec![size]).unwrap()
}

/// Whether these numbers conform, and none that is farther off than float32 makes them.
pub(crate) fn accept(all: &[Conforming], numbers: &[f64]) -> bool {
    let accepts = |(one, number): (&Conforming, &f64)| {
        one.accepts(number.to_bits())
            && [1e-5, -1e-5].iter().all(|far| !one.accepts((number + far).to_bits()))
    };
    all.len() == numbers.len() && all.iter().zip(numbers).all(accepts)
}

const WINDOWS: [(&Operator, [f32; 3]); 3] = [
    (&HANNWINDOW, [0.5, 0.5, 0.0]),
    (&HAMMINGWINDOW, [25.0 / 46.0, 21.0 / 46.0, 0.0]),
    (&BLACKMANWINDOW, [0.42, 0.5, 0.08]),
];

#[test]
fn the_body_step_by_step_in_float32_conforms_and_so_does_binary64() {
    for (operator, [a, b, c]) in WINDOWS {
        for (size, periodic) in [(1, 1), (7, 1), (10, 0), (64, 1), (101, 0), (300, 1)] {
            let (_, singles) = made(operator, &scalar(size), &[("periodic", periodic)]).unwrap();
            let wide = [("periodic", periodic), ("output_datatype", 11)];
            let (dtype, doubles) = made(operator, &scalar(size), &wide).unwrap();
            assert_eq!(dtype, Float64);
            let parts = size - 1 + periodic;
            let step = std::f32::consts::TAU / parts as f32;
            for at in 0..size as usize {
                let angle = at as f32 * step;
                let element = a - b * angle.cos() + c * (angle * 2.0).cos();
                assert!(singles[at].accepts(element.to_bits().into()), "{operator} {size} {at}");
                assert!(
                    doubles[at].accepts(f64::from(element).to_bits()),
                    "{operator} {size} {at}"
                );
                let angle = std::f64::consts::TAU * at as f64 / parts as f64;
                let [a, b, c] = [a, b, c].map(f64::from);
                let element = a - b * angle.cos() + c * (2.0 * angle).cos();
                assert!(doubles[at].accepts(element.to_bits()), "{operator} {size} {at}");
                // A window that is off by one element is not this one.
                let off = a - b * (angle + 0.01).cos() + c * (2.0 * angle + 0.02).cos();
                let is_steep = (off - element).abs() > 1e-4;
                assert!(!is_steep || !doubles[at].accepts(off.to_bits()));
            }
        }
    }
}

#[test]
fn integers_are_cut_off_to_zero_but_in_the_middle() {
    for (operator, _) in WINDOWS {
        let (dtype, all) = made(operator, &scalar(8), &[("output_datatype", 2)]).unwrap();
        assert_eq!(dtype, DType::Uint8);
        for (at, one) in all.iter().enumerate() {
            let accepted = [0, 1, 255].map(|bits| one.accepts(bits));
            // The cosine of half a turn may be short of -1.
            assert_eq!(accepted, [true, at == 4, false], "{operator} {at}");
        }
        assert_eq!(all[4].example(), Some(1));
    }
}

#[test]
fn a_symmetric_window_of_one_element_is_open() {
    for (operator, _) in WINDOWS {
        for code in [1, 6, 11] {
            let named = [("periodic", 0), ("output_datatype", code)];
            let (_, all) = made(operator, &scalar(1), &named).unwrap();
            assert!(all.len() == 1 && !all[0].is_decided());
        }
        assert_eq!(made(operator, &scalar(0), &[]).unwrap(), (Float32, vec![]));
    }
}

#[test]
fn sizes_that_are_none_and_types_that_no_window_has_are_refused() {
    let list = Tensor::from_values(Int64, vec![1], vec![3_i64]).unwrap();
    for (operator, _) in WINDOWS {
        assert_eq!(made(operator, &list, &[]), None);
        assert_eq!(made(operator, &scalar(-1), &[]), None);
        assert_eq!(made(operator, &scalar(i64::MAX), &[]), None);
        assert_eq!(made(operator, &scalar(3), &[("periodic", 2)]), None);
        for code in [0, 8, 9, 14, 17, i64::MAX] {
            assert_eq!(made(operator, &scalar(3), &[("output_datatype", code)]), None);
        }
    }
}
