//! The schema of traces.

use std::collections::BTreeMap;

use onnx_conformance::models::trace::document::{FORMAT_VERSION, Trace};
use serde_json::{Value, json};

use crate::{assert_committed, errors};

#[test]
fn the_committed_schema_is_the_one_of_the_types() {
    assert_committed::<Trace>();
}

/// A trace of one node that is wrong, in a graph that another holds.
fn valid() -> Value {
    let verdicts =
        ["pass", "fail", "unsupported", "out_of_domain", "crash", "timeout", "fault", "skipped"];
    let summary: BTreeMap<_, _> = verdicts.map(|it| (it, u64::from(it == "fail"))).into();
    json!({
        "format_version": FORMAT_VERSION,
        "kind": "trace",
        "tool": {"name": "onnx-conformance", "version": "0.1.0", "commit": "unknown", "dirty": null},
        "model": {"name": "model.onnx", "digest": "0", "imports": {"": 21}},
        "backend": {"name": "b", "version": "1", "details": {}},
        "isolation": "in_process",
        "profile": "onnx-exact",
        "expectations_list": {"name": "list.toml", "sha256": "0"},
        "inputs": [{"name": "x", "type": "float32", "shape": [1], "source": "x.npy", "digest": "0"}],
        "sample": {"elements": null, "operands": 4_194_304, "seed": 0},
        "first_wrong": "relu",
        "summary": summary,
        "outputs": [{
            "name": "y", "verdict": "fail", "max_error_ulp": null, "enclosure_width_ulp": "8",
            "widened_by": "relu", "enclosure_ends": {"node": "relu", "operator": "Relu", "why": "w"},
            "decisions": {
                "rows": 1,
                "argmax": {"unchanged": 1, "changed": 0, "not_decided": 0},
                "order": {"unchanged": 0, "changed": 1, "not_decided": 0},
                "threshold": null
            },
            "same_as_nodes": false, "whole_differs_ulp": 1, "whole_differs_abs": "0.5 (0x3fe0000000000000)"
        }],
        "fusions": [{
            "nodes": ["a", "b"], "operators": ["Mul", "Add"], "outputs_differ": ["y"], "max_ulp": 1, "max_abs": null,
            "is_within": true
        }],
        "fusions_left": null,
        "nodes": [{
            "node": "relu", "within": "if", "same_as_inner": null, "outputs": ["y"], "inputs": ["x"],
            "operator": "Relu", "since_version": 14, "verdict": "fail",
            "known": {"verdict": "crash", "flaky": true, "reason": "r"}, "message": null, "types": ["float32[1]"],
            "elements": 1, "judged": 1, "mismatches": 1, "max_error_ulp": null, "share_of_bound": null,
            "max_abs_error": null,
            "worst": {"output": "y", "index": [0], "inputs": [], "expected": "0", "actual": "1", "ulp": null},
            "born": "nan", "nan_lost": false, "went_on_with": "backend",
            "effects": [{
                "output": "y", "max_ulp": 1, "max_abs": null, "rows": 1, "argmax_changed": 0, "order_changed": 0,
                "threshold_crossed": null
            }],
            "case": "0000_relu"
        }],
        "digest": "0".repeat(64),
        "provenance": {
            "clock": "", "host": {}, "toolchain": "", "rounding_mode": "", "subnormal_policy": "", "seeds": {},
            "durations": {}, "stderr": {}
        }
    })
}

#[test]
fn a_trace_is_valid_and_one_that_differs_is_not() {
    let document = valid();
    assert_eq!(errors::<Trace>(&document), Vec::<String>::new());
    serde_json::from_value::<Trace>(document.clone()).unwrap();
    for (member, value) in [
        ("/format_version", json!(FORMAT_VERSION + 1)),
        ("/kind", json!("report")),
        ("/first_wrong", json!(1)),
        ("/nodes/0/judged", json!(-1)),
        ("/nodes/0/verdict", json!("wrong")),
        ("/nodes/0/born", json!("zero")),
        ("/nodes/0/went_on_with", json!("others")),
        ("/nodes/0/worst/ulp", json!("1")),
        ("/outputs/0/verdict", json!(null)),
        ("/outputs/0/decisions/argmax/changed", json!(-1)),
        ("/outputs/0/enclosure_ends/why", json!(null)),
        ("/fusions/0/nodes", json!("a")),
        ("/digest", json!("0")),
    ] {
        let mut changed = document.clone();
        *changed.pointer_mut(member).unwrap() = value;
        assert!(!errors::<Trace>(&changed).is_empty(), "{member}");
    }
    for path in [
        "",
        "/nodes/0",
        "/nodes/0/worst",
        "/nodes/0/effects/0",
        "/outputs/0",
        "/outputs/0/decisions",
        "/fusions/0",
    ] {
        let mut changed = document.clone();
        changed.pointer_mut(path).unwrap()["surplus"] = json!(1);
        assert!(!errors::<Trace>(&changed).is_empty(), "{path}");
    }
}
