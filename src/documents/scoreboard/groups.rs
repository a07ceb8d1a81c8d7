//! Disagreements of like kind together, for readers who would not read them one by one.

use std::collections::BTreeMap;

use super::document::{Case, Cell, Disagreement, Element, Scoreboard};
use crate::judge::verdict::Verdict;

/// Disagreements on one operator, decided alike for the same reason, with the same outliers and
/// verdicts.
pub(super) struct Group<'a> {
    pub(super) first: &'a Disagreement,
    pub(super) case: &'a Case,
    /// The cases of all of them.
    pub(super) cases: Vec<&'a Case>,
}

/// The groups, in the order of their first disagreements.
pub(super) fn of(scoreboard: &Scoreboard) -> Vec<Group<'_>> {
    let cases: BTreeMap<&str, &Case> =
        scoreboard.cases.iter().map(|case| (case.id.as_str(), case)).collect();
    let mut groups = Vec::<Group<'_>>::new();
    let mut places = BTreeMap::new();
    for one in &scoreboard.disagreements {
        let Some(case) = cases.get(one.case.as_str()).copied() else { continue };
        let outliers: Vec<_> = one.outliers.iter().map(|outlier| outlier.backend).collect();
        let cells = case.backends.iter().map(Option::as_ref);
        let did: Vec<_> =
            cells.map(|cell| cell.map(|cell| (cell.verdict, cell.returned))).collect();
        let kind = (one.decided_by, &one.reason, &case.operator, &case.suite, outliers, did);
        if let Some(group) = places.get(&kind).and_then(|&place: &usize| groups.get_mut(place)) {
            group.cases.push(case);
        } else {
            places.insert(kind, groups.len());
            groups.push(Group { first: one, case, cases: vec![case] });
        }
    }
    groups
}

/// Groups of one operator.
pub(super) struct OfOperator<'a> {
    pub(super) operator: &'a str,
    pub(super) cases: u64,
    pub(super) groups: Vec<Group<'a>>,
}

/// The groups of each operator, in the order of their first disagreements.
pub(super) fn by_operator(scoreboard: &Scoreboard) -> Vec<OfOperator<'_>> {
    let mut all = Vec::<OfOperator<'_>>::new();
    let mut places = BTreeMap::new();
    for group in of(scoreboard) {
        let (operator, cases) = (group.case.operator.as_str(), group.cases.len() as u64);
        if let Some(own) = places.get(operator).and_then(|&place: &usize| all.get_mut(place)) {
            own.cases += cases;
            own.groups.push(group);
        } else {
            places.insert(operator, all.len());
            all.push(OfOperator { operator, cases, groups: vec![group] });
        }
    }
    all
}

impl Group<'_> {
    /// What the backends did that answered the first case: for each answer who gave it.
    pub(super) fn answers<'l>(&self, labels: &'l [String]) -> Vec<(String, Vec<&'l str>)> {
        let elements = self.case.outputs.iter().flat_map(|output| &output.elements);
        let differing = elements.max_by_key(|element| element.answers.len() > 1);
        let cells = labels.iter().zip(&self.case.backends).enumerate();
        by_answer(cells.filter_map(|(at, (label, cell))| {
            Some((answer(cell.as_ref()?, at, differing)?, label.as_str()))
        }))
    }
}

/// For each answer, in the order of the first, who gave it.
pub(super) fn by_answer<'l, A: PartialEq>(
    answers: impl Iterator<Item = (A, &'l str)>,
) -> Vec<(A, Vec<&'l str>)> {
    let mut groups = Vec::<(A, Vec<&str>)>::new();
    for (answer, label) in answers {
        match groups.iter_mut().find(|(known, _)| *known == answer) {
            Some((_, labels)) => labels.push(label),
            None => groups.push((answer, vec![label])),
        }
    }
    groups
}

/// What a backend did, with what it returned for one element; none where it did not answer.
fn answer(cell: &Cell, backend: usize, element: Option<&Element>) -> Option<String> {
    match (cell.verdict, cell.returned) {
        (Verdict::Unsupported | Verdict::Skipped, _) => None,
        (Verdict::Crash | Verdict::Timeout | Verdict::Fault, _) => Some(cell.verdict.to_string()),
        (_, false) => Some("no values".to_owned()),
        (_, true) => {
            let value = element.and_then(|element| element.answer(backend));
            Some(value.map_or_else(|| "values".to_owned(), |answer| answer.value.clone()))
        }
    }
}
