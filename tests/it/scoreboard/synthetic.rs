//! Reports made up for the tests: small ones, in which every element is meant.

use std::path::PathBuf;

use onnx_conformance::corpus::Home;
use onnx_conformance::documents::report::document::{
    Backend, Case, Corpus, FORMAT_VERSION, Isolation, Output, Provenance, Report, Suite, Summary,
    Tool, Worst,
};
use onnx_conformance::documents::scoreboard::document::{Disagreement, Scoreboard};
use onnx_conformance::documents::scoreboard::{Joined, Source};
use onnx_conformance::judge::verdict::AspectResult::{NotAsked, Passed};
use onnx_conformance::judge::verdict::{Aspects, Verdict};

use crate::support::aspects::aspects;
use crate::support::suites;

/// Strings that strangers could put into ids, names and messages.
pub(crate) const HOSTILE: [&str; 5] = [
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "\u{1b}[31mred\0\u{202e}gnp.exe",
    "{{ 7 * 7 }} </style></script><!-- &amp;",
    "two\nlines, and a comma",
];

/// A case of an operator on float32 that got a verdict without outputs.
pub(crate) fn case(id: &str, operator: &str, verdict: Verdict) -> Case {
    Case {
        id: id.to_owned(),
        suite: "onnx".to_owned(),
        operator: operator.to_owned(),
        opset: 14,
        types: vec!["float32".to_owned()],
        profile: "onnx".to_owned(),
        strictness: None,
        verdict,
        aspects: match verdict {
            Verdict::Pass => Aspects { refusal: Passed, ..Aspects::all(NotAsked) },
            verdict => aspects(verdict),
        },
        expected: Verdict::Pass,
        flaky: false,
        is_allowed: false,
        requirements: vec![],
        message: (verdict != Verdict::Pass).then(|| format!("it is a {verdict}")),
        outputs: vec![],
        stderr: String::new(),
        duration: std::time::Duration::ZERO,
    }
}

/// A case that returned these elements; those at the places of `worst` are not the expected ones.
pub(crate) fn returned(
    id: &str,
    operator: &str,
    verdict: Verdict,
    elements: &[&str],
    worst: Vec<Worst>,
) -> Case {
    let output = Output {
        name: "z".to_owned(),
        type_name: "float32".to_owned(),
        shape: vec![elements.len() as u64],
        elements: elements.len() as u64,
        undecided: 0,
        mismatches: 0,
        max_ulp: worst.iter().filter_map(|worst| worst.ulp).max(),
        max_error_ulp: None,
        expected_max_error_ulp: None,
        share_of_bound: None,
        whole: None,
        max_abs_error: None,
        max_rel_error: None,
        nan_sign_or_payload_differs: 0,
        worst,
        returned: elements.iter().map(ToString::to_string).collect(),
    };
    let aspects = aspects(verdict);
    Case { aspects, outputs: vec![output], ..case(id, operator, verdict) }
}

/// An element that is not the expected one.
pub(crate) fn worst(at: u64, inputs: &[&str], expected: &str, actual: &str) -> Worst {
    Worst {
        index: vec![at],
        inputs: inputs.iter().map(ToString::to_string).collect(),
        expected: expected.to_owned(),
        actual: actual.to_owned(),
        ulp: Some(1),
    }
}

/// The same report under another profile.
pub(crate) fn under(profile: &str, mut report: Report) -> Report {
    report.profile = profile.to_owned();
    for suite in &mut report.suites {
        suite.profile = profile.to_owned();
    }
    for case in &mut report.cases {
        case.profile = profile.to_owned();
    }
    report
}

/// The report of a backend under the profile `onnx` on the corpus `c`.
pub(crate) fn report(name: &str, cases: Vec<Case>) -> Report {
    Report {
        format_version: FORMAT_VERSION,
        tool: Tool {
            name: "onnx-conformance".to_owned(),
            version: "0.1.0".to_owned(),
            commit: "unknown".to_owned(),
            dirty: None,
        },
        backend: Backend {
            name: name.to_owned(),
            version: "1.0".to_owned(),
            details: [("threads".to_owned(), "1".to_owned())].into(),
        },
        isolation: Isolation::InProcess,
        isolation_gaps: Vec::new(),
        challenge: None,
        profile: "onnx".to_owned(),
        suites: vec![Suite {
            name: "onnx".to_owned(),
            own_cases: false,
            profile: "onnx".to_owned(),
            default: "onnx".to_owned(),
            laxer: false,
        }],
        corpora: vec![corpus("c", &"6b86b273".repeat(8))],
        shard: None,
        summary: Summary::of(&cases),
        cases,
        expectations_list: None,
        expectations: vec![],
        requirements: vec![],
        provenance: Provenance::default(),
    }
}

