//! Judging an element by a limit on its error against the real result.
//!
//! Where subnormal numbers may be flushed, a result conforms that conforms for the operands as they
//! are or with any of the subnormal ones read as zeros, and a zero conforms where one of the
//! conforming results is subnormal.

use super::judge::{Judged, Judgement, Numbers};
use crate::dtype::DType;
use crate::float::{Class, FloatFormat};
use crate::oracle::{self, Conforming, Deviation};
use crate::profile::{Flush, Specials, UlpRule, ZeroSign};

/// Judges the element `actual` of a format with infinities, and measures its error for the operands
/// as they are.
pub(super) fn judge(
    rule: &UlpRule,
    format: &'static FloatFormat,
    dtype: DType,
    numbers: Numbers,
    actual: u64,
) -> Judged {
    if !rule.domain.contains(format, numbers.last()) {
        return (Judgement::Undecided, None);
    }
    let error = match numbers.error(dtype, actual) {
        Some(Deviation::Ulps(ulps)) => Some(ulps),
        Some(Deviation::NoRealResult | Deviation::Unbounded) | None => None,
    };
    let context = Context { rule, format, dtype };
    let mut judgement = context.unflushed(numbers, actual);
    if rule.flush == Flush::OperandsAndResults {
        for candidate in context.flushed_operands(numbers) {
            judgement = better(judgement, context.judge(candidate, actual));
        }
        judgement = better(judgement, context.flushed_result(numbers, actual));
    }
    (judgement, error)
}

/// The judgement of a choice of results: one that conforms is enough, and one that is undecided
/// leaves the whole undecided.
const fn better(a: Judgement, b: Judgement) -> Judgement {
    match (a, b) {
        (Judgement::Conforms, _) | (_, Judgement::Conforms) => Judgement::Conforms,
        (Judgement::Undecided, _) | (_, Judgement::Undecided) => Judgement::Undecided,
        (Judgement::Violates, Judgement::Violates) => Judgement::Violates,
    }
}

struct Context<'a> {
    rule: &'a UlpRule,
    format: &'static FloatFormat,
    dtype: DType,
}

