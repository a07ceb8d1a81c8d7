//! Locations between elements, the readings outside of the data, orders of sums, and what is refused.

use super::*;
use crate::exact::Conforming;
use crate::operator::{AttributeValue, Attributes, Specification};
use values::dtype::DType::{Float16, Float32};
use values::tensor::Tensor;

fn deformed(
    inputs: &[Option<Tensor>; 5],
    list: &[(&str, &[i64])],
) -> Result<(Vec<usize>, Vec<Conforming>), Invalid> {
    let value = |(name, values): &(&str, &[i64])| {
        let value = match name.ends_with("group") {
            true => AttributeValue::Int(values[0]),
            false => AttributeValue::Ints(values.to_vec()),
        };
        ((*name).to_owned(), value)
    };
    let attributes: Attributes = list.iter().map(value).collect();
    let version = DEFORMCONV.newest();
    let inputs = inputs.to_vec();
    let (call, types) = Call::new(&DEFORMCONV, version, Specification::Onnx, attributes, inputs)?;
    let allowed = DEFORMCONV.reference.allowed(&call, &types);
    let count = types[0].shape.iter().product();
    Ok((types[0].shape.clone(), (0..count).map(|at| allowed[0].at(at)).collect()))
}

fn floats(shape: &[usize], all: &[f32]) -> Tensor {
    Tensor::from_values(Float32, shape.to_vec(), all.to_vec()).unwrap()
}

/// What a single weight makes of a row, at places that are moved by these offsets.
fn of_row(x: &[f32], weight: f32, offsets: &[f32], pads: &[i64]) -> Vec<Conforming> {
    let inputs = [
        Some(floats(&[1, 1, x.len()], x)),
        Some(floats(&[1, 1, 1], &[weight])),
        Some(floats(&[1, 1, offsets.len()], offsets)),
        None,
        None,
    ];
    deformed(&inputs, &[("pads", pads)]).unwrap().1
}

/// Whether numbers conform, and none that is 16 ULP off.
fn accept(all: &[Conforming], numbers: &[f32]) -> bool {
    let accepts = |(one, number): (&Conforming, &f32)| {
        one.is_decided()
            && one.accepts(number.to_bits().into())
            && !one.accepts((number.to_bits() + 16).into())
    };
    all.len() == numbers.len() && all.iter().zip(numbers).all(accepts)
}

const ROW: [f32; 4] = [1.0, 2.0, 4.0, 8.0];

#[test]
fn elements_are_taken_between_others() {
    let all = of_row(&ROW, 1.0, &[0.5, -0.25, 0.75, -0.5], &[0, 0]);
    assert!(accept(&all, &[1.5, 1.75, 7.0, 6.0]), "{all:?}");
    let all = of_row(&ROW, 3.0, &[3.0, 1.0, -1.0, -3.0], &[0, 0]);
    assert!(accept(&all, &[24.0, 12.0, 6.0, 3.0]), "{all:?}");
    // All of these numbers are exact in any order.
    assert!(all.iter().all(|one| matches!(one, Conforming::One(_))), "{all:?}");
}

#[test]
fn beside_data_that_are_not_padded_is_a_mean_with_zero_or_zero() {
    let all = of_row(&ROW, 1.0, &[-0.5, 3.0, 7.0, 0.25], &[0, 0]);
    for (one, accepted, refused) in [
        (&all[0], &[0.5_f32, 0.0][..], 0.25_f32),
        (&all[1], &[0.0], 4.0),
        (&all[2], &[0.0], 4.0),
        (&all[3], &[6.0, 0.0], 3.0),
    ] {
        assert!(accepted.iter().all(|it| one.accepts(it.to_bits().into())), "{one:?}");
        assert!(!one.accepts(refused.to_bits().into()), "{one:?}");
    }
    // Where they are padded there is no such question.
    let all = of_row(&ROW, 1.0, &[0.5, -0.5, 0.0, 0.0, 0.25, -0.75], &[1, 1]);
    let numbers = [0.5_f32, 0.5, 2.0, 4.0, 6.0, 6.0];
    assert!(accept(&all, &numbers), "{all:?}");
}

