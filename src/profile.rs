//! Accuracy profiles: named sets of rules for when an element conforms.
//!
//! A profile is asked for its [`Rule`] on one element type; the rule then decides on the bits of
//! one element after the other. Strings have no bits and must be equal under every profile.

use crate::dtype::{DType, Kind};
use crate::float::{Class, FloatFormat};

mod closeness;
mod tolerance;

pub use closeness::Closeness;
pub use tolerance::{Tolerance, ToleranceError};

/// A named set of accuracy rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Profile {
    /// `onnx`: the official runner's `numpy.testing.assert_allclose`, as in ONNX 1.22.0 with
    /// NumPy 2: every type but string is compared within the case's [`Tolerance`].
    ///
    /// The runner of ONNX 1.23 widens the tolerance for bfloat16 (2^-6 relative, computed in
    /// float32). This profile follows 1.22.0 and does not.
    Onnx,
    /// `ieee754`: exactly the expected bits, and any NaN for a NaN. The sign of a zero counts.
    Ieee754,
}

/// The name is that of no profile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown profile `{0}`; the profiles are {names}", names = Profile::NAMES.join(", "))]
pub struct UnknownProfile(pub String);

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 2] = [Self::Onnx, Self::Ieee754];

    /// The names of [`Profile::ALL`].
    pub const NAMES: [&str; 2] = [Self::ALL[0].name(), Self::ALL[1].name()];

    /// The profile of this name.
    ///
    /// # Errors
    ///
    /// When there is none; the error lists the names there are.
    pub fn named(name: &str) -> Result<Self, UnknownProfile> {
        Self::ALL
            .into_iter()
            .find(|profile| profile.name() == name)
            .ok_or_else(|| UnknownProfile(name.to_owned()))
    }

    /// The name used in reports and commands.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Onnx => "onnx",
            Self::Ieee754 => "ieee754",
        }
    }

    /// The rule for elements of one type; `None` for strings, which must be equal.
    #[must_use]
    pub fn rule(self, dtype: DType, tolerance: Tolerance) -> Option<Rule> {
        match (self, dtype.kind()) {
            (_, Kind::String) => None,
            (Self::Onnx, Kind::Float(_) | Kind::Complex(_) | Kind::Int { .. } | Kind::Bool) => {
                Closeness::new(dtype, tolerance).map(Rule::Close)
            }
            (Self::Ieee754, Kind::Float(format) | Kind::Complex(format)) => {
                Some(Rule::SameNumber(format))
            }
            (Self::Ieee754, Kind::Int { .. } | Kind::Bool) => Some(Rule::SameBits),
        }
    }
}

/// When an element of one type conforms.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// When its bits are the expected ones.
    SameBits,
    /// When its bits, or those of both parts of a complex number, are the expected ones, or both
    /// are NaN in this format.
    SameNumber(&'static FloatFormat),
    /// When NumPy finds it close.
    Close(Closeness),
}

impl Rule {
    /// Whether an element with the bits `actual` conforms where `expected` was expected.
    #[must_use]
    pub fn accepts(&self, expected: u128, actual: u128) -> bool {
        match self {
            Self::SameBits => expected == actual,
            Self::SameNumber(format) => {
                let is_nan = |bits| format.class(bits) == Class::Nan;
                let same = |(a, b)| a == b || (is_nan(a) && is_nan(b));
                let (expected, actual) = (format.parts(expected), format.parts(actual));
                expected.into_iter().zip(actual).all(same)
            }
            Self::Close(closeness) => closeness.accepts(expected, actual),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_profile_is_found_by_its_name_and_no_other_is() {
        for profile in Profile::ALL {
            assert_eq!(Profile::named(profile.name()), Ok(profile));
        }
        assert_eq!(
            Profile::named("ONNX").unwrap_err().to_string(),
            "unknown profile `ONNX`; the profiles are onnx, ieee754"
        );
    }

    #[test]
    fn strings_alone_have_no_rule() {
        for profile in Profile::ALL {
            for dtype in DType::ALL {
                let rule = profile.rule(dtype, Tolerance::default());
                assert_eq!(rule.is_none(), dtype == DType::String, "{} {dtype}", profile.name());
            }
        }
    }

    #[test]
    fn ieee754_takes_any_nan_for_a_nan_in_each_part_but_no_other_bits() {
        let accepts = |dtype, expected, actual| {
            Profile::Ieee754.rule(dtype, Tolerance::default()).unwrap().accepts(expected, actual)
        };
        assert!(accepts(DType::Float16, 0x7e00, 0xfc01));
        assert!(!accepts(DType::Float16, 0x7e00, 0x7c00));
        assert!(!accepts(DType::Float16, 0x0000, 0x8000));
        assert!(!accepts(DType::Float16, 0x3c00, 0x3c01));
        assert!(accepts(DType::Complex64, 0x7fc0_0000_3f80_0000, 0xffc0_0001_3f80_0000));
        assert!(!accepts(DType::Complex64, 0x7fc0_0000_3f80_0000, 0x7fc0_0000_3f80_0001));
        assert!(!accepts(DType::Complex64, 0x7fc0_0000_3f80_0000, 0x3f80_0000_7fc0_0000));
        assert!(!accepts(DType::Float8E4M3Fnuz, 0x80, 0x00));
        assert!(!accepts(DType::Int64, 1 << 53, (1 << 53) + 1));
        assert!(!accepts(DType::Bool, 0, 1));
    }
}
