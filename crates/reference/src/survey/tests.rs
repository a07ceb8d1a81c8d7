//! Records with pieces against those of exact arithmetic alone.

use std::ops::Range;

use values::dtype::DType;

use super::*;
use crate::elementwise::Symmetry;
use crate::operator::Domain;
use crate::operators;

fn check(operator: &str, dtype: DType) -> Check {
    let operator = operators::find(Domain::Onnx, operator).unwrap();
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
            20..30 if bits % 5 == 0 => (function(1.0) as f32).to_bits(),
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
        let fast = Survey::new(&check, Some(&pieces)).of_all();
        let none = Pieces(Vec::new());
        let exact = Survey::new(&check, Some(&none)).of_all();
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
fn errors_beside_an_operand_are_those_of_exact_arithmetic() {
    let mut count = 0;
    // Which side the value is on.
    let of_piece = |check: &Check, operand: u32| {
        let binade = u64::from(operand << 1 >> 24 << 1 | operand >> 31);
        match Pieces::of_binades(check, vec![binade]).at(operand).unwrap().rule {
            Rule::Polynomial(_, beside) => beside,
            _ => None,
        }
    };
    for (name, farther) in [("Tanh", false), ("Sinh", true), ("Asin", true), ("Atan", false)] {
        let check = check(name, DType::Float32);
        for operand in [
            0x0000_0001_u32,
            0x007f_ffff,
            0x0080_0000,
            0x1000_0000,
            0x1000_0001,
            0x11ab_cdef,
            // From 2^-50 on, below 2^-22.
            0x2680_0000,
            0x2712_3456,
            0x3080_0000,
            0x3400_0000,
            0x347f_ffff,
        ] {
            for operand in [operand, operand | 1 << 31] {
                assert_eq!(of_piece(&check, operand), Some(farther), "{name} {operand:#x}");
                let results = (operand.saturating_sub(9)..operand + 9).chain([0, 1 << 31]);
                for result in results {
                    let bytes = [operand, result].map(u32::to_le_bytes);
                    let Some(error) = error_beside(farther, bytes[0], bytes[1]) else { continue };
                    let expected = check.deviation(&[operand.into()], result.into());
                    let found = Deviation::Ulps(error);
                    assert_eq!(found, expected, "{name} {operand:#x} {result:#x}");
                    count += 1;
                }
            }
        }
        // Here it is too far away.
        assert_eq!(of_piece(&check, 0x3600_0000), None, "{name}");
    }
    assert_eq!(of_piece(&check("Erf", DType::Float32), 0x1000_0000), None);
    assert!(count > 1400, "{count}");
}

#[test]
fn nearly_all_operands_of_a_function_with_a_series_are_decided_by_pieces() {
    let check = check("Gelu", DType::Float32);
    let pieces = Pieces::of(&check).unwrap();
    let left = pieces.left();
    assert!(left < 1 << 22, "{left} of {pieces:?}");
}

/// How the results of a number of float16 and of its negation go together: whether as those of an even function, and of an odd one.
fn of_negation(check: &Check, x: u64) -> [bool; 2] {
    const SIGN: u64 = 1 << 15;
    let [of_x, of_negation] = [x, x ^ SIGN].map(|x| check.conforming(&[x]));
    [0, SIGN].map(|sign| {
        let goes = |of: &Conforming, other: &Conforming| {
            let number = of.example().and_then(|bits| u64::try_from(bits).ok());
            // Any zero is as good as another.
            let accepts =
                |bits| other.accepts(bits ^ sign) || bits & !SIGN == 0 && other.accepts(bits);
            number.is_some_and(accepts)
        };
        goes(&of_x, &of_negation) && goes(&of_negation, &of_x)
    })
}

#[test]
fn functions_are_even_or_odd_just_where_all_their_results_are() {
    let mut known = 0;
    for operator in operators::onnx().filter(|operator| operator.arity() == 1) {
        let Some(check) = Check::new(operator, DType::Float16) else { continue };
        // Up to the infinity.
        let all = |which: usize| (0..=0x7c00).all(|x| of_negation(&check, x)[which]);
        match check.function().symmetry() {
            Some(Symmetry::Even) => assert!(all(0), "{operator}"),
            Some(Symmetry::Odd) => assert!(all(1), "{operator}"),
            None => assert!(!all(0) && !all(1), "{operator}"),
        }
        known += u32::from(check.function().symmetry().is_some());
    }
    assert_eq!(known, 18);
}

/// The record of a function of float32 on operands of both signs, of which some results are changed.
fn compared(operator: &str, bits: Range<u32>, lead: usize, change: fn(u32, u32) -> u32) -> u64 {
    let check = check(operator, DType::Float32);
    let survey = Survey::new(&check, None);
    assert!(survey.knows_symmetry());
    let right = |bits: u32| check.conforming(&[bits.into()]).example().unwrap() as u32;
    let [operands, results] = columns(bits, |bits| change(bits, right(bits)));
    let mut negations = vec![0; operands.len()];
    let mut record = Record::default();
    if survey.negate(&operands, lead, &mut negations) {
        let others: Vec<u8> = negations
            .as_chunks::<4>()
            .0
            .iter()
            .map(|bits| u32::from_le_bytes(*bits))
            .flat_map(|bits| change(bits, right(bits)).to_le_bytes())
            .collect();
        survey.compare(&operands, &results, &others, lead, &mut record);
    }
    record.not_symmetric
}

#[test]
fn pairs_of_a_number_and_its_negation_that_do_not_go_together_are_counted_once() {
    const ONE: u32 = 0x3f80_0000;
    const MINUS_ONE: u32 = 0xbf80_0000;
    for operator in ["Tanh", "Cosh", "Neg", "Abs", "Reciprocal"] {
        let count = |bits, lead, change| compared(operator, bits, lead, change);
        assert_eq!(count(ONE..ONE + 3000, 0, |_, result| result), 0, "{operator}");
        // One side of two pairs, in two blocks, and both sides of a third one alike.
        let change = |bits: u32, result: u32| match bits {
            0x3f80_0002 | 0xbf80_0805 => result ^ 1,
            0x3f80_0009 | 0xbf80_0009 => result ^ 4,
            _ => result,
        };
        assert_eq!(count(ONE..ONE + 3000, 0, change), 2, "{operator}");
        assert_eq!(count(ONE..ONE + 3000, 3, change), 1, "{operator}");
        assert_eq!(count(MINUS_ONE..MINUS_ONE + 3000, 0, change), 0, "{operator}");
        // A NaN is the result of no number, whichever side it is on, and has no negation; signs of zeros are nothing.
        let nan = |bits: u32, result: u32| if bits == 0x8000_0001 { 0x7fc0_0000 } else { result };
        assert_eq!(count(0..4, 0, nan), 1, "{operator}");
        let zero = |bits: u32, result: u32| if bits == 0 { result ^ (1 << 31) } else { result };
        let infinite = u64::from(operator == "Reciprocal" || operator == "Cosh");
        assert_eq!(count(0..4, 0, zero), infinite, "{operator}");
        assert_eq!(count(0x7f80_0001..0x7f80_0005, 0, |bits, _| bits >> 1), 0, "{operator}");
    }
    let exp = check("Exp", DType::Float32);
    assert!(!Survey::new(&exp, None).knows_symmetry());
}

#[test]
fn a_rounded_value_at_0_or_1_is_not_special_and_an_exact_one_is() {
    let one = 1_f32.to_bits();
    // The arctangent of 1 is a quarter of pi, and the logarithm of 1 is 0; e^0 is 1, and the softplus of 0 the logarithm of 2.
    for (name, operand, right, is_special) in [
        ("Atan", one, std::f32::consts::FRAC_PI_4.to_bits(), 0),
        ("Log", one, 0, 1),
        ("Exp", 0, one, 1),
        ("Softplus", 0, std::f32::consts::LN_2.to_bits(), 0),
        ("Atan", f32::INFINITY.to_bits(), std::f32::consts::FRAC_PI_2.to_bits(), 1),
    ] {
        let check = check(name, DType::Float32);
        let survey = Survey::new(&check, None);
        let seen = |result| record(&survey, operand..operand + 1, |_| result);
        assert_eq!(seen(right).not_correctly_rounded, 0, "{name}");
        let wrong = seen(right + 1);
        let counts = (wrong.not_correctly_rounded, wrong.special_mismatches);
        assert_eq!(counts, (1, is_special), "{name}");
    }
}

/// All operands of float16, and the results of a function that knows the right ones.
fn halves(check: &Check, result: impl Fn(u16, u16) -> u16) -> [Vec<u8>; 2] {
    let right = |bits: u16| check.conforming(&[bits.into()]).example().unwrap_or(0x7e00) as u16;
    let results = (0..=u16::MAX).flat_map(|bits| result(bits, right(bits)).to_le_bytes());
    [(0..=u16::MAX).flat_map(u16::to_le_bytes).collect(), results.collect()]
}

/// The operands in clamps and the longest one, found as the definition has it.
fn clamps(check: &Check, results: &[u8]) -> (u64, Option<Run>) {
    const FORMAT: &FloatFormat = &FloatFormat::FLOAT16;
    let result = |at: u16| u16::from_le_bytes(results.as_chunks().0[usize::from(at)]);
    let right =
        |at: u16| check.conforming(&[at.into()]).number().and_then(|bits| FORMAT.ordinal(bits));
    let (mut count, mut longest) = (0, None::<Run>);
    for finite in [0..0x7c00_u16, 0x8000..0xfc00] {
        let mut first = finite.start;
        for next in finite.start + 1..=finite.end {
            if next < finite.end && result(next) == result(first) {
                continue;
            }
            let run = Run {
                first: first.into(),
                last: u64::from(next) - 1,
                result: result(first).into(),
            };
            if let (Some(a), Some(b)) = (right(first), right(next - 1)) {
                let is_flush =
                    result(first) & 0x7fff == 0 && [a, b].iter().all(|at| at.abs() < 0x400);
                if a.abs_diff(b) >= 3 && !is_flush {
                    count += run.operands();
                    longest = longest.filter(|one| one.operands() >= run.operands()).or(Some(run));
                }
            }
            first = next;
        }
    }
    (count, longest)
}

/// The number below a multiple of so many.
fn coarse(bits: u16, step: u16) -> u16 {
    bits / step * step
}

#[test]
fn clamps_are_the_runs_at_whose_ends_the_right_results_are_three_numbers_apart() {
    type Given = fn(u16, u16) -> u16;
    let cases: [(&str, bool, Given); 8] = [
        ("Tanh", true, |at, right| if at & 0x7fff > 0x4000 { coarse(right, 64) } else { right }),
        ("Tanh", true, |at, right| if at & 0x7fff < 0x0900 { right & 0x8000 } else { right }),
        // Those are flushed.
        ("Tanh", false, |at, right| if at & 0x7fff < 0x0400 { right & 0x8000 } else { right }),
        ("Exp", true, |at, right| if (0x4000..0x4900).contains(&at) { 0x4700 } else { right }),
        ("Exp", false, |_, right| coarse(right, 3)),
        ("Log", false, |_, right| coarse(right, 2)),
        ("Relu", true, |at, right| if at > 0x7000 { 0x7000 } else { right }),
        ("Sqrt", true, |_, right| coarse(right, 4)),
    ];
    for (name, has_clamps, result) in cases {
        let check = check(name, DType::Float16);
        let [operands, results] = halves(&check, result);
        let survey = Survey::new(&check, None).of_all();
        let mut record = Record::default();
        survey.add(&[&operands], &results, 0, &mut record);
        let Runs { clamped, longest, .. } = record.runs;
        assert_eq!((clamped, longest), clamps(&check, &results), "{name}");
        assert_eq!(record.runs.open().count(), 0, "{name}");
        assert_eq!(clamped > 0, has_clamps, "{name}");
    }
}

#[test]
fn runs_of_parts_join_to_those_of_the_whole_in_whichever_order() {
    let tanh: fn(u16, u16) -> u16 = |at, right| match at & 0x7fff {
        0x4100.. => right & 0xff00,
        0x0010..0x0050 => right & 0xfff8,
        _ => right,
    };
    // Of negative numbers there are NaNs alone.
    for (name, result) in [("Tanh", tanh), ("Log", |_, right| coarse(right, 16))] {
        let check = check(name, DType::Float16);
        let [operands, results] = halves(&check, result);
        let survey = Survey::new(&check, None).of_all();
        let of = |from: usize, to: usize| {
            let mut record = Record::default();
            let lead = usize::from(from > 0);
            let part = 2 * (from - lead)..2 * to;
            survey.add(&[&operands[part.clone()]], &results[part], lead, &mut record);
            record
        };
        let whole = of(0, 1 << 16);
        assert!(whole.runs.clamped > 100 && whole.runs.open().count() == 0, "{name}");
        let mut cuts: Vec<usize> = (0..1 << 16).filter(|at| at * 7919 % 65_537 < 400).collect();
        cuts.extend([0, 0x7c00, 0x7c01, 0x8000, 0xfc00, 1 << 16]);
        cuts.sort_unstable();
        cuts.dedup();
        let mut parts: Vec<_> = cuts.windows(2).map(|cut| of(cut[0], cut[1])).collect();
        for seed in 0..3 {
            // Some order.
            let place = |part: &Record| part.executed * 31 + part.not_correctly_rounded * 17;
            parts.sort_by_key(|part| place(part) ^ (seed * 21));
            let mut sum = Record::default();
            parts.iter().for_each(|part| survey.merge(&mut sum, part));
            assert_eq!(sum, whole, "{name}");
        }
    }
}

#[test]
fn results_beside_the_right_ones_are_no_clamps_however_they_are_chosen() {
    let check = check("Sigmoid", DType::Float32);
    let pieces = Pieces::of_binades(&check, vec![2 * 129, 2 * 130]);
    let survey = Survey::new(&check, Some(&pieces)).of_all();
    // Of every eight numbers one that is beside four, and eight.
    let to_one_of = |step: u32| {
        move |bits: u32| {
            let right = check_f64(bits);
            (right + step / 2) / step * step
        }
    };
    let seen = |step| record(&survey, 0x40a0_0000..0x40a0_0000 + 70_000, to_one_of(step)).runs;
    assert_eq!(seen(2).clamped, 0);
    assert!(seen(8).clamped > 60_000);
}

/// The sigmoid of a float32, rounded.
fn check_f64(bits: u32) -> u32 {
    ((1.0 / (1.0 + (-f64::from(f32::from_bits(bits))).exp())) as f32).to_bits()
}
