//! Conversions one by one, and all of the narrow types against arithmetic in binary64.

use super::*;
use crate::inputs::tuples;

fn conversion(to: DType) -> Conversion {
    Conversion { to, since: NEWEST, saturate: Some(true), round_modes: [RoundMode::Up; 2] }
}

fn single(value: f32) -> Element {
    Element::Bits(Float32, value.to_bits().into())
}

fn text(text: &'static str) -> Element {
    Element::String(text.into())
}

/// The bits that alone conform, for a number.
fn of(conversion: Conversion, value: f32) -> Option<u64> {
    match conversion.allows(&single(value)) {
        Conforming::One(bits) => Some(bits),
        _ => None,
    }
}

#[test]
fn floats_are_rounded_to_even_and_overflow() {
    for (value, half) in [
        (1.0, 0x3c00),
        (2049.0, 0x6800),
        (2051.0, 0x6802),
        (65519.0, 0x7bff),
        (65520.0, 0x7c00),
        (-1e30, 0xfc00),
        (2_f32.powi(-25), 0),
        (-3e-8, 0x8001),
        (-0.0, 0x8000),
        (f32::INFINITY, 0x7c00),
    ] {
        assert_eq!(of(conversion(Float16), value), Some(half), "{value}");
    }
    let nan = conversion(Float16).allows(&single(f32::NAN));
    assert_eq!(nan, Conforming::AnyNan(&FloatFormat::FLOAT16));
    let early = Conversion { since: 9, ..conversion(Float16) };
    assert_eq!(early.allows(&single(65520.0)), NO_RULE);
}

#[test]
fn eight_bits_saturate_or_not_as_the_tables_say() {
    let cases = [
        (Float8E4M3Fn, 464.0, 465.0, 0x7e, Some(0x7f)),
        (Float8E4M3Fnuz, 247.9, 248.0, 0x7f, Some(0x80)),
        (Float8E5M2, 61439.0, 61440.0, 0x7b, None),
        (Float8E5M2Fnuz, 61439.0, 61440.0, 0x7f, Some(0x80)),
    ];
    for (to, last, first, largest, nan) in cases {
        let keeps = Conversion { saturate: Some(false), ..conversion(to) };
        for conversion in [conversion(to), keeps] {
            assert_eq!(of(conversion, last), Some(largest), "{to}");
        }
        for value in [first, f32::INFINITY] {
            assert_eq!(of(conversion(to), value), Some(largest), "{to}");
            assert_eq!(of(conversion(to), -value), Some(largest | 0x80), "{to}");
            let kept = keeps.allows(&single(value));
            match nan {
                Some(nan) => assert!(kept.accepts(nan) && !kept.accepts(largest), "{to}"),
                None => assert_eq!(kept, Conforming::One(0x7c)),
            }
        }
        let unknown = Conversion { saturate: None, ..conversion(to) };
        assert!(!unknown.allows(&single(1.0)).is_decided());
    }
    for since in [19, 21, 23] {
        let early = Conversion { since, ..conversion(Float8E5M2Fnuz) };
        assert!(early.allows(&single(f32::INFINITY)).accepts(0x80));
        assert_eq!(of(early, 1e9), Some(0x7f));
    }
    assert_eq!(of(conversion(Float8E4M3Fnuz), -0.0), Some(0));
    assert_eq!(of(conversion(Float8E4M3Fn), -0.0), Some(0x80));
}