impl Context<'_> {
    /// The result for these operands, or its flushed form.
    fn judge(&self, numbers: Numbers, actual: u64) -> Judgement {
        better(self.unflushed(numbers, actual), self.flushed_result(numbers, actual))
    }

    /// The result for these operands, subnormal numbers preserved.
    fn unflushed(&self, numbers: Numbers, actual: u64) -> Judgement {
        let Some(conforming) = numbers.conforming(self.dtype) else {
            return Judgement::Undecided;
        };
        if let Conforming::Undecided(_) = conforming {
            return Judgement::Undecided;
        }
        let real = numbers.error(self.dtype, actual);
        if matches!(real, None | Some(Deviation::NoRealResult))
            || numbers.first_is_zero(self.format)
        {
            return self.special(conforming, actual);
        }
        let may_overflow = || self.infinity_is_within_limit(numbers, conforming);
        if self.rule.specials == Specials::Undecided && may_overflow() {
            return Judgement::Undecided;
        }
        Judgement::of(match real {
            Some(Deviation::Ulps(error)) => self.rule.limit.admits(error),
            // A NaN, or an infinity that the real result does not round to.
            _ => {
                self.format.class(actual) == Class::Infinite
                    && self.format.is_negative(actual) == numbers.is_negative(self.format)
                    && may_overflow()
            }
        })
    }

    /// The result where an operand is special: a zero, an infinity or a NaN.
    fn special(&self, conforming: Conforming, actual: u64) -> Judgement {
        match conforming {
            Conforming::One(bits) if self.format.class(bits) == Class::Zero => {
                let is_zero = self.format.class(actual) == Class::Zero;
                Judgement::of(match self.rule.zero_sign {
                    ZeroSign::Free => is_zero,
                    ZeroSign::Kept | ZeroSign::FreeWhereFlushed => actual == bits,
                })
            }
            _ if self.rule.specials == Specials::Undecided => Judgement::Undecided,
            _ => Judgement::of(conforming.accepts(actual)),
        }
    }

    /// Whether an infinity is within the limit of a finite real result: it stands for the number
    /// after the largest.
    fn infinity_is_within_limit(&self, numbers: Numbers, conforming: Conforming) -> bool {
        let sign = self.sign(numbers.is_negative(self.format));
        let infinity = ((1 << self.format.exponent_bits) - 1) << self.format.significand_bits;
        if conforming == Conforming::One(sign | infinity) {
            return true;
        }
        // The real result is not above the largest number: neither quotients nor roots of p-bit
        // numbers lie between the largest p-bit number below a power of two and that power.
        match numbers.error(self.dtype, sign | (infinity - 1)) {
            Some(Deviation::Ulps(largest)) => self.rule.limit.admits_plus(largest, 1),
            Some(Deviation::NoRealResult | Deviation::Unbounded) | None => false,
        }
    }

    /// A zero where a result within the limit is subnormal.
    fn flushed_result(&self, numbers: Numbers, actual: u64) -> Judgement {
        let negative = numbers.is_negative(self.format);
        let sign_fits = match self.rule.zero_sign {
            ZeroSign::Kept => self.format.is_negative(actual) == negative,
            ZeroSign::FreeWhereFlushed | ZeroSign::Free => true,
        };
        if self.format.class(actual) != Class::Zero
            || !sign_fits
            || numbers.first_is_zero(self.format)
        {
            return Judgement::Violates;
        }
        // Subnormal results conform where the nearest result is one (or a zero), or the largest of
        // them is within the limit.
        let largest = self.sign(negative) | ((1 << self.format.significand_bits) - 1);
        let is_subnormal = matches!(numbers.conforming(self.dtype), Some(Conforming::One(bits))
            if self.format.class(bits) == Class::Subnormal);
        Judgement::of(match numbers.error(self.dtype, largest) {
            Some(Deviation::Ulps(error)) => is_subnormal || self.rule.limit.admits(error),
            Some(Deviation::NoRealResult | Deviation::Unbounded) | None => false,
        })
    }

    /// The operands with one or more of the subnormal ones read as zeros, of either sign where that
    /// is free.
    fn flushed_operands(&self, numbers: Numbers) -> Vec<Numbers> {
        let forms = |bits: u64| {
            let mut forms = vec![bits];
            if self.format.class(bits) == Class::Subnormal {
                let zero = self.sign(self.format.is_negative(bits));
                forms.push(zero);
                if self.rule.zero_sign != ZeroSign::Kept {
                    forms.push(zero ^ self.sign(true));
                }
            }
            forms
        };
        let all: Vec<Numbers> = match numbers {
            Numbers::Div(division, a, b) => {
                let b_forms = forms(b);
                forms(a)
                    .into_iter()
                    .flat_map(|a| b_forms.iter().map(move |&b| Numbers::Div(division, a, b)))
                    .collect()
            }
            Numbers::Sqrt(x) => forms(x).into_iter().map(Numbers::Sqrt).collect(),
        };
        // The first are the operands as they are.
        all.into_iter().skip(1).collect()
    }

    const fn sign(&self, negative: bool) -> u64 {
        (negative as u64) << (self.format.width() - 1)
    }
}

impl Numbers {
    /// The divisor or the radicand.
    const fn last(self) -> u64 {
        match self {
            Self::Div(_, _, b) => b,
            Self::Sqrt(x) => x,
        }
    }

    fn error(self, dtype: DType, actual: u64) -> Option<Deviation> {
        match self {
            Self::Div(_, a, b) => oracle::div_error(dtype, a, b, actual),
            Self::Sqrt(x) => oracle::sqrt_error(dtype, x, actual),
        }
    }

    /// Whether the dividend or the radicand is a zero, and so the real result, if there is one.
    const fn first_is_zero(self, format: &FloatFormat) -> bool {
        let (Self::Div(_, first, _) | Self::Sqrt(first)) = self;
        matches!(format.class(first), Class::Zero)
    }

    /// The sign of the real result, if there is one.
    const fn is_negative(self, format: &FloatFormat) -> bool {
        match self {
            Self::Div(_, a, b) => format.is_negative(a) != format.is_negative(b),
            Self::Sqrt(_) => false,
        }
    }
}
