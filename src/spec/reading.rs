//! The language in which the case analysis of a document is written down: rows of a condition on
//! the operands and an answer, in the document's order.

use std::cmp::Ordering;
use std::fmt;

use crate::dtype::{DType, Kind};
use crate::float::Class;
use crate::oracle::Division;
use reference::operator::Operator;
use reference::operator::{Attributes, Specification};
use reference::operators::div::DIV;
use reference::operators::sqrt::SQRT;

/// Sign and class of an element. Integers are zeros or normal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ValueClass {
    /// The class of the value.
    pub class: Class,
    /// Whether the element's sign is negative.
    pub negative: bool,
}

impl ValueClass {
    /// The sort of an element; `None` where its type is neither a float nor an integer.
    #[must_use]
    pub fn of(dtype: DType, bits: u64) -> Option<Self> {
        match dtype.kind() {
            Kind::Float(format) => {
                Some(Self { class: format.class(bits), negative: format.is_negative(bits) })
            }
            Kind::Int { signed, bits: width } => Some(Self {
                class: if bits == 0 { Class::Zero } else { Class::Normal },
                negative: signed && bits >> (width - 1) & 1 == 1,
            }),
            Kind::Bool | Kind::Complex(_) | Kind::String => None,
        }
    }

    /// Whether the element is a real number.
    #[must_use]
    pub const fn is_number(self) -> bool {
        !matches!(self.class, Class::Nan | Class::Infinite)
    }

    /// Place among -infinity, the negative numbers, 0, the positive numbers and infinity, counted
    /// from 0; `None` for NaN, which is not ordered.
    const fn rank(self) -> Option<i8> {
        let magnitude = match self.class {
            Class::Nan => return None,
            Class::Zero => 0,
            Class::Subnormal | Class::Normal => 1,
            Class::Infinite => 2,
        };
        Some(if self.negative { -magnitude } else { magnitude })
    }
}

/// An operand of a row. The one operand of a root is `A`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// The numerator, or the radicand.
    A,
    /// The denominator.
    B,
}

/// What a row compares an operand with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the variants are the constants' own names")]
pub enum Constant {
    Zero,
    NegativeZero,
    Infinity,
    NegativeInfinity,
    Nan,
}

/// How a row compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the variants are the relations' own names")]
pub enum Relation {
    Equal,
    Different,
    AtLeast,
    Below,
}

/// What `=` means between an operand and a special value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equality {
    /// The comparison of IEEE 754-2019, 5.11: NaN equals nothing, and the zeros equal one another.
    Comparison,
    /// The same datum: NaN is NaN, and -0.0 is not 0.0.
    Datum,
}

/// A comparison of one operand with a constant. It depends on the operand's sort alone, which is why
/// whole classes can be swept at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The left-hand side.
    pub operand: Operand,
    /// The comparison made.
    pub relation: Relation,
    /// The right-hand side.
    pub constant: Constant,
}

impl Comparison {
    /// Whether the comparison is true of these operands.
    #[must_use]
    pub fn holds(self, a: ValueClass, b: ValueClass, equality: Equality) -> bool {
        let operand = match self.operand {
            Operand::A => a,
            Operand::B => b,
        };
        let order = self.constant.order(operand, equality);
        match self.relation {
            Relation::Equal => order == Some(Ordering::Equal),
            Relation::Different => order != Some(Ordering::Equal),
            Relation::AtLeast => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
            Relation::Below => order == Some(Ordering::Less),
        }
    }
}

impl Constant {
    /// How an operand compares with the constant; `None` where the two are not ordered.
    fn order(self, operand: ValueClass, equality: Equality) -> Option<Ordering> {
        let rank = match self {
            Self::Nan => {
                let same = equality == Equality::Datum && operand.class == Class::Nan;
                return same.then_some(Ordering::Equal);
            }
            Self::NegativeZero if equality == Equality::Datum => {
                let same = operand == ValueClass { class: Class::Zero, negative: true };
                return same.then_some(Ordering::Equal);
            }
            Self::Zero | Self::NegativeZero => 0,
            Self::Infinity => 2,
            Self::NegativeInfinity => -2,
        };
        Some(operand.rank()?.cmp(&rank))
    }
}

/// Which operands a row applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Those of which all of these comparisons are true.
    All(&'static [Comparison]),
    /// Those that no row above applies to.
    Otherwise,
}

/// What a row gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The quotient or root as IEEE 754 defines it, for every operand.
    Ieee754,
    /// The quotient or root of numbers. For floats the rounding is taken to be IEEE 754's; what NaN
    /// and infinities give is not said.
    Plain,
    /// The quotient of integers without its fraction.
    Truncated,
    /// The quotient of integers rounded down.
    Floored,
    /// `inf` as it stands: positive infinity.
    Infinity,
    /// An infinity, its sign from those of the operands.
    SignedInfinity,
    /// -0.0.
    NegativeZero,
    /// NaN.
    Nan,
    /// Undefined.
    Undefined,
    /// The implementation's own choice.
    ImplementationDependent,
}

/// One row of a case analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Tag of the requirement that the row is.
    pub requirement: &'static str,
    /// Which operands the row applies to.
    pub when: Condition,
    /// What it gives for them.
    pub then: Answer,
}