#[test]
fn four_bits_saturate_and_powers_of_two_are_rounded_as_asked() {
    for (value, bits) in [(0.25, 0), (0.75, 2), (5.0, 6), (7.0, 7), (-1e9, 15), (-0.0, 8)] {
        assert_eq!(of(conversion(Float4E2M1), value), Some(bits), "{value}");
    }
    let nan = conversion(Float4E2M1).allows(&single(f32::NAN));
    assert!(nan.accepts(7) && nan.accepts(8) && !nan.accepts(15));
    let scale = |saturate, round_mode| Conversion {
        saturate: Some(saturate),
        round_modes: [round_mode; 2],
        ..conversion(Float8E8M0)
    };
    for (value, up, down, near) in [
        (1.0, 127, 127, 127),
        (1.25, 128, 127, 127),
        (1.5, 128, 127, 128),
        (1.75, 128, 127, 128),
        (3e-39, 0, 0, 0),
        (6e-39, 1, 0, 0),
        (2_f32.powi(127), 254, 254, 254),
    ]
    .into_iter()
    .filter(|(value, ..)| *value > 5e-39)
    {
        assert_eq!(of(scale(true, RoundMode::Up), value), Some(up), "{value}");
        assert_eq!(of(scale(true, RoundMode::Down), value), Some(down), "{value}");
        assert_eq!(of(scale(false, RoundMode::Nearest), value), Some(near), "{value}");
    }
    for (value, saturated) in [(0.0, 0), (1e-39, 0), (f32::INFINITY, 254), (f32::MAX, 254)] {
        assert_eq!(of(scale(true, RoundMode::Up), value), Some(saturated), "{value}");
        assert_eq!(of(scale(false, RoundMode::Nearest), value), Some(255), "{value}");
        assert_eq!(of(scale(false, RoundMode::Down), value), None, "{value}");
    }
    assert_eq!(of(scale(true, RoundMode::Up), -1.0), None);
    assert_eq!(of(scale(false, RoundMode::Down), f32::NAN), Some(255));
}

/// The magnitudes of both types in sixteenths, in the order of their bits.
#[rustfmt::skip]
const SIXTEENTHS: [(DType, [i64; 32]); 2] = [
    (Float6E2M3, [
        0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30,
        32, 36, 40, 44, 48, 52, 56, 60, 64, 72, 80, 88, 96, 104, 112, 120,
    ]),
    (Float6E3M2, [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28,
        32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448,
    ]),
];

#[test]
fn every_float_of_sixteen_bits_becomes_the_nearest_of_six_bits_and_none_out_of_range_does() {
    for (to, magnitudes) in SIXTEENTHS {
        let half = |bits: u64| FloatFormat::FLOAT16.to_f64(bits);
        // What is beyond the middle between the largest number and the one that would follow.
        let end = 1.5 * magnitudes[31] as f64 - 0.5 * magnitudes[30] as f64;
        for bits in 0..1 << 16 {
            // Multiples of 2^-28, and exact in binary64.
            let scaled = half(bits) * 16.0;
            let conforming = conversion(to).allows(&Element::Bits(Float16, bits.into()));
            if scaled.is_nan() || scaled.abs() >= end {
                assert!(!conforming.is_decided(), "{bits:#x} to {to}");
                continue;
            }
            let apart = |at: usize| (magnitudes[at] as f64 - scaled.abs()).abs();
            let nearest = (0..32).map(apart).fold(f64::INFINITY, f64::min);
            let near = (0..32).filter(|at| apart(*at) == nearest);
            let at = near.min_by_key(|at| at % 2).unwrap() as u64;
            let expected = if bits >> 15 == 1 { at | 0x20 } else { at };
            assert_eq!(conforming, Conforming::One(expected), "{bits:#x} to {to}");
        }
    }
}

#[test]
fn every_float_of_six_bits_is_the_number_that_it_is_in_every_type_that_holds_it() {
    let all = SIXTEENTHS.iter().flat_map(|(from, magnitudes)| {
        let numbered = (0_u64..).zip(magnitudes);
        numbered.flat_map(move |(bits, n)| [(*from, bits, *n), (*from, bits | 0x20, -*n)])
    });
    let mut decided = 0;
    for (from, bits, sixteenths) in all {
        let element = Element::Bits(from, bits.into());
        for to in CONVERTED {
            let conforming = conversion(to).allows(&element);
            let value = sixteenths as f64 / 16.0;
            match to.kind() {
                Kind::Float(format) if format.specials != Specials::ExponentOnly => {
                    let Some(result) = conforming.number() else {
                        assert!(from == Float6E3M2 && to == Float6E2M3 && value.abs() > 7.5);
                        continue;
                    };
                    let back = format.to_f64(result);
                    if format.significand_bits >= 3 || to == from {
                        // Below 1/2 the one type has more numbers than the other.
                        let is_small = to == Float6E2M3 && value.abs() < 0.5;
                        assert!(back == value || is_small, "{from} {bits:#x} to {to}");
                        let has_sign = format.specials != Specials::FiniteNanUnsignedZero;
                        if has_sign || back != 0.0 {
                            let is_negative = back.is_sign_negative();
                            assert_eq!(is_negative, bits >= 0x20, "{from} {bits:#x} to {to}");
                        }
                    }
                }
                Kind::Int { signed, bits: width } if width >= 8 => {
                    let whole = i128::from(sixteenths / 16);
                    let held =
                        (signed || whole >= 0).then(|| whole as u64 & (u64::MAX >> (64 - width)));
                    assert_eq!(conforming.number(), held, "{from} {bits:#x} to {to}");
                }
                Kind::Bool => {
                    assert_eq!(conforming, Conforming::One(u64::from(sixteenths != 0)));
                }
                _ => {}
            }
            decided += usize::from(conforming.is_decided());
        }
    }
    assert!(decided > 128 * 20, "{decided}");
}

