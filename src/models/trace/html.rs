//! `trace.html`: one self-contained page for readers, with the graph, a table of the nodes, and what is known of each.
//!
//! It shares style, escaping and content security policy with the page of a report. Without its script it has the graph, the
//! table and what is known; the script adds search, zoom, and the panel that shows a node beside the graph.

use std::cmp::Reverse;

use askama::Template;

use super::document::{Born, CASES, Node, Trace, WentOn};
use super::drawing::{Drawing, Shape};
use super::layers::{HEIGHT, WIDTH};
use super::words::{of_effect, of_enclosure, of_group, of_output, operator};
use crate::document::page::{STYLE, content_security_policy};
use crate::document::text::{at_separators, bracketed, counted, decimal_and_bits, grouped, short};
use crate::oracle::{Share, Ulps};

const OWN_STYLE: &str = include_str!("templates/trace.css");
const SCRIPT: &str = concat!(
    include_str!("../../documents/report/templates/theme.js"),
    include_str!("../../documents/report/templates/focus.js"),
    include_str!("../../documents/report/templates/filters.js"),
    include_str!("templates/trace.js")
);

/// How many nodes the table has; those that are wrong come first.
const LISTED: usize = 5_000;
/// How many values are named of those that a node reads or computes.
const NAMED: usize = 12;

/// The page as text.
pub fn to_text(trace: &Trace) -> Result<String, askama::Error> {
    let style = format!("{STYLE}{OWN_STYLE}");
    let mut nodes: Vec<(usize, &Node)> = trace.nodes.iter().enumerate().collect();
    nodes.sort_by_cached_key(|(_, node)| rank(node));
    let more = nodes.len().saturating_sub(LISTED) as u64;
    nodes.truncate(LISTED);
    let mut shown = nodes.clone();
    shown.sort_by_key(|(at, _)| *at);
    let policy = content_security_policy(&style, Some(SCRIPT));
    Page { trace, drawing: Drawing::of(trace), nodes, shown, more, policy, style }.render()
}

#[derive(Template)]
#[template(path = "trace.html")]
struct Page<'a> {
    trace: &'a Trace,
    /// The graph; none where it is not drawn.
    drawing: Option<Drawing>,
    /// The nodes of the table, with their places in the trace.
    nodes: Vec<(usize, &'a Node)>,
    /// The same in the order in which they are computed.
    shown: Vec<(usize, &'a Node)>,
    /// How many nodes the table has not.
    more: u64,
    policy: String,
    style: String,
}

impl Page<'_> {
    /// How many nodes are wrong.
    fn wrong(&self) -> u64 {
        self.trace.nodes.iter().filter(|node| node.verdict.is_failure()).count() as u64
    }

    /// How many nodes are known to be wrong.
    fn known(&self) -> u64 {
        let nodes = self.trace.nodes.iter();
        nodes.filter(|node| node.verdict.is_failure() && node.is_as_known()).count() as u64
    }

    /// The first node that is wrong and not known to be, with its place in the trace.
    fn first(&self) -> Option<(usize, &Node)> {
        self.trace.nodes.iter().enumerate().find(|(_, node)| node.is_unexpected())
    }

    /// The command that explains the first case that was written.
    fn explained(&self) -> Option<String> {
        self.trace.nodes.iter().find_map(|node| self.explain(node))
    }

    /// The command that explains the case of a node.
    fn explain(&self, node: &Node) -> Option<String> {
        let case = node.case.as_ref()?;
        let profile = &self.trace.profile;
        Some(format!("onnx-conformance explain cases/{case} --corpus {CASES} --profile {profile}"))
    }

    /// The place of the node of a box, where the page has what is known of it.
    fn leads_to(&self, shape: &Shape) -> Option<usize> {
        let node = shape.node?;
        self.shown.binary_search_by_key(&node, |(at, _)| *at).is_ok().then_some(node)
    }
}

