//! The documents of a pack against themselves and each other, and its claims against them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Serialize;

use super::super::contents::{self, Files, PLATFORM_PATH, TOOL_PATH};
use super::super::document::{
    Basis, FORMAT_VERSION, Manifest, Platforms, Provenance, Subject, Tool,
};
use super::super::gather::{MOST_BYTES, neutral, wrote};
use super::super::listing::{Listing, OWN, PROVENANCE_PATH};
use super::super::named::Named;
use super::super::requirements;
use super::super::sources::{Sources, differing, profile_path};
use super::super::statement::{self, ENVELOPE, STATEMENT};
use super::files::Intact;
use super::{Kind, OWN_LIMIT, Verification, VerifyError, difference};
use crate::campaign::{self, Document as Campaign};
use crate::corpus::Digest;
use crate::document::JsonDocument;
use crate::limits::TOML_LIMIT;
use crate::profile::Profile;
use crate::report::document::{Provenance as Origin, Report};
use crate::report::provenance;
use crate::report::text::{counted, grouped};
use crate::requirements::Catalogue;

/// A pack that is being checked.
struct Pack<'a> {
    dir: &'a Path,
    listing: &'a Listing,
    manifest: &'a Manifest,
    digest: Digest,
    intact: &'a Intact<'a>,
}

/// Checks the claims of a pack, as far as its files are intact.
pub(super) fn check(
    dir: &Path,
    listing: &Listing,
    manifest: &Manifest,
    digest: Digest,
    intact: &Intact<'_>,
    found: &mut Verification,
) -> Result<(), VerifyError> {
    let pack = Pack { dir, listing, manifest, digest, intact };
    let provenance = pack.provenance(found)?;
    let documents = pack.documents(found)?;
    let subject: Option<Subject> = match pack.subject_path(found) {
        Some(path) => pack.own(&path, found)?,
        None => None,
    };
    let platforms: Option<Platforms> = pack.own(PLATFORM_PATH, found)?;
    let tool: Option<Tool> = pack.own(TOOL_PATH, found)?;
    let (Some((reports, campaigns)), Some(subject), Some(platforms)) =
        (documents, subject, platforms)
    else {
        found.not_verified.push(
            "what the statement claims, as not every document that it rests on is as it was"
                .to_owned(),
        );
        return Ok(());
    };
    let before = found.problems.len();
    let own_profiles = BTreeMap::new();
    let mut sources = Sources { reports, campaigns, subject, platforms, own_profiles };
    sources.own_profiles = pack.own_profiles(&sources, found)?;
    backend(&sources, found);
    if let Some(provenance) = &provenance {
        pack.origins(&sources, provenance, found);
    }
    pack.compare(&contents::of_sources(&sources)?, found)?;
    if found.problems.len() == before {
        found.verified.push(format!(
            "{} and {}: each agrees with itself, and all are of one implementation",
            counted(sources.reports.len() as u64, "report"),
            counted(sources.campaigns.len() as u64, "campaign")
        ));
    }
    pack.statement(&sources, found)?;
    match tool {
        // What is off is told already.
        _ if !found.is_whole() => {}
        Some(tool) if is_this_program(&tool, provenance.as_ref()) => {
            pack.made_again(&sources, found)?;
        }
        Some(Tool { tool, .. }) => found.not_verified.push(format!(
            "that pages, matrix and limitations follow from the documents: they were made by {} {} ({}{}), \
             which is not known to be this very program; they are as the manifest says",
            tool.name,
            tool.version,
            tool.commit,
            if tool.dirty == Some(false) { "" } else { ", with uncommitted changes" },
        )),
        None => {}
    }
    if found.is_whole() {
        found.outcome = Some(sources.outcome());
        found.subject = Some(sources.subject()?);
    }
    Ok(())
}

/// Whether this program makes the same files as the one that made the pack: it is the same file, or was
/// built from the same clean commit.
fn is_this_program(tool: &Tool, provenance: Option<&Provenance>) -> bool {
    let own = contents::tool();
    let commit = &own.tool.commit;
    let is_clean = own.tool.dirty == Some(false) && commit != "unknown";
    let packed_by = provenance.and_then(|provenance| wrote(&provenance.packed));
    (tool.tool == own.tool && is_clean)
        || (tool.tool == own.tool && packed_by.is_some() && packed_by == provenance::executable())
}

