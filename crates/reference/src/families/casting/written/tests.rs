//! Texts of numbers are what they are said to be, and tell of readers that are not exact.

use super::super::Conversion;
use super::*;
use crate::exact::Conforming;
use crate::operator::Attributes;
use DType::{
    Bool, Float4E2M1, Float6E3M2, Float8E4M3Fn, Float8E5M2Fnuz, Float16, Float32, Float64, Int4,
    Int8, Int64, String as Text, Uint16,
};

fn texts(space: &dyn Space) -> Vec<String> {
    let mut column = [Column::new(Text)];
    column[0].resize(space.len() as usize);
    space.fill(0, &mut column);
    let text = |bytes: &bytes::Bytes| std::str::from_utf8(bytes).unwrap().to_owned();
    column[0].strings().iter().map(text).collect()
}

/// All hard texts for a type.
fn hard_texts(to: DType) -> Vec<String> {
    hard(&[Text], to).unwrap().iter().flat_map(|(_, space)| texts(&**space)).collect()
}

/// What conforms for a text.
fn read(to: DType, text: &str) -> Conforming {
    Conversion::new(to, super::super::NEWEST, &Attributes::new()).allows(&element(text))
}

#[test]
fn decimals_are_written_in_both_notations() {
    let of = |value: f32| Decimal::of(&FloatFormat::FLOAT32, value.to_bits().into());
    for (value, plain, scientific) in [
        (0.0, "0.00", "0e-2"),
        (1.0, "1", "1e0"),
        (0.5, "0.5", "5e-1"),
        (2.5, "2.5", "2.5e0"),
        (1e10, "10000000000", "1.0000000000e10"),
        (0.1, "0.100000001490116119384765625", "1.00000001490116119384765625e-1"),
    ] {
        let decimal = if value == 0.0 { of(1.0).cut(0) } else { of(value) };
        let decimal = if value == 0.0 { Decimal { exponent: -2, ..decimal } } else { decimal };
        assert_eq!(decimal.written(false, true), plain);
        assert_eq!(decimal.written(true, false), format!("-{scientific}"));
    }
    assert_eq!(Decimal::new(3, 70).cut(2).written(false, true), "3500000000000000000000");
}

#[test]
fn forms_are_read_as_the_number_or_the_next_one() {
    for (to, format) in
        [(Float16, &FloatFormat::FLOAT16), (Float8E4M3Fn, &FloatFormat::FLOAT8E4M3FN)]
    {
        let numbers = to_read(format);
        for (at, &bits) in numbers.iter().enumerate().step_by(if to == Float16 { 37 } else { 1 }) {
            let even = bits + (bits & 1);
            for (form, expected) in Form::ALL.iter().zip([bits, bits, even, bits, bits + 1]) {
                let index = 2 * (5 * at as u64 + *form as u64);
                let Element::String(text) = hard_float(format, &numbers, index) else { panic!() };
                let text = std::str::from_utf8(&text).unwrap();
                let conforming = read(to, text);
                let is_beyond = expected > largest(format);
                assert_eq!(
                    conforming.number(),
                    (!is_beyond).then_some(expected),
                    "{text} {form:?}"
                );
            }
        }
    }
}

#[test]
fn it_is_said_what_becomes_of_hard_texts() {
    for to in [Float32, Float8E4M3Fn, Float8E5M2Fnuz, Int8, Int4, Int64, Uint16, Text] {
        let texts = hard_texts(to);
        assert!(texts.len() > 24, "{to}");
        let undecided: Vec<_> = texts.iter().filter(|text| !read(to, text).is_decided()).collect();
        assert_eq!(undecided, [] as [&String; 0], "{to}");
    }
    assert_eq!(hard_texts(Int4).len(), 32);
    for to in [Bool, Float4E2M1, Float6E3M2] {
        assert!(hard(&[Text], to).is_none() && stratified(&[Text], to, 1, 1).is_none(), "{to}");
    }
}

#[test]
fn hard_texts_tell_of_readers_that_drop_digits_or_round_twice() {
    let tells = |to: DType, reader: fn(&str) -> u64| {
        hard_texts(to).iter().any(|text| !read(to, text).accepts(reader(text)))
    };
    assert!(!tells(Float64, |text| text.parse::<f64>().unwrap().to_bits()));
    assert!(!tells(Float32, |text| text.parse::<f32>().unwrap().to_bits().into()));
    // Digits from the twentieth on are zeros to it.
    assert!(tells(Float64, |text| {
        let mut left = 20;
        let kept = |it: char| {
            let is_digit = it.is_ascii_digit();
            left -= i32::from(is_digit && left > 0);
            if is_digit && left == 0 { '0' } else { it }
        };
        let (digits, exponent) = text.split_at(text.find('e').unwrap_or(text.len()));
        if text.contains(['n', 'N', 'I', 'i']) {
            return text.parse::<f64>().unwrap().to_bits();
        }
        format!("{}{exponent}", digits.chars().map(kept).collect::<String>())
            .parse::<f64>()
            .unwrap()
            .to_bits()
    }));
    assert!(tells(Float64, |text| f64::from(text.parse::<f32>().unwrap()).to_bits()));
    assert!(tells(Int64, |text| text.parse::<f64>().unwrap() as i64 as u64));
}

#[test]
fn random_texts_are_numbers_of_their_strata() {
    for to in [Float64, Float16, Float8E5M2Fnuz, Int64, Int4] {
        let space = stratified(&[Text], to, 20, 1).unwrap();
        let texts = texts(&*space);
        assert!(texts.len() >= 20);
        assert!(texts.iter().all(|text| read(to, text).is_decided()), "{to}");
    }
    let space = stratified(&[Text], Float64, 20, 1).unwrap();
    let all = texts(&*space);
    let long = all.iter().filter(|text| text.chars().filter(char::is_ascii_digit).count() > 12);
    assert!(long.count() > all.len() / 4);
    let is_scientific = |text: &&String| text.contains('e');
    assert!((all.len() / 3..all.len()).contains(&all.iter().filter(is_scientific).count()));
    // The third part is of 2^-1022 to 2^-613.
    assert!(
        all[100..120].iter().all(|text| text.parse::<f64>().unwrap().abs() < 1e-180),
        "{all:?}"
    );
}
