//! Pseudo-random numbers that are the same everywhere.

/// The seed that every case's own is made of, together with the case's path.
const SEED: u64 = 0x4f4e_4e58_2044_6976;

/// What SplitMix64 counts in.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Pseudo-random numbers: Steele, Lea and Flood's SplitMix64 (*Fast Splittable Pseudorandom Number
/// Generators*, OOPSLA 2014), a counter that is mixed.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The numbers of one case: FNV-1a over its path, from the seed on. A new case changes no other.
    pub fn for_case(path: &str) -> Self {
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        Self(path.bytes().fold(SEED, step))
    }

    /// The numbers of one place of many: their seed is the number that [`Self::new`] gives at this
    /// index, which a counter reaches at once. They depend on nothing else.
    pub const fn at(seed: u64, index: u64) -> Self {
        Self(Self(seed.wrapping_add(index.wrapping_mul(STEP))).bits())
    }

    /// The next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// One of the integers from `low` to `high`; the bias of the remainder, below 2^-63, does not
    /// matter here.
    pub fn between(&mut self, low: i128, high: i128) -> i128 {
        let bits = u128::from(self.bits()) << 64 | u128::from(self.bits());
        low + (bits % (high - low + 1).unsigned_abs()) as i128
    }

    /// One of the integers below a limit other than 0, each as likely but for 2^-64 of the limit:
    /// the high half of a product (Lemire, *Fast Random Integer Generation in an Interval*, 2019).
    pub const fn below(&mut self, limit: u64) -> u64 {
        ((self.bits() as u128 * limit as u128) >> u64::BITS) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_published_generator() {
        let mut random = Random::new(1_234_567);
        let first = [random.bits(), random.bits(), random.bits()];
        // The first outputs for this seed, as listed at Rosetta Code.
        assert_eq!(
            first,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn the_numbers_at_an_index_follow_from_the_one_that_the_sequence_has_there() {
        let mut sequence = Random::new(7);
        for index in 0..10 {
            let mut expected = Random::new(sequence.bits());
            assert_eq!(Random::at(7, index).bits(), expected.bits());
        }
    }

    #[test]
    fn numbers_lie_within_their_limits() {
        let mut random = Random::new(1);
        let drawn: Vec<u64> = (0..1000).map(|_| random.below(3)).collect();
        assert!((0..3).all(|number| drawn.iter().filter(|&&n| n == number).count() > 250));
        assert!(drawn.iter().all(|&number| number < 3));
        assert!((0..1000).all(|_| (-2..=2).contains(&random.between(-2, 2))));
    }
}
