//! The check of sweeps against the oracle, element by element.
//!
//! What takes minutes is ignored by default and runs with
//! `cargo test --release --test it sweep:: -- --ignored`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

use onnx_conformance::check::Check;
use onnx_conformance::dtype::{DType, Kind};
use onnx_conformance::float::Class;
use onnx_conformance::oracle::{self, Conforming, Deviation, Division, Ulps};
use onnx_conformance::reference::operator::Operator;
use onnx_conformance::reference::operators::{div::DIV, sqrt::SQRT};
use onnx_conformance::sweep::{Largest, Mismatch, Tally, bin};
use rayon::prelude::*;

/// The bin of errors of exactly half a unit.
const TIES: usize = 5;

/// Two operands, of which Sqrt takes the first, and a result.
type Case = [u64; 3];

fn conforming(operation: &'static Operator, dtype: DType, [a, b, _]: Case) -> Conforming {
    match operation.name {
        "Div" => oracle::div(Division::Div, dtype, a, b).unwrap(),
        _ => oracle::sqrt(dtype, a).unwrap(),
    }
}

/// A result that conforms.
fn right(operation: &'static Operator, dtype: DType, case: Case) -> u64 {
    match (conforming(operation, dtype, case), dtype.kind()) {
        (Conforming::One(bits) | Conforming::RefusalOr(bits), _) => bits,
        (Conforming::AnyNan(_), Kind::Float(format)) => (1 << (format.width() - 1)) - 1,
        _ => 0,
    }
}

/// What the oracle says of the cases, by the definitions of the tally's fields.
fn tally_of_the_oracle(
    operation: &'static Operator,
    dtype: DType,
    cases: &[Case],
) -> (Tally, Vec<usize>) {
    let (mut tally, mut mismatches) = (Tally::default(), Vec::new());
    for (index, &case) in cases.iter().enumerate() {
        let [a, b, result] = case;
        let (conforming, deviation) = match operation.name {
            "Div" => (conforming(operation, dtype, case), oracle::div_error(dtype, a, b, result)),
            _ => (conforming(operation, dtype, case), oracle::sqrt_error(dtype, a, result)),
        };
        tally.executed += 1;
        let classes = &mut tally.classes;
        let (class, in_domain) = match (conforming.clone(), dtype.kind()) {
            (Conforming::Unspecified(_) | Conforming::RefusalOr(_), _) => {
                (&mut classes.out_of_domain, false)
            }
            (Conforming::Same(_) | Conforming::Within { .. } | Conforming::OneOf(_), _) => {
                unreachable!("quotients and roots are neither moved nor bounded nor open")
            }
            (Conforming::AnyNan(_), _) => (&mut classes.nan, true),
            (Conforming::One(bits), Kind::Float(format)) => (
                match format.class(bits) {
                    Class::Nan => unreachable!("any NaN would conform"),
                    Class::Infinite => &mut classes.infinite,
                    Class::Zero => &mut classes.zero,
                    Class::Subnormal => &mut classes.subnormal,
                    Class::Normal => &mut classes.normal,
                },
                true,
            ),
            (Conforming::One(0), _) => (&mut classes.zero, true),
            (Conforming::One(_), _) => (&mut classes.normal, true),
        };
        *class += 1;
        let deviation = deviation.unwrap();
        if let (Some(bin), true) = (bin(deviation), in_domain) {
            tally.histogram[bin] += 1;
            if tally.largest.is_none_or(|largest| largest.deviation < deviation) {
                let b = if operation == &DIV { b } else { 0 };
                tally.largest = Some(Largest { deviation, operands: [a, b, 0], result });
            }
        }
        if !conforming.accepts(result) {
            tally.mismatches += 1;
            mismatches.push(index);
        }
    }
    (tally, mismatches)
}

fn columns(dtype: DType, cases: &[Case]) -> [Vec<u8>; 3] {
    let width = dtype.bits().unwrap() as usize / 8;
    [0, 1, 2].map(|column| {
        let mut bytes = Vec::with_capacity(width * cases.len());
        for case in cases {
            bytes.extend_from_slice(&case[column].to_le_bytes()[..width]);
        }
        bytes
    })
}

