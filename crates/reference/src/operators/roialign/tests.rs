//! Bins of every mode, locations near which rounding decides, and what the text leaves open.

use super::*;
use crate::exact::Conforming;
use crate::operator::{AttributeValue, Attributes, Specification};
use values::dtype::DType::{Float16, Float32, Int64};

const ROWS: usize = 3;
const COLUMNS: usize = 4;

fn floats(shape: &[usize], all: &[f32]) -> Tensor {
    Tensor::from_values(Float32, shape.to_vec(), all.to_vec()).unwrap()
}

/// The pixels of an image of two batches, numbered from 1.
fn image() -> Tensor {
    let all: Vec<f32> = (1..=2 * ROWS * COLUMNS).map(|at| at as f32).collect();
    floats(&[2, 1, ROWS, COLUMNS], &all)
}

fn made(
    since: i64,
    inputs: [Tensor; 3],
    attributes: &[(&str, AttributeValue)],
) -> Result<Vec<Conforming>, Invalid> {
    let of = |(name, value): &(&str, AttributeValue)| ((*name).to_owned(), value.clone());
    let attributes: Attributes = attributes.iter().map(of).collect();
    let version = ROIALIGN.version(since).unwrap();
    let inputs = inputs.map(Some).into();
    let (call, types) = Call::new(&ROIALIGN, version, Specification::Onnx, attributes, inputs)?;
    let allowed = ROIALIGN.reference.allowed(&call, &types);
    let count = types[0].shape.iter().product();
    Ok((0..count).map(|at| allowed[0].at(at)).collect())
}

/// The bins of one region of an image.
fn of_region(
    x: Tensor,
    roi: [f32; 4],
    batch: i64,
    attributes: &[(&str, AttributeValue)],
) -> Vec<Conforming> {
    let batches = Tensor::from_values(Int64, vec![1], vec![batch]).unwrap();
    made(22, [x, floats(&[1, 4], &roi), batches], attributes).unwrap()
}

fn bins(roi: [f32; 4], attributes: &[(&str, AttributeValue)]) -> Vec<Conforming> {
    of_region(image(), roi, 0, attributes)
}

fn int(name: &'static str, value: i64) -> (&'static str, AttributeValue) {
    (name, AttributeValue::Int(value))
}

fn text(name: &'static str, value: &str) -> (&'static str, AttributeValue) {
    (name, AttributeValue::Text(value.to_owned()))
}

fn ratio(samples: i64) -> (&'static str, AttributeValue) {
    int("sampling_ratio", samples)
}

fn unshifted() -> (&'static str, AttributeValue) {
    text("coordinate_transformation_mode", "output_half_pixel")
}

fn accepts(one: &Conforming, number: f32) -> bool {
    one.is_decided() && one.accepts(number.to_bits().into())
}

/// Whether each is this number, and no other that is 16 units away.
fn are(all: &[Conforming], numbers: &[f32]) -> bool {
    let is = |(one, number): (&Conforming, &f32)| {
        let far = [-16_i32, 16].map(|by| f32::from_bits(number.to_bits().wrapping_add_signed(by)));
        accepts(one, *number) && (*number == 0.0 || far.iter().all(|far| !accepts(one, *far)))
    };
    all.len() == numbers.len() && all.iter().zip(numbers).all(is)
}

#[test]
fn bins_are_means_of_samples_between_pixels() {
    let two = int("output_width", 2);
    assert!(are(&bins([0.0, 0.0, 2.0, 1.0], std::slice::from_ref(&two)), &[1.0, 2.0]));
    assert!(are(&bins([0.0, 0.0, 2.0, 1.0], &[two, unshifted()]), &[3.5, 4.5]));
    assert!(are(&bins([0.0, 0.0, 4.0, 3.0], &[ratio(2)]), &[6.5]));
    assert!(are(&bins([0.25, 0.5, 1.5, 1.75], &[ratio(1)]), &[3.875]));
    let half = ("spatial_scale", AttributeValue::Float(0.5_f32.to_bits()));
    assert!(are(&bins([2.0, 2.0, 4.0, 4.0], &[half]), &[6.0]));
    assert!(are(&of_region(image(), [0.0, 0.0, 1.0, 1.0], 1, &[]), &[13.0]));
    // By the size of the bins: three samples in each of two rows.
    assert!(are(&bins([0.0, 0.0, 2.25, 2.0], &[]), &[(0.0 + 0.625 + 1.375) / 3.0 + 3.0]));
    // A third that every order rounds.
    let thirds = bins([0.0, 0.0, 4.0, 3.0], &[int("output_width", 3), ratio(1)]);
    assert!(accepts(&thirds[0], 5.0 + 1.0 / 6.0) && !accepts(&thirds[0], 5.1667));
}

