//! An atlas against an earlier one: what is worse, what is better, and what else is another.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use super::Weight::{self, Finding, Improvement, Note};
use super::{Change, Comparison, Kind};
use crate::document::text::short;
use crate::foundation::printable::on_one_line;
use crate::foundation::text::{counted, grouped, natural_order};
use crate::measure::atlas::document::{Atlas, Limit, Row};
use crate::measure::atlas::name;
use crate::measure::campaign::notation::read_error;
use crate::oracle::Deviation;
use crate::reference::survey::by_size;

/// What kind of change of an atlas, in the order they are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowChange {
    /// A row of the baseline is not there.
    LostRow,
    /// A row is of another strategy, or of other inputs of the same one.
    OtherInputs,
    /// Fewer inputs of a row were executed, or decided.
    LostInputs,
    /// A figure of a row is not known any more.
    LostFigure,
    /// A limit of a profile held for a row and does not, or is not known to.
    LostLimit,
    /// The largest error of a row grew.
    LargerError,
    /// A row has more results that are wrong in some way.
    MoreWrong,
    /// The atlas is of another build of this tool, whose reference may be another.
    ChangedTool,
    /// A backend has another version.
    ChangedBackend,
    /// A row was not executed to its end then, nor is it now, for another reason.
    ChangedFailure,
    /// A row is not in the baseline.
    NewRow,
    /// More inputs of a row were executed, or decided.
    MoreInputs,
    /// A limit of a profile holds for a row and did not.
    NewLimit,
    /// The largest error of a row shrank.
    SmallerError,
    /// A row has fewer results that are wrong in some way.
    FewerWrong,
}

impl Kind for RowChange {
    fn described(self) -> (Weight, &'static str) {
        match self {
            Self::LostRow => (Finding, "lost rows"),
            Self::OtherInputs => (Finding, "rows of other inputs"),
            Self::LostInputs => (Finding, "rows of fewer inputs"),
            Self::LostFigure => (Finding, "rows of which less is known"),
            Self::LostLimit => (Finding, "rows beyond limits that held"),
            Self::LargerError => (Finding, "larger errors in ULP"),
            Self::MoreWrong => (Finding, "rows with more wrong results"),
            Self::ChangedTool => (Note, "another build of this tool"),
            Self::ChangedBackend => (Note, "changed backends"),
            Self::ChangedFailure => (Note, "rows that fail otherwise"),
            Self::NewRow => (Note, "new rows"),
            Self::MoreInputs => (Improvement, "rows of more inputs"),
            Self::NewLimit => (Improvement, "rows within limits that were exceeded before"),
            Self::SmallerError => (Improvement, "smaller errors in ULP"),
            Self::FewerWrong => (Improvement, "rows with fewer wrong results"),
        }
    }
}

/// Two atlases cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum CompareError {
    #[error(
        "the baseline is of {baseline}, the atlas of {atlas}; compare atlases of the same backends"
    )]
    OtherBackends { baseline: String, atlas: String },
    #[error("an atlas has {0} in the versions {1} and {2}; compare atlases of one version each")]
    Versions(String, String, String),
    #[error(
        "no input of the baseline was executed, so nothing could become worse; make it of an atlas \
         that executed some"
    )]
    NothingExecuted,
}

