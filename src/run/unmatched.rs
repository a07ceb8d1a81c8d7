//! A selection that takes no case, and what would help.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::case_id;
use crate::corpus::case::Case;
use crate::corpus::selection::Selection;
use crate::corpus::suite::Suite;
use crate::corpus::{Corpus, natural_order};
use crate::foundation::text::{enumerated, nearest};

/// How many names are told where none is like the one that was given.
const NAMES_TOLD: usize = 20;

/// No case of some corpora is as a selection asks.
#[derive(Debug, thiserror::Error)]
#[error("no case matches {selection}; {help}")]
pub struct NoCase {
    selection: String,
    help: String,
}

impl NoCase {
    /// That no case of these corpora is as the selection asks; the models tell what they hold instead.
    pub fn among(corpora: &[(Suite, Corpus)], selection: &Selection) -> Self {
        let selected = selection.to_string();
        let all = corpora.iter().flat_map(|(_, corpus)| {
            corpus.cases().iter().map(|case| (case_id(corpus, case.name()), case))
        });
        let (taken, others): (Vec<_>, Vec<_>) = all.partition(|(id, _)| selection.takes_id(id));
        if taken.is_empty() {
            let ids = others.iter().map(|(id, _)| id.as_str());
            return Self { selection: selected, help: named_like(ids) };
        }
        let models = taken.par_iter().filter_map(|(id, case)| {
            let case = Case::decode(id, case.load().ok()?.files()).ok()?;
            let ports = case.model.inputs().iter().chain(case.model.outputs());
            let types = ports.filter_map(|port| port.value_type.dtype()).collect();
            Some((case.model.operators(), types, case.model.first_opset()))
        });
        let models: Vec<(Vec<String>, BTreeSet<_>, i64)> = models.collect();
        let operators: BTreeSet<&str> =
            models.iter().flat_map(|(all, ..)| all).map(String::as_str).collect();
        let is_missing =
            |name: &&String| !operators.iter().any(|one| one.eq_ignore_ascii_case(name));
        let help = if let Some(name) = selection.operators.iter().find(is_missing) {
            let like = nearest(name, operators.iter().copied());
            let like = like.map(|like| format!("did you mean `{like}`?"));
            let known = || format!("the operators are {}", enumerated(operators, NAMES_TOLD));
            format!("no model has the operator `{name}`: {}", like.unwrap_or_else(known))
        } else {
            let types: BTreeSet<_> = models.iter().flat_map(|(_, types, _)| types).collect();
            let opsets: BTreeSet<_> = models.iter().map(|(.., opset)| opset).collect();
            let types = types.iter().map(ToString::to_string).collect::<Vec<_>>();
            let types = enumerated(types.iter().map(String::as_str), types.len());
            let opsets = opsets.first().zip(opsets.last());
            let opsets = opsets.map_or_else(String::new, |(first, last)| match first == last {
                true => format!("set {first}"),
                false => format!("sets {first} to {last}"),
            });
            format!(
                "the models have inputs and outputs of the types {types}, and are of the operator {opsets}"
            )
        };
        Self { selection: selected, help }
    }
}

/// The first and last id, to show what has to be matched.
fn named_like<'a>(ids: impl Iterator<Item = &'a str> + Clone) -> String {
    let first = ids.clone().min_by(|a, b| natural_order(a, b));
    let last = ids.max_by(|a, b| natural_order(a, b));
    match first.zip(last) {
        None => "there are none".to_owned(),
        Some((one, other)) if one == other => format!("cases are named like `{one}`"),
        Some((first, last)) => format!("cases are named like `{first}` .. `{last}`"),
    }
}
