//! `run --maxfail N` and `run -x`.

use std::fs;

use super::{float32, in_folder, report, run, stderr, stdout, three_cases, write_case};

#[test]
fn a_run_that_ends_early_has_every_selected_case_in_its_report_and_exits_1() {
    let folder = three_cases();
    let folder = folder.path();
    for option in [&["-x"][..], &["--maxfail", "1"], &["--maxfail", "9", "-x"]] {
        let output = run(folder, option);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        let report = report(folder);
        let verdicts: Vec<_> =
            report["cases"].as_array().unwrap().iter().map(|case| &case["verdict"]).collect();
        assert_eq!(verdicts, ["fail", "skipped", "skipped"], "{option:?}");
        assert_eq!(report["summary"]["skipped"], 2);
        let said = "not run: the run ends with 1 unexpected result (--maxfail)";
        assert_eq!(report["cases"][1]["message"], said);
        assert!(stdout(&output).contains("2  skipped"), "{}", stdout(&output));
        let junit = fs::read_to_string(folder.join("out/junit.xml")).unwrap();
        assert!(junit.contains(said), "{junit}");
    }
    let output = run(folder, &["-x", "--maxfail", "2"]);
    assert_eq!(report(folder)["summary"]["skipped"], 0, "{}", stderr(&output));
    assert_eq!(run(folder, &["--maxfail", "0"]).status.code(), Some(2));
}

#[test]
fn a_report_of_a_run_that_ended_early_is_one_and_its_skipped_cases_are_lost_passes_to_the_gate() {
    let folder = three_cases();
    let folder = folder.path();
    run(folder, &[]);
    fs::rename(folder.join("out"), folder.join("before")).unwrap();
    let (one, third) = (float32(&[1.0]), float32(&[0.25]));
    write_case(&folder.join("cases/aaa"), "Div", &[one, float32(&[3.0])], &[third]);
    assert_eq!(run(folder, &["-x"]).status.code(), Some(1));
    let gate = ["gate", "--baseline", "before/report.json", "--report", "out/report.json"];
    let output = in_folder(folder, &gate);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).contains("cases/pass"), "{}", stdout(&output));
}
