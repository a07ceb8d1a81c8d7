//! Every conversion from 32 bits, checked both ways.

use std::sync::atomic::{AtomicUsize, Ordering};

use values::element::Element;
use values::random::Random;

use super::*;
use crate::check::Check;
use crate::elementwise::Elementwise;
use crate::exact::{Conforming, Deviation};
use crate::operator::AttributeValue;
use crate::operators::cast::CAST;
use crate::real::Real;
use crate::sweep::exact_checker::ExactChecker;
use crate::sweep::{Largest, MAX_ARITY, Mismatch, Tally};

const SOURCES: [DType; 3] = [DType::Float32, DType::Int32, DType::Uint32];

/// Every type that such elements are converted to and that has bytes of its own.
fn targets() -> impl Iterator<Item = DType> {
    let is_number = |dtype: &DType| !matches!(dtype.kind(), Kind::Complex(_) | Kind::String);
    DType::ALL
        .into_iter()
        .filter(is_number)
        .filter(|dtype| dtype.bits() >= Some(8) || *dtype == DType::Bool)
}

fn check(from: DType, to: DType) -> Check {
    let to = AttributeValue::Int(to.onnx_code().into());
    Check::of(&CAST, from, [("to".to_owned(), to)].into()).unwrap()
}

/// Operands of every size, most of them next to where a result changes: their low bits are those of a midpoint or a power of
/// two, or one off.
fn operands(from: DType, random: &mut Random) -> Vec<u32> {
    let mut all = Vec::new();
    for low in 0..32_u32 {
        for high in 0..40 {
            let top = match from {
                DType::Float32 => (random.bits() as u32) & !0 << low,
                _ => (random.bits() as u32 | 1 << 31) >> (high % 32) & !0 << low,
            };
            for off in [0, 1, u32::MAX] {
                all.push(top.wrapping_add(off));
                all.push((top ^ 1 << 31).wrapping_add(off));
            }
        }
    }
    if from == DType::Float32 {
        let exponents = (0..=0xff_u32)
            .flat_map(|field| [0, 1, 0x40_0000, 0x7f_ffff].map(|low| field << 23 | low));
        all.extend(exponents.flat_map(|bits| [bits, bits | 1 << 31]));
    }
    all
}

/// The bytes of operands and of results.
fn columns(check: &Check, operands: &[u32], result: impl Fn(&Check, u32) -> u64) -> [Vec<u8>; 2] {
    let width = check.result().bits().unwrap() as usize / 8;
    let results = operands.iter().map(|operand| result(check, *operand).to_le_bytes());
    let results = results.flat_map(|bytes| bytes[..width].to_vec()).collect();
    [operands.iter().flat_map(|operand| operand.to_le_bytes()).collect(), results]
}

/// Checks results of operands both ways.
fn both(
    check: &Check,
    operands: &[u32],
    result: impl Fn(&Check, u32) -> u64,
) -> [(Tally, Vec<Mismatch>); 2] {
    let [column, results] = columns(check, operands, result);
    let mut fast = (Tally::default(), Vec::new());
    check.run(&[&column], &results, &mut fast.0, &mut |mismatch| fast.1.push(mismatch));
    let (function, dtype, result) = (check.function(), check.dtype(), check.result());
    let exact = ExactChecker { function, operands: &[dtype], result };
    let (mut tally, mut wrong) = (Tally::default(), Vec::new());
    let mismatch = &mut |mismatch| wrong.push(mismatch);
    let mut run = Run { exact, portable: true, tally: &mut tally, mismatch };
    run.exactly(&[&column], &results);
    let slow = (tally, wrong);
    [fast, slow]
}

/// A result that conforms, or 0.
fn right(check: &Check, operand: u32) -> u64 {
    let conforming = check.conforming(&[operand.into()]);
    let bits = conforming.example().unwrap_or(0) as u64;
    if matches!(conforming, Conforming::Unspecified(_)) { 0x55 } else { bits }
}