#[test]
fn what_a_float_of_six_bits_does_not_reach_is_open() {
    for (to, largest, beyond) in [(Float6E2M3, 7.5, 7.75), (Float6E3M2, 28.0, 30.0)] {
        assert_eq!(of(conversion(to), largest), Some(0x1f));
        assert_eq!(of(conversion(to), f32::from_bits(f32::to_bits(-beyond) - 1)), Some(0x3f));
        assert_eq!(of(conversion(to), -0.0), Some(0x20));
        for value in [beyond, -beyond, f32::MAX, f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
            assert!(!conversion(to).allows(&single(value)).is_decided(), "{value} to {to}");
        }
    }
    // Just above a tie, on which float32 is.
    let near = Element::Bits(Float64, 0x3ff1_0000_0000_0001);
    let both = [9, 8].map(Conforming::One).to_vec();
    assert_eq!(conversion(Float6E2M3).allows(&near), Conforming::OneOf(both));
}

#[test]
fn integers_lose_fractions_and_wrap_and_are_undecided_out_of_range() {
    for (to, value, bits) in [
        (Int8, -1.9, Some(0xff)),
        (Int8, 127.9, Some(127)),
        (Int8, 128.0, None),
        (Uint8, -0.9, Some(0)),
        (Uint8, -1.0, None),
        (Int64, -9.223_372e18, Some(1 << 63)),
        (Uint64, f32::NAN, None),
        (Int4, 7.0, Some(7)),
        (Int4, 7.9, None),
        (Bool, f32::NAN, Some(1)),
        (Bool, -0.0, Some(0)),
        (Bool, 0.5, Some(1)),
    ] {
        assert_eq!(of(conversion(to), value), bits, "{to} {value}");
    }
    let either = conversion(Int4).allows(&single(2.7));
    assert!(either.accepts(2) && either.accepts(3) && !either.accepts(4));
    let long = Element::Bits(Int16, 200);
    assert_eq!(conversion(Int8).allows(&long), Conforming::One(0xc8));
    assert_eq!(Conversion { since: 6, ..conversion(Int8) }.allows(&long), NO_RULE);
    assert_eq!(
        conversion(Text).allows(&Element::Bits(Int16, 0xfff6)),
        Conforming::Same(text("-10"))
    );
}

#[test]
fn texts_are_read_as_far_as_it_is_said_how() {
    for (from, bits) in [
        ("6.14", 6.14_f32),
        ("1000", 1000.0),
        ("1e-5", 1e-5),
        ("1E8", 1e8),
        ("-2.5e+1", -25.0),
        ("+INF", f32::INFINITY),
        ("inf", f32::INFINITY),
        ("-INF", f32::NEG_INFINITY),
    ] {
        let read = conversion(Float32).allows(&text(from));
        assert_eq!(read, Conforming::One(bits.to_bits().into()), "{from}");
    }
    assert!(conversion(Float32).allows(&text("nAN")).accepts(0xffc0_0001));
    let zero = conversion(Float32).allows(&text("-0"));
    assert!(zero.accepts(0) && zero.accepts(1 << 31));
    for from in ["", "Hello", "1e99999999999", "1e2001", "1e39", "-inf", ".5", "5.", "+5", "1e"] {
        assert!(!conversion(Float32).allows(&text(from)).is_decided(), "{from}");
    }
    // Just above a tie of float16, on which float32 is.
    let near = conversion(Float16).allows(&text("1.00048828125000000001"));
    assert!(near.accepts(0x3c00) && near.accepts(0x3c01));
    for (from, to, bits) in [("42", Int8, Some(42)), ("-1", Uint8, None), ("2.0", Int8, None)] {
        assert_eq!(conversion(to).allows(&text(from)).number(), bits, "{from}");
    }
    assert_eq!(conversion(Text).allows(&text("a")), Conforming::Same(text("a")));
}

