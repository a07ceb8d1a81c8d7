//! Packs whose manifest fits, but whose claims do not: the work of a forger without a key.

use std::fs;
use std::path::Path;

use onnx_conformance::judge::verdict::Verdict;
use serde_json::{Value, json};

use super::packs::{
    copy, packed, problems, put, put_statement, read, reseal, seal, told, tool, verified,
};
use super::synthetic::{case, report};

const REPORT: &str = "reports/onnx-under-ieee754/report.json";

/// What is off after an edit that is followed by a new seal.
#[track_caller]
fn forged(edit: impl FnOnce(&Path)) -> String {
    let cases = vec![
        case("onnx-1.22.0/node/test_a", "Div", Verdict::Pass),
        case("onnx-1.22.0/node/test_b", "Div", Verdict::Fail),
    ];
    let dir = copy(packed(&[&report(cases)]).path());
    edit(dir.path());
    reseal(dir.path());
    let text = problems(dir.path()).join("\n");
    assert_eq!(verified(dir.path()).outcome, None, "{text}");
    text
}

fn changed(dir: &Path, path: &str, edit: impl FnOnce(&mut Value)) {
    let mut document = read(dir, path);
    edit(&mut document);
    put(dir, path, &document);
}

#[test]
fn a_better_result_does_not_follow_from_the_documents() {
    let text = forged(|dir| {
        let mut statement = read(dir, "statement.json");
        statement["predicate"]["result"] = json!("PASSED");
        put_statement(dir, &statement);
    });
    assert!(
        text.contains("statement.json: `predicate.result` is \"PASSED\", but has to be \"FAILED\""),
        "{text}"
    );
}

#[test]
fn a_failed_test_cannot_be_left_out() {
    let text = forged(|dir| {
        let mut statement = read(dir, "statement.json");
        statement["predicate"]["failedTests"] = json!([]);
        put_statement(dir, &statement);
    });
    assert!(text.contains("`predicate.failedTests[0]` is nothing"), "{text}");
}

#[test]
fn another_subject_is_not_the_one_of_the_pack() {
    let text = forged(|dir| {
        let mut statement = read(dir, "statement.json");
        statement["subject"][0]["name"] = json!("other");
        put_statement(dir, &statement);
    });
    assert!(text.contains("`subject[0].name` is \"other\""), "{text}");
    let text = forged(|dir| {
        changed(dir, "subjects/builtin.json", |subject| {
            subject["backend"]["version"] = json!("9");
        });
    });
    assert!(
        text.contains("`backend.version` is `0.1.0`, but in `subjects/builtin.json` it is `9`"),
        "{text}"
    );
    let text = forged(|dir| {
        changed(dir, "subjects/builtin.json", |subject| {
            subject["basis"] = json!("executable");
            subject["file"] = json!({"name": "x", "size": 1, "sha256": "0".repeat(64)});
        });
    });
    assert!(text.contains("x.json"), "{text}");
}

#[test]
fn an_envelope_holds_the_statement_and_no_signature() {
    let pack = packed(&[&report(vec![case("onnx-1.22.0/node/test_a", "Div", Verdict::Pass)])]);
    for (member, value) in [
        ("signatures", json!([{"keyid": "", "sig": ""}])),
        ("payloadType", json!("text/plain")),
        ("payload", json!("e30=")),
    ] {
        let dir = copy(pack.path());
        changed(dir.path(), "statement.dsse.json", |envelope| envelope[member] = value);
        let text = problems(dir.path()).join("\n");
        assert!(text.contains(&format!("statement.dsse.json: `{member}")), "{text}");
    }
}

#[test]
fn a_report_that_contradicts_itself_is_told_by_its_field() {
    let text = forged(|dir| changed(dir, REPORT, |report| report["summary"]["fail"] = json!(0)));
    assert!(text.contains(REPORT) && text.contains("`summary.fail` is 0"), "{text}");
}

#[test]
fn a_report_that_was_edited_throughout_does_not_fit_its_pages() {
    let text = forged(|dir| {
        changed(dir, REPORT, |report| {
            report["cases"][1]["message"] = json!("nothing to see");
        });
    });
    assert!(text.contains("statement") || text.contains("report.html: line"), "{text}");
}

