//! What a trace says in sentences, for the terminal and the page alike.

use super::document::{Decided, Effect, Fusion, Node, Output};
use crate::document::text::{counted, decimal_and_bits, grouped, short};
use crate::foundation::printable::on_one_line;

/// An operator, with the version that the model's operator set has.
pub(super) fn operator(node: &Node) -> String {
    match node.since_version {
        Some(version) => format!("{}-{version}", on_one_line(&node.operator)),
        None => on_one_line(&node.operator),
    }
}

/// What a node that is wrong does to an output of the model.
pub(super) fn of_effect(effect: &Effect) -> String {
    let output = on_one_line(&effect.output);
    let Some(difference) = effect.max_abs.as_deref().map(|it| decimal_and_bits(it).0) else {
        return format!("What it does to output `{output}` cannot be said in numbers.");
    };
    if effect.max_ulp == Some(0) {
        return format!("It does not reach output `{output}`.");
    }
    let decision = match (effect.argmax_changed, effect.order_changed) {
        (0, 0) => "the order of the first five stays in every row".to_owned(),
        (0, rows) => format!(
            "the order of the first five changes in {} of {} rows",
            grouped(rows),
            grouped(effect.rows)
        ),
        (rows, _) => format!(
            "the largest element changes in {} of {} rows",
            grouped(rows),
            grouped(effect.rows)
        ),
    };
    let crossed = effect.threshold_crossed.map_or_else(String::new, |count| {
        format!("; {} cross the threshold", counted(count, "element"))
    });
    format!("Output `{output}` changes by up to {difference}: {decision}{crossed}.")
}

/// What came out for an output of the model.
pub(super) fn of_output(output: &Output) -> String {
    let name = on_one_line(&output.name);
    let together = match (output.same_as_nodes, &output.whole_differs_abs) {
        (None, _) => "not compared with the nodes one by one".to_owned(),
        (Some(true), _) => "the same as node by node".to_owned(),
        (Some(false), Some(difference)) => {
            let ulp = output
                .whole_differs_ulp
                .map_or_else(String::new, |ulp| format!(", {} ULP", grouped(ulp)));
            format!("differs from node by node by up to {}{ulp}", decimal_and_bits(difference).0)
        }
        (Some(false), None) => "differs from node by node".to_owned(),
    };
    format!("{name}: {}; {together}", output.verdict)
}

/// What exact arithmetic on the whole model tells of an output, sentence by sentence.
pub(super) fn of_enclosure(output: &Output) -> Vec<String> {
    if let Some(ended) = &output.enclosure_ends {
        let at = match (&ended.node, &ended.operator) {
            (Some(node), Some(operator)) => {
                format!(" at node `{}` ({})", on_one_line(node), on_one_line(operator))
            }
            _ => String::new(),
        };
        return vec![format!(
            "The enclosure of exact results ends{at}: {}.",
            on_one_line(&ended.why)
        )];
    }
    let mut all = Vec::new();
    match output.max_error_ulp.as_deref().map(short) {
        Some("0") => all.push("Exact arithmetic on the whole model may give it.".to_owned()),
        Some(error) => {
            all.push(format!("It is at least {error} ULP off what exact arithmetic gives."));
        }
        None => {}
    }
    let by = output.widened_by.as_ref();
    let by = by.map_or_else(String::new, |node| format!(", mostly by `{}`", on_one_line(node)));
    match output.enclosure_width_ulp.as_deref().and_then(|width| width.parse().ok()) {
        Some(0) => all.push("The profile permits one value of each element.".to_owned()),
        Some(width) => {
            all.push(format!("What the profile permits is {} ULP wide{by}.", grouped(width)));
        }
        None => all.push(format!("What the profile permits has no end{by}.")),
    }
    if let Some(decisions) = &output.decisions {
        let mut told = |what: &str, decided: &Decided| {
            let Decided { unchanged, changed, not_decided } = *decided;
            let parts =
                [(unchanged, "as exact"), (changed, "changed"), (not_decided, "not decided")];
            let parts = parts.iter().filter(|(count, _)| *count > 0);
            let parts: Vec<_> =
                parts.map(|(count, word)| format!("{} {word}", grouped(*count))).collect();
            if !parts.is_empty() {
                all.push(format!("{what}: {}.", parts.join(", ")));
            }
        };
        told("Largest elements of rows", &decisions.argmax);
        told("Orders of the first five", &decisions.order);
        if let Some(threshold) = &decisions.threshold {
            told("Sides of the threshold", threshold);
        }
    }
    all
}

/// Whether a group of nodes gives together what its nodes may give one after the other.
pub(super) const fn of_group(fusion: &Fusion) -> &'static str {
    match fusion.is_within {
        Some(true) => "within what its nodes may give one after the other",
        Some(false) => "beyond what its nodes may give one after the other",
        None => "not known whether its nodes may give it one after the other",
    }
}
