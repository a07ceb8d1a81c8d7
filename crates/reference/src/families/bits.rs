//! What the operators on bits have in common: a function of the bits of integers, whose result is one pattern of bits.
//!
//! Integers with a sign are in two's complement. Sources: ONNX's schemas of BitwiseAnd, BitwiseOr, BitwiseXor and
//! BitwiseNot (18), and of BitShift (11 and 28).

use values::dtype::DType;
use values::element::Element;

use super::binary;
use super::extremum::of_numbers;
use crate::boundaries::search::around;
use crate::boundaries::{Boundary, BoundaryInputs, Side};
use crate::elementwise::{Elementwise, FOREIGN, bits_of};
use crate::exact::number::Int;
use crate::exact::real::{Rational, value};
use crate::exact::{Conforming, Deviation, Number, distance};
use crate::inputs::patterns::corner_pairs;
use crate::inputs::{Parts, Tuple};
use crate::operator::{Attributes, Specification, Version};
use crate::pointwise::Pointwise;
use crate::real::Real;
use crate::signature::INTEGERS;

/// The table of cases that those of two operands have in common.
pub(crate) const CASES: &str = include_str!("bits/cases.toml");

/// The version of BitwiseAnd, BitwiseOr and BitwiseXor.
pub(crate) const VERSIONS: [Version; 1] = [const { binary::ports(INTEGERS) }.since(18, &[])];

/// What is allowed of the results of one of two operands.
pub(crate) const fn reference(
    function: fn(Specification, &Attributes) -> Bits,
    boundaries: &'static Bits,
) -> Pointwise<Bits> {
    Pointwise { function, broadcast: binary::broadcast, boundaries: Some(boundaries) }
}

/// The inputs of campaigns: integers whose bits are all alike but for a few at either end.
pub(crate) fn hard_inputs(dtype: DType) -> Option<Parts> {
    let Some(Number::Int(int)) = Number::of(dtype) else { return None };
    Some(vec![("boundaries", corner_pairs(int))])
}

/// A function of the bits of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bits {
    /// 1 where both operands have it.
    And,
    /// 1 where either operand has it.
    Or,
    /// 1 where one operand has it.
    Xor,
    /// The other bit.
    Not,
    /// The first operand's, moved by the second.
    Shift {
        /// Towards the most significant bit.
        left: bool,
        /// Whether the document says what comes of a shift by as many bits as there are, or more.
        is_total: bool,
    },
}

const TOO_FAR: &str =
    "the document does not say what a shift by as many bits as the type has, or more, gives";

impl Bits {
    fn of(self, int: Int, operands: &[u64]) -> Option<Conforming> {
        let bits = match (self, operands) {
            (Self::And, [a, b]) => a & b,
            (Self::Or, [a, b]) => a | b,
            (Self::Xor, [a, b]) => a ^ b,
            (Self::Not, [x]) => !x,
            (Self::Shift { left, is_total }, [x, by]) => {
                match u32::try_from(int.value(*by)) {
                    Ok(by) if by < int.bits && left => x << by,
                    // The quotient by a power of two, rounded down.
                    Ok(by) if by < int.bits => int.wrap(int.value(*x) >> by),
                    _ if !is_total => return Some(Conforming::Unspecified(TOO_FAR)),
                    _ if !left && int.value(*x) < 0 => u64::MAX,
                    _ => 0,
                }
            }
            _ => return None,
        };
        Some(Conforming::One(int.wrap(bits.into())))
    }

    /// The integer that is the result.
    fn number(self, dtype: DType, operands: &[Element]) -> Option<u64> {
        self.conforming(dtype, operands).number()
    }
}

impl BoundaryInputs for Bits {
    fn function(&self) -> &dyn Elementwise {
        self
    }

    /// Every integer of the type is a result, of a second operand that leaves the bits of the first as they are or inverts them.
    fn closest(&self, dtype: DType, at: &Rational) -> [Option<Tuple>; 3] {
        let Some(Number::Int(int)) = Number::of(dtype) else { return [None; 3] };
        let mut found = [None; 3];
        for bits in around(dtype, at) {
            let operands = match self {
                Self::And => [bits, int.wrap(-1)],
                Self::Not => [int.wrap((!bits).into()), 0],
                Self::Or | Self::Xor | Self::Shift { .. } => [bits, 0],
            };
            found[Side::of(value(dtype, bits).cmp(&Some(at.clone()))) as usize] = Some(operands);
        }
        found
    }

