//! The results of the elements of a sweep, counted.

use super::MAX_ARITY;
use crate::exact::{Deviation, Ulps};

/// Counts of checked elements.
///
/// All counts are sums over elements, so a tally does not depend on how a sweep is cut.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Elements checked.
    pub executed: u64,
    /// Elements whose result does not conform.
    pub mismatches: u64,
    /// Elements by the class of the result that conforms; together all.
    pub classes: Classes,
    /// Elements by the error of the actual result, see [`LABELS`]; together those that have a real
    /// result and lie in the domain.
    pub histogram: [u64; BINS],
    /// The first element with the largest error, among those in the histogram.
    pub largest: Option<Largest>,
}

/// Elements by the class of the result that conforms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are the classes' own names")]
pub struct Classes {
    pub nan: u64,
    pub infinite: u64,
    pub zero: u64,
    pub subnormal: u64,
    /// Normal, or an integer other than zero.
    pub normal: u64,
    /// No value of the type is the result: an integer divided by zero, where every result conforms,
    /// or a signed type's minimum divided by -1, where the wrapped value does.
    pub out_of_domain: u64,
}

/// The largest error, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Largest {
    /// The error of the result: never [`Deviation::NoRealResult`].
    pub deviation: Deviation,
    /// Bits of the operands; those that the operation does not have are 0.
    pub operands: [u64; MAX_ARITY],
    /// Bits of the result.
    pub result: u64,
}

impl Tally {
    /// Adds the counts of the elements that come next.
    pub fn append(&mut self, next: &Self) {
        self.executed += next.executed;
        self.mismatches += next.mismatches;
        self.classes.append(next.classes);
        for (count, next) in self.histogram.iter_mut().zip(next.histogram) {
            *count += next;
        }
        if let Some(largest) = next.largest {
            self.note(largest);
        }
    }

    /// Takes note of an element's error.
    pub(crate) fn note(&mut self, next: Largest) {
        if self.largest.is_none_or(|largest| largest.deviation < next.deviation) {
            self.largest = Some(next);
        }
    }
}

impl Classes {
    fn append(&mut self, next: Self) {
        self.nan += next.nan;
        self.infinite += next.infinite;
        self.zero += next.zero;
        self.subnormal += next.subnormal;
        self.normal += next.normal;
        self.out_of_domain += next.out_of_domain;
    }
}

/// Bins of the histogram.
pub const BINS: usize = 22;

/// The errors in each bin, in units in the last place (for integers, in units), in rising order. An
/// infinity that the real result rounds to has an error of 0, any other, and any NaN in place of a
/// real result, an unbounded one.
pub const LABELS: [&str; BINS] = [
    "0",
    "(0, 1/8]",
    "(1/8, 1/4]",
    "(1/4, 3/8]",
    "(3/8, 1/2)",
    "1/2",
    "(1/2, 5/8]",
    "(5/8, 3/4]",
    "(3/4, 7/8]",
    "(7/8, 1]",
    "(1, 2]",
    "(2, 4]",
    "(4, 8]",
    "(8, 16]",
    "(16, 32]",
    "(32, 64]",
    "(64, 128]",
    "(128, 256]",
    "(256, 512]",
    "(512, 1024]",
    "above 1024",
    "unbounded",
];

/// The bin of an error; `None` where there is no real result.
pub fn bin(deviation: Deviation) -> Option<usize> {
    const STEPS: u128 = Ulps::ONE.steps();
    let ulps = match deviation {
        Deviation::NoRealResult => return None,
        Deviation::Unbounded => return Some(BINS - 1),
        Deviation::Ulps(ulps) => ulps,
    };
    // Every edge is a multiple of the resolution, to which distances are rounded up.
    let eighths = (8 * ulps.steps().min(STEPS)).div_ceil(STEPS) as usize;
    Some(if ulps > Ulps::ONE {
        let octave = (ulps.steps() - 1).ilog2() - Ulps::FRACTION_BITS;
        (10 + octave as usize).min(BINS - 2)
    } else if ulps < Ulps::HALF {
        eighths
    } else {
        eighths + 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operators::div::div_error;
    use values::dtype::DType;

    /// The label of the bin of |`actual` - `a` / `b`|.
    fn label(a: i64, b: i64, actual: i64) -> &'static str {
        let error = div_error(DType::Int64, a as u64, b as u64, actual as u64).unwrap();
        LABELS[bin(error).unwrap()]
    }

    #[test]
    fn every_edge_lies_in_the_bin_that_its_label_says() {
        let beyond = 1 << 40;
        for (eighths, at, above) in [
            (0, "0", "(0, 1/8]"),
            (1, "(0, 1/8]", "(1/8, 1/4]"),
            (2, "(1/8, 1/4]", "(1/4, 3/8]"),
            (3, "(1/4, 3/8]", "(3/8, 1/2)"),
            (4, "1/2", "(1/2, 5/8]"),
            (5, "(1/2, 5/8]", "(5/8, 3/4]"),
            (6, "(5/8, 3/4]", "(3/4, 7/8]"),
            (7, "(3/4, 7/8]", "(7/8, 1]"),
            (8, "(7/8, 1]", "(1, 2]"),
            (16, "(1, 2]", "(2, 4]"),
            (4096, "(256, 512]", "(512, 1024]"),
            (8192, "(512, 1024]", "above 1024"),
        ] {
            assert_eq!(label(eighths, 8, 0), at);
            assert_eq!(label(eighths * beyond / 8 + 1, beyond, 0), above);
        }
        assert_eq!(label((1 << 39) - 1, beyond, 0), "(3/8, 1/2)");
        assert_eq!(label(i64::MAX, 1, 0), "above 1024");
        assert_eq!(bin(Deviation::Unbounded), Some(BINS - 1));
        assert_eq!(bin(Deviation::NoRealResult), None);
    }

    #[test]
    fn of_equal_errors_the_earlier_one_is_kept() {
        let at = |ulps, result| Tally {
            executed: 1,
            largest: Some(Largest {
                deviation: Deviation::Ulps(ulps),
                operands: [0; MAX_ARITY],
                result,
            }),
            ..Tally::default()
        };
        let mut tally = at(Ulps::HALF, 1);
        tally.append(&at(Ulps::HALF, 2));
        tally.append(&at(Ulps::ZERO, 3));
        tally.append(&Tally::default());
        assert_eq!(tally, Tally { executed: 3, ..at(Ulps::HALF, 1) });
        tally.append(&at(Ulps::ONE, 4));
        assert_eq!(tally.largest, at(Ulps::ONE, 4).largest);
    }
}
