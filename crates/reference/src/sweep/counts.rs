//! Counting the results of a block of elements.
//!
//! The loops are plain Rust which the compiler vectorises, compiled once for each instruction set;
//! every copy works in integers and counts the same.

use multiversion::multiversion;

use super::tally::{BINS, Classes, Tally};
use crate::sweep::fast_check::{Checked, EIGHTHS, FastCheck};

/// Counts of what was checked.
#[derive(Clone, Copy, Default)]
pub(crate) struct Counts {
    checked: u16,
    undecided: bool,
    nan: u16,
    huge: u16,
    tiny: u16,
    zero: u16,
    out_of_domain: u16,
    real: u16,
    above: [u16; EIGHTHS],
    half: u16,
}

impl Counts {
    /// Counts one element.
    #[inline(always)]
    pub(crate) fn add(&mut self, checked: Checked) {
        self.checked += 1;
        self.undecided |= !checked.decided;
        self.nan += u16::from(checked.class.nan);
        self.huge += u16::from(checked.class.huge);
        self.tiny += u16::from(checked.class.tiny);
        self.zero += u16::from(checked.class.zero);
        self.out_of_domain += u16::from(checked.class.out_of_domain);
        self.real += u16::from(checked.real);
        for (count, above) in self.above.iter_mut().zip(checked.above) {
            *count += u16::from(above);
        }
        self.half += u16::from(checked.half);
    }

    /// Whether every element is decided.
    pub(crate) const fn all_decided(&self) -> bool {
        !self.undecided
    }

    /// The tally of the elements, all decided.
    pub(crate) fn tally(&self) -> Tally {
        let Self { checked, nan, huge, tiny, zero, out_of_domain, real, above, half, .. } = *self;
        let classes = Classes {
            nan: nan.into(),
            infinite: (huge - nan).into(),
            zero: zero.into(),
            subnormal: (tiny - zero).into(),
            normal: (checked - huge - tiny - out_of_domain).into(),
            out_of_domain: out_of_domain.into(),
        };
        let mut histogram = [0; BINS];
        let up_to = |eighths: usize| match eighths {
            0 => real - above[0],
            EIGHTHS => above[EIGHTHS - 1],
            _ => above[eighths - 1] - above[eighths],
        };
        for eighths in 0..=EIGHTHS {
            // The bin of one half alone comes after the one that it closes.
            histogram[eighths + usize::from(2 * eighths > EIGHTHS)] = up_to(eighths).into();
        }
        histogram[EIGHTHS / 2] -= u64::from(half);
        histogram[EIGHTHS / 2 + 1] += u64::from(half);
        Tally { executed: checked.into(), classes, histogram, ..Tally::default() }
    }
}

/// Checks each element of the columns of operands and results, as many as the shortest has, `u16::MAX` at most.
#[inline(always)]
pub(crate) fn count<const W: usize, const R: usize>(
    check: impl FastCheck<W, R>,
    operands: [&[[u8; W]]; 2],
    results: &[[u8; R]],
) -> Counts {
    let len = operands.map(<[_]>::len).into_iter().fold(results.len(), usize::min);
    let ([a, b], results) = (operands.map(|column| &column[..len]), &results[..len]);
    let mut counts = Counts::default();
    for index in 0..len {
        counts.add(check.check(a[index], b[index], results[index]));
    }
    counts
}

/// As [`count`], by the copy for the widest instruction set that this processor has.
#[multiversion(
    targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma",),
    dispatcher = "direct"
)]
pub(crate) fn count_dispatched<const W: usize, const R: usize, C: FastCheck<W, R>>(
    check: C,
    operands: [&[[u8; W]]; 2],
    results: &[[u8; R]],
) -> Counts {
    count(check, operands, results)
}
