//! Comparisons against those of the machine.

use std::cmp::Ordering;

use values::random::Random;

use crate::inputs::tuples;

use super::*;

const RELATIONS: [Comparison; 5] = [
    Comparison::Less,
    Comparison::LessOrEqual,
    Comparison::Equal,
    Comparison::GreaterOrEqual,
    Comparison::Greater,
];

/// What each relation is by the machine.
fn by_machine<T: PartialOrd + Copy>(a: T, b: T) -> [bool; 5] {
    [a < b, a <= b, a == b, a >= b, a > b]
}

fn check(dtype: DType, [a, b]: [u64; 2], expected: [bool; 5]) {
    let operands = [a, b].map(|bits| Element::Bits(dtype, bits.into()));
    for (relation, holds) in RELATIONS.into_iter().zip(expected) {
        let conforming = relation.conforming(Bool, &operands);
        assert_eq!(conforming, Conforming::One(holds.into()), "{relation:?} {dtype} {a:#x} {b:#x}");
    }
}

fn every_pair_of_8_bits() -> impl Iterator<Item = [u64; 2]> {
    (0..256).flat_map(|a| (0..256).map(move |b| [a, b]))
}

/// More than 100,000 pairs: drawn ones, and equal, neighbouring and opposite ones, about powers of two as well.
fn pairs(width: u32) -> Vec<[u64; 2]> {
    let mut random = Random::new(3);
    let powers = (0..width).map(|bit| 1_u64 << bit);
    let directed: Vec<u64> = powers.flat_map(|x| [x - 1, x, x + 1, !x, x | x >> 1]).collect();
    let drawn: Vec<u64> = (0..18_000).map(|_| random.bits()).collect();
    let others = |&x: &u64| {
        [x, x ^ 1, x.wrapping_add(1), !x, x.wrapping_neg(), x ^ 1 << (width - 1)].map(|y| [x, y])
    };
    let mut all: Vec<[u64; 2]> = directed.iter().chain(&drawn).flat_map(others).collect();
    all.extend(directed.iter().flat_map(|&a| directed.iter().map(move |&b| [a, b])));
    all.extend(drawn.iter().map(|&a| [a, random.bits()]));
    assert!(all.len() > 100_000);
    let mask = u64::MAX >> (64 - width);
    all.into_iter().map(|pair| pair.map(|bits| bits & mask)).collect()
}

#[test]
fn every_pair_of_8_bits_is_in_the_relations_of_its_values() {
    for pair in every_pair_of_8_bits() {
        let [a, b] = pair.map(|bits| bits as u8);
        check(DType::Uint8, pair, by_machine(a, b));
        check(DType::Int8, pair, by_machine(a.cast_signed(), b.cast_signed()));
    }
    for dtype in
        [DType::Float8E4M3Fn, DType::Float8E4M3Fnuz, DType::Float8E5M2, DType::Float8E5M2Fnuz]
    {
        let Kind::Float(format) = dtype.kind() else { panic!("{dtype}") };
        for pair in every_pair_of_8_bits() {
            let [a, b] = pair.map(|bits| format.to_f64(bits));
            check(dtype, pair, by_machine(a, b));
        }
    }
}

#[test]
fn many_pairs_of_wider_floats_are_in_the_relations_of_their_values() {
    for dtype in [DType::Float16, DType::Bfloat16] {
        let Kind::Float(format) = dtype.kind() else { panic!("{dtype}") };
        for pair in pairs(16) {
            let [a, b] = pair.map(|bits| format.to_f64(bits));
            check(dtype, pair, by_machine(a, b));
        }
    }
    for pair in pairs(32) {
        let [a, b] = pair.map(|bits| f32::from_bits(bits as u32));
        check(DType::Float32, pair, by_machine(a, b));
    }
    for pair in pairs(64) {
        let [a, b] = pair.map(f64::from_bits);
        check(DType::Float64, pair, by_machine(a, b));
    }
}

#[test]
fn many_pairs_of_wider_integers_are_in_the_relations_of_their_values() {
    macro_rules! check {
        ($($dtype:ident $type:ty;)*) => {$(
            for pair in pairs(<$type>::BITS) {
                let [a, b] = pair.map(|bits| bits as $type);
                check(DType::$dtype, pair, by_machine(a, b));
            }
        )*};
    }
    check! { Int16 i16; Int32 i32; Int64 i64; Uint16 u16; Uint32 u32; Uint64 u64; }
}

#[test]
fn truth_values_and_strings_are_equal_or_not_and_have_no_order() {
    let text = |text: &'static str| Element::String(text.into());
    let truth = |bits| Element::Bits(Bool, bits);
    for (operands, same) in [
        ([truth(0), truth(0)], true),
        ([truth(1), truth(0)], false),
        ([truth(1), truth(1)], true),
        ([text("a"), text("a")], true),
        ([text(""), text("a")], false),
        ([text("\u{e9}"), text("e\u{301}")], false),
    ] {
        let equal = Comparison::Equal.conforming(Bool, &operands);
        assert_eq!(equal, Conforming::One(same.into()), "{operands:?}");
        assert!(!Comparison::LessOrEqual.conforming(Bool, &operands).is_decided());
    }
}

#[test]
fn what_is_no_pair_of_one_type_is_foreign() {
    let one = |dtype| Element::Bits(dtype, 1);
    let less = |operands: &[Element]| Comparison::Less.conforming(Bool, operands);
    assert!(!less(&[one(DType::Int8), one(DType::Uint8)]).is_decided());
    assert!(!less(&[one(DType::Int8)]).is_decided());
    assert!(!less(&[one(DType::Complex64), one(DType::Complex64)]).is_decided());
}

/// Whether some hard pair of a type has another result where two elements are compared so.
fn tells(dtype: DType, relation: Comparison, wrong: impl Fn(u64, u64) -> bool) -> bool {
    let parts = hard_inputs(dtype).unwrap();
    let mut pairs = parts.iter().flat_map(|(_, space)| tuples(&**space, dtype));
    pairs.any(|[a, b]| {
        let operands = [a, b].map(|bits| Element::Bits(dtype, bits.into()));
        relation.conforming(Bool, &operands) != Conforming::One(wrong(a, b).into())
    })
}

#[test]
fn hard_pairs_tell_of_subtraction_of_narrower_types_and_of_bits_that_are_compared() {
    let (float, double) = (f64::from_bits, |bits| f64::from_bits(bits) as f32);
    let flushed = |a: f64, b: f64| !(a - b).is_normal();
    assert!(tells(DType::Float64, Comparison::Equal, |a, b| flushed(float(a), float(b))));
    assert!(tells(DType::Float64, Comparison::Less, |a, b| double(a) < double(b)));
    assert!(tells(DType::Float64, Comparison::Less, |a, b| (a as i64) < b as i64));
    assert!(tells(DType::Float64, Comparison::Equal, |a, b| a == b));
    assert!(tells(DType::Float64, Comparison::LessOrEqual, |a, b| {
        float(a).partial_cmp(&float(b)) != Some(Ordering::Greater)
    }));
    assert!(!tells(DType::Float64, Comparison::LessOrEqual, |a, b| float(a) <= float(b)));

    let wide = |bits| bits as i64;
    assert!(tells(DType::Int64, Comparison::Less, |a, b| wide(a).wrapping_sub(wide(b)) < 0));
    assert!(tells(DType::Int64, Comparison::Equal, |a, b| wide(a) as f64 == wide(b) as f64));
    assert!(tells(DType::Uint64, Comparison::Greater, |a, b| wide(a) > wide(b)));
    assert!(!tells(DType::Uint64, Comparison::Greater, |a, b| a > b));
}
