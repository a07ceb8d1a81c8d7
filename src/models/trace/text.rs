//! A trace for the terminal, in 80 columns but for names.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::document::{Born, Fusion, Node, Trace, WentOn};
use super::words::{of_effect, of_enclosure, of_group, of_output, operator};
use super::write::Written;
use crate::document::style::{Style, fitted};
use crate::document::text::{decimal_and_bits, grouped, short};
use crate::foundation::printable::on_one_line;
use crate::judge::verdict::Verdict;
use crate::oracle::Share;

/// How many nodes are listed by the share of their bounds.
const LISTED: usize = 12;

/// The trace in words.
pub fn render(trace: &Trace, written: &Written, style: Style) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut text, trace, written, style);
    text
}

fn write(text: &mut String, trace: &Trace, written: &Written, style: Style) -> std::fmt::Result {
    let backend = format!("{} {}", trace.backend.name, trace.backend.version);
    writeln!(text, "{} on {}\n", on_one_line(&trace.model.name), on_one_line(&backend))?;
    match trace.first() {
        None => writeln!(text, "No node is wrong.")?,
        Some(node) => first(text, node, style)?,
    }
    writeln!(text)?;
    let nodes = trace.summary.iter().filter(|(_, count)| **count > 0);
    let nodes: Vec<_> =
        nodes.map(|(verdict, count)| format!("{} {verdict}", grouped(*count))).collect();
    writeln!(text, "nodes    {}", nodes.join(", "))?;
    for (operator, wrong, all) in by_operator(&trace.nodes) {
        writeln!(text, "wrong    {} of {} {operator}", grouped(wrong), grouped(all))?;
    }
    let elements: u64 = trace.nodes.iter().map(|node| node.elements).sum();
    writeln!(text, "judged   {} of {} elements", grouped(trace.judged()), grouped(elements))?;
    for input in &trace.inputs {
        let (name, source) = (on_one_line(&input.name), on_one_line(&input.source));
        writeln!(text, "input    {name} {}{:?}: {source}", input.type_name, input.shape)?;
    }
    for output in &trace.outputs {
        writeln!(text, "output   {}", of_output(output))?;
        for sentence in of_enclosure(output) {
            writeln!(text, "         {sentence}")?;
        }
    }
    born(text, &trace.nodes)?;
    wrong(text, trace)?;
    listed(text, trace)?;
    fusions(text, trace)?;
    writeln!(text)?;
    writeln!(text, "trace    {}", written.document.display())?;
    writeln!(text, "page     {}", written.page.display())?;
    if let Some(cases) = &written.cases {
        writeln!(text, "cases    {}", cases.display())?;
    }
    if let (Some(cases), Some(case)) =
        (&written.cases, trace.nodes.iter().find_map(|node| node.case.as_ref()))
    {
        writeln!(
            text,
            "\nTo see why:\n  onnx-conformance explain cases/{case} --corpus {} --profile {}",
            cases.display(),
            trace.profile
        )?;
    }
    Ok(())
}

fn first(text: &mut String, node: &Node, style: Style) -> std::fmt::Result {
    let name = on_one_line(&node.node);
    let verdict = style.paint(&node.verdict.to_string(), node.verdict);
    writeln!(text, "The first wrong node is `{name}` ({}): {verdict}.", operator(node))?;
    if let Some(message) = &node.message {
        writeln!(text, "  {}", on_one_line(message))?;
    }
    if let Some(worst) = &node.worst {
        let index = &worst.index;
        writeln!(text, "  {}{index:?} is {},", on_one_line(&worst.output), worst.actual)?;
        writeln!(text, "  and {} would be right.", worst.expected)?;
        if !worst.inputs.is_empty() {
            writeln!(text, "  It is computed from {}.", on_one_line(&worst.inputs.join(", ")))?;
        }
    }
    node.effects.iter().try_for_each(|effect| writeln!(text, "  {}", of_effect(effect)))
}

/// The operators of nodes that are wrong, with how many are and how many there are, the most first.
fn by_operator(nodes: &[Node]) -> Vec<(String, u64, u64)> {
    let mut counts: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for node in nodes {
        let (wrong, all) = counts.entry(operator(node)).or_default();
        *wrong += u64::from(node.verdict.is_failure());
        *all += 1;
    }
    let mut counts: Vec<_> =
        counts.into_iter().map(|(operator, (wrong, all))| (operator, wrong, all)).collect();
    counts.retain(|(_, wrong, _)| *wrong > 0);
    counts.sort_by_key(|(_, wrong, _)| Reverse(*wrong));
    counts
}

