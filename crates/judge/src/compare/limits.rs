//! Judging an element by a limit on its error against the real result.
//!
//! Where subnormal numbers may be flushed, a result conforms that conforms for the operands as they
//! are or with any of the subnormal ones read as zeros, and a zero conforms where one of the
//! conforming results is subnormal.

use num_traits::Signed;
use reference::exact::{Conforming, Deviation, Ulps, real};
use values::element::Element;
use values::float::{Class, FloatFormat};

use super::element_call::ElementCall;
use crate::profile::{Beyond, Body, Domain, Flush, Limit, Specials, UlpRule, ZeroSign};

/// Judges the element `actual` of a format with infinities.
pub(super) fn judge(
    rule: &UlpRule,
    format: &'static FloatFormat,
    call: &ElementCall<'_>,
    actual: u64,
) -> ElementVerdict {
    let context = Context { rule, format };
    if !context.is_in(rule.domain, call) {
        return ElementVerdict::Undecided;
    }
    if rule.flush == Flush::Never {
        return context.unflushed(call, actual);
    }
    // Of a choice of results one that conforms is enough, and one that is undecided leaves the whole
    // undecided.
    let choices = context.flushed_operands(call).into_iter();
    let judged = choices
        .flat_map(|call| [context.unflushed(&call, actual), context.flushed_result(&call, actual)]);
    judged.max().unwrap_or(ElementVerdict::Violates)
}

/// What became of an element; of a choice of results the greatest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ElementVerdict {
    Violates,
    /// The profile does not decide it.
    Undecided,
    Conforms,
}

impl ElementVerdict {
    pub(super) const fn of(conforms: bool) -> Self {
        if conforms { Self::Conforms } else { Self::Violates }
    }
}

struct Context<'a> {
    rule: &'a UlpRule,
    format: &'static FloatFormat,
}