    fn proof(&self, dtype: DType, boundary: &Boundary, side: Side) -> Option<&'static str> {
        of_numbers(dtype, boundary, side)
    }
}

impl Elementwise for Bits {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        let Some(Number::Int(int)) = Number::of(dtype) else { return FOREIGN };
        let result = match operands.len() {
            1 => bits_of::<1>(dtype, operands).and_then(|operands| self.of(int, &operands)),
            _ => bits_of::<2>(dtype, operands).and_then(|operands| self.of(int, &operands)),
        };
        result.unwrap_or(FOREIGN)
    }

    fn real(&self, dtype: DType, operands: &[Element], _: u32) -> Option<Real> {
        Real::of_element(dtype, self.number(dtype, operands)?)
    }

    fn deviation(&self, dtype: DType, operands: &[Element], actual: u64) -> Deviation {
        let number = self.number(dtype, operands);
        number.map_or(Deviation::NoRealResult, |exact| distance(dtype, exact, actual))
    }
}

#[cfg(test)]
mod tests {
    use values::dtype::DType::{Float32, Int8, Uint8};

    use super::*;

    fn result(function: Bits, dtype: DType, operands: &[u8]) -> Conforming {
        let operands: Vec<Element> =
            operands.iter().map(|bits| Element::Bits(dtype, (*bits).into())).collect();
        function.conforming(dtype, &operands)
    }

    #[test]
    fn every_pair_of_bytes_gives_the_byte_of_each_bit() {
        for (a, b) in (0..=u8::MAX).flat_map(|a| (0..=u8::MAX).map(move |b| (a, b))) {
            let bit = |of: fn(bool, bool) -> bool| {
                let bits = (0..8).filter(|k| of(a >> k & 1 == 1, b >> k & 1 == 1));
                Conforming::One(bits.map(|k| 1 << k).sum())
            };
            for dtype in [Int8, Uint8] {
                assert_eq!(result(Bits::And, dtype, &[a, b]), bit(|a, b| a && b));
                assert_eq!(result(Bits::Or, dtype, &[a, b]), bit(|a, b| a || b));
                assert_eq!(result(Bits::Xor, dtype, &[a, b]), bit(|a, b| a != b));
                assert_eq!(result(Bits::Not, dtype, &[a]), bit(|a, _| !a));
            }
        }
    }

    #[test]
    fn a_shift_is_a_product_by_a_power_of_two_or_a_quotient_rounded_down() {
        let shift = |left, is_total| Bits::Shift { left, is_total };
        for (x, by) in (0..=u8::MAX).flat_map(|x| (0..8_u8).map(move |by| (x, by))) {
            let power = 1 << by;
            let (signed, unsigned) = (i32::from(x.cast_signed()), i32::from(x));
            let byte = |value: i32| Conforming::One(u64::from(value as u8));
            for is_total in [true, false] {
                let of = |left, dtype| result(shift(left, is_total), dtype, &[x, by]);
                assert_eq!(of(true, Int8), byte(signed * power));
                assert_eq!(of(true, Uint8), byte(unsigned * power));
                assert_eq!(of(false, Int8), byte(signed.div_euclid(power)));
                assert_eq!(of(false, Uint8), byte(unsigned.div_euclid(power)));
            }
        }
    }

    #[test]
    fn a_shift_beyond_the_type_leaves_the_sign_where_the_document_says_so() {
        for by in [8, 9, 127, 128, 255] {
            for x in [0x80, 0xff, 1, 0x7f] {
                let of =
                    |left, dtype| result(Bits::Shift { left, is_total: true }, dtype, &[x, by]);
                let sign = if x >= 0x80 { 0xff } else { 0 };
                assert_eq!(of(false, Int8), Conforming::One(sign), "{x} {by}");
                assert_eq!(of(true, Int8), Conforming::One(0), "{x} {by}");
                assert_eq!(of(false, Uint8), Conforming::One(0), "{x} {by}");
                let open = Bits::Shift { left: false, is_total: false };
                assert!(!result(open, Uint8, &[x, by]).is_decided());
            }
        }
    }

    #[test]
    fn what_is_no_integer_is_foreign() {
        assert!(!result(Bits::And, Float32, &[1, 1]).is_decided());
        assert!(!result(Bits::And, Uint8, &[1]).is_decided());
        assert!(!result(Bits::Not, Uint8, &[1, 1]).is_decided());
    }
}