/// The operation that a case analysis defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// C = A / B, together with what the oracle is to be asked.
    Div(Division),
    /// Y = sqrt(X).
    Sqrt,
}

/// Which operands a case analysis speaks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All of the type.
    All,
    /// Those that are real numbers.
    Numbers,
    /// Those whose IEEE 754 quotient is NaN.
    NanQuotients,
    /// Those with a denominator of zero.
    ZeroDenominators,
}

impl Scope {
    /// Whether the analysis speaks about these operands.
    #[must_use]
    pub const fn contains(self, a: ValueClass, b: ValueClass) -> bool {
        match self {
            Self::All => true,
            Self::Numbers => a.is_number() && b.is_number(),
            Self::ZeroDenominators => matches!(b.class, Class::Zero),
            Self::NanQuotients => matches!(
                (a.class, b.class),
                (Class::Nan, _)
                    | (_, Class::Nan)
                    | (Class::Zero, Class::Zero)
                    | (Class::Infinite, Class::Infinite)
            ),
        }
    }
}

/// A constraint that excludes operands from the domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// Tag of the constraint.
    pub requirement: &'static str,
    /// What it asks of the operands.
    pub holds: Comparison,
}

/// A case analysis as one section of one document has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Key of the document, such as `sonnx-div`.
    pub document: &'static str,
    /// The section that the rows stand in.
    pub section: &'static str,
    /// Tag of what the rows say together; that of operands without a row.
    pub requirement: &'static str,
    /// Tag of the statement that the result has the operands' type.
    pub result_type: &'static str,
    /// What is computed.
    pub operation: Operation,
    /// The types it is swept over.
    pub dtypes: &'static [DType],
    /// Which operands of them.
    pub scope: Scope,
    /// What is excluded from the domain.
    pub constraint: Option<Constraint>,
    /// The rows, in the document's order.
    pub rows: Vec<Row>,
}

impl Reading {
    /// Indices of the rows that apply to operands of these sorts.
    #[must_use]
    pub fn covering(&self, a: ValueClass, b: ValueClass, equality: Equality) -> Vec<usize> {
        let mut covering = Vec::new();
        for (index, row) in self.rows.iter().enumerate() {
            let applies = match row.when {
                Condition::All(all) => all.iter().all(|one| one.holds(a, b, equality)),
                Condition::Otherwise => covering.is_empty(),
            };
            if applies {
                covering.push(index);
            }
        }
        covering
    }

    /// Whether the analysis is about an operator as a specification has it.
    #[must_use]
    pub fn is_of(
        &self,
        operator: &Operator,
        specification: Specification,
        attributes: &Attributes,
    ) -> bool {
        match self.operation {
            Operation::Div(division) => {
                operator.judged_as == DIV.name
                    && Division::of(operator.domain, specification, attributes) == division
            }
            Operation::Sqrt => *operator == SQRT,
        }
    }

    /// Names of the operands, as the document writes them.
    #[must_use]
    pub const fn names(&self) -> &'static [&'static str] {
        match self.operation {
            Operation::Div(_) => &["A", "B"],
            Operation::Sqrt => &["X"],
        }
    }

    /// A row in words, with its number, such as `row 2 (+-inf if A != 0 and B = 0)`.
    #[must_use]
    pub fn describe(&self, row: usize) -> String {
        let Some(Row { when, then, .. }) = self.rows.get(row) else {
            return format!("row {}", row + 1);
        };
        let condition = match when {
            Condition::Otherwise => " otherwise".to_owned(),
            Condition::All([]) => String::new(),
            Condition::All(all) => {
                let all: Vec<_> = all.iter().map(|one| self.comparison(*one)).collect();
                format!(" if {}", all.join(" and "))
            }
        };
        format!("row {} ({}{condition})", row + 1, self.answer(*then))
    }

    /// A comparison as a formula, such as `A != 0`.
    #[must_use]
    pub fn comparison(&self, comparison: Comparison) -> String {
        let name = match comparison.operand {
            Operand::A => self.names().first(),
            Operand::B => self.names().get(1),
        };
        format!("{} {} {}", name.unwrap_or(&"?"), comparison.relation, comparison.constant)
    }

    fn answer(&self, answer: Answer) -> &'static str {
        match (answer, self.operation) {
            (Answer::Ieee754 | Answer::Plain, Operation::Div(_)) => "A/B",
            (Answer::Ieee754 | Answer::Plain, Operation::Sqrt) => "sqrt(X)",
            (Answer::Truncated, _) => "A/B without its fraction",
            (Answer::Floored, _) => "A/B rounded down",
            (Answer::Infinity, _) => "inf",
            (Answer::SignedInfinity, _) => "+-inf",
            (Answer::NegativeZero, _) => "-0.0",
            (Answer::Nan, _) => "NaN",
            (Answer::Undefined, _) => "undefined",
            (Answer::ImplementationDependent, _) => "implementation dependent",
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Equal => "=",
            Self::Different => "!=",
            Self::AtLeast => ">=",
            Self::Below => "<",
        })
    }
}

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Zero => "0",
            Self::NegativeZero => "-0.0",
            Self::Infinity => "inf",
            Self::NegativeInfinity => "-inf",
            Self::Nan => "NaN",
        })
    }
}
