//! Catalogues, reports and campaigns made up for the tests.

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::sync::LazyLock;

use onnx_conformance::documents::matrix::Source;
use onnx_conformance::documents::matrix::document::Matrix;
use onnx_conformance::documents::report::document::Report;
use onnx_conformance::dtype::DType;
use onnx_conformance::judge::profile::Profile;
use onnx_conformance::judge::requirements::Catalogue;
use onnx_conformance::judge::verdict::Verdict;
use onnx_conformance::measure::campaign::{Campaign, Judge, Kernels, Plan, Strategy, Task, drive};
use onnx_conformance::reference::operators::div::DIV;

use super::reports;

/// Two specifications of two requirements each; the last cannot be tested.
pub(crate) fn catalogue() -> Catalogue {
    let entry = |id: &str, statement: &str, more: &str| {
        format!(
            "[[requirement]]\nid = \"{id}\"\nsection = \"Results\"\naliases = []\n\
             kind = \"error_condition\"\naspect = [\"value\"]\nprovisional = true\nstatement = \"{statement}\"\n{more}\n"
        )
    };
    let file = |key: &str, entries: [String; 2]| {
        let head = format!("key = \"{key}\"\ntitle = \"The {key}\"\nsource = \"A <group>\"\n");
        head + &entries.concat()
    };
    let one = file("one", [entry("P_A", "It holds.", ""), entry("P_B", "It floats & rounds.", "")]);
    let two = file(
        "two",
        [
            entry("P_C", "It ends.", ""),
            entry("P_D", "It is seen.", "untestable = \"Nobody can see it.\""),
        ],
    );
    Catalogue::from_files(&[("one.toml", &one), ("two.toml", &two)]).unwrap()
}

/// A report of cases by id, verdict and requirements.
pub(crate) fn report(cases: &[(&str, Verdict, &[&str])]) -> Report {
    let case = |&(id, verdict, requirements): &(&str, Verdict, &[&str])| {
        let mut case = reports::case(id, "Div", verdict);
        case.requirements = requirements.iter().map(|&id| id.to_owned()).collect();
        case
    };
    reports::report(cases.iter().map(case).collect())
}

/// A campaign of the built-in kernels.
pub(crate) fn conducted(range: Option<Range<u64>>) -> Campaign {
    let plan = Plan::new(&DIV, DType::Int8, Strategy::Exhaustive, range, None).unwrap();
    let judge = Judge::new(Profile::named("sonnx").unwrap(), &DIV, DType::Int8).unwrap();
    let subject = Kernels::new(&DIV, DType::Int8);
    let task = Task { plan: &plan, implementation: &subject, judge: &judge };
    let folder = tempfile::tempdir().unwrap();
    let go_on = &mut |_| ControlFlow::Continue(());
    drive(&task, folder.path(), NonZeroUsize::MIN, go_on).unwrap().document
}

/// A complete campaign without a mismatch, of the backend of [`report`], that names these
/// requirements.
pub(crate) fn campaign(requirements: &[&str]) -> Campaign {
    static WHOLE: LazyLock<Campaign> = LazyLock::new(|| conducted(None));
    let backend = reports::report(vec![]).backend;
    let requirements = requirements.iter().map(|&id| id.to_owned()).collect();
    Campaign { backend, requirements, ..WHOLE.clone() }
}

/// Two reports and three campaigns, with everything that a matrix can show.
pub(crate) struct Everything {
    reports: [Report; 2],
    campaigns: [Campaign; 3],
}

impl Everything {
    pub(crate) fn new() -> Self {
        let first = report(&[
            ("onnx-1.22.0/node/test_9", Verdict::Pass, &["P_A", "P_B"]),
            ("onnx-1.22.0/node/test_10", Verdict::Pass, &["P_A", "p <b>"]),
            ("onnx-1.22.0/node/test_11", Verdict::Unsupported, &[]),
        ]);
        let second = report(&[
            ("onnx-1.22.0/node/test_9", Verdict::Crash, &["P_B"]),
            ("onnx-1.22.0/node/a b", Verdict::OutOfDomain, &["P_C"]),
        ]);
        let shard = Campaign {
            shard: Some(serde_json::from_str("{\"index\": 1, \"count\": 2}").unwrap()),
            promised: 32768,
            executed: 32768,
            ..campaign(&["P_C"])
        };
        let stopped = Campaign {
            executed: 0,
            violations: None,
            failure: Some("the backend <died>".to_owned()),
            ..campaign(&["P_C", "P_X"])
        };
        Self { reports: [first, second], campaigns: [campaign(&["P_A"]), shard, stopped] }
    }

    pub(crate) fn reports(&self) -> &[Report] {
        &self.reports
    }

    pub(crate) fn campaigns(&self) -> &[Campaign] {
        &self.campaigns
    }

    /// Their matrix, with pages at these addresses.
    pub(crate) fn matrix(&self, reports: [&str; 2], campaigns: [Option<&str>; 3]) -> Matrix {
        let reports: Vec<_> = self
            .reports
            .iter()
            .zip(reports)
            .map(|(document, page)| Source { document, page: Some(page) })
            .collect();
        let campaigns: Vec<_> = self
            .campaigns
            .iter()
            .zip(campaigns)
            .map(|(document, page)| Source { document, page })
            .collect();
        Matrix::of(&catalogue(), &reports, &campaigns).unwrap()
    }
}

/// The matrix of everything, in the layout of a folder with a page a document below.
pub(crate) fn everything() -> Matrix {
    Everything::new().matrix(
        ["reports/1/report.html", "reports/2/report.html"],
        [Some("campaigns/1/campaign.html"), Some("campaigns/2/campaign.html"), None],
    )
}

/// The matrix of one report without a page.
pub(crate) fn of_report(report: &Report) -> Matrix {
    Matrix::of(&catalogue(), &[Source { document: report, page: None }], &[]).unwrap()
}
