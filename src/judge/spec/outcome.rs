//! The value of a row's result for given operands, compared with the oracle's.

use num_rational::Ratio;

use super::documents::Reading;
use super::formula::Formula;
use super::number::{Number, Rounded};
use super::reading::RowAnswer;
use super::value_class::ValueClass;
use crate::dtype::{DType, Kind, integer};
use crate::float::Class;
use crate::oracle::Conforming;
use reference::elements;
use reference::elementwise::Elementwise;
use reference::operator::{AttributeValue, Attributes, Call, Operator, Specification};
use values::element::Element;

/// A result, to the precision with which findings distinguish results. No type has the last three.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shown {
    Nan,
    Infinity,
    NegativeInfinity,
    Zero,
    NegativeZero,
    Number,
    True,
    False,
    /// Anything but NaN.
    NotNan,
    Fraction,
    AboveRange,
    BelowRange,
}

/// What a row gives for operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The oracle's result, whatever it is.
    Oracle,
    /// This value.
    Bits(u64),
    Nan,
    /// Any value but NaN.
    NotNan,
    /// A result that the type does not have.
    Foreign(Shown),
    /// Any result, because the row allows it.
    Open,
    /// The implementation's choice of result.
    Free,
    /// Nothing: the row's formula has no meaning here.
    Unsaid,
}

/// A reading on one element type, beside the oracle.
pub(super) struct Typed<'a> {
    pub(super) reading: Reading<'a>,
    /// The types of the operands and of the result.
    pub(super) types: Vec<DType>,
    pub(super) result: DType,
    oracle: Oracle,
}

/// The source of the conforming results.
enum Oracle {
    /// The operator's function of one element.
    Function(Box<dyn Elementwise>),
    /// The operator, some of whose operands are attributes, evaluated for one element.
    Operator(&'static Operator),
    /// The document's own formula, where there is no operator.
    Formula,
}

impl<'a> Typed<'a> {
    pub(super) fn new(reading: Reading<'a>, dtype: DType) -> Self {
        let types: Vec<DType> =
            reading.operands().iter().map(|name| reading.type_of(name, dtype)).collect();
        let oracle = match reading.operator {
            None => Oracle::Formula,
            Some(operator) => {
                let is_input = |name: &&&str| !is_attribute(operator, name);
                let all_inputs = reading.operands().iter().filter(is_input).count() == types.len();
                let function = operator
                    .reference
                    .elementwise(Specification::Onnx, reading.attributes())
                    .filter(|_| all_inputs);
                function.map_or(Oracle::Operator(operator), Oracle::Function)
            }
        };
        Self { reading, types, result: reading.type_of("result", dtype), oracle }
    }

    /// The value of an answer, where that is the same for all operands of these sorts without knowing
    /// the value.
    pub(super) fn by_sort(&self, answer: &RowAnswer, sorts: &[ValueClass]) -> Option<Outcome> {
        match answer {
            RowAnswer::Undefined => Some(Outcome::Open),
            RowAnswer::ImplementationDependent => Some(Outcome::Free),
            RowAnswer::FormulaByIeee754 => Some(Outcome::Oracle),
            RowAnswer::Formula if matches!(self.result.kind(), Kind::Float(_)) => {
                let is_defined = self.reading.is_defined(sorts);
                Some(if is_defined { Outcome::Oracle } else { Outcome::Unsaid })
            }
            _ => None,
        }
    }

    /// The value of an answer for operands with these bits.
    pub(super) fn outcome(
        &self,
        answer: &RowAnswer,
        sorts: &[ValueClass],
        bits: &[u64],
    ) -> Outcome {
        if let Some(outcome) = self.by_sort(answer, sorts) {
            return outcome;
        }
        let negative = sorts.iter().filter(|sort| sort.negative).count() % 2 == 1;
        match (answer, self.result.kind()) {
            (
                RowAnswer::Formula
                | RowAnswer::Truncated
                | RowAnswer::RoundedDown
                | RowAnswer::Wrapped,
                Kind::Int { .. },
            ) => self.integer(answer, self.reading.formula(), bits).unwrap_or(Outcome::Unsaid),
            (RowAnswer::Of(formula), Kind::Int { .. }) => {
                self.integer(answer, formula, bits).unwrap_or(Outcome::Unsaid)
            }
            (RowAnswer::Of(formula), Kind::Float(_)) => {
                self.evaluated(formula, bits).unwrap_or(Outcome::Unsaid)
            }
            (RowAnswer::Infinity, _) => self.special(Class::Infinite, false),
            (RowAnswer::SignedInfinity, _) => self.special(Class::Infinite, negative),
            (RowAnswer::Zero, _) => self.special(Class::Zero, false),
            (RowAnswer::NegativeZero, _) => self.special(Class::Zero, true),
            (RowAnswer::SignedZero, _) => self.special(Class::Zero, negative),
            (RowAnswer::ZeroSignedBy(operand), _) => {
                let sort = self.reading.operand(operand, sorts);
                let sign = |sort: ValueClass| self.special(Class::Zero, sort.negative);
                sort.map_or(Outcome::Unsaid, sign)
            }
            (RowAnswer::Nan, Kind::Float(_)) => Outcome::Nan,
            (RowAnswer::Nan, _) => Outcome::Foreign(Shown::Nan),
            (RowAnswer::NotNan, _) => Outcome::NotNan,
            (RowAnswer::True, Kind::Bool) => Outcome::Bits(1),
            (RowAnswer::True, _) => Outcome::Foreign(Shown::True),
            (RowAnswer::False, Kind::Bool) => Outcome::Bits(0),
            (RowAnswer::False, _) => Outcome::Foreign(Shown::False),
            _ => Outcome::Unsaid,
        }
    }

