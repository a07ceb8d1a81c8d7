//! Mod: the remainder of a division, of which nothing is rounded.
//!
//! With `fmod` 0 it is that of integers whose sign is the divisor's; with 1 that of C's `fmod`, `x - n y` with `n` as
//! `x / y` truncated, whose sign is the dividend's, of a zero as well. Floats need 1 before version 28. Version 13 takes no
//! integers then, though ONNX's own case `test_mod_int64_fmod` has them: a refusal conforms, or the remainder; version 28
//! takes them.
//!
//! Of floats with `fmod` 0, which version 28 has, the result is `x - floor(x / y) y` rounded once: the remainder of `fmod`, to
//! which the divisor is added where the signs differ. A zero has the sign of the divisor.
//!
//! What stays open: a divisor of 0 among integers, in version 10 of every type and, by its letter, a dividend of 0 as
//! well; and in version 13 the sign of the result where the dividend is -0. Version 13 says that NaN "should"
//! come of a divisor of 0, which C's Annex F asks for. Version 28 returns a finite dividend by an infinity, and lets a dividend
//! of -0 by a positive divisor give either zero. Sources: ONNX's schemas of Mod-10, 13 and 28; ISO C,
//! 7.12.10.1 and F.10.7.1.

mod boundaries;

use values::dtype::DType;
use values::element::Element;
use values::float::FloatFormat;

use crate::broadcast::Broadcast;
use crate::case_table::{self, Own};
use crate::elementwise::{Elementwise, FOREIGN, bits_of};
use crate::exact::number::{Int, Magnitude, Value, zero};
use crate::exact::truncated::Exact;
use crate::exact::{Conforming, Deviation, Number, distance};
use crate::inputs::patterns::{
    at_boundaries, corner_pairs, pairs, specials, with_every_pair_of_exponents,
};
use crate::operator::{
    Attribute, AttributeType, AttributeValue, Attributes, Call, Document, Invalid, Operator,
    OperatorKind, Otherwise, Ports, Substitute, Version,
};
use crate::pointwise::{ByVersion, Pointwise};
use crate::real::Real;
use crate::signature::{NUMERIC, NUMERIC_SONNX};

/// Mod in ONNX's default domain.
pub static MOD: Operator = Operator {
    documents: &[Document { key: "onnx-mod", catalogue: include_str!("mod_/onnx-mod.toml") }],
    hard_inputs: Some(|dtype| {
        let thresholds = ("thresholds", at_boundaries(&boundaries::Remainders, dtype));
        Some(match Number::of(dtype)? {
            Number::Float(format) => vec![
                ("special values", pairs(specials(format))),
                ("exponents", with_every_pair_of_exponents(*format)),
                thresholds,
            ],
            Number::Int(int) => vec![("boundaries", corner_pairs(int)), thresholds],
        })
    }),
    cases: Some(|of| case_table::cases(of, &MOD, &[include_str!("mod_/cases.toml")], Own::NONE)),
    coverage: include_str!("mod_/coverage.txt"),
    // Processors trap on a divisor of 0: by 1 any remainder is 0.
    substitute: Some(|dtype, [dividend, divisor]| match Number::of(dtype)? {
        Number::Int(_) if divisor == 0 => Some(Substitute { operands: [dividend, 1], result: 0 }),
        Number::Int(_) | Number::Float(_) => None,
    }),
    ..Operator::onnx("Mod", OperatorKind::Exact, &VERSIONS, &REFERENCE)
};

const FMOD: Attribute = Attribute::new("fmod", AttributeType::Int).otherwise(Otherwise::Int(0));

const VERSIONS: [Version; 3] = [
    const { Ports::new(["A", "B"], "C", NUMERIC_SONNX) }.since(10, &[FMOD]),
    const { Ports::new(["A", "B"], "C", &NUMERIC) }.since(13, &[FMOD]),
    const { Ports::new(["A", "B"], "C", &NUMERIC) }.since(28, &[FMOD]),
];

const BY_ZERO: &str = "the document does not say what the remainder by 0 is";
const OF_ZERO: &str = "the document leaves the remainder of a dividend of 0 to the platform";

/// The remainder.
#[derive(Clone, Copy, Debug)]
pub struct Remainder {
    /// Whether it is C's `fmod`, as that of floats always is before version 28.
    fmod: bool,
    since: i64,
}

impl Remainder {
    fn of_integers(self, int: Int, [a, b]: [u64; 2]) -> Conforming {
        let [a, b] = [a, b].map(|bits| int.value(bits));
        match (self.since, a, b) {
            (_, _, 0) => return Conforming::Unspecified(BY_ZERO),
            (..13, 0, _) => return Conforming::Unspecified(OF_ZERO),
            _ => {}
        }
        let truncated = a % b;
        let is_other_sign = truncated != 0 && (truncated < 0) != (b < 0);
        let floored = if is_other_sign { truncated + b } else { truncated };
        match (self.fmod, self.since) {
            (false, _) => Conforming::One(int.wrap(floored)),
            (true, 13..28) => Conforming::RefusalOr(int.wrap(truncated)),
            (true, _) => Conforming::One(int.wrap(truncated)),
        }
    }

