//! The set of results that conform for one element.

use std::fmt;

use values::float::{Class, FloatFormat};

/// Which results conform for one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conforming {
    /// These bits alone.
    One(u64),
    /// Any NaN of this format, whatever its sign and payload.
    AnyNan(&'static FloatFormat),
    /// A refusal, or the value wrapped to these bits: a signed type's minimum divided by -1, which
    /// no value of the type represents and no document decides.
    RefusalOr(u64),
    /// Whatever comes back, a refusal included: the specification does not decide.
    Undecided(Undecided),
}

/// Why a specification does not decide a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Undecided {
    /// The divisor is zero, and the domain excludes zero divisors.
    ZeroDivisor,
    /// Zero divided by zero, where the draft's formula and IEEE 754 disagree.
    ZeroByZero,
}

impl Conforming {
    /// Whether an element with the bits `actual` conforms.
    #[must_use]
    #[inline]
    pub fn accepts(self, actual: u64) -> bool {
        match self {
            Self::One(bits) | Self::RefusalOr(bits) => actual == bits,
            Self::AnyNan(format) => format.class(actual) == Class::Nan,
            Self::Undecided(_) => true,
        }
    }

    /// Whether refusing to compute the element conforms.
    #[must_use]
    pub const fn accepts_refusal(self) -> bool {
        matches!(self, Self::RefusalOr(_) | Self::Undecided(_))
    }
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ZeroDivisor => "division by zero is outside the domain",
            Self::ZeroByZero => "0/0 is an infinity by the draft's formula and NaN by IEEE 754",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_nan_is_taken_for_a_nan_and_nothing_else_is() {
        let nan = Conforming::AnyNan(&FloatFormat::FLOAT16);
        assert!([0x7e00, 0xfe00, 0x7c01, 0xffff].into_iter().all(|bits| nan.accepts(bits)));
        assert!([0x7c00, 0xfc00, 0x0000, 0x3c00].into_iter().all(|bits| !nan.accepts(bits)));
        assert!(!nan.accepts_refusal());
    }

    #[test]
    fn a_refusal_conforms_only_where_the_value_cannot_be_represented_or_is_not_decided() {
        assert!(!Conforming::One(1).accepts_refusal());
        assert!(Conforming::RefusalOr(0x80).accepts_refusal());
        assert!(Conforming::RefusalOr(0x80).accepts(0x80));
        assert!(!Conforming::RefusalOr(0x80).accepts(0x7f));
        let undecided = Conforming::Undecided(Undecided::ZeroDivisor);
        assert!(Undecided::ZeroDivisor.to_string().contains("division by zero"));
        assert!(undecided.accepts_refusal() && undecided.accepts(42));
    }
}
