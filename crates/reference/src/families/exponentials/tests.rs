//! Shares that are exact, bounds that are narrow, and what special values leave open.

use values::dtype::DType::Float32;
use values::tensor::Tensor;

use super::*;
use crate::exact::Conforming;
use crate::operator::{AttributeValue, Attributes, Operator, Specification};
use crate::operators::{logsoftmax::LOGSOFTMAX, softmax::SOFTMAX};

/// What conforms of a line of float32.
fn line(operator: &'static Operator, specification: Specification, x: &[f32]) -> Vec<Conforming> {
    let input = Tensor::from_values(Float32, vec![x.len()], x.to_vec()).unwrap();
    let attributes = Attributes::from([("axis".to_owned(), AttributeValue::Int(0))]);
    let version = operator.newest();
    let (call, types) =
        Call::new(operator, version, specification, attributes, vec![Some(input)]).unwrap();
    let allowed = operator.reference.allowed(&call, &types);
    (0..x.len()).map(|at| allowed[0].at(at)).collect()
}

fn softmax(x: &[f32]) -> Vec<Conforming> {
    line(&SOFTMAX, Specification::Onnx, x)
}

fn bits(x: f32) -> u64 {
    x.to_bits().into()
}

/// How many numbers conform.
fn width(conforming: &Conforming) -> u64 {
    match conforming {
        Conforming::Within { accumulated, .. } => {
            let [least, most] = accumulated.numbers.unwrap();
            least.abs_diff(most) + 1
        }
        _ => 1,
    }
}

#[test]
fn shares_of_equal_elements_are_exact_where_the_format_holds_them() {
    assert_eq!(softmax(&[7.0]), [Conforming::One(bits(1.0))]);
    assert_eq!(softmax(&[-3.0; 4]), vec![Conforming::One(bits(0.25)); 4]);
    let third = &softmax(&[1e30; 3])[0];
    assert!(third.accepts(bits(1.0 / 3.0)) && width(third) <= 3, "{third:?}");
}

#[test]
fn no_share_is_above_1_and_one_that_is_16_ulp_off_fails() {
    for x in [&[0.0, -1.0, -2.5][..], &[3.0, -4.0], &[0.5, 0.25, 0.125, 0.0], &[0.0, -60.0]] {
        let exact: Vec<f64> = x.iter().map(|x| f64::from(*x).exp()).collect();
        let sum: f64 = exact.iter().sum();
        for (conforming, power) in softmax(x).iter().zip(exact) {
            let near = bits((power / sum) as f32);
            assert!(conforming.accepts(near), "{x:?} {conforming:?}");
            assert!(!conforming.accepts(near + 16) && !conforming.accepts(near - 16), "{x:?}");
            assert!(!conforming.accepts(bits(1.0_f32.next_up())));
        }
    }
    assert!(softmax(&[0.0, -60.0])[0].accepts(bits(1.0)));
}

#[test]
fn what_a_power_of_the_element_itself_gives_does_not_conform_where_it_overflows() {
    let large = softmax(&[1000.0, 1001.0]);
    assert!(!large[0].accepts(bits(f32::NAN)) && !large[1].accepts(bits(f32::NAN)));
    let small = softmax(&[-1000.0, -1000.0]);
    assert_eq!(small, vec![Conforming::One(bits(0.5)); 2]);
}

#[test]
fn infinities_and_nan_are_as_the_documents_have_them() {
    let (nan, zero, inf) = (bits(f32::NAN), bits(0.0), f32::INFINITY);
    let accepts =
        |all: &[Conforming], x: u64| all.iter().map(|it| it.accepts(x)).collect::<Vec<_>>();
    let beside = softmax(&[1.0, inf, -inf]);
    assert_eq!(accepts(&beside, nan), [true; 3]);
    assert_eq!(accepts(&beside, zero), [true, false, true]);
    let none = softmax(&[-inf, -inf]);
    assert_eq!((accepts(&none, nan), accepts(&none, zero)), (vec![true; 2], vec![false; 2]));
    assert_eq!(softmax(&[-inf, 2.0]), [Conforming::One(zero), Conforming::One(bits(1.0))]);
    assert!(accepts(&softmax(&[1.0, f32::NAN]), nan).iter().all(|it| *it));

    let sonnx = |x: &[f32]| line(&SOFTMAX, Specification::Sonnx, x);
    assert_eq!(accepts(&sonnx(&[1.0, inf, -inf]), zero), [false; 3]);
    let none = sonnx(&[-inf, -inf]);
    assert_eq!((accepts(&none, nan), accepts(&none, zero)), (vec![true; 2], vec![true; 2]));
    assert_eq!(none[0].example(), Some(0));
}

#[test]
fn logarithms_of_shares_that_are_lost_are_numbers() {
    let all = line(&LOGSOFTMAX, Specification::Onnx, &[0.0, -200.0]);
    assert!(all[1].accepts(bits(-200.0)) && !all[1].accepts(bits(f32::NEG_INFINITY)));
    let half = &line(&LOGSOFTMAX, Specification::Onnx, &[5.0, 5.0])[0];
    let near = bits(-std::f32::consts::LN_2);
    assert!(half.accepts(near) && !half.accepts(near + 16) && !half.accepts(near - 16));
    let none = line(&LOGSOFTMAX, Specification::Onnx, &[1.0, f32::NEG_INFINITY]);
    assert_eq!(none[1], Conforming::One(bits(f32::NEG_INFINITY)));
    assert!(none[0].accepts(0), "{:?}", none[0]);
}

#[test]
fn versions_before_13_take_all_dimensions_from_the_axis_on() {
    let lines = |version: usize, axis: i64| {
        let input = Tensor::from_values(Float32, vec![2, 3, 4], vec![0_f32; 24]).unwrap();
        let attributes = Attributes::from([("axis".to_owned(), AttributeValue::Int(axis))]);
        let version = &SOFTMAX.versions[version];
        Call::new(&SOFTMAX, version, Specification::Onnx, attributes, vec![Some(input)])
            .map(|(call, _)| super::lines(&call).unwrap().length)
    };
    assert_eq!((lines(0, 1), lines(1, -1), lines(1, 0)), (Ok(12), Ok(4), Ok(24)));
    assert_eq!((lines(2, 1), lines(2, -3)), (Ok(3), Ok(2)));
    for (version, axis) in [(0, -1), (1, 3), (2, -4), (2, i64::MIN), (2, i64::MAX)] {
        assert!(lines(version, axis).is_err(), "{version} {axis}");
    }
}