/// Sets an atlas against an earlier one. Rows are joined by backend, operator, type and attributes, and by the
/// strategy where there are several of these.
pub fn compared(baseline: &Atlas, atlas: &Atlas) -> Result<Comparison<RowChange>, CompareError> {
    let (then, now) = (versions(baseline)?, versions(atlas)?);
    if baseline.rows.iter().all(|row| row.executed == 0) {
        return Err(CompareError::NothingExecuted);
    }
    if then.keys().all(|name| !now.contains_key(name)) {
        let list = |of: BTreeMap<&str, &str>| {
            let names: Vec<_> =
                of.into_keys().map(|name| format!("`{}`", on_one_line(name))).collect();
            if names.is_empty() { "no backend".to_owned() } else { names.join(", ") }
        };
        return Err(CompareError::OtherBackends { baseline: list(then), atlas: list(now) });
    }
    let heading = heading(baseline, atlas, &now);
    let mut changes: Vec<_> = of_tools(baseline, atlas).into_iter().collect();
    for (name, version) in &now {
        let before = then.get(name).filter(|before| *before != version);
        let line = |version: &str| format!("version {version}\n");
        changes.extend(before.map(|before| {
            Change::new(RowChange::ChangedBackend, name, line(before), line(version))
        }));
    }
    for (then, now) in pairs(&baseline.rows, &atlas.rows) {
        match (then, now) {
            (Some(then), Some(now)) => of_row(then, now, &mut changes),
            (Some(then), None) => {
                let lines = described(then);
                changes.push(Change::new(RowChange::LostRow, &name(then), lines, String::new()));
            }
            (None, Some(now)) => {
                let lines = described(now);
                changes.push(Change::new(RowChange::NewRow, &name(now), String::new(), lines));
            }
            (None, None) => {}
        }
    }
    changes.sort_by(|a, b| a.kind.cmp(&b.kind).then_with(|| natural_order(&a.what, &b.what)));
    Ok(Comparison { heading, changes, is_strict: false })
}

/// The version of each backend, of which there has to be one.
fn versions(atlas: &Atlas) -> Result<BTreeMap<&str, &str>, CompareError> {
    let mut versions = BTreeMap::new();
    for row in &atlas.rows {
        match versions.insert(row.backend.as_str(), row.version.as_str()) {
            Some(other) if other != row.version => {
                let [name, a, b] = [&row.backend, other, &row.version].map(on_one_line);
                return Err(CompareError::Versions(name, a, b));
            }
            _ => {}
        }
    }
    Ok(versions)
}

/// What is compared with what.
fn heading(baseline: &Atlas, atlas: &Atlas, versions: &BTreeMap<&str, &str>) -> Vec<String> {
    let [then, now] = [baseline, atlas].map(|atlas| {
        let executed = atlas.rows.iter().fold(0_u64, |sum, row| sum.saturating_add(row.executed));
        (atlas.rows.len() as u64, executed)
    });
    let backends: Vec<_> =
        versions.iter().map(|(name, version)| format!("{name} {version}")).collect();
    let [rows, inputs] = [counted(now.0, "row"), counted(now.1, "input")];
    vec![
        format!("atlas of {}", backends.join(", ")),
        format!(
            "{rows}, {inputs} executed; in the baseline {}, {}",
            grouped(then.0),
            grouped(then.1)
        ),
    ]
}

fn of_tools(then: &Atlas, now: &Atlas) -> Option<Change<RowChange>> {
    let lines = |atlas: &Atlas| {
        let changed = if atlas.tool.dirty == Some(true) { ", changed" } else { "" };
        format!("version {}\ncommit {}{changed}\n", atlas.tool.version, atlas.tool.commit)
    };
    (then.tool != now.tool)
        .then(|| Change::new(RowChange::ChangedTool, &now.tool.name, lines(then), lines(now)))
}

