//! Div: the quotient of two elements.
//!
//! Floats are divided as IEEE 754 has it, integers are truncated towards zero. Sources: ONNX's schemas
//! of Div-1, 6, 7, 13 and 14; SONNX's Div, and the earlier draft of it.

pub(crate) mod boundaries;
pub(super) mod cases;
pub(super) mod fast_check;
mod float;
mod hard_inputs;
mod integer;

use values::dtype::DType;
use values::element::Element;

use crate::case_table;
use crate::elementwise::{Elementwise, FOREIGN, bits_of};
use crate::exact::{Conforming, Deviation, Number, real};
use crate::families::binary;
use crate::operator::{
    AttributeValue, Attributes, Document, Domain, Operator, OperatorKind, Specification,
};
use crate::pointwise::Pointwise;
use crate::real::Real;

/// Div in ONNX's default domain.
pub static DIV: Operator = Operator {
    fast_checks: Some(&fast_check::Quotients),
    hard_inputs: Some(hard_inputs::parts),
    substitute: Some(integer::substitute),
    coverage: include_str!("div/coverage.txt"),
    documents: &[
        Document { key: "sonnx-div", catalogue: include_str!("div/sonnx-div.toml") },
        Document { key: "sonnx-div-draft", catalogue: include_str!("div/sonnx-div-draft.toml") },
        Document { key: "onnx-div", catalogue: include_str!("div/onnx-div.toml") },
    ],
    readings: Some(include_str!("div/readings.toml")),
    cases: Some(|of| {
        let tables = [binary::CASES, include_str!("div/cases.toml")];
        case_table::cases(of, &DIV, &tables, cases::OWN)
    }),
    ..Operator::onnx("Div", OperatorKind::Rounded, &binary::VERSIONS, &REFERENCE)
};

/// Why a quotient is not specified: the domain excludes zero divisors.
pub const ZERO_DIVISOR: &str = "division by zero is outside the domain";
/// Why the draft's 0/0 is not specified: its formula and IEEE 754 disagree.
pub const ZERO_BY_ZERO: &str = "0/0 is an infinity by the draft's formula and NaN by IEEE 754";

/// What a specification asks of an element-wise division.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Division {
    /// SONNX Div and ONNX Div: floats as IEEE 754 divides them, integers truncated towards zero and
    /// undecided for a divisor of zero.
    Div,
    /// The SONNX draft of Div: as [`Division::Div`], but 0/0 is undecided for floats too.
    DivDraft,
    /// Divide-1 with `m_pythondiv` true: integers rounded down, divisors of zero undecided for
    /// every type.
    Divide1Floor,
    /// Divide-1 with `m_pythondiv` false: integers truncated towards zero, divisors of zero
    /// undecided for every type.
    Divide1Truncate,
}

impl Division {
    /// The division that a specification asks of Div in a domain, with these attributes.
    pub fn of(domain: Domain, specification: Specification, attributes: &Attributes) -> Self {
        match (domain, specification, attributes.get("m_pythondiv")) {
            (Domain::OpenVino, _, Some(AttributeValue::Text(text))) if text == "false" => {
                Self::Divide1Truncate
            }
            (Domain::OpenVino, ..) => Self::Divide1Floor,
            (Domain::Onnx, Specification::SonnxDraft, _) => Self::DivDraft,
            (Domain::Onnx, ..) => Self::Div,
        }
    }
}

/// The conforming results of dividing the element `a` by the element `b`; `None` for types without
/// exact arithmetic.
#[inline]
pub fn div(division: Division, dtype: DType, a: u64, b: u64) -> Option<Conforming> {
    Some(match Number::of(dtype)? {
        Number::Float(format) => float::div(division, format, a, b),
        Number::Int(int) => integer::div(division, int, a, b),
    })
}

/// How far the element `actual` is from the real quotient of `a` and `b`; `None` as for [`div`].
pub fn div_error(dtype: DType, a: u64, b: u64, actual: u64) -> Option<Deviation> {
    Some(match Number::of(dtype)? {
        Number::Float(format) => float::div_error(format, a, b, actual),
        Number::Int(int) => integer::div_error(int, a, b, actual),
    })
}