pub(crate) fn corpus(name: &str, digest: &str) -> Corpus {
    Corpus { name: name.to_owned(), digest: digest.to_owned(), cases: 9 }
}

/// One report for each cell of a case; a backend without a cell was not asked.
pub(crate) fn of_one_case(cells: Vec<(&str, Option<Case>)>) -> Vec<Report> {
    cells.into_iter().map(|(name, cell)| report(name, cell.into_iter().collect())).collect()
}

pub(crate) fn sources(reports: Vec<Report>) -> Vec<Source> {
    let source = |(at, report)| Source { path: PathBuf::from(format!("{at}.json")), report };
    reports.into_iter().enumerate().map(source).collect()
}

pub(crate) fn scoreboard(reports: Vec<Report>) -> Scoreboard {
    Scoreboard::of(&Joined::of(&sources(reports)).unwrap(), &Home::find().unwrap()).unwrap().0
}

/// The disagreement on the only case of these cells.
pub(crate) fn disagreement(cells: Vec<(&str, Option<Case>)>) -> Option<Disagreement> {
    let mut all = scoreboard(of_one_case(cells)).disagreements;
    assert!(all.len() < 2);
    all.pop()
}

/// The digest of one of the project's own suites, as a run finds it.
pub(crate) fn digest_of_suite(name: &str) -> String {
    let suite = onnx_conformance::corpus::suite::named(name).unwrap();
    suites::corpus(suite).verify().unwrap().digest.to_string()
}

/// The report of a backend on one of the project's own suites.
pub(crate) fn on_suite(name: &str, suite: &str, cases: Vec<Case>) -> Report {
    let cases = cases.into_iter().map(|case| Case { suite: suite.to_owned(), ..case }).collect();
    Report { corpora: vec![corpus(suite, &digest_of_suite(suite))], ..report(name, cases) }
}

/// Four backends that agree and disagree in every way there is.
pub(crate) fn full() -> Vec<Report> {
    let third = "0.33333334 (0x3eaaaaab)";
    let below = "0.3333333 (0x3eaaaaaa)";
    let inputs = ["1 (0x3f800000)", "3 (0x40400000)"];
    let names = ["builtin", "fast", "onnx-reference", "tiny"];
    let cases = |at: usize| {
        let div = if at == 1 {
            returned("c/div", "Div", Verdict::Pass, &[below], vec![worst(0, &inputs, third, below)])
        } else {
            returned("c/div", "Div", Verdict::Pass, &[third], vec![])
        };
        let value = ["1 (0x3f800000)", "2 (0x40000000)", "3 (0x40400000)", "4 (0x40800000)"][at];
        let verdicts = [Verdict::Pass, Verdict::Crash, Verdict::Pass, Verdict::Unsupported];
        let exp = returned("c/exp", "Exp", Verdict::Pass, &[value], vec![]);
        if at == 3 {
            return vec![div, exp];
        }
        let crash = case("c/crash", "Exp, Div", verdicts[at]);
        vec![crash, div, exp, case("c/open", "Div", Verdict::OutOfDomain)]
    };
    names.iter().enumerate().map(|(at, name)| report(name, cases(at))).collect()
}

/// Every string that is a stranger's is hostile.
pub(crate) fn hostile() -> Vec<Report> {
    let all = HOSTILE.concat();
    let of = |value: &str, name: &str| {
        let cases = HOSTILE.iter().map(|text| {
            let worst = vec![worst(0, &[text, text], text, text)];
            let mut case = returned(&format!("{all}/{text}"), text, Verdict::Pass, &[value], worst);
            case.suite = (*text).to_owned();
            case.types = vec![(*text).to_owned()];
            case.message = Some(format!("{text}\n{text}"));
            case.outputs[0].name = (*text).to_owned();
            case.outputs[0].worst[0].actual = format!("{value}{text}");
            case
        });
        let mut report = report(&format!("{name}{all}"), cases.collect());
        report.backend.version.clone_from(&all);
        report.backend.details = [(all.clone(), all.clone())].into();
        let mut report = under(&all, report);
        report.corpora = vec![corpus(&all, &all)];
        report.requirements = vec![onnx_conformance::documents::report::document::Requirement {
            id: all.clone(),
            status: all.clone(),
            reason: Some(all.clone()),
            cases: vec![],
        }];
        report
    };
    vec![of("1", "a"), of("2", "b"), of("2", "c")]
}
