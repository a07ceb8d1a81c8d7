//! Classes of operands: patterns that say of which classes they are, and special values by them.

use std::collections::BTreeSet;

use values::dtype::{DType, Kind};
use values::float::Class;
use values::tensor::Tensor;

use crate::boundaries::{Solved, known};
use crate::case_spec::StatementError;
use crate::inputs::{Tuple, specials};
use crate::operator::Operator;

/// Operands by class, each with a sign or without: `zero,nonzero|-infinity,*` are zeros with anything but
/// zeros, and the negative infinity with anything.
pub(super) struct Pattern<'a>(Vec<Vec<(Option<bool>, &'a [Class])>>, bool);

/// Words for classes; `some` are every third of all special values.
const CLASSES: [(&str, &[Class]); 9] = [
    ("nan", &[Class::Nan]),
    ("infinity", &[Class::Infinite]),
    ("zero", &[Class::Zero]),
    ("subnormal", &[Class::Subnormal]),
    ("normal", &[Class::Normal]),
    ("number", &[Class::Subnormal, Class::Normal]),
    ("nonzero", &[Class::Nan, Class::Infinite, Class::Subnormal, Class::Normal]),
    ("*", &ALL),
    ("some", &ALL),
];

const ALL: [Class; 5] = [Class::Nan, Class::Infinite, Class::Zero, Class::Subnormal, Class::Normal];

impl Pattern<'_> {
    /// The pattern of a text, where all of its words are classes.
    pub(super) fn of(text: &str) -> Option<Self> {
        let operand = |word: &str| {
            let (sign, word) = match word.strip_prefix('-') {
                Some(word) => (Some(true), word),
                None => word.strip_prefix('+').map_or((None, word), |word| (Some(false), word)),
            };
            let (_, classes) = CLASSES.iter().find(|(name, _)| *name == word)?;
            Some((sign, *classes))
        };
        let alternatives =
            text.split('|').map(|operands| operands.split(',').map(operand).collect());
        Some(Self(alternatives.collect::<Option<_>>()?, text.contains("some")))
    }

    /// Whether operands of a type are as one of the alternatives has them; only floats are.
    pub(super) fn matches(&self, dtype: DType, operands: &[u64]) -> bool {
        let Kind::Float(format) = dtype.kind() else { return false };
        let is_of = |((sign, classes), &bits): (&(Option<bool>, &[Class]), &u64)| {
            sign.is_none_or(|negative| negative == format.is_negative(bits))
                && classes.contains(&format.class(bits))
        };
        self.0.iter().any(|alternative| alternative.iter().zip(operands).all(is_of))
    }

    /// The special values of a type that match, or the pairs of them.
    pub(super) fn specials(&self, dtype: DType, arity: usize) -> Vec<Tuple> {
        let Kind::Float(format) = dtype.kind() else { return Vec::new() };
        let step = if self.1 { 3 } else { 1 };
        let all: Vec<u64> =
            specials(format).into_iter().flat_map(|(_, values)| values).step_by(step).collect();
        let seconds = if arity == 1 { &[0][..] } else { &all };
        let pairs = all.iter().flat_map(|&a| seconds.iter().map(move |&b| [a, b]));
        pairs.filter(|pair| self.matches(dtype, &pair[..arity])).collect()
    }
}

/// Whether a condition holds: always without one, of the type, or of any element of the inputs by a pattern.
pub(super) fn holds(
    condition: &str,
    dtype: DType,
    inputs: &[Option<Tensor>],
) -> Result<bool, StatementError> {
    Ok(match (condition, dtype.kind()) {
        ("", _) | ("float", Kind::Float(_)) | ("int", Kind::Int { .. }) => true,
        ("signed", Kind::Int { signed, .. }) => signed,
        ("unsigned", Kind::Int { signed, .. }) => !signed,
        ("float" | "int" | "signed" | "unsigned", _) => false,
        _ => {
            let pattern = Pattern::of(condition)
                .ok_or_else(|| StatementError::word(condition, "condition"))?;
            let inputs = || inputs.iter().flatten();
            let count = inputs().map(Tensor::elements).min().unwrap_or(0);
            (0..count).any(|at| {
                let operands: Vec<u64> =
                    inputs().filter_map(|input| Some(input.element(at)? as u64)).collect();
                pattern.matches(dtype, &operands)
            })
        }
    })
}

/// The operands at every boundary of an operator's results of a type; of one operand the second has no
/// meaning. Zeros come with both signs, and two operands of floats with both negated.
pub(super) fn at_boundaries(
    operator: &Operator,
    dtype: DType,
) -> Result<Vec<Tuple>, StatementError> {
    let (mut operands, mut seen) = (Vec::new(), BTreeSet::new());
    for Solved { sides, .. } in &*known::of(operator, dtype).map_err(Box::new)? {
        for pair in sides.iter().flatten().copied() {
            let all = std::iter::once(pair).chain(with_signs(dtype, operator.arity(), pair));
            operands.extend(all.filter(|pair| seen.insert(*pair)));
        }
    }
    Ok(operands)
}

/// The same operands of floats with other signs.
fn with_signs(dtype: DType, arity: usize, [a, b]: Tuple) -> Vec<Tuple> {
    let Kind::Float(format) = dtype.kind() else { return Vec::new() };
    let is_zero = |bits| format.class(bits) == Class::Zero;
    let [minus_a, minus_b] = [a, b].map(|bits| format.negated(bits));
    match arity {
        1 if is_zero(a) => vec![[minus_a, b]],
        1 => Vec::new(),
        _ if is_zero(a) || is_zero(b) => vec![[minus_a, minus_b], [minus_a, b], [a, minus_b]],
        _ => vec![[minus_a, minus_b]],
    }
}