/// The first nodes that give a NaN or an infinity, and that lose a NaN.
fn born(text: &mut String, nodes: &[Node]) -> std::fmt::Result {
    for (born, word) in [(Born::Nan, "NaN"), (Born::Infinity, "infinity")] {
        if let Some(node) = nodes.iter().find(|node| node.born == Some(born)) {
            writeln!(
                text,
                "{word:<8} first in `{}` ({})",
                on_one_line(&node.node),
                operator(node)
            )?;
        }
    }
    Ok(())
}

/// The nodes that are not as they should be.
fn wrong(text: &mut String, trace: &Trace) -> std::fmt::Result {
    let is_listed = |node: &&Node| {
        node.verdict != Verdict::Pass && node.verdict != Verdict::OutOfDomain
            || node.went_on_with != WentOn::Backend
    };
    let nodes: Vec<&Node> = trace.nodes.iter().filter(is_listed).collect();
    if nodes.is_empty() {
        return Ok(());
    }
    writeln!(text, "\nNodes that are wrong or gave nothing:")?;
    for node in nodes.iter().take(LISTED) {
        let went_on = match node.went_on_with {
            WentOn::Backend => "",
            WentOn::Reference => "; went on with what the reference expects",
            WentOn::Nothing => "; nothing to go on with",
        };
        let why = match (&node.message, node.mismatches) {
            (Some(message), 0) => format!("\n    {}", fitted(&on_one_line(message), 76)),
            _ => String::new(),
        };
        let wrong = match node.mismatches {
            0 => String::new(),
            wrong => format!(", {} of {} elements", grouped(wrong), grouped(node.judged)),
        };
        let error = node.max_error_ulp.as_deref().filter(|_| node.mismatches > 0);
        let error = error.map_or_else(String::new, |error| format!(", {} ULP", short(error)));
        let name = on_one_line(&node.node);
        let verdict = node.verdict;
        writeln!(text, "  {verdict}  {name} ({}){wrong}{error}{went_on}{why}", operator(node))?;
    }
    if nodes.len() > LISTED {
        writeln!(text, "  and {} more", nodes.len() - LISTED)?;
    }
    Ok(())
}

/// The nodes that take the largest share of their bound.
fn listed(text: &mut String, trace: &Trace) -> std::fmt::Result {
    let share = |node: &&Node| node.share_of_bound.as_deref().and_then(Share::parse);
    let mut nodes: Vec<&Node> = trace.nodes.iter().filter(|node| share(node).is_some()).collect();
    if nodes.is_empty() {
        return Ok(());
    }
    nodes.sort_by_key(|node| Reverse(share(node)));
    writeln!(text, "\n{:>9}  {:>12}  node", "share", "ULP")?;
    for node in nodes.iter().take(LISTED) {
        let share = node.share_of_bound.as_deref().unwrap_or_default();
        let error = node.max_error_ulp.as_deref().map_or("", short);
        let name = on_one_line(&node.node);
        writeln!(text, "{share:>9}  {error:>12}  {name} ({})", operator(node))?;
    }
    Ok(())
}

fn fusions(text: &mut String, trace: &Trace) -> std::fmt::Result {
    if trace.fusions.is_empty() && trace.fusions_left.is_none() {
        return Ok(());
    }
    writeln!(text, "\nNodes that give other bits together than one by one:")?;
    for fusion in &trace.fusions {
        let Fusion { nodes, operators, max_ulp, max_abs, .. } = fusion;
        let named = nodes.iter().zip(operators);
        let named: Vec<_> =
            named.map(|(node, operator)| format!("{} ({operator})", on_one_line(node))).collect();
        let ulp = max_ulp.map_or_else(String::new, |ulp| format!(", {} ULP", grouped(ulp)));
        let abs = max_abs.as_deref().map_or("", |abs| decimal_and_bits(abs).0);
        let within = of_group(fusion);
        writeln!(text, "  {}\n    by up to {abs}{ulp}; {within}", named.join(" + "))?;
    }
    match &trace.fusions_left {
        Some(why) => writeln!(text, "  {}", on_one_line(why)),
        None => Ok(()),
    }
}
