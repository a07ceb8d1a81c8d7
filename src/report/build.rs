//! The report document of a run.

use super::document::{
    self, Backend, Case, Corpus, Expectation, ExpectationsList, FORMAT_VERSION, Output, Report,
    Requirement, Suite, Summary, Worst,
};
use super::provenance;
use crate::compare::{OutputComparison, WorstElement};
use crate::float;
use crate::oracle::Ulps;
use crate::requirements::{Matrix, Row};
use crate::run::{CaseResult, ExpectationResult, Run, SuiteProfile};
use crate::suite;

impl Report {
    /// The document that says what a run found.
    #[must_use]
    pub fn of(run: &Run, matrix: &Matrix<'_>) -> Self {
        let cases: Vec<_> = run.cases.iter().map(|result| case(run, result)).collect();
        let suites: Vec<_> = run.profiles.iter().map(suite).collect();
        Self {
            format_version: FORMAT_VERSION,
            tool: provenance::tool(),
            backend: Backend {
                name: run.backend.name.clone(),
                version: run.backend.version.clone(),
                details: run.backend.details.clone(),
            },
            profile: Suite::profiles(&suites),
            suites,
            corpora: run
                .corpora
                .iter()
                .map(|corpus| Corpus {
                    name: corpus.name.clone(),
                    digest: corpus.digest.to_string(),
                    cases: corpus.cases as u64,
                })
                .collect(),
            summary: Summary::of(&cases),
            cases,
            expectations_list: run.expectations_list.as_ref().map(|list| ExpectationsList {
                name: list.name.clone(),
                sha256: list.sha256.to_string(),
            }),
            expectations: run.expectations.iter().map(expectation).collect(),
            requirements: requirements(matrix),
            provenance: provenance::of(run),
        }
    }
}

fn suite((suite, of): (&suite::Suite, &SuiteProfile)) -> Suite {
    Suite {
        name: suite.name().to_owned(),
        profile: of.profile.name().to_owned(),
        default: of.default.name().to_owned(),
        laxer: of.is_laxer(),
    }
}

/// Every requirement of the catalogues where at least one case speaks for one; none where the cases
/// are strangers'.
pub(crate) fn requirements(matrix: &Matrix<'_>) -> Vec<Requirement> {
    if matrix.rows.iter().all(|row| row.cases.is_empty()) {
        return Vec::new();
    }
    let requirement = |row: &Row<'_>| Requirement {
        id: row.requirement.id.clone(),
        status: row.verified.status.to_string(),
        reason: row.verified.reason.clone(),
        cases: row.cases.iter().map(|(id, _)| id.clone()).collect(),
    };
    matrix.rows.iter().map(requirement).collect()
}

fn expectation(result: &ExpectationResult) -> Expectation {
    let known = &result.known;
    Expectation {
        cases: known.cases.clone(),
        verdict: known.verdict,
        reason: known.reason.clone(),
        link: known.link.clone(),
        matched: result.matched as u64,
        failures: result.failures.clone(),
        unexpected_passes: result.unexpected_passes.clone(),
        stale: result.is_stale,
    }
}

fn case(run: &Run, case: &CaseResult) -> Case {
    Case {
        id: case.id.clone(),
        suite: case.suite.name().to_owned(),
        operator: case.operators.join(", "),
        opset: case.opset,
        types: case.types.iter().map(|name| (*name).to_owned()).collect(),
        profile: run.profile_of(case).to_owned(),
        strictness: case.strictness,
        verdict: case.verdict,
        aspects: case.aspects,
        expected: case.expected,
        requirements: case.requirements.clone(),
        message: case.message.clone(),
        outputs: case.outputs.iter().map(output).collect(),
    }
}

fn output(output: &OutputComparison) -> Output {
    Output {
        name: output.name.clone(),
        type_name: output.type_name.clone(),
        shape: widen(&output.shape),
        elements: output.elements,
        undecided: output.undecided,
        mismatches: output.mismatches,
        max_ulp: output.max_ulp,
        max_error_ulp: output.max_error.map(Ulps::with_fraction),
        expected_max_error_ulp: output.expected_max_error.map(Ulps::with_fraction),
        max_abs_error: output.max_abs_error.map(float::with_bits),
        max_rel_error: output.max_rel_error.map(float::with_bits),
        nan_sign_or_payload_differs: output.nan_sign_or_payload_differs,
        worst: output.worst.iter().map(worst).collect(),
        returned: output.returned.iter().map(ToString::to_string).collect(),
    }
}

fn worst(worst: &WorstElement) -> document::Worst {
    Worst {
        index: widen(&worst.index),
        inputs: worst.inputs.iter().map(ToString::to_string).collect(),
        expected: worst.expected.to_string(),
        actual: worst.actual.to_string(),
        ulp: worst.ulp,
    }
}

fn widen(dims: &[usize]) -> Vec<u64> {
    dims.iter().map(|&dim| dim as u64).collect()
}
