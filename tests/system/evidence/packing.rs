//! What a pack holds, and how it is written.

use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use onnx_conformance::backend::{Identity, Isolation};
use onnx_conformance::corpus::{Digest, Lock};
use onnx_conformance::document::style::Style;
use onnx_conformance::documents::evidence::{self, TestResult};
use onnx_conformance::documents::report::document::{
    Case, Expectation, Report, Requirement, Summary,
};
use onnx_conformance::dtype::DType;
use onnx_conformance::judge::profile::Profile;
use onnx_conformance::judge::requirements::{Catalogue, Row};
use onnx_conformance::judge::verdict::Verdict;
use onnx_conformance::measure::campaign::{
    Column, Failure, Implementation, Judge, Kernels, Plan, Strategy, Task, drive,
};
use onnx_conformance::reference::operators::sqrt::SQRT;
use serde_json::json;

use super::packs::{
    Written, files, pack_of, packed, problems, put_statement, read, reseal, told, tool, verified,
    write,
};
use super::synthetic::{case, every_verdict, list, report};

fn one(verdict: Verdict, expected: Verdict) -> Report {
    let mut cases = vec![case("onnx-1.22.0/node/test_a", "Div", Verdict::Pass)];
    cases.push(case("onnx-1.22.0/node/test_b", "Div", verdict));
    cases[1].expected = expected;
    let mut report = report(cases);
    report.summary = Summary::of(&report.cases);
    if expected.can_be_known() {
        report.expectations_list = Some(list("mine.toml"));
        report.expectations = vec![Expectation {
            cases: "onnx-1.22.0/node/test_b".to_owned(),
            verdict: expected,
            reason: "its divisor is rounded first".to_owned(),
            link: None,
            matched: 1,
            failures: match verdict {
                Verdict::Unsupported | Verdict::Skipped => vec![],
                verdict if verdict != expected => vec![],
                _ => vec![report.cases[1].id.clone()],
            },
            unexpected_passes: match verdict {
                Verdict::Pass => vec!["onnx-1.22.0/node/test_b".to_owned()],
                _ => vec![],
            },
            ..Expectation::default()
        }];
    }
    report
}

#[test]
fn a_pack_of_what_the_program_wrote_verifies_and_names_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("some/pack");
    let (code, text, complaint) = told(&Written::shared().pack(&out));
    assert_eq!(code, 0, "{complaint}");
    assert!(text.contains("onnx-conformance verify"), "{text}");

    let binary = fs::read(env!("CARGO_BIN_EXE_onnx-conformance")).unwrap();
    let statement = read(&out, "statement.json");
    assert_eq!(statement["subject"][0]["name"], "onnx-conformance");
    let digest = Digest::of(&binary).to_string();
    assert_eq!(statement["subject"][0]["digest"]["sha256"], digest.as_str());

    let (code, text, complaint) = told(&tool(&["verify", out.to_str().unwrap()]));
    assert_eq!(code, 0, "{text}{complaint}");
    for told in
        ["1 report and 2 campaigns", "made again by this program", &digest, "takes a signature"]
    {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(told), "{told}: {text}");
    }
}