/// Rows side by side: of one backend, operator and type those of one strategy, else what is left of both.
fn pairs<'a>(then: &'a [Row], now: &'a [Row]) -> Vec<(Option<&'a Row>, Option<&'a Row>)> {
    type Rows<'a> = BTreeMap<([&'a str; 3], &'a BTreeMap<String, String>), Vec<&'a Row>>;
    fn by_key(rows: &[Row]) -> Rows<'_> {
        let mut of = Rows::new();
        for row in rows {
            let key = ([&*row.backend, &row.operator, &row.type_name], &row.attributes);
            of.entry(key).or_default().push(row);
        }
        of
    }
    let [mut then, mut now] = [then, now].map(by_key);
    let keys: BTreeSet<_> = then.keys().chain(now.keys()).copied().collect();
    let mut pairs = Vec::new();
    for key in keys {
        let [mut before, mut after] =
            [&mut then, &mut now].map(|of| of.remove(&key).unwrap_or_default());
        before.retain(|row| {
            let at = after.iter().position(|other| other.strategy == row.strategy);
            pairs.extend(at.map(|at| (Some(*row), Some(after.remove(at)))));
            at.is_none()
        });
        for at in 0..before.len().max(after.len()) {
            pairs.push((before.get(at).copied(), after.get(at).copied()));
        }
    }
    pairs
}

/// What differs in a row that both have. Other inputs have other errors, so they account for whatever else is;
/// and with fewer inputs nothing is better. What is better, is so once.
fn of_row(then: &Row, now: &Row, changes: &mut Vec<Change<RowChange>>) {
    let what = name(now);
    let change = |kind, then: String, now: String| Change::new(kind, &what, then, now);
    let inputs = |row: &Row| (row.strategy.clone(), row.parameters.clone(), row.shard, row.inputs);
    if inputs(then) != inputs(now) {
        changes.push(change(RowChange::OtherInputs, described(then), described(now)));
        return;
    }
    let (before, after) = (seen(then), seen(now));
    let is_lost = after.0 < before.0 || after.1 < before.1;
    if is_lost {
        changes.push(change(RowChange::LostInputs, covered(then), covered(now)));
    } else if then.failure != now.failure && then.failure.is_some() && now.failure.is_some() {
        changes.push(change(RowChange::ChangedFailure, covered(then), covered(now)));
    }
    let mut differing = Vec::new();
    if after > before {
        differing.push(change(RowChange::MoreInputs, covered(then), covered(now)));
    }
    // Of a row of which nothing was executed, nothing can be worse.
    if then.executed > 0 && now.executed > 0 {
        let of = [of_limits(then, now), of_error(then, now), of_counts(then, now)];
        for (kind, then, now) in of.into_iter().flatten() {
            let next = change(kind, then, now);
            match differing.iter_mut().find(|one| one.kind == kind) {
                Some(one) => *one = one.clone().and(&next),
                None => differing.push(next),
            }
        }
    }
    let (better, worse): (Vec<_>, Vec<_>) =
        differing.into_iter().partition(|change| change.kind.weight() == Improvement);
    changes.extend(worse);
    if !is_lost {
        changes.extend(better.into_iter().reduce(|all, other| all.and(&other)));
    }
}

/// Inputs of a row that were executed, and those of them whose results were decided.
const fn seen(row: &Row) -> (u64, u64) {
    (row.executed, row.executed.saturating_sub(row.reference_undecided))
}

/// A kind of change, and the line that tells of it then and now.
type Told = (RowChange, String, String);

/// Limits that held, or hold now.
fn of_limits(then: &Row, now: &Row) -> Vec<Told> {
    let profiles: BTreeSet<_> =
        then.limits.iter().chain(&now.limits).map(|limit| limit.profile.as_str()).collect();
    let of = |profile: &str| {
        let limit =
            |row: &'_ Row| row.limits.iter().find(|limit| limit.profile == profile).cloned();
        let [before, after] = [then, now].map(limit);
        let holds =
            |limit: &Option<Limit>| limit.as_ref().and_then(|limit| limit.holds) == Some(true);
        let kind = match (holds(&before), holds(&after)) {
            (true, false) => RowChange::LostLimit,
            // One that was not there is none that did not hold.
            (false, true) if before.is_some() => RowChange::NewLimit,
            _ => return None,
        };
        let line = |limit: Option<Limit>| {
            limit.map_or_else(|| format!("{profile}: no limit\n"), |limit| limit.stated() + "\n")
        };
        Some((kind, line(before), line(after)))
    };
    profiles.into_iter().filter_map(of).collect()
}

