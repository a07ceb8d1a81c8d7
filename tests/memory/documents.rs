//! Reports, baselines and campaigns with one part that is repeated.

use std::path::Path;

use onnx_conformance::document::{JsonDocument, ReadError};
use onnx_conformance::documents::report::baseline;
use onnx_conformance::documents::report::document::Report;
use onnx_conformance::measure::campaign;
use serde_json::{Value, json};

use crate::{Came, Found, alone, filled, measure, sizes};

/// Where the repeated part goes.
const HERE: &str = "\"HERE\"";

fn output() -> Value {
    json!({
        "name": "", "type": "", "shape": [], "elements": 0, "undecided": 0, "mismatches": 0,
        "max_ulp": null, "max_abs_error": null, "max_rel_error": null,
        "nan_sign_or_payload_differs": 0, "worst": [], "returned": [],
    })
}

fn case() -> Value {
    json!({
        "id": "c/", "suite": "", "operator": "", "opset": 1, "types": [], "verdict": "unsupported",
        "expected": "pass", "requirements": [], "message": null, "outputs": [],
    })
}

fn report() -> Value {
    json!({
        "format_version": onnx_conformance::documents::report::document::FORMAT_VERSION,
        "tool": {"name": "", "version": "", "commit": "", "dirty": null},
        "backend": {"name": "", "version": "", "details": {}},
        "isolation": "none", "challenge": null, "profile": "", "suites": [],
        "corpora": [{"name": "c", "digest": "", "cases": 1}],
        "shard": null,
        "summary": {
            "cases": 1, "pass": 0, "fail": 0, "unsupported": 1, "out_of_domain": 0, "crash": 0,
            "timeout": 0, "fault": 0, "skipped": 0, "elements_compared": 0,
        },
        "cases": [case()], "expectations_list": null, "expectations": [], "requirements": [],
        "provenance": {
            "clock": "", "host": {}, "toolchain": "", "rounding_mode": "", "subnormal_policy": "",
            "seeds": {}, "durations": {}, "stderr": {},
        },
    })
}

/// The text of a document whose part at a path is filled with a unit.
fn part(document: &Value, path: &str, unit: &str, size: usize) -> Vec<u8> {
    let mut document = document.clone();
    let part = document.pointer_mut(path).unwrap_or_else(|| panic!("no {path}"));
    let (open, close) = match part {
        Value::Array(_) => ("[", "]"),
        Value::Object(_) => ("{", "}"),
        _ => ("\"", "\""),
    };
    *part = json!("HERE");
    let text = document.to_string();
    let (start, end) = text.split_once(HERE).unwrap();
    filled(&format!("{start}{open}"), unit, &format!("{close}{end}"), size)
}

#[test]
fn no_report_or_baseline_takes_more() {
    let _alone = alone();
    let mut report = report();
    report["cases"][0]["outputs"] = json!([output()]);
    let worst = json!({"index": [], "inputs": [], "expected": "", "actual": "", "ulp": null});
    report["cases"][0]["outputs"][0]["worst"] = json!([worst]);
    let expectation = json!({
        "cases": "", "verdict": "fail", "reason": "", "link": null, "matched": 0,
        "failures": [], "unexpected_passes": [], "stale": true,
    });
    report["expectations"] = json!([expectation]);
    let requirement = json!({"id": "", "status": "", "cases": []});
    report["requirements"] = json!([requirement]);
    let mut named = case();
    named["id"] = json!("c/@");
    let corpus = json!({"name": "@", "digest": "", "cases": 1});
    let outputs = "/cases/0/outputs";
    let worsts = "/cases/0/outputs/0/worst";
    let shapes = [
        ("/cases", format!("{named},")),
        ("/cases", format!("{},", named.to_string().replace("[]", "[\"\"]"))),
        (outputs, format!("{},", output())),
        (worsts, format!("{worst},")),
        ("/cases/0/outputs/0/worst/0/index", "0,".to_owned()),
        ("/cases/0/outputs/0/worst/0/inputs", "\"\",".to_owned()),
        ("/cases/0/outputs/0/worst/0/inputs", "\"a\",".to_owned()),
        ("/cases/0/outputs/0/shape", "1,".to_owned()),
        ("/cases/0/types", "\"\",".to_owned()),
        ("/cases/0/id", "c/".to_owned()),
        ("/cases/0/message", "\\n".to_owned()),
        ("/corpora", format!("{corpus},")),
        ("/expectations", format!("{expectation},")),
        ("/expectations/0/failures", "\"\",".to_owned()),
        ("/expectations/0/unexpected_passes", "\"\",".to_owned()),
        ("/requirements", format!("{requirement},")),
        ("/requirements", "{},".to_owned()),
        ("/backend/details", "\"@\":\"\",".to_owned()),
        ("/provenance/durations", "\"@\":\"\",".to_owned()),
        ("/provenance/seeds", "\"@\":0,".to_owned()),
        ("/format_version", "x".to_owned()),
        ("/profile", "\\u0000".to_owned()),
        ("/tool", "\"@\":0,".to_owned()),
    ];
    let path = Path::new("report.json");
    let mut found = Found { is_json: true, ..Found::default() };
    for (at, unit) in shapes {
        let name = format!("{unit} in {at}");
        for size in sizes().take_while(|&size| size as u64 <= Report::SIZE_LIMIT) {
            let refused = found.refused;
            let text = part(&report, at, &unit, size);
            let why = |error: ReadError| {
                std::error::Error::source(&error).map_or(String::new(), ToString::to_string)
            };
            measure(&mut found, &name, text.clone(), |text| {
                Came::of(Report::from_bytes(path, &text).map_err(why))
            });
            measure(&mut found, &name, text, |text| {
                Came::of(baseline::from_bytes(path, &text).map_err(why))
            });
            if found.refused == refused + 2 {
                break;
            }
        }
    }
    assert!(found.within > 100 && found.refused > 20, "{} {}", found.within, found.refused);
    found.assert_close("reports and baselines", 40);
}