#[test]
fn a_pack_holds_what_a_reviewer_needs() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(told(&Written::shared().pack(folder.path())).0, 0);
    let all = files(folder.path());
    let name = |start: &str, end: &str| {
        all.keys().any(|path| path.starts_with(start) && path.ends_with(end))
    };
    for (start, end) in [
        ("index.html", ""),
        ("matrix.", "json"),
        ("matrix.", "html"),
        ("reports/", "/report.json"),
        ("reports/", "/report.html"),
        ("reports/", "/junit.xml"),
        ("campaigns/div-int8-", "/campaign.json"),
        ("campaigns/sqrt-float64-", "/campaign.html"),
        ("requirements/sonnx-sqrt.toml", ""),
        ("profiles/sonnx.toml", ""),
        ("locks/sonnx.toml", ""),
        ("qualification/qualification.", "json"),
        ("qualification/qualification.", "html"),
        ("subjects/onnx-conformance.json", ""),
        ("tool/sbom.cdx.json", ""),
        ("tool/tool.json", ""),
        ("platform.json", ""),
        ("limitations.json", ""),
        ("seeds.json", ""),
        ("manifest.json", ""),
        ("statement.json", ""),
        ("statement.dsse.json", ""),
        ("provenance.json", ""),
    ] {
        assert!(name(start, end), "{start}..{end}: {:?}", all.keys());
    }
    let lock =
        Lock::parse(Path::new("x"), "sonnx", str::from_utf8(&all["locks/sonnx.toml"]).unwrap());
    let reports = all.keys().find(|path| path.ends_with("/report.json")).unwrap();
    let corpus = &read(folder.path(), reports)["corpora"][0];
    assert_eq!(corpus["digest"], lock.unwrap().digest.to_string());
    let platform = &read(folder.path(), "platform.json")["platforms"][0];
    assert_eq!(platform["rounding_mode"], "float32 roundTiesToEven, float64 roundTiesToEven");
    assert_eq!(platform["documents"].as_array().unwrap().len(), 3);
    assert_eq!(platform["os"], std::env::consts::OS);
    assert!(platform["cpu_features"].is_string() || cfg!(not(target_arch = "x86_64")));
    let seeds = read(folder.path(), "seeds.json");
    assert!(seeds["seeds"][0]["value"].is_u64(), "{seeds}");
    let page = String::from_utf8(all["index.html"].clone()).unwrap();
    for (path, bytes) in all.iter().filter(|(path, _)| path.contains('/')) {
        assert!(page.contains(&format!("href=\"{path}\"")), "{path} is not on the front page");
        assert!(
            page.contains(&Digest::of(bytes).to_string()),
            "{path}'s digest is not on the page"
        );
    }
    // The switch of the theme is the only script.
    assert!(page.contains("65,536") && page.matches("<script").count() == 1);
}

#[test]
fn other_cases_under_the_name_of_a_suite_are_told_apart() {
    let mut report = report(vec![case("sonnx/a", "Div", Verdict::Pass)]);
    report.corpora[0].name = "sonnx".to_owned();
    let pack = packed(&[&report]);
    assert!(!files(pack.path()).contains_key("locks/sonnx.toml"));
    let limitations = read(pack.path(), "limitations.json").to_string();
    assert!(
        limitations.contains("`sonnx` is not the one that the tool knows by that name"),
        "{limitations}"
    );
}

#[test]
fn packs_of_two_runs_differ_in_the_provenance_alone() {
    let (one, other) = (Written::shared(), Written::anew());
    let [a, b] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    assert_eq!(told(&one.pack(a.path())).0, 0);
    // In another order, too.
    let (report, div, sqrt) = (other.report(), other.path("div/campaign.json"), other.path("sqrt"));
    let out = b.path().to_str().unwrap();
    let args =
        ["evidence", "--campaign", &sqrt, "--campaign", &div, "--out", out, "--report", &report];
    assert_eq!(told(&tool(&args)).0, 0);
    let (a, b) = (files(a.path()), files(b.path()));
    assert!(a.keys().eq(b.keys()));
    let differing: Vec<_> = a.keys().filter(|path| a[*path] != b[*path]).collect();
    assert_eq!(differing, ["provenance.json"]);
}

