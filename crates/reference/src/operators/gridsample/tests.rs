//! Samples of every mode and padding, and locations near which rounding decides.

use super::*;
use crate::operator::{AttributeValue, Attributes, Specification};
use values::dtype::DType::{Float32, Int32};

fn sampled(
    since: i64,
    x: Tensor,
    grid: Tensor,
    attributes: &[(&str, &str)],
    align: i64,
) -> Option<Vec<Conforming>> {
    let text = |(name, text): &(&str, &str)| {
        ((*name).to_owned(), AttributeValue::Text((*text).to_owned()))
    };
    let align = ("align_corners".to_owned(), AttributeValue::Int(align));
    let attributes: Attributes = attributes.iter().map(text).chain([align]).collect();
    let version = GRIDSAMPLE.version(since).unwrap();
    let inputs = vec![Some(x), Some(grid)];
    let made = Call::new(&GRIDSAMPLE, version, Specification::Onnx, attributes, inputs);
    let (call, types) = made.ok()?;
    let allowed = GRIDSAMPLE.reference.allowed(&call, &types);
    let count = types[0].shape.iter().product();
    Some((0..count).map(|at| allowed[0].at(at)).collect())
}

fn floats(shape: &[usize], all: &[f32]) -> Tensor {
    Tensor::from_values(Float32, shape.to_vec(), all.to_vec()).unwrap()
}

/// Samples of a row of four elements at these x.
fn of_row(at: &[f32], attributes: &[(&str, &str)], align: i64) -> Vec<Conforming> {
    let grid: Vec<f32> = at.iter().flat_map(|x| [*x, 0.0]).collect();
    let x = floats(&[1, 1, 1, 4], &[1.0, 2.0, 4.0, 8.0]);
    sampled(22, x, floats(&[1, 1, at.len(), 2], &grid), attributes, align).unwrap()
}

fn accept(all: &[Conforming], numbers: &[f32]) -> bool {
    let accepts = |(one, number): (&Conforming, &f32)| {
        one.is_decided()
            && one.accepts(number.to_bits().into())
            && !one.accepts((number + 0.001).to_bits().into())
    };
    all.len() == numbers.len() && all.iter().zip(numbers).all(accepts)
}

#[test]
fn means_are_weighted_by_the_distances_of_elements_and_padded() {
    let linear = |padding: &str, at: &[f32], align: i64, numbers: &[f32]| {
        let all = of_row(at, &[("padding_mode", padding)], align);
        assert!(accept(&all, numbers), "{padding}: {all:?}");
    };
    linear("zeros", &[-1.0, -0.75, -0.5, 1.0, 2.0], 0, &[0.5, 1.0, 1.5, 4.0, 0.0]);
    linear("border", &[-1.0, 1.0, 40.0, -1e30], 0, &[1.0, 8.0, 8.0, 1.0]);
    linear("reflection", &[-1.25, -1.5, 1.75, 5.75], 0, &[1.0, 1.5, 4.0, 4.0]);
    linear("reflection", &[-1.0, 1.0, 3.0], 1, &[1.0, 8.0, 1.0]);
    let cubic = of_row(&[0.0, -0.75, -1.0], &[("mode", "cubic")], 0);
    assert!(accept(&cubic, &[2.71875, 1.0, 0.40625]), "{cubic:?}");
    let third = of_row(&[1.0 / 3.0], &[], 1);
    assert!(
        third[0].accepts(4.0_f32.to_bits().into()) && !third[0].accepts(4.001_f32.to_bits().into())
    );
}

#[test]
fn a_cubic_location_beyond_the_border_is_there_or_its_elements_are() {
    let attributes = [("mode", "cubic"), ("padding_mode", "border")];
    // At -0.75 the elements are those at -2, -1, 0 and 1, all but the last at the border.
    let all = of_row(&[-1.125], &attributes, 0);
    let mixed = 1.0 - 0.75 * 0.25_f32.powi(2) * 0.75;
    for number in [1.0, mixed] {
        assert!(all[0].accepts(number.to_bits().into()), "{number} {all:?}");
    }
    assert!(!all[0].accepts(1.01_f32.to_bits().into()));
    assert!(accept(&of_row(&[-40.0], &attributes, 0), &[1.0]));
}

#[test]
fn products_of_one_element_at_the_border_are_rounded_each() {
    let attributes = [("mode", "linear"), ("padding_mode", "border")];
    let third = 1.0_f32 / 3.0;
    let x = || floats(&[1, 1, 1, 2], &[third, 5.0]);
    let grid = floats(&[1, 1, 1, 2], &[-3.3, 0.0]);
    let all = sampled(22, x(), grid, &attributes, 0).unwrap();
    for bits in [third.to_bits() - 1, third.to_bits(), third.to_bits() + 1] {
        assert!(all[0].accepts(bits.into()), "{all:?}");
    }
    assert!(!all[0].accepts((third.to_bits() + 8).into()));
}

