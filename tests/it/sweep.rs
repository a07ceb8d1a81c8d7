//! The check of sweeps against the oracle, element by element.
//!
//! What takes long is ignored by default and runs with
//! `cargo test --release --test it sweep:: -- --ignored`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

use onnx_conformance::check::Check;
use onnx_conformance::dtype::{DType, Kind};
use onnx_conformance::float::Class;
use onnx_conformance::oracle::{Conforming, Deviation, Ulps};
use onnx_conformance::reference::operator::Operator;
use onnx_conformance::reference::operators::{
    add::ADD, div::DIV, leakyrelu::LEAKYRELU, mul::MUL, prelu::PRELU, reciprocal::RECIPROCAL,
    sqrt::SQRT, sub::SUB,
};
use onnx_conformance::sweep::{Largest, Mismatch, Tally, bin};
use rayon::prelude::*;

/// The bin of errors of exactly half a unit.
const TIES: usize = 5;

/// Two operands, of which Sqrt, Reciprocal and LeakyRelu take the first, and a result.
type Case = [u64; 3];

/// The operators whose results are those of exact arithmetic, rounded.
const OPERATORS: [&Operator; 8] = [&ADD, &SUB, &MUL, &DIV, &PRELU, &SQRT, &RECIPROCAL, &LEAKYRELU];

/// The operands of a case.
fn operands<'a, T>(check: &Check, case: &'a [T; 3]) -> &'a [T] {
    &case[..check.operands().len()]
}

fn conforming(check: &Check, case: Case) -> Conforming {
    check.conforming(operands(check, &case))
}

fn error(check: &Check, case: Case) -> Deviation {
    check.deviation(operands(check, &case), case[2])
}

/// A result that conforms.
fn right(check: &Check, case: Case) -> u64 {
    match (conforming(check, case), check.dtype().kind()) {
        (Conforming::One(bits) | Conforming::RefusalOr(bits), _) => bits,
        (Conforming::AnyNan(_), Kind::Float(format)) => (1 << (format.width() - 1)) - 1,
        (conforming, _) => conforming.example().unwrap_or(0) as u64,
    }
}

