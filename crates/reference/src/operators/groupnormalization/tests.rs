//! Groups, and what scales and shifts them in each version.

use values::tensor::Tensor;

use super::*;
use crate::exact::Conforming;
use crate::operator::{AttributeValue, Attributes, Specification};

fn call(
    since: i64,
    x: Tensor,
    own: [Vec<f32>; 2],
    list: &[(&str, i64)],
) -> Option<Vec<Conforming>> {
    let ints = list.iter().map(|(name, value)| ((*name).to_owned(), AttributeValue::Int(*value)));
    let mut attributes: Attributes = ints.collect();
    attributes.insert("epsilon".to_owned(), AttributeValue::Float(0));
    let version = GROUPNORMALIZATION.version(since).unwrap();
    let count = x.elements();
    let own = own.map(|all| Tensor::from_values(Float32, vec![all.len()], all).ok());
    let inputs = [Some(x)].into_iter().chain(own).collect();
    let specification = Specification::Onnx;
    let made = Call::new(&GROUPNORMALIZATION, version, specification, attributes, inputs);
    let (call, types) = made.ok()?;
    let allowed = GROUPNORMALIZATION.reference.allowed(&call, &types);
    Some((0..count).map(|index| allowed[0].at(index)).collect())
}

/// Two instances of four channels of two elements.
fn x() -> Tensor {
    let of_instance = [1.0_f32, 3.0, 3.0, 1.0, 10.0, 18.0, 10.0, 18.0];
    let all = of_instance.into_iter().chain(of_instance.map(|x| 2.0 * x)).collect();
    Tensor::from_values(Float32, vec![2, 4, 2], all).unwrap()
}

fn bits(all: &[f32]) -> Vec<Conforming> {
    all.iter().map(|x| Conforming::One(x.to_bits().into())).collect()
}

#[test]
fn each_group_has_its_mean_and_version_18_a_scale_for_each_group() {
    let all = call(18, x(), [vec![1.0, 2.0], vec![0.0, 1.0]], &[("num_groups", 2)]).unwrap();
    let of_instance = [-1.0, 1.0, 1.0, -1.0, -1.0, 3.0, -1.0, 3.0];
    assert_eq!(all, bits(&[of_instance, of_instance].concat()));
}

#[test]
fn version_21_has_a_scale_for_each_channel() {
    let own = [vec![1.0, 2.0, 3.0, 4.0], vec![0.0, 0.0, 1.0, 0.0]];
    let all = call(21, x(), own, &[("num_groups", 2)]).unwrap();
    let of_instance = [-1.0, 1.0, 2.0, -2.0, -2.0, 4.0, -4.0, 4.0];
    assert_eq!(all, bits(&[of_instance, of_instance].concat()));
}

#[test]
fn a_result_that_is_16_ulp_off_fails_in_both_versions() {
    let numbers = [1.0_f32, 2.5, -3.0, 4.25, 0.3, -7.0];
    let x = || Tensor::from_values(Float32, vec![1, 2, 3], numbers.to_vec()).unwrap();
    let mean = numbers.iter().map(|x| f64::from(*x)).sum::<f64>() / 6.0;
    let squares = numbers.iter().map(|x| (f64::from(*x) - mean).powi(2));
    let deviation = (squares.sum::<f64>() / 6.0).sqrt();
    for (since, count) in [(18, 1), (21, 2)] {
        let own = [vec![1.0; count], vec![0.0; count]];
        let all = call(since, x(), own, &[("num_groups", 1)]).unwrap();
        for (conforming, x) in all.iter().zip(numbers) {
            let near = u64::from((((f64::from(x) - mean) / deviation) as f32).to_bits());
            assert!(conforming.accepts(near), "{x} {conforming:?}");
            let is_far = (f64::from(x) - mean).abs() > 1.0;
            assert!(!is_far || !conforming.accepts(near + 24) && !conforming.accepts(near - 24));
        }
    }
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let made = |since, count: usize, list: &[(&str, i64)]| {
        call(since, x(), [vec![1.0; count], vec![1.0; count]], list).is_some()
    };
    assert!(made(18, 2, &[("num_groups", 2)]) && made(21, 4, &[("num_groups", 2)]));
    assert!(!made(18, 4, &[("num_groups", 2)]) && !made(21, 2, &[("num_groups", 2)]));
    for groups in [0, -1, -2, 3, 8, i64::MIN] {
        assert!(!made(21, 4, &[("num_groups", groups)]), "{groups}");
    }
    assert!(!made(21, 4, &[]) && !made(21, 4, &[("num_groups", 2), ("stash_type", 6)]));
    assert!(!made(18, 2, &[("num_groups", 2), ("stash_type", 1)]));
}
