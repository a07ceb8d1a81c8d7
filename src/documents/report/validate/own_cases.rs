//! The project's own cases in a report. The program carries them, and the digest of a corpus identifies them: what
//! follows from a case's files is derived from these.

use std::collections::{BTreeMap, BTreeSet};

use super::of_all;
use crate::corpus::case::{self, DataSet, Expect};
use crate::corpus::suite::Suite;
use crate::corpus::{CaseDir, KnownCorpus};
use crate::document::{Contradiction, agrees, ensure_all};
use crate::documents::report::document::{Case, Output, Report};
use crate::judge::compare::{OutputComparison, observe};
use crate::judge::profile::Strictness;
use crate::judge::verdict::Verdict;
use crate::run::{CaseResult, widen};
use reference::exact::Conforming;
use reference::operator::{Call, OperatorKind};
use reference::operators::OPERATORS;

/// Compares each own case with its files; a pass has all its outputs.
pub(super) fn check(report: &Report) -> Result<(), Contradiction> {
    for corpus in &report.corpora {
        let known = corpus.digest.parse().ok().and_then(KnownCorpus::of);
        let Some(own) = known.as_deref().and_then(KnownCorpus::own) else { continue };
        let files: BTreeMap<&str, &CaseDir> =
            own.cases().iter().map(|case| (case.name(), case)).collect();
        let within = |case: &Case| {
            let name = case.id.strip_prefix(corpus.name.as_str())?.strip_prefix('/')?;
            files.get(name).copied()
        };
        of_all(&report.cases, |case| within(case).map_or(Ok(()), |files| of_case(case, files)))?;
    }
    Ok(())
}

fn of_case(case: &Case, files: &CaseDir) -> Result<(), Contradiction> {
    let Some(own) = files.carried().and_then(|files| case::Case::decode(&case.id, files).ok())
    else {
        return Ok(());
    };
    let Ok(suite) = crate::corpus::suite::named(&case.suite) else { return Ok(()) };
    let known = CaseResult::not_run(&case.id, suite, &own);
    let path = |member| format!("cases[{}].{member}", case.id);
    agrees(path("operator"), &case.operator, &known.operator)?;
    agrees(path("opset"), &case.opset, &known.opset)?;
    agrees(path("types"), &case.types, &known.types)?;
    agrees(path("requirements"), &case.requirements, &known.requirements)?;
    if !case.expected.can_be_known() {
        agrees(path("expected"), &case.expected, &known.expected)?;
    }
    // What is returned where no values are expected is recorded as it is.
    if case.verdict == Verdict::OutOfDomain {
        return Ok(());
    }
    let expected = outputs(&own);
    let form =
        |output: &Output| (output.name.clone(), output.type_name.clone(), output.shape.clone());
    let answered: BTreeSet<Form> = case.outputs.iter().map(form).collect();
    let is_whole = case.verdict != Verdict::Pass
        || answered == expected
        || answered.is_empty() && own.manifest.expect != Expect::Values;
    ensure_all(
        format_args!("the case `{}`", case.id),
        [
            (is_whole && answered.is_subset(&expected), "has other `outputs` than its files"),
            (!is_wrong(case, suite, &own), "has wrong `outputs` in a pass"),
        ],
    )
}

/// Name, element type and shape of an output.
type Form = (String, String, Vec<u64>);

/// The outputs that a case expects.
fn outputs(own: &case::Case) -> BTreeSet<Form> {
    let of_set = |set: &DataSet| {
        let values = own.model.outputs().iter().zip(&set.outputs);
        let observed = values.flat_map(|(port, value)| observe(&port.name, value));
        let form = |output: OutputComparison| {
            (own.output_name(set, &output.name), output.type_name, widen(&output.shape))
        };
        observed.map(form).collect::<Vec<_>>()
    };
    own.data_sets.iter().flat_map(of_set).collect()
}

/// Whether a pass has an output that is off, where one result alone conforms: it is the expected one.
fn is_wrong(case: &Case, suite: Suite, own: &case::Case) -> bool {
    let is_single = OPERATORS.iter().any(|operator| {
        operator.name == case.operator
            && matches!(operator.kind, OperatorKind::Exact | OperatorKind::Rounded)
    });
    let is_exact = case.strictness == Some(Strictness::Exact);
    let is_off = case.max_ulp().is_some_and(|ulp| ulp > 0);
    let is_off = case.verdict == Verdict::Pass && is_exact && is_single && is_off;
    is_off && !own.data_sets.iter().any(|set| is_open(suite, own, set))
}

/// Whether several results conform for an element that a data set asks for.
fn is_open(suite: Suite, own: &case::Case, set: &DataSet) -> bool {
    let Ok((call, types)) = Call::of(&own.model, &set.inputs, suite) else { return false };
    let outputs = call.operator.reference.allowed(&call, &types);
    outputs.iter().zip(&types).any(|(allowed, output)| {
        let mut elements = 0..output.shape.iter().product();
        elements.any(|at| matches!(allowed.at(at), Conforming::OneOf(_)))
    })
}
