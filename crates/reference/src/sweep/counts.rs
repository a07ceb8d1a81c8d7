//! Counting what a block of elements came to.
//!
//! The loops are plain Rust which the compiler vectorises, compiled once for each instruction set;
//! every copy works in integers and counts the same.

use multiversion::multiversion;

use super::look::{EIGHTHS, Look, Seen};
use super::{BINS, Classes, Tally};

/// Counts of what was seen.
#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    seen: u16,
    unsettled: u16,
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
    pub(super) fn add(&mut self, seen: Seen) {
        self.seen += 1;
        self.unsettled += u16::from(!seen.settled);
        self.nan += u16::from(seen.class.nan);
        self.huge += u16::from(seen.class.huge);
        self.tiny += u16::from(seen.class.tiny);
        self.zero += u16::from(seen.class.zero);
        self.out_of_domain += u16::from(seen.class.out_of_domain);
        self.real += u16::from(seen.real);
        for (count, above) in self.above.iter_mut().zip(seen.above) {
            *count += u16::from(above);
        }
        self.half += u16::from(seen.half);
    }

    /// Whether every element is settled.
    pub(super) const fn all_settled(&self) -> bool {
        self.unsettled == 0
    }

    /// The tally of the elements, all settled.
    pub(super) fn tally(&self) -> Tally {
        let Self { seen, nan, huge, tiny, zero, out_of_domain, real, above, half, .. } = *self;
        let classes = Classes {
            nan: nan.into(),
            infinite: (huge - nan).into(),
            zero: zero.into(),
            subnormal: (tiny - zero).into(),
            normal: (seen - huge - tiny - out_of_domain).into(),
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
        Tally { executed: seen.into(), classes, histogram, ..Tally::default() }
    }
}

/// Looks at each element of three columns, as many as the shortest has, `u16::MAX` at most.
#[inline(always)]
pub(super) fn count<const W: usize>(look: impl Look<W>, columns: [&[[u8; W]]; 3]) -> Counts {
    let len = columns.map(<[_]>::len).into_iter().min().unwrap_or(0);
    let [a, b, results] = columns.map(|column| &column[..len]);
    let mut counts = Counts::default();
    for index in 0..len {
        counts.add(look.look(a[index], b[index], results[index]));
    }
    counts
}

/// As [`count`], by the copy for the widest instruction set that this processor has.
#[multiversion(
    targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma",),
    dispatcher = "direct"
)]
pub(super) fn count_dispatched<const W: usize, L: Look<W>>(
    look: L,
    columns: [&[[u8; W]]; 3],
) -> Counts {
    count(look, columns)
}