#[test]
fn samples_outside_are_those_at_the_border_or_zeros() {
    assert!(are(&bins([0.0, 0.0, 0.5, 0.5], &[ratio(1)]), &[1.0]));
    assert!(are(&bins([-3.0, 0.0, -1.0, 1.0], &[ratio(1)]), &[0.0]));
    assert!(are(&bins([4.0, 2.0, 4.5, 3.0], &[ratio(1)]), &[12.0]));
    assert!(are(&bins([-2.0, 0.0, 2.0, 1.0], &[ratio(2)]), &[1.0]));
    let between = |left: f32, right: f32| bins([left, 0.0, right, 1.0], &[ratio(1)]).remove(0);
    assert!(accepts(&between(-0.9999, 0.0), 1.0) && accepts(&between(-1.0001, 0.0), 0.0));
    assert!(accepts(&between(4.0, 4.999), 4.0) && accepts(&between(4.0, 5.001), 0.0));
    // Exactly one pixel outside, and so close to it that a rounding leads there.
    for (left, right) in [(-1.0, 0.0), (4.0, 5.0), (-1.0 + f32::EPSILON / 2.0, 0.0)] {
        assert!(!between(left, right).is_decided(), "{left} {right}");
    }
}

#[test]
fn the_largest_is_that_of_the_samples_or_of_the_products() {
    let max = || text("mode", "max");
    let all = bins([0.0, 0.0, 4.0, 3.0], &[max(), ratio(1)]);
    assert!(accepts(&all[0], 6.5) && accepts(&all[0], 3.5), "{all:?}");
    assert!([3.0, 5.0, 6.4, 6.6].iter().all(|other| !accepts(&all[0], *other)), "{all:?}");
    // In the middle of pixels both are the same.
    assert!(are(&bins([0.0, 0.0, 2.0, 1.0], &[max()]), &[2.0]));
    // Below zero the products of pixels without weight are zeros.
    let negative = floats(&[1, 1, 1, 2], &[-1.0, -3.0]);
    let all = of_region(negative, [0.0, 0.0, 2.0, 1.0], 0, &[max()]);
    assert!([-1.0, 0.0, -0.0].iter().all(|number| accepts(&all[0], *number)), "{all:?}");
    assert!(!accepts(&all[0], -0.5) && !accepts(&all[0], -3.0));
    // Beside a sample outside.
    let negative = floats(&[1, 1, 1, 1], &[-1.0]);
    let all = of_region(negative, [-3.0, 0.0, 1.0, 1.0], 0, &[max(), ratio(2)]);
    assert!(accepts(&all[0], 0.0) && !accepts(&all[0], -1.0));
}

#[test]
fn a_narrow_region_is_widened_or_not() {
    let narrow = [1.0, 1.0, 1.0, 1.0];
    let all = bins(narrow, &[unshifted(), ratio(1)]);
    assert!(accepts(&all[0], 6.0) && accepts(&all[0], 8.5) && !accepts(&all[0], 7.0), "{all:?}");
    assert!(are(&bins(narrow, &[ratio(1)]), &[3.5]));
    let batches = Tensor::from_values(Int64, vec![1], vec![0_i64]).unwrap();
    let old = made(10, [image(), floats(&[1, 4], &[0.0, 0.0, 2.0, 1.0]), batches], &[]).unwrap();
    assert!(are(&old, &[4.0]), "{old:?}");
}