/// What the oracle says of the cases, by the definitions of the tally's fields.
fn tally_of_the_oracle(check: &Check, cases: &[Case]) -> (Tally, Vec<usize>) {
    let (mut tally, mut mismatches) = (Tally::default(), Vec::new());
    for (index, &case) in cases.iter().enumerate() {
        let (conforming, deviation) = (conforming(check, case), error(check, case));
        tally.executed += 1;
        let classes = &mut tally.classes;
        // Where two conform, they are both of the class of the first.
        let first = match &conforming {
            Conforming::OneOf(all) => &all[0],
            one => one,
        };
        let (class, in_domain) = match (first.clone(), check.dtype().kind()) {
            (Conforming::Unspecified(_) | Conforming::RefusalOr(_), _) => {
                (&mut classes.out_of_domain, false)
            }
            (Conforming::Same(_) | Conforming::Within { .. } | Conforming::OneOf(_), _) => {
                unreachable!("no such result is moved or bounded")
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
        if let (Some(bin), true) = (bin(deviation), in_domain) {
            tally.histogram[bin] += 1;
            if tally.largest.is_none_or(|largest| largest.deviation < deviation) {
                let mut given = [0; 3];
                given.iter_mut().zip(operands(check, &case)).for_each(|(it, bits)| *it = *bits);
                tally.largest = Some(Largest { deviation, operands: given, result: case[2] });
            }
        }
        if !conforming.accepts(case[2]) {
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

/// Adds the cases in these columns to the tally.
fn run(check: &Check, columns: [&[u8]; 3], tally: &mut Tally) -> Vec<Mismatch> {
    let mut mismatches = Vec::new();
    let note = &mut |mismatch| mismatches.push(mismatch);
    check.run(operands(check, &columns), columns[2], tally, note);
    mismatches
}

/// Both forms of the check give the oracle's tally and name the oracle's mismatches.
fn assert_agrees(check: &Check, cases: &[Case]) -> Tally {
    let (expected, indices) = tally_of_the_oracle(check, cases);
    let columns = columns(check.dtype(), cases);
    for check in [check.clone(), check.clone().portable()] {
        let mut tally = Tally::default();
        let mismatches = run(&check, columns.each_ref().map(Vec::as_slice), &mut tally);
        assert_eq!(mismatches.iter().map(|mismatch| mismatch.index).collect::<Vec<_>>(), indices);
        assert_eq!(tally, expected, "{check:?}");
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

    /// Two elements, every other time of many bits in common.
    fn pair(&mut self, dtype: DType) -> [u64; 2] {
        let a = self.element(dtype);
        let near = a ^ self.bits() >> self.below(64);
        let b = if self.below(2) == 0 { near & mask(dtype) } else { self.element(dtype) };
        [a, b]
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

fn of(operator: &'static Operator, dtype: DType) -> Check {
    Check::new(operator, dtype).unwrap()
}

/// Every operator on every type that there is a check of.
fn checks() -> impl Iterator<Item = Check> {
    OPERATORS.into_iter().flat_map(|operator| {
        DType::ALL.into_iter().filter_map(move |dtype| Check::new(operator, dtype))
    })
}

/// The pairs with results that conform.
fn right_cases(check: &Check, pairs: impl IntoIterator<Item = [u64; 2]>) -> Vec<Case> {
    pairs.into_iter().map(|[a, b]| [a, b, right(check, [a, b, 0])]).collect()
}

/// The same cases with other results, by so much.
fn off_by(wrong: u64, check: &Check, cases: &[Case]) -> Vec<Case> {
    let off = |&[a, b, result]: &Case| [a, b, result.wrapping_add(wrong) & mask(check.dtype())];
    cases.iter().map(off).collect()
}

#[test]
fn arithmetic_of_twelve_types_and_functions_of_one_operand_of_four_are_swept() {
    let all = "float32 uint8 int8 uint16 int16 int32 int64 float16 float64 uint32 uint64 bfloat16";
    let wide = "float32 int32 int64 float16 float64 uint32 uint64 bfloat16";
    let floats = "float32 float16 float64 bfloat16";
    let expected = [all, all, all, all, wide, floats, floats, floats];
    for (operator, expected) in OPERATORS.into_iter().zip(expected) {
        let swept = checks().filter(|check| check.operator() == operator);
        let swept: Vec<_> = swept.map(|check| check.dtype().name()).collect();
        assert_eq!(swept.join(" "), expected, "{operator:?}");
    }
}

#[test]
fn all_checks_but_these_are_fast() {
    let slow: Vec<_> = checks()
        .filter(|check| !check.is_fast())
        .map(|check| format!("{} {}", check.operator().name, check.dtype()))
        .collect();
    assert_eq!(
        slow.join(", "),
        "Add float64, Sub float64, Mul float64, Div int64, Div float64, Div uint64, PRelu int32, \
         PRelu int64, PRelu float64, PRelu uint32, PRelu uint64, Sqrt float64, Reciprocal float64, \
         LeakyRelu float16, LeakyRelu float64, LeakyRelu bfloat16"
    );
}

#[test]
fn right_and_wrong_results_of_every_type_are_tallied_as_the_oracle_says() {
    checks().par_bridge().for_each(|check| {
        let dtype = check.dtype();
        // With few wrong ones, most are the only one among the elements that are looked at together.
        for (elements, rarity) in [(30_000, 2), (60_000, 1_000)] {
            let mut random = Random(dtype.onnx_code() as u64);
            let cases: Vec<Case> = (0..elements)
                .map(|_| {
                    let [a, b] = random.pair(dtype);
                    let right = right(&check, [a, b, 0]);
                    let wrong = random.below(rarity) == 0;
                    [a, b, if wrong { random.result(dtype, right) } else { right }]
                })
                .collect();
            let tally = assert_agrees(&check, &cases);
            let expected = elements / rarity / 8..elements / rarity * 2;
            assert!(expected.contains(&tally.mismatches), "{check:?}: {tally:?}");
        }
    });
}

#[test]
fn every_pair_of_eight_bits_is_tallied_as_the_oracle_says_be_the_result_right_or_wrong() {
    let of_pairs = checks().filter(|check| matches!(check.dtype(), DType::Int8 | DType::Uint8));
    of_pairs.par_bridge().for_each(|check| {
        let cases = right_cases(&check, (0..1 << 16).map(|pair| [pair & 0xff, pair >> 8]));
        let tally = assert_agrees(&check, &cases);
        assert_eq!((tally.executed, tally.mismatches), (1 << 16, 0));
        // Every result conforms where a divisor is zero.
        let unspecified = if check.operator() == &DIV { 256 } else { 0 };
        for wrong in [1, 0xff] {
            let tally = assert_agrees(&check, &off_by(wrong, &check, &cases));
            assert_eq!(tally.mismatches, (1 << 16) - unspecified);
        }
    });
}

#[test]
fn every_root_and_reciprocal_of_sixteen_bits_is_tallied_as_the_oracle_says_be_it_right_or_wrong() {
    for operator in [&SQRT, &RECIPROCAL] {
        [DType::Float16, DType::Bfloat16].into_par_iter().for_each(|dtype| {
            let check = of(operator, dtype);
            let cases = right_cases(&check, (0..1 << 16).map(|x| [x, 0]));
            assert_eq!(assert_agrees(&check, &cases).mismatches, 0);
            for wrong in [1, 0xffff] {
                let tally = assert_agrees(&check, &off_by(wrong, &check, &cases));
                assert!(tally.mismatches > 30_000, "{check:?}: {tally:?}");
            }
        });
    }
}

const SIXTEEN_BITS: [DType; 4] = [DType::Float16, DType::Bfloat16, DType::Int16, DType::Uint16];

/// The checks of operators of two operands of 16 bits.
fn pairs_of_sixteen_bits() -> Vec<Check> {
    let is_of_pairs =
        |check: &Check| SIXTEEN_BITS.contains(&check.dtype()) && check.operands().len() == 2;
    checks().filter(is_of_pairs).collect()
}

#[test]
fn pairs_of_sixteen_bits_with_directed_second_operands_are_tallied_as_the_oracle_says() {
    let seconds = [0x0001, 0x03ff, 0x3fff, 0x4200, 0x7bff, 0x8000, 0xc2ab, 0xffff];
    pairs_of_sixteen_bits().into_par_iter().for_each(|check| {
        for second in seconds {
            // A step prime to 2: first operands of every kind.
            let firsts = (second % 5..1 << 16).step_by(5);
            let cases = right_cases(&check, firsts.map(|a| [a, second]));
            assert_eq!(assert_agrees(&check, &cases).mismatches, 0);
        }
    });
}

#[test]
fn of_all_results_of_a_pair_those_that_conform_are_accepted_and_no_other() {
    // As quotients of float16: 1/3, a tie, an overflow, the smallest quotient, 0/-0, -inf/1; products of the last
    // but two and of the second are a zero and a tie, and sums with the next number and with its negation. The last
    // are 0 and the largest number of bfloat16.
    let pairs = [
        [0x3c00, 0x4200],
        [0x0003, 0x4000],
        [0x7bff, 0x3bff],
        [0x0001, 0x7bff],
        [0x0000, 0x8000],
        [0xfc00, 0x3c00],
        [0x0003, 0x3800],
        [0x3c00, 0x3c01],
        [0x3c00, 0xbc00],
        [0x3c00, 0x1000],
        [0x7c00, 0xfc00],
        [0x0000, 0x7f7f],
    ];
    pairs_of_sixteen_bits().into_par_iter().for_each(|check| {
        for [a, b] in pairs {
            let cases: Vec<Case> = (0..1 << 16).map(|result| [a, b, result]).collect();
            let columns = columns(check.dtype(), &cases);
            let columns = columns.each_ref().map(Vec::as_slice);
            let accepted: Vec<u64> = cases
                .iter()
                .filter(|&&case| conforming(&check, case).accepts(case[2]))
                .map(|case| case[2])
                .collect();
            for check in [check.clone(), check.clone().portable()] {
                let mut rejected = vec![false; cases.len()];
                for mismatch in run(&check, columns, &mut Tally::default()) {
                    rejected[mismatch.index] = true;
                }
                let found: Vec<u64> =
                    (0..1 << 16).filter(|&result| !rejected[result as usize]).collect();
                assert_eq!(found, accepted, "{check:?}");
            }
        }
    });
}

/// Pairs of float32 with subnormal products that are off a multiple of half a unit by less than 2^-32 units.
fn products_beside_halves() -> Vec<[u64; 2]> {
    let mut random = Random(5);
    let significands = 1 << 23..1 << 24;
    let mut pairs = Vec::new();
    for multiple in 1..16_u64 {
        // Half a unit, with which the multiple has as many bits as products of two significands.
        let half = 47 - multiple.ilog2();
        for _ in 0..100_000 {
            let a = significands.start + random.below(significands.start);
            let b = (multiple << half) / a + random.below(2);
            let off = (a * b).abs_diff(multiple << half);
            if significands.contains(&b) && (1..1 << (half - 31)).contains(&off) {
                // The sum of both exponents makes the unit, 2^(half + 1), the smallest number.
                let fields = u64::from(150 - half);
                let of = |field: u64, significand: u64| field << 23 | significand & 0x7f_ffff;
                pairs.push([of(fields / 2, a), of(fields.div_ceil(2), b)]);
            }
        }
    }
    pairs
}

#[test]
fn products_that_are_next_to_a_tie_are_not_taken_for_one() {
    let pairs = products_beside_halves();
    assert!(pairs.len() > 500, "{}", pairs.len());
    for operator in [&MUL, &PRELU] {
        let check = of(operator, DType::Float32);
        let negative = pairs.iter().map(|[a, b]| [a | 1 << 31, *b]);
        let cases = right_cases(&check, negative);
        assert_eq!(assert_agrees(&check, &cases).classes.normal, 0);
        for wrong in [1, mask(DType::Float32)] {
            let tally = assert_agrees(&check, &off_by(wrong, &check, &cases));
            assert_eq!(tally.mismatches, pairs.len() as u64);
        }
    }
}

/// The cases of which the index is in a range, checked on their own.
fn part(check: &Check, columns: &[Vec<u8>; 3], bytes: std::ops::Range<usize>) -> Tally {
    let mut tally = Tally::default();
    run(check, columns.each_ref().map(|column| &column[bytes.clone()]), &mut tally);
    tally
}

#[test]
fn a_tally_does_not_depend_on_how_the_elements_are_cut_nor_on_their_alignment() {
    let mut random = Random(7);
    let check = of(&DIV, DType::Float16);
    let cases: Vec<Case> = (0..10_000)
        .map(|_| {
            let [a, b] = [random.element(DType::Float16), random.element(DType::Float16)];
            let right = right(&check, [a, b, 0]);
            [a, b, if random.below(99) == 0 { right ^ 1 } else { right }]
        })
        .collect();
    let whole = tally_of_the_oracle(&check, &cases).0;
    let mut columns = columns(DType::Float16, &cases);
    for column in &mut columns {
        column.insert(0, 0);
    }
    for cut in [1, 3, 4097, 8193, 12_289] {
        let mut tally = part(&check, &columns, 1..cut);
        tally.append(&part(&check, &columns, cut..20_001));
        assert_eq!(tally, whole);
    }
}

#[test]
fn the_largest_error_of_right_results_is_a_tie_but_of_right_roots_less() {
    let largest = |operator| {
        let check = of(operator, DType::Float16);
        let cases = right_cases(&check, (0..1 << 16).map(|a| [a, 0x4000]));
        let tally = assert_agrees(&check, &cases);
        (tally.largest.unwrap().deviation, tally.histogram[TIES] > 0)
    };
    for operator in [&ADD, &SUB, &DIV] {
        assert_eq!(largest(operator), (Deviation::Ulps(Ulps::HALF), true), "{operator:?}");
    }
    for operator in [&SQRT, &RECIPROCAL] {
        let (deviation, ties) = largest(operator);
        assert!(deviation < Deviation::Ulps(Ulps::HALF) && !ties, "{operator:?}");
    }
    // Twice a number is one, if it is not too large.
    assert_eq!(largest(&MUL), (Deviation::Ulps(Ulps::ZERO), false));
}

#[test]
fn a_tie_exceeds_an_error_that_the_oracle_rounds_up_to_half_a_unit() {
    // 3 units of the smallest subnormal number by 2 + 2^-22, and by 2.
    let pairs = [[3, 0x4000_0001], [3, 0x4000_0000]];
    let check = of(&DIV, DType::Float32);
    let largest = |pairs: &[[u64; 2]]| {
        let cases = right_cases(&check, pairs.iter().copied());
        assert_agrees(&check, &cases).largest.unwrap().deviation
    };
    let (first, both) = (largest(&pairs[..1]), largest(&pairs));
    assert!(matches!(first, Deviation::Ulps(ulps) if ulps.steps() == Ulps::HALF.steps()));
    assert!(first < both && both == Deviation::Ulps(Ulps::HALF));
}

#[test]
fn an_error_that_is_larger_by_the_least_is_the_largest() {
    let narrow: Vec<_> = (0..1 << 16).map(|a| [a, 0x42ab]).collect();
    // Sums of such have more bits than lanes.
    let wide = (0..1 << 14).map(|at| [(at << 31) ^ (0x3fc0_0000 + at * 37), 0x3680_0001 + at * 85]);
    let wide = wide.map(|pair| pair.map(|bits| bits & mask(DType::Float32))).collect();
    let of_types = [(DType::Float16, narrow), (DType::Float32, wide)];
    OPERATORS.into_par_iter().for_each(|operator| {
        for (dtype, pairs) in &of_types {
            let check = of(operator, *dtype);
            let cases = right_cases(&check, pairs.iter().copied());
            let errors = cases.into_iter().map(|case| (error(&check, case), case));
            let mut rising: Vec<_> = errors.filter(|it| it.0 != Deviation::NoRealResult).collect();
            rising.sort_by_key(|it| it.0);
            rising.dedup_by_key(|it| it.0);
            assert!(rising.len() > 500, "{check:?}: {}", rising.len());
            let mut tally = Tally::default();
            for (at, (deviation, case)) in rising.into_iter().enumerate() {
                let columns = columns(*dtype, &[case]);
                let mismatches = run(&check, columns.each_ref().map(Vec::as_slice), &mut tally);
                assert_eq!(mismatches, []);
                assert_eq!(tally.largest.unwrap().deviation, deviation, "{check:?} {at} {case:x?}");
            }
        }
    });
}

/// Checks the results of every pair with the second operands that `step` leaves, as the oracle has them plus `wrong`.
fn sweep(check: &Check, step: usize, wrong: u64) -> Tally {
    (0..1_u32 << 16)
        .into_par_iter()
        .step_by(step)
        .map(|second| {
            let cases = right_cases(check, (0..1 << 16).map(|a| [a, second.into()]));
            assert_agrees(check, &off_by(wrong, check, &cases))
        })
        .reduce(Tally::default, |mut tally, next| {
            tally.append(&next);
            tally
        })
}

/// Checks every pair of every type of 16 bits against the oracle.
fn every_pair_is_tallied_as_the_oracle_says(operator: &'static Operator) {
    for dtype in SIXTEEN_BITS {
        let tally = sweep(&of(operator, dtype), 1, 0);
        assert_eq!((tally.executed, tally.mismatches), (1 << 32, 0), "{operator:?} {dtype}");
    }
}

#[test]
#[ignore = "2^34 sums by the oracle take half an hour, and only in a release build"]
fn every_sum_of_sixteen_bits_is_tallied_as_the_oracle_says() {
    every_pair_is_tallied_as_the_oracle_says(&ADD);
}

#[test]
#[ignore = "2^34 differences by the oracle take half an hour, and only in a release build"]
fn every_difference_of_sixteen_bits_is_tallied_as_the_oracle_says() {
    every_pair_is_tallied_as_the_oracle_says(&SUB);
}

#[test]
#[ignore = "2^34 products by the oracle take half an hour, and only in a release build"]
fn every_product_of_sixteen_bits_is_tallied_as_the_oracle_says() {
    every_pair_is_tallied_as_the_oracle_says(&MUL);
}

#[test]
#[ignore = "2^34 quotients by the oracle take half an hour, and only in a release build"]
fn every_quotient_of_sixteen_bits_is_tallied_as_the_oracle_says() {
    every_pair_is_tallied_as_the_oracle_says(&DIV);
}

#[test]
#[ignore = "minutes, and only in a release build"]
fn every_wrong_result_of_sixteen_bits_with_each_of_many_second_operands_is_a_mismatch() {
    for (check, wrong) in
        pairs_of_sixteen_bits().into_iter().flat_map(|check| [(check.clone(), 1), (check, 0xffff)])
    {
        let tally = sweep(&check, 61, wrong);
        // A NaN plus or minus 1 is a NaN most of the time.
        assert!(tally.mismatches > tally.executed / 10 * 9, "{check:?}: {tally:?}");
    }
}
