//! Pow: the element of the first input to the power of that of the second.
//!
//! Of floats it is IEEE 754's pow for every special value: x^0 is 1 and 1^y is 1, of a NaN too. A power is rational exactly where
//! it can be written with an integer as its exponent, by roots of the base; it is computed then where its significand is short, and
//! enclosed elsewhere. The result has the type of the base, whatever type the exponent has.
//!
//! Of an integer base the document says neither what becomes of results that the type does not hold, nor of negative
//! exponents, nor of those that are no integers: these are left open. SONNX says so of the first two. Its rows for floats give a NaN for
//! 1^NaN, and for negative numbers to the power of an infinity, and other rows another result: either conforms.
//! Sources: ONNX's schemas of Pow-1, 7, 12, 13 and 15; SONNX's Pow; IEEE 754-2019, 9.2.1.

mod boundaries;
mod hard_inputs;
mod power;

use num_traits::Signed;
use values::dtype::DType;
use values::element::Element;

use self::power::{Base, Exponent};
use crate::broadcast::Broadcast;
use crate::case_table::{self, Own};
use crate::elementwise::{Elementwise, FOREIGN};
use crate::exact::number::Int;
use crate::exact::real::Rational;
use crate::exact::{Conforming, Deviation, Number, distance, each_once};
use crate::families::binary::{self, LIMITED};
use crate::families::function::Image;
use crate::operator::{
    Call, Document, Invalid, Operator, OperatorKind, Port, Ports, Specification, Version,
};
use crate::pointwise::Pointwise;
use crate::real::Real;
use crate::signature::IEEE_FLOATS;

use DType::{
    Bfloat16, Float16, Float32, Float64, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64,
};

