//! Reports made up for the tests: every verdict, hostile strings, and as many cases as wanted.

use onnx_conformance::documents::report::document::{
    Backend, Case, Corpus, ExpectationsList, FORMAT_VERSION, Isolation, Output, Provenance, Report,
    Requirement, Suite, Summary, Tool, Worst,
};
use onnx_conformance::judge::profile::Strictness;
use onnx_conformance::judge::verdict::Verdict;

pub(crate) use crate::support::aspects::aspects;

/// Strings that strangers could put into ids, names and messages.
pub(crate) const HOSTILE: [&str; 9] = [
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "]]></failure><evil/>",
    "\u{1b}[31mred\u{1b}[0m\0\u{8}\u{b}\u{fffe}\u{9b}2J",
    "\u{202e}gnp.exe \u{2066}hidden\u{2069}",
    "שלום עולם, مرحبا",
    "</style></script><!-- &amp; &lt;",
    "{{ 7 * 7 }} {% raw %} ${x} %s",
    "two\nlines\tand a tab",
];

pub(crate) fn case(id: &str, operator: &str, verdict: Verdict) -> Case {
    let message = match verdict {
        Verdict::Pass => None,
        Verdict::Fail => Some("output `z`: 2 of 60 elements differ, by up to 3 ULP"),
        Verdict::Unsupported => None,
        Verdict::OutOfDomain => Some("element 3 of the denominator is 0: no document decides"),
        Verdict::Crash => Some("the backend ended by signal 11\nstderr: segmentation fault"),
        Verdict::Timeout => Some("no answer within 10 s"),
        Verdict::Fault => Some("the adapter wrote a line that is no answer: `hello`"),
        Verdict::Skipped => Some("the filter of the suite leaves it out"),
    };
    let unsupported = format!("no kernel for operator {operator}, version 14");
    Case {
        id: id.to_owned(),
        suite: "onnx".to_owned(),
        operator: operator.to_owned(),
        opset: 14,
        types: vec!["float32".to_owned()],
        profile: "ieee754".to_owned(),
        strictness: matches!(verdict, Verdict::Pass | Verdict::Fail).then_some(Strictness::Exact),
        verdict,
        aspects: aspects(verdict),
        expected: Verdict::Pass,
        flaky: false,
        is_allowed: false,
        requirements: vec![],
        message: match verdict {
            Verdict::Unsupported => Some(unsupported),
            _ => message.map(str::to_owned),
        },
        outputs: match verdict {
            Verdict::Pass => vec![output(0)],
            Verdict::Fail => vec![output(2)],
            _ => vec![],
        },
        stderr: String::new(),
        duration: std::time::Duration::ZERO,
    }
}

pub(crate) fn output(mismatches: u64) -> Output {
    let worst = vec![
        Worst {
            index: vec![1, 2, 3],
            inputs: vec!["1 (0x3f800000)".to_owned(), "3 (0x40400000)".to_owned()],
            expected: "0.33333334 (0x3eaaaaab)".to_owned(),
            actual: "0.33333343 (0x3eaaaaae)".to_owned(),
            ulp: Some(3),
        },
        Worst {
            index: vec![0, 0, 0],
            inputs: vec!["0 (0x00000000)".to_owned(), "-0 (0x80000000)".to_owned()],
            expected: "NaN (0x7fc00000)".to_owned(),
            actual: "-1.1754944e-38 (0x80800000)".to_owned(),
            ulp: None,
        },
    ];
    Output {
        name: "z".to_owned(),
        type_name: "float32".to_owned(),
        shape: vec![3, 4, 5],
        elements: 60,
        undecided: 0,
        mismatches,
        max_ulp: Some(if mismatches == 0 { 0 } else { 3 }),
        max_error_ulp: Some("2.666667 (<2796203/2^20)".to_owned()).filter(|_| mismatches > 0),
        expected_max_error_ulp: Some("0.5 (=524288/2^20)".to_owned()),
        share_of_bound: None,
        whole: None,
        max_abs_error: Some(if mismatches == 0 {
            "0 (0x0000000000000000)".to_owned()
        } else {
            "8.940696716308594e-8 (0x3e78000000000000)".to_owned()
        }),
        max_rel_error: None,
        nan_sign_or_payload_differs: mismatches,
        worst: if mismatches == 0 { vec![] } else { worst },
        returned: vec!["-1.1754944e-38 (0x80800000)".to_owned(), "1 (0x3f800000)".to_owned()],
    }
}

/// A list of known failures of this name.
pub(crate) fn list(name: &str) -> ExpectationsList {
    ExpectationsList { name: name.to_owned(), sha256: "0".repeat(64) }
}

