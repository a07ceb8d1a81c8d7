//! The equivalence classes of integer operands: by which of them lie on the boundary of the type, and
//! by the sign of the divisor, whose domain zero splits.

use values::random::Random;

use crate::exact::number::Int;

/// Dividend and divisor.
pub(super) type Pair = [i128; 2];

/// Pairs drawn for a class.
const DRAWN: usize = 32;

/// A class of operands that are drawn for it; none where a type has no such operands.
pub(super) struct Class {
    pub(super) name: &'static str,
    /// What it is about.
    pub(super) note: &'static str,
    pub(super) draw: fn(Int, &mut Random) -> Vec<Pair>,
}

/// The classes.
pub(super) const CLASSES: [Class; 12] = [
    Class {
        name: "corners_positive_divisor",
        note: "the minimum and the maximum with each other and with the neighbours of zero",
        draw: |int, _| corners(int).into_iter().filter(|&[_, b]| b > 0).collect(),
    },
    Class {
        name: "corners_negative_divisor",
        note: "the minimum and the maximum with each other and with the neighbours of zero",
        draw: |int, _| corners(int).into_iter().filter(|&[_, b]| b < 0).collect(),
    },
    Class {
        name: "minimum_by_minus_one",
        note: "no value of the type is the quotient; a refusal conforms, and so does the quotient \
               wrapped to the minimum",
        draw: |int, _| if int.signed { vec![[int.min(), -1]] } else { Vec::new() },
    },
    Class {
        name: "zero_divisor",
        note: "outside the domain: a refusal or any value may come back, but no crash",
        draw: |int, _| {
            let mut dividends = vec![int.min(), -1, 0, 1, int.max()];
            dividends.retain(|&a| int.holds(a));
            dividends.dedup();
            dividends.into_iter().map(|a| [a, 0]).collect()
        },
    },
    Class {
        name: "edges_positive_divisor",
        note: "one operand on or next to a boundary, the other inside",
        draw: |int, random| edges(int, random).into_iter().filter(|&[_, b]| b > 0).collect(),
    },
    Class {
        name: "edges_negative_divisor",
        note: "one operand on or next to a boundary, the other inside",
        draw: |int, random| edges(int, random).into_iter().filter(|&[_, b]| b < 0).collect(),
    },
    Class {
        name: "interior_positive_divisor",
        note: "operands of all sizes inside the type",
        draw: |int, random| {
            (0..DRAWN).map(|_| [inside(int, random), positive(int, random)]).collect()
        },
    },
    Class {
        name: "interior_negative_divisor",
        note: "operands of all sizes inside the type",
        draw: |int, random| {
            let pair = |_| [inside(int, random), -positive(int, random)];
            if int.signed { (0..DRAWN).map(pair).collect() } else { Vec::new() }
        },
    },
    Class {
        name: "truncation",
        note: "multiples of the divisor and their neighbours, odd and even, in all signs: the \
               fraction is dropped, towards zero",
        draw: truncation,
    },
    Class {
        name: "beyond_float32",
        note: "operands that float32 does not hold",
        draw: |int, random| if int.bits > 24 { beyond(int, 24, random) } else { Vec::new() },
    },
    Class {
        name: "beyond_float64",
        note: "operands that float64 does not hold",
        draw: |int, random| if int.bits > 53 { beyond(int, 53, random) } else { Vec::new() },
    },
    Class {
        name: "high_bit",
        note: "operands that are negative where the type is taken for a signed one",
        draw: high_bit,
    },
];

/// A number from 2 to next to the maximum, of each length alike.
fn positive(int: Int, random: &mut Random) -> i128 {
    let high = int.max() - 1;
    let length = random.between(1, high.ilog2().into());
    random.between(1 << length, high.min((2 << length) - 1))
}

/// Such a number, of either sign where the type is signed.
fn inside(int: Int, random: &mut Random) -> i128 {
    let negative = int.signed && random.bits() & 1 == 1;
    let positive = positive(int, random);
    if negative { -positive } else { positive }
}

/// The boundaries against each other and the neighbours of zero, either way round.
fn corners(int: Int) -> Vec<Pair> {
    let boundary = [int.min(), int.max()];
    let all = [int.min(), -1, 0, 1, int.max()];
    let pairs = all.into_iter().flat_map(|a| all.map(|b| [a, b]));
    let mut corners: Vec<Pair> = pairs
        .filter(|pair| pair.iter().any(|x| boundary.contains(x)))
        .filter(|&[a, b]| int.holds(a) && int.holds(b) && b != 0 && [a, b] != [int.min(), -1])
        .collect();
    corners.sort_unstable();
    corners.dedup();
    corners
}