#[test]
fn locations_are_rounded_from_the_data_or_from_their_padding() {
    // 1 less 1 - 2^-24 is 2^-24; counted from the padding it is 1 + 2^-24, which float32 rounds to 1.
    let all = of_row(&[0.0, 1024.0], 1.0, &[0.0, 0.0, 2.0_f32.powi(-24) - 1.0, 0.0], &[1, 1]);
    for number in [2.0_f32.powi(-14), 0.0] {
        assert!(all[2].accepts(number.to_bits().into()), "{all:?}");
    }
    assert!(!all[2].accepts(2.0_f32.powi(-12).to_bits().into()), "{all:?}");
}

#[test]
fn the_offset_along_the_first_dimension_comes_first() {
    let x = floats(&[1, 1, 2, 2], &[1.0, 2.0, 3.0, 5.0]);
    let mut offsets = [0.0; 8];
    (offsets[0], offsets[4]) = (0.5, 0.25);
    let w = floats(&[1, 1, 1, 1], &[1.0]);
    let inputs = [Some(x), Some(w), Some(floats(&[1, 2, 2, 2], &offsets)), None, None];
    assert!(accept(&deformed(&inputs, &[]).unwrap().1, &[2.375, 2.0, 3.0, 5.0]));
}

#[test]
fn masks_groups_and_biases_are_those_of_their_channels() {
    let inputs = |bias: Option<&[f32]>| {
        [
            Some(floats(&[1, 2, 2], &[1.0, 2.0, 10.0, 20.0])),
            Some(floats(&[2, 1, 1], &[1.0, 2.0])),
            Some(floats(&[1, 2, 2], &[0.5, 0.0, 0.0, -1.0])),
            bias.map(|bias| floats(&[2], bias)),
            Some(floats(&[1, 2, 2], &[2.0, 1.0, 0.5, 0.25])),
        ]
    };
    let groups = [("group", &[2][..]), ("offset_group", &[2])];
    let (shape, all) = deformed(&inputs(Some(&[100.0, 200.0])), &groups).unwrap();
    assert_eq!(shape, [1, 2, 2]);
    assert!(accept(&all, &[103.0, 102.0, 210.0, 205.0]), "{all:?}");
    assert!(accept(&deformed(&inputs(None), &groups).unwrap().1, &[3.0, 2.0, 10.0, 5.0]));
}

#[test]
fn every_order_of_products_and_sums_conforms() {
    let third = 1.0_f32 / 3.0;
    let [a, b, m, w] = [1.1_f32, 7.3, 0.7, third];
    let inputs = [
        Some(floats(&[1, 1, 2], &[a, b])),
        Some(floats(&[1, 1, 1], &[w])),
        Some(floats(&[1, 1, 2], &[0.3, 0.0])),
        None,
        Some(floats(&[1, 1, 2], &[m, 1.0])),
    ];
    let (_, all) = deformed(&inputs, &[]).unwrap();
    let (t, rest) = (0.3_f32, 1.0 - 0.3_f32);
    for result in [
        w * (m * (rest * a + t * b)),
        (w * m) * (rest * a + t * b),
        w * m * rest * a + w * m * t * b,
        (w * rest) * (m * a) + (w * t) * (m * b),
        (f64::from(w) * f64::from(m) * (0.7 * f64::from(a) + 0.3 * f64::from(b))) as f32,
    ] {
        assert!(all[0].accepts(result.to_bits().into()), "{result} {:?}", all[0]);
        assert!(!all[0].accepts((result.to_bits() + 16).into()), "{result} {:?}", all[0]);
        assert!(!all[0].accepts((result.to_bits() - 16).into()), "{result} {:?}", all[0]);
    }
}

