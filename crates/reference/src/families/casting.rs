//! The conversion of elements to another type, which Cast and CastLike have in common.
//!
//! Numbers are rational and rounded once; strings are in `casting/text.rs`, and those of sweeps in `casting/written.rs`. Sources: ONNX's schemas of Cast-1, 6,
//! 9, 13, 19, 21, 23, 24, 25 and 28, of which those before 13 state no rule for what the type does not hold; ONNX's
//! `float8.md`, `float4.md` and `int4.md`.

mod text;
mod written;

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};
use values::dtype::{DType, Kind};
use values::element::Element;
use values::float::{Class, FloatFormat, Specials};
use values::tensor::Tensor;

use crate::elements::ElementError;
use crate::elementwise::{Elementwise, FOREIGN};
use crate::exact::extended::{Extended, half_even};
use crate::exact::number::{Int, infinity, largest, signed, zero};
use crate::exact::real::{Enclosure, Rational, power_of_two};
use crate::exact::{Conforming, Deviation, Number, distance, enclosed};
use crate::inputs::Parts;
use crate::inputs::patterns::{listed, single_numbers};
use crate::operator::{
    Allowed, Attribute, AttributeType, AttributeValue, Attributes, Call, Invalid, Otherwise,
    Reference, Specification, TensorType,
};
use crate::real::Real;
use DType::{
    Bfloat16, Bool, Float4E2M1, Float6E2M3, Float6E3M2, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2,
    Float8E5M2Fnuz, Float8E8M0, Float16, Float32, Float64, Int2, Int4, Int8, Int16, Int32, Int64,
    String as Text, Uint2, Uint4, Uint8, Uint16, Uint32, Uint64,
};
pub(crate) use written::INPUTS as STRINGS;

/// The types that elements are converted from and to, in the order in which versions brought them.
const CONVERTED: [DType; 26] = [
    Uint8,
    Uint16,
    Uint32,
    Uint64,
    Int8,
    Int16,
    Int32,
    Int64,
    Float16,
    Float32,
    Float64,
    Bool,
    Text,
    Bfloat16,
    Float8E4M3Fn,
    Float8E4M3Fnuz,
    Float8E5M2,
    Float8E5M2Fnuz,
    Uint4,
    Int4,
    Float4E2M1,
    Float8E8M0,
    Uint2,
    Int2,
    Float6E2M3,
    Float6E3M2,
];

/// The first so many of the types.
pub(crate) const fn converted(count: usize) -> &'static [DType] {
    CONVERTED.split_at(count).0
}

/// Whether numbers out of the range of an 8-bit float become its largest one.
pub(crate) const SATURATE: Attribute =
    Attribute::new("saturate", AttributeType::Int).otherwise(Otherwise::Int(1));
/// How numbers are rounded to powers of two, of which alone float8e8m0 consists.
pub(crate) const ROUND_MODE: Attribute =
    Attribute::new("round_mode", AttributeType::Text(&["up", "down", "nearest"]))
        .otherwise(Otherwise::Text("up"));

/// An operator of this kind, by what says which type its first input is converted to.
pub(crate) enum Casting {
    /// An attribute does.
    Attribute(fn(&Call) -> Result<DType, Invalid>),
    /// The second input does, by its own type.
    Like,
}

impl Casting {
    fn target(&self, call: &Call) -> Result<DType, Invalid> {
        match self {
            Self::Attribute(target) => target(call),
            Self::Like => Ok(call.input(1)?.dtype()),
        }
    }
}

impl Reference for Casting {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        Ok(vec![TensorType::new(self.target(call)?, call.input(0)?.shape().to_vec())?])
    }

    fn allowed<'a>(&self, call: &'a Call, outputs: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        match (call.input(0), outputs) {
            (Ok(input), [output]) => {
                let conversion = Conversion::of(call, output.dtype);
                let conversion = if let Self::Like = self { conversion.like() } else { conversion };
                vec![Box::new(Converted { conversion, input })]
            }
            _ => Vec::new(),
        }
    }

    /// That of Cast's newest version.
    fn elementwise(
        &self,
        _: Specification,
        attributes: &Attributes,
    ) -> Option<Box<dyn Elementwise>> {
        let (Self::Attribute(_), Some(AttributeValue::Int(to))) = (self, attributes.get("to"))
        else {
            return None;
        };
        let to = DType::from_onnx(i32::try_from(*to).ok()?)?;
        Some(Box::new(Conversion::new(to, NEWEST, attributes)))
    }

    /// That of CastLike's newest version.
    fn like(&self, like: DType, attributes: &Attributes) -> Option<Box<dyn Elementwise>> {
        matches!(self, Self::Like)
            .then(|| Box::new(Conversion::new(like, NEWEST, attributes).like()) as Box<_>)
    }
}

