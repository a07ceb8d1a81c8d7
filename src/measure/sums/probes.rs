//! Probes: sums that tell how many bits the additions of an accumulator keep, and whether products are rounded.
//!
//! A probe has a large number M = 2^k s, its negation, and s or -s, at three places; every other term is zero. In any
//! order of additions the sum is s exactly, unless s meets M or -M before these cancel and the sum of the two is
//! rounded: M + s has k + 1 bits and M - s has k, so that an addition of p bits keeps the former up to k = p - 1, and the
//! latter up to k = p. Of the six ways to put the three on three places four have s meet one of the large ones, whatever the
//! order; which of the places is the last to join is seen. `docs/numerics.md` has the proof.
//!
//! Products are probed by x x - c, where c is x x rounded to any precision that does not hold it: what is left tells that
//! the product was added as it is.

use std::collections::BTreeSet;

use super::document::{Accumulator, Products};
use super::summation::Summation;
use crate::float::{Class, FloatFormat};
use crate::measure::campaign::Failure;
use reference::conditioned::Term;
use reference::exact::sum::Terms;

/// How many terms there are; powers of two, of which a mean is exact.
const LENGTHS: [usize; 3] = [4, 64, 512];

/// The largest precision that is distinguished, in bits.
const MOST: u32 = 120;

/// What fits no order of additions.
const NO_ORDER: &str = "what is lost fits no order of additions of two numbers each";
/// Operands, or an accumulator, of fewer bits than the elements have.
const NARROW: &str = "an element that zeros are added to comes back rounded";
/// What is neither the product nor the rounded product.
const NO_PRODUCT: &str = "products come out neither exact nor rounded";
/// Additions of several widths, of which some hold a product and some do not.
const SEVERAL: &str = "some additions hold every product, and some do not";

/// What has sums computed.
pub type Answer<'a> = dyn Fn(&[Vec<Term>]) -> Result<Vec<u64>, Failure> + 'a;

/// Probes of one length.
struct Probe {
    format: &'static FloatFormat,
    length: usize,
    /// The exponent of s, and the largest k.
    least: i32,
    range: u32,
    /// What the sum is divided by, as a power of two.
    divided: i32,
}

/// The positions of the numbers.
#[derive(Clone, Copy)]
struct Arrangement {
    plus: usize,
    minus: usize,
    small: usize,
}

/// What the arrangements of three places lose.
enum Found {
    Nothing,
    Bits(BTreeSet<u32>),
    Odd,
}

/// The properties of an operator's accumulator in a format, inferred by probing.
pub fn accumulator(
    summation: &Summation,
    format: &'static FloatFormat,
    answer: &Answer<'_>,
) -> Result<Accumulator, Failure> {
    let mut bits = BTreeSet::new();
    let (mut more_than, mut is_odd) = (MOST, false);
    for length in LENGTHS {
        let probe = Probe::new(format, length, summation.is_mean);
        more_than = more_than.min(probe.range);
        match probe.widths(answer)? {
            Found::Nothing => {}
            Found::Bits(found) => bits.extend(found),
            Found::Odd => is_odd = true,
        }
    }
    let mut told = Accumulator::default();
    if is_odd {
        told.reason = Some(NO_ORDER.to_owned());
    } else if bits.is_empty() {
        told.more_than = Some(more_than);
    } else {
        told.bits = bits.into_iter().collect();
    }
    if summation.terms == Terms::Products {
        add_products(&mut told, format, answer)?;
    }
    Ok(told)
}

/// The term of an element that is multiplied by 1.
const fn alone(format: &FloatFormat, element: u64) -> Term {
    [element, (format.bias as u64) << format.significand_bits]
}

/// A number of a format that has it, and else 0.
fn number(format: &FloatFormat, significand: u64, exponent: i32) -> u64 {
    format.encode(significand, exponent).unwrap_or(0)
}

/// Four places of so many: neighbours at the beginning, the middle and the end.
const fn places(length: usize) -> [usize; 4] {
    [0, 1, length / 2, length - 1]
}

