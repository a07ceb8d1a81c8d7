//! What a pack does not show, told from what is in it.

use std::collections::BTreeMap;

use super::document::{Basis, Limitation};
use super::locks;
use super::named::Named;
use super::redact::{HOST, PATH, USER};
use super::requirements::violated;
use super::sources::Sources;
use crate::backend::builtin;
use crate::campaign::Document as Campaign;
use crate::matrix::document::Matrix;
use crate::profile::Profile;
use crate::qualification::Document as Qualification;
use crate::qualification::document::Tally;
use crate::report::document::{Case, Report, Suite, Tool};
use crate::report::text::counted;
use crate::requirements::Status;
use crate::verdict::Verdict;

/// The limitations of a pack that this program makes.
pub(super) fn of(
    sources: &Sources,
    tool: &Tool,
    matrix: &Matrix,
    qualification: &Qualification,
) -> Vec<Limitation> {
    let mut list = List::default();
    list.add(
        "Passing is no proof of conformance: the cases sample what an operator does, and a campaign \
         shows what holds on its own inputs. What no case and no campaign holds is not judged here.",
        None,
    );
    list.add(
        "The pack is not signed: its manifest shows that the files belong together, not who made them.",
        Some("Sign `statement.dsse.json`, and check the signature before anything else (docs/evidence.md)."),
    );
    of_subject(&mut list, sources);
    of_tools(&mut list, sources, tool);
    of_corpora(&mut list, sources);
    of_profiles(&mut list, sources);
    of_laxer_profiles(&mut list, sources, matrix);
    sources.reports.iter().for_each(|report| of_report(&mut list, report));
    for known in sources.outcome().known {
        list.add(format!("{}: {known}", known.report), None);
    }
    sources.campaigns.iter().for_each(|campaign| of_campaign(&mut list, campaign));
    of_requirements(&mut list, matrix);
    of_platforms(&mut list, sources);
    of_redaction(&mut list, sources);
    let Tally { defects, killed, .. } = qualification.summary;
    if killed < defects {
        list.add(
            format!(
                "Of the {defects} defects that were seeded to qualify the tool it found {killed}."
            ),
            None,
        );
    }
    list.0
}

#[derive(Default)]
struct List(Vec<Limitation>);

impl List {
    fn add(&mut self, statement: impl Into<String>, remedy: Option<&str>) {
        self.0.push(Limitation { statement: statement.into(), remedy: remedy.map(str::to_owned) });
    }
}

fn of_subject(list: &mut List, sources: &Sources) {
    let backend = &sources.subject.backend;
    match (sources.subject.basis, &sources.subject.file) {
        (Basis::Executable, _) => {}
        (Basis::File, Some(file)) => list.add(
            format!(
                "That `{}` is what was tested rests on the word of whoever made the pack: the tool \
                 computed its digest and cannot see what the backend loaded.",
                file.name
            ),
            None,
        ),
        _ => list.add(
            format!(
                "The implementation under test is known by what it said of itself ({} {}) alone; no \
                 digest of its files is known.",
                backend.name, backend.version
            ),
            Some(
                "Make the pack with `--subject FILE`, which takes the digest of the library, wheel or \
                 binary that was tested.",
            ),
        ),
    }
}

fn of_tools(list: &mut List, sources: &Sources, tool: &Tool) {
    if tool.dirty != Some(false) {
        list.add(
            format!(
                "The program that made the pack was built from a checkout with uncommitted changes, or \
                 from none: the commit `{}` does not identify it.",
                tool.commit
            ),
            Some("Build it from a clean checkout, and test and pack with that."),
        );
    }
    let others: Vec<_> =
        sources.heads().filter(|head| head.tool != tool).map(|head| head.path).collect();
    if !others.is_empty() {
        list.add(
            format!(
                "Written by another build of the tool than the one that made the pack, whose profiles and \
                 requirements the pack holds: {}.",
                others.join(", ")
            ),
            Some("Test and pack with one build."),
        );
    }
}