/// Elements that are hardest to convert, whatever to: all of up to 8 bits; of floats special values, and every exponent with
/// significands that are at a tie, or beside one, where any number of their bits is kept; of integers those that are.
pub(crate) fn hard_inputs(dtype: DType) -> Option<Parts> {
    let bits = if dtype == Bool { 1 } else { dtype.bits()? };
    if bits <= 8 {
        return Some(vec![("all", listed((0..1 << bits).collect()))]);
    }
    Some(match Number::of(dtype)? {
        Number::Float(format) => single_numbers(format),
        Number::Int(int) => vec![("ties", listed(around_two_powers(int)))],
    })
}

/// Sums and differences of two powers of two, and their neighbours, of both signs.
fn around_two_powers(int: Int) -> Vec<u64> {
    let powers = || (0..=int.bits).map(|bit| 1_i128 << bit).chain([0]);
    let around = powers().flat_map(|a| powers().flat_map(move |b| [a + b, a - b]));
    let around = around.flat_map(|sum| [sum - 1, sum, sum + 1]);
    let both: BTreeSet<i128> = around.flat_map(|value| [value, -value]).collect();
    let held = both.into_iter().filter(|&value| int.element(value).is_some());
    held.map(|value| int.wrap(value)).collect()
}

/// The newest version of Cast; that of CastLike converts the types that it has in the same way.
const NEWEST: i64 = 28;

/// What is allowed of a tensor that is converted.
struct Converted<'a> {
    conversion: Conversion,
    input: &'a Tensor,
}

impl Allowed for Converted<'_> {
    fn at(&self, index: usize) -> Conforming {
        let outside = Conforming::Unspecified("there is no such element");
        Element::of(self.input, index).map_or(outside, |it| self.conversion.allows(&it))
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        self.conversion.number(&Element::of(self.input, index)?)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        let Some(element) = Element::of(self.input, index) else { return Deviation::NoRealResult };
        self.conversion.distance(&element, actual)
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        Element::of(self.input, index).into_iter().collect()
    }
}

/// The number that an element is, truth values and texts included; `None` for texts that are none, and numbers
/// of other kinds.
fn number_of(element: &Element) -> Option<Extended> {
    match element {
        Element::String(text) => text::number(text),
        Element::Bits(DType::Bool, bits) => Some(Extended::integer((*bits).try_into().ok()?)),
        Element::Bits(dtype, bits) => Extended::of(*dtype, u64::try_from(*bits).ok()?),
    }
}

/// How a number is rounded to a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RoundMode {
    Up,
    Down,
    Nearest,
}

/// The conversion that a version and its attributes ask for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conversion {
    to: DType,
    since: i64,
    /// `None` where the attribute is neither 0 nor 1.
    saturate: Option<bool>,
    /// By the attribute, and by the function, of which that of CastLike leaves it out.
    round_modes: [RoundMode; 2],
}

const NO_RULE: Conforming =
    Conforming::Unspecified("this version says nothing of what the type does not hold");
const OUT_OF_RANGE: Conforming =
    Conforming::Unspecified("the type has no such integer, and what becomes of it is undefined");
const NO_SIX_BITS: Conforming = Conforming::Unspecified(
    "what is out of range is to be an infinity, which the type does not have, and no document says what becomes of it or of a NaN",
);
const SPECIAL_SCALE: Conforming = Conforming::Unspecified(
    "what becomes of this value is described for `up` with saturation and `nearest` without alone",
);

impl Conversion {
    fn of(call: &Call, to: DType) -> Self {
        Self::new(to, call.version.since, &call.attributes)
    }