impl Probe {
    fn new(format: &'static FloatFormat, length: usize, is_mean: bool) -> Self {
        let divided = if is_mean { length.trailing_zeros() as i32 } else { 0 };
        // As far apart as normal numbers are, the result among them, and centred where there are more.
        let (lowest, highest) = (1 - format.bias + divided, format.bias);
        let range = (highest - lowest).unsigned_abs().min(MOST);
        let least = lowest.max(-(MOST as i32) / 2);
        Self { format, length, least, range, divided }
    }

    fn vector(&self, k: u32, at: Arrangement, is_negative: bool) -> Vec<Term> {
        let signed = |bits: u64, negative| if negative { self.format.negated(bits) } else { bits };
        let large = number(self.format, 1, self.least + k.cast_signed());
        let small = signed(number(self.format, 1, self.least), is_negative);
        let mut terms = vec![alone(self.format, 0); self.length];
        terms[at.plus] = alone(self.format, large);
        terms[at.minus] = alone(self.format, signed(large, true));
        terms[at.small] = alone(self.format, small);
        terms
    }

    fn widths(&self, answer: &Answer<'_>) -> Result<Found, Failure> {
        let arrangements = arrangements(places(self.length));
        let both = || arrangements.iter().flat_map(|&at| [(at, false), (at, true)]);
        let exact = number(self.format, 1, self.least - self.divided);
        // Of each arrangement and sign, whether s is lost, by k.
        let mut lost = vec![Vec::new(); 2 * arrangements.len()];
        for k in 1..=self.range {
            let vectors: Vec<_> =
                both().map(|(at, is_negative)| self.vector(k, at, is_negative)).collect();
            for ((lost, result), (_, is_negative)) in
                lost.iter_mut().zip(answer(&vectors)?).zip(both())
            {
                let exact = if is_negative { self.format.negated(exact) } else { exact };
                lost.push(result != exact);
            }
        }
        let mut bits = BTreeSet::new();
        // Six arrangements of the same three places, each with both signs.
        for (lost, at) in lost.chunks(12).zip(arrangements.chunks(6)) {
            match self.of_three(lost, at) {
                Found::Nothing => {}
                Found::Bits(found) => bits.extend(found),
                Found::Odd => return Ok(Found::Odd),
            }
        }
        Ok(if bits.is_empty() { Found::Nothing } else { Found::Bits(bits) })
    }

    /// The conclusion from all six arrangements on three positions.
    fn of_three(&self, lost: &[Vec<bool>], arrangements: &[Arrangement]) -> Found {
        let mut bits = BTreeSet::new();
        let mut kept = Vec::new();
        for (both, at) in lost.chunks(2).zip(arrangements) {
            let [Ok(plus), Ok(minus)] = [first(&both[0]), first(&both[1])] else {
                return Found::Odd;
            };
            match (plus, minus) {
                (None, None) => kept.push(at.small),
                // s meets the number of its own sign with one k, and that of the other with the next.
                (Some(one), Some(other)) if one.abs_diff(other) == 1 => {
                    bits.insert(one.min(other));
                }
                (Some(one), None) | (None, Some(one)) if one == self.range => {
                    bits.insert(one);
                }
                _ => return Found::Odd,
            }
        }
        match (bits.is_empty(), &kept[..]) {
            (true, _) => Found::Nothing,
            // The last place to join keeps s, whichever of the large numbers is where.
            (false, [one, other]) if one == other => Found::Bits(bits),
            _ => Found::Odd,
        }
    }
}

/// The least k from which on s is lost, if it is; an error where it is kept again.
fn first(lost: &[bool]) -> Result<Option<u32>, ()> {
    let Some(at) = lost.iter().position(|&is_lost| is_lost) else { return Ok(None) };
    if lost[at..].iter().all(|&is_lost| is_lost) { Ok(Some(at as u32 + 1)) } else { Err(()) }
}

/// The ways to put three numbers on three of four places, six of each three.
fn arrangements(places: [usize; 4]) -> Vec<Arrangement> {
    let mut all = Vec::new();
    for left_out in 0..4 {
        let [a, b, c] = [0, 1, 2].map(|at| places[at + usize::from(at >= left_out)]);
        for [plus, minus, small] in
            [[a, b, c], [b, a, c], [a, c, b], [c, a, b], [b, c, a], [c, b, a]]
        {
            all.push(Arrangement { plus, minus, small });
        }
    }
    all
}

