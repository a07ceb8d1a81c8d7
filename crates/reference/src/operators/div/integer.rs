//! Division of integer elements: truncated, rounded down, and against the real quotient.

use values::dtype::{DType, Kind};

use super::{Division, ZERO_DIVISOR};
use crate::exact::number::{Int, Magnitude};
use crate::exact::truncated::Exact;
use crate::exact::{Conforming, Deviation, Ulps};
use crate::operator::Substitute;

pub(crate) fn div(division: Division, int: Int, a: u64, b: u64) -> Conforming {
    let (a, b) = (int.value(a), int.value(b));
    if b == 0 {
        return Conforming::Unspecified(ZERO_DIVISOR);
    }
    let quotient = match division {
        Division::Div | Division::DivDraft | Division::Divide1Truncate => a / b,
        Division::Divide1Floor => floored(a, b),
    };
    let bits = int.wrap(quotient);
    if int.value(bits) == quotient { Conforming::One(bits) } else { Conforming::RefusalOr(bits) }
}

/// The operands to be given to an implementation in place of those whose quotient no value of an
/// integer type is: the dividend by 1.
pub(super) fn substitute(dtype: DType, [a, b]: [u64; 2]) -> Option<Substitute> {
    let Kind::Int { signed, bits } = dtype.kind() else { return None };
    let minimum = 1 << (bits - 1);
    let wraps = signed && a == minimum && b == u64::MAX >> (u64::BITS - bits);
    // That of the minimum by -1 is the minimum, to which the quotient wraps; anything will do by zero.
    (wraps || b == 0).then_some(Substitute { operands: [a, 1], result: a })
}

/// The greatest integer that is at most `a / b`.
const fn floored(a: i128, b: i128) -> i128 {
    let inexact_below_zero = a % b != 0 && a.is_negative() != b.is_negative();
    a / b - inexact_below_zero as i128
}

pub(crate) fn div_error(int: Int, a: u64, b: u64, actual: u64) -> Deviation {
    let [a, b, actual] = [a, b, actual].map(|bits| int.value(bits));
    if b == 0 {
        return Deviation::NoRealResult;
    }
    let magnitude =
        |value: i128| Magnitude { significand: value.unsigned_abs() as u64, exponent: 0 };
    let exact = Exact::ratio(magnitude(a), magnitude(b), Ulps::FRACTION_BITS);
    let same_sign = actual.is_negative() == (a.is_negative() != b.is_negative());
    let actual = (actual != 0).then(|| magnitude(actual));
    Deviation::Ulps(exact.distance(same_sign, actual, 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operators::div;

    const EIGHT_BITS: [(DType, Int); 2] = [
        (DType::Int8, Int { signed: true, bits: 8 }),
        (DType::Uint8, Int { signed: false, bits: 8 }),
    ];

    fn one(division: Division, dtype: DType, a: u64, b: u64) -> Conforming {
        div::div(division, dtype, a, b).unwrap()
    }

    #[test]
    fn eight_bit_quotients_are_those_of_the_machine_for_every_pair() {
        for (a, b) in (0..=u8::MAX).flat_map(|a| (0..=u8::MAX).map(move |b| (a, b))) {
            let div = |dtype| one(Division::Div, dtype, a.into(), b.into());
            let unsigned = a.checked_div(b).map(|quotient| Conforming::One(quotient.into()));
            let undecided = Conforming::Unspecified(ZERO_DIVISOR);
            assert_eq!(div(DType::Uint8), unsigned.unwrap_or(undecided.clone()));
            let signed = match (a as i8).overflowing_div(if b == 0 { 1 } else { b as i8 }) {
                _ if b == 0 => undecided,
                (wrapped, true) => Conforming::RefusalOr((wrapped as u8).into()),
                (quotient, false) => Conforming::One((quotient as u8).into()),
            };
            assert_eq!(div(DType::Int8), signed);
        }
    }

    #[test]
    fn a_floored_quotient_is_the_greatest_integer_not_above_the_real_one() {
        for (dtype, int) in EIGHT_BITS {
            for (a_bits, b_bits) in (0..=255).flat_map(|a| (1..=255).map(move |b| (a, b))) {
                let (a, b) = (int.value(a_bits), int.value(b_bits));
                let floored = match one(Division::Divide1Floor, dtype, a_bits, b_bits) {
                    Conforming::One(bits) => int.value(bits),
                    Conforming::RefusalOr(bits) => {
                        assert_eq!((a, b, bits), (-128, -1, 0x80));
                        continue;
                    }
                    other => panic!("{a} / {b}: {other:?}"),
                };
                // floored <= a / b < floored + 1, times b^2 > 0.
                assert!(floored * b * b <= a * b && a * b < (floored + 1) * b * b, "{a} / {b}");
            }
        }
    }

    #[test]
    fn minimum_by_minus_one_may_be_refused_or_wrapped_in_every_signed_type() {
        for dtype in [DType::Int8, DType::Int16, DType::Int32, DType::Int64] {
            let bits = dtype.bits().unwrap();
            let (minimum, minus_one) = (1 << (bits - 1), u64::MAX >> (64 - bits));
            for division in [Division::Div, Division::Divide1Floor, Division::Divide1Truncate] {
                let conforming = one(division, dtype, minimum, minus_one);
                assert_eq!(conforming, Conforming::RefusalOr(minimum), "{dtype} {division:?}");
            }
        }
    }

    #[test]
    fn quotients_beyond_2_to_the_53_are_exact() {
        let a = u64::MAX - 1;
        assert_eq!(one(Division::Div, DType::Uint64, a, 1), Conforming::One(a));
        let minimum_plus_one = i64::MIN as u64 + 1;
        let maximum = i64::MAX as u64;
        let negated = one(Division::Div, DType::Int64, minimum_plus_one, u64::MAX);
        assert_eq!(negated, Conforming::One(maximum));
    }

    #[test]
    fn a_truncated_quotient_errs_by_less_than_one() {
        for (dtype, int) in EIGHT_BITS {
            for (a, b) in (0..=255).flat_map(|a| (1..=255).map(move |b| (a, b))) {
                let Conforming::One(quotient) = one(Division::Div, dtype, a, b) else {
                    continue;
                };
                let error = div::div_error(dtype, a, b, quotient).unwrap();
                assert!(error < Deviation::Ulps(Ulps::ONE), "{} / {}", int.value(a), int.value(b));
                let exact = int.value(a) % int.value(b) == 0;
                assert_eq!(error == Deviation::Ulps(Ulps::ZERO), exact);
            }
        }
        // The largest of all: (2^64 - 1) / 2^64 would be 1 - 2^-64; this is 1 - 1 / (2^64 - 1).
        let (a, b) = (u64::MAX - 1, u64::MAX);
        let error = div::div_error(DType::Uint64, a, b, 0).unwrap();
        assert!(error < Deviation::Ulps(Ulps::ONE) && error > Deviation::Ulps(Ulps::HALF));
    }

    #[test]
    fn the_wrapped_minimum_errs_by_the_whole_range() {
        let Some(Deviation::Ulps(ulps)) = div::div_error(DType::Int8, 0x80, 0xff, 0x80) else {
            panic!("the real quotient is 128");
        };
        assert_eq!(ulps.to_string(), "256");
    }
}
