//! One element, settled by the oracle.

use super::{Largest, Operation, Tally, bin};
use values::dtype::{DType, Kind};
use values::float::Class;
use crate::exact::{self, Conforming, Deviation, Division};

/// An element whose result does not conform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Its place in the slices that were checked.
    pub index: usize,
    /// What would have conformed.
    pub conforming: Conforming,
    /// The error of its result.
    pub deviation: Deviation,
}

/// The bits of an element.
pub(super) fn bits<const W: usize>(bytes: [u8; W]) -> u64 {
    bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte))
}

/// What is asked of every element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settler {
    pub(super) operation: Operation,
    pub(super) dtype: DType,
}

impl Settler {
    /// Adds the element at `index` to the tally, and tells if it is a mismatch.
    pub(super) fn settle(
        self,
        index: usize,
        [a, b]: [u64; 2],
        result: u64,
        tally: &mut Tally,
        mismatch: &mut dyn FnMut(Mismatch),
    ) {
        let Self { operation, dtype } = self;
        let (operands, conforming, deviation) = match operation {
            Operation::Div => (
                [a, b],
                exact::div(Division::Div, dtype, a, b),
                exact::div_error(dtype, a, b, result),
            ),
            Operation::Sqrt => {
                ([a, 0], exact::sqrt(dtype, a), exact::sqrt_error(dtype, a, result))
            }
        };
        // The oracle knows every operation on every type that there is a check of.
        let (Some(conforming), Some(deviation)) = (conforming, deviation) else {
            return;
        };
        tally.executed += 1;
        *tally.class(dtype, conforming) += 1;
        let outside = matches!(conforming, Conforming::RefusalOr(_) | Conforming::Undecided(_));
        if let (Some(bin), false) = (bin(deviation), outside) {
            tally.histogram[bin] += 1;
            tally.reach(Largest { deviation, operands, result });
        }
        if !conforming.accepts(result) {
            tally.mismatches += 1;
            mismatch(Mismatch { index, conforming, deviation });
        }
    }
}

impl Tally {
    /// The count of the elements of which this result conforms.
    fn class(&mut self, dtype: DType, conforming: Conforming) -> &mut u64 {
        let classes = &mut self.classes;
        match (conforming, dtype.kind()) {
            (Conforming::RefusalOr(_) | Conforming::Undecided(_), _) => &mut classes.out_of_domain,
            (Conforming::AnyNan(_), _) => &mut classes.nan,
            (Conforming::One(bits), Kind::Float(format)) => match format.class(bits) {
                Class::Nan => &mut classes.nan,
                Class::Infinite => &mut classes.infinite,
                Class::Zero => &mut classes.zero,
                Class::Subnormal => &mut classes.subnormal,
                Class::Normal => &mut classes.normal,
            },
            (Conforming::One(0), _) => &mut classes.zero,
            (Conforming::One(_), _) => &mut classes.normal,
        }
    }
}
