//! What the logical operators have in common: the truth tables of And, Or, Xor and Not.
//!
//! Sources: ONNX's schemas of And, Or and Xor (1 and 7) and Not (1).

use values::dtype::DType::{self, Bool};
use values::element::Element;

use super::{binary, comparison};
use crate::elementwise::{Elementwise, FOREIGN, bits_of};
use crate::exact::{Conforming, Deviation};
use crate::operator::{Attributes, Specification, Version};
use crate::pointwise::Pointwise;
use crate::real::Real;

/// The table of cases that those of two operands have in common.
pub(crate) const CASES: &str = include_str!("logic/cases.toml");

/// The versions of those of two operands.
pub(crate) const VERSIONS: [Version; 2] = [
    const { comparison::ports(&[Bool]) }.since(1, &binary::LIMITED),
    const { comparison::ports(&[Bool]) }.since(7, &[]),
];

/// What is allowed of the results of one of two operands.
pub(crate) const fn reference(
    function: fn(Specification, &Attributes) -> Logic,
) -> Pointwise<Logic> {
    Pointwise { function, broadcast: binary::broadcast, boundaries: None }
}

/// A function of truth values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the variants are the functions' own names")]
pub enum Logic {
    And,
    Or,
    Xor,
    Not,
}

impl Elementwise for Logic {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        let truth =
            |operand: &Element| bits_of(Bool, std::slice::from_ref(operand)).map(|[it]| it != 0);
        let operands: Option<Vec<bool>> = operands.iter().map(truth).collect();
        let holds = match (self, operands.as_deref()) {
            (Self::And, Some([a, b])) => *a && *b,
            (Self::Or, Some([a, b])) => *a || *b,
            (Self::Xor, Some([a, b])) => a != b,
            (Self::Not, Some([x])) => !x,
            _ => return FOREIGN,
        };
        if dtype == Bool { Conforming::One(holds.into()) } else { FOREIGN }
    }

    fn real(&self, _: DType, _: &[Element], _: u32) -> Option<Real> {
        None
    }

    fn deviation(&self, _: DType, _: &[Element], _: u64) -> Deviation {
        Deviation::NoRealResult
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_those_of_the_truth_tables() {
        let truth = |bits| Element::Bits(Bool, bits);
        for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
            let operands = [truth(a.into()), truth(b.into())];
            for (logic, expected) in [(Logic::And, a & b), (Logic::Or, a | b), (Logic::Xor, a ^ b)]
            {
                let conforming = logic.conforming(Bool, &operands);
                assert_eq!(conforming, Conforming::One(expected.into()), "{logic:?} {a} {b}");
                assert!(!logic.conforming(Bool, &operands[..1]).is_decided());
            }
            let not = Logic::Not.conforming(Bool, &operands[..1]);
            assert_eq!(not, Conforming::One((!a).into()));
        }
    }

    #[test]
    fn what_is_no_truth_value_is_foreign() {
        let numbers = [Element::Bits(DType::Uint8, 1), Element::Bits(DType::Uint8, 1)];
        assert!(!Logic::And.conforming(Bool, &numbers).is_decided());
    }
}
