//! Edits of a true report, each of which makes it say what cannot be: no reader takes it.

use std::num::NonZeroUsize;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use onnx_conformance::backend::{Backend, builtin::Builtin};
use onnx_conformance::corpus::Home;
use onnx_conformance::corpus::selection::Selection;
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::document::{Flaw, JsonDocument};
use onnx_conformance::documents::matrix::Source;
use onnx_conformance::documents::matrix::document::Matrix;
use onnx_conformance::documents::report::baseline::{self, Baseline};
use onnx_conformance::documents::report::document::{Expectation, Report, Summary};
use onnx_conformance::documents::scoreboard::document::Scoreboard;
use onnx_conformance::documents::scoreboard::{Joined, Source as Given};
use onnx_conformance::judge::requirements::Catalogue;
use onnx_conformance::judge::verdict::Verdict;
use onnx_conformance::run::{Options, Profiles, run};
use serde_json::{Value, json};

use super::synthetic;

/// The report of the built-in backend on some of the project's own cases.
static TRUE: LazyLock<Report> = LazyLock::new(|| {
    let home = Home::at(Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata"));
    let corpora = [(Suite::Sonnx, home.suite(Suite::Sonnx).unwrap())];
    let catalogue = Arc::new(Catalogue::embedded().unwrap());
    let options = Options {
        profiles: Profiles::of(&corpora, None).unwrap(),
        selection: Selection::matching("/div/(int8|float32)/|/sqrt/float32/".parse().unwrap()),
        catalogue: Some(Arc::clone(&catalogue)),
        expectations: Arc::default(),
        challenge: None,
        jobs: NonZeroUsize::MIN,
        timeout: Duration::from_secs(60),
        shard: None,
        max_failures: None,
        interrupted: Arc::default(),
    };
    let backend: Arc<dyn Backend> = Arc::new(Builtin);
    let run = run(&corpora, &backend, &options, &mut |_| ()).unwrap();
    Report::of(run, &catalogue).unwrap()
});

/// A report of one case that failed as it was known to, and one that passes.
fn known_failure() -> Report {
    let [a, b] = ["a", "b"].map(|name| format!("onnx-1.22.0/node/test_{name}"));
    let mut cases =
        vec![synthetic::case(&a, "Div", Verdict::Fail), synthetic::case(&b, "Div", Verdict::Pass)];
    cases[0].expected = Verdict::Fail;
    let mut report = synthetic::report(cases);
    report.expectations_list = Some(synthetic::list("mine.toml"));
    report.expectations = vec![Expectation {
        cases: a.clone(),
        verdict: Verdict::Fail,
        reason: "It rounds up.".to_owned(),
        link: None,
        matched: 1,
        failures: vec![a],
        unexpected_passes: vec![],
        stale: false,
        ..Expectation::default()
    }];
    report
}

/// What is said of a document after an edit; nothing where it is taken as it is.
fn told<D: JsonDocument>(document: &D, edit: impl FnOnce(&mut Value)) -> Option<String> {
    let mut edited = serde_json::to_value(document).unwrap();
    edit(&mut edited);
    let path = Path::new("edited.json");
    match D::from_bytes(path, edited.to_string().as_bytes()) {
        Ok(_) => None,
        Err(error) => {
            assert!(error.is_of_integrity(), "{error}: {:?}", error.flaw);
            let Flaw::Contradiction(source) = error.flaw else { panic!("{}", error.flaw) };
            Some(source.to_string())
        }
    }
}

#[track_caller]
fn assert_refused<D: JsonDocument>(of: &D, words: &str, edit: impl FnOnce(&mut Value)) {
    let told = told(of, edit).unwrap_or_else(|| panic!("taken, though: {words}"));
    assert!(told.contains(words), "{words}: {told}");
}

/// The place of the first case that is so, in the JSON of a report.
fn place(is_such: impl Fn(&onnx_conformance::documents::report::document::Case) -> bool) -> usize {
    TRUE.cases.iter().position(is_such).unwrap()
}

/// The place of a case with elements that returned values.
fn with_values() -> usize {
    place(|case| case.elements_compared() > 1 && case.outputs[0].shape.len() == 1)
}

#[test]
fn true_reports_are_taken_as_they_are() {
    assert_eq!(told(&*TRUE, |_| ()), None);
    assert_eq!(told(&known_failure(), |_| ()), None);
    assert_eq!(told(&Baseline::of(&TRUE), |_| ()), None);
    assert_eq!(told(&matrix(), |_| ()), None);
    assert_eq!(told(&scoreboard(), |_| ()), None);
}

#[test]
fn cases_are_those_of_the_corpus_that_the_digest_names() {
    assert_refused(&*TRUE, "is none of the corpus, by its `digest`", |report| {
        let at = report["cases"].as_array().unwrap().len() - 1;
        report["cases"][at]["id"] = json!("sonnx/where/zz/invented");
        report["requirements"] = json!([]);
        report["cases"][at]["requirements"] = json!([]);
    });
    for count in [0, 793, 795, 1_000_000_u64] {
        assert_refused(&*TRUE, "`cases`, but", |report| {
            report["corpora"][0]["cases"] = json!(count);
        });
    }
    let baseline = Baseline::of(&TRUE);
    assert_refused(&baseline, "is none of the corpus", |baseline| {
        let at = baseline["cases"].as_array().unwrap().len() - 1;
        baseline["cases"][at]["id"] = json!("sonnx/where/zz/invented");
    });
    assert_refused(&baseline, "`cases`, but", |baseline| {
        baseline["corpora"][0]["cases"] = json!(50);
    });
    // A lock's cases are known as those of a suite are.
    let lock = onnx_conformance::corpus::Lock::read(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/locks/onnx-1.22.0.toml"),
        "onnx-1.22.0",
    );
    let digest = lock.unwrap().digest.to_string();
    let locked = |name: &str| {
        let mut report = synthetic::report(vec![synthetic::case(name, "Div", Verdict::Pass)]);
        report.corpora[0].digest.clone_from(&digest);
        report
    };
    assert_eq!(told(&locked("onnx-1.22.0/node/test_div"), |_| ()), None);
    assert_refused(&locked("onnx-1.22.0/node/test_dive"), "is none of the corpus", |_| ());
}

#[test]
fn what_is_said_of_an_own_case_is_what_its_files_say() {
    let at = with_values();
    let edits: [(&str, Value, &str); 5] = [
        ("operator", json!("Sqrt"), ".operator` is \"Sqrt\""),
        ("opset", json!(1), ".opset` is 1"),
        ("types", json!(["float32", "int8", "int4"]), ".types[1]` is \"int8\""),
        ("expected", json!("out_of_domain"), ".expected` is \"out_of_domain\""),
        ("requirements", json!([]), "`requirements["),
    ];
    for (member, value, words) in edits {
        assert_refused(&*TRUE, words, |report| report["cases"][at][member] = value);
    }
    assert_refused(&*TRUE, "neither outputs nor a refusal", |report| {
        let compared = TRUE.summary.elements_compared - TRUE.cases[at].elements_compared();
        report["summary"]["elements_compared"] = json!(compared);
        report["cases"][at]["outputs"] = json!([]);
        report["cases"][at]["strictness"] = json!(null);
    });
    assert_refused(&*TRUE, "other `outputs`", |report| {
        report["cases"][at]["outputs"][0]["name"] = json!("other");
    });
    assert_refused(&*TRUE, "other `outputs`", |report| {
        let output = &mut report["cases"][at]["outputs"][0];
        let elements = output["elements"].as_u64().unwrap();
        output["shape"] = json!([elements, 1]);
    });
    let float = place(|case| case.id.contains("/float32/") && case.elements_compared() > 1);
    assert_refused(&*TRUE, "wrong `outputs` in a pass", |report| {
        let output = &mut report["cases"][float]["outputs"][0];
        let rank = output["shape"].as_array().unwrap().len();
        output["max_ulp"] = json!(1);
        output["worst"] = json!([{
            "index": vec![0; rank], "inputs": [], "ulp": 1,
            "expected": "0.33333334 (0x3eaaaaab)", "actual": "0.33333337 (0x3eaaaaac)",
        }]);
    });
}

#[test]
fn a_pass_rests_on_what_it_says() {
    let pass = |words: &str, edit: &dyn Fn(&mut Value)| {
        assert_refused(&known_failure(), words, |report| edit(&mut report["cases"][1]));
    };
    let message = "output `z`: 2 of 60 elements differ, by up to 3 ULP";
    pass("the `message` of another one", &|case| case["message"] = json!(message));
    pass("the `message` of another one", &|case| {
        case["message"] = json!("59 elements conform; 1 are undecided");
    });
    pass("neither outputs nor a refusal", &|case| {
        case["aspects"] = json!({
            "type": "passed", "shape": "passed", "value": "not_asked", "refusal": "not_asked",
            "accuracy": "not_asked",
        });
    });
    let worst = json!([{
        "index": [0, 0, 0], "inputs": [], "ulp": 1,
        "expected": "0.33333334 (0x3eaaaaab)", "actual": "0.33333337 (0x3eaaaaac)",
    }]);
    pass("a `max_ulp` that is not the largest", &|case| {
        case["outputs"][0]["worst"] = worst.clone();
    });
    assert_refused(&known_failure(), "all its elements are undecided", |report| {
        let output = &mut report["cases"][1]["outputs"][0];
        (output["elements"], output["undecided"]) = (json!(0), json!(60));
        report["summary"]["elements_compared"] = json!(60);
    });
    let mut baseline = Baseline::of(&known_failure());
    baseline.cases[1].outputs[0].elements = 0;
    baseline.cases[1].outputs[0].undecided = 60;
    baseline.summary.elements_compared = 60;
    assert_refused(&baseline, "all its elements are undecided", |_| ());
}

#[test]
fn the_elements_of_an_output_are_of_its_type_and_shape() {
    type Edit = fn(&mut Value);
    let edits: [(&str, Edit); 18] = [
        ("outside its `shape`", |output| output["worst"][0]["index"] = json!([1, 2, 5])),
        ("outside its `shape`", |output| output["worst"][0]["index"] = json!([1, 2])),
        ("`worst` elements twice", |output| output["worst"][1] = output["worst"][0].clone()),
        ("none of its `type`", |output| output["worst"][1]["ulp"] = json!(3)),
        ("none of its `type`", |output| output["worst"][0]["actual"] = json!("0.4 (0x3eaaaaae)")),
        ("none of its `type`", |output| output["worst"][0]["expected"] = json!("<b>")),
        ("operands of no type", |output| output["worst"][0]["inputs"][0] = json!("2 (0x3f800000)")),
        ("a `max_ulp` that is not", |output| output["max_ulp"] = json!(4)),
        ("a `max_ulp` that is not", |output| output["max_ulp"] = json!(null)),
        ("a number of `worst` elements", |output| output["worst"] = json!([])),
        ("a number of `worst` elements", |output| output["mismatches"] = json!(3)),
        ("an error in ULP that is no", |output| output["max_error_ulp"] = json!("0.1")),
        ("an error in ULP that is no", |output| {
            output["max_error_ulp"] = json!("0.1 (<2796203/2^20)");
        }),
        ("relative error that is no", |output| output["max_abs_error"] = json!("much")),
        ("relative error that is no", |output| {
            output["max_rel_error"] = json!("-1 (0xbff0000000000000)");
        }),
        ("more NaNs", |output| output["nan_sign_or_payload_differs"] = json!(61)),
        ("`returned` elements", |output| output["returned"][0] = json!("1 (0x3f800001)")),
        ("not those of its `type` and `shape`", |output| output["shape"] = json!([u64::MAX, 2])),
    ];
    for (words, edit) in edits {
        assert_refused(&known_failure(), words, |report| {
            edit(&mut report["cases"][0]["outputs"][0]);
        });
    }
    assert_refused(&known_failure(), "the output `z` twice", |report| {
        let outputs = report["cases"][0]["outputs"].as_array_mut().unwrap();
        outputs.push(outputs[0].clone());
        report["summary"]["elements_compared"] = json!(180);
    });
    assert_refused(&known_failure(), "but no `message`", |report| {
        report["cases"][0]["message"] = json!(null);
    });
    assert_refused(&known_failure(), "the `aspects` of", |report| {
        let output = &mut report["cases"][0]["outputs"][0];
        (output["mismatches"], output["worst"]) = (json!(0), json!([]));
    });
}

#[test]
fn counts_that_overflow_names_out_of_order_and_digests_that_are_none_are_refused() {
    assert_refused(&known_failure(), "more elements than can be counted", |report| {
        for at in [0, 1] {
            report["cases"][at]["outputs"][0]["elements"] = json!(u64::MAX);
        }
        report["summary"]["elements_compared"] = json!(u64::MAX);
    });
    let swap = |document: &mut Value, member: &str| {
        document[member].as_array_mut().unwrap().swap(0, 1);
    };
    assert_refused(&*TRUE, "`cases[0]` is", |report| swap(report, "cases"));
    assert_refused(&*TRUE, "`requirements[0].id` is", |report| swap(report, "requirements"));
    let baseline = Baseline::of(&TRUE);
    assert_refused(&baseline, "`cases[0]` is", |baseline| swap(baseline, "cases"));
    for digest in ["", "6b86b273", &"G".repeat(64), &"A".repeat(64), &"0".repeat(65)] {
        let words = "is not a SHA-256 digest";
        let edit = |document: &mut Value| document["corpora"][0]["digest"] = json!(digest);
        assert_refused(&known_failure(), words, edit);
        assert_refused(&Baseline::of(&known_failure()), words, edit);
        let edit = |document: &mut Value| document["expectations_list"]["sha256"] = json!(digest);
        assert_refused(&known_failure(), words, edit);
        assert_refused(&Baseline::of(&known_failure()), words, edit);
    }
}

#[test]
fn an_expectation_excuses_only_what_it_matches() {
    let other = "onnx-1.22.0/node/test_other";
    type Edit = fn(&mut Value);
    let edits: [(&str, Edit); 15] = [
        ("which no entry of `expectations` gives", |report| {
            report["expectations"][0]["cases"] = json!("onnx-1.22.0/node/test_other");
        }),
        ("which no entry of `expectations` gives", |report| {
            report["expectations"][0]["verdict"] = json!("crash");
        }),
        ("which no entry of `expectations` gives", |report| {
            report["expectations"][0]["cases"] = json!("onnx-1.22.0/*");
        }),
        ("`expectations[0].matched` is 2", |report| {
            report["expectations"][0]["matched"] = json!(2);
        }),
        ("`expectations[0].stale` is true", |report| {
            report["expectations"][0]["stale"] = json!(true);
        }),
        ("`expectations[0].failures[0]` is nothing", |report| {
            report["expectations"][0]["failures"] = json!([]);
        }),
        ("which no entry of `expectations` gives", |report| {
            report["expectations"][0]["verdict"] = json!("unsupported");
        }),
        ("which no entry of `expectations` gives", |report| {
            report["expectations"][0]["op"] = json!("Add");
        }),
        ("which no entry of `expectations` gives", |report| {
            report["expectations"][0]["type"] = json!("int8");
        }),
        ("which no entry of `expectations` gives", |report| {
            report["expectations"][0]["since_opset"] = json!(15);
        }),
        ("which no entry of `expectations` gives", |report| {
            report["expectations"][0]["flaky"] = json!(true);
        }),
        ("is `flaky`, which no entry", |report| {
            report["cases"][0]["flaky"] = json!(true);
        }),
        ("expects `pass`", |report| report["expectations"][0]["verdict"] = json!("pass")),
        ("has no reason", |report| report["expectations"][0]["reason"] = json!(" ")),
        ("is of none of `corpora`", |report| {
            report["expectations"][0]["cases"] = json!("onnx/node/test_a");
        }),
    ];
    for (words, edit) in edits {
        assert_refused(&known_failure(), words, edit);
    }
    assert_refused(&known_failure(), "`expectations[0].unexpected_passes[0]` is", |report| {
        report["expectations"][0]["unexpected_passes"] = json!([other]);
    });
}

#[test]
fn what_was_to_be_skipped_has_no_other_verdict_and_what_is_flaky_may_fail() {
    let is_skipped = |document: &mut Value| document["cases"][0]["expected"] = json!("skipped");
    assert_refused(&Baseline::of(&known_failure()), "was to be skipped", is_skipped);
    assert_refused(&known_failure(), "was to be skipped", |report| {
        is_skipped(report);
        report["expectations"][0]["verdict"] = json!("skipped");
        report["expectations"][0]["failures"] = json!([]);
    });
    let baseline = Baseline::of(&known_failure());
    assert_refused(&baseline, "is `flaky`, but `expected` never", |document| {
        document["cases"][1]["flaky"] = json!(true);
    });
    let flaky = |document: &mut Value| document["cases"][0]["flaky"] = json!(true);
    assert_eq!(told(&baseline, flaky), None);
    let flaky = |report: &mut Value| {
        flaky(report);
        report["expectations"][0]["flaky"] = json!(true);
    };
    assert_eq!(told(&known_failure(), flaky), None);
}

#[test]
fn the_status_of_a_requirement_follows_from_its_cases() {
    let uncovered = TRUE.requirements.iter().position(|one| one.status == "uncovered").unwrap();
    assert_refused(&*TRUE, ".status` is \"verified\", but has to be \"uncovered\"", |report| {
        report["requirements"][uncovered]["status"] = json!("verified");
    });
    assert_refused(&*TRUE, ".status` is \"excellent\"", |report| {
        report["requirements"][uncovered]["status"] = json!("excellent");
    });
    assert_refused(&*TRUE, "`requirements[", |report| {
        report["requirements"].as_array_mut().unwrap().remove(uncovered);
    });
    // What another version of the program held of its own catalogues is not known here.
    let of_another = told(&*TRUE, |report| {
        report["tool"]["version"] = json!("0.0.1");
        report["requirements"][uncovered]["status"] = json!("verified");
    });
    assert_eq!(of_another, None);
}

fn matrix() -> Matrix {
    let source = Source { document: &*TRUE, page: None };
    Matrix::of(&Catalogue::embedded().unwrap(), &[source], &[]).unwrap()
}

#[test]
fn a_matrix_adds_up_and_follows_from_its_cases() {
    let matrix = matrix();
    let of = |status: &str| {
        let is_of = |one: &onnx_conformance::documents::matrix::document::Requirement| {
            one.status.to_string() == status && (status == "uncovered" || one.cases.len() > 1)
        };
        matrix.requirements.iter().position(is_of).unwrap()
    };
    let (verified, uncovered) = (of("verified"), of("uncovered"));
    assert_refused(&matrix, ".status` is \"verified\", but has to be \"uncovered\"", |matrix| {
        matrix["requirements"][uncovered]["status"] = json!("verified");
    });
    assert_refused(&matrix, "`documents[0].summary.requirements` is 0", |matrix| {
        matrix["documents"][0]["summary"]["verified"] = json!(0);
        matrix["documents"][0]["summary"]["requirements"] = json!(0);
    });
    assert_refused(&matrix, ".reason` is null, but has to be \"judged by", |matrix| {
        let row = &mut matrix["requirements"][verified];
        row["cases"][0]["support"] = json!("lax");
    });
    assert_refused(&matrix, "that its `verdict` does not give", |matrix| {
        matrix["requirements"][verified]["cases"][0]["support"] = json!("failed");
    });
    assert_refused(&matrix, "two verdicts", |matrix| {
        let id = matrix["requirements"][verified]["cases"][0]["id"].clone();
        let rows = matrix["requirements"].as_array_mut().unwrap();
        let cases = rows.iter_mut().flat_map(|row| row["cases"].as_array_mut().unwrap());
        let mut same: Vec<&mut Value> = cases.filter(|case| case["id"] == id).collect();
        assert!(same.len() > 1);
        (same[0]["verdict"], same[0]["support"]) = (json!("fail"), json!("passed"));
    });
    assert_refused(&matrix, "are not in their order", |matrix| {
        matrix["requirements"][verified]["cases"].as_array_mut().unwrap().swap(0, 1);
    });
    assert_refused(&matrix, "of them are in the matrix", |matrix| {
        matrix["reports"][0]["cases"] = json!(1);
    });
    assert_refused(&matrix, "`cases`, but", |matrix| {
        matrix["reports"][0]["corpora"][0]["cases"] = json!(1);
    });
    assert_refused(&matrix, ".statement` is \"Anything goes.\"", |matrix| {
        matrix["requirements"][verified]["statement"] = json!("Anything goes.");
    });
    assert_refused(&matrix, "not places in `campaigns`", |matrix| {
        matrix["requirements"][verified]["campaigns"] = json!([0]);
    });
}

fn scoreboard() -> Scoreboard {
    let other = |name: &str, wrong: bool| {
        let mut report = synthetic::report(vec![
            synthetic::case("onnx-1.22.0/node/test_a", "Div", Verdict::Pass),
            synthetic::case(
                "onnx-1.22.0/node/test_b",
                "Sqrt",
                if wrong { Verdict::Crash } else { Verdict::Pass },
            ),
        ]);
        report.backend.name = name.to_owned();
        report.summary = Summary::of(&report.cases);
        let path = format!("{name}.json").into();
        Given { path, report }
    };
    let given = [other("one", false), other("other", true)];
    Scoreboard::of(&Joined::of(&given).unwrap(), &Home::find().unwrap()).unwrap().0
}

#[test]
fn a_scoreboard_says_of_each_backend_what_its_cells_do() {
    let board = scoreboard();
    assert_eq!(board.disagreements.len(), 1);
    type Edit = fn(&mut Value);
    let edits: [(&str, Edit); 9] = [
        ("`backends[0].summary.fail` is 0", |board| {
            let cell = &mut board["cases"][0]["backends"][0];
            (cell["verdict"], cell["returned"]) = (json!("fail"), json!(true));
        }),
        ("`backends[1].summary.crash` is 0", |board| {
            board["backends"][1]["summary"]["crash"] = json!(0);
        }),
        ("`operators[0].backends[0].passed` is 0", |board| {
            board["operators"][0]["backends"][0]["passed"] = json!(0);
        }),
        ("`operators[0].backends[0].undecided` is 1", |board| {
            board["operators"][0]["backends"][0]["undecided"] = json!(1);
        }),
        ("`operators` are not those", |board| {
            board["operators"][0]["backends"][0]["asked"] = json!(2);
        }),
        ("`disagreements[0]` is nothing", |board| board["disagreements"] = json!([])),
        ("`hard_questions[0].title` is \"Nothing\"", |board| {
            board["hard_questions"][0]["title"] = json!("Nothing");
        }),
        ("said of others", |board| {
            board["cases"][0]["backends"].as_array_mut().unwrap().pop();
        }),
        ("`cases[0]` is", |board| board["cases"].as_array_mut().unwrap().swap(0, 1)),
    ];
    for (words, edit) in edits {
        assert_refused(&board, words, edit);
    }
}

/// Every command that takes a report, with the exit code that tells of an edited one.
#[test]
fn every_reader_refuses_what_contradicts_itself() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: Vec<u8>| std::fs::write(folder.path().join(name), bytes);
    write("true.json", TRUE.to_bytes().unwrap()).unwrap();
    let mut edited = TRUE.clone();
    let at = edited.cases.len() - 1;
    edited.cases[at].message = Some("output `Y`: 1 of 9 elements differ".to_owned());
    write("edited.json", edited.to_bytes().unwrap()).unwrap();
    for arguments in [
        &["gate", "--baseline", "true.json", "--report", "edited.json"][..],
        &["gate", "--baseline", "edited.json", "--report", "true.json"],
        &["matrix", "--report", "edited.json"],
        &["scoreboard", "edited.json", "--out", "out"],
        &["evidence", "--report", "edited.json", "--out", "out"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"));
        let output = command.args(arguments).current_dir(folder.path()).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(4), "{arguments:?}: {error}");
        assert!(error.contains("the `message` of another one"), "{arguments:?}: {error}");
        assert!(!folder.path().join("out").exists());
    }
    assert!(baseline::read(&folder.path().join("true.json")).is_ok());
}