    /// An infinity or a zero, and whether the type has it.
    fn special(&self, class: Class, negative: bool) -> Outcome {
        let shown = match (class, negative) {
            (Class::Zero, true) => Shown::NegativeZero,
            (Class::Zero, false) => Shown::Zero,
            _ => Shown::Infinity,
        };
        let format = match self.result.kind() {
            Kind::Float(format) => format,
            Kind::Int { .. } if shown == Shown::Zero => return Outcome::Bits(0),
            _ => return Outcome::Foreign(shown),
        };
        let exponent = if class == Class::Zero { 0 } else { (1 << format.exponent_bits) - 1 };
        let sign = u64::from(negative) << (format.width() - 1);
        let bits = sign | exponent << format.significand_bits;
        if format.class(bits) == class { Outcome::Bits(bits) } else { Outcome::Foreign(shown) }
    }

    /// The integer that a row asks for, and whether the type has it; `None` where the formula comes to
    /// nothing.
    fn integer(&self, answer: &RowAnswer, formula: &Formula, bits: &[u64]) -> Option<Outcome> {
        let Kind::Int { signed, bits: width } = self.result.kind() else { return None };
        let number = |(dtype, bits): (&DType, &u64)| match dtype.kind() {
            Kind::Int { signed, bits: width } => {
                Some(integer((*bits).into(), signed, width) as i64)
            }
            Kind::Bool => i64::try_from(*bits).ok(),
            _ => None,
        };
        let operands: Vec<Ratio<i64>> = self
            .types
            .iter()
            .zip(bits)
            .map(|operand| number(operand).map(Ratio::from_integer))
            .collect::<Option<_>>()?;
        let exact = formula.value(&|name| self.reading.operand(name, &operands))?;
        let result = answer.rounded(exact)?;
        if !result.is_integer() {
            return Some(Outcome::Foreign(Shown::Fraction));
        }
        let value = result.to_integer();
        #[expect(clippy::cast_sign_loss, reason = "two's complement is meant")]
        let pattern = value as u64 & (u64::MAX >> (u64::BITS - width));
        let is_of_type = integer(pattern.into(), signed, width) == value.into();
        Some(match value {
            _ if is_of_type || matches!(answer, RowAnswer::Wrapped) => Outcome::Bits(pattern),
            ..0 => Outcome::Foreign(Shown::BelowRange),
            0.. => Outcome::Foreign(Shown::AboveRange),
        })
    }

    /// A formula of floats, operation by operation; an operand that it names is given as it is. `None` where it comes
    /// to nothing.
    fn evaluated(&self, formula: &Formula, bits: &[u64]) -> Option<Outcome> {
        if let Some(name) = formula.name() {
            let bits = self.reading.operand(name, bits)?;
            let is_nan = ValueClass::of(self.result, bits).is_some_and(|of| of.class == Class::Nan);
            return Some(if is_nan { Outcome::Nan } else { Outcome::Bits(bits) });
        }
        let rounded = self.rounded(formula, bits)?;
        if rounded.number == Number::Nan {
            return Some(Outcome::Nan);
        }
        rounded.bits().map(Outcome::Bits)
    }

    /// The value of a formula of floats where each operation is rounded.
    pub(super) fn rounded(&self, formula: &Formula, bits: &[u64]) -> Option<Rounded> {
        let number = |(dtype, bits): (&DType, &u64)| {
            Some(Rounded { number: Number::of(*dtype, *bits)?, dtype: Some(*dtype) })
        };
        let operands: Vec<Rounded> =
            self.types.iter().zip(bits).map(number).collect::<Option<_>>()?;
        formula.value(&|name| self.reading.operand(name, &operands))
    }

