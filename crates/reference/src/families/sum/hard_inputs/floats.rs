//! Hard sums of floats.
//!
//! Two numbers whose exponents are `apart` are integers of at most p bits, of which the larger one counts
//! `2^apart` of the units of the smaller one. Of a sum that is to be so many units, the smaller number's lowest `apart`
//! bits are known, and any others above these make a larger number. So a sum is chosen first: a number of the format,
//! half a unit of its last place, and perhaps one unit of the smaller number's.

use values::float::FloatFormat;
use values::random::Random;

use crate::exact::number::smallest_exponent;
use crate::families::sum::Addition;
use crate::inputs::Parts;
use crate::inputs::patterns::{SEED, exponents, fields, numbers, pairs, specials};
use crate::inputs::{Indexed, Sieve, Signed, Space, Tuple};

/// Numbers below midpoints: of each exponent the two least, the two greatest, and four that are drawn.
const LOWER: [u64; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
/// The greatest, above which is the next binade, or nothing at all.
const GREATEST: u64 = 3;

/// Numbers of an exponent that are drawn to be cancelled, beside the least and the greatest.
const CANCELLED: u64 = 16;

pub(super) fn parts(addition: Addition, format: FloatFormat) -> Parts {
    let midpoints = |ends, places, lower, highs| {
        Midpoints { addition, format, ends, places, lower, highs }.sums()
    };
    vec![
        ("special values", pairs(specials(&format))),
        ("exponents", with_near_exponents(format)),
        ("ties", midpoints(vec![0], places(&format), &LOWER, 4)),
        ("next to ties", midpoints(vec![-1, 1], places(&format), &LOWER, 4)),
        ("overflow", midpoints(vec![-1, 0, 1], vec![format.bias], &[GREATEST], 64)),
        ("cancellation", cancellation(format)),
        ("subnormal", subnormal(format)),
        ("smallest normal", around_the_smallest_normal(addition, format)),
    ]
}

/// Exponents of normal numbers: all there are in up to 8 bits, else the 64 lowest ones, the 16 highest ones and every
/// sixteenth.
fn places(format: &FloatFormat) -> Vec<i32> {
    let (lowest, highest) = (1 - format.bias, format.bias);
    let is_taken = |exponent: &i32| {
        let (above, below) = (exponent - lowest, highest - exponent);
        format.exponent_bits <= 8 || above < 64 || below < 16 || above % 16 == 0
    };
    (lowest..=highest).filter(is_taken).collect()
}

/// Every exponent, zero's and the subnormals' among them, with each below it down to where the smaller number is
/// less than a quarter of the larger one's last place, and with the lowest one; significand fields 0, 1 and all
/// ones of each operand, in all signs and both orders.
fn with_near_exponents(format: FloatFormat) -> Box<dyn Space> {
    let field = format.significand_bits;
    let apart = u64::from(format.precision()) + 3;
    let number = move |exponent: u64, which: u64| {
        exponent << field | [0, 1, (1 << field) - 1][which as usize]
    };
    let pair = move |index: u64| {
        let (fields, index) = (index % 9, index / 9);
        let (swapped, index) = (index % 2, index / 2);
        let larger = index / apart;
        let smaller =
            if index % apart == apart - 1 { Some(0) } else { larger.checked_sub(index % apart) };
        let pair = [number(larger, fields % 3), number(smaller.unwrap_or(0), fields / 3)];
        if swapped == 1 { [pair[1], pair[0]] } else { pair }
    };
    let space = Indexed::new(18 * apart * exponents(&format), pair);
    Box::new(Signed::new(format, space))
}

/// Sums exactly halfway between two numbers, or so many units of the smaller operand's last place beyond that, of
/// operands at every distance at which there are such sums.
struct Midpoints {
    addition: Addition,
    format: FloatFormat,
    /// The units beyond halfway.
    ends: Vec<i32>,
    /// Exponents of the number below the midpoint.
    places: Vec<i32>,
    /// Which numbers below the midpoint.
    lower: &'static [u64],
    /// Of the smaller operand, bits above those that the sum determines: the least, the greatest and drawn ones.
    highs: u64,
}

/// How a sum of magnitudes, or a difference, is longer than the larger one of them: by this many bits.
const SHAPES: [(bool, i32); 4] = [(false, 0), (false, 1), (true, 0), (true, -1)];

impl Midpoints {
    /// Each in either order, positive and negative.
    fn sums(self) -> Box<dyn Space> {
        // Farther apart, what is smaller is less than half of half a unit.
        let distances = u64::from(self.format.precision()) + 3;
        let factors = [
            self.ends.len() as u64,
            distances,
            SHAPES.len() as u64,
            self.lower.len() as u64,
            self.highs,
            self.places.len() as u64,
        ];
        Box::new(Sieve::new(factors.iter().product(), move |candidate| {
            let mut rest = candidate;
            let [end, apart, shape, lower, high, place] = factors.map(|factor| {
                let choice = rest % factor;
                rest /= factor;
                choice
            });
            // The first ones are of every distance, and of exponents in the middle.
            let place = (place + self.places.len() as u64 / 2) % self.places.len() as u64;
            let choices = [place, apart, end, shape, lower, high];
            let sizes = [factors[5], factors[1], factors[0], factors[2], factors[3], factors[4]];
            // What is drawn is the same in whichever order they come.
            let seed =
                choices.iter().zip(sizes).fold(0, |seed, (choice, size)| seed * size + choice);
            let found = self.solved(choices, &mut Random::at(SEED, seed));
            found.into_iter().flatten()
        }))
    }

    fn solved(
        &self,
        [place, apart, end, shape, lower, high]: [u64; 6],
        random: &mut Random,
    ) -> Option<[Tuple; 4]> {
        let (format, apart) = (&self.format, apart as u32);
        let (precision, (is_less, longer)) = (format.precision(), SHAPES[shape as usize]);
        let exponent = self.places[place as usize] - longer;
        let end = self.ends[end as usize];
        let lowest = 1 - format.bias;
        let cut = apart.checked_add_signed(longer)?;
        // With one bit less than that there are no numbers between a midpoint and those around it.
        if cut <= end.unsigned_abs() || exponent - (apart as i32) < lowest {
            return None;
        }
        let lower = number_below(precision, self.lower[lower as usize], random);
        let sum = (i128::from(lower) << cut) + (1 << (cut - 1)) + i128::from(end);
        // What normal and, with the lowest exponent, subnormal numbers are.
        let top = 1_i128 << precision;
        let of = |exponent| if exponent == lowest { 1..top } else { top / 2..top };
        let smaller = {
            let known = (if is_less { -sum } else { sum }) & ((1 << apart) - 1);
            let within = of(exponent - apart as i32);
            let least = (within.start - known + (1 << apart) - 1) >> apart;
            let more = ((within.end - 1 - known) >> apart) - least;
            let more = u64::try_from(more).ok().filter(|&more| high <= more)?;
            let above = match high {
                0 => 0,
                1 => more,
                _ => random.below(more + 1),
            };
            known + ((least + i128::from(above)) << apart)
        };
        let larger = (if is_less { sum + smaller } else { sum - smaller }) >> apart;
        if !of(exponent).contains(&larger) {
            return None;
        }
        let [larger, smaller] =
            numbers(format, [larger as u64, smaller as u64], [exponent, exponent - apart as i32])?;
        let sign = |bits, is_flipped| if is_flipped { format.negated(bits) } else { bits };
        let smaller = sign(smaller, is_less);
        let both = [[larger, smaller], [smaller, larger]]
            .map(|[a, b]| [a, sign(b, self.addition == Addition::Difference)]);
        let [a, b] = both.map(|pair| pair.map(|bits| format.negated(bits)));
        Some([both[0], both[1], a, b])
    }
}

/// The significand of a number below a midpoint: of the least ones and the greatest ones, or drawn, even and odd in turn.
const fn number_below(precision: u32, which: u64, random: &mut Random) -> u64 {
    let least = 1 << (precision - 1);
    match which {
        0 | 1 => least + which,
        2 | GREATEST => 2 * least - 4 + which,
        _ => (least + random.below(least)) & !1 | which & 1,
    }
}

/// Numbers of the subnormals' exponent and of others, with themselves, their neighbours and those that differ from them
/// in one bit.
fn cancellation(format: FloatFormat) -> Box<dyn Space> {
    let field = format.significand_bits;
    let biased: Vec<u64> = places(&format).iter().map(|e| (e + format.bias) as u64).collect();
    let biased = [&[0], &biased[..]].concat();
    let others = u64::from(field) + 3;
    let fields = CANCELLED + 2;
    let pair = move |index: u64| {
        let (other, rest) = (index % others, index / others);
        let all = 1 << field;
        let significand = match rest % fields {
            0 => 0,
            1 => all - 1,
            _ => Random::at(SEED, rest).below(all),
        };
        // Zero has no neighbour below.
        let number = (biased[(rest / fields) as usize] << field | significand).max(1);
        let other = match other {
            0 => number,
            1 => number - 1,
            2 => number + 1,
            bit => number ^ 1 << (bit - 3),
        };
        [number, other]
    };
    let len = others * fields * (places(&format).len() as u64 + 1);
    Box::new(Signed::new(format, Indexed::new(len, pair)))
}

/// Zero, and numbers below twice the smallest normal one: their bits are how often they hold the smallest subnormal one.
fn small(format: &FloatFormat) -> Vec<u64> {
    let fields = fields(format.significand_bits);
    let normal = fields.iter().map(|field| field | 1 << format.significand_bits);
    fields.iter().copied().chain(normal).collect()
}

/// Every pair of these, of either sign.
fn subnormal(format: FloatFormat) -> Box<dyn Space> {
    pairs(small(&format).into_iter().flat_map(|bits| [bits, format.negated(bits)]).collect())
}

/// For each of these as the first operand, of either sign, what leads from it to the smallest normal number and to its
/// neighbours, of either sign, where that is a number.
fn around_the_smallest_normal(addition: Addition, format: FloatFormat) -> Box<dyn Space> {
    let (small, unit) = (small(&format), smallest_exponent(&format));
    let choices = 3 * 4;
    let number = move |units: i64| match units {
        0 => Some(0),
        _ => {
            let bits = format.encode(units.unsigned_abs(), unit)?;
            Some(if units < 0 { format.negated(bits) } else { bits })
        }
    };
    Box::new(Sieve::new(choices * small.len() as u64, move |candidate| -> Option<Tuple> {
        let (choice, first) = (candidate % choices, small[(candidate / choices) as usize] as i64);
        let result = (1 << format.significand_bits) + (choice / 4) as i64 - 1;
        let [first_sign, result_sign] = [choice % 2, choice / 2 % 2].map(|is| 1 - 2 * is as i64);
        let (first, result) = (first_sign * first, result_sign * result);
        let second = match addition {
            Addition::Sum => result - first,
            Addition::Difference => first - result,
        };
        Some([number(first)?, number(second)?])
    }))
}

#[cfg(test)]
mod tests;