#[test]
fn products_that_may_overflow_or_underflow_before_others_do_so() {
    let of = |x: u16, w: u16, mask: u16| {
        let tensor = |bits: u16| Tensor::from_values(Float16, vec![1, 1, 1], vec![bits]).unwrap();
        let inputs = [tensor(x), tensor(w), tensor(0), tensor(0), tensor(mask)].map(Some);
        let [x, w, offset, _, mask] = inputs;
        deformed(&[x, w, offset, None, mask], &[]).unwrap().1.remove(0)
    };
    // 1024 * 1024 * 2^-10 is 1024, unless the first two are multiplied first.
    let one = of(0x6400, 0x6400, 0x1400);
    assert!(one.accepts(0x6400) && one.accepts(0x7c00) && !one.accepts(0x6410), "{one:?}");
    // 2^-20 * 2^-10 * 2^10 is 2^-20, or 0.
    let one = of(0x0010, 0x1400, 0x6400);
    assert!(one.accepts(0x0010) && one.accepts(0), "{one:?}");
}

#[test]
fn weights_that_are_no_numbers_make_a_nan_of_zeros_or_nothing() {
    let all = of_row(&ROW, f32::INFINITY, &[0.0, 9.0, 0.0, 0.0], &[0, 0]);
    let bits = |number: f32| u64::from(number.to_bits());
    assert!(all[0].accepts(bits(f32::INFINITY)) && !all[0].accepts(bits(1.0)), "{all:?}");
    assert!(all[1].accepts(bits(0.0)) && all[1].accepts(bits(f32::NAN)), "{all:?}");
    let all = of_row(&[1.0, f32::INFINITY, 4.0, 8.0], 1.0, &[0.0; 4], &[0, 0]);
    // Its weight is 0 at the first place.
    assert!(all[0].accepts(bits(1.0)) && all[0].accepts(bits(f32::NAN)), "{all:?}");
    assert!(all[1].accepts(bits(f32::INFINITY)) && !all[3].accepts(bits(f32::NAN)), "{all:?}");
}

#[test]
fn locations_that_are_no_numbers_and_masks_of_two_shapes_are_open() {
    for offset in [f32::NAN, f32::INFINITY] {
        assert!(!of_row(&ROW, 1.0, &[offset, 0.0, 0.0, 0.0], &[0, 0])[0].is_decided());
    }
    for (channels, fits) in [(8, true), (24, true), (16, false)] {
        let inputs = [
            Some(floats(&[1, 1, 2, 2, 2], &[1.0; 8])),
            Some(floats(&[1, 1, 2, 2, 2], &[1.0; 8])),
            Some(floats(&[1, 24, 1, 1, 1], &[0.0; 24])),
            None,
            Some(floats(&[1, channels, 1, 1, 1], &vec![1.0; channels])),
        ];
        let all = deformed(&inputs, &[]).map(|(_, all)| all[0].is_decided());
        assert_eq!(all.ok(), fits.then_some(false), "{channels}");
    }
}

#[test]
fn what_does_not_fit_is_refused_and_nothing_overflows() {
    let run = |offset: &[usize], list: &[(&str, &[i64])]| {
        let ones = |shape: &[usize]| floats(shape, &vec![1.0; shape.iter().product()]);
        let inputs = [ones(&[1, 2, 3, 3]), ones(&[2, 2, 2, 2]), ones(offset)].map(Some);
        let [x, w, offset] = inputs;
        deformed(&[x, w, offset, None, None], list).is_ok()
    };
    let eight = &[1, 8, 2, 2][..];
    assert!(run(eight, &[]) && run(&[1, 16, 2, 2], &[("offset_group", &[2])]));
    for offset in [&[1, 4, 2, 2][..], &[1, 8, 2, 3], &[2, 8, 2, 2], &[1, 8, 4], &[1, 8]] {
        assert!(!run(offset, &[]), "{offset:?}");
    }
    for list in [
        ("offset_group", &[2][..]),
        ("offset_group", &[3]),
        ("offset_group", &[i64::MIN]),
        ("offset_group", &[i64::MAX]),
        ("group", &[0]),
        ("pads", &[i64::MAX; 4]),
        ("pads", &[-1, 0, 0, 0]),
        ("strides", &[0, 1]),
        ("strides", &[i64::MAX, 1]),
        ("dilations", &[i64::MAX, 1]),
        ("kernel_shape", &[2, 3]),
    ] {
        assert!(!run(eight, &[list]), "{list:?}");
    }
}
