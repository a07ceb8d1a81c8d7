//! Inputs of quantization and of its inverse: an element, a scale and a zero point, of which the last two are
//! the same in runs of inputs.
//!
//! What is hard to quantize are quotients at a tie, where a multiplication by the scale's reciprocal or a division in
//! another type ends up on the other side, and beside the ends of the quantized type. So elements are the products
//! of a scale and these quotients, rounded to the elements' type, and their neighbours. What is hard to dequantize is the
//! zero point, whose difference to an element does not fit the quantized type, and scales beside the ends of theirs.

use std::collections::BTreeSet;

use values::dtype::{DType, Kind};
use values::float::Class;
use values::random::Random;

use crate::elementwise::Inputs;
use crate::exact::extended::Extended;
use crate::exact::number::{Int, largest};
use crate::exact::real::Rational;
use crate::inputs::patterns::{corners, specials, triple};
use crate::inputs::{Indexed, Parts, Place, Runs, SEED, Space, drawn, strata_of_runs};

/// Elements of a random run: with the same scale and zero point.
const RUN: u64 = 64;

/// The inputs of quantization.
pub(crate) const TO_QUANTIZE: Inputs = Inputs {
    hard: |types, _| hard_to_quantize(types),
    stratified: |types, _, count, seed| random_to_quantize(types, count, seed),
};

/// The inputs of its inverse.
pub(crate) const TO_DEQUANTIZE: Inputs = Inputs {
    hard: |types, _| hard_to_dequantize(types),
    stratified: |types, _, count, seed| random_to_dequantize(types, count, seed),
};

/// Elements against scales and zero points; then those whose quotients are at ties and at the quantized numbers.
fn hard_to_quantize(types: &[DType]) -> Option<Parts> {
    let &[of_x, of_scale, of_zero] = types else { return None };
    let elements = special(of_x)?;
    let all = triples(elements, special(of_scale)?, zeros(of_zero)?);
    let (scales, zeros, quotients) = (scales(of_scale)?, zeros(of_zero)?, quotients(of_zero)?);
    let [of_quotients, of_zeros] = [3 * quotients.len() as u64, zeros.len() as u64];
    let len = of_quotients * of_zeros * scales.len() as u64;
    let at_ties = Indexed::new(len, move |index| {
        let (place, pair) = (index % of_quotients, index / of_quotients);
        let [scale, zero] = [scales[(pair / of_zeros) as usize], zeros[(pair % of_zeros) as usize]];
        let quotient = less(&quotients[(place / 3) as usize], of_zero, zero);
        let step = (place % 3) as i64 - 1;
        [dividend(&quotient, (of_scale, scale), of_x, step), scale, zero]
    });
    Some(vec![("special values", Box::new(all)), ("at ties", Box::new(at_ties))])
}

/// Elements against scales and zero points.
fn hard_to_dequantize(types: &[DType]) -> Option<Parts> {
    let &[of_x, of_scale, of_zero] = types else { return None };
    let all = triples(special(of_x)?, special(of_scale)?, zeros(of_zero)?);
    Some(vec![("special values", Box::new(all))])
}

/// Runs of elements: in three of four the quotient is at a tie or a quantized number, or beside it, up to some beyond the ends.
fn random_to_quantize(types: &[DType], count: u64, seed: u64) -> Option<Box<dyn Space>> {
    let &[of_x, of_scale, of_zero] = types else { return None };
    let quotients = quotients(of_zero)?;
    let element = move |random: &mut Random, [scale, zero]: [u64; 2]| {
        if random.below(4) == 0 {
            return random.bits();
        }
        let quotient = match int(of_zero) {
            Some(int) => half_of(random.between(2 * int.min() - 7, 2 * int.max() + 7)),
            None => quotients[random.below(quotients.len() as u64) as usize].clone(),
        };
        let step = random.below(3) as i64 - 1;
        dividend(&less(&quotient, of_zero, zero), (of_scale, scale), of_x, step)
    };
    runs([of_x, of_scale, of_zero], count, seed, element)
}

/// Runs of elements of any bits.
fn random_to_dequantize(types: &[DType], count: u64, seed: u64) -> Option<Box<dyn Space>> {
    let &[of_x, of_scale, of_zero] = types else { return None };
    let element = |random: &mut Random, _: [u64; 2]| random.bits();
    runs([of_x, of_scale, of_zero], count, seed, element)
}

/// All of them against each other, elements changing fastest and scales slowest.
fn triples(elements: Vec<u64>, scales: Vec<u64>, zeros: Vec<u64>) -> impl Space + 'static {
    let len = (elements.len() * zeros.len() * scales.len()) as u64;
    Indexed::new(len, move |index| {
        let [element, zero, scale] = triple([&elements, &zeros, &scales], index);
        [element, scale, zero]
    })
}

/// All elements of 8 bits and less, or of wider types the special ones and those beside powers of two.
fn special(dtype: DType) -> Option<Vec<u64>> {
    Some(match (dtype.bits()?, dtype.kind()) {
        (bits @ ..=8, _) => (0..1 << bits).collect(),
        (_, Kind::Float(format)) => specials(format),
        _ => {
            let int = int(dtype)?;
            corners(int).into_iter().map(|value| int.wrap(value)).collect()
        }
    })
}

