//! Hard sums are what they say, by integers of 128 bits, and kernels that round otherwise are found by them.

use std::collections::{BTreeMap, BTreeSet};

use values::dtype::DType;

use super::*;
use crate::inputs::tuples;

const TYPES: [(DType, FloatFormat); 4] = [
    (DType::Float16, FloatFormat::FLOAT16),
    (DType::Bfloat16, FloatFormat::BFLOAT16),
    (DType::Float32, FloatFormat::FLOAT32),
    (DType::Float64, FloatFormat::FLOAT64),
];

/// A sum: the two numbers that are added and their sum, in units of `2^unit`.
struct Added {
    larger: i128,
    smaller: i128,
    sum: i128,
    unit: i32,
    /// The difference of the exponents.
    apart: u32,
}

impl Added {
    fn of(addition: Addition, format: &FloatFormat, [a, b]: Tuple) -> Self {
        let b = if addition == Addition::Difference { format.negated(b) } else { b };
        let integer = |bits: u64| {
            let (field, magnitude) = (format.significand_bits, format.magnitude(bits));
            let biased = (magnitude >> field) as i32;
            let hidden = u64::from(biased > 0) << field;
            let significand = i128::from(magnitude & ((1 << field) - 1) | hidden);
            let sign = if format.is_negative(bits) { -1 } else { 1 };
            (sign * significand, biased.max(1) - format.bias)
        };
        let [(a, of_a), (b, of_b)] = [a, b].map(integer);
        let unit = of_a.min(of_b);
        let [a, b] = [a << (of_a - unit), b << (of_b - unit)];
        let (larger, smaller) = if a.abs() < b.abs() { (b, a) } else { (a, b) };
        let unit = unit - format.significand_bits as i32;
        let apart = of_a.abs_diff(of_b);
        Self { larger, smaller, sum: a + b, unit, apart }
    }

    /// How many bits of the sum the precision has no room for. There are none below the unit.
    fn cut(&self, format: &FloatFormat) -> u32 {
        length(self.sum).saturating_sub(format.precision())
    }

    /// How far the sum is above the midpoint of the numbers around it, and the lower one in magnitude.
    fn above_midpoint(&self, format: &FloatFormat) -> Option<(i128, i128)> {
        let half = 1_i128 << self.cut(format).checked_sub(1)?;
        let lower = self.sum.abs() / (2 * half);
        Some((self.sum.abs() - lower * 2 * half - half, lower))
    }
}

fn length(number: i128) -> u32 {
    u128::BITS - number.unsigned_abs().leading_zeros()
}

/// How a tie is rounded.
#[derive(Clone, Copy)]
enum Ties {
    Even,
    Away,
    Zero,
}

/// A magnitude rounded to a multiple of a power of two.
fn rounded(number: i128, cut: u32, ties: Ties) -> i128 {
    let (down, rest) = (number >> cut, number & ((1 << cut) - 1));
    let is_up = match ((2 * rest).cmp(&(1 << cut)), ties) {
        _ if cut == 0 => false,
        (std::cmp::Ordering::Equal, Ties::Even) => down & 1 == 1,
        (std::cmp::Ordering::Equal, Ties::Away) => true,
        (order, _) => order.is_gt(),
    };
    (down + i128::from(is_up)) << cut
}

fn part(addition: Addition, (dtype, format): (DType, FloatFormat), name: &str) -> Vec<Added> {
    let parts = parts(addition, format);
    let (_, space) = parts.iter().find(|(of, _)| *of == name).unwrap();
    let tuples = tuples(&**space, dtype).into_iter();
    tuples.map(|pair| Added::of(addition, &format, pair)).collect()
}

const BOTH: [Addition; 2] = [Addition::Sum, Addition::Difference];

#[test]
fn ties_are_exact_ones_of_either_parity_at_every_distance_and_exponent() {
    for of in TYPES {
        let (dtype, format) = of;
        for addition in BOTH {
            let (mut distances, mut exponents) = (BTreeSet::new(), BTreeSet::new());
            let [mut even, mut odd, mut carried, mut negative] = [0_usize; 4];
            let found = part(addition, of, "ties");
            for added in &found {
                let (above, lower) = added.above_midpoint(&format).unwrap();
                assert_eq!(above, 0, "{dtype}");
                distances.insert(added.apart);
                exponents.insert(added.unit + length(added.sum) as i32 - 1);
                *(if lower % 2 == 0 { &mut even } else { &mut odd }) += 1;
                carried += usize::from(length(lower + 1) > format.precision());
                negative += usize::from(added.sum < 0);
            }
            assert!(even > found.len() / 4 && odd > found.len() / 4, "{dtype}: {even} {odd}");
            assert!(carried > 100 && 2 * negative == found.len(), "{dtype}: {carried} {negative}");
            // One bit less than half a unit of a power of two is as far as a tie goes.
            assert!(distances.into_iter().eq(0..=format.precision() + 1), "{dtype}");
            // Sums with the lowest exponent are exact.
            let places = places(&format).into_iter();
            assert!(exponents.into_iter().eq(places.skip(1)), "{dtype}");
        }
    }
}

#[test]
fn those_next_to_ties_are_off_by_one_unit_of_the_smaller_operand() {
    for of in TYPES {
        let (dtype, format) = of;
        for addition in BOTH {
            let mut sides = BTreeMap::new();
            for added in part(addition, of, "next to ties") {
                let (above, lower) = added.above_midpoint(&format).unwrap();
                *sides.entry((above, lower % 2)).or_insert(0) += 1;
            }
            assert!(sides.keys().eq(&[(-1, 0), (-1, 1), (1, 0), (1, 1)]), "{dtype}: {sides:?}");
            assert!(sides.values().all(|&count| count > 5000), "{dtype}: {sides:?}");
        }
    }
}