#[test]
fn no_campaign_takes_more() {
    let _alone = alone();
    let example = json!({"index": 0, "inputs": [], "expected": "", "actual": "", "error_ulp": ""});
    let cell = json!({"a": 0, "b": 0, "sampled": 0, "mismatches": 0, "worst_error_ulp": null});
    let document = json!({
        "format_version": campaign::document::FORMAT_VERSION,
        "tool": {"name": "", "version": "", "commit": "", "dirty": null},
        "backend": {"name": "", "version": "", "details": {}}, "profile": "", "operator": "Div",
        "type": "int8", "attributes": {}, "result_type": "int8", "strategy": "exhaustive", "parameters": {}, "inputs": 65536, "parts": [],
        "range": {"first": 0, "end": 65536}, "shard": null, "promised": 65536, "executed": 65536,
        "ranges": [], "mismatches": 0, "violations": null, "confidence": null,
        "max_error_ulp": null, "histogram": [],
        "classes": {
            "nan": 0, "infinite": 0, "zero": 0, "subnormal": 0, "normal": 0, "out_of_domain": 0,
        },
        "counterexamples": {"first": [example], "worst": []},
        "heat_map": {"stride": 1, "group": 1, "cells": []}, "requirements": [], "failure": null,
        "digest": "0".repeat(64),
        "provenance": {
            "clock": "", "host": {}, "toolchain": "", "rounding_mode": "", "subnormal_policy": "",
            "seeds": {}, "durations": {}, "stderr": {},
        },
    });
    let shapes = [
        ("/ranges", "{\"first\":0,\"end\":1},".to_owned()),
        ("/parts", "{\"name\":\"\",\"size\":0},".to_owned()),
        ("/histogram", "{\"ulp\":\"\",\"results\":0},".to_owned()),
        ("/heat_map/cells", format!("{cell},")),
        ("/counterexamples/first", format!("{example},")),
        ("/counterexamples/first/0/inputs", "\"\",".to_owned()),
        ("/requirements", "\"\",".to_owned()),
        ("/parameters", "\"@\":\"\",".to_owned()),
        ("/provenance/durations", "\"@\":\"\",".to_owned()),
        ("/provenance/seeds", "\"@\":0,".to_owned()),
        ("/profile", "x".to_owned()),
        ("/profile", "\\u0000".to_owned()),
        ("/format_version", "x".to_owned()),
    ];
    let mut found = Found { is_json: true, ..Found::default() };
    for (at, unit) in shapes {
        for size in [1 << 16, 1 << 18, 1 << 20, campaign::SIZE_LIMIT as usize] {
            let text = part(&document, at, &unit, size);
            measure(&mut found, &format!("{unit} in {at}"), text, |text| {
                let read = campaign::Campaign::from_bytes(Path::new("campaign.json"), &text);
                Came::of(read)
            });
        }
    }
    assert_eq!(found.within + found.refused, 52);
    found.assert_close("campaigns", 40);
}