fn run(
    check: &Check,
    operation: &'static Operator,
    [a, b, results]: &[Vec<u8>; 3],
) -> (Tally, Vec<Mismatch>) {
    let (mut tally, mut mismatches) = (Tally::default(), Vec::new());
    let operands: &[&[u8]] = if operation == &DIV { &[a, b] } else { &[a] };
    check.run(operands, results, &mut tally, &mut |mismatch| mismatches.push(mismatch));
    (tally, mismatches)
}

/// Both forms of the check give the oracle's tally and name the oracle's mismatches.
fn assert_agrees(operation: &'static Operator, dtype: DType, cases: &[Case]) -> Tally {
    let (expected, indices) = tally_of_the_oracle(operation, dtype, cases);
    let columns = columns(dtype, cases);
    let check = Check::new(operation, dtype).unwrap();
    for check in [check.clone(), check.portable()] {
        let (tally, mismatches) = run(&check, operation, &columns);
        assert_eq!(mismatches.iter().map(|mismatch| mismatch.index).collect::<Vec<_>>(), indices);
        assert_eq!(tally, expected, "{operation:?} {dtype}");
    }
    expected
}

/// SplitMix64 (Steele, Lea, Flood: *Fast Splittable Pseudorandom Number Generators*, 2014).
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.bits() % limit
    }

    /// An element: few bits set or cleared at either end of its fields more often than not.
    fn element(&mut self, dtype: DType) -> u64 {
        let few = |random: &mut Self| random.below(5).wrapping_sub(2);
        let bits = match (dtype.kind(), self.below(4)) {
            (_, 0) => self.bits(),
            (Kind::Float(format), _) => {
                let field = format.significand_bits;
                let exponent = match self.below(4) {
                    0 => 0,
                    1 => format.bias as u64,
                    2 => few(self),
                    _ => self.bits(),
                };
                let significand = match self.below(4) {
                    0 => 0,
                    1 => few(self),
                    2 => few(self) << (field - 3),
                    _ => self.bits(),
                };
                let significand = significand & ((1 << field) - 1);
                self.bits() << (format.width() - 1) | (exponent << field ^ significand)
            }
            (_, 1) => few(self),
            (_, 2) => self.bits() >> self.below(64),
            _ => few(self) ^ 1 << self.below(64),
        };
        bits & mask(dtype)
    }

    /// A result that is right, or nearly, or one of another class.
    fn result(&mut self, dtype: DType, right: u64) -> u64 {
        let sign = mask(dtype) / 2 + 1;
        let bits = match self.below(8) {
            0 => right.wrapping_add(1),
            1 => right.wrapping_sub(1),
            2 => right ^ sign,
            3 => right ^ 1 << self.below(64),
            4 => self.element(dtype),
            5 => right & sign | infinity(dtype).wrapping_sub(self.below(3)),
            6 => right & sign | self.below(3),
            _ => right,
        };
        bits & mask(dtype)
    }
}

fn mask(dtype: DType) -> u64 {
    u64::MAX >> (64 - dtype.bits().unwrap())
}

/// Bits of infinity; the largest integer.
fn infinity(dtype: DType) -> u64 {
    match dtype.kind() {
        Kind::Float(format) => mask(dtype) / 2 + 1 - (1 << format.significand_bits),
        _ => mask(dtype) / 2,
    }
}

/// Every operation that there is a check of.
fn checks() -> impl Iterator<Item = (&'static Operator, DType)> {
    let all =
        DType::ALL.into_iter().flat_map(|dtype| [&DIV, &SQRT].map(|operation| (operation, dtype)));
    all.filter(|&(operation, dtype)| Check::new(operation, dtype).is_some())
}

/// The pairs with results that conform.
fn right_cases(
    operation: &'static Operator,
    dtype: DType,
    pairs: impl IntoIterator<Item = [u64; 2]>,
) -> Vec<Case> {
    pairs.into_iter().map(|[a, b]| [a, b, right(operation, dtype, [a, b, 0])]).collect()
}