    fn of_floats(self, format: &'static FloatFormat, [x, y]: [u64; 2]) -> Conforming {
        let (negative, by_negative) = (format.is_negative(x), format.is_negative(y));
        let is_floored = !self.fmod && self.since >= 28;
        match (Value::of(format, x), Value::of(format, y)) {
            (Value::Nan, _) | (_, Value::Nan) => Conforming::AnyNan(format),
            (_, Value::Zero) if self.since < 13 => Conforming::Unspecified(BY_ZERO),
            (Value::Zero, _) if self.since < 13 => Conforming::Unspecified(OF_ZERO),
            (Value::Infinite, _) | (_, Value::Zero) => Conforming::AnyNan(format),
            (Value::Zero, _) if is_floored => zero(format, by_negative),
            (Value::Finite(_), Value::Infinite) if is_floored => {
                Conforming::One(if negative == by_negative { x } else { y })
            }
            (Value::Zero, _) if negative && !(self.since >= 28 && by_negative) => {
                let zeros = [true, false].map(|negative| zero(format, negative));
                Conforming::one_of(zeros).unwrap_or(FOREIGN)
            }
            (Value::Zero, _) | (_, Value::Infinite) => Conforming::One(x),
            (Value::Finite(x), Value::Finite(y)) => match remainder(x, y) {
                Magnitude { significand: 0, .. } if is_floored => zero(format, by_negative),
                Magnitude { significand: 0, .. } => zero(format, negative),
                // The divisor is greater, so the sum is not 0.
                remainder if is_floored && negative != by_negative => {
                    let sum = Exact::sum((negative, remainder), (by_negative, y));
                    sum.map_or(FOREIGN, |(negative, sum)| sum.nearest(format, negative))
                }
                remainder => Exact::of(remainder).nearest(format, negative),
            },
        }
    }

    /// The number that is the result.
    fn number(self, dtype: DType, operands: &[Element]) -> Option<u64> {
        match self.conforming(dtype, operands) {
            Conforming::RefusalOr(bits) => Some(bits),
            other => other.number(),
        }
    }
}

/// The remainder of two magnitudes: `x - n y`, which is at least 0 and less than `y`.
fn remainder(x: Magnitude, y: Magnitude) -> Magnitude {
    let by = x.exponent - y.exponent;
    let divisor = u128::from(y.significand);
    match u32::try_from(by) {
        // In units of the divisor's last place, modulo the divisor: the power of two by squaring.
        Ok(by) => {
            let (mut power, mut square, mut rest) = (1 % divisor, 2 % divisor, by);
            while rest > 0 {
                if rest & 1 == 1 {
                    power = power * square % divisor;
                }
                square = square * square % divisor;
                rest >>= 1;
            }
            let significand = u128::from(x.significand) % divisor * power % divisor;
            Magnitude { significand: significand as u64, exponent: y.exponent }
        }
        // In units of the dividend's; a divisor of more bits than those is greater.
        Err(_) if by < -64 => x,
        Err(_) => {
            let divisor = divisor << by.unsigned_abs();
            let significand = u128::from(x.significand) % divisor;
            Magnitude { significand: significand as u64, exponent: x.exponent }
        }
    }
}

impl Elementwise for Remainder {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        match (Number::of(dtype), bits_of(dtype, operands)) {
            (Some(Number::Float(format)), Some(operands)) => self.of_floats(format, operands),
            (Some(Number::Int(int)), Some(operands)) => self.of_integers(int, operands),
            _ => FOREIGN,
        }
    }

    fn real(&self, dtype: DType, operands: &[Element], _: u32) -> Option<Real> {
        Real::of_element(dtype, self.number(dtype, operands)?)
    }

    fn deviation(&self, dtype: DType, operands: &[Element], actual: u64) -> Deviation {
        let number = self.number(dtype, operands);
        number.map_or(Deviation::NoRealResult, |exact| distance(dtype, exact, actual))
    }
}

/// What is allowed of the results of a version.
const REFERENCE: ByVersion<Remainder> = ByVersion(|since| match since {
    ..13 => &EARLY,
    13..28 => &MIDDLE,
    _ => &NEWEST,
});

/// That of version 10.
const EARLY: Pointwise<Remainder> = Pointwise {
    function: |_, attributes| Remainder { fmod: is_fmod(attributes), since: 10 },
    broadcast,
    boundaries: None,
};

/// That of version 13.
const MIDDLE: Pointwise<Remainder> = Pointwise {
    function: |_, attributes| Remainder { fmod: is_fmod(attributes), since: 13 },
    broadcast,
    boundaries: Some(&boundaries::Remainders),
};

/// That of version 28.
const NEWEST: Pointwise<Remainder> = Pointwise {
    function: |_, attributes| Remainder { fmod: is_fmod(attributes), since: 28 },
    broadcast,
    boundaries: Some(&boundaries::Remainders),
};

fn is_fmod(attributes: &Attributes) -> bool {
    attributes.get("fmod") == Some(&AttributeValue::Int(1))
}

fn broadcast(call: &Call) -> Result<Broadcast, Invalid> {
    match (call.int("fmod").unwrap_or(0), Number::of(call.input(0)?.dtype())) {
        (0, Some(Number::Float(_))) if call.version.since < 28 => {
            Err(call.invalid("takes floats only where `fmod` is 1"))
        }
        (0 | 1, _) => Broadcast::multidirectional(&call.shapes()),
        _ => Err(call.invalid("takes 0 or 1 for `fmod`")),
    }
}

#[cfg(test)]
mod tests;