    /// That of CastLike, whose function is Cast with `saturate` alone.
    fn like(self) -> Self {
        Self { round_modes: [self.round_modes[0], RoundMode::Up], ..self }
    }

    fn new(to: DType, since: i64, attributes: &Attributes) -> Self {
        let saturate = match attributes.get("saturate") {
            None | Some(AttributeValue::Int(1)) => Some(true),
            Some(AttributeValue::Int(0)) => Some(false),
            Some(_) => None,
        };
        let round_mode = match attributes.get("round_mode") {
            Some(AttributeValue::Text(mode)) if mode == "down" => RoundMode::Down,
            Some(AttributeValue::Text(mode)) if mode == "nearest" => RoundMode::Nearest,
            _ => RoundMode::Up,
        };
        Self { to, since, saturate, round_modes: [round_mode; 2] }
    }

    /// Which results conform for an element.
    fn allows(&self, element: &Element) -> Conforming {
        let from = element.dtype();
        if let Element::String(text) = element {
            return self.of_text(element, text);
        }
        let foreign = Conforming::Unspecified("the operand is none of the operator");
        let Some(number) = number_of(element) else { return foreign };
        match self.to.kind() {
            Kind::Float(format) => match (format.specials, self.to) {
                (Specials::ExponentOnly, _) => {
                    let readings = self.round_modes.map(|mode| self.to_scale(&number, mode));
                    Conforming::one_of(readings).unwrap_or(SPECIAL_SCALE)
                }
                (Specials::Finite, Float4E2M1) => number.saturated(format),
                (Specials::Finite, _) => Self::to_six_bits(format, &number, from),
                (_, Float8E4M3Fn | Float8E4M3Fnuz | Float8E5M2 | Float8E5M2Fnuz) => {
                    self.to_eight_bits(format, &number)
                }
                _ => self.to_wide(format, &number, from),
            },
            Kind::Int { signed, bits } => self.to_int(Int { signed, bits }, &number, from),
            Kind::Bool => self.to_bool(&number),
            Kind::String => match (from.kind(), number) {
                (Kind::Int { .. }, Extended::Finite(number, _)) => {
                    Conforming::Same(Element::String(number.to_integer().to_string().into()))
                }
                _ => Conforming::Unspecified("how such an element is written is left open"),
            },
            Kind::Complex(_) => foreign,
        }
    }

    /// A float of 16 bits and more. No text says whether what has more bits than float32 is rounded to that first.
    fn to_wide(self, format: &'static FloatFormat, number: &Extended, from: DType) -> Conforming {
        match number {
            Extended::Nan => Conforming::AnyNan(format),
            Extended::Infinite(negative) => infinity(format, *negative),
            // `float8.md` does not hold conversions from 8 bits to the sign of a zero.
            Extended::Finite(number, true) if number.is_zero() && is_of_eight_bits(from) => {
                Conforming::either_zero(format)
            }
            Extended::Finite(number, negative) => match nearest(format, number, *negative) {
                None if self.since < 13 => NO_RULE,
                once => {
                    let once = once.map_or_else(|| infinity(format, *negative), Conforming::One);
                    let twice = (format.width() == 16 && is_wide(from)).then(|| {
                        let number = Extended::Finite(number.clone(), *negative);
                        number.within(&FloatFormat::FLOAT32).rounded(format)
                    });
                    Conforming::one_of([once].into_iter().chain(twice)).unwrap_or(NO_RULE)
                }
            },
        }
    }

    /// One of the four 8-bit floats with significands, by the two tables.
    fn to_eight_bits(self, format: &'static FloatFormat, number: &Extended) -> Conforming {
        let Some(saturate) = self.saturate else {
            return Conforming::Unspecified("`saturate` is neither 0 nor 1");
        };
        let end = |negative| match saturate {
            true => Conforming::One(signed(format, negative, largest(format))),
            false => infinity(format, negative),
        };
        match number {
            Extended::Nan => Conforming::AnyNan(format),
            Extended::Infinite(_)
                if self.since < 24 && format.specials == Specials::FiniteNanUnsignedZero =>
            {
                Conforming::AnyNan(format)
            }
            Extended::Infinite(negative) => end(*negative),
            Extended::Finite(number, negative) => {
                nearest(format, number, *negative).map_or_else(|| end(*negative), Conforming::One)
            }
        }
    }

