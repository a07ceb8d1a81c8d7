//! What a trace says in sentences, for the terminal and the page alike.

use super::document::{Effect, Node, Output};
use crate::document::text::{counted, decimal_and_bits, grouped};
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