/// Whether some hard element of a type becomes another element than the one that a function makes of it.
fn tells(from: DType, to: DType, wrong: impl Fn(u64) -> u64) -> bool {
    let parts = hard_inputs(from).unwrap();
    let mut all = parts.iter().flat_map(|(_, space)| tuples(&**space, from));
    all.any(|[bits, _]| match conversion(to).allows(&Element::Bits(from, bits.into())) {
        Conforming::One(right) => right != wrong(bits),
        _ => false,
    })
}

#[test]
fn hard_elements_tell_of_truncation_of_ties_and_of_what_is_rounded_twice() {
    let double = f64::from_bits;
    let single = |value: f32| u64::from(value.to_bits());
    assert!(!tells(Float64, Float32, |bits| match double(bits) as f32 {
        nan if nan.is_nan() => 0x7fc0_0000,
        number => single(number),
    }));
    // By adding half of the last place that is kept, and cutting off what is below.
    let half_up = |bits: u64| single(double((bits + (1 << 28)) & !((1 << 29) - 1)) as f32);
    assert!(tells(Float64, Float32, half_up));
    assert!(tells(Float64, Float32, |bits| single(double(bits & !((1 << 29) - 1)) as f32)));
    let bfloat = |bits: u32| u64::from((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
    // That is rounded twice, which no text forbids; from float64 by way of float64 with fewer bits is not.
    let twice = |bits: u64| bfloat((double(bits) as f32).to_bits());
    let allows = |bits: u64| conversion(Bfloat16).allows(&Element::Bits(Float64, bits.into()));
    let parts = hard_inputs(Float64).unwrap();
    let numbers = parts.iter().flat_map(|(_, space)| tuples(&**space, Float64));
    let numbers = numbers.map(|[bits, _]| bits).filter(|&bits| !double(bits).is_nan());
    assert!(numbers.clone().all(|bits| allows(bits).accepts(twice(bits))));
    assert!(numbers.clone().any(|bits| allows(bits).number() != Some(twice(bits))));
    assert!(numbers.clone().any(|bits| !allows(bits).accepts(twice(bits) ^ 1)));
    assert!(tells(Int64, Float32, |bits| single(bits as i64 as f64 as f32)));
    assert!(!tells(Int64, Float32, |bits| single(bits as i64 as f32)));
    assert!(tells(Float64, Int32, |bits| u64::from(double(bits).round_ties_even() as i32 as u32)));
    assert!(tells(Float16, Int4, |bits| bits & 15));
}

#[test]
fn what_float32_does_not_hold_may_be_rounded_to_it_first() {
    let conforming = |to, from, bits: u64| conversion(to).allows(&Element::Bits(from, bits.into()));
    // Just above a tie, on which float32 is.
    for (to, from, bits, once, twice) in [
        (Float16, Float64, 0x3ff0_0200_0000_0001, 0x3c01, 0x3c00),
        (Bfloat16, Float64, 0x3ff0_1000_0000_0001, 0x3f81, 0x3f80),
        (Bfloat16, Uint64, 0x8080_0000_0000_0001, 0x5f01, 0x5f00),
        (Bfloat16, Int32, 0x4040_0001, 0x4e81, 0x4e80),
    ] {
        let both = [once, twice].map(Conforming::One).to_vec();
        assert_eq!(conforming(to, from, bits), Conforming::OneOf(both), "{from} to {to}");
    }
    // The tables of the 8-bit types round once, and every other type holds what it is rounded from.
    for (to, from, bits) in
        [(Float8E5M2, Float64, 0x3ff2_0000_0000_0001), (Bfloat16, Float32, 0x3f80_8001)]
    {
        assert!(matches!(conforming(to, from, bits), Conforming::One(_)), "{from} to {to}");
    }
}

#[test]
fn castlike_rounds_as_its_attribute_says_or_up_as_its_function() {
    let down =
        Conversion { round_modes: [RoundMode::Down, RoundMode::Down], ..conversion(Float8E8M0) };
    assert_eq!(of(down, 1.25), Some(127));
    let both = down.like().allows(&single(1.25));
    assert_eq!(both, Conforming::OneOf([127, 128].map(Conforming::One).to_vec()));
}
