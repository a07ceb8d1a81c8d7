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
        None if trace.nodes.iter().any(|node| node.verdict.is_failure()) => {
            writeln!(text, "No node is wrong but those that are known to be.")?;
        }
        None => writeln!(text, "No node is wrong.")?,
        Some(node) => first(text, node, style)?,
    }
    writeln!(text)?;
    let nodes = trace.summary.iter().filter(|(_, count)| **count > 0);
    let nodes: Vec<_> =
        nodes.map(|(verdict, count)| format!("{} {verdict}", grouped(*count))).collect();
    writeln!(text, "nodes    {}", nodes.join(", "))?;
    for (operator, Count { wrong, known, all }) in by_operator(&trace.nodes) {
        let known = match known {
            0 => String::new(),
            known if known == wrong => ", known".to_owned(),
            known => format!(", {} of them known", grouped(known)),
        };
        writeln!(text, "wrong    {} of {} {operator}{known}", grouped(wrong), grouped(all))?;
    }
    let mut passing = trace.nodes.iter().filter(|node| node.passes_by_now());
    if let Some(node) = passing.next() {
        let others = match passing.count() as u64 {
            0 => String::new(),
            others => format!(" and {} more", grouped(others)),
        };
        writeln!(text, "passes   {}{others}, unlike in the list", on_one_line(&node.node))?;
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

/// Of an operator's nodes, how many are wrong, how many of these are known to be, and how many there are.
#[derive(Default)]
struct Count {
    wrong: u64,
    known: u64,
    all: u64,
}

/// The operators of nodes that are wrong, the most first.
fn by_operator(nodes: &[Node]) -> Vec<(String, Count)> {
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    for node in nodes {
        let count = counts.entry(operator(node)).or_default();
        let is_wrong = node.verdict.is_failure();
        count.wrong += u64::from(is_wrong);
        count.known += u64::from(is_wrong && node.is_as_known());
        count.all += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().filter(|(_, count)| count.wrong > 0).collect();
    counts.sort_by_key(|(_, count)| Reverse(count.wrong));
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
    let mut nodes: Vec<&Node> = trace.nodes.iter().filter(is_listed).collect();
    nodes.sort_by_key(|node| !node.is_unexpected());
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
        let known = node.known.as_ref().filter(|_| node.is_as_known());
        let why = match (known, &node.message, node.mismatches) {
            (Some(known), ..) => {
                format!("\n    {}", fitted(&format!("known: {}", on_one_line(&known.reason)), 76))
            }
            (None, Some(message), 0) => format!("\n    {}", fitted(&on_one_line(message), 76)),
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