fn of_corpora(list: &mut List, sources: &Sources) {
    for corpus in sources.corpora() {
        let name = &corpus.name;
        match locks::of(name) {
            Some(lock) if lock.fits(corpus) => {}
            Some(_) => list.add(
                format!(
                    "The corpus `{name}` is not the one that the tool knows by that name: its digest is \
                     another."
                ),
                Some("Take the tool's own: `--suite` without `--corpus`, and for ONNX's cases `fetch`."),
            ),
            None => list.add(
                format!(
                    "The tool has no lock of the corpus `{name}`: what its cases hold is pinned by the \
                     digest {} alone.",
                    corpus.digest
                ),
                Some("Keep the folder of the cases; testdata/README.md shows how to compute the digest."),
            ),
        }
    }
}

fn of_profiles(list: &mut List, sources: &Sources) {
    for name in sources.profiles() {
        if Profile::embedded(name).is_some() {
            continue;
        }
        let (problem, remedy) = match sources.own_profiles.contains_key(name) {
            true => ("nobody but its author has reviewed its rules", "Read its file in the pack."),
            false => {
                ("the pack does not hold its rules", "Give the profile's file with --profile.")
            }
        };
        let what = format!("The profile `{name}` is none of the tool's: {problem}.");
        list.add(what, Some(remedy));
    }
}

/// Suites that were judged less strictly than by default, and the requirements that are not verified
/// because of that.
fn of_laxer_profiles(list: &mut List, sources: &Sources, matrix: &Matrix) {
    let remedy = Some("Run the suite without `--profile`, and judge campaigns by `sonnx`.");
    for report in &sources.reports {
        for sentence in report.document.suites.iter().filter_map(Suite::laxer) {
            list.add(format!("{}: {sentence}", report.path()), remedy);
        }
    }
    let mut by_reason = BTreeMap::<&str, Vec<&str>>::new();
    for requirement in &matrix.requirements {
        if let Some(reason) = &requirement.reason {
            by_reason.entry(reason).or_default().push(&requirement.id);
        }
    }
    for (reason, ids) in by_reason {
        list.add(format!("Not verified, as {reason}: {}.", ids.join(", ")), remedy);
    }
}

fn of_report(list: &mut List, report: &Named<Report>) {
    let (path, document) = (report.path(), &report.document);
    let held: u64 = document.corpora.iter().map(|corpus| corpus.cases).fold(0, u64::saturating_add);
    let summary = &document.summary;
    if summary.cases < held {
        list.add(
            format!(
                "{path} covers {} of the {} that its corpora hold.",
                summary.cases,
                counted(held, "case")
            ),
            Some("Run it without `--filter`."),
        );
    }
    let not_judged = [
        (summary.unsupported, Verdict::Unsupported, "the implementation has nothing for them"),
        (summary.skipped, Verdict::Skipped, "they were not run"),
        (summary.out_of_domain, Verdict::OutOfDomain, "no specification decides their results"),
    ];
    for (count, verdict, why) in not_judged {
        if count > 0 {
            let verdict = verdict.name().replace('_', " ");
            list.add(format!("{path}: {} {verdict}: {why}.", are(count)), None);
        }
    }
    if let Some(used) = &document.expectations_list {
        list.add(format!("{path}: what is known to fail stands in {used}."), None);
    }
    let known = document.cases.iter().filter(|case| case.expected.is_failure());
    let count = |of: fn(&&Case) -> bool| known.clone().filter(of).count() as u64;
    let violating = count(|case| case.is_known_failure() && !violated(case).is_empty());
    if violating > 0 {
        list.add(
            format!(
                "{path}: {} known to fail, and counted as failures of the requirements that they violate.",
                are(violating)
            ),
            None,
        );
    }
    let others = count(|case| case.is_known_failure() && violated(case).is_empty());
    if others > 0 {
        list.add(
            format!(
                "{path}: {} known to fail, and counted as warnings, as they violate no requirement.",
                are(others)
            ),
            None,
        );
    }
    let passed = count(|case| case.verdict == Verdict::Pass);
    if passed > 0 {
        list.add(
            format!("{path}: {} known to fail, but passed.", are(passed)),
            Some("Remove what is outdated from the backend's expectations."),
        );
    }
    let stale = document.expectations.iter().filter(|known| known.stale).count();
    if stale > 0 {
        list.add(
            format!("{path}: {} of no case.", counted(stale as u64, "known failure")),
            Some("Remove what is outdated from the backend's expectations."),
        );
    }
}

