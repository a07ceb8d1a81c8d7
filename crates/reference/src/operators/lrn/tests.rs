//! Regions, powers, and bases that have none.

use super::*;
use crate::exact::Conforming;
use crate::operator::{AttributeValue, Specification};

fn outputs(
    shape: &[usize],
    x: &[f32],
    size: i64,
    floats: &[(&str, f32)],
) -> Option<Vec<Conforming>> {
    let input = Tensor::from_values(Float32, shape.to_vec(), x.to_vec()).unwrap();
    let float =
        |(name, value): &(&str, f32)| ((*name).to_owned(), AttributeValue::Float(value.to_bits()));
    let size = std::iter::once(("size".to_owned(), AttributeValue::Int(size)));
    let attributes = floats.iter().map(float).chain(size).collect();
    let (version, onnx) = (LRN.newest(), Specification::Onnx);
    let (call, types) = Call::new(&LRN, version, onnx, attributes, vec![Some(input)]).ok()?;
    let allowed = LRN.reference.allowed(&call, &types);
    Some((0..x.len()).map(|at| allowed[0].at(at)).collect())
}

#[test]
fn regions_have_more_channels_after_their_own_and_end_at_the_ends() {
    let of = |size, index| region(&[1, 5, 2], size, index).collect::<Vec<_>>();
    assert_eq!(of(1, 5), [5]);
    assert_eq!(of(2, 5), [5, 7]);
    assert_eq!(of(3, 5), [3, 5, 7]);
    assert_eq!(of(4, 4), [2, 4, 6, 8]);
    assert_eq!(of(5, 0), [0, 2, 4]);
    assert_eq!(of(usize::MAX, 9), [1, 3, 5, 7, 9]);
}

#[test]
fn elements_are_divided_by_the_power_and_by_nothing_far_from_it() {
    for (beta, divisor) in [(1.0, 7.0), (0.5, 7.0_f64.sqrt()), (-2.0, 1.0 / 49.0), (0.0, 1.0)] {
        let all =
            outputs(&[1, 2], &[1.0, 2.0], 2, &[("alpha", 2.0), ("beta", beta), ("bias", 2.0)]);
        let near = u64::from(((1.0 / divisor) as f32).to_bits());
        let [first, _] = all.as_deref().unwrap() else { panic!() };
        assert!(first.accepts(near), "{beta}: {first:?}");
        assert!(!first.accepts(near + 40) && !first.accepts(near - 40), "{beta}: {first:?}");
    }
}

#[test]
fn what_has_no_region_is_refused_and_a_negative_base_open() {
    for size in [0, -1, i64::MIN] {
        assert!(outputs(&[1, 2], &[1.0; 2], size, &[]).is_none());
    }
    assert!(outputs(&[2], &[1.0; 2], 1, &[]).is_none());
    let all = outputs(&[1, 1], &[1.0], 1, &[("bias", -3.0)]).unwrap();
    assert!(!all[0].is_decided());
    let all = outputs(&[2, 1], &[f32::INFINITY, f32::NAN], 1, &[]).unwrap();
    assert!(all.iter().all(|it| matches!(it, Conforming::AnyNan(_))), "{all:?}");
}
