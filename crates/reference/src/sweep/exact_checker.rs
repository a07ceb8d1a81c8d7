//! One element, checked by exact arithmetic.

use super::MAX_ARITY;
use super::tally::{Largest, Tally, bin};
use crate::elementwise::Elementwise;
use crate::exact::{Conforming, Deviation};
use values::dtype::{DType, Kind};
use values::element::Element;
use values::float::Class;

/// An element whose result does not conform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Its place in the slices that were checked.
    pub index: usize,
    /// What would have conformed.
    pub conforming: Conforming,
    /// The error of its result.
    pub deviation: Deviation,
}

/// The bits of an element of up to 8 bytes.
#[inline(always)]
pub(crate) fn bits<const W: usize>(bytes: [u8; W]) -> u64 {
    let mut word = [0; 8];
    word[..W].copy_from_slice(&bytes);
    u64::from_le_bytes(word)
}

/// What is asked of every element.
#[derive(Clone, Copy)]
pub(crate) struct ExactChecker<'a> {
    pub(crate) function: &'a dyn Elementwise,
    /// The types of the operands.
    pub(crate) operands: &'a [DType],
    /// The type of the results.
    pub(crate) result: DType,
}

impl ExactChecker<'_> {
    /// Adds the element at `index` to the tally, and tells if it is a mismatch.
    pub(crate) fn check(
        &self,
        index: usize,
        operands: &[Element],
        result: &Element,
        tally: &mut Tally,
        mismatch: &mut dyn FnMut(Mismatch),
    ) {
        let actual = bits_of(result);
        let (conforming, [deviation, _]) = self.function.judged(self.result, operands, [actual; 2]);
        tally.executed += 1;
        *tally.class(self.result, &conforming) += 1;
        if let (Some(bin), true) = (bin(deviation), conforming.is_decided()) {
            tally.histogram[bin] += 1;
            let mut bits = [0; MAX_ARITY];
            bits.iter_mut().zip(operands).for_each(|(bits, operand)| *bits = bits_of(operand));
            tally.note(Largest { deviation, operands: bits, result: actual });
        }
        if !conforming.accepts_element(result) {
            tally.mismatches += 1;
            mismatch(Mismatch { index, conforming, deviation });
        }
    }

    /// The same of an element whose operands and result are given as bits.
    pub(super) fn check_bits(
        &self,
        index: usize,
        operands: [u64; MAX_ARITY],
        result: u64,
        tally: &mut Tally,
        mismatch: &mut dyn FnMut(Mismatch),
    ) {
        let mut elements = [const { Element::Bits(DType::Bool, 0) }; MAX_ARITY];
        let arity = self.operands.len().min(MAX_ARITY);
        let typed = self.operands.iter().zip(operands);
        for (element, (&dtype, bits)) in elements.iter_mut().zip(typed) {
            *element = Element::Bits(dtype, bits.into());
        }
        let result = Element::Bits(self.result, result.into());
        self.check(index, &elements[..arity], &result, tally, mismatch);
    }
}

/// The bits of a number; 0 for a string, which has none.
pub(crate) fn bits_of(element: &Element) -> u64 {
    match element {
        Element::Bits(_, bits) => *bits as u64,
        Element::String(_) => 0,
    }
}

impl Tally {
    /// The count of the elements of which this result conforms.
    fn class(&mut self, dtype: DType, conforming: &Conforming) -> &mut u64 {
        let classes = &mut self.classes;
        let conforming = match conforming {
            Conforming::OneOf(all) => all.first().unwrap_or(conforming),
            one => one,
        };
        // An element that is moved is a value as one that is computed.
        let moved = match conforming {
            Conforming::Same(Element::Bits(_, bits)) => Some(Conforming::One(*bits as u64)),
            _ => None,
        };
        match (moved.as_ref().unwrap_or(conforming), dtype.kind()) {
            (Conforming::RefusalOr(_) | Conforming::Unspecified(_), _) => {
                &mut classes.out_of_domain
            }
            (Conforming::AnyNan(_), _) => &mut classes.nan,
            (Conforming::One(bits), Kind::Float(format)) => match format.class(*bits) {
                Class::Nan => &mut classes.nan,
                Class::Infinite => &mut classes.infinite,
                Class::Zero => &mut classes.zero,
                Class::Subnormal => &mut classes.subnormal,
                Class::Normal => &mut classes.normal,
            },
            (Conforming::One(0), _) => &mut classes.zero,
            _ => &mut classes.normal,
        }
    }
}