#[test]
fn the_result_of_the_tests_is_passed_warned_or_failed() {
    use Verdict::{Crash, Fail, OutOfDomain, Pass, Skipped, Timeout, Unsupported};
    for (verdict, expected, result) in [
        (Pass, Pass, TestResult::Passed),
        (Fail, Pass, TestResult::Failed),
        (Crash, Pass, TestResult::Failed),
        (Timeout, Fail, TestResult::Failed),
        (Fail, Fail, TestResult::Warned),
        (Pass, Fail, TestResult::Warned),
        (Unsupported, Pass, TestResult::Warned),
        (OutOfDomain, Pass, TestResult::Warned),
        (Skipped, Pass, TestResult::Warned),
        (Skipped, Skipped, TestResult::Warned),
        (Unsupported, Unsupported, TestResult::Warned),
        (Pass, Unsupported, TestResult::Warned),
    ] {
        let pack = packed(&[&one(verdict, expected)]);
        let statement = read(pack.path(), "statement.json");
        let predicate = &statement["predicate"];
        assert_eq!(predicate["result"], result.to_string(), "{verdict}, expected {expected}");
        let list = match result {
            TestResult::Passed => "passedTests",
            TestResult::Warned => "warnedTests",
            TestResult::Failed => "failedTests",
        };
        let tests = predicate[list].as_array().unwrap();
        let name = "reports/onnx-under-ieee754#onnx-1.22.0/node/test_b";
        assert!(tests.iter().any(|test| test == name), "{predicate}");
        assert_eq!(problems(pack.path()), [""; 0]);
        assert_eq!(verified(pack.path()).outcome.unwrap().result(), result);
    }
}

#[test]
fn a_pass_of_a_flaky_case_is_a_warning_and_the_limitations_say_that_it_comes_and_goes() {
    let mut report = one(Verdict::Pass, Verdict::Fail);
    (report.cases[1].flaky, report.expectations[0].flaky) = (true, true);
    report.expectations[0].unexpected_passes.clear();
    let pack = packed(&[&report]);
    let predicate = &read(pack.path(), "statement.json")["predicate"];
    assert_eq!(predicate["result"], "WARNED");
    let limitations = read(pack.path(), "limitations.json").to_string();
    assert!(limitations.contains("1 case is flaky"), "{limitations}");
    assert!(!limitations.contains("but passed"), "{limitations}");
    let page = fs::read_to_string(pack.path().join("index.html")).unwrap();
    assert!(page.contains("(flaky: fail or pass)"), "{page}");
    assert_eq!(problems(pack.path()), [""; 0]);
}

/// A report of one passing case and two known failures, of which one names requirements.
fn violating() -> Report {
    let mut violating = one(Verdict::Fail, Verdict::Fail);
    let mut other = case("onnx-1.22.0/node/test_c", "Div", Verdict::Fail);
    other.expected = Verdict::Fail;
    other.requirements =
        ["E_DIV_FLOAT_FUNC_0010", "E_DIV_FLOAT_CONSTR_C_0010"].map(str::to_owned).into();
    let entry = Expectation {
        cases: "onnx-1.22.0/node/*_c".to_owned(),
        reason: "its quotients are <truncated>".to_owned(),
        link: Some("https://example.org/issues/1".to_owned()),
        failures: vec![other.id.clone()],
        ..violating.expectations[0].clone()
    };
    violating.expectations.push(entry);
    violating.cases.push(other);
    violating.summary = Summary::of(&violating.cases);
    let catalogue = Catalogue::embedded().unwrap();
    let rows = Row::all(&catalogue, violating.cases.iter().map(Case::tested)).unwrap();
    violating.requirements = rows
        .iter()
        .map(|row| Requirement {
            id: row.requirement.id.clone(),
            status: row.verified.status.to_string(),
            reason: row.verified.reason.clone(),
            cases: row.cases.iter().map(|(id, _)| id.clone()).collect(),
        })
        .collect();
    violating
}