fn edges(int: Int, random: &mut Random) -> Vec<Pair> {
    let edges = [int.min(), int.min() + 1, int.max() - 1, int.max()];
    let divisors = if int.signed { vec![-1, 1] } else { vec![1] };
    let mut pairs = Vec::new();
    for edge in edges {
        for _ in 0..6 {
            pairs.extend([[edge, inside(int, random)], [inside(int, random), edge]]);
        }
        pairs.extend([[edge, 2], [edge, 3]]);
    }
    for divisor in divisors {
        pairs.extend((0..6).map(|_| [inside(int, random), divisor]));
    }
    pairs.retain(|&[_, b]| b != 0);
    pairs
}

/// Multiples of divisors, with -1, 0, 1 and half a divisor added.
fn truncation(int: Int, random: &mut Random) -> Vec<Pair> {
    let limit = int.bits / 2 - 1;
    let mut pairs = Vec::new();
    let divisors = [2, 3, 4, 5, 7].into_iter();
    let drawn: Vec<i128> = (0..5).map(|_| random.between(2, (1 << limit) - 1)).collect();
    for divisor in divisors.chain(drawn) {
        let quotient = random.between(1, (1 << limit) - 1);
        for added in [-1, 0, 1, divisor / 2] {
            let dividend = quotient * divisor + added;
            for signs in [[1, 1], [-1, 1], [1, -1], [-1, -1]] {
                pairs.push([signs[0] * dividend, signs[1] * divisor]);
            }
        }
    }
    pairs.retain(|pair| pair.iter().all(|&x| int.holds(x)));
    pairs
}

/// Dividends of more than `precision` bits next to multiples of their divisors, such that rounding
/// the dividend or the quotient to that many bits changes it; and divisors of as many bits.
fn beyond(int: Int, precision: u32, random: &mut Random) -> Vec<Pair> {
    let (low, high) = (1 << precision, int.max() - 1);
    let mut pairs = Vec::new();
    for divisor in [1, 2, 3, 5, 7, 10] {
        let multiple = random.between(low / divisor + 1, high / divisor) * divisor;
        pairs.extend([[multiple - 1, divisor], [multiple, divisor], [multiple + 1, divisor]]);
    }
    for _ in 0..DRAWN / 4 {
        let divisor = random.between(low, high) | 1;
        pairs.extend([[divisor - 1, divisor], [divisor, divisor], [divisor, divisor - 1]]);
    }
    if int.signed {
        pairs.extend(pairs.clone().into_iter().flat_map(|[a, b]| [[-a, b], [-a, -b]]));
    }
    pairs
}

fn high_bit(int: Int, random: &mut Random) -> Vec<Pair> {
    if int.signed {
        return Vec::new();
    }
    let half = 1 << (int.bits - 1);
    let mut pairs = vec![[half, 1], [half, half], [half - 1, half], [half, half - 1]];
    for _ in 0..DRAWN / 4 {
        let [high, other] = [(); 2].map(|()| random.between(half, int.max()));
        let low = random.between(1, half - 1);
        pairs.extend([[high, low], [low, high], [high, other]]);
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT8: Int = Int { signed: true, bits: 8 };
    const UINT8: Int = Int { signed: false, bits: 8 };

    #[test]
    fn every_operand_is_a_value_of_its_type() {
        for bits in [8, 16, 32, 64] {
            for signed in [false, true] {
                let int = Int { signed, bits };
                for class in &CLASSES {
                    let pairs = (class.draw)(int, &mut Random::for_case(class.name));
                    let stray = pairs.into_iter().find(|pair| !pair.iter().all(|&x| int.holds(x)));
                    assert_eq!(stray, None, "{} of {int:?}", class.name);
                }
            }
        }
    }

    #[test]
    fn corners_hold_the_boundaries_against_each_other_and_the_neighbours_of_zero() {
        let signed = corners(INT8);
        for corner in [[-128, -128], [-128, 127], [127, -1], [127, 1], [1, -128], [0, 127]] {
            assert!(signed.contains(&corner), "{corner:?}");
        }
        assert!(!signed.contains(&[-128, -1]));
        assert_eq!(corners(UINT8), [[0, 1], [0, 255], [1, 255], [255, 1], [255, 255]]);
    }

    #[test]
    fn what_is_beyond_a_float_type_tells_when_it_was_rounded() {
        let int = Int { signed: true, bits: 64 };
        let pairs = beyond(int, 53, &mut Random::for_case("test"));
        let lost = pairs.iter().filter(|[a, b]| (*a as f64 / *b as f64) as i128 != a / b).count();
        assert!(lost > pairs.len() / 4, "{lost} of {}", pairs.len());
    }
}
