//! Random inputs by strata: the size of each operand, and the pattern of its significand.

use super::{Part, Space, Tuple, set};
use crate::inputs::Column;
use values::dtype::{DType, Kind};
use values::random::Random;

/// The seed where no other is given.
pub const SEED: u64 = 0x7374_7261_7461_0000;

/// As many random inputs of every stratum, the strata in a row. The input at an index depends on the
/// seed and the index alone.
pub struct Stratified {
    dtype: DType,
    arity: usize,
    /// Whether operands may be negative.
    signed: bool,
    count: u64,
    seed: u64,
    sizes: Vec<Size>,
}

/// What the magnitudes of a stratum have in common.
struct Size {
    name: String,
    /// The first and the last of the exponent fields, or of the lengths in bits.
    range: [u64; 2],
    /// Bits of the field below an exponent; none where the range is one of lengths.
    field: Option<u64>,
}

/// What the bits of a significand have in common, or those of an integer below its first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pattern {
    /// Any.
    Random,
    /// At most three ones.
    FewOnes,
    /// At most three zeros.
    FewZeros,
    /// One run of ones, or of zeros.
    Run,
    /// At most 3 from all zeros or all ones.
    Boundary,
}

impl Pattern {
    const ALL: [Self; 5] = [Self::Random, Self::FewOnes, Self::FewZeros, Self::Run, Self::Boundary];

    const fn name(self) -> &'static str {
        match self {
            Self::Random => "any bits",
            Self::FewOnes => "few ones",
            Self::FewZeros => "few zeros",
            Self::Run => "a run",
            Self::Boundary => "a boundary",
        }
    }

    /// A field of so many bits.
    fn draw(self, bits: u64, random: &mut Random) -> u64 {
        if bits == 0 {
            return 0;
        }
        let mask = u64::MAX >> (u64::from(u64::BITS) - bits);
        let few = |random: &mut Random| {
            let ones = 1 + random.below(3);
            (0..ones).fold(0, |field, _| field | 1 << random.below(bits))
        };
        let field = match self {
            Self::Random => random.bits(),
            Self::FewOnes => few(random),
            Self::FewZeros => !few(random),
            Self::Run => {
                let length = 1 + random.below(bits);
                let ones = u64::MAX >> (u64::from(u64::BITS) - length);
                let run = ones << random.below(bits - length + 1);
                if random.bits() & 1 == 0 { run } else { !run }
            }
            Self::Boundary => {
                let distance = random.below(4);
                if random.bits() & 1 == 0 { distance } else { !distance }
            }
        };
        field & mask
    }
}

impl Size {
    /// Those of a type: the subnormal numbers, and the normal ones by five parts of their exponents,
    /// or four parts of an integer's lengths. Of an integer type without sign the first bit counts as
    /// part of the magnitude.
    fn all(dtype: DType) -> Vec<Self> {
        match dtype.kind() {
            Kind::Float(format) => {
                let field = u64::from(format.significand_bits);
                let normal = equal_parts::<5>((1 << format.exponent_bits) - 2).map(|range| {
                    let [low, high] = range.map(|at| at as i64 - i64::from(format.bias));
                    Self { name: format!("2^{low} to 2^{high}"), range, field: Some(field) }
                });
                // Of every length alike.
                let subnormal =
                    Self { name: "subnormal".to_owned(), range: [1, field], field: None };
                [subnormal].into_iter().chain(normal).collect()
            }
            Kind::Int { signed, bits } => {
                let lengths = equal_parts::<4>(u64::from(bits - u32::from(signed)));
                let name = |[low, high]: [u64; 2]| format!("{low} to {high} bits");
                lengths.map(|range| Self { name: name(range), range, field: None }).into()
            }
            Kind::Bool | Kind::Complex(_) | Kind::String => Vec::new(),
        }
    }

    fn draw(&self, pattern: Pattern, random: &mut Random) -> u64 {
        let [low, high] = self.range;
        let place = low + random.below(high - low + 1);
        match self.field {
            Some(field) => place << field | pattern.draw(field, random),
            None => 1 << (place - 1) | pattern.draw(place - 1, random),
        }
    }
}

/// The integers from 1 to `last` in parts whose sizes differ by one at most, by their ends.
fn equal_parts<const N: usize>(last: u64) -> [[u64; 2]; N] {
    let end = |part: usize| last * part as u64 / N as u64;
    std::array::from_fn(|part| [end(part) + 1, end(part + 1)])
}

impl Stratified {
    /// So many inputs of every stratum, of both signs or not; none where they are more than can be numbered.
    pub fn new(dtype: DType, arity: usize, signed: bool, count: u64, seed: u64) -> Option<Self> {
        let space = Self { dtype, arity, signed, count, seed, sizes: Size::all(dtype) };
        space.strata().checked_mul(count).map(|_| space)
    }

    /// Number of strata.
    fn strata(&self) -> u64 {
        let of_operand = (self.sizes.len() * Pattern::ALL.len()) as u64;
        (0..self.arity).fold(1, |strata, _| strata * of_operand)
    }

    /// Size and pattern of each operand of a stratum, the last one's pattern changing fastest.
    fn stratum(&self, number: u64) -> Vec<(&Size, Pattern)> {
        let patterns = Pattern::ALL.len() as u64;
        let mut rest = number;
        let mut take = |count: u64| {
            let taken = rest % count;
            rest /= count;
            taken as usize
        };
        let patterns: Vec<usize> = (0..self.arity).map(|_| take(patterns)).collect();
        let sizes = patterns.iter().map(|_| take(self.sizes.len() as u64)).collect::<Vec<_>>();
        let operands = sizes.into_iter().zip(patterns);
        let mut operands: Vec<_> =
            operands.map(|(size, pattern)| (&self.sizes[size], Pattern::ALL[pattern])).collect();
        operands.reverse();
        operands
    }