impl Context<'_> {
    /// The result for these operands, subnormal numbers preserved: by the function, or by its body.
    fn unflushed(&self, call: &ElementCall<'_>, actual: u64) -> ElementVerdict {
        let judged = self.by_function(call, actual);
        let by_body = || call.function.by_body(call.dtype, call.operands());
        let is_given = |given: Conforming| given.is_decided() && given.accepts(actual);
        match judged {
            ElementVerdict::Violates if self.rule.body == Body::Accepted => {
                ElementVerdict::of(by_body().is_some_and(is_given))
            }
            _ => judged,
        }
    }

    fn by_function(&self, call: &ElementCall<'_>, actual: u64) -> ElementVerdict {
        let conforming = call.conforming();
        if let Conforming::Unspecified(_) = conforming {
            return ElementVerdict::Undecided;
        }
        let deviation = call.deviation(actual);
        if deviation == Deviation::NoRealResult
            || self.is_zero(call, &conforming)
            || call.function.is_exact_point(call.dtype, call.operands())
        {
            return self.special(&conforming, actual);
        }
        let may_overflow = || self.infinity_is_within_limit(call, &conforming);
        if self.rule.specials == Specials::Undecided && may_overflow() {
            return ElementVerdict::Undecided;
        }
        let judged = ElementVerdict::of(match deviation {
            Deviation::Ulps(error) => self.limit(call).admits(error),
            // A NaN, or an infinity that the real result does not round to.
            Deviation::NoRealResult | Deviation::Unbounded => {
                self.format.class(actual) == Class::Infinite
                    && self.format.is_negative(actual) == self.is_negative(&conforming)
                    && may_overflow()
            }
        });
        // The distance takes long to find, and decides nothing of what conforms already.
        if judged == ElementVerdict::Conforms {
            judged
        } else {
            judged.max(self.by_distance(call, actual))
        }
    }

    /// Whether the last operand's magnitude is in a domain.
    fn is_in(&self, domain: Domain, call: &ElementCall<'_>) -> bool {
        match call.operands().last() {
            Some(Element::Bits(dtype, bits)) if *dtype == call.dtype => {
                domain.contains(self.format, *bits as u64)
            }
            _ => true,
        }
    }

    /// The limit in ULP for these operands.
    fn limit(&self, call: &ElementCall<'_>) -> Limit {
        let magnitude = || match call.operands().last()? {
            Element::Bits(dtype, bits) => real::value(*dtype, u64::try_from(*bits).ok()?),
            Element::String(_) => None,
        };
        match self.rule.growth.and_then(|growth| Some((growth, magnitude()?))) {
            Some((growth, x)) => self.rule.limit.plus(growth, &x.abs()),
            None => self.rule.limit,
        }
    }

    /// The result by its distance from the real one, where that has a limit.
    fn by_distance(&self, call: &ElementCall<'_>, actual: u64) -> ElementVerdict {
        let limit = self.rule.absolute.filter(|limit| self.is_in(limit.domain, call));
        let Some((limit, actual)) = limit.zip(real::value(call.dtype, actual)) else {
            return ElementVerdict::Violates;
        };
        let most = limit.error.number();
        for bits in [128, 1024, 8192] {
            let Some(real) = call.function.real(call.dtype, call.operands(), bits) else { break };
            let [least, greatest] =
                [real.enclosure.lower, real.enclosure.upper].map(|end| end - &actual);
            if -&most <= least && greatest <= most {
                return ElementVerdict::Conforms;
            }
            if least > most || greatest < -&most {
                return match limit.beyond {
                    Beyond::Violates => ElementVerdict::Violates,
                    Beyond::Undecided => ElementVerdict::Undecided,
                };
            }
        }
        ElementVerdict::Undecided
    }

    /// The result where an operand is special: a zero, an infinity or a NaN.
    fn special(&self, conforming: &Conforming, actual: u64) -> ElementVerdict {
        match conforming {
            Conforming::One(bits) if self.format.class(*bits) == Class::Zero => {
                let is_zero = self.format.class(actual) == Class::Zero;
                ElementVerdict::of(match self.rule.zero_sign {
                    ZeroSign::Free => is_zero,
                    ZeroSign::Kept | ZeroSign::FreeWhereFlushed => actual == *bits,
                })
            }
            Conforming::OneOf(all) => {
                let readings = all.iter().map(|one| self.special(one, actual));
                readings.max().unwrap_or(ElementVerdict::Violates)
            }
            _ if self.rule.specials == Specials::Undecided => ElementVerdict::Undecided,
            conforming => ElementVerdict::of(conforming.accepts(actual)),
        }
    }

    /// Whether an infinity is within the limit of a finite real result: it stands for the number
    /// after the largest.
    fn infinity_is_within_limit(&self, call: &ElementCall<'_>, conforming: &Conforming) -> bool {
        let sign = self.sign(self.is_negative(conforming));
        let infinity = ((1 << self.format.exponent_bits) - 1) << self.format.significand_bits;
        let largest = sign | (infinity - 1);
        if conforming.number() == Some(sign | infinity) {
            return true;
        }
        match call.deviation(largest) {
            // The real result is between the largest number and the one that an infinity represents.
            Deviation::Ulps(error) if is_beyond(call, largest) => {
                self.limit(call).admits(Ulps::ONE.less(error))
            }
            Deviation::Ulps(error) => self.limit(call).admits_plus(error, 1),
            Deviation::NoRealResult | Deviation::Unbounded => false,
        }
    }

    /// A zero where a result within the limit is subnormal.
    fn flushed_result(&self, call: &ElementCall<'_>, actual: u64) -> ElementVerdict {
        let conforming = call.conforming();
        let negative = self.is_negative(&conforming);
        let sign_fits = match self.rule.zero_sign {
            ZeroSign::Kept => self.format.is_negative(actual) == negative,
            ZeroSign::FreeWhereFlushed | ZeroSign::Free => true,
        };
        if self.format.class(actual) != Class::Zero || !sign_fits || self.is_zero(call, &conforming)
        {
            return ElementVerdict::Violates;
        }
        // Subnormal results conform where the nearest result is one (or a zero), or the largest of
        // them is within the limit.
        let largest = self.sign(negative) | ((1 << self.format.significand_bits) - 1);
        let nearest = conforming.number();
        let is_subnormal = nearest.is_some_and(|bits| self.format.class(bits) == Class::Subnormal);
        ElementVerdict::of(match call.deviation(largest) {
            Deviation::Ulps(error) => is_subnormal || self.limit(call).admits(error),
            Deviation::NoRealResult | Deviation::Unbounded => false,
        })
    }

    /// The operands as they are, and with any of the subnormal ones read as zeros, of either sign where
    /// that is free.
    fn flushed_operands<'c>(&self, call: &ElementCall<'c>) -> Vec<ElementCall<'c>> {
        let mut calls = vec![call.clone()];
        for (at, operand) in call.operands().iter().enumerate() {
            let Element::Bits(dtype, bits) = operand else { continue };
            let bits = *bits as u64;
            if *dtype != call.dtype || self.format.class(bits) != Class::Subnormal {
                continue;
            }
            let is_negative = self.format.is_negative(bits);
            let signs = [is_negative, !is_negative];
            let free = if self.rule.zero_sign == ZeroSign::Kept { 1 } else { 2 };
            for call in calls.clone() {
                calls.extend(signs.iter().take(free).map(|&negative| {
                    call.with_operand(at, Element::Bits(*dtype, self.sign(negative).into()))
                }));
            }
        }
        calls
    }

    /// The sign of the real result, if there is one, from what it rounds to.
    fn is_negative(&self, conforming: &Conforming) -> bool {
        conforming.number().is_some_and(|bits| self.format.is_negative(bits))
    }

    /// Whether the real result is zero: it rounds to one, which is no distance from it.
    fn is_zero(&self, call: &ElementCall<'_>, conforming: &Conforming) -> bool {
        conforming.number().is_none_or(|bits| self.format.class(bits) == Class::Zero)
            && call.deviation(0) == Deviation::Ulps(Ulps::ZERO)
    }

    const fn sign(&self, negative: bool) -> u64 {
        (negative as u64) << (self.format.width() - 1)
    }
}

/// Whether the real result is farther from zero than an element.
fn is_beyond(call: &ElementCall<'_>, bits: u64) -> bool {
    /// Bits of the real result: far more than the distance of any result from a number that it is not.
    const KNOWN: u32 = 256;
    let real = call.function.real(call.dtype, call.operands(), KNOWN);
    real.zip(real::value(call.dtype, bits)).is_some_and(|(real, value)| {
        let enclosure = real.enclosure;
        enclosure.lower.abs().min(enclosure.upper.abs()) > value.abs()
    })
}