/// Scales of quotients at ties: powers of two, of which products are exact, what quantization takes ranges by, numbers
/// beside one, and the least and the largest normal number.
fn scales(dtype: DType) -> Option<Vec<u64>> {
    let Kind::Float(format) = dtype.kind() else { return special(dtype) };
    let one = (format.bias as u64) << format.significand_bits;
    let of = [
        (1, 255),
        (1, 127),
        (2, 255),
        (1, 3),
        (1, 10),
        (1, 65535),
        (1, 2),
        (2, 1),
        (3, 1),
        (-1, 1),
    ];
    let ratios = of.into_iter().filter_map(|(a, b): (i64, i64)| {
        rounded(&Extended::Finite(Rational::new(a.into(), b.into()), a < 0), dtype)
    });
    let least = 1 << format.significand_bits;
    let scales = ratios.chain([one - 1, one, one + 1, 1, least, largest(format)]);
    Some(scales.collect::<BTreeSet<u64>>().into_iter().collect())
}

/// Zero points: of integers the ends, the middle, and what is beside them; of floats zero, as no document adds others.
fn zeros(dtype: DType) -> Option<Vec<u64>> {
    let Some(int) = int(dtype) else { return Some(vec![0]) };
    let middle = i128::midpoint(int.min(), int.max());
    let all = [0, 1, int.min(), int.min() + 1, middle, middle + 1, int.max() - 1, int.max()];
    let all: BTreeSet<i128> = all.into_iter().collect();
    Some(all.into_iter().map(|value| int.wrap(value)).collect())
}

/// The numbers of a quantized type and those midway between neighbours, and as many beyond the ends as tell what saturates:
/// of integers of 16 bits those beside the ends and zero.
fn quotients(dtype: DType) -> Option<Vec<Rational>> {
    match dtype.kind() {
        Kind::Int { signed, bits } => {
            let int = Int { signed, bits };
            let [least, most] = [2 * int.min(), 2 * int.max()];
            let is_near = |twice: &i128| {
                int.bits <= 8 || [least, 0, most].iter().any(|it| (twice - it).abs() < 8)
            };
            Some((least - 7..=most + 7).filter(is_near).map(half_of).collect())
        }
        Kind::Float(format) => {
            let is_finite =
                |bits: &u64| !matches!(format.class(*bits), Class::Nan | Class::Infinite);
            let all = (0..1 << format.width()).filter(is_finite);
            let mut numbers: Vec<Rational> =
                all.filter_map(|bits| Extended::of(dtype, bits)?.finite().cloned()).collect();
            numbers.sort();
            numbers.dedup();
            let middles = numbers.windows(2).map(|pair| (&pair[0] + &pair[1]) / half_of(4));
            // Beyond the largest number by its own distance to the one before, and by half of that.
            let ends = match &numbers[..] {
                [.., before, last] => {
                    let step = last - before;
                    vec![last + &step / half_of(4), last + step]
                }
                _ => Vec::new(),
            };
            let ends = ends.into_iter().flat_map(|end| [-end.clone(), end]);
            let all: BTreeSet<Rational> = middles.chain(ends).collect();
            Some(numbers.into_iter().chain(all).collect())
        }
        Kind::Bool | Kind::Complex(_) | Kind::String => None,
    }
}

/// A quotient that becomes this quantized number by a zero point.
fn less(quantized: &Rational, dtype: DType, zero: u64) -> Rational {
    let zero = int(dtype).map_or(0, |int| int.value(zero));
    quantized - half_of(2 * zero)
}

fn half_of(twice: i128) -> Rational {
    Rational::new(twice.into(), 2.into())
}

const fn int(dtype: DType) -> Option<Int> {
    match dtype.kind() {
        Kind::Int { signed, bits } => Some(Int { signed, bits }),
        _ => None,
    }
}

/// The element nearest to the product of a quotient and a scale, or one beside it by its bits; the scale's own bits where there is none.
fn dividend(quotient: &Rational, (of_scale, scale): (DType, u64), of_x: DType, step: i64) -> u64 {
    let quotient = Extended::Finite(quotient.clone(), false);
    let product = Extended::of(of_scale, scale).map(|scale| quotient.product(&scale));
    let nearest = product.and_then(|product| rounded(&product, of_x)).unwrap_or(scale);
    nearest.wrapping_add_signed(step)
}

/// The bits of the element of a type nearest to a number.
fn rounded(number: &Extended, dtype: DType) -> Option<u64> {
    match (int(dtype), dtype.kind()) {
        (Some(int), _) => number.clamped(0, int),
        (None, Kind::Float(format)) => number.saturated(format).example().map(|bits| bits as u64),
        _ => None,
    }
}