#[test]
fn div_of_twelve_types_and_sqrt_of_four_are_swept() {
    let swept =
        |operation| checks().filter(move |check| check.0 == operation).map(|check| check.1.name());
    assert_eq!(
        swept(&DIV).collect::<Vec<_>>().join(" "),
        "float32 uint8 int8 uint16 int16 int32 int64 float16 float64 uint32 uint64 bfloat16"
    );
    assert_eq!(swept(&SQRT).collect::<Vec<_>>().join(" "), "float32 float16 float64 bfloat16");
}

#[test]
fn right_and_wrong_results_of_every_type_are_tallied_as_the_oracle_says() {
    checks().par_bridge().for_each(|(operation, dtype)| {
        // With few wrong ones, most are the only one among the elements that are looked at together.
        for (elements, rarity) in [(30_000, 2), (60_000, 1_000)] {
            let mut random = Random(dtype.onnx_code() as u64);
            let cases: Vec<Case> = (0..elements)
                .map(|_| {
                    let [a, b] = [random.element(dtype), random.element(dtype)];
                    let right = right(operation, dtype, [a, b, 0]);
                    let wrong = random.below(rarity) == 0;
                    [a, b, if wrong { random.result(dtype, right) } else { right }]
                })
                .collect();
            let tally = assert_agrees(operation, dtype, &cases);
            let expected = elements / rarity / 8..elements / rarity * 2;
            assert!(expected.contains(&tally.mismatches), "{operation:?} {dtype}: {tally:?}");
        }
    });
}

#[test]
fn every_quotient_of_eight_bits_is_tallied_as_the_oracle_says_be_it_right_or_wrong() {
    [DType::Int8, DType::Uint8].into_par_iter().for_each(|dtype| {
        let pairs = (0..1 << 16).map(|pair| [pair & 0xff, pair >> 8]);
        let mut cases = right_cases(&DIV, dtype, pairs);
        let tally = assert_agrees(&DIV, dtype, &cases);
        assert_eq!((tally.executed, tally.mismatches), (1 << 16, 0));
        for wrong in [1, 0xff] {
            cases.iter_mut().for_each(|case| case[2] = (case[2] + wrong) & 0xff);
            let tally = assert_agrees(&DIV, dtype, &cases);
            cases.iter_mut().for_each(|case| case[2] = case[2].wrapping_sub(wrong) & 0xff);
            // Every result conforms where the divisor is zero.
            assert_eq!(tally.mismatches, (1 << 16) - 256);
        }
    });
}

#[test]
fn every_root_of_sixteen_bits_is_tallied_as_the_oracle_says_be_it_right_or_wrong() {
    [DType::Float16, DType::Bfloat16].into_par_iter().for_each(|dtype| {
        let mut cases = right_cases(&SQRT, dtype, (0..1 << 16).map(|x| [x, 0]));
        assert_eq!(assert_agrees(&SQRT, dtype, &cases).mismatches, 0);
        for wrong in [1, 0xffff] {
            cases.iter_mut().for_each(|case| case[2] = case[2].wrapping_add(wrong) & 0xffff);
            assert!(assert_agrees(&SQRT, dtype, &cases).mismatches > 30_000);
            cases.iter_mut().for_each(|case| case[2] = case[2].wrapping_sub(wrong) & 0xffff);
        }
    });
}

const SIXTEEN_BITS: [DType; 4] = [DType::Float16, DType::Bfloat16, DType::Int16, DType::Uint16];

#[test]
fn quotients_of_sixteen_bits_by_directed_divisors_are_tallied_as_the_oracle_says() {
    let divisors = [0x0001, 0x03ff, 0x3fff, 0x4200, 0x7bff, 0x8000, 0xc2ab, 0xffff];
    SIXTEEN_BITS.into_par_iter().for_each(|dtype| {
        for divisor in divisors {
            // A step prime to 2: dividends of every kind.
            let dividends = (divisor % 5..1 << 16).step_by(5);
            let cases = right_cases(&DIV, dtype, dividends.map(|a| [a, divisor]));
            assert_eq!(assert_agrees(&DIV, dtype, &cases).mismatches, 0);
        }
    });
}