fn are(count: u64) -> String {
    format!("{} {}", counted(count, "case"), if count == 1 { "is" } else { "are" })
}

fn of_campaign(list: &mut List, campaign: &Named<Campaign>) {
    let (path, document) = (campaign.path(), &campaign.document);
    let Campaign { inputs, promised, executed, .. } = document;
    if !document.is_complete() {
        list.add(
            format!("{path} executed {executed} of its {promised} planned inputs."),
            Some("Give its command again: it goes on where it was."),
        );
    }
    if promised < inputs {
        list.add(
            format!("{path} covers {promised} of the {inputs} inputs of its strategy."),
            Some("Execute the other parts, and `merge` them."),
        );
    }
    if let Some(confidence) = &document.confidence {
        list.add(format!("{path} is about a sample. {}", confidence.statement), None);
    }
    if document.violations.is_none() && *executed > 0 {
        list.add(
            format!(
                "{path}: its profile decides nothing on {}; it is judged by the correct results.",
                document.type_name
            ),
            None,
        );
    } else if document.mismatches > 0 && document.violations == Some(0) {
        list.add(
            format!(
                "{path}: {} not the correct ones, but within what the profile allows.",
                if document.mismatches == 1 {
                    "1 result is".to_owned()
                } else {
                    format!("{} results are", document.mismatches)
                }
            ),
            None,
        );
    }
}

/// Of the specifications that anything speaks for.
fn of_requirements(list: &mut List, matrix: &Matrix) {
    for document in &matrix.documents {
        let open = [
            (Status::Failed, "failed"),
            (Status::Partly, "verified in part"),
            (Status::Uncovered, "not covered"),
            (Status::OutOfDomain, "out of domain, as no specification decides what was asked"),
            (Status::Untestable, "which cannot be verified by execution"),
        ];
        let summary = &document.summary;
        if summary.uncovered + summary.untestable == summary.requirements {
            continue;
        }
        let open = open.into_iter().map(|(status, word)| (summary.count(status), word));
        let open: Vec<_> = open
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        if !open.is_empty() {
            list.add(
                format!(
                    "Of the {} of {}: {}.",
                    counted(summary.requirements, "requirement"),
                    document.title,
                    open.join(", ")
                ),
                None,
            );
        }
    }
    let silent: Vec<_> = matrix
        .documents
        .iter()
        .filter(|one| one.summary.uncovered + one.summary.untestable == one.summary.requirements)
        .map(|one| one.title.as_str())
        .collect();
    if !silent.is_empty() {
        list.add(format!("Nothing here speaks for {}.", silent.join(", ")), None);
    }
}

fn of_platforms(list: &mut List, sources: &Sources) {
    for platform in &sources.platforms.platforms {
        let all = [&platform.target, &platform.os, &platform.arch, &platform.cpu_features];
        let found = [&platform.toolchain, &platform.rounding_mode, &platform.subnormal_policy];
        if all.into_iter().chain(found).any(Option::is_none) {
            list.add(
                format!("Not all is known of the platform of {}.", platform.documents.join(", ")),
                Some("Run it anew with this version of the tool."),
            );
        }
    }
    if sources.subject.backend.name != builtin::NAME {
        list.add(
            "Rounding mode and subnormals were probed in the process of the tool; what the \
             implementation's own process sets for itself shows in its results alone.",
            None,
        );
    }
}

fn of_redaction(list: &mut List, sources: &Sources) {
    let holds = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        [PATH, HOST, USER].iter().any(|stand_in| text.contains(stand_in))
    };
    let reports = sources.reports.iter().filter(|one| holds(&one.bytes)).map(Named::<Report>::path);
    let campaigns =
        sources.campaigns.iter().filter(|one| holds(&one.bytes)).map(Named::<Campaign>::path);
    let changed: Vec<_> = reports.chain(campaigns).collect();
    if !changed.is_empty() {
        list.add(
            format!(
                "Paths and names of the machine were taken out of {}: `{PATH}`, `{HOST}` and `{USER}` \
                 stand for them.",
                changed.join(", ")
            ),
            None,
        );
    }
}
