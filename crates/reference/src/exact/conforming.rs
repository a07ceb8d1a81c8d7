//! The set of results that conform for one element.

use values::dtype::DType;
use values::element::Element;
use values::float::{Class, FloatFormat, Specials};

/// Which results conform for one element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conforming {
    /// These bits alone: a number that was computed.
    One(u64),
    /// This very element, which the operator moved: a string, or bits with the payload of a NaN.
    Same(Element),
    /// Any NaN of this format, whatever its sign and payload.
    AnyNan(&'static FloatFormat),
    /// What a sum may give in any order.
    Within {
        /// All of it.
        accumulated: Accumulated,
        /// The element nearest to the exact sum, which is one of these.
        nearest: u64,
    },
    /// A refusal, or the value wrapped to these bits: a signed type's minimum divided by -1, which
    /// no value of the type represents and no document decides.
    RefusalOr(u64),
    /// Any of these, of which there are several and the first is the example: readings that a document leaves
    /// open. Each of them is decided.
    OneOf(Vec<Conforming>),
    /// Whatever comes back, a refusal included: the specification does not decide, for this reason.
    Unspecified(&'static str),
}

/// The elements that conform for a sum of which the order is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accumulated {
    pub(super) format: &'static FloatFormat,
    /// The least and the greatest number that conform, as [`FloatFormat::ordinal`] counts them;
    /// `None` where no number does.
    pub numbers: Option<[i64; 2]>,
    /// Whether -0 conforms where 0 is among the numbers.
    pub negative_zero: bool,
    /// Whether +infinity conforms, and whether -infinity does; never in formats without infinities.
    pub infinities: [bool; 2],
    /// Whether NaN conforms.
    pub nan: bool,
    /// Whether partial sums may overflow to +infinity in some order, and whether they may to -infinity. The
    /// infinities and the NaN that this makes conform are among those above; the numbers are the same as
    /// without, because no overflow turns back into a number.
    pub may_overflow: [bool; 2],
}

impl Conforming {
    /// Whether an element with the bits `actual` conforms, of the type that the output has.
    #[inline]
    pub fn accepts(&self, actual: u64) -> bool {
        match self {
            Self::One(bits) | Self::RefusalOr(bits) => actual == *bits,
            Self::Same(Element::Bits(_, bits)) => u128::from(actual) == *bits,
            Self::Same(Element::String(_)) => false,
            Self::AnyNan(format) => format.class(actual) == Class::Nan,
            Self::Within { accumulated, .. } => accumulated.accepts(actual),
            Self::OneOf(all) => all.iter().any(|one| one.accepts(actual)),
            Self::Unspecified(_) => true,
        }
    }

    /// Whether an element conforms, of the type that the output has.
    pub fn accepts_element(&self, actual: &Element) -> bool {
        match (self, actual) {
            (Self::Unspecified(_), _) => true,
            (Self::Same(moved), _) => actual == moved,
            (Self::OneOf(all), _) => all.iter().any(|one| one.accepts_element(actual)),
            (_, Element::Bits(_, bits)) => {
                u64::try_from(*bits).is_ok_and(|bits| self.accepts(bits))
            }
            (_, Element::String(_)) => false,
        }
    }

    /// A zero of this format, of either sign.
    pub fn either_zero(format: &FloatFormat) -> Self {
        Self::OneOf(vec![Self::One(0), Self::One(format.negated(0))])
    }

    /// A NaN of this format, or what these readings say.
    pub fn nan_or(format: &'static FloatFormat, other: Self) -> Self {
        let nan = Self::AnyNan(format);
        Self::one_of([nan.clone(), other]).unwrap_or(nan)
    }

    /// What conforms where these are the readings of a document: any of them, or anything where one of them leaves
    /// the result open.
    pub fn one_of(readings: impl IntoIterator<Item = Self>) -> Option<Self> {
        let mut all: Vec<Self> = Vec::new();
        for reading in readings {
            match reading {
                Self::RefusalOr(_) | Self::Unspecified(_) => return Some(reading),
                Self::OneOf(several) => all.extend(several),
                one => all.push(one),
            }
        }
        let mut seen = Vec::new();
        all.retain(|one| {
            !seen.contains(one) && {
                seen.push(one.clone());
                true
            }
        });
        match all.len() {
            0 | 1 => all.pop(),
            _ => Some(Self::OneOf(all)),
        }
    }

    /// The bits of the number that was computed; of several readings those of the first that has one.
    pub fn number(&self) -> Option<u64> {
        match self {
            Self::One(bits) => Some(*bits),
            Self::OneOf(all) => all.iter().find_map(Self::number),
            _ => None,
        }
    }

    /// Whether the specification decides the element: one that is not decided is not judged.
    pub const fn is_decided(&self) -> bool {
        !matches!(self, Self::RefusalOr(_) | Self::Unspecified(_))
    }

    /// An element that conforms, as a case states it: of NaNs the positive, quiet one without
    /// payload, of a sum the nearest, of several readings the first; `None` where
    /// nothing is specified.
    pub fn example(&self) -> Option<u128> {
        Some(match self {
            Self::One(bits) | Self::RefusalOr(bits) | Self::Within { nearest: bits, .. } => {
                u128::from(*bits)
            }
            Self::Same(Element::Bits(_, bits)) => *bits,
            Self::AnyNan(format) => u128::from(quiet_nan(format)),
            Self::OneOf(all) => return all.first()?.example(),
            Self::Same(Element::String(_)) | Self::Unspecified(_) => return None,
        })
    }

