//! The registry: the only list of operators there is.

use crate::operator::{Domain, Operator};

pub mod binary;
mod classes;
pub mod div;
pub mod divide;
pub mod exp;
pub mod matmul;
pub mod mul;
pub mod neg;
pub mod sqrt;
#[cfg(test)]
mod tests;
pub mod transpose;
mod unary;
pub mod where_;

/// Every operator that the reference knows, by domain and name.
pub static OPERATORS: &[&Operator] = &[
    &div::DIV,
    &exp::EXP,
    &matmul::MATMUL,
    &mul::MUL,
    &neg::NEG,
    &sqrt::SQRT,
    &transpose::TRANSPOSE,
    &where_::WHERE,
    &divide::DIVIDE,
];

/// The operator of this name in a domain.
pub fn find(domain: Domain, name: &str) -> Option<&'static Operator> {
    let mut operators = OPERATORS.iter().copied();
    operators.find(|operator| operator.domain == domain && operator.name == name)
}

/// The operators of ONNX's default domain.
pub fn onnx() -> impl Iterator<Item = &'static Operator> {
    OPERATORS.iter().copied().filter(|operator| operator.domain == Domain::Onnx)
}
