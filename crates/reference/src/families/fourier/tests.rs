//! Sums by their definition and by stages, and what is not to conform.

use super::*;
use crate::exact::Conforming;
use crate::exact::composed::conforming;
use values::random::Random;

const SINGLE: &FloatFormat = &FloatFormat::FLOAT32;

type Complex = [f32; 2];

fn signal(numbers: &[Complex]) -> Signal {
    let part = |number: f32| Computed::element(SINGLE, number.to_bits().into(), Signal::bits());
    let sample = |(place, parts): (usize, &Complex)| Sample { place, parts: parts.map(part) };
    Signal::new(numbers.iter().enumerate().map(sample).collect(), None)
}

fn accepted(numbers: &[Complex], is_inverse: bool) -> Vec<[Conforming; 2]> {
    let signal = signal(numbers);
    let transform = Transform::new(numbers.len(), is_inverse, SINGLE);
    let part = |at: usize, is_imaginary: bool| {
        conforming(SINGLE, |bits| transform.computed(&signal, at, is_imaginary, bits))
    };
    (0..numbers.len()).map(|at| [part(at, false), part(at, true)]).collect()
}

fn accepts(all: &[[Conforming; 2]], results: &[Complex]) -> bool {
    let pairs = all.iter().zip(results).flat_map(|(all, results)| all.iter().zip(results));
    pairs.into_iter().all(|(one, result)| one.is_decided() && one.accepts(result.to_bits().into()))
}

fn drawn(count: usize, from: u64) -> Vec<Complex> {
    let number = |at: usize| (Random::at(from, at as u64).bits() as i32 as f32) / 1e9;
    (0..count).map(|at| [number(2 * at), number(2 * at + 1)]).collect()
}

/// Cosine and sine of part of a turn, rounded once.
fn factor(part: usize, parts: usize) -> Complex {
    let angle = -std::f64::consts::TAU * (part % parts) as f64 / parts as f64;
    [angle.cos() as f32, angle.sin() as f32]
}

fn times([a, b]: Complex, [c, s]: Complex) -> Complex {
    [a * c - b * s, a * s + b * c]
}

fn plus([a, b]: Complex, [c, d]: Complex) -> Complex {
    [a + c, b + d]
}

/// By the definition, in float32.
fn by_definition(numbers: &[Complex]) -> Vec<Complex> {
    let count = numbers.len();
    let sum = |at: usize| {
        let terms = numbers.iter().enumerate();
        let terms = terms.map(|(place, number)| times(*number, factor(at * place, count)));
        terms.fold([0.0; 2], plus)
    };
    (0..count).map(sum).collect()
}

/// By stages, as many as the length has prime factors, in float32.
fn by_stages(numbers: &[Complex]) -> Vec<Complex> {
    let count = numbers.len();
    let Some(radix) = (2..count).find(|radix| count.is_multiple_of(*radix)) else {
        return by_definition(numbers);
    };
    let part = |first: usize| {
        by_stages(&numbers.iter().skip(first).step_by(radix).copied().collect::<Vec<_>>())
    };
    let parts: Vec<Vec<Complex>> = (0..radix).map(part).collect();
    let sum = |at: usize| {
        let terms = parts
            .iter()
            .enumerate()
            .map(|(first, part)| times(part[at % (count / radix)], factor(at * first, count)));
        terms.fold([0.0; 2], plus)
    };
    (0..count).map(sum).collect()
}

#[test]
fn sums_by_their_definition_and_by_stages_conform() {
    for count in [1, 2, 3, 4, 5, 6, 8, 12, 15, 16, 17, 32] {
        for from in 0..2 {
            let numbers = drawn(count, from);
            let all = accepted(&numbers, false);
            assert!(accepts(&all, &by_definition(&numbers)), "{count}");
            assert!(accepts(&all, &by_stages(&numbers)), "{count}");
            let backwards: Vec<Complex> = numbers.iter().map(|[a, b]| [*b, *a]).collect();
            let divided = |sums: Vec<Complex>| -> Vec<Complex> {
                sums.into_iter().map(|[a, b]| [b / count as f32, a / count as f32]).collect()
            };
            let all = accepted(&numbers, true);
            assert!(accepts(&all, &divided(by_stages(&backwards))), "{count}");
        }
    }
}

#[test]
fn a_thousandth_beside_the_sum_does_not_conform() {
    for count in [3, 5, 8, 16, 30] {
        let numbers = drawn(count, 7);
        let all = accepted(&numbers, false);
        for (one, result) in all.iter().zip(by_definition(&numbers)) {
            let off = result.map(|part| part + 1e-3);
            assert!(one.iter().zip(off).all(|(one, off)| !one.accepts(off.to_bits().into())));
        }
    }
}

#[test]
fn sums_that_cancel_are_zero() {
    for count in [2, 4, 8, 16, 3, 6] {
        let numbers = vec![[1.0, 0.0]; count];
        for one in accepted(&numbers, false).iter().skip(1).flatten() {
            assert!(
                one.accepts(0) && one.example().is_some_and(|bits| bits << 1 & 0xffff_ffff == 0)
            );
        }
    }
}

#[test]
fn infinities_and_nan_reach_what_they_are_multiplied_into() {
    let mut numbers = vec![[1.0, 0.0]; 8];
    numbers[3] = [f32::INFINITY, 0.0];
    let all = accepted(&numbers, false);
    let of = |number: f32| u64::from(number.to_bits());
    assert!(all[0][0].accepts(of(f32::INFINITY)) && all[0][0].accepts(of(f32::NAN)));
    assert!(!all[0][0].accepts(of(f32::NEG_INFINITY)) && !all[0][0].accepts(of(7.0)));
    // What a sine of 0 meets is left out or makes a NaN.
    assert!(all[0][1].accepts(0) && all[0][1].accepts(of(f32::NAN)));
    assert!(!all[0][1].accepts(of(f32::INFINITY)));
    numbers[3] = [f32::NAN, 0.0];
    let all = accepted(&numbers, false);
    assert!(all[1][0].accepts(of(f32::NAN)) && !all[1][0].accepts(of(f32::INFINITY)));
}

#[test]
fn sums_beyond_the_range_may_overflow_and_others_not() {
    let numbers = vec![[f32::MAX, 0.0]; 8];
    let infinity = f32::INFINITY.to_bits().into();
    assert!(accepted(&numbers, false)[0][0].accepts(infinity));
    let numbers = vec![[f32::MAX / 64.0, 0.0]; 8];
    assert!(!accepted(&numbers, false)[0][0].accepts(infinity));
}
