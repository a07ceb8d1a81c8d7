//! Records with pieces against those of exact arithmetic alone.

use std::ops::Range;

use values::dtype::DType;

use super::*;
use crate::operators;

fn check(operator: &str, dtype: DType) -> Check {
    let operator = operators::onnx().find(|one| one.name == operator).unwrap();
    Check::new(operator, dtype).unwrap()
}

/// Operands of float32 by their bits, and the results of a function.
fn columns(bits: Range<u32>, function: impl Fn(u32) -> u32) -> [Vec<u8>; 2] {
    let bytes =
        |of: &dyn Fn(u32) -> u32| bits.clone().flat_map(|at| of(at).to_le_bytes()).collect();
    [bytes(&|bits| bits), bytes(&function)]
}

fn record(survey: &Survey<'_>, bits: Range<u32>, function: impl Fn(u32) -> u32) -> Record {
    let [operands, results] = columns(bits, function);
    let mut record = Record::default();
    survey.add(&[&operands], &results, 0, &mut record);
    record
}

/// The result of a function of float64, rounded to float32 and changed here and there.
fn wrong_now_and_then(function: impl Fn(f64) -> f64) -> impl Fn(u32) -> u32 {
    move |bits| {
        let result = (function(f64::from(f32::from_bits(bits))) as f32).to_bits();
        match bits % 97 {
            0 => result ^ 1,
            13 => result.wrapping_add(5),
            51 if bits % 3 == 0 => result & (1 << 31),
            77 if bits % 11 == 0 => f32::NAN.to_bits(),
            78 if bits % 13 == 0 => result ^ (1 << 31),
            _ => result,
        }
    }
}

/// A function by the name of its operator.
type Named = (&'static str, fn(f64) -> f64);

const FUNCTIONS: [Named; 10] = [
    ("Exp", f64::exp),
    ("Log", f64::ln),
    ("Tanh", f64::tanh),
    ("Sin", f64::sin),
    ("Cos", f64::cos),
    ("Tan", f64::tan),
    ("Atan", f64::atan),
    ("Asinh", f64::asinh),
    ("Elu", |x| if x > 0.0 { x } else { x.exp_m1() }),
    ("Sigmoid", |x| 1.0 / (1.0 + (-x).exp())),
];

/// Places where functions change in kind, by the bits of float32 operands.
const PLACES: [u32; 16] = [
    0x0000_0000, // 0
    0x007f_ff00, // the smallest normal number
    0x3380_0000, // 2^-24
    0x3f00_0000, // 0.5
    0x3f7f_ff00, // below 1
    0x4049_0f00, // pi
    0x40a0_0000, // 5
    0x4130_0000, // 11
    0x42ae_ac00, // 87.3
    0x42b1_7200, // 88.7
    0x42cf_f000, // 103.9
    0x4f00_0000, // 2^31
    0x7f7f_ff00, // the largest number
    0xbf7f_ff00, // -1
    0xc2ae_ac00, // -87.3
    0xc2cf_f000, // -103.9
];

#[test]
fn records_with_pieces_are_those_of_exact_arithmetic_alone() {
    for (name, function) in FUNCTIONS {
        let check = check(name, DType::Float32);
        let mut binades: Vec<u64> =
            PLACES.iter().map(|bits| u64::from(bits << 1 >> 24 << 1 | bits >> 31)).collect();
        // Those of the operands that follow a place at the end of a binade.
        binades.extend(binades.clone().iter().map(|binade| binade + 2).filter(|at| *at < 510));
        binades.sort_unstable();
        binades.dedup();
        let pieces = Pieces::of_binades(&check, binades);
        let fast = Survey::new(&check, Some(&pieces));
        let none = Pieces(Vec::new());
        let exact = Survey::new(&check, Some(&none));
        for place in PLACES {
            let bits = place..place + 700;
            let found = record(&fast, bits.clone(), wrong_now_and_then(function));
            let expected = record(&exact, bits, wrong_now_and_then(function));
            assert_eq!(found, expected, "{name} {place:#x}");
            assert_eq!(found.executed, 700);
        }
    }
}

#[test]
fn nearly_all_operands_of_a_function_with_a_series_are_decided_by_pieces() {
    let check = check("Gelu", DType::Float32);
    let pieces = Pieces::of(&check).unwrap();
    let left = pieces.left();
    assert!(left < 1 << 22, "{left} of {pieces:?}");
}