#[test]
fn an_infinity_without_weight_makes_a_nan_or_nothing() {
    let of = |infinity: f32, at: f32, mode: &str| {
        let x = floats(&[1, 1, 1, 4], &[infinity, 2.0, 4.0, infinity]);
        let grid = floats(&[1, 1, 1, 2], &[at, 0.0]);
        sampled(22, x, grid, &[("mode", mode)], 0).unwrap().remove(0)
    };
    let accepts = |one: &Conforming, number: f32| one.accepts(number.to_bits().into());
    for infinity in [f32::INFINITY, f32::NAN] {
        // At the element of 4, next to which the last one has no weight.
        for mode in ["linear", "cubic"] {
            let idle = of(infinity, 0.25, mode);
            assert!(accepts(&idle, 4.0) && accepts(&idle, f32::NAN), "{mode} {idle:?}");
            assert!(!accepts(&idle, 4.5) && !accepts(&idle, f32::INFINITY), "{mode} {idle:?}");
        }
        let heavy = of(infinity, 0.5, "linear");
        assert!(accepts(&heavy, infinity) && !accepts(&heavy, 4.0), "{heavy:?}");
    }
}

#[test]
fn the_nearest_element_is_the_even_one_or_either() {
    let nearest = |padding: &str| {
        let attributes = [("mode", "nearest"), ("padding_mode", padding)];
        of_row(&[-1.0, -0.5, 0.0, 0.5, 1.0], &attributes, 0)
    };
    assert!(accept(&nearest("zeros"), &[1.0, 1.0, 4.0, 4.0, 0.0]));
    assert!(accept(&nearest("border"), &[1.0, 1.0, 4.0, 4.0, 8.0]));
    let x = || floats(&[1, 1, 1, 4], &[1.0, 2.0, 4.0, 8.0]);
    let of_16 = |at: f32| {
        let grid = floats(&[1, 1, 1, 2], &[at, 0.0]);
        sampled(16, x(), grid, &[("mode", "nearest")], 0).unwrap().remove(0)
    };
    for number in [2.0_f32, 4.0] {
        assert!(of_16(0.0).accepts(number.to_bits().into()));
    }
    assert!(accept(&[of_16(0.25)], &[4.0]));
    // As float32 computes it, the location is halfway, though it is not.
    let near = of_row(&[f32::from_bits(1)], &[("mode", "nearest")], 0);
    assert!([2.0_f32, 4.0].iter().all(|number| near[0].accepts(number.to_bits().into())));
    // Rounded before it is reflected, or after.
    let attributes = [("mode", "nearest"), ("padding_mode", "reflection")];
    let reflected = of_row(&[-1.5], &attributes, 0);
    assert!([1.0_f32, 2.0].iter().all(|number| reflected[0].accepts(number.to_bits().into())));
}

#[test]
fn integers_are_truncated_and_other_elements_have_no_mean() {
    let x = Tensor::from_values(Int32, vec![1, 1, 1, 4], vec![-3, 0, 5, 7]).unwrap();
    let grid = floats(&[1, 1, 2, 2], &[-0.5, 0.0, 0.25, 0.0]);
    let all = sampled(22, x, grid, &[], 0).unwrap();
    let one = |number: i32| Conforming::One(u64::from(number.cast_unsigned()));
    assert_eq!(all, [one(-1), one(5)]);
    let x = Tensor::from_strings(vec![1, 1, 1, 1], vec!["a".into()]).unwrap();
    let grid = floats(&[1, 1, 2, 2], &[0.0, 0.0, 4.0, 0.0]);
    let linear = sampled(22, x.clone(), grid.clone(), &[], 0).unwrap();
    assert!(linear.iter().all(|one| !one.is_decided()));
    let nearest = sampled(22, x, grid, &[("mode", "nearest")], 0).unwrap();
    assert!(nearest[0].is_decided() && !nearest[1].is_decided());
}

#[test]
fn dimensions_come_in_reverse_order_and_grids_that_do_not_fit_are_refused() {
    let x = || floats(&[1, 1, 2, 1, 1], &[1.0, 3.0]);
    let all = sampled(22, x(), floats(&[1, 1, 1, 1, 3], &[0.0, 0.0, 0.5]), &[], 0);
    assert!(accept(&all.unwrap(), &[3.0]));
    assert_eq!(sampled(16, x(), floats(&[1, 1, 1, 1, 3], &[0.0; 3]), &[], 0), None);
    for shape in [&[1, 1, 1, 1, 2][..], &[2, 1, 1, 1, 3], &[1, 1, 1, 3]] {
        let grid = floats(shape, &vec![0.0; shape.iter().product()]);
        assert_eq!(sampled(22, x(), grid, &[], 0), None, "{shape:?}");
    }
    assert_eq!(sampled(22, x(), floats(&[1, 1, 1, 1, 3], &[0.0; 3]), &[], 2), None);
}

#[test]
fn locations_that_are_no_numbers_are_open() {
    for x in [f32::NAN, f32::INFINITY, f32::MAX] {
        assert!(!of_row(&[x], &[], 0)[0].is_decided(), "{x}");
    }
}