/// What the table is sorted by: what is wrong, that which is known to be last, then what gave nothing, then by the share of the bound, then by the error.
fn rank(node: &Node) -> impl Ord + use<> {
    let share = node.share_of_bound.as_deref().and_then(Share::parse);
    let error = node.max_error_ulp.as_deref().and_then(Ulps::parse);
    let has_values = node.went_on_with == WentOn::Backend;
    (!node.is_unexpected(), !node.verdict.is_failure(), has_values, Reverse((share, error)))
}

/// The first of the values that a node reads or computes.
fn values(names: &[String]) -> Vec<&str> {
    names.iter().filter(|name| !name.is_empty()).take(NAMED).map(String::as_str).collect()
}

/// What is said of a node that it gives first, or loses.
fn remarks(node: &Node) -> Vec<&'static str> {
    let born = node.born.map(|born| match born {
        Born::Nan => "It gives a NaN, and none of its inputs has one.",
        Born::Infinity => "It gives an infinity, and none of its inputs has one.",
    });
    let lost = node.nan_lost.then_some("An input has a NaN, and no output.");
    let inner = (node.same_as_inner == Some(false))
        .then_some("The graph that it holds gives other bits node by node than the node does.");
    let went_on = match node.went_on_with {
        WentOn::Backend => None,
        WentOn::Reference => Some("The nodes after it were given what the reference expects."),
        WentOn::Nothing => Some("The nodes after it were given nothing."),
    };
    [born, lost, inner, went_on].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::models::trace::document::FORMAT_VERSION;

    /// A node that reads and computes these values, and passes.
    fn node(name: &str, inputs: &[&str], outputs: &[&str]) -> Value {
        json!({
            "node": name, "within": null, "same_as_inner": null, "outputs": outputs, "inputs": inputs,
            "operator": "Add", "since_version": 14, "verdict": "pass", "known": null, "message": null, "types": ["float32[1]"],
            "elements": 1, "judged": 1, "mismatches": 0, "max_error_ulp": "0.5 (=524288/2^20)",
            "share_of_bound": null, "max_abs_error": null, "worst": null, "born": null, "nan_lost": false,
            "went_on_with": "backend", "effects": [], "case": null
        })
    }

    /// The same with other members.
    fn but(mut node: Value, members: &Value) -> Value {
        for (name, value) in members.as_object().unwrap() {
            node[name] = value.clone();
        }
        node
    }

    /// A trace of these nodes, from the input `x` to the output `y`.
    fn trace(nodes: &[Value]) -> Trace {
        let nodes: Vec<Node> =
            nodes.iter().map(|it| serde_json::from_value(it.clone()).unwrap()).collect();
        serde_json::from_value(json!({
            "format_version": FORMAT_VERSION, "kind": "trace",
            "tool": {"name": "onnx-conformance", "version": "0", "commit": "unknown", "dirty": null},
            "model": {"name": "model.onnx", "digest": "0", "imports": {"": 21}},
            "backend": {"name": "b", "version": "1", "details": {}},
            "isolation": "in_process", "profile": "onnx-exact", "expectations_list": null,
            "inputs": [{"name": "x", "type": "float32", "shape": [1], "source": "x.npy", "digest": "0"}],
            "sample": {"elements": null, "operands": 64, "seed": 0},
            "first_wrong": Trace::first_of(&nodes).map(|node| node.node.clone()),
            "summary": Trace::counted(&nodes),
            "outputs": [{
                "name": "y", "verdict": "pass", "max_error_ulp": null, "enclosure_width_ulp": null,
                "widened_by": null, "enclosure_ends": null, "decisions": null,
                "same_as_nodes": true, "whole_differs_ulp": null, "whole_differs_abs": null
            }],
            "fusions": [], "fusions_left": null, "nodes": nodes, "digest": "0".repeat(64),
            "provenance": {
                "clock": "", "host": {}, "toolchain": "", "rounding_mode": "", "subnormal_policy": "",
                "seeds": {}, "durations": {}, "stderr": {}
            }
        }))
        .unwrap()
    }

    /// Nodes of which each reads the one before.
    fn chain(count: usize) -> Vec<Value> {
        let value = |at: usize| if at == 0 { "x".to_owned() } else { format!("v{at}") };
        (0..count).map(|at| node(&format!("n{at}"), &[&value(at)], &[&value(at + 1)])).collect()
    }

    /// What is between two texts, wherever both are.
    fn between<'a>(page: &'a str, before: &str, after: &str) -> Vec<&'a str> {
        page.split(before).skip(1).map(|part| part.split(after).next().unwrap()).collect()
    }

    #[test]
    fn the_first_wrong_node_is_named_and_the_command_explains_its_case() {
        let wrong = but(node("w", &["v2"], &["y"]), &json!({"verdict": "fail", "case": "0002_w"}));
        let page = to_text(&trace(&[chain(2), vec![wrong]].concat())).unwrap();
        assert!(
            page.contains(
                r##"The first wrong node is <a href="#node-2"><bdi>w</bdi></a> (Add-14)"##
            )
        );
        let command =
            "onnx-conformance explain cases/0002_w --corpus trace-cases --profile onnx-exact";
        assert_eq!(page.matches(command).count(), 2, "at the top and with the node");
        let page = to_text(&trace(&chain(2))).unwrap();
        assert!(page.contains("No node is wrong.") && !page.contains("onnx-conformance explain"));
    }

    #[test]
    fn the_table_has_what_is_wrong_first_and_then_the_largest_shares_and_errors() {
        let nodes = [
            node("half", &["x"], &["a"]),
            but(node("ulp", &["x"], &["b"]), &json!({"max_error_ulp": "1 (=1048576/2^20)"})),
            but(node("share", &["x"], &["c"]), &json!({"share_of_bound": "0.250000"})),
            but(node("crash", &["x"], &["d"]), &json!({"verdict": "crash", "max_error_ulp": null})),
        ];
        let page = to_text(&trace(&nodes)).unwrap();
        let rows = between(&page, r##"<tr><th scope="row"><a href="#node-"##, "\"");
        assert_eq!(rows, ["3", "2", "1", "0"]);
        let details = between(&page, r#"<article id="node-"#, "\"");
        assert_eq!(details, ["0", "1", "2", "3"], "in the order in which they are computed");
    }

    #[test]
    fn what_a_model_says_is_text_wherever_it_is_shown() {
        let hostile = "\"><script>alert(1)</script>'\u{202e}";
        let inner = json!({
            "operator": hostile, "message": hostile, "types": [hostile], "verdict": "fail", "case": hostile,
            "worst": {"output": hostile, "index": [0], "inputs": [hostile], "expected": hostile,
                      "actual": hostile, "ulp": null}
        });
        let mut trace = trace(&[but(node(hostile, &["x", hostile], &["y", hostile]), &inner)]);
        trace.model.name = hostile.to_owned();
        trace.profile = hostile.to_owned();
        trace.inputs[0].name = hostile.to_owned();
        trace.outputs[0].name = hostile.to_owned();
        trace.fusions_left = Some(hostile.to_owned());
        let page = to_text(&trace).unwrap();
        assert_eq!(page.matches("<script>").count(), 1, "the page's own");
        assert!(!page.contains("alert(1)</script>") && !page.contains('\u{202e}'));
        assert!(page.contains("&gt;&lt;script&gt;alert(1)"));
        for value in between(&page, "=\"", "\"") {
            assert!(!value.contains('<'), "{value}");
        }
    }

    #[test]
    fn long_names_are_cut_in_the_graph_and_whole_in_titles() {
        let name = format!("{}/the_end_of_it", "model/".repeat(40));
        let page = to_text(&trace(&[node(&name, &["x"], &["y"])])).unwrap();
        assert!(page.contains(&format!("<title>{name} (Add-14): pass</title>")));
        let shown = between(&page, "<text ", "</text>");
        assert!(shown.iter().any(|text| text.contains('…') && text.ends_with("the_end_of_it")));
        assert!(shown.iter().all(|text| text.chars().count() < 80), "{shown:?}");
    }

    #[test]
    fn lines_lead_from_the_values_that_nodes_compute_and_initialisers_are_not_drawn() {
        let nodes = [node("a", &["x", "weight"], &["v"]), node("b", &["v", ""], &["y"])];
        let drawing = Drawing::of(&trace(&nodes)).unwrap();
        let titles: Vec<_> = drawing.boxes.iter().map(|shape| shape.title.as_str()).collect();
        assert_eq!(titles, ["input x", "a (Add-14): pass", "b (Add-14): pass", "output y: pass"]);
        let lines: Vec<_> =
            drawing.lines.iter().map(|line| (line.node, line.title.as_str())).collect();
        assert_eq!(lines, [(None, "x"), (Some(0), "v"), (Some(1), "y")]);
    }

    #[test]
    fn graphs_within_nodes_read_their_own_values_and_those_around_them() {
        let within = json!({"within": "if"});
        let nodes = [
            node("if", &["x"], &["v"]),
            but(node("if/a", &["weight"], &["v"]), &within),
            but(node("if/b", &["v", "x"], &["w"]), &within),
            node("after", &["v"], &["y"]),
        ];
        let drawing = Drawing::of(&trace(&nodes)).unwrap();
        let place = |at: usize| (drawing.boxes[at].corner.x, drawing.boxes[at].corner.y);
        let ends = |at: usize| {
            let path = &drawing.lines.iter().find(|line| line.node == Some(at)).unwrap().path;
            path.matches('M').count()
        };
        // The If leads to the node that reads nothing that is drawn, and to the one that reads what it gives.
        assert_eq!([ends(0), ends(1)], [2, 1]);
        assert!(place(2).1 > place(1).1 && place(3).1 > place(2).1 && place(4).1 > place(1).1);
    }

    #[test]
    fn groups_and_what_is_born_are_marked() {
        let nan = but(node("a", &["x"], &["v"]), &json!({"born": "nan"}));
        let mut trace = trace(&[nan, node("b", &["v"], &["w"]), node("c", &["w"], &["y"])]);
        let fusion = json!({
            "nodes": ["b", "c"], "operators": ["Add", "Add"], "outputs_differ": ["y"], "max_ulp": 32,
            "max_abs": "0.5 (0x3fe0000000000000)", "is_within": true
        });
        trace.fusions.push(serde_json::from_value(fusion).unwrap());
        let classes: Vec<_> =
            Drawing::of(&trace).unwrap().boxes.into_iter().map(|shape| shape.class).collect();
        assert_eq!(
            classes,
            ["port", "node pass born", "node pass fused", "node pass fused", "port pass"]
        );
        let page = to_text(&trace).unwrap();
        assert!(page.contains("32 ULP") && page.contains("By up to 0.5 in <bdi>y</bdi>"));
    }

    #[test]
    fn of_a_large_graph_what_is_around_the_wrong_nodes_is_drawn_and_the_table_stays() {
        let mut nodes = chain(6_000);
        let page = to_text(&trace(&nodes)).unwrap();
        assert!(page.contains("too large to be drawn") && !page.contains("<svg"));
        assert!(page.contains("And 1,000 nodes more, which trace.json has."));
        nodes[5_500] = but(nodes[5_500].clone(), &json!({"verdict": "fail"}));
        let page = to_text(&trace(&nodes)).unwrap();
        assert!(page.contains("The graph is large: 13 nodes around those"));
        let drawn = between(&page, "<title>n", " ");
        assert_eq!(drawn.first(), Some(&"5494"));
        assert_eq!(drawn.len(), 13);
        assert!(page.contains(r##"<a class="node fail" href="#node-5500">"##));
        assert!(page.contains(r#"<article id="node-5500" class="failed">"#));
    }

    #[test]
    fn a_model_of_a_thousand_nodes_is_drawn_whole_and_always_alike() {
        let trace = trace(&chain(1_000));
        let page = to_text(&trace).unwrap();
        assert_eq!(page.matches("<a class=\"node pass\"").count(), 1_000);
        assert_eq!(page, to_text(&trace).unwrap());
    }
}
