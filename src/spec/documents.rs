//! The case analyses of the five documents as data: each row as it is written, none repaired.

use crate::dtype::DType;
use crate::oracle::Division;

use super::reading::{
    Answer, Comparison, Condition, Constant, Constraint, Operand, Operation, Reading, Relation,
    Row, Scope,
};

const FLOATS: &[DType] = &[DType::Float16];
const INTEGERS: &[DType] = &[DType::Int8, DType::Uint8];
const NUMBERS: &[DType] = &[DType::Float16, DType::Int8, DType::Uint8];

const A_IS_ZERO: Comparison = comparison(Operand::A, Relation::Equal, Constant::Zero);
const A_IS_NOT_ZERO: Comparison = comparison(Operand::A, Relation::Different, Constant::Zero);
const B_IS_ZERO: Comparison = comparison(Operand::B, Relation::Equal, Constant::Zero);
const B_IS_NOT_ZERO: Comparison = comparison(Operand::B, Relation::Different, Constant::Zero);
const X_IS_NOT_NEGATIVE: Comparison = comparison(Operand::A, Relation::AtLeast, Constant::Zero);

const ALWAYS: Condition = Condition::All(&[]);

const fn comparison(operand: Operand, relation: Relation, constant: Constant) -> Comparison {
    Comparison { operand, relation, constant }
}

const fn row(requirement: &'static str, when: Condition, then: Answer) -> Row {
    Row { requirement, when, then }
}

/// Every reading, document by document.
#[must_use]
pub fn readings() -> Vec<Reading> {
    let mut readings = sonnx_div();
    readings.extend(sonnx_div_draft());
    readings.extend(sonnx_sqrt());
    readings.extend(onnx_div());
    readings.extend(openvino_divide_1());
    readings
}

/// SONNX Div for reals, floats and integers, and the error conditions that it states.
#[must_use]
pub fn sonnx_div() -> Vec<Reading> {
    let real = Reading {
        document: "sonnx-div",
        section: "Div (real, real), informal specification",
        requirement: "E_DIV_REAL_FUNC_0010",
        result_type: "E_DIV_REAL_FUNC_0010",
        operation: Operation::Div(Division::Div),
        dtypes: FLOATS,
        scope: Scope::Numbers,
        constraint: Some(Constraint {
            requirement: "E_DIV_REAL_CONSTR_B_0020",
            holds: B_IS_NOT_ZERO,
        }),
        rows: vec![
            row("E_DIV_REAL_FUNC_0010", Condition::All(&[B_IS_NOT_ZERO]), Answer::Plain),
            row("E_DIV_REAL_FUNC_0010", Condition::Otherwise, Answer::Undefined),
        ],
    };
    let float = Reading {
        section: "Div (float, float), informal specification",
        requirement: "E_DIV_FLOAT_FUNC_0010",
        result_type: "E_DIV_FLOAT_CONSTR_C_0020",
        scope: Scope::All,
        constraint: None,
        rows: vec![
            row(
                "P_DIV_FLOAT_FUNC_0011",
                Condition::All(&[A_IS_NOT_ZERO, B_IS_NOT_ZERO]),
                Answer::Ieee754,
            ),
            row(
                "P_DIV_FLOAT_FUNC_0012",
                Condition::All(&[A_IS_NOT_ZERO, B_IS_ZERO]),
                Answer::SignedInfinity,
            ),
            row("P_DIV_FLOAT_FUNC_0013", Condition::All(&[A_IS_ZERO, B_IS_ZERO]), Answer::Nan),
        ],
        ..real.clone()
    };
    let float_errors = Reading {
        section: "Div (float, float), error conditions",
        requirement: "P_DIV_FLOAT_ERR_0010",
        scope: Scope::NanQuotients,
        rows: vec![row(
            "P_DIV_FLOAT_ERR_0010",
            Condition::All(&[A_IS_ZERO, B_IS_ZERO]),
            Answer::Nan,
        )],
        ..float.clone()
    };
    let integer = Reading {
        section: "Div (int, int), informal specification",
        requirement: "E_DIV_INT_FUNC_0010",
        result_type: "E_DIV_INT_CONSTR_C_0020",
        dtypes: INTEGERS,
        constraint: Some(Constraint {
            requirement: "E_DIV_INT_CONSTR_B_0030",
            holds: B_IS_NOT_ZERO,
        }),
        rows: vec![row("E_DIV_INT_FUNC_0010", ALWAYS, Answer::Truncated)],
        ..float.clone()
    };
    let integer_errors = Reading {
        section: "Div (int, int), error conditions",
        requirement: "P_DIV_INT_ERR_0010",
        scope: Scope::ZeroDenominators,
        rows: vec![row(
            "P_DIV_INT_ERR_0010",
            Condition::All(&[B_IS_ZERO]),
            Answer::ImplementationDependent,
        )],
        ..integer.clone()
    };
    vec![real, float, float_errors, integer, integer_errors]
}

