//! Optional inputs, left out in every combination.

use crate::case_spec::CaseSpec;
use crate::signature::Presence;

use super::{Class, Derivation, Reached};

/// Optional inputs of which every combination is planned, at most.
const MOST_INPUTS: usize = 5;

/// Leaves an input out, and the place of it where nothing comes after.
pub(super) fn leave_out(case: &mut CaseSpec, at: usize) {
    if let Some(input) = case.inputs.get_mut(at) {
        *input = None;
    }
    while case.inputs.last().is_some_and(Option::is_none) {
        case.inputs.pop();
    }
}

pub(super) fn derive(derivation: &mut Derivation<'_>) {
    let inputs = derivation.version.inputs.iter().enumerate();
    let optional = inputs.filter(|(_, port)| port.presence == Presence::Optional);
    let optional: Vec<_> = optional.map(|(at, port)| (at, port.name)).take(MOST_INPUTS).collect();
    let bases = derivation.bases();
    let absent = |case: &CaseSpec| {
        let is_absent = |at: usize| case.inputs.get(at).is_none_or(Option::is_none);
        optional
            .iter()
            .enumerate()
            .fold(0, |set, (bit, (at, _))| set | usize::from(is_absent(*at)) << bit)
    };
    let stated: Vec<usize> = derivation.stated.iter().map(|case| absent(case)).collect();
    for set in 0..1 << optional.len() {
        if optional.is_empty() {
            break;
        }
        let left_out = optional.iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1);
        let left_out: Vec<(usize, &str)> = left_out.map(|(_, input)| *input).collect();
        let names: Vec<&str> = left_out.iter().map(|(_, name)| *name).collect();
        let name = if names.is_empty() { "none".to_owned() } else { names.join("_") };
        if stated.contains(&set) {
            derivation.target(Class::Absent, name, Reached::Stated);
            continue;
        }
        let without = |base: &&CaseSpec| {
            let mut case = (*base).clone();
            left_out.iter().for_each(|(at, _)| leave_out(&mut case, *at));
            case
        };
        let has_others = |base: &&&CaseSpec| absent(base) & !set == 0;
        let found = bases.iter().filter(has_others).map(without);
        let found = { found }.find(|case| derivation.judged(case).is_some());
        let reached = match found {
            None => Reached::Excluded,
            Some(case) => {
                Reached::Derived(derivation.add(Class::Absent, &format!("absent_{name}"), case))
            }
        };
        derivation.target(Class::Absent, name, reached);
    }
}