    /// The same as an element of its type: 0, or the empty string, where nothing is specified.
    pub fn example_element(&self, dtype: DType) -> Element {
        match self {
            Self::Same(moved) => moved.clone(),
            Self::OneOf(all) if !all.is_empty() => all[0].example_element(dtype),
            _ if dtype == DType::String => Element::String(Default::default()),
            other => Element::Bits(dtype, other.example().unwrap_or_default()),
        }
    }
}

impl Accumulated {
    /// The bits of the least and the greatest number that conform.
    pub fn bits(&self) -> Option<[u64; 2]> {
        let bits = |ordinal: i64| {
            let magnitude = ordinal.unsigned_abs();
            if ordinal < 0 { self.format.negated(magnitude) } else { magnitude }
        };
        self.numbers.map(|numbers| numbers.map(bits))
    }

    /// Whether an element with the bits `actual` conforms.
    pub fn accepts(&self, actual: u64) -> bool {
        let negative = self.format.is_negative(actual);
        match self.format.class(actual) {
            Class::Nan => self.nan,
            Class::Infinite => self.infinities[usize::from(negative)],
            Class::Zero if negative && !self.negative_zero => false,
            Class::Zero | Class::Subnormal | Class::Normal => {
                let ordinal = self.format.ordinal(actual);
                self.numbers
                    .zip(ordinal)
                    .is_some_and(|([lower, upper], ordinal)| (lower..=upper).contains(&ordinal))
            }
        }
    }
}

/// The NaN that stands for all of them: positive, quiet, without payload, as far as the format has such a one.
pub const fn quiet_nan(format: &FloatFormat) -> u64 {
    match format.specials {
        Specials::FiniteNanUnsignedZero => 1 << (format.width() - 1),
        Specials::ExponentOnly => (1 << format.width()) - 1,
        // A format without NaN has its largest number here.
        Specials::FiniteNan | Specials::Finite => (1 << (format.width() - 1)) - 1,
        Specials::Ieee => ((1 << (format.exponent_bits + 1)) - 1) << (format.significand_bits - 1),
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
        assert!(nan.is_decided());
    }

    #[test]
    fn the_nan_that_stands_for_all_is_one_in_every_format_that_has_any() {
        for dtype in values::dtype::DType::ALL {
            if let values::dtype::Kind::Float(format) = dtype.kind()
                && format.specials != Specials::Finite
            {
                assert_eq!(format.class(quiet_nan(format)), Class::Nan, "{dtype}");
            }
        }
    }

    #[test]
    fn either_zero_is_taken_where_the_sign_is_open_and_nothing_else_is() {
        let zero = Conforming::either_zero(&FloatFormat::FLOAT16);
        assert!([0x0000, 0x8000].into_iter().all(|bits| zero.accepts(bits)));
        assert!([0x0001, 0x8001, 0x7e00].into_iter().all(|bits| !zero.accepts(bits)));
        assert!(zero.is_decided() && zero.example() == Some(0));
    }

    #[test]
    fn a_refusal_conforms_only_where_the_value_cannot_be_represented_or_is_not_decided() {
        assert!(Conforming::One(1).is_decided());
        assert!(!Conforming::RefusalOr(0x80).is_decided());
        assert!(Conforming::RefusalOr(0x80).accepts(0x80));
        assert!(!Conforming::RefusalOr(0x80).accepts(0x7f));
        let undecided = Conforming::Unspecified("division by zero");
        assert!(!undecided.is_decided() && undecided.accepts(42));
        // A complex number has more bits than others.
        let complex = Element::Bits(values::dtype::DType::Complex128, 1 << 127);
        assert!(undecided.accepts_element(&complex));
    }

    #[test]
    fn of_several_readings_each_conforms_and_the_first_is_the_example() {
        let (zero, nan) = (Conforming::One(0x8000), Conforming::AnyNan(&FloatFormat::FLOAT16));
        let either = Conforming::one_of([zero.clone(), nan, zero.clone()]).unwrap();
        assert!([0x8000, 0x7e01].into_iter().all(|bits| either.accepts(bits)));
        assert!(!either.accepts(0) && either.is_decided());
        assert_eq!((either.example(), either.number()), (Some(0x8000), Some(0x8000)));
        let texts = ["a", "b"].map(|text| Conforming::Same(Element::String(text.into())));
        let example = Conforming::OneOf(texts.into()).example_element(DType::String);
        assert_eq!(example, Element::String("a".into()));
        let element = Element::Bits(values::dtype::DType::Float16, 0x7c01);
        assert!(either.accepts_element(&element));
        assert_eq!(Conforming::one_of([zero.clone(), zero.clone()]), Some(zero.clone()));
        let open = Conforming::Unspecified("open");
        assert_eq!(Conforming::one_of([zero, open.clone()]), Some(open));
    }

    #[test]
    fn what_was_moved_has_to_come_back_bit_by_bit() {
        let nan = Conforming::Same(Element::Bits(values::dtype::DType::Float16, 0x7e01));
        assert!(nan.accepts(0x7e01) && !nan.accepts(0x7e00));
        let text = Conforming::Same(Element::String("a".into()));
        assert!(text.accepts_element(&Element::String("a".into())));
        assert!(!text.accepts_element(&Element::String("b".into())));
    }
}