/// Pow in ONNX's default domain.
pub static POW: Operator = Operator {
    documents: &[
        Document { key: "sonnx-pow", catalogue: include_str!("pow/sonnx-pow.toml") },
        Document { key: "onnx-pow", catalogue: include_str!("pow/onnx-pow.toml") },
    ],
    hard_inputs: Some(hard_inputs::parts),
    cases: Some(|of| case_table::cases(of, &POW, &[include_str!("pow/cases.toml")], Own::NONE)),
    coverage: include_str!("pow/coverage.txt"),
    ..Operator::onnx("Pow", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

const BASES: &[DType] = &[Int32, Int64, Float16, Float32, Float64, Bfloat16];
const BASES_OF_12: &[DType] = BASES.split_at(5).0;
const EXPONENTS: &[DType] = &[
    Uint8, Uint16, Uint32, Uint64, Int8, Int16, Int32, Int64, Float16, Float32, Float64, Bfloat16,
];
const EXPONENTS_OF_12: &[DType] = EXPONENTS.split_at(11).0;

const VERSIONS: [Version; 5] = [
    const { Ports::new(["X", "Y"], "Z", IEEE_FLOATS) }.since(1, &LIMITED),
    const { Ports::new(["X", "Y"], "Z", IEEE_FLOATS) }.since(7, &[]),
    const { ports(BASES_OF_12, EXPONENTS_OF_12) }.since(12, &[]),
    const { ports(BASES, EXPONENTS_OF_12) }.since(13, &[]),
    const { ports(BASES, EXPONENTS) }.since(15, &[]),
];

const fn ports(bases: &'static [DType], exponents: &'static [DType]) -> Ports<2> {
    let [base, output] = [Port::new("X", bases, "T"), Port::new("Z", bases, "T")];
    Ports { inputs: [base, Port::new("Y", exponents, "T1")], output: [output] }
}

/// What SONNX specifies it for.
const SONNX: &[DType] = &[Float16, Float32, Float64, Int32, Int64];

fn broadcast(call: &Call) -> Result<Broadcast, Invalid> {
    if call.specification != Specification::Sonnx {
        return binary::broadcast(call);
    }
    call.restrict_types(SONNX)?;
    let types: Vec<DType> =
        call.inputs.iter().flatten().map(values::tensor::Tensor::dtype).collect();
    if types.windows(2).any(|pair| pair[0] != pair[1]) {
        return Err(call.invalid("of this specification takes one type for both inputs"));
    }
    Broadcast::equal(&call.shapes())
}

/// The power function.
#[derive(Clone, Copy, Debug)]
pub struct Exponentiation {
    is_sonnx: bool,
}

const OVERFLOW: &str =
    "no document says what becomes of an integer power that the type does not hold";
const NEGATIVE: &str = "no document says what a negative power of an integer is";
const FRACTION: &str =
    "no document says what a power of an integer is whose exponent is no integer";

impl Exponentiation {
    /// What it has for a float base.
    fn image(base: &Base, exponent: &Exponent) -> Image {
        base.power(exponent)
    }

    /// What conforms of integers: the power, where the type has it.
    fn of_int(int: Int, base: i128, exponent: &Exponent) -> Result<i128, &'static str> {
        let Exponent::Number(number) = exponent else { return Err(FRACTION) };
        let exponent = number.rational();
        if exponent.is_negative() {
            return Err(NEGATIVE);
        }
        if !exponent.is_integer() {
            return Err(FRACTION);
        }
        let is_odd = exponent.numer().bit(0);
        match base {
            _ if exponent.numer().bits() == 0 => Ok(1),
            0 | 1 => Ok(base),
            -1 => Ok(if is_odd { -1 } else { 1 }),
            _ => {
                let exponent = u32::try_from(exponent.to_integer()).map_err(|_| OVERFLOW)?;
                let power = base.checked_pow(exponent).filter(|power| int.holds(*power));
                power.ok_or(OVERFLOW)
            }
        }
    }

    /// The base, and the exponent of whatever type, of an element.
    fn operands(dtype: DType, operands: &[Element]) -> Option<(Number, u64, Exponent)> {
        let [Element::Bits(of, base), Element::Bits(exponents, exponent)] = operands else {
            return None;
        };
        let base = u64::try_from(*base).ok().filter(|_| *of == dtype)?;
        let exponent = Exponent::of(*exponents, u64::try_from(*exponent).ok()?)?;
        Some((Number::of(dtype)?, base, exponent))
    }

    /// Whether rows of SONNX's analysis that give a NaN meet others.
    fn is_contradictory(base: &Base, exponent: &Exponent) -> bool {
        match exponent {
            Exponent::Nan => base.is_one(),
            Exponent::Infinite { .. } => base.is_negative_number(),
            Exponent::Number(_) => false,
        }
    }
}

impl Elementwise for Exponentiation {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        self.judged(dtype, operands, [0; 2]).0
    }

    fn real(&self, dtype: DType, operands: &[Element], bits: u32) -> Option<Real> {
        match Self::operands(dtype, operands)? {
            (Number::Float(format), base, exponent) => {
                let base = Base::of(format, base);
                if !base.is_number() || !matches!(exponent, Exponent::Number(_)) {
                    return None;
                }
                Self::image(&base, &exponent).real(bits, |bits| base.enclosed(&exponent, bits))
            }
            (Number::Int(int), base, exponent) => {
                let power = Self::of_int(int, int.value(base), &exponent).ok()?;
                Some(Real::exactly(Rational::from_integer(power.into())))
            }
        }
    }

    fn deviation(&self, dtype: DType, operands: &[Element], actual: u64) -> Deviation {
        let [deviation, _] = self.judged(dtype, operands, [actual; 2]).1;
        deviation
    }

    fn judged(
        &self,
        dtype: DType,
        operands: &[Element],
        actual: [u64; 2],
    ) -> (Conforming, [Deviation; 2]) {
        let none = [Deviation::NoRealResult; 2];
        match Self::operands(dtype, operands) {
            Some((Number::Float(format), base, exponent)) => {
                let base = Base::of(format, base);
                let image = Self::image(&base, &exponent);
                let decided = image.decided(|bits| base.enclosed(&exponent, bits));
                let mut conforming = decided.conforming(format);
                if self.is_sonnx && Self::is_contradictory(&base, &exponent) {
                    let both = [conforming, Conforming::AnyNan(format)];
                    conforming = Conforming::one_of(both).unwrap_or(FOREIGN);
                }
                if !base.is_number() || !matches!(exponent, Exponent::Number(_)) {
                    return (conforming, none);
                }
                (conforming, each_once(actual, |actual| decided.deviation(format, actual)))
            }
            Some((Number::Int(int), base, exponent)) => {
                match Self::of_int(int, int.value(base), &exponent) {
                    Ok(power) => {
                        let power = int.wrap(power);
                        let of = |actual| distance(dtype, power, actual);
                        (Conforming::One(power), each_once(actual, of))
                    }
                    Err(reason) => (Conforming::Unspecified(reason), none),
                }
            }
            None => (FOREIGN, none),
        }
    }

    /// x^0 and 1^y, and those of integers.
    fn is_exact_point(&self, dtype: DType, operands: &[Element]) -> bool {
        match Self::operands(dtype, operands) {
            Some((Number::Float(format), base, exponent)) => {
                exponent.is_zero() || Base::of(format, base).is_one()
            }
            Some((Number::Int(_), ..)) => true,
            None => false,
        }
    }
}

/// What is allowed of its results.
const REFERENCE: Pointwise<Exponentiation> = Pointwise {
    function: |specification, _| Exponentiation { is_sonnx: specification == Specification::Sonnx },
    broadcast,
    boundaries: Some(&boundaries::Powers),
};

#[cfg(test)]
mod tests;