    /// The outcome with the oracle's result in place of a reference to it; `None` where that is no
    /// single value.
    pub(super) fn resolved(&self, outcome: Outcome, bits: &[u64]) -> Option<Outcome> {
        if outcome != Outcome::Oracle {
            return Some(outcome);
        }
        match self.conforming(bits)? {
            Conforming::One(bits) => Some(Outcome::Bits(bits)),
            Conforming::AnyNan(_) => Some(Outcome::Nan),
            Conforming::Same(Element::Bits(dtype, bits)) if dtype == self.result => {
                let bits = u64::try_from(bits).ok()?;
                let sort = ValueClass::of(dtype, bits)?;
                Some(if sort.class == Class::Nan { Outcome::Nan } else { Outcome::Bits(bits) })
            }
            Conforming::Same(_)
            | Conforming::Within { .. }
            | Conforming::OneOf(_)
            | Conforming::RefusalOr(_)
            | Conforming::Unspecified(_) => None,
        }
    }

    /// The oracle's result for operands with these bits.
    pub(super) fn conforming(&self, bits: &[u64]) -> Option<Conforming> {
        let elements = || self.types.iter().zip(bits);
        match &self.oracle {
            Oracle::Function(function) => {
                let operands: Vec<Element> =
                    elements().map(|(dtype, bits)| Element::Bits(*dtype, (*bits).into())).collect();
                Some(function.conforming(self.result, &operands))
            }
            Oracle::Operator(operator) => self.asked(operator, bits),
            Oracle::Formula => match self.evaluated(self.reading.formula(), bits)? {
                Outcome::Bits(bits) => Some(Conforming::One(bits)),
                Outcome::Nan => match self.result.kind() {
                    Kind::Float(format) => Some(Conforming::AnyNan(format)),
                    _ => None,
                },
                _ => None,
            },
        }
    }

    /// What an operator says of scalars, those of which that it has as attributes are given as such.
    fn asked(&self, operator: &'static Operator, bits: &[u64]) -> Option<Conforming> {
        let mut attributes: Attributes = self.reading.attributes().clone();
        let mut inputs = Vec::new();
        let operands = self.reading.operands().iter().zip(self.types.iter().zip(bits));
        for (name, (dtype, bits)) in operands {
            if is_attribute(operator, name) {
                let number = Number::of(*dtype, *bits)?;
                // Every number of a type that is swept is one of float32, and there is one NaN.
                let float = Rounded { number, dtype: Some(DType::Float32) }.bits();
                let float = float.unwrap_or(u64::from(f32::NAN.to_bits()));
                let value = AttributeValue::Float(u32::try_from(float).ok()?);
                attributes.insert((*name).to_owned(), value);
            } else {
                inputs.push(Some(elements::tensor(*dtype, &[], &[*bits]).ok()?));
            }
        }
        let version = operator.newest();
        let call = Call::new(operator, version, Specification::Onnx, attributes, inputs);
        let (call, types) = call.ok()?;
        let allowed = operator.reference.allowed(&call, &types);
        Some(allowed.first()?.at(0))
    }

    /// How a value is shown, and its bits, 0 for NaN; `None` for outcomes that are no values.
    pub(super) fn shown(&self, outcome: Outcome) -> Option<(Shown, u64)> {
        match (outcome, self.result.kind()) {
            (Outcome::Nan, _) => Some((Shown::Nan, 0)),
            (Outcome::NotNan, _) => Some((Shown::NotNan, 0)),
            (Outcome::Bits(bits), Kind::Float(format)) => {
                let shown = match (format.class(bits), format.is_negative(bits)) {
                    (Class::Nan, _) => Shown::Nan,
                    (Class::Infinite, false) => Shown::Infinity,
                    (Class::Infinite, true) => Shown::NegativeInfinity,
                    (Class::Zero, false) => Shown::Zero,
                    (Class::Zero, true) => Shown::NegativeZero,
                    (Class::Subnormal | Class::Normal, _) => Shown::Number,
                };
                Some((shown, bits))
            }
            (Outcome::Bits(bits), Kind::Bool) => {
                Some((if bits == 0 { Shown::False } else { Shown::True }, bits))
            }
            (Outcome::Bits(bits), _) => Some((Shown::Number, bits)),
            _ => None,
        }
    }
}

/// Whether an operator has an operand as an attribute.
fn is_attribute(operator: &Operator, operand: &str) -> bool {
    operator.newest().attributes.iter().any(|attribute| attribute.name == operand)
}