#[test]
fn of_all_results_of_a_pair_those_that_conform_are_accepted_and_no_other() {
    // As float16: 1/3, a tie, an overflow, the smallest quotient, 0/-0, -inf/1.
    let pairs = [
        [0x3c00, 0x4200],
        [0x0003, 0x4000],
        [0x7bff, 0x3bff],
        [0x0001, 0x7bff],
        [0x0000, 0x8000],
        [0xfc00, 0x3c00],
    ];
    SIXTEEN_BITS.into_par_iter().for_each(|dtype| {
        for [a, b] in pairs {
            let cases: Vec<Case> = (0..1 << 16).map(|result| [a, b, result]).collect();
            let [a, b, results] = columns(dtype, &cases);
            let accepted: Vec<u64> = cases
                .iter()
                .filter(|&&case| conforming(&DIV, dtype, case).accepts(case[2]))
                .map(|case| case[2])
                .collect();
            let check = Check::new(&DIV, dtype).unwrap();
            for check in [check.clone(), check.portable()] {
                let mut rejected = vec![false; cases.len()];
                check.run(&[&a, &b], &results, &mut Tally::default(), &mut |mismatch| {
                    rejected[mismatch.index] = true;
                });
                let found: Vec<u64> =
                    (0..1 << 16).filter(|&result| !rejected[result as usize]).collect();
                assert_eq!(found, accepted, "{dtype}");
            }
        }
    });
}

/// The cases of which the index is in a range, checked on their own.
fn part(check: &Check, columns: &[Vec<u8>; 3], bytes: std::ops::Range<usize>) -> Tally {
    let [a, b, results] = columns.each_ref().map(|column| &column[bytes.clone()]);
    let mut tally = Tally::default();
    check.run(&[a, b], results, &mut tally, &mut |_| {});
    tally
}

#[test]
fn a_tally_does_not_depend_on_how_the_elements_are_cut_nor_on_their_alignment() {
    let mut random = Random(7);
    let cases: Vec<Case> = (0..10_000)
        .map(|_| {
            let [a, b] = [random.element(DType::Float16), random.element(DType::Float16)];
            let right = right(&DIV, DType::Float16, [a, b, 0]);
            [a, b, if random.below(99) == 0 { right ^ 1 } else { right }]
        })
        .collect();
    let whole = tally_of_the_oracle(&DIV, DType::Float16, &cases).0;
    let mut columns = columns(DType::Float16, &cases);
    for column in &mut columns {
        column.insert(0, 0);
    }
    let check = Check::new(&DIV, DType::Float16).unwrap();
    for cut in [1, 3, 4097, 8193, 12_289] {
        let mut tally = part(&check, &columns, 1..cut);
        tally.append(&part(&check, &columns, cut..20_001));
        assert_eq!(tally, whole);
    }
}

#[test]
fn the_largest_error_of_right_quotients_is_a_tie_and_of_right_roots_less() {
    let largest = |operation| {
        let pairs = (0..1 << 16).map(|a| [a, 0x4000]);
        let cases = right_cases(operation, DType::Float16, pairs);
        let tally = assert_agrees(operation, DType::Float16, &cases);
        (tally.largest.unwrap().deviation, tally.histogram[TIES] > 0)
    };
    assert_eq!(largest(&DIV), (Deviation::Ulps(Ulps::HALF), true));
    let (deviation, ties) = largest(&SQRT);
    assert!(deviation < Deviation::Ulps(Ulps::HALF) && !ties);
}

#[test]
fn a_tie_exceeds_an_error_that_the_oracle_rounds_up_to_half_a_unit() {
    // 3 units of the smallest subnormal number by 2 + 2^-22, and by 2.
    let pairs = [[3, 0x4000_0001], [3, 0x4000_0000]];
    let largest = |pairs: &[[u64; 2]]| {
        let cases = right_cases(&DIV, DType::Float32, pairs.iter().copied());
        assert_agrees(&DIV, DType::Float32, &cases).largest.unwrap().deviation
    };
    let (first, both) = (largest(&pairs[..1]), largest(&pairs));
    assert!(matches!(first, Deviation::Ulps(ulps) if ulps.steps() == Ulps::HALF.steps()));
    assert!(first < both && both == Deviation::Ulps(Ulps::HALF));
}