#[test]
fn a_report_is_written_as_the_tool_writes_it_and_without_provenance() {
    let text = forged(|dir| {
        let report = read(dir, REPORT);
        fs::write(dir.join(REPORT), report.to_string()).unwrap();
    });
    assert!(text.contains("not written as the tool writes it"), "{text}");
    let text = forged(|dir| {
        changed(dir, REPORT, |report| {
            report["provenance"]["clock"] = json!("2026-01-01T00:00:00Z");
        });
    });
    assert!(text.contains("`provenance` is not empty"), "{text}");
}

#[test]
fn a_page_says_what_the_documents_say() {
    for path in ["index.html", "matrix.html", "reports/onnx-under-ieee754/report.html"] {
        let text = forged(|dir| {
            let page = fs::read_to_string(dir.join(path)).unwrap();
            fs::write(dir.join(path), page.replacen("fail", "pass", 1)).unwrap();
        });
        assert!(text.contains(&format!("{path}: line ")), "{text}");
    }
}

#[test]
fn derived_documents_are_told_by_their_member() {
    let text = forged(|dir| {
        changed(dir, "matrix.json", |matrix| {
            matrix["summary"]["requirements"] = json!(1);
        });
    });
    assert!(text.contains("matrix.json: `summary.requirements` is 1"), "{text}");
    let text = forged(|dir| {
        changed(dir, "limitations.json", |limitations| {
            limitations["limitations"] = json!([]);
        });
    });
    assert!(text.contains("limitations.json: `limitations[0]` is nothing"), "{text}");
    let text = forged(|dir| {
        changed(dir, "tool/sbom.cdx.json", |bom| {
            bom["components"][0]["version"] = json!("0");
        });
    });
    assert!(text.contains("tool/sbom.cdx.json: `components[0].version`"), "{text}");
    let text = forged(|dir| {
        changed(dir, "platform.json", |platform| {
            platform["platforms"][0]["os"] = json!("other");
        });
    });
    assert!(text.contains("platform.json: `platforms[0].os` is \"other\""), "{text}");
    let text = forged(|dir| changed(dir, "seeds.json", |seeds| seeds["seeds"] = json!([])));
    assert!(text.contains("seeds.json: `seeds[0]` is nothing"), "{text}");
}

#[test]
fn a_file_that_does_not_belong_there_is_told_although_it_is_listed() {
    let text = forged(|dir| fs::write(dir.join("reports/more.txt"), "x").unwrap());
    assert!(text.contains("reports/more.txt: it does not belong to this pack"), "{text}");
    let text = forged(|dir| fs::remove_file(dir.join("index.html")).unwrap());
    assert!(text.contains("does not list `index.html`"), "{text}");
    let text = forged(|dir| fs::remove_dir_all(dir.join("reports")).unwrap());
    assert!(text.contains("it lists no report and no campaign"), "{text}");
    let text = forged(|dir| {
        fs::rename(dir.join("reports/onnx-under-ieee754"), dir.join("reports/better")).unwrap();
    });
    assert!(text.contains("its name is not the one"), "{text}");
}

#[test]
fn the_provenance_agrees_with_its_digest_and_the_manifest() {
    let pack = packed(&[&report(vec![case("onnx-1.22.0/node/test_a", "Div", Verdict::Pass)])]);
    type Edit<'a> = (&'a str, bool, &'a dyn Fn(&mut Value));
    let edits: [Edit<'_>; 3] = [
        ("`digest`", false, &|one| one["packed"]["clock"] = json!("2000-01-01T00:00:00Z")),
        ("`manifest`", true, &|one| one["manifest"] = json!("0".repeat(64))),
        ("`documents`", true, &|one| one["documents"] = json!([])),
    ];
    for (member, is_sealed, edit) in edits {
        let dir = copy(pack.path());
        changed(dir.path(), "provenance.json", |provenance| {
            edit(provenance);
            if is_sealed {
                seal(provenance);
            }
        });
        let text = problems(dir.path()).join("\n");
        assert!(text.contains(&format!("provenance.json: {member}")), "{text}");
    }
}

/// Says in a pack that another file made it, which was built from another commit.
fn as_of_another_build(dir: &Path) {
    changed(dir, "tool/tool.json", |tool| tool["tool"]["commit"] = json!("of another"));
    changed(dir, "provenance.json", |provenance| {
        provenance["packed"]["host"]["executable"] = json!("0".repeat(64));
    });
}

