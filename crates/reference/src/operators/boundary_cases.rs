//! The cases named `boundaries`: operands at the boundaries of results.

use std::collections::BTreeSet;

use values::dtype::{DType, Kind};
use values::float::Class;
use values::tensor::Tensor;

use crate::boundaries::{Solution, Solved, solved};
use crate::case_list::CaseList;
use crate::case_spec::Stated;
use crate::elements::{ElementError, operand};
use crate::inputs::Tuple;
use crate::operator::Operator;

/// The name of the cases.
pub(super) const NAME: &str = "boundaries";

/// What they are about.
pub(super) const NOTE: &str = "exact results just below, on and just above every boundary of the type, as \
                               docs/boundaries.md lists them";

/// The cases of ONNX for the newest version, one a type; integers have one requirement more.
pub(super) fn onnx(operator: &Operator, ids: &[&str]) -> Stated {
    let version = operator.newest();
    let mut list = CaseList::onnx(operator, version);
    for &dtype in version.inputs.first().map_or(&[][..], |port| port.types) {
        let int = matches!(dtype.kind(), Kind::Int { .. }).then_some("INT_0010");
        let ids: Vec<&str> = ids.iter().copied().chain(int).collect();
        list.add(dtype, NAME, inputs(operator, dtype)?, &ids, NOTE);
    }
    Ok(list.into_cases())
}

/// The inputs of a case.
pub(super) fn inputs(operator: &Operator, dtype: DType) -> Result<Vec<Tensor>, ElementError> {
    let found = operands(operator, dtype)?;
    (0..operator.arity()).map(|which| operand(dtype, &found, which)).collect()
}

/// The operands at every boundary of an operator's results of a type; of one operand the second has no
/// meaning. Zeros come with both signs, and two operands of floats with both negated.
fn operands(operator: &Operator, dtype: DType) -> Result<Vec<Tuple>, ElementError> {
    let mut operands = Vec::new();
    let Some(inputs) = operator.reference.boundaries() else { return Ok(operands) };
    for Solved { sides, .. } in solved(inputs, dtype).map_err(Box::new)? {
        for side in sides {
            let Solution::Operands(pair) = side else { continue };
            operands.push(pair);
            let Kind::Float(format) = dtype.kind() else { continue };
            let [a, b] = pair;
            let is_zero = |bits| format.class(bits) == Class::Zero;
            match operator.arity() {
                1 if is_zero(a) => operands.push([format.negated(a), b]),
                1 => {}
                _ => operands.push([format.negated(a), format.negated(b)]),
            }
            if operator.arity() == 2 && (is_zero(a) || is_zero(b)) {
                operands.extend([[format.negated(a), b], [a, format.negated(b)]]);
            }
        }
    }
    let mut seen = BTreeSet::new();
    operands.retain(|operands| seen.insert(*operands));
    Ok(operands)
}