    fn tuple(&self, index: u64, stratum: &[(&Size, Pattern)]) -> Tuple {
        let mut random = Random::at(self.seed, index);
        let mut tuple = [0; 2];
        for (operand, (size, pattern)) in tuple.iter_mut().zip(stratum) {
            let magnitude = size.draw(*pattern, &mut random);
            let negative = random.bits() & 1 == 1 && self.signed;
            *operand = if negative { self.negated(magnitude) } else { magnitude };
        }
        tuple
    }

    fn negated(&self, magnitude: u64) -> u64 {
        match self.dtype.kind() {
            Kind::Float(format) => format.negated(magnitude),
            Kind::Int { signed: true, bits } => {
                magnitude.wrapping_neg() & u64::MAX >> (u64::BITS - bits)
            }
            _ => magnitude,
        }
    }
}

impl Space for Stratified {
    fn len(&self) -> u64 {
        self.strata() * self.count
    }

    fn fill(&self, first: u64, operands: &mut [Column]) {
        let len = operands.first().map_or(0, Column::len);
        let mut current = (first / self.count, self.stratum(first / self.count));
        for (at, index) in (0..len).zip(first..) {
            let number = index / self.count;
            if number != current.0 {
                current = (number, self.stratum(number));
            }
            set(operands, at, self.tuple(index, &current.1));
        }
    }

    fn parts(&self) -> Vec<Part> {
        let operand =
            |(size, pattern): (&Size, Pattern)| format!("{}, {}", size.name, pattern.name());
        let name =
            |number| self.stratum(number).into_iter().map(operand).collect::<Vec<_>>().join(" / ");
        (0..self.strata()).map(|number| Part { name: name(number), size: self.count }).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::tuples;
    use super::*;
    use values::float::{Class, FloatFormat};

    #[test]
    fn strata_are_all_pairs_of_sizes_and_patterns() {
        let strata =
            |dtype, arity| Stratified::new(dtype, arity, true, 1, SEED).unwrap().parts().len();
        assert_eq!(strata(DType::Float32, 2), (6 * 5) * (6 * 5));
        assert_eq!(strata(DType::Float64, 1), 6 * 5);
        assert_eq!(strata(DType::Int8, 2), (4 * 5) * (4 * 5));
        let parts = Stratified::new(DType::Float32, 2, true, 7, SEED).unwrap().parts();
        assert_eq!(parts[1].name, "subnormal, any bits / subnormal, few ones");
        assert_eq!(parts[899].name, "2^77 to 2^127, a boundary / 2^77 to 2^127, a boundary");
        assert!(parts.iter().all(|part| part.size == 7));
    }

    #[test]
    fn inputs_belong_to_their_stratum() {
        let format = FloatFormat::FLOAT32;
        let space = Stratified::new(DType::Float32, 2, true, 20, SEED).unwrap();
        for (index, tuple) in tuples(&space, DType::Float32).into_iter().enumerate() {
            for (bits, (size, pattern)) in tuple.into_iter().zip(space.stratum(index as u64 / 20)) {
                let magnitude = format.magnitude(bits);
                let (exponent, field) = (magnitude >> 23, magnitude & 0x7f_ffff);
                let [low, high] = size.range;
                match size.field {
                    Some(_) => {
                        assert!((low..=high).contains(&exponent));
                        match pattern {
                            Pattern::FewOnes => assert!(field.count_ones() <= 3),
                            Pattern::FewZeros => assert!(field.count_ones() >= 20),
                            Pattern::Boundary => assert!(!(4..0x7f_fffc).contains(&field)),
                            Pattern::Run => {
                                let changes = (field ^ field << 1) & 0x7f_fffe;
                                assert!(changes.count_ones() <= 2, "{field:#b}");
                            }
                            Pattern::Random => {}
                        }
                    }
                    None => assert_eq!(format.class(bits), Class::Subnormal),
                }
            }
        }
    }

    #[test]
    fn an_input_depends_on_the_seed_and_its_index_alone() {
        let space = |seed| Stratified::new(DType::Int16, 2, true, 5, seed).unwrap();
        let whole = tuples(&space(1), DType::Int16);
        let mut part = vec![Column::new(DType::Int16); 2];
        part.iter_mut().for_each(|column| column.resize(33));
        space(1).fill(101, &mut part);
        for at in 0..33 {
            assert_eq!([part[0].element(at), part[1].element(at)], whole[101 + at]);
        }
        assert_ne!(whole, tuples(&space(2), DType::Int16));
        let mut repeated = BTreeMap::new();
        whole.iter().for_each(|tuple| *repeated.entry(tuple).or_insert(0) += 1);
        assert!(repeated.len() > whole.len() * 3 / 4);
    }

    #[test]
    fn integers_have_both_signs_where_they_may_and_are_never_zero() {
        let values = |signed| {
            tuples(&Stratified::new(DType::Int8, 2, signed, 20, SEED).unwrap(), DType::Int8)
        };
        assert!(values(false).iter().flatten().all(|bits| bits >> 7 == 0));
        let values = values(true);
        let negative = values.iter().filter(|[a, _]| a >> 7 == 1).count();
        assert!((values.len() * 2 / 5..values.len() * 3 / 5).contains(&negative));
        assert!(values.iter().flatten().all(|&bits| bits != 0));
    }

    #[test]
    fn more_inputs_than_can_be_numbered_are_refused() {
        assert!(Stratified::new(DType::Float32, 2, true, 1 << 60, SEED).is_none());
    }
}
