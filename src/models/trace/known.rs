//! Nodes that are known to be wrong: what a list of known failures says of a node, and its entries for those that are wrong.
//!
//! The id of a node is the name of the model's file without its ending, `/`, and the node's name.

use std::path::Path;

use super::document::{KnownNode, Node, Trace};
use crate::judge::expect::{Expectations, Facts, Known};
use crate::judge::verdict::Verdict;

/// What a list says of a node of the model of this file: the entry that has its verdict, else the first that matches.
pub(super) fn find(
    list: &Expectations,
    model: &Path,
    node: &Node,
    opset: Option<i64>,
) -> Option<KnownNode> {
    let id = id(model, &node.node);
    let element_type = |form: &String| form.split('[').next().unwrap_or_default().to_owned();
    let types: Vec<String> = node.types.iter().map(element_type).collect();
    let (operator, opset) = (node.operator.as_str(), opset.unwrap_or_default());
    let facts = Facts { id: &id, operator, types: &types, opset };
    // Every node is run.
    let is_of = |entry: &&Known| entry.verdict != Verdict::Skipped && entry.matches(&facts);
    let entries: Vec<&Known> = list.entries().iter().filter(is_of).collect();
    let entry = entries.iter().find(|entry| entry.verdict == node.verdict).or(entries.first())?;
    Some(KnownNode { verdict: entry.verdict, flaky: entry.flaky, reason: entry.reason.clone() })
}

/// Entries for the nodes of a trace that are wrong and not known to be.
pub fn entries(trace: &Trace, reason: &str) -> Vec<Known> {
    let wrong = trace.nodes.iter().filter(|node| node.is_unexpected());
    let entry = |node: &Node| Known {
        cases: id(Path::new(&trace.model.name), &node.node),
        verdict: node.verdict,
        reason: reason.to_owned(),
        ..Known::default()
    };
    wrong.map(entry).collect()
}

fn id(model: &Path, node: &str) -> String {
    format!("{}/{node}", model.file_stem().unwrap_or_default().to_string_lossy())
}