/// The draft: its formula on every type that it lists, and what its Why3 text ensures for reals.
#[must_use]
pub fn sonnx_div_draft() -> Vec<Reading> {
    let formula = Reading {
        document: "sonnx-div-draft",
        section: "Informal specification",
        requirement: "P_DIVDRAFT_FUNC_0010",
        result_type: "P_DIVDRAFT_TYPES_0020",
        operation: Operation::Div(Division::Div),
        dtypes: NUMBERS,
        scope: Scope::All,
        constraint: Some(Constraint { requirement: "P_DIVDRAFT_C2", holds: B_IS_NOT_ZERO }),
        rows: vec![
            row("P_DIVDRAFT_FUNC_0010", Condition::All(&[B_IS_NOT_ZERO]), Answer::Plain),
            row("P_DIVDRAFT_FUNC_0020", Condition::Otherwise, Answer::Infinity),
        ],
    };
    let why3 = Reading {
        section: "Formal specification",
        requirement: "P_DIVDRAFT_FORMAL_0040",
        dtypes: FLOATS,
        scope: Scope::Numbers,
        constraint: None,
        rows: vec![row("P_DIVDRAFT_FORMAL_0040", Condition::All(&[B_IS_NOT_ZERO]), Answer::Plain)],
        ..formula.clone()
    };
    vec![formula, why3]
}

/// SONNX Sqrt for reals and floats.
#[must_use]
pub fn sonnx_sqrt() -> Vec<Reading> {
    const fn x(relation: Relation, constant: Constant) -> [Comparison; 1] {
        [comparison(Operand::A, relation, constant)]
    }
    const IS_NEGATIVE_INFINITY: [Comparison; 1] = x(Relation::Equal, Constant::NegativeInfinity);
    const IS_NEGATIVE_ZERO: [Comparison; 1] = x(Relation::Equal, Constant::NegativeZero);
    const IS_INFINITY: [Comparison; 1] = x(Relation::Equal, Constant::Infinity);
    const IS_NAN: [Comparison; 1] = x(Relation::Equal, Constant::Nan);
    const IS_NEGATIVE: [Comparison; 1] = x(Relation::Below, Constant::Zero);
    let not_negative = Condition::All(&[X_IS_NOT_NEGATIVE]);

    let real = Reading {
        document: "sonnx-sqrt",
        section: "Sqrt (real), informal specification",
        requirement: "P_SQRT_REAL_FUNC_0010",
        result_type: "P_SQRT_REAL_FUNC_0010",
        operation: Operation::Sqrt,
        dtypes: FLOATS,
        scope: Scope::Numbers,
        constraint: Some(Constraint {
            requirement: "P_SQRT_REAL_CONSTR_X_0020",
            holds: X_IS_NOT_NEGATIVE,
        }),
        rows: vec![
            row("P_SQRT_REAL_FUNC_0010", not_negative, Answer::Plain),
            row("P_SQRT_REAL_FUNC_0020", Condition::Otherwise, Answer::Undefined),
        ],
    };
    let float = Reading {
        section: "Sqrt (float), informal specification",
        requirement: "P_SQRT_FLOAT_FUNC_0050",
        result_type: "P_SQRT_FLOAT_CONSTR_Y_0020",
        scope: Scope::All,
        constraint: None,
        rows: vec![
            row("P_SQRT_FLOAT_FUNC_0010", Condition::All(&IS_NEGATIVE_INFINITY), Answer::Nan),
            row("P_SQRT_FLOAT_FUNC_0020", Condition::All(&IS_NEGATIVE_ZERO), Answer::NegativeZero),
            row("P_SQRT_FLOAT_FUNC_0030", Condition::All(&IS_INFINITY), Answer::Infinity),
            row("P_SQRT_FLOAT_FUNC_0040", Condition::All(&IS_NAN), Answer::Nan),
            row("P_SQRT_FLOAT_FUNC_0050", not_negative, Answer::Ieee754),
            row("P_SQRT_FLOAT_FUNC_0060", Condition::All(&IS_NEGATIVE), Answer::Nan),
        ],
        ..real.clone()
    };
    vec![real, float]
}

/// ONNX Div, version 14: the document divides and says no more.
#[must_use]
pub fn onnx_div() -> Vec<Reading> {
    vec![Reading {
        document: "onnx-div",
        section: "Div - 14, summary",
        requirement: "P_ONNX_DIV14_FUNC_0010",
        result_type: "P_ONNX_DIV14_RESULT_0020",
        operation: Operation::Div(Division::Div),
        dtypes: NUMBERS,
        scope: Scope::All,
        constraint: None,
        rows: vec![row("P_ONNX_DIV14_FUNC_0010", ALWAYS, Answer::Plain)],
    }]
}

/// Divide-1: the formula for floats, and for integers with either value of `m_pythondiv`.
#[must_use]
pub fn openvino_divide_1() -> Vec<Reading> {
    let divide = |section, division, dtypes, requirement, then| Reading {
        document: "openvino-divide-1",
        section,
        requirement,
        result_type: "P_OV_DIVIDE1_RESULT_0020",
        operation: Operation::Div(division),
        dtypes,
        scope: Scope::All,
        constraint: None,
        rows: vec![
            row("P_OV_DIVIDE1_ZERO_0010", Condition::All(&[B_IS_ZERO]), Answer::Undefined),
            row(requirement, Condition::Otherwise, then),
        ],
    };
    vec![
        divide(
            "Detailed description",
            Division::Divide1Floor,
            FLOATS,
            "P_OV_DIVIDE1_FUNC_0010",
            Answer::Plain,
        ),
        divide(
            "Attributes, m_pythondiv true",
            Division::Divide1Floor,
            INTEGERS,
            "P_OV_DIVIDE1_PYTHONDIV_0010",
            Answer::Floored,
        ),
        divide(
            "Attributes, m_pythondiv false",
            Division::Divide1Truncate,
            INTEGERS,
            "P_OV_DIVIDE1_PYTHONDIV_0020",
            Answer::Plain,
        ),
    ]
}