#[test]
fn sums_overflow_by_half_a_unit_beyond_the_largest_number_and_not_by_less() {
    for of in TYPES {
        let (dtype, format) = of;
        for addition in BOTH {
            let mut places = BTreeSet::new();
            for added in part(addition, of, "overflow") {
                let precision = format.precision();
                let threshold = (2_i128 << precision) - 1;
                let shift = format.bias - precision as i32 - added.unit;
                places.insert((added.apart, added.sum.abs() - (threshold << shift)));
            }
            let on = |by| places.iter().filter(|(_, units)| *units == by).count() as u32;
            assert_eq!(places.len() as u32, on(-1) + on(0) + on(1), "{dtype}");
            // At any distance of exponents at which there are ties that are sums.
            assert_eq!(on(0), format.precision(), "{dtype}");
            assert_eq!([on(-1), on(1)], [format.precision() - 1; 2], "{dtype}");
        }
    }
}

#[test]
fn what_cancels_leaves_a_number_down_to_the_subnormal_ones_and_zero() {
    for of in TYPES {
        let (dtype, format) = of;
        let smallest = 1 - format.bias - format.significand_bits as i32;
        for addition in BOTH {
            let [mut zeros, mut subnormal, mut normal] = [0; 3];
            let found = part(addition, of, "cancellation");
            for added in found.iter().filter(|added| (added.larger < 0) != (added.smaller < 0)) {
                assert_eq!(added.cut(&format), 0);
                let is_subnormal = added.unit + length(added.sum) as i32
                    <= smallest + format.significand_bits as i32;
                *(match added.sum {
                    0 => &mut zeros,
                    _ if is_subnormal => &mut subnormal,
                    _ => &mut normal,
                }) += 1;
            }
            assert!(zeros > 500 && subnormal > 500 && normal > 500, "{dtype}: {zeros} {subnormal}");
        }
    }
}

#[test]
fn small_numbers_add_up_to_those_around_the_smallest_normal_one() {
    for of in TYPES {
        let (dtype, format) = of;
        let smallest = 1_i128 << format.significand_bits;
        for addition in BOTH {
            let found = part(addition, of, "smallest normal");
            let sums: BTreeSet<_> = found.iter().map(|added| added.sum).collect();
            let around = [smallest - 1, smallest, smallest + 1];
            let either = around.iter().rev().map(|sum| -sum).chain(around);
            assert!(sums.into_iter().eq(either), "{dtype}");
            let of_subnormal = found.iter().filter(|added| added.larger.abs() < smallest).count();
            assert!(of_subnormal > found.len() / 8, "{dtype}: {of_subnormal}");
            let subnormal = part(addition, of, "subnormal");
            let both = subnormal.iter().filter(|added| added.larger.abs() < smallest);
            assert!(both.clone().count() > 1000 && both.clone().any(|added| added.sum > smallest));
            assert!(subnormal.iter().all(|added| added.cut(&format) <= 1), "{dtype}");
        }
    }
}

/// How many sums a kernel is wrong on, by magnitude.
fn wrong(sums: &[Added], format: &FloatFormat, kernel: impl Fn(&Added, u32) -> i128) -> usize {
    let is_wrong = |added: &&Added| {
        let cut = added.cut(format);
        kernel(added, cut) != rounded(added.sum.abs(), cut, Ties::Even)
    };
    sums.iter().filter(is_wrong).count()
}

#[test]
fn kernels_that_round_twice_or_forget_bits_or_break_ties_otherwise_are_found() {
    for of in TYPES {
        let (dtype, format) = of;
        let precision = format.precision();
        for addition in BOTH {
            // Evenly spread ones, as there are millions.
            let [ties, beside] = ["ties", "next to ties"].map(|name| {
                let all = part(addition, of, name);
                let step = all.len() / 40_000 + 1;
                all.into_iter().step_by(step).collect::<Vec<_>>()
            });
            let right = |added: &Added, cut| rounded(added.sum.abs(), cut, Ties::Even);
            assert_eq!(wrong(&ties, &format, right) + wrong(&beside, &format, right), 0);
            for other in [Ties::Away, Ties::Zero] {
                let kernel = |added: &Added, cut| rounded(added.sum.abs(), cut, other);
                let count = wrong(&ties, &format, kernel);
                assert!(count > ties.len() / 4, "{dtype}: {count} of {}", ties.len());
                assert_eq!(wrong(&beside, &format, kernel), 0, "{dtype}");
            }
            for more in 1..precision {
                // First to so many bits more than the precision.
                let twice = |added: &Added, cut: u32| {
                    let first = rounded(added.sum.abs(), cut.saturating_sub(more), Ties::Even);
                    rounded(first, cut, Ties::Even)
                };
                let count = wrong(&beside, &format, twice);
                assert!(count > 20, "{dtype}: {count} with {more} bits more");
                // The smaller number is aligned to so many bits below the larger one's last; what is below is lost.
                let sticky = |added: &Added, cut: u32| {
                    let lost = added.apart.saturating_sub(more);
                    let kept = added.smaller.abs() >> lost << lost;
                    let is_less = (added.larger < 0) != (added.smaller < 0);
                    let sum = added.larger.abs() + if is_less { -kept } else { kept };
                    rounded(sum, cut.max(length(sum).saturating_sub(precision)), Ties::Even)
                };
                let count = wrong(&beside, &format, sticky);
                assert!(count > 20, "{dtype}: {count} with {more} bits kept");
            }
        }
    }
}