#[test]
fn right_and_wrong_results_are_tallied_as_exact_arithmetic_does() {
    for (at, from) in SOURCES.into_iter().enumerate() {
        let operands = operands(from, &mut Random::at(7, at as u64));
        for to in targets() {
            let check = check(from, to);
            assert!(check.is_fast(), "{from} {to}");
            let mask = u64::MAX >> (u64::BITS - to.bits().unwrap());
            let spoilt = |check: &Check, operand: u32| {
                let right = right(check, operand);
                let spoilt = match operand.wrapping_mul(0x9e37_79b9) >> 28 {
                    0 => right.wrapping_add(1),
                    1 => right.wrapping_sub(1),
                    2 => right ^ (mask / 2 + 1),
                    3 => 0,
                    4 => mask,
                    _ => right,
                };
                if to == DType::Bool { spoilt & 1 } else { spoilt & mask }
            };
            let [fast, slow] = both(&check, &operands, right);
            assert_eq!(fast.1, [], "{from} {to}");
            assert_eq!(fast.0, slow.0, "{from} {to}");
            let [fast, slow] = both(&check, &operands, spoilt);
            assert_eq!(fast.1, slow.1, "{from} {to}");
            assert_eq!(fast.0, slow.0, "{from} {to}");
            assert!(fast.1.len() > 100, "{from} {to} finds what is wrong");
        }
    }
}

#[test]
fn an_error_that_is_next_to_nothing_is_larger_than_none() {
    for to in [DType::Float16, DType::Bfloat16, DType::Float8E4M3Fn] {
        let check = check(DType::Float32, to);
        // The first elements are looked at before it is known that none before them had an error.
        let tiny = (0..23).map(|bit| 1 << bit | 1).chain([0x0080_0001, 0x0412_3457, 0x1fff_ffff]);
        for tiny in tiny {
            let operands = [vec![0x3f80_0000; 1 << 16], vec![tiny; 100]].concat();
            let [fast, slow] = both(&check, &operands, right);
            assert_eq!(fast.0, slow.0, "{tiny:#x} {to}");
            assert_eq!(fast.0.largest.unwrap().operands[0], u64::from(tiny));
        }
    }
}

#[test]
fn powers_of_two_at_either_end_are_told_from_the_next() {
    let check = check(DType::Float32, DType::Float8E8M0);
    for operand in
        [0, 1, 0x0020_0000, 0x0040_0000, 0x0040_0001, 0x7f00_0000, 0x7f00_0001, 0x7f7f_ffff]
    {
        let all: Vec<u64> = (0..256).collect();
        let accepted = all.iter().filter(|&&result| {
            let [fast, slow] = both(&check, &[operand; 64], |_, _| result);
            assert_eq!(fast, slow, "{operand:#x} {result:#x}");
            fast.1.is_empty()
        });
        assert_eq!(accepted.copied().collect::<Vec<_>>(), [right(&check, operand)]);
    }
}

#[test]
fn nearly_all_right_results_are_decided_fast() {
    for (at, from) in SOURCES.into_iter().enumerate() {
        let operands = operands(from, &mut Random::at(9, at as u64));
        for to in targets() {
            let check = check(from, to);
            // Errors above half a unit there are none, so that none has to be measured.
            let half = operands
                .iter()
                .map(|&operand| check.deviation(&[operand.into()], right(&check, operand)));
            let largest = half.max().map(|deviation| Largest {
                deviation,
                operands: [0; MAX_ARITY],
                result: 0,
            });
            let mut tally = Tally { largest, ..Tally::default() };
            let asked = Asked { function: check.function(), times: AtomicUsize::new(0) };
            let exact = ExactChecker { function: &asked, operands: &[from], result: to };
            let mismatch = &mut |mismatch| panic!("{from} {to}: {mismatch:?}");
            let mut run = Run { exact, portable: true, tally: &mut tally, mismatch };
            let [column, results] = columns(&check, &operands, right);
            assert!(Conversions.run(from, &mut run, [&column, &column, &results]));
            let left = asked.times.into_inner();
            assert!(left < operands.len() / 100, "{from} {to}: {left} of {}", operands.len());
        }
    }
}

/// A function that counts how often it is asked what conforms.
struct Asked<'a> {
    function: &'a dyn Elementwise,
    times: AtomicUsize,
}

impl Elementwise for Asked<'_> {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        self.times.fetch_add(1, Ordering::Relaxed);
        self.function.conforming(dtype, operands)
    }

    fn real(&self, dtype: DType, operands: &[Element], bits: u32) -> Option<Real> {
        self.function.real(dtype, operands, bits)
    }

    fn deviation(&self, dtype: DType, operands: &[Element], actual: u64) -> Deviation {
        self.function.deviation(dtype, operands, actual)
    }
}