impl Pack<'_> {
    /// A document of the pack's own that the manifest lists, where it is intact.
    fn own<T>(&self, path: &str, found: &mut Verification) -> Result<Option<T>, VerifyError>
    where
        T: Kind + serde::Serialize + serde::de::DeserializeOwned,
    {
        if self.intact.contains_key(path) {
            self.parsed(path, found)
        } else {
            if !self.manifest.files.iter().any(|file| file.path == path) {
                found.problem(
                    super::MANIFEST,
                    format!("it does not list `{path}`, which every pack has"),
                );
            }
            Ok(None)
        }
    }

    fn parsed<T>(&self, path: &str, found: &mut Verification) -> Result<Option<T>, VerifyError>
    where
        T: Kind + serde::Serialize + serde::de::DeserializeOwned,
    {
        let Some(bytes) = found.read(self.dir, path, OWN_LIMIT)? else { return Ok(None) };
        let Some(document) = found.parse::<T>(path, &bytes) else { return Ok(None) };
        if document.head() == (FORMAT_VERSION, T::KIND) {
            return Ok(Some(document));
        }
        let (version, kind) = document.head();
        let what = format!(
            "`format_version` and `kind` are {version} and `{kind}`, but have to be {FORMAT_VERSION} and `{}`",
            T::KIND
        );
        found.problem(path, what);
        Ok(None)
    }

    /// The one subject's path.
    fn subject_path(&self, found: &mut Verification) -> Option<String> {
        let paths = self.manifest.files.iter().map(|file| &file.path);
        let subjects: Vec<_> = paths.filter(|path| path.starts_with("subjects/")).collect();
        if let [path] = *subjects {
            return Some(path.clone());
        }
        let what = format!("it lists {} subjects, but a pack has one", subjects.len());
        found.problem(super::MANIFEST, what);
        None
    }

    /// The provenance, which no manifest lists.
    fn provenance(&self, found: &mut Verification) -> Result<Option<Provenance>, VerifyError> {
        if found.problems.iter().any(|problem| problem.file == PROVENANCE_PATH) {
            return Ok(None);
        }
        let Some(read) = self.parsed::<Provenance>(PROVENANCE_PATH, found)? else {
            return Ok(None);
        };
        let contents = read.contents_digest()?;
        if contents != read.digest {
            let what = format!(
                "`digest` is {}, but its contents give {contents}: it was edited",
                read.digest
            );
            found.problem(PROVENANCE_PATH, what);
            return Ok(None);
        }
        if read.manifest != self.digest {
            let what = format!(
                "`manifest` is {}, but the manifest's SHA-256 is {}",
                read.manifest, self.digest
            );
            found.problem(PROVENANCE_PATH, what);
            return Ok(None);
        }
        found
            .verified
            .push("the provenance: it agrees with its digest and is of this manifest".to_owned());
        Ok(Some(read))
    }

    /// The reports and campaigns; none where one is not as it was.
    #[expect(clippy::type_complexity, reason = "two lists")]
    fn documents(
        &self,
        found: &mut Verification,
    ) -> Result<Option<(Vec<Named<Report>>, Vec<Named<Campaign>>)>, VerifyError> {
        let catalogue = requirements::catalogue()?;
        let (mut reports, mut campaigns) = (Vec::new(), Vec::new());
        let mut paths = BTreeSet::new();
        let mut room = MOST_BYTES;
        let mut is_whole = true;
        for file in &self.manifest.files {
            let path = file.path.as_str();
            let is_report = is_in(path, "reports/", "/report.json");
            if !is_report && !is_in(path, "campaigns/", "/campaign.json") {
                continue;
            }
            let Some(left) = room.checked_sub(file.size) else {
                found.problem(
                    path,
                    format!(
                        "with it the documents hold more than {} MiB, so they are none of a pack",
                        MOST_BYTES >> 20
                    ),
                );
                return Ok(None);
            };
            room = left;
            paths.insert(path.to_owned());
            let before = found.problems.len();
            if is_report {
                reports.extend(self.report(path, catalogue, found)?);
            } else {
                campaigns.extend(self.campaign(path, found)?);
            }
            is_whole &= found.problems.len() == before && self.intact.contains_key(path);
        }
        if paths.is_empty() {
            found.problem(
                super::MANIFEST,
                "it lists no report and no campaign, but a pack has at least one",
            );
        }
        if !is_whole || paths.is_empty() {
            return Ok(None);
        }
        let (reports, campaigns) =
            (Named::<Report>::reports(reports)?, Named::<Campaign>::campaigns(campaigns)?);
        let own = reports.iter().map(Named::<Report>::path);
        let own: BTreeSet<_> = own.chain(campaigns.iter().map(Named::<Campaign>::path)).collect();
        if let Some(path) = paths.symmetric_difference(&own).next() {
            found.problem(path, "its name is not the one that its content has in a pack");
            return Ok(None);
        }
        Ok(Some((reports, campaigns)))
    }

    fn report(
        &self,
        path: &str,
        catalogue: &Catalogue,
        found: &mut Verification,
    ) -> Result<Option<Report>, VerifyError> {
        // Whatever a path in the manifest leads to: only what lies in the folder is read.
        if !self.listing.files.contains_key(path) {
            return Ok(None);
        }
        let Some(bytes) = found.read(self.dir, path, Report::SIZE_LIMIT)? else { return Ok(None) };
        let report = match Report::from_bytes(Path::new(path), &bytes) {
            Ok(report) => report,
            Err(error) => {
                found.problem(path, with_cause(&error));
                return Ok(None);
            }
        };
        if let Err(error) = requirements::check(&report, catalogue) {
            // Another version of the tool may have other requirements.
            if report.tool == provenance::tool() {
                found.problem(path, error.to_string());
            } else {
                found.not_verified.push(format!("the requirements of `{path}`: {error}"));
            }
        }
        is_own(path, &report, &bytes, &report.provenance, found);
        Ok(Some(report))
    }

    fn campaign(
        &self,
        path: &str,
        found: &mut Verification,
    ) -> Result<Option<Campaign>, VerifyError> {
        // Whatever a path in the manifest leads to: only what lies in the folder is read.
        if !self.listing.files.contains_key(path) {
            return Ok(None);
        }
        let Some(bytes) = found.read(self.dir, path, campaign::SIZE_LIMIT)? else {
            return Ok(None);
        };
        let campaign = match Campaign::from_bytes(Path::new(path), &bytes) {
            Ok(campaign) => campaign,
            Err(error) => {
                found.problem(path, with_cause(&error));
                return Ok(None);
            }
        };
        is_own(path, &campaign, &bytes, &campaign.provenance, found);
        Ok(Some(campaign))
    }

    /// The texts of the profiles that are a user's own, of which the name tells the text.
    fn own_profiles(
        &self,
        sources: &Sources,
        found: &mut Verification,
    ) -> Result<BTreeMap<String, String>, VerifyError> {
        let mut profiles = BTreeMap::new();
        for name in sources.profiles() {
            let path = profile_path(name);
            let Some((_, mark)) = name.rsplit_once('@') else { continue };
            if !self.intact.contains_key(path.as_str()) {
                continue;
            }
            let Some(bytes) = found.read(self.dir, &path, TOML_LIMIT)? else { continue };
            let text = String::from_utf8_lossy(&bytes).into_owned();
            if Profile::mark(&text) == mark {
                profiles.insert(name.to_owned(), text);
            } else {
                found.problem(path, format!("it is not the text of the profile `{name}`"));
            }
        }
        Ok(profiles)
    }

    /// The origins against the documents that come from them.
    fn origins(&self, sources: &Sources, provenance: &Provenance, found: &mut Verification) {
        let paths = sources.paths();
        let origins: Vec<_> =
            provenance.documents.iter().map(|origin| origin.path.clone()).collect();
        if origins != paths {
            found.problem(
                PROVENANCE_PATH,
                "`documents` are not the reports and campaigns of the pack",
            );
            return;
        }
        if Platforms::of(&provenance.documents) != sources.platforms {
            found.problem(PLATFORM_PATH, "`platforms` are not those of `provenance.json`");
        }
        let subject = &sources.subject;
        let file = subject.file.as_ref();
        let wrote_all = provenance
            .documents
            .iter()
            .all(|origin| wrote(&origin.provenance) == file.map(|file| file.sha256));
        let is_wrong = match subject.basis {
            Basis::Executable => file.is_none() || !wrote_all,
            Basis::File => file.is_none(),
            Basis::Description => file.is_some(),
        };
        if is_wrong {
            found.problem(
                sources.subject_path(),
                "`basis` does not follow from `file` and the provenance",
            );
        }
    }

    /// Files against what they have to be. They are intact; what differs has another digest.
    fn compare(&self, files: &Files, found: &mut Verification) -> Result<bool, VerifyError> {
        let mut are_same = true;
        for (path, expected) in files {
            let Some(file) = self.intact.get(path.as_str()) else {
                if !self.manifest.files.iter().any(|file| file.path == *path) {
                    found.problem(
                        super::MANIFEST,
                        format!("it does not list `{path}`, which belongs to the pack"),
                    );
                }
                are_same = false;
                continue;
            };
            if file.sha256 != Digest::of(expected) {
                are_same = false;
                if let Some(bytes) = found.read(self.dir, path, Report::SIZE_LIMIT)? {
                    found.problem(path, difference(path, expected, &bytes));
                }
            }
        }
        Ok(are_same)
    }

    /// The statement and its envelope against what follows from the documents.
    fn statement(&self, sources: &Sources, found: &mut Verification) -> Result<(), VerifyError> {
        let statement = statement::statement(sources, self.manifest, self.digest)?;
        let envelope = statement::envelope(&statement)?;
        let mut are_same = true;
        for (path, expected) in [(STATEMENT, statement), (ENVELOPE, envelope)] {
            if found.problems.iter().any(|problem| problem.file == path) {
                are_same = false;
                continue;
            }
            let Some(bytes) = found.read(self.dir, path, OWN_LIMIT)? else { return Ok(()) };
            if bytes != expected {
                are_same = false;
                found.problem(path, difference(path, &expected, &bytes));
            }
        }
        if are_same {
            let outcome = sources.outcome();
            found.verified.push(format!(
                "the statement and its envelope: result {}, {} passed, {} with a warning, {} failed, as the \
                 documents give",
                outcome.result(),
                counted(outcome.passed.len() as u64, "test"),
                grouped(outcome.warned.len() as u64),
                grouped(outcome.failed.len() as u64)
            ));
        }
        Ok(())
    }

    /// All files that the manifest lists against those that this program makes of the documents.
    fn made_again(&self, sources: &Sources, found: &mut Verification) -> Result<(), VerifyError> {
        let files = contents::of(sources)?;
        let mut are_same = self.compare(&files, found)?;
        for file in &self.manifest.files {
            if !files.contains_key(&file.path) && !OWN.contains(&file.path.as_str()) {
                are_same = false;
                found.problem(
                    &*file.path,
                    "it does not belong to this pack, although the manifest lists it",
                );
            }
        }
        if are_same {
            found.verified.push(
                "pages, matrix, catalogues, profiles, locks, limitations and dependencies: made again by \
                 this program, and the same byte for byte"
                    .to_owned(),
            );
        }
        Ok(())
    }
}

/// Whether a document is written and emptied of provenance as those of packs are.
fn is_own<T: Serialize>(
    path: &str,
    document: &T,
    bytes: &[u8],
    provenance: &Origin,
    found: &mut Verification,
) {
    found.is_written_so(path, document, bytes);
    if *provenance != neutral(provenance) {
        found.problem(path, "`provenance` is not empty, but has to stand in `provenance.json`");
    }
}

/// Whether all documents are of the subject's backend.
fn backend(sources: &Sources, found: &mut Verification) {
    for head in sources.heads() {
        if let Some((member, says, differs)) = differing(head.backend, &sources.subject.backend) {
            let subject = sources.subject_path();
            found.problem(
                head.path,
                format!("`{member}` is `{says}`, but in `{subject}` it is `{differs}`"),
            );
        }
    }
}

/// Whether a path is that of a document in a folder of its own.
fn is_in(path: &str, folder: &str, name: &str) -> bool {
    let own = path.strip_prefix(folder).and_then(|rest| rest.strip_suffix(name));
    own.is_some_and(|own| !own.is_empty() && !own.contains('/'))
}

/// An error with what caused it.
fn with_cause(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}
