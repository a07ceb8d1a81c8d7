//! Operands without elements.

use values::tensor::Tensor;

use crate::case_spec::CaseSpec;
use crate::elements::blank;
use crate::signature::Presence;

use super::{Class, Derivation, MOST_BASES, Reached};

pub(super) fn derive(derivation: &mut Derivation<'_>) {
    let bases = derivation.bases();
    let inputs = derivation.version.inputs;
    // Of operands of any number the second, too.
    let several = inputs.last().filter(|port| port.presence == Presence::Variadic);
    let ports: Vec<_> = inputs.iter().chain(several).enumerate().collect();
    for (at, port) in ports {
        let is_empty = |case: &&CaseSpec| {
            case.inputs.get(at).and_then(Option::as_ref).is_some_and(|it| it.elements() == 0)
        };
        if derivation.stated.iter().any(is_empty) {
            derivation.target(Class::Empty, port.name_at(at), Reached::Stated);
            continue;
        }
        let has = |base: &&&CaseSpec| {
            base.inputs.get(at).and_then(Option::as_ref).is_some_and(|it| !it.shape().is_empty())
        };
        let cases = bases.iter().filter(has).take(MOST_BASES).flat_map(|base| emptied(base, at));
        let found = { cases }.find(|case| derivation.judged(case).is_some());
        let reached = match found {
            None => Reached::Excluded,
            Some(case) => {
                let name = format!("empty_{}", port.name_at(at));
                Reached::Derived(derivation.add(Class::Empty, &name, case))
            }
        };
        derivation.target(Class::Empty, port.name_at(at), reached);
    }
}

/// The case with one dimension of an operand of size 0, and the same with that of all operands of this rank and size.
fn emptied(base: &CaseSpec, at: usize) -> Vec<CaseSpec> {
    let Some(Some(operand)) = base.inputs.get(at) else { return Vec::new() };
    let mut cases = Vec::new();
    for axis in 0..operand.shape().len() {
        for alone in [true, false] {
            let is_changed = |other: &Tensor, place: usize| {
                let is_alike = other.shape().len() == operand.shape().len()
                    && other.shape()[axis] == operand.shape()[axis];
                place == at || (!alone && is_alike)
            };
            let empty = |(place, input): (usize, &Option<Tensor>)| match input {
                Some(other) if is_changed(other, place) => {
                    let mut shape = other.shape().to_vec();
                    shape[axis] = 0;
                    blank(other.dtype(), &shape).ok()
                }
                other => other.clone(),
            };
            let inputs = base.inputs.iter().enumerate().map(empty).collect();
            cases.push(CaseSpec { inputs, ..base.clone() });
        }
    }
    cases
}
