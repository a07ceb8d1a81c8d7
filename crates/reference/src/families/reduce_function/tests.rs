//! Norms and logarithms of hand-picked elements: exact ones, infinite ones, and what each version leaves open.

use std::f64::consts::LN_2;

use super::*;
use crate::operator::{Attributes, Operator, Specification};
use crate::operators::{
    reducel2::REDUCEL2, reducelogsum::REDUCELOGSUM, reducelogsumexp::REDUCELOGSUMEXP,
};

fn reduced_in<T: bytemuck::Pod + Send + Sync>(
    operator: &'static Operator,
    since: i64,
    dtype: DType,
    elements: &[T],
) -> Conforming {
    let data = Tensor::from_values(dtype, vec![elements.len()], elements.to_vec()).unwrap();
    let version = operator.versions.iter().find(|version| version.since == since).unwrap();
    let mut inputs = vec![Some(data)];
    inputs.resize(version.inputs.len(), None);
    let (call, types) =
        Call::new(operator, version, Specification::Onnx, Attributes::new(), inputs).unwrap();
    operator.reference.allowed(&call, &types)[0].at(0)
}

fn of(operator: &'static Operator, since: i64, elements: &[f32]) -> Conforming {
    reduced_in(operator, since, Float32, elements)
}

fn bits(x: f32) -> u64 {
    x.to_bits().into()
}

#[test]
fn norms_that_are_numbers_are_exact_and_signs_vanish() {
    for since in [1, 18] {
        assert_eq!(of(&REDUCEL2, since, &[3.0, -4.0]), Conforming::One(bits(5.0)));
        assert_eq!(of(&REDUCEL2, since, &[]), Conforming::One(0));
        assert_eq!(of(&REDUCEL2, since, &[-0.0, -0.0]), Conforming::One(0));
        let infinite = of(&REDUCEL2, since, &[f32::NEG_INFINITY, 1.0]);
        assert_eq!(infinite, Conforming::One(bits(f32::INFINITY)));
        let none = of(&REDUCEL2, since, &[f32::NAN, f32::INFINITY]);
        assert!(none.accepts(bits(f32::NAN)) && !none.accepts(bits(f32::INFINITY)));
    }
}

#[test]
fn squares_may_overflow_or_vanish_though_the_norm_does_not() {
    let large = of(&REDUCEL2, 18, &[1e30, 0.0]);
    assert!(large.accepts(bits(1e30)) && large.accepts(bits(f32::INFINITY)));
    assert!(!large.accepts(bits(2e30)) && !large.accepts(bits(f32::NAN)));
    let small = of(&REDUCEL2, 18, &[1e-30, 0.0]);
    assert!(small.accepts(bits(1e-30)) && small.accepts(0));
    assert!(!small.accepts(bits(1e-20)) && !small.accepts(bits(-1e-30)));
}

#[test]
fn roots_of_float64_may_be_those_of_float32_where_a_function_has_them() {
    let of = |since| reduced_in(&REDUCEL2, since, Float64, &[1.0_f64, 1.0]);
    let (exact, single) = (2.0_f64.sqrt(), f64::from(2.0_f32.sqrt()));
    for since in [13, 18] {
        assert!(of(since).accepts(exact.to_bits()) && !of(since).accepts(exact.to_bits() + 9));
        assert_eq!(of(since).accepts(single.to_bits()), since == 18);
    }
    let large = reduced_in(&REDUCEL2, 18, Float64, &[1e30_f64]);
    assert!(large.accepts(1e30_f64.to_bits()) && large.accepts(f64::INFINITY.to_bits()));
    assert!(!reduced_in(&REDUCEL2, 18, Float64, &[1e-30_f64]).is_decided());
}

#[test]
fn integers_are_cut_off_by_a_function_and_either_neighbour_without() {
    let of = |since, elements: &[i32]| {
        let conforming = reduced_in(&REDUCEL2, since, Int32, elements);
        assert!(conforming.is_decided(), "{elements:?}");
        (0..60_000).filter(|it| conforming.accepts(*it)).collect::<Vec<_>>()
    };
    assert_eq!(of(1, &[1, -1]), [1, 2]);
    assert_eq!(of(18, &[1, -1]), [1]);
    assert_eq!(of(18, &[3, -4]), [5]);
    // The root of 67,106,113 is 8,191.8, and float32 does not hold the sum.
    assert_eq!(of(18, &[5792, 5793]), [8191]);
    assert_eq!(of(1, &[30_000, 30_000]), [42_426, 42_427]);
    assert!(!reduced_in(&REDUCEL2, 18, Int32, &[i32::MAX]).is_decided());
    assert!(!reduced_in(&REDUCEL2, 18, Int64, &[i64::MIN]).is_decided());
    let of = |operator, since, elements: &[i32]| reduced_in(operator, since, Int32, elements);
    let near = of(&REDUCELOGSUM, 18, &[3, 4]);
    assert!(near.accepts(1) && near.accepts(2) && !near.accepts(0));
    assert!(!of(&REDUCELOGSUM, 13, &[]).is_decided());
    assert!(!of(&REDUCELOGSUM, 13, &[-3, 3]).is_decided());
    assert_eq!(of(&REDUCELOGSUMEXP, 18, &[1, 2, 2]), Conforming::One(2));
    assert!(of(&REDUCELOGSUMEXP, 13, &[1, 2, 2]).accepts(3));
    assert!(!of(&REDUCELOGSUMEXP, 18, &[]).is_decided());
    assert!(!of(&REDUCELOGSUMEXP, 18, &[1000]).is_decided());
}

