//! Radicands by where their roots lie.

use values::float::FloatFormat;
use values::random::Random;

use crate::elements::scaled;
use crate::hard::Radicand;
use crate::operators::float_classes::{Class, DRAWN, normal_exponent, significand};
use crate::operators::hardest;

/// The classes beyond the special values.
pub(super) const CLASSES: [Class<u64>; 7] = [
    Class {
        name: "interior",
        note: "positive numbers of ordinary size",
        draw: |format, random| positive(format, random, -8, 8),
    },
    Class {
        name: "wide",
        note: "positive normal numbers of all exponents",
        draw: |format, random| positive(format, random, normal_exponent(format), format.bias),
    },
    Class {
        name: "subnormal",
        note: "subnormal radicands of every length",
        draw: |format, random| {
            let lengths = 1..=format.significand_bits;
            let of = |len: u32| [1_u64 << (len - 1), significand(random, len), (1 << len) - 1];
            lengths.flat_map(of).collect()
        },
    },
    Class { name: "squares", note: "squares, whose roots the format holds", draw: squares },
    Class {
        name: "next_to_squares",
        note: "the neighbours of squares",
        draw: |format, random| {
            squares(format, random).into_iter().flat_map(|x| [x - 1, x + 1]).collect()
        },
    },
    Class {
        name: "hardest",
        note: "radicands whose roots are as close to halfway between two numbers as any are",
        draw: hardest,
    },
    Class {
        name: "negative",
        note: "negative numbers, normal and subnormal, which have no root",
        draw: |format, random| {
            let normal = positive(format, random, normal_exponent(format), format.bias);
            let subnormal = (1..=format.significand_bits).map(|len| significand(random, len));
            normal.into_iter().chain(subnormal).map(|x| format.negated(x)).collect()
        },
    },
];

/// Random normal numbers with exponents from `low` to `high`.
fn positive(format: &FloatFormat, random: &mut Random, low: i32, high: i32) -> Vec<u64> {
    (0..DRAWN)
        .filter_map(|_| {
            let exponent = random.between(low.into(), high.into()) as i32;
            let unit = exponent - format.significand_bits as i32;
            scaled(format, significand(random, format.precision()), unit)
        })
        .collect()
}

/// Squares of numbers of half the precision, times even powers of two.
fn squares(format: &FloatFormat, random: &mut Random) -> Vec<u64> {
    let random_roots = (0..DRAWN / 2).map(|_| significand(random, format.precision() / 2));
    let roots: Vec<u64> = (1..16).chain(random_roots).collect();
    let square = |root: u64| {
        let exponent = 2 * random.between(-5, 2) as i32;
        scaled(format, root * root, exponent)
    };
    roots.into_iter().filter_map(square).collect()
}

fn hardest(format: &FloatFormat, random: &mut Random) -> Vec<u64> {
    let place = |radicand: Radicand| {
        // With this exponent a significand lies between 1 and 2.
        let unit = -(format.significand_bits as i32);
        let even = 2 * random.between(-3, 3) as i32;
        scaled(format, radicand.significand, unit + even + i32::from(radicand.odd))
    };
    hardest::radicands(format.precision(), DRAWN).into_iter().filter_map(place).collect()
}