/// Random scales by strata, and zero points that are 0, an end, or any, with these elements.
fn runs(
    types: [DType; 3],
    count: u64,
    seed: u64,
    element: impl Fn(&mut Random, [u64; 2]) -> u64 + Send + Sync + 'static,
) -> Option<Box<dyn Space>> {
    let [of_x, of_scale, of_zero] = types;
    let scales = strata_of_runs((of_scale, 1), count, RUN, seed)?;
    let (parts, seed) = (scales.parts(), seed ^ SEED.rotate_left(8));
    let scalars = move |run| {
        let [scale] = drawn(&scales, of_scale, run);
        let mut random = Random::at(!seed, run);
        let zero = int(of_zero).map_or(0, |int| {
            let any = random.between(int.min(), int.max());
            int.wrap([0, int.min(), int.max(), any, any][random.below(5) as usize])
        });
        [scale, zero]
    };
    let mask = u64::MAX >> (u64::BITS - of_x.bits()?);
    let element = move |place: &Place, scalars: [u64; 2]| {
        element(&mut Random::at(seed, place.index), scalars) & mask
    };
    Some(Box::new(Runs::new(parts, count, RUN, scalars, element)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use values::dtype::DType::{
        Bfloat16, Float4E2M1, Float6E2M3, Float8E4M3Fn, Float16, Float32, Int2, Int8, Int16, Int32,
        Uint8,
    };

    fn all_of(space: &dyn Space, types: [DType; 3]) -> Vec<[u64; 3]> {
        crate::inputs::triples(space, types, 0, usize::try_from(space.len()).unwrap())
    }

    #[test]
    fn quotients_at_every_tie_and_beside_it_are_there_for_every_zero_point() {
        let types = [Float32, Float32, Uint8];
        let parts = hard_to_quantize(&types).unwrap();
        let all: BTreeSet<[u64; 3]> = all_of(&*parts[1].1, types).into_iter().collect();
        let two = u64::from(2_f32.to_bits());
        for zero in [0, 1, 127, 128, 255] {
            for twice in -7..=2 * 255 + 7_i16 {
                let x = f32::from(twice - 2 * i16::from(zero as u8));
                let bits = u64::from(x.to_bits());
                let x = if x == 0.0 {
                    [bits, 1, u64::from(u32::MAX)]
                } else {
                    [bits, bits + 1, bits - 1]
                };
                assert!(x.iter().all(|x| all.contains(&[*x, two, zero])), "{twice} {zero}");
            }
        }
    }

    #[test]
    fn quotients_of_floats_are_their_numbers_the_middles_and_what_is_beyond_the_ends() {
        let all = quotients(Float4E2M1).unwrap();
        let expected = "0 1/2 1 3/2 2 3 4 6 1/4 3/4 5/4 7/4 5/2 7/2 5 7 8";
        for number in expected.split(' ') {
            let number: Rational = number.parse().unwrap();
            assert!(all.contains(&number) && all.contains(&-number.clone()), "{number}");
        }
        assert_eq!(all.len(), 33);
        assert_eq!(quotients(Int16).unwrap().len(), 3 * 15);
        assert_eq!(quotients(Float8E4M3Fn).unwrap().len(), 253 + 252 + 4);
        assert_eq!(quotients(Float6E2M3).unwrap().len(), 63 + 62 + 4);
    }

    #[test]
    fn runs_have_one_scale_and_zero_point_each_and_any_part_is_the_same() {
        for types in [
            [Float32, Float32, Uint8],
            [Float16, Float16, Int2],
            [Int32, Float32, Int16],
            [Bfloat16, Bfloat16, Float8E4M3Fn],
        ] {
            let space = random_to_quantize(&types, 100, SEED).unwrap();
            let all = all_of(&*space, types);
            assert_eq!(space.len(), 100 * space.parts().len() as u64);
            for run in all.chunks(100).flat_map(|stratum| stratum.chunks(RUN as usize)) {
                assert!(run.iter().all(|triple| triple[1..] == run[0][1..]), "{types:?}");
                let elements: BTreeSet<u64> = run.iter().map(|triple| triple[0]).collect();
                assert!(elements.len() > 2);
            }
            assert_eq!(crate::inputs::triples(&*space, types, 91, 77), all[91..168]);
        }
    }

    #[test]
    fn elements_to_dequantize_have_the_bits_of_their_type() {
        for (types, values) in [([Int2, Float32, Int2], 4), ([Int8, Float16, Int8], 256)] {
            let space = random_to_dequantize(&types, 1000, SEED).unwrap();
            let all = all_of(&*space, types);
            let elements: BTreeSet<u64> = all.iter().map(|triple| triple[0]).collect();
            assert_eq!((elements.len(), *elements.last().unwrap()), (values, values as u64 - 1));
            let zeros: BTreeSet<u64> = all.iter().map(|triple| triple[2]).collect();
            assert!(zeros.len() >= values.min(20), "{types:?} {zeros:?}");
            let parts = hard_to_dequantize(&types).unwrap();
            let hard: BTreeSet<u64> = all_of(&*parts[0].1, types).iter().map(|it| it[0]).collect();
            assert_eq!(hard, elements);
        }
    }

    #[test]
    fn more_inputs_than_can_be_numbered_are_refused() {
        assert!(random_to_quantize(&[Float32, Float32, Uint8], 1 << 62, SEED).is_none());
    }
}