pub(crate) fn report(cases: Vec<Case>) -> Report {
    Report {
        format_version: FORMAT_VERSION,
        tool: Tool {
            name: "onnx-conformance".to_owned(),
            version: "0.1.0".to_owned(),
            commit: "0123456789abcdef0123456789abcdef01234567".to_owned(),
            dirty: Some(false),
        },
        backend: Backend {
            name: "builtin".to_owned(),
            version: "0.1.0".to_owned(),
            details: [("kernels".to_owned(), "Div, Sqrt".to_owned())].into(),
        },
        isolation: Isolation::InProcess,
        isolation_gaps: Vec::new(),
        challenge: None,
        profile: "ieee754".to_owned(),
        suites: vec![Suite {
            name: "onnx".to_owned(),
            own_cases: false,
            profile: "ieee754".to_owned(),
            default: "onnx".to_owned(),
            laxer: false,
        }],
        corpora: vec![Corpus {
            name: "onnx-1.22.0".to_owned(),
            digest: "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b".to_owned(),
            cases: 1765,
        }],
        shard: None,
        summary: Summary::of(&cases),
        cases,
        expectations_list: None,
        expectations: vec![],
        requirements: vec![],
        provenance: Provenance {
            clock: "2026-11-20T15:20:00Z".to_owned(),
            host: [("cpus", "2"), ("os", "linux"), ("target", "x86_64-unknown-linux-gnu")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            toolchain: "rustc 1.91.0".to_owned(),
            rounding_mode: "to nearest, ties to even".to_owned(),
            subnormal_policy: "kept".to_owned(),
            seeds: [("interior".to_owned(), 42)].into(),
            durations: [("run".to_owned(), "0.123".to_owned())].into(),
            stderr: [].into(),
        },
    }
}

/// Cases in natural order of their ids, as a run reports them.
fn in_order(mut cases: Vec<Case>) -> Vec<Case> {
    cases.sort_by(|a, b| onnx_conformance::corpus::natural_order(&a.id, &b.id));
    cases
}

/// A case of every verdict.
pub(crate) fn every_verdict() -> Report {
    let case = |verdict| case(&format!("onnx-1.22.0/node/test_{verdict}"), "Div", verdict);
    report(in_order(Verdict::ALL.map(case).into()))
}

/// Every string that is a stranger's is hostile, each in a case of its own.
pub(crate) fn hostile() -> Report {
    let cases = HOSTILE.iter().map(|text| {
        let mut case = case(&format!("onnx-1.22.0/node/{text}"), text, Verdict::Fail);
        case.suite = (*text).to_owned();
        case.profile = (*text).to_owned();
        case.types = vec![(*text).to_owned()];
        case.requirements = vec![(*text).to_owned()];
        case.message = Some(format!("{text}\n{}", text.repeat(200)));
        let output = &mut case.outputs[0];
        output.name = (*text).to_owned();
        output.type_name = (*text).to_owned();
        output.max_abs_error = Some((*text).to_owned());
        for worst in &mut output.worst {
            worst.expected = format!("{text} (0x3f)");
            worst.actual = (*text).to_owned();
            worst.inputs = vec![(*text).to_owned()];
        }
        case
    });
    let mut report = report(cases.collect());
    let all = HOSTILE.concat();
    report.backend.name.clone_from(&all);
    report.backend.version.clone_from(&all);
    report.backend.details = [(all.clone(), all.clone())].into();
    report.profile.clone_from(&all);
    let suite = |text: &&str| Suite {
        name: (*text).to_owned(),
        own_cases: false,
        profile: (*text).to_owned(),
        default: (*text).to_owned(),
        laxer: true,
    };
    report.suites = HOSTILE.iter().map(suite).collect();
    report.corpora[0].name.clone_from(&all);
    report.provenance.host = [(all.clone(), all.clone())].into();
    report.provenance.durations = [(all.clone(), all.clone())].into();
    let reason = Some(all.clone());
    report.requirements =
        vec![Requirement { id: all.clone(), status: all.clone(), reason, cases: vec![all] }];
    report
}

/// As many cases as the three corpora hold, in the proportions of a run of the built-in kernels
/// with some failures among them.
pub(crate) fn large() -> Report {
    let operators = [
        "Abs",
        "Cast",
        "Resize",
        "Attention",
        "Div",
        "Sqrt, Div",
        "ReduceSumSquare",
        "Constant, Cast, Shape, Slice, Concat, Reshape, Transpose, Mul, MatMul, Add, Softmax, Where",
    ];
    let types = ["float32", "float16", "float64", "int64", "uint8", "bfloat16"];
    let cases = (0..2257).map(|n: usize| {
        let operator = match n % 90 {
            0 => "Div",
            1 => "Sqrt",
            _ => operators[n % operators.len()],
        };
        let verdict = match n {
            _ if n % 90 > 1 => Verdict::Unsupported,
            180 | 271 | 990 => Verdict::Fail,
            360 => Verdict::Crash,
            451 => Verdict::Timeout,
            540 => Verdict::Fault,
            541 => Verdict::OutOfDomain,
            631 => Verdict::Skipped,
            _ => Verdict::Pass,
        };
        let name = operator.split(", ").last().unwrap().to_lowercase();
        let id = format!("onnx-1.22.0/node/test_{name}_with_{}_{n:04}", types[n % types.len()]);
        let mut case = case(&id, operator, verdict);
        case.types = vec![types[n % types.len()].to_owned()];
        if case.types[0] != "float32" && !case.outputs.is_empty() {
            case.types.push("float32".to_owned());
        }
        if n.is_multiple_of(5) {
            case.types.push("int64".to_owned());
        }
        case
    });
    let mut report = report(in_order(cases.collect()));
    report.corpora[0].cases = report.summary.cases;
    for case in &report.cases {
        if !case.outputs.is_empty() {
            report.provenance.durations.insert(case.id.clone(), "0.000123".to_owned());
        }
    }
    report
}
