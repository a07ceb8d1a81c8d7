//! The equivalence classes of integer operands: by which of them lie on the boundary of the type, and
//! by the sign of the divisor, whose domain zero splits.

use values::random::Random;

use crate::exact::number::Int;

/// Dividend and divisor.
pub(super) type Pair = [i128; 2];

/// Pairs drawn for a class.
const DRAWN: usize = 32;

/// Multiples of divisors and their neighbours.
const MULTIPLES: i128 = 1 << 11;

/// The operands of a class; none where a type has no such operands.
pub(super) fn of_class(class: &str, int: Int, random: &mut Random) -> Option<Vec<Pair>> {
    let positive_divisor = |mut pairs: Vec<Pair>| {
        pairs.retain(|&[_, b]| b > 0);
        pairs
    };
    let negative_divisor = |mut pairs: Vec<Pair>| {
        pairs.retain(|&[_, b]| b < 0);
        pairs
    };
    Some(match class {
        "corners_positive_divisor" => positive_divisor(corners(int)),
        "corners_negative_divisor" => negative_divisor(corners(int)),
        "edges_positive_divisor" => positive_divisor(edges(int, random)),
        "edges_negative_divisor" => negative_divisor(edges(int, random)),
        "interior_positive_divisor" => {
            (0..DRAWN).map(|_| [inside(int, random), positive(int, random)]).collect()
        }
        "interior_negative_divisor" if !int.signed => Vec::new(),
        "interior_negative_divisor" => {
            (0..DRAWN).map(|_| [inside(int, random), -positive(int, random)]).collect()
        }
        "truncation" => truncation(int, random),
        "beyond_float32" if int.bits > 24 => beyond(int, 24, random),
        "beyond_float64" if int.bits > 53 => beyond(int, 53, random),
        "beyond_float32" | "beyond_float64" => Vec::new(),
        "high_bit" => high_bit(int, random),
        "multiples" => (0..MULTIPLES).map(|k| multiple(int, k)).collect(),
        _ => return None,
    })
}

/// Multiples of the divisor, and what is next to them.
fn multiple(int: Int, k: i128) -> Pair {
    let b = 1 + k % 127;
    let multiple = b * (1 + k / 127 % (int.max().min(1 << 20) / b));
    let a = (multiple - k % 2).max(1);
    let sign = |negative: bool| if int.signed && negative { -1 } else { 1 };
    [a * sign(k & 2 != 0), b * sign(k & 4 != 0)]
}

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
    const CLASSES: [&str; 11] = [
        "corners_positive_divisor",
        "corners_negative_divisor",
        "edges_positive_divisor",
        "edges_negative_divisor",
        "interior_positive_divisor",
        "interior_negative_divisor",
        "truncation",
        "beyond_float32",
        "beyond_float64",
        "high_bit",
        "multiples",
    ];

    #[test]
    fn every_operand_is_a_value_of_its_type() {
        for bits in [8, 16, 32, 64] {
            for signed in [false, true] {
                let int = Int { signed, bits };
                for class in CLASSES {
                    let pairs = of_class(class, int, &mut Random::for_case(class)).unwrap();
                    let stray = pairs.into_iter().find(|pair| !pair.iter().all(|&x| int.holds(x)));
                    assert_eq!(stray, None, "{class} of {int:?}");
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