#[test]
fn logarithms_of_sums_are_exact_at_one_infinite_at_zero_and_none_below() {
    for since in [1, 28] {
        let of = |elements: &[f32]| of(&REDUCELOGSUM, since, elements);
        assert_eq!(of(&[0.5, 0.25, 0.25]).example(), Some(0));
        let zero = of(&[1.0, -1.0, -0.0]);
        assert_eq!(zero, Conforming::One(bits(f32::NEG_INFINITY)));
        assert_eq!(of(&[]), zero);
        for elements in [&[-1.0, -2.0][..], &[f32::NEG_INFINITY, 1.0]] {
            assert!(matches!(of(elements), Conforming::AnyNan(_)), "{elements:?}");
        }
        assert_eq!(of(&[f32::INFINITY, 1.0]), Conforming::One(bits(f32::INFINITY)));
        let ten = of(&[3.0, 7.0]);
        assert!(ten.accepts(bits(10.0_f32.ln())) && !ten.accepts(bits(10.0_f32.ln()) + 9));
        // Any sum near 0 may come of such terms.
        assert!(!of(&[1e8, 1.0, -1e8, 0.3]).is_decided());
    }
    let large = of(&REDUCELOGSUM, 28, &[f32::MAX, f32::MAX]);
    assert!(large.accepts(bits(f32::INFINITY)) && large.accepts(bits(89.415_985)));
}

#[test]
fn powers_may_be_of_elements_or_of_their_distances_from_the_largest() {
    let of = |since, elements: &[f32]| of(&REDUCELOGSUMEXP, since, elements);
    for since in [1, 28] {
        assert_eq!(of(since, &[]), Conforming::One(bits(f32::NEG_INFINITY)));
        let none = of(since, &[f32::NEG_INFINITY, f32::NEG_INFINITY]);
        assert_eq!(none, Conforming::One(bits(f32::NEG_INFINITY)));
        let infinite = of(since, &[f32::INFINITY, f32::NEG_INFINITY, 1.0]);
        assert_eq!(infinite, Conforming::One(bits(f32::INFINITY)));
        let two = of(since, &[0.0, 0.0]);
        assert!(two.accepts(bits(2.0_f32.ln())) && !two.accepts(bits(2.0_f32.ln()) + 20));
        let single = of(since, &[f32::NEG_INFINITY, 3.0]);
        assert!(single.accepts(bits(3.0)) && !single.accepts(bits(3.0) + 20));
    }
    // Only without a stated function powers are in float32.
    let large = [of(1, &[100.0, 100.0]), of(28, &[100.0, 100.0])];
    assert!(
        large.iter().all(|it| it.accepts(bits((100.0 + LN_2) as f32)) && !it.accepts(bits(100.7))),
        "{large:?}"
    );
    assert_eq!(large.map(|it| it.accepts(bits(f32::INFINITY))), [true, false]);
    let low = [of(1, &[-120.0, -120.0]), of(28, &[-120.0, -120.0])];
    assert!(low.iter().all(|it| it.accepts(bits((-120.0 + LN_2) as f32))), "{low:?}");
    assert!(!low[1].accepts(bits(-119.3)) && !low[0].accepts(bits(-100.0)), "{low:?}");
    assert_eq!(low.map(|it| it.accepts(bits(f32::NEG_INFINITY))), [true, false]);
    for (elements, naive) in [
        ([1000.0, 1.0], f32::INFINITY),
        ([3e38, 1.0], f32::INFINITY),
        ([-1000.0, -1001.0], f32::NEG_INFINITY),
    ] {
        let far = of(28, &elements);
        let shifted = if naive > 0.0 { elements[0] } else { -999.686_7 };
        assert!(far.accepts(bits(shifted)) && far.accepts(bits(naive)), "{elements:?} {far:?}");
        assert!(!far.accepts(bits(shifted + shifted / 100.0)) && !far.accepts(bits(f32::NAN)));
    }
}