#[test]
fn what_the_text_does_not_say_is_open() {
    let is_open = |roi: [f32; 4], attributes: &[_]| !bins(roi, attributes)[0].is_decided();
    assert!(is_open([2.0, 0.0, 1.0, 1.0], &[ratio(1)]));
    assert!(is_open([1.0, 1.0, 1.0, 1.0], &[]));
    assert!(is_open([f32::NAN, 0.0, 1.0, 1.0], &[ratio(1)]));
    assert!(is_open([0.0, 0.0, f32::INFINITY, 1.0], &[ratio(1)]));
    assert!(is_open([0.0, 0.0, f32::MAX, f32::MAX], &[]));
    assert!(is_open([0.0, 0.0, 1.0, 1.0], &[ratio(-1)]));
    assert!(is_open([0.0, 0.0, 1.0, 1.0], &[ratio(1 << 40)]));
    // Half a sample more, by rounding of the width.
    assert!(is_open([0.1, 0.0, 1.1, 1.0], &[]));
    assert!(!is_open([0.1, 0.0, 1.05, 1.0], &[]));
    for batch in [-1, 2] {
        assert!(!of_region(image(), [0.0, 0.0, 1.0, 1.0], batch, &[])[0].is_decided());
    }
    let none = floats(&[1, 1, 0, 2], &[]);
    assert!(!of_region(none, [0.0, 0.0, 1.0, 1.0], 0, &[])[0].is_decided());
    let nan = floats(&[1, 1, 1, 1], &[f32::NAN]);
    let all = of_region(nan, [0.0, 0.0, 1.0, 1.0], 0, &[text("mode", "max")]);
    assert!(!all[0].is_decided());
}

#[test]
fn a_pixel_without_weight_counts_or_not_where_it_is_no_number() {
    let x = || floats(&[1, 1, 1, 2], &[5.0, f32::INFINITY]);
    let all = of_region(x(), [0.0, 0.0, 1.0, 1.0], 0, &[]);
    assert!(accepts(&all[0], 5.0) && accepts(&all[0], f32::NAN), "{all:?}");
    assert!(!accepts(&all[0], f32::INFINITY));
    let all = of_region(x(), [0.25, 0.0, 1.25, 1.0], 0, &[ratio(1)]);
    assert!(accepts(&all[0], f32::INFINITY) && !accepts(&all[0], 5.0), "{all:?}");
}

#[test]
fn coordinates_of_few_bits_widen_what_conforms() {
    // Of positive normal numbers, without the bits that float16 lacks.
    let bits = |number: f32| ((number.to_bits() >> 13) - (112 << 10)) as u16;
    let half = |all: &[f32], shape: &[usize]| {
        let bits = all.iter().map(|it| bits(*it)).collect::<Vec<u16>>();
        Tensor::from_values(Float16, shape.to_vec(), bits).unwrap()
    };
    let all: Vec<f32> = (1..=12).map(|at| at as f32).collect();
    let batches = Tensor::from_values(Int64, vec![1], vec![0_i64]).unwrap();
    let inputs = [half(&all, &[1, 1, 3, 4]), half(&[0.3, 1.0, 2.7, 2.0], &[1, 4]), batches];
    let made = made(22, inputs, &[ratio(2), int("output_width", 3)]).unwrap();
    let accepts = |number: f32| made[1].accepts(bits(number).into());
    assert!(accepts(6.0) && accepts(5.996) && !accepts(6.125) && !accepts(5.875), "{made:?}");
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let batches =
        |count: usize| Tensor::from_values(Int64, vec![count], vec![0_i64; count]).unwrap();
    let roi = || floats(&[1, 4], &[0.0, 0.0, 1.0, 1.0]);
    assert!(made(22, [image(), roi(), batches(2)], &[]).is_err());
    assert!(made(22, [image(), floats(&[1, 3], &[0.0; 3]), batches(1)], &[]).is_err());
    assert!(made(22, [floats(&[1, 1, 1], &[0.0]), roi(), batches(1)], &[]).is_err());
    assert!(made(22, [image(), roi(), batches(1)], &[int("output_height", -1)]).is_err());
    assert!(made(22, [image(), roi(), batches(1)], &[int("output_height", i64::MAX)]).is_err());
    assert!(made(10, [image(), roi(), batches(1)], &[unshifted()]).is_err());
    assert_eq!(made(22, [image(), roi(), batches(1)], &[int("output_width", 0)]), Ok(vec![]));
}