/// Adds what happens to products.
fn add_products(
    told: &mut Accumulator,
    format: &'static FloatFormat,
    answer: &Answer<'_>,
) -> Result<(), Failure> {
    // Scaled, so that what is left is a normal number of every format.
    const SCALE: i32 = 4;
    let precision = format.precision();
    let field = precision.cast_signed() - 1;
    // x is 1 and a unit; x x is 1, two units and the square of a unit; c is without that square.
    let x = number(format, (1 << field) + 1, SCALE - field);
    let c = number(format, (1 << (field - 1)) + 1, 2 * SCALE - field + 1);
    let left = number(format, 1, 2 * SCALE - 2 * field);
    let (mut is_left, mut is_other, mut is_narrow) = (false, false, false);
    for length in LENGTHS {
        let places = places(length);
        let zeros = || vec![alone(format, 0); length];
        let pairs = places.iter().flat_map(|&a| places.map(|b| (a, b))).filter(|(a, b)| a != b);
        let vector = |(at, minus): (usize, usize)| {
            let mut terms = zeros();
            terms[at] = [x, x];
            terms[minus] = alone(format, format.negated(c));
            terms
        };
        for result in answer(&pairs.map(vector).collect::<Vec<_>>())? {
            is_left |= result == left;
            is_other |= result != left && format.class(result) != Class::Zero;
        }
        let element = |at: usize| {
            let mut terms = zeros();
            terms[at] = alone(format, x);
            terms
        };
        is_narrow |= answer(&places.map(element))?.into_iter().any(|result| result != x);
    }
    let holds = |bits: u32| bits > 2 * precision - 2;
    let widths: Vec<u32> = told.bits.iter().copied().chain(told.more_than).collect();
    let held = widths.iter().filter(|&&bits| holds(bits)).count();
    let (products, reason) = match (is_other, is_left) {
        _ if is_narrow => (None, Some(NARROW)),
        (true, _) => (None, Some(NO_PRODUCT)),
        (false, false) => (Some(Products::Rounded), None),
        (false, true) if widths.is_empty() => (None, None),
        (false, true) if held == widths.len() => (Some(Products::Held), None),
        (false, true) if held == 0 => (Some(Products::Fused), None),
        (false, true) => (None, Some(SEVERAL)),
    };
    told.products = products;
    told.reason = told.reason.take().or(reason.map(str::to_owned));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number rounded to so many bits, ties to even.
    fn rounded(bits: u32, number: f64) -> f64 {
        if bits >= 53 || number == 0.0 {
            return number;
        }
        let dropped = 53 - bits;
        let pattern = number.to_bits();
        let even = (pattern >> dropped & 1) + (1 << (dropped - 1)) - 1;
        f64::from_bits((pattern + even) >> dropped << dropped)
    }

    /// The sum of terms, in some order.
    type Adding = fn(Simulated, &[[f64; 2]]) -> f64;

    /// A simulated way of adding up.
    #[derive(Clone, Copy)]
    struct Simulated {
        format: &'static FloatFormat,
        bits: u32,
        is_fused: bool,
        order: Adding,
    }

    impl Simulated {
        fn product(self, [a, b]: [f64; 2]) -> f64 {
            rounded(self.bits, a * b)
        }

        fn added(self, a: f64, b: f64) -> f64 {
            rounded(self.bits, a + b)
        }

        /// A term is added, fused or not. Products of the formats that are probed so are exact in binary64.
        fn with(self, sum: f64, [a, b]: [f64; 2]) -> f64 {
            if self.is_fused {
                self.added(sum, a * b)
            } else {
                self.added(sum, self.product([a, b]))
            }
        }

        /// The element that comes of these terms, which are divided by so many in the end.
        fn result(self, terms: &[Term], divisor: f64) -> u64 {
            let number = |term: &Term| match term {
                // Nearly all of them.
                [0, _] => [0.0, 1.0],
                _ => term.map(|bits| self.format.to_f64(bits)),
            };
            let numbers: Vec<_> = terms.iter().map(number).collect();
            let sum = (self.order)(self, &numbers) / divisor;
            if sum == 0.0 {
                return 0;
            }
            let sum = rounded(self.format.precision(), sum);
            let pattern = sum.abs().to_bits();
            let significand = (pattern & ((1 << 52) - 1)) | 1 << 52;
            let zeros = significand.trailing_zeros();
            let exponent = (pattern >> 52) as i32 - 1075 + zeros.cast_signed();
            let bits = self.format.encode(significand >> zeros, exponent).unwrap();
            if sum < 0.0 { self.format.negated(bits) } else { bits }
        }
    }

    fn one_by_one(it: Simulated, terms: &[[f64; 2]]) -> f64 {
        terms.iter().fold(0.0, |sum, &term| it.with(sum, term))
    }

    fn backwards(it: Simulated, terms: &[[f64; 2]]) -> f64 {
        terms.iter().rfold(0.0, |sum, &term| it.with(sum, term))
    }

    fn pairwise(it: Simulated, terms: &[[f64; 2]]) -> f64 {
        match terms {
            [] => 0.0,
            [one] => it.product(*one),
            _ => {
                let (left, right) = terms.split_at(terms.len() / 2);
                it.added(pairwise(it, left), pairwise(it, right))
            }
        }
    }

    fn lanes(it: Simulated, terms: &[[f64; 2]]) -> f64 {
        let mut lanes = [0.0; 8];
        for (at, &term) in terms.iter().enumerate() {
            lanes[at % 8] = it.with(lanes[at % 8], term);
        }
        lanes.into_iter().fold(0.0, |sum, lane| it.added(sum, lane))
    }

    /// Blocks of 16 in the accumulator's precision, which are added up in 24 bits.
    fn blocks(it: Simulated, terms: &[[f64; 2]]) -> f64 {
        let wide = Simulated { bits: 24, ..it };
        terms.chunks(16).fold(0.0, |sum, block| wide.added(sum, one_by_one(it, block)))
    }

    fn summation(name: &str) -> Summation {
        Summation::all().find(|summation| summation.operator.name == name).unwrap()
    }

    fn estimated(name: &str, it: Simulated) -> Accumulator {
        let summation = summation(name);
        let answer = |vectors: &[Vec<Term>]| {
            let divided = |terms: &Vec<Term>| {
                let divisor = if summation.is_mean { terms.len() as f64 } else { 1.0 };
                it.result(terms, divisor)
            };
            Ok(vectors.iter().map(divided).collect())
        };
        accumulator(&summation, it.format, &answer).unwrap()
    }

    const FORMATS: [&FloatFormat; 4] = [
        &FloatFormat::FLOAT16,
        &FloatFormat::BFLOAT16,
        &FloatFormat::FLOAT32,
        &FloatFormat::FLOAT64,
    ];

    const ORDERS: [Adding; 4] = [one_by_one, backwards, pairwise, lanes];

    #[test]
    fn every_order_betrays_the_precision_of_its_additions() {
        for format in FORMATS {
            for bits in [8, 11, 24, 53] {
                if bits < format.precision() {
                    continue;
                }
                let sums = ORDERS.map(|order| ("ReduceSum", order));
                for (name, order) in sums.into_iter().chain([("ReduceMean", ORDERS[3])]) {
                    let found = estimated(name, Simulated { format, bits, is_fused: false, order });
                    let expected = match (format.bias, bits) {
                        // 2^15 and 2^-14, or a mean of 2^-14 of 512, are all the exponents that there are.
                        (15, 53) => (vec![], Some(if name == "ReduceMean" { 20 } else { 29 })),
                        _ => (vec![bits], None),
                    };
                    assert_eq!((found.bits, found.more_than), expected, "{name} {bits}");
                    assert_eq!((found.products, found.reason), (None, None));
                }
            }
        }
    }

    #[test]
    fn a_precision_of_no_format_is_told_as_well() {
        for bits in [9, 14, 25, 40] {
            let format = &FloatFormat::BFLOAT16;
            let found = estimated(
                "ReduceSum",
                Simulated { format, bits, is_fused: false, order: pairwise },
            );
            assert_eq!(found.bits, [bits]);
        }
    }

    #[test]
    fn products_are_fused_or_rounded_or_held() {
        for (format, bits, held) in [
            (&FloatFormat::FLOAT16, 11, false),
            (&FloatFormat::FLOAT16, 24, true),
            (&FloatFormat::BFLOAT16, 8, false),
            (&FloatFormat::BFLOAT16, 24, true),
            (&FloatFormat::FLOAT32, 24, false),
            (&FloatFormat::FLOAT32, 53, true),
        ] {
            for is_fused in [false, true] {
                for order in [one_by_one, backwards, lanes] {
                    let found = estimated("MatMul", Simulated { format, bits, is_fused, order });
                    let expected = match (held, is_fused) {
                        (true, _) => Products::Held,
                        (false, true) => Products::Fused,
                        (false, false) => Products::Rounded,
                    };
                    assert_eq!(found.products, Some(expected), "{bits} {is_fused}");
                    assert_eq!((found.bits, found.reason), (vec![bits], None));
                }
            }
        }
    }

    #[test]
    fn blocks_that_are_narrower_than_their_sum_betray_both() {
        let format = &FloatFormat::BFLOAT16;
        let found =
            estimated("ReduceSum", Simulated { format, bits: 8, is_fused: false, order: blocks });
        assert_eq!(found.bits, [8, 24]);
    }

    #[test]
    fn sums_that_are_exact_are_told_to_keep_more_than_is_probed() {
        let format = &FloatFormat::FLOAT32;
        let summation = summation("ReduceSum");
        // What is exact gives the small number, whatever else there is.
        let answer = |vectors: &[Vec<Term>]| {
            let small = |terms: &Vec<Term>| {
                let numbers = terms.iter().map(|[a, _]| *a);
                numbers
                    .filter(|bits| format.magnitude(*bits) > 0)
                    .min_by_key(|b| format.magnitude(*b))
            };
            Ok(vectors.iter().filter_map(small).collect())
        };
        let found = accumulator(&summation, format, &answer).unwrap();
        assert_eq!((found.bits, found.more_than, found.reason), (vec![], Some(120), None));
    }

    #[test]
    fn what_is_no_sum_of_two_at_a_time_is_told_to_be_none() {
        let format = &FloatFormat::FLOAT32;
        // All is aligned with the largest term first, as some units for matrices do.
        fn aligned(_: Simulated, terms: &[[f64; 2]]) -> f64 {
            let largest = terms.iter().map(|[a, _]| a.abs()).fold(0.0, f64::max);
            let unit = largest * 2.0_f64.powi(-23);
            terms.iter().map(|[a, _]| (a / unit).trunc() * unit).sum()
        }
        let found =
            estimated("ReduceSum", Simulated { format, bits: 53, is_fused: false, order: aligned });
        assert_eq!(found.reason.as_deref(), Some(NO_ORDER));
        assert!(found.bits.is_empty() && found.more_than.is_none());
        // What is lost is taken into the next term, by Kahan.
        fn corrected(it: Simulated, terms: &[[f64; 2]]) -> f64 {
            let step = |(sum, lost): (f64, f64), [a, _]: &[f64; 2]| {
                let term = it.added(*a, -lost);
                let next = it.added(sum, term);
                (next, it.added(it.added(next, -sum), -term))
            };
            terms.iter().fold((0.0, 0.0), step).0
        }
        let found = estimated(
            "ReduceSum",
            Simulated { format, bits: 24, is_fused: false, order: corrected },
        );
        assert_eq!(found.reason.as_deref(), Some(NO_ORDER));
        // Operands that are narrowed first.
        fn narrowed(it: Simulated, terms: &[[f64; 2]]) -> f64 {
            let narrow = terms.iter().map(|term| term.map(|number| rounded(11, number)));
            one_by_one(it, &narrow.collect::<Vec<_>>())
        }
        let found =
            estimated("MatMul", Simulated { format, bits: 24, is_fused: false, order: narrowed });
        assert_eq!((found.bits, found.products), (vec![24], None));
        assert_eq!(found.reason.as_deref(), Some(NARROW));
    }
}