#[test]
fn an_error_that_is_larger_by_the_least_is_the_largest() {
    let error = |operation: &'static Operator, [a, b, result]: Case| match operation.name {
        "Div" => oracle::div_error(DType::Float16, a, b, result),
        _ => oracle::sqrt_error(DType::Float16, a, result),
    };
    for operation in [&DIV, &SQRT] {
        let check = Check::new(operation, DType::Float16).unwrap();
        // The errors of positive operands are those of all.
        let pairs = (1..0x7c00).map(|a| [a, 0x42ab]);
        let cases = right_cases(operation, DType::Float16, pairs);
        let mut rising: Vec<_> =
            cases.into_iter().map(|case| (error(operation, case).unwrap(), case)).collect();
        rising.sort_by_key(|it| it.0);
        rising.dedup_by_key(|it| it.0);
        assert!(rising.len() > 500, "{operation:?}: {}", rising.len());
        let mut tally = Tally::default();
        for (at, (deviation, case)) in rising.into_iter().enumerate() {
            let [a, b, result] = columns(DType::Float16, &[case]);
            let operands: &[&[u8]] = if operation == &DIV { &[&a, &b] } else { &[&a] };
            check.run(operands, &result, &mut tally, &mut |mismatch| panic!("{mismatch:?}"));
            assert_eq!(tally.largest.unwrap().deviation, deviation, "{operation:?} {at} {case:x?}");
        }
    }
}

/// Checks every quotient by the divisors that `step` leaves, as the oracle has it plus `wrong`.
fn sweep(dtype: DType, step: usize, wrong: u64) -> Tally {
    (0..1_u32 << 16)
        .into_par_iter()
        .step_by(step)
        .map(|divisor| {
            let mut cases = right_cases(&DIV, dtype, (0..1 << 16).map(|a| [a, divisor.into()]));
            cases.iter_mut().for_each(|case| case[2] = case[2].wrapping_add(wrong) & 0xffff);
            assert_agrees(&DIV, dtype, &cases)
        })
        .reduce(Tally::default, |mut tally, next| {
            tally.append(&next);
            tally
        })
}

/// Checks every quotient of a type of 16 bits against the oracle's.
fn every_quotient_is_tallied_as_the_oracle_says(dtype: DType) {
    let tally = sweep(dtype, 1, 0);
    assert_eq!((tally.executed, tally.mismatches), (1 << 32, 0));
}

#[test]
#[ignore = "2^32 quotients by the oracle take minutes, and only in a release build"]
fn every_float16_quotient_is_tallied_as_the_oracle_says() {
    every_quotient_is_tallied_as_the_oracle_says(DType::Float16);
}

#[test]
#[ignore = "2^32 quotients by the oracle take minutes, and only in a release build"]
fn every_bfloat16_quotient_is_tallied_as_the_oracle_says() {
    every_quotient_is_tallied_as_the_oracle_says(DType::Bfloat16);
}

#[test]
#[ignore = "2^32 quotients by the oracle take minutes, and only in a release build"]
fn every_int16_quotient_is_tallied_as_the_oracle_says() {
    every_quotient_is_tallied_as_the_oracle_says(DType::Int16);
}

#[test]
#[ignore = "2^32 quotients by the oracle take minutes, and only in a release build"]
fn every_uint16_quotient_is_tallied_as_the_oracle_says() {
    every_quotient_is_tallied_as_the_oracle_says(DType::Uint16);
}

#[test]
#[ignore = "minutes, and only in a release build"]
fn every_wrong_quotient_of_sixteen_bits_by_each_of_many_divisors_is_a_mismatch() {
    for (dtype, wrong) in SIXTEEN_BITS.into_iter().flat_map(|dtype| [(dtype, 1), (dtype, 0xffff)]) {
        let tally = sweep(dtype, 61, wrong);
        // A NaN plus or minus 1 is a NaN most of the time.
        assert!(tally.mismatches > tally.executed / 10 * 9, "{dtype}: {tally:?}");
    }
}