#[test]
fn known_failures_that_violate_a_requirement_fail_the_pack_and_are_listed_as_what_they_are() {
    let told = "1 known failure (`onnx-1.22.0/node/*_c`) violates E_DIV_FLOAT_FUNC_0010: its \
                quotients are <truncated> (https://example.org/issues/1)";
    let pack = packed(&[&violating()]);
    let predicate = &read(pack.path(), "statement.json")["predicate"];
    let name = |case: &str| format!("reports/onnx-under-ieee754#onnx-1.22.0/node/test_{case}");
    assert_eq!(predicate["result"], "FAILED");
    assert_eq!(predicate["failedTests"], json!([name("c")]));
    assert_eq!(predicate["warnedTests"], json!([name("b")]));

    let limitations = read(pack.path(), "limitations.json").to_string();
    assert!(limitations.contains(&format!("reports/onnx-under-ieee754/report.json: {told}")));
    assert!(limitations.contains("1 failed"), "not the shape's requirement: {limitations}");
    assert!(limitations.contains(&format!("mine.toml (SHA-256 {})", "0".repeat(64))));

    let page = fs::read_to_string(pack.path().join("index.html")).unwrap();
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for told in [
        "Known failures violate requirements, which count as failed",
        "<b>1</b> <span class=\"verdict fail\">failed</span>, 1 of them as known",
        "<a href=\"matrix.html#E_DIV_FLOAT_FUNC_0010\">E_DIV_FLOAT_FUNC_0010</a>",
        "its quotients are &lt;truncated&gt;",
        "<a href=\"https://example.org/issues/1\">",
        "mine.toml",
        &"0".repeat(64),
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }

    assert_eq!(problems(pack.path()), [""; 0]);
    // By this process, which is the program that made it.
    let style = Style { width: 80, color: false };
    let text = evidence::text::verified(&verified(pack.path()), style);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for told in [
        "result FAILED",
        "1 failed, 1 of them known failures that violate requirements: 1 known failure",
        told,
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
    assert!(!text.contains("0 failed"), "{text}");
}

#[test]
fn a_statement_that_warns_of_known_failures_that_violate_requirements_does_not_verify() {
    let pack = packed(&[&violating()]);
    let mut statement = read(pack.path(), "statement.json");
    let predicate = statement["predicate"].as_object_mut().unwrap();
    let failed = predicate["failedTests"].as_array().unwrap().clone();
    predicate["warnedTests"].as_array_mut().unwrap().extend(failed);
    predicate["failedTests"] = json!([]);
    predicate["result"] = json!("WARNED");
    put_statement(pack.path(), &statement);
    reseal(pack.path());
    let text = problems(pack.path()).join("\n");
    assert!(text.contains("statement.json: `predicate."), "{text}");
}

/// The built-in kernels, but for the second chunk of their inputs, on which they die.
struct Dying;

impl Implementation for Dying {
    fn identity(&self) -> Identity {
        Kernels::new(&SQRT, DType::Float16).identity()
    }

    fn batch(&self) -> usize {
        1 << 14
    }

    fn chunk(&self) -> u64 {
        1 << 14
    }

    fn compute(&self, operands: &[Column], results: &mut Column) -> Result<(), Failure> {
        if operands[0].element(0) > 0 {
            return Err(Failure::Crashed("the adapter was terminated by signal 8".to_owned()));
        }
        Kernels::new(&SQRT, DType::Float16).compute(operands, results)
    }
}

#[test]
fn a_campaign_that_does_not_conform_fails_the_pack() {
    let folder = tempfile::tempdir().unwrap();
    let (operator, dtype) = (&SQRT, DType::Float16);
    let plan = Plan::new(operator, dtype, Strategy::Exhaustive, None, None).unwrap();
    let judge = Judge::new(Profile::named("sonnx").unwrap(), operator, dtype).unwrap();
    let task = Task { plan: &plan, implementation: &Dying, judge: &judge };
    let observer = &mut |_| ControlFlow::Continue(());
    let document = drive(&task, folder.path(), NonZeroUsize::MIN, observer).unwrap().document;
    assert_eq!((document.executed, document.promised), (1 << 14, 1 << 16));
    let pack = pack_of(&evidence::Inputs {
        campaigns: vec![folder.path().to_owned()],
        ..evidence::Inputs::default()
    });
    let statement = read(pack.path(), "statement.json");
    assert_eq!(statement["predicate"]["result"], "FAILED");
    let page = fs::read_to_string(pack.path().join("index.html")).unwrap();
    assert!(page.contains("not complete"));
}

#[test]
fn the_subject_is_the_file_that_is_named() {
    let (folder, path) = write(&every_verdict());
    let library = folder.path().join("librt.so.1");
    fs::write(&library, b"code").unwrap();
    let pack = pack_of(&evidence::Inputs {
        reports: vec![path.clone()],
        subject: Some(library),
        ..evidence::Inputs::default()
    });
    let statement = read(pack.path(), "statement.json");
    assert_eq!(statement["subject"][0]["name"], "librt.so.1");
    let digest = Digest::of(b"code").to_string();
    assert_eq!(statement["subject"][0]["digest"]["sha256"], digest.as_str());
    assert_eq!(problems(pack.path()), [""; 0]);
}

#[test]
fn a_subject_without_a_file_is_what_the_backend_says_and_a_limitation() {
    let mut report = every_verdict();
    report.backend.name = "My Runtime".to_owned();
    let pack = packed(&[&report]);
    let statement = read(pack.path(), "statement.json");
    assert_eq!(statement["subject"][0]["name"], "subjects/my_runtime.json");
    let described = fs::read(pack.path().join("subjects/my_runtime.json")).unwrap();
    let digest = Digest::of(&described).to_string();
    assert_eq!(statement["subject"][0]["digest"]["sha256"], digest.as_str());
    let page = fs::read_to_string(pack.path().join("index.html")).unwrap();
    assert!(page.contains("known by what it said of itself") && page.contains("--subject FILE"));
}

#[test]
fn a_report_of_another_build_is_not_taken_for_this_program() {
    // Built-in kernels, but nothing says that this file computed it.
    let pack = packed(&[&every_verdict()]);
    assert_eq!(read(pack.path(), "subjects/builtin.json")["basis"], "description");
}

#[test]
fn a_pack_takes_the_place_of_an_earlier_one_and_of_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("pack");
    let written = Written::shared();
    fs::create_dir(&out).unwrap();
    for _ in 0..2 {
        let (code, _, complaint) = told(&written.pack(&out));
        assert_eq!(code, 0, "{complaint}");
        assert_eq!(told(&tool(&["verify", out.to_str().unwrap()])).0, 0);
    }
    fs::write(out.join("notes.txt"), "mine").unwrap();
    let (code, _, complaint) = told(&written.pack(&out));
    assert_eq!(code, 2);
    assert!(complaint.contains("`notes.txt`") && complaint.contains("remove"), "{complaint}");
    assert_eq!(fs::read(out.join("notes.txt")).unwrap(), b"mine");

    let other = folder.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("a"), "b").unwrap();
    assert_eq!(told(&written.pack(&other)).0, 2);
    assert_eq!(told(&written.pack(&other.join("a"))).0, 2);
    assert_eq!(files(&other).len(), 1);
    let left: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|one| one.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "nothing half-written is left: {left:?}");
}

#[test]
fn what_did_not_isolate_the_backend_is_a_limitation_and_stands_on_the_front_page() {
    for (isolation, limitation) in [
        (Isolation::None, Some("no sandbox kept the implementation")),
        (Isolation::Partial, Some("did not keep it from known copies of the results")),
        (Isolation::InProcess, Some("ran within the process that judged it")),
        (Isolation::Default, None),
        (Isolation::Strict, None),
    ] {
        let mut report = one(Verdict::Pass, Verdict::Pass);
        report.isolation = isolation;
        let is_partial = isolation == Isolation::Partial;
        report.isolation_gaps = is_partial.then(|| "a copy".to_owned()).into_iter().collect();
        "mine".clone_into(&mut report.backend.name);
        let pack = packed(&[&report]);
        let limitations = read(pack.path(), "limitations.json").to_string();
        for told in
            ["no sandbox kept", "known copies of the results", "within the process that judged"]
        {
            let expected = limitation.is_some_and(|limitation| limitation.contains(told));
            assert_eq!(limitations.contains(told), expected, "{isolation:?}: {limitations}");
        }
        let page = fs::read_to_string(pack.path().join("index.html")).unwrap();
        assert!(page.contains(isolation.meaning()), "{isolation:?}");
    }
}