    /// A float of 6 bits. The schema has one sentence on the range, "+/- infinity if OOR (out of range)", and the type no
    /// infinity; that such types saturate is stated of QuantizeLinear alone. Numbers of more bits than float32 has may be
    /// rounded to that first, as in [`Self::to_wide`].
    fn to_six_bits(format: &'static FloatFormat, number: &Extended, from: DType) -> Conforming {
        let rounded = |number: &Extended| match number {
            Extended::Finite(number, negative) => {
                nearest(format, number, *negative).map_or(NO_SIX_BITS, Conforming::One)
            }
            Extended::Infinite(_) | Extended::Nan => NO_SIX_BITS,
        };
        let twice = is_wide(from).then(|| rounded(&number.within(&FloatFormat::FLOAT32)));
        Conforming::one_of([rounded(number)].into_iter().chain(twice)).unwrap_or(NO_SIX_BITS)
    }

    /// A power of two, as float8e8m0 has them from 2^-127 to 2^127.
    fn to_scale(self, number: &Extended, round_mode: RoundMode) -> Conforming {
        const LEAST: u64 = 0;
        const GREATEST: u64 = 0xfe;
        const NAN: u64 = 0xff;
        // Which bits saturation gives, where the table has the case.
        let special = |saturated| match (self.saturate, round_mode) {
            (Some(true), RoundMode::Up) => Conforming::One(saturated),
            (Some(false), RoundMode::Nearest) => Conforming::One(NAN),
            _ => SPECIAL_SCALE,
        };
        let number = match number {
            Extended::Nan => return Conforming::One(NAN),
            Extended::Infinite(true) | Extended::Finite(_, true) => {
                return Conforming::Unspecified("no power of two is negative");
            }
            Extended::Infinite(false) => return special(GREATEST),
            Extended::Finite(number, false) => number,
        };
        if *number > power_of_two(127) {
            return special(GREATEST);
        }
        if *number < power_of_two(-127) {
            return special(LEAST);
        }
        // The greatest power that is not above the number: of integers with m and n bits, the quotient is
        // above 2^(m - n - 1) and below 2^(m - n + 1).
        let excess = number.numer().bits() as i32 - number.denom().bits() as i32;
        let exponent = if power_of_two(excess) > *number { excess - 1 } else { excess };
        let below = power_of_two(exponent);
        let middle = &below * Rational::new(BigInt::from(3), BigInt::from(2));
        let up = match round_mode {
            RoundMode::Up => *number != below,
            RoundMode::Down => false,
            RoundMode::Nearest => *number >= middle,
        };
        Conforming::One((exponent + 127 + i32::from(up)) as u64)
    }

    fn to_int(self, int: Int, number: &Extended, from: DType) -> Conforming {
        let Extended::Finite(number, _) = number else { return OUT_OF_RANGE };
        let held = |number: BigInt| {
            let element = number.to_i128().and_then(|number| int.element(number));
            element.map_or(OUT_OF_RANGE, Conforming::One)
        };
        match from.kind() {
            Kind::Float(_) if int.bits < 8 => {
                // `int4.md` asks for the nearest integer, of other types fractions are cut off.
                let both = [number.to_integer(), half_even(number)].map(held);
                Conforming::one_of(both).unwrap_or(OUT_OF_RANGE)
            }
            Kind::Float(_) => held(number.to_integer()),
            _ => match number.to_integer().to_i128() {
                Some(value) if int.holds(value) || self.since >= 13 => {
                    Conforming::One(int.wrap(value))
                }
                _ => NO_RULE,
            },
        }
    }

    fn to_bool(self, number: &Extended) -> Conforming {
        match number {
            Extended::Finite(number, _) if number.is_zero() => Conforming::One(0),
            Extended::Finite(number, _) if number.is_one() => Conforming::One(1),
            _ if self.since < 13 => NO_RULE,
            _ => Conforming::One(1),
        }
    }