impl Elementwise for Division {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        let quotient = bits_of(dtype, operands).and_then(|[a, b]| div(*self, dtype, a, b));
        quotient.unwrap_or(FOREIGN)
    }

    fn real(&self, dtype: DType, operands: &[Element], _: u32) -> Option<Real> {
        let [a, b] = bits_of(dtype, operands)?;
        real::div(&real::value(dtype, a)?, &real::value(dtype, b)?).map(Real::exactly)
    }

    fn deviation(&self, dtype: DType, operands: &[Element], actual: u64) -> Deviation {
        let error = bits_of(dtype, operands).and_then(|[a, b]| div_error(dtype, a, b, actual));
        error.unwrap_or(Deviation::NoRealResult)
    }
}

/// What is allowed of its results.
const REFERENCE: Pointwise<Division> = Pointwise {
    function: |specification, attributes| Division::of(Domain::Onnx, specification, attributes),
    broadcast: binary::broadcast,
    boundaries: Some(&boundaries::Quotients(Division::Div)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operators::sqrt::{sqrt, sqrt_error};
    use values::dtype::Kind;
    use values::float::FloatFormat;

    const FLOATS: [DType; 8] = [
        DType::Float8E4M3Fn,
        DType::Float8E4M3Fnuz,
        DType::Float8E5M2,
        DType::Float8E5M2Fnuz,
        DType::Float16,
        DType::Bfloat16,
        DType::Float32,
        DType::Float64,
    ];
    const FLOAT16_ONE: u64 = 0x3c00;
    const FLOAT16_INFINITY: u64 = 0x7c00;
    const NEGATIVE: u64 = 0x8000;
    const UNSPECIFIED: Conforming = Conforming::Unspecified(ZERO_DIVISOR);

    fn float16(division: Division, a: u64, b: u64) -> Conforming {
        div(division, DType::Float16, a, b).unwrap()
    }

    #[test]
    fn every_type_has_an_answer_or_none_for_every_question() {
        for dtype in DType::ALL {
            let is_int = matches!(dtype.kind(), Kind::Int { .. });
            let is_float = FLOATS.contains(&dtype);
            assert_eq!(div(Division::Div, dtype, 1, 1).is_some(), is_int || is_float, "{dtype}");
            assert_eq!(div_error(dtype, 1, 1, 1).is_some(), is_int || is_float, "{dtype}");
            assert_eq!(sqrt(dtype, 1).is_some(), is_float, "{dtype}");
            assert_eq!(sqrt_error(dtype, 1, 1).is_some(), is_float, "{dtype}");
        }
    }

    #[test]
    fn a_float_divided_by_zero_is_an_infinity_of_both_signs_product_and_zero_by_zero_is_nan() {
        for (a, b, expected) in [
            (FLOAT16_ONE, 0, FLOAT16_INFINITY),
            (FLOAT16_ONE, NEGATIVE, FLOAT16_INFINITY | NEGATIVE),
            (FLOAT16_ONE | NEGATIVE, 0, FLOAT16_INFINITY | NEGATIVE),
            (FLOAT16_INFINITY | NEGATIVE, NEGATIVE, FLOAT16_INFINITY),
        ] {
            for division in [Division::Div, Division::DivDraft] {
                assert_eq!(float16(division, a, b), Conforming::One(expected));
            }
        }
        let nan = Conforming::AnyNan(&FloatFormat::FLOAT16);
        assert_eq!(float16(Division::Div, 0, NEGATIVE), nan);
        assert_eq!(float16(Division::Div, 0x7e00, 0), nan);
    }

    #[test]
    fn the_draft_leaves_only_zero_by_zero_undecided_for_floats() {
        let undecided = Conforming::Unspecified(ZERO_BY_ZERO);
        assert_eq!(float16(Division::DivDraft, 0, 0), undecided);
        assert_eq!(float16(Division::DivDraft, NEGATIVE, 0), undecided);
        assert_eq!(
            float16(Division::DivDraft, 0x7e00, 0),
            Conforming::AnyNan(&FloatFormat::FLOAT16)
        );
        assert_eq!(div(Division::DivDraft, DType::Int8, 1, 0), Some(UNSPECIFIED));
    }

    #[test]
    fn divide_1_leaves_every_zero_divisor_undecided() {
        for division in [Division::Divide1Floor, Division::Divide1Truncate] {
            for a in [0, FLOAT16_ONE, FLOAT16_INFINITY, 0x7e00] {
                assert_eq!(float16(division, a, NEGATIVE), UNSPECIFIED);
            }
            assert_eq!(div(division, DType::Uint64, 1, 0), Some(UNSPECIFIED));
            assert_eq!(float16(division, FLOAT16_ONE, FLOAT16_ONE), Conforming::One(FLOAT16_ONE));
        }
    }

    #[test]
    fn divide_1_floors_integers_or_truncates_them_and_all_others_truncate() {
        let minus_seven_by_two = |division| div(division, DType::Int8, 0xf9, 2);
        let (minus_four, minus_three) = (Some(Conforming::One(0xfc)), Some(Conforming::One(0xfd)));
        assert_eq!(minus_seven_by_two(Division::Divide1Floor), minus_four);
        assert_eq!(minus_seven_by_two(Division::Divide1Truncate), minus_three);
        assert_eq!(minus_seven_by_two(Division::Div), minus_three);
        assert_eq!(minus_seven_by_two(Division::DivDraft), minus_three);
    }

    #[test]
    fn formats_without_infinities_or_negative_zero_answer_with_what_they_have() {
        let (fn_type, fnuz) = (DType::Float8E4M3Fn, DType::Float8E4M3Fnuz);
        let nan = |dtype: DType| match dtype.kind() {
            Kind::Float(format) => Some(Conforming::AnyNan(format)),
            _ => None,
        };
        // 448 / 0.5 overflows; 1 / 0.
        assert_eq!(div(Division::Div, fn_type, 0x7e, 0x30), nan(fn_type));
        assert_eq!(div(Division::Div, fn_type, 0x38, 0), nan(fn_type));
        assert_eq!(div(Division::Div, fnuz, 0x40, 0), nan(fnuz));
        // 0 / -1 has a sign where there is one.
        assert_eq!(div(Division::Div, fn_type, 0, 0xb8), Some(Conforming::One(0x80)));
        assert_eq!(div(Division::Div, fnuz, 0, 0xc0), Some(Conforming::One(0)));
    }

    #[test]
    fn errors_are_measured_against_the_real_result_and_classes_never_mix() {
        let error = |a, b, actual| div_error(DType::Float16, a, b, actual).unwrap();
        let ulps = |deviation| match deviation {
            Deviation::Ulps(ulps) => ulps.to_string(),
            other => format!("{other:?}"),
        };
        // 1 / 3 is 1365 1/3 units of 2^-12, in bits 0x3555.
        assert_eq!(ulps(error(FLOAT16_ONE, 0x4200, 0x3555)), "0.333334");
        assert_eq!(ulps(error(FLOAT16_ONE, 0x4200, 0x3556)), "0.666667");
        // The smallest subnormal number by 2 is a tie.
        assert_eq!(ulps(error(1, 0x4000, 0)), "0.5");
        assert_eq!(ulps(error(1, 0x4000, 1)), "0.5");
        // Zeros of either sign are the real number 0.
        assert_eq!(ulps(error(0, FLOAT16_ONE, NEGATIVE)), "0");
        // 65504 / 2^-24 overflows.
        assert_eq!(ulps(error(0x7bff, 1, FLOAT16_INFINITY)), "0");
        assert_eq!(error(0x7bff, 1, FLOAT16_INFINITY | NEGATIVE), Deviation::Unbounded);
        assert_eq!(error(FLOAT16_ONE, 0x4200, FLOAT16_INFINITY), Deviation::Unbounded);
        assert_eq!(error(FLOAT16_ONE, 0x4200, 0x7e00), Deviation::Unbounded);
        assert_eq!(error(FLOAT16_ONE, 0, FLOAT16_INFINITY), Deviation::NoRealResult);
        assert_eq!(
            sqrt_error(DType::Float16, FLOAT16_ONE | NEGATIVE, 0x7e00),
            Some(Deviation::NoRealResult)
        );
    }
}
