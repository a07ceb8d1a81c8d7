//! Judging one element after the other by a profile's rule.

use reference::exact::Conforming;
use values::dtype::{DType, Kind};
use values::element::Element;

use super::ReferenceOutput;
use super::element_call::Known;
use super::limits::{self, ElementVerdict};
use crate::profile::{Closeness, Profile, Rule, Tolerance, UlpRule, Unrepresentable};
use values::float::{Class, FloatFormat};

/// How the elements of one output are judged.
pub(super) enum Judge<'a> {
    /// By equality with the expected element.
    Equal,
    /// Likewise, but any NaN of the format is taken for a NaN, in each part of a complex number.
    SameNumber(&'static FloatFormat),
    /// By what NumPy finds close to the expected element.
    Close(Closeness),
    /// By what the reference allows, whatever the expected element is.
    Exact(Unrepresentable),
    /// By a limit on the error against the exact result.
    Limit(&'a UlpRule),
    /// Not at all.
    Nothing,
}

impl<'a> Judge<'a> {
    /// The judge of an output of this type.
    pub(super) fn new(
        profile: &'a Profile,
        tolerance: Tolerance,
        dtype: DType,
        reference: Option<&ReferenceOutput<'_>>,
    ) -> Self {
        let decision = profile.decision(reference.map(|known| known.operator), dtype);
        match &decision.rule {
            Rule::ExpectedBits => match dtype.kind() {
                Kind::Float(format) | Kind::Complex(format) => Self::SameNumber(format),
                Kind::Int { .. } | Kind::Bool | Kind::String => Self::Equal,
            },
            rule @ (Rule::Close | Rule::CloseWidened) => {
                let closeness = Closeness::new(dtype, tolerance, *rule == Rule::CloseWidened);
                closeness.map_or(Self::Equal, Self::Close)
            }
            Rule::Exact { unrepresentable } => Self::Exact(*unrepresentable),
            Rule::Accumulated => Self::Exact(Unrepresentable::Wrapped),
            Rule::Ulp(rule) => Self::Limit(rule),
            Rule::NotApplicable { .. } => Self::Nothing,
        }
    }

    /// Whether elements with the expected bits conform whatever their operands.
    pub(super) const fn trusts_expected(&self) -> bool {
        matches!(self, Self::Equal | Self::SameNumber(_) | Self::Close(_))
    }

    /// Judges an element by the expected one, or by what is known of it.
    pub(super) fn judge(
        &self,
        known: Option<&Known<'_>>,
        expected: &Element,
        actual: &Element,
    ) -> ElementVerdict {
        match (self, known, expected, actual) {
            (Self::Nothing, ..)
            | (Self::Exact(_) | Self::Limit(_), None, ..)
            | (_, Some(Known { is_open: true, .. }), ..) => ElementVerdict::Undecided,
            (Self::Exact(unrepresentable), Some(known), ..) => match &known.conforming {
                Conforming::Unspecified(_) => ElementVerdict::Undecided,
                Conforming::RefusalOr(_) if *unrepresentable == Unrepresentable::Undecided => {
                    ElementVerdict::Undecided
                }
                conforming => ElementVerdict::of(conforming.accepts_element(actual)),
            },
            (Self::Limit(rule), Some(known), _, Element::Bits(dtype, actual)) => {
                match (dtype.kind(), &known.call) {
                    (Kind::Float(format), Some(call)) => {
                        limits::judge(rule, format, call, *actual as u64)
                    }
                    // A profile's file cannot set a limit for other types.
                    _ => ElementVerdict::Undecided,
                }
            }
            // The expected element is that of the first of several readings.
            (Self::SameNumber(_) | Self::Equal, Some(known), ..)
                if matches!(known.conforming, Conforming::OneOf(_)) =>
            {
                ElementVerdict::of(known.conforming.accepts_element(actual))
            }
            (Self::SameNumber(format), _, Element::Bits(_, a), Element::Bits(_, b)) => {
                let is_nan = |bits| format.class(bits) == Class::Nan;
                let same = |(a, b)| a == b || (is_nan(a) && is_nan(b));
                ElementVerdict::of(format.parts(*a).into_iter().zip(format.parts(*b)).all(same))
            }
            (Self::Close(closeness), _, Element::Bits(_, a), Element::Bits(_, b)) => {
                ElementVerdict::of(a == b || closeness.accepts(*a, *b))
            }
            _ => ElementVerdict::of(expected == actual),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(profile: &str, dtype: DType) -> Judge<'static> {
        // A profile that lives as long as the test.
        let profile = Box::leak(Box::new((*Profile::named(profile).unwrap()).clone()));
        Judge::new(profile, Tolerance::default(), dtype, None)
    }

    #[test]
    fn strings_alone_have_no_bits_to_judge() {
        for dtype in DType::ALL {
            let is_string = dtype == DType::String;
            assert_eq!(!matches!(judge("onnx", dtype), Judge::Close(_)), is_string, "{dtype}");
            let is_number = matches!(dtype.kind(), Kind::Float(_) | Kind::Complex(_));
            let same_number = matches!(judge("ieee754", dtype), Judge::SameNumber(_));
            assert_eq!(same_number, is_number, "{dtype}");
        }
    }

    #[test]
    fn any_nan_is_taken_for_a_nan_in_each_part_but_no_other_bits_are() {
        let accepts = |dtype, expected, actual| {
            let [expected, actual] = [expected, actual].map(|bits| Element::Bits(dtype, bits));
            judge("ieee754", dtype).judge(None, &expected, &actual) == ElementVerdict::Conforms
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
