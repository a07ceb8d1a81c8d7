//! What makes two documents parts of one campaign.

use std::collections::BTreeMap;

use super::document::{Campaign, Span};
use crate::check::Check;
use reference::operators;

/// Two documents are not of one campaign, or not of parts that go together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {member} differs: `{one}` and `{other}`")]
pub struct Differs {
    member: &'static str,
    one: String,
    other: String,
}

/// What has to be the same, by name and as readers are shown it.
type Members = Vec<(&'static str, String)>;

/// Attributes or parameters as readers are shown them: `alpha=0.5 to=int8`.
fn pairs(all: &BTreeMap<String, String>) -> String {
    all.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
}

impl Campaign {
    /// What the operator was applied to: the type, the one that results have like an operand, and attributes, where
    /// there are such.
    pub(super) fn subject(&self) -> String {
        let Self { operator, type_name, result_type, attributes, .. } = self;
        let takes_like = operators::onnx().any(|it| it.name == operator && Check::takes_like(it));
        let like = if takes_like { format!(" like {result_type}") } else { String::new() };
        format!("{type_name}{like} {}", pairs(attributes)).trim_end().to_owned()
    }

    /// Whether this document and another are of one campaign: by one tool on one backend, under one
    /// profile, with the same strategy on the same operator and type; and what else has to be the
    /// same: [`part`] or [`division`]. Says what differs first.
    pub(super) fn same(&self, other: &Self, more: fn(&Self) -> Members) -> Result<(), Differs> {
        let all = |document: &Self| [campaign(document), more(document)].concat();
        let mut pairs = all(self).into_iter().zip(all(other));
        match pairs.find(|(one, other)| one != other) {
            Some(((member, one), (_, other))) => Err(Differs { member, one, other }),
            None => Ok(()),
        }
    }
}

fn campaign(document: &Campaign) -> Members {
    let Campaign { tool, backend, parameters, .. } = document;
    let dirty = if tool.dirty == Some(true) { ", with changes" } else { "" };
    vec![
        ("tool", format!("{} {} ({}{dirty})", tool.name, tool.version, tool.commit)),
        ("backend", format!("{} {}", backend.name, backend.version)),
        ("backend's own description", format!("{:?}", backend.details)),
        ("profile", document.profile.clone()),
        ("operator", document.operator.clone()),
        ("type", document.type_name.clone()),
        ("type of the results", document.result_type.clone()),
        ("attributes", pairs(&document.attributes)),
        ("strategy", document.strategy.clone()),
        ("strategy's parameters", pairs(parameters)),
        ("number of inputs", document.inputs.to_string()),
    ]
}

/// Which part of the campaign a document is of.
pub(super) fn part(document: &Campaign) -> Members {
    let Span { first, end } = document.range;
    let shard = document.shard.map_or_else(|| "none".to_owned(), |shard| shard.to_string());
    vec![("range", format!("{first}..{end}")), ("shard", shard)]
}

/// How the campaign was divided: into shards of one range, or ranges of one strategy.
pub(super) fn division(document: &Campaign) -> Members {
    let Span { first, end } = document.range;
    let way = document.shard.map_or_else(
        || "a range".to_owned(),
        |shard| format!("a shard of {} of {first}..{end}", shard.count),
    );
    vec![("way of division", way)]
}