    /// The number that is converted, where numbers come of it.
    fn number(&self, element: &Element) -> Option<Real> {
        let is_number = matches!(self.to.kind(), Kind::Float(_) | Kind::Int { .. });
        match number_of(element)? {
            Extended::Finite(number, _) if is_number => Some(Real::exactly(number)),
            _ => None,
        }
    }

    /// How far the element `actual` is from the number that is converted, or from what stands for it where the
    /// type does not reach it.
    fn distance(&self, element: &Element, actual: u64) -> Deviation {
        let conforming = self.allows(element);
        match (self.to.kind(), number_of(element)) {
            (Kind::Float(format), Some(Extended::Finite(number, negative)))
                if !matches!(format.specials, Specials::Finite | Specials::ExponentOnly)
                    && nearest(format, &number, negative) == conforming.number() =>
            {
                enclosed::deviation(format, |_| Enclosure::point(number.clone()), actual)
            }
            _ => conforming
                .number()
                .map_or(Deviation::NoRealResult, |bits| distance(self.to, bits, actual)),
        }
    }
}

impl Elementwise for Conversion {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        match operands {
            [element] if dtype == self.to => self.allows(element),
            _ => FOREIGN,
        }
    }

    fn real(&self, _: DType, operands: &[Element], _: u32) -> Option<Real> {
        let [element] = operands else { return None };
        self.number(element)
    }

    fn deviation(&self, dtype: DType, operands: &[Element], actual: u64) -> Deviation {
        match operands {
            [element] if dtype == self.to => self.distance(element, actual),
            _ => Deviation::NoRealResult,
        }
    }
}

const fn is_of_eight_bits(dtype: DType) -> bool {
    matches!(dtype, Float8E4M3Fn | Float8E4M3Fnuz | Float8E5M2 | Float8E5M2Fnuz)
}

/// Whether float32 does not hold all numbers of a type.
const fn is_wide(dtype: DType) -> bool {
    matches!(dtype, Float64 | Int32 | Uint32 | Int64 | Uint64)
}

/// The finite number of a format that is nearest, ties to even, with a sign where it is zero; `None` where it is
/// out of the format's range.
fn nearest(format: &'static FloatFormat, number: &Rational, negative: bool) -> Option<u64> {
    if number.is_zero() {
        return zero(format, negative).number();
    }
    match enclosed::nearest(format, |_| Enclosure::point(number.clone()), negative) {
        Conforming::One(bits) if format.class(bits) != Class::Infinite => Some(bits),
        _ => None,
    }
}

/// The texts of a case, by its name.
pub(crate) fn texts(name: &str) -> Result<Tensor, ElementError> {
    let texts: &[&str] = match name {
        "plain" => &["3.14", "1000", "-2.5", "0", "0.1", "100.5", "-7", "0.0625"],
        "scientific" => &["1e-5", "1E8", "-2.5e3", "6.25E-2", "1e+2", "0e0"],
        "halves" => &["1024", "2.5", "-0.375", "1.5e2", "65504", "1e-8"],
        "negative_zero" => &["-0", "-0.0", "-0e5"],
        "infinities" => &["INF", "+INF", "-INF", "inf", "+inf", "Inf", "+iNf"],
        "nans" => &["NaN", "nan", "NAN", "nAn"],
        "integers" => &["0", "1", "42", "-1", "100", "-128", "127"],
        "naturals" => &["0", "1", "2", "3"],
        "largest_signed" => &["9223372036854775807", "-9223372036854775808"],
        "largest_unsigned" => &["18446744073709551615", "9223372036854775808"],
        "words" => &["Hello World!", "", " 1", "1_000", "0x10", "--1", "1e", "."],
        "fractions" => &["2.718", "100.5", "1e3"],
        "truths" => &["true", "False", "1", "0"],
        "any" => &["", "a", "INF", "1.50", "Gr\u{fc}\u{df}e", "\0", " 2 "],
        _ => {
            let (value, dtype) = (format!("`{name}`"), DType::String);
            return Err(ElementError::NotAnElement { value, dtype });
        }
    };
    let strings = texts.iter().map(|text| text.as_bytes().to_vec().into()).collect();
    Ok(Tensor::from_strings(vec![texts.len()], strings)?)
}

#[cfg(test)]
mod tests;