#[test]
fn a_pack_of_another_build_is_checked_by_its_digests_only_and_that_is_no_success() {
    let pack = packed(&[&report(vec![case("onnx-1.22.0/node/test_a", "Div", Verdict::Pass)])]);
    // What such a pack may say without that it can be told.
    let claims: [&dyn Fn(&Path); 3] = [
        &|_| {},
        &|dir| {
            let page = fs::read_to_string(dir.join("index.html")).unwrap();
            let claim = "<script>document.write('PASSED')</script></body>";
            fs::write(dir.join("index.html"), page.replace("</body>", claim)).unwrap();
        },
        &|dir| changed(dir, "limitations.json", |all| all["limitations"] = json!([])),
    ];
    for claim in claims {
        let dir = copy(pack.path());
        as_of_another_build(dir.path());
        claim(dir.path());
        reseal(dir.path());
        let found = verified(dir.path());
        assert!(!found.is_whole() && found.outcome.is_none() && found.subject.is_none());
        assert_eq!(found.problems, []);
        assert!(!found.verified.iter().any(|one| one.contains("made again")));
        // To the command, too, it is of another build.
        let (code, text, _) = told(&tool(&["verify", dir.path().to_str().unwrap()]));
        assert_eq!(code, 3, "{text}");
        assert!(text.contains("digests only") && text.contains("(of another"), "{text}");
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
        assert!(!text.contains("as it was made") && !text.contains("result    "), "{text}");
    }
}

#[test]
fn what_no_pack_holds_is_refused_whichever_build_made_it() {
    let pack = packed(&[&report(vec![case("onnx-1.22.0/node/test_a", "Div", Verdict::Pass)])]);
    let strangers = [
        "run.sh",
        "index2.html",
        "tool/onnx-conformance",
        "reports/more.txt",
        "reports/other/report.html",
        "campaigns/none/campaign.html",
        "locks/readme.html",
        "subjects/run",
        "script.js",
    ];
    for (of_another, path) in
        [false, true].into_iter().flat_map(|of| strangers.map(|one| (of, one)))
    {
        let dir = copy(pack.path());
        if of_another {
            as_of_another_build(dir.path());
        }
        let file = dir.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "x").unwrap();
        reseal(dir.path());
        let text = problems(dir.path()).join("\n");
        assert!(text.contains(&format!("{path}: it does not belong to this pack")), "{text}");
        assert_eq!(told(&tool(&["verify", dir.path().to_str().unwrap()])).0, 4);
    }
    for missing in ["limitations.json", "index.html", "matrix.json", "tool/sbom.cdx.json"] {
        let dir = copy(pack.path());
        as_of_another_build(dir.path());
        fs::remove_file(dir.path().join(missing)).unwrap();
        reseal(dir.path());
        let text = problems(dir.path()).join("\n");
        assert!(text.contains(&format!("does not list `{missing}`")), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_may_be_executed_is_refused_whichever_build_made_the_pack() {
    use std::os::unix::fs::PermissionsExt;
    let pack = packed(&[&report(vec![case("onnx-1.22.0/node/test_a", "Div", Verdict::Pass)])]);
    for (of_another, mode) in [(false, 0o755), (true, 0o644 | 0o010), (true, 0o4644)] {
        let dir = copy(pack.path());
        if of_another {
            as_of_another_build(dir.path());
            reseal(dir.path());
        }
        let file = dir.path().join("index.html");
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        let text = problems(dir.path()).join("\n");
        assert!(text.contains("index.html: it may be executed"), "{text}");
        assert_eq!(told(&tool(&["verify", dir.path().to_str().unwrap()])).0, 4);
    }
}

#[test]
fn a_pack_that_this_very_program_made_cannot_be_said_to_be_of_another() {
    let pack = packed(&[&report(vec![case("onnx-1.22.0/node/test_a", "Div", Verdict::Pass)])]);
    for (member, value) in
        [("commit", json!("of another")), ("dirty", json!(null)), ("version", json!("9.9.9"))]
    {
        let dir = copy(pack.path());
        changed(dir.path(), "tool/tool.json", |tool| tool["tool"][member] = value);
        reseal(dir.path());
        let text = problems(dir.path()).join("\n");
        assert!(text.contains("tool/tool.json: it says that"), "{member}: {text}");
        assert!(text.contains("this very program"), "{member}: {text}");
    }
}