/// The largest error, where it is another.
fn of_error(then: &Row, now: &Row) -> Vec<Told> {
    let error = |row: &Row| row.max_error_ulp.as_deref().and_then(read_error);
    let line = |row: &Row| match (error(row), &row.max_error_ulp) {
        (Some(Deviation::Ulps(_)), Some(text)) => {
            format!("{} ULP at {}\n", short(text), row.at.join(", "))
        }
        (_, Some(text)) => format!("{text} at {}\n", row.at.join(", ")),
        (_, None) if row.executed > 0 && row.not_correctly_rounded == 0 => {
            "all results correctly rounded\n".to_owned()
        }
        (_, None) => "no error\n".to_owned(),
    };
    // Of errors of one size an atlas has that of the least operands, so that only another size is larger or smaller.
    let order = match (error(then), error(now)) {
        (Some(then), Some(now)) => by_size(then, now),
        (then, now) => then.is_some().cmp(&now.is_some()),
    };
    let kind = match order {
        Ordering::Less => RowChange::LargerError,
        Ordering::Greater => RowChange::SmallerError,
        Ordering::Equal => return Vec::new(),
    };
    vec![(kind, line(then), line(now))]
}

/// What is counted in a row, in words, and the count.
type Counted = (&'static str, fn(&Row) -> Option<u64>);

const COUNTED: [Counted; 9] = [
    ("not correctly rounded", |row| Some(row.not_correctly_rounded)),
    ("wrong where everything is exact", |row| Some(row.special_mismatches)),
    ("flushed to zero", |row| Some(row.flushed)),
    ("neighbours in the wrong order", |row| row.not_monotone),
    ("pairs of a number and its negation that differ", |row| row.not_symmetric),
    ("operands in clamps", |row| Some(row.clamps.as_ref()?.operands)),
    ("results that differ alone and among others", |row| row.position_dependent),
    ("results that differ in small and large tensors", |row| row.size_dependent),
    ("results that differ when computed again", |row| row.repetition_dependent),
];

/// Counts that are others.
fn of_counts(then: &Row, now: &Row) -> Vec<Told> {
    let of = |(words, count): &Counted| {
        let (before, after) = (count(then), count(now));
        let kind = match (before, after) {
            (Some(before), Some(after)) if after > before => RowChange::MoreWrong,
            (Some(before), Some(after)) if after < before => RowChange::FewerWrong,
            (Some(_), None) => RowChange::LostFigure,
            _ => return None,
        };
        let line = |count: Option<u64>| {
            let count = count.map_or_else(|| "not known".to_owned(), grouped);
            format!("{words}: {count}\n")
        };
        Some((kind, line(before), line(after)))
    };
    COUNTED.iter().filter_map(of).collect()
}

/// What a row covers, in lines.
fn covered(row: &Row) -> String {
    let (executed, decided) = seen(row);
    let undecided = match executed - decided {
        0 => String::new(),
        undecided => format!(", {} undecided", grouped(undecided)),
    };
    let of = counted(row.inputs, "input");
    let failure = row.failure.as_ref().map(|failure| format!("{failure}\n"));
    let failure = failure.unwrap_or_default();
    format!("{} of {of} executed{undecided}\n{failure}", grouped(executed))
}

/// A row, in lines.
fn described(row: &Row) -> String {
    let parameters = row.parameters.iter().map(|(name, value)| format!(", {name} {value}"));
    let shard = row.shard.map(|shard| format!(", part {shard}")).unwrap_or_default();
    let error = row.max_error_ulp.as_deref().map_or("none", short);
    let wrong = grouped(row.not_correctly_rounded);
    format!(
        "{}{}{shard}\n{}largest error: {error}\nnot correctly rounded: {wrong}\n",
        row.strategy,
        parameters.collect::<String>(),
        covered(row),
    )
}
