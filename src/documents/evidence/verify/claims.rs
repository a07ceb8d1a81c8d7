//! The documents of a pack against themselves and each other, and its claims against them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::super::contents::{self, Files, PLATFORM_PATH, TOOL_PATH};
use super::super::document::{Basis, OWN_LIMIT, Origin, Platforms, Provenance, Subject, Tool};
use super::super::gather::{MOST_BYTES, neutral, wrote};
use super::super::listing::{OWN, PROVENANCE_PATH};
use super::super::models::{self, Inspected};
use super::super::named::{DocumentKind, Evidence, Named};
use super::super::outcome::Outcome;
use super::super::requirements;
use super::super::sources::{Sources, differing, profile_path};
use super::super::statement::{self, ENVELOPE, STATEMENT};
use super::{Off, Pack, Verification, VerifyError, difference};
use super::{is_written_so, read, unreadable, written};
use crate::corpus::Digest;
use crate::document::provenance;
use crate::document::text::{counted, grouped};
use crate::document::{JsonDocument, Sealed};
use crate::documents::challenge::Challenge;
use crate::documents::report::document::{self as report, Report};
use crate::judge::profile::Profile;
use crate::limits::TOML_LIMIT;
use crate::measure::campaign;
use crate::models::inspect::document::Inspection;

/// Checks the claims of a pack, as far as its files are intact.
pub(super) fn check(pack: &Pack<'_>, found: &mut Verification) -> Result<(), VerifyError> {
    let provenance = match found.tells_of(PROVENANCE_PATH) {
        true => None,
        false => found.unless_off(pack.provenance())?,
    };
    if provenance.is_some() {
        let what = "the provenance: it agrees with its digest and is of this manifest";
        found.verified.push(what.to_owned());
    }
    let documents = pack.documents(found)?;
    let subject = found.unless_off(pack.subject())?;
    let tool: Option<Tool> = found.unless_off(pack.own(TOOL_PATH))?;
    let platforms = match &provenance {
        Some(provenance) => Some(Platforms::of(&provenance.documents)),
        None => found.unless_off(pack.own(PLATFORM_PATH))?,
    };
    let (Some(documents), Some(subject), Some(platforms)) = (documents, subject, platforms) else {
        found.not_verified.push(
            "what the statement claims, as not every document that it rests on is as it was"
                .to_owned(),
        );
        return Ok(());
    };
    let before = found.problems.len();
    let own_profiles = BTreeMap::new();
    let models = pack.models(&documents, found)?;
    let mut sources = Sources { documents, subject, platforms, own_profiles, models };
    sources.own_profiles = pack.own_profiles(&sources, found)?;
    backend(&sources, found);
    if let Some(provenance) = &provenance {
        origins(&sources, provenance, found);
    }
    pack.compare(&contents::of_sources(&sources)?, found)?;
    if found.problems.len() == before {
        found.verified.push(format!(
            "{} and {}: each agrees with itself, and all are of one implementation",
            counted(sources.reports().count() as u64, "report"),
            counted(sources.campaigns().count() as u64, "campaign")
        ));
    }
    let outcome = Outcome::of(&sources);
    pack.statement(&sources, &outcome, found)?;
    // What is off is told already.
    if let (Some(tool), true) = (tool, found.is_whole()) {
        match Maker::of(&tool, provenance.as_ref()) {
            Maker::ThisFile if tool.tool != contents::tool().tool => found.problem(
                TOOL_PATH,
                format!(
                    "it says that {} made the pack, but by the digest in `{PROVENANCE_PATH}` this very \
                     program did, which is {}",
                    shown(&tool),
                    shown(&contents::tool())
                ),
            ),
            Maker::ThisFile | Maker::ThisBuild => pack.made_again(&sources, found)?,
            Maker::Another => {
                found.not_verified.push(
                    "what pages, matrix, catalogues, profiles, locks, limitations and dependencies say: \
                     they are known by their digests only"
                        .to_owned(),
                );
                found.digests_only = Some(shown(&tool));
            }
        }
    }
    if found.is_whole() {
        found.outcome = Some(outcome);
        found.subject = Some(sources.subject()?);
    }
    Ok(())
}

/// Who made a pack, as seen from the program that checks it.
enum Maker {
    /// The same file, by its digest: whatever it was built from, it makes the same files.
    ThisFile,
    /// Another file, built from the same clean commit.
    ThisBuild,
    /// What this program does not know.
    Another,
}

impl Maker {
    fn of(tool: &Tool, provenance: Option<&Provenance>) -> Self {
        let own = contents::tool();
        let is_clean = own.tool.dirty == Some(false) && own.tool.commit != "unknown";
        let packed_by = provenance.and_then(|provenance| wrote(&provenance.packed));
        if packed_by.is_some() && packed_by == provenance::executable() {
            Self::ThisFile
        } else if tool.tool == own.tool && is_clean {
            Self::ThisBuild
        } else {
            Self::Another
        }
    }
}

/// A program by its name, version and commit.
fn shown(Tool { tool, .. }: &Tool) -> String {
    let changes = if tool.dirty == Some(false) { "" } else { ", with uncommitted changes" };
    format!("{} {} ({}{changes})", tool.name, tool.version, tool.commit)
}

impl Pack<'_> {
    /// A document of the pack's own that the manifest lists, where it is intact.
    fn own<D: JsonDocument>(&self, path: &str) -> Result<D, Off> {
        if self.intact.contains_key(path) {
            self.parsed(path)
        } else if self.lists(path) {
            Err(Off::Told)
        } else {
            Err(Off::of(
                super::MANIFEST,
                format!("it does not list `{path}`, which every pack has"),
            ))
        }
    }

    fn lists(&self, path: &str) -> bool {
        self.manifest.files.iter().any(|file| file.path == path)
    }

    fn parsed<D: JsonDocument>(&self, path: &str) -> Result<D, Off> {
        let bytes = read(self.dir, path, D::SIZE_LIMIT)?;
        written(path, D::from_bytes(Path::new(path), &bytes), &bytes)
    }

    fn subject(&self) -> Result<Subject, Off> {
        let paths = self.manifest.files.iter().map(|file| &file.path);
        let subjects: Vec<_> = paths.filter(|path| path.starts_with("subjects/")).collect();
        let [path] = *subjects else {
            let what = format!("it lists {} subjects, but a pack has one", subjects.len());
            return Err(Off::of(super::MANIFEST, what));
        };
        self.own(path)
    }

    /// The provenance, which no manifest lists.
    fn provenance(&self) -> Result<Provenance, Off> {
        let read: Provenance = self.parsed(PROVENANCE_PATH)?;
        for (member, says, derived) in [
            ("digest", read.digest, read.contents_digest()?),
            ("manifest", read.manifest, self.digest),
        ] {
            if says != derived {
                let what = format!("`{member}` is {says}, but has to be {derived}");
                return Err(Off::of(PROVENANCE_PATH, what));
            }
        }
        Ok(read)
    }

    /// The reports and campaigns; none where one is not as it was.
    fn documents(&self, found: &mut Verification) -> Result<Option<Vec<Named>>, VerifyError> {
        let mut documents = Vec::new();
        let mut paths = BTreeSet::new();
        let mut room = MOST_BYTES;
        let mut is_whole = true;
        for file in &self.manifest.files {
            let path = file.path.as_str();
            let Some(kind) = DocumentKind::at(path) else { continue };
            let Some(left) = room.checked_sub(file.size) else {
                let most = MOST_BYTES >> 20;
                let what = format!(
                    "with it the documents hold more than {most} MiB, so they are none of a pack"
                );
                found.problem(path, what);
                return Ok(None);
            };
            room = left;
            paths.insert(path);
            let before = found.problems.len();
            let document = self.document(path, kind, found);
            documents.extend(found.unless_off(document)?.map(|document| (document, ())));
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
        let named: Vec<_> = Named::all(documents)?.into_iter().map(|(named, ())| named).collect();
        let own: BTreeSet<_> = named.iter().map(|named| named.path.as_str()).collect();
        if let Some(path) = paths.symmetric_difference(&own).next() {
            found.problem(*path, "its name is not the one that its content has in a pack");
            return Ok(None);
        }
        Ok(Some(named))
    }

    fn document(
        &self,
        path: &str,
        kind: DocumentKind,
        found: &mut Verification,
    ) -> Result<Evidence, Off> {
        // Whatever a path in the manifest leads to: only what lies in the folder is read.
        if !self.listing.files.contains_key(path) {
            return Err(Off::Told);
        }
        let limit = match kind {
            DocumentKind::Report => Report::SIZE_LIMIT,
            DocumentKind::Campaign => campaign::SIZE_LIMIT,
        };
        let bytes = read(self.dir, path, limit)?;
        let document =
            kind.document(Path::new(path), &bytes).map_err(|error| unreadable(path, &error))?;
        if let Evidence::Report(report) = &document
            && let Err(error) = requirements::check(report, requirements::catalogue()?)
        {
            // Another version of the tool may have other requirements.
            if report.tool == provenance::tool() {
                found.problem(path, error.to_string());
            } else {
                found.not_verified.push(format!("the requirements of `{path}`: {error}"));
            }
        }
        if let Evidence::Report(report) = &document {
            challenge(path, report, found)?;
        }
        found.unless_off(is_written_so(path, &document, &bytes))?;
        let provenance = document.head().provenance;
        if *provenance != neutral(provenance) {
            let what = "`provenance` is not empty, but has to stand in `provenance.json`";
            return Err(Off::of(path, what));
        }
        Ok(document)
    }

    /// The inspections of models, each set against the documents of the pack once more.
    fn models(
        &self,
        documents: &[Named],
        found: &mut Verification,
    ) -> Result<Vec<Inspected>, VerifyError> {
        let results = models::results(documents);
        let mut read: Vec<(&str, Inspection)> = Vec::new();
        for path in self.intact.keys().filter(|path| Inspected::is_at(path)) {
            let Some(document) = found.unless_off(self.parsed::<Inspection>(path))? else {
                continue;
            };
            let mut derived = document.clone();
            derived.set_against(&results);
            let [stored, derived] = [document.to_bytes()?, derived.to_bytes()?];
            if stored != derived {
                found.problem(*path, difference(path, &derived, &stored));
            } else if document.provenance != report::Provenance::default() {
                found.problem(*path, "`provenance` is not empty, as it has to be in a pack");
            } else {
                found.not_verified.push(format!(
                    "that `{path}` lists what `{}` uses: the pack names the model by its digest and does not hold it",
                    document.model.name
                ));
                read.push((path, document));
            }
        }
        let paths: BTreeSet<&str> = read.iter().map(|(path, _)| *path).collect();
        let models = Inspected::all(read.iter().map(|(_, document)| document.clone()).collect())?;
        let own: BTreeSet<&str> = models.iter().map(|model| model.path.as_str()).collect();
        for path in paths.symmetric_difference(&own) {
            found.problem(*path, "its name is not the one that its model has in a pack");
        }
        Ok(models)
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
            let Some(bytes) = found.unless_off(read(self.dir, &path, TOML_LIMIT))? else {
                continue;
            };
            let text = String::from_utf8_lossy(&bytes).into_owned();
            if Profile::mark(&text) == mark {
                profiles.insert(name.to_owned(), text);
            } else {
                found.problem(path, format!("it is not the text of the profile `{name}`"));
            }
        }
        Ok(profiles)
    }

    /// Files against what they have to be.
    fn compare(&self, files: &Files, found: &mut Verification) -> Result<bool, VerifyError> {
        let mut are_same = true;
        for (path, expected) in files {
            let file = self.intact.get(path.as_str());
            // What differs from an intact file has another digest.
            if file.is_some_and(|file| file.sha256 == Digest::of(expected)) {
                continue;
            }
            let is_own = OWN.contains(&path.as_str());
            if file.is_some() || (is_own && !found.tells_of(path)) {
                let limit = if is_own { OWN_LIMIT } else { Report::SIZE_LIMIT };
                match found.unless_off(read(self.dir, path, limit))? {
                    Some(bytes) if bytes == *expected => continue,
                    Some(bytes) => found.problem(path, difference(path, expected, &bytes)),
                    None => {}
                }
            } else if !is_own && !self.lists(path) {
                let what = format!("it does not list `{path}`, which belongs to the pack");
                found.problem(super::MANIFEST, what);
            }
            are_same = false;
        }
        Ok(are_same)
    }

    /// The statement and its envelope against what follows from the documents.
    fn statement(
        &self,
        sources: &Sources,
        outcome: &Outcome,
        found: &mut Verification,
    ) -> Result<(), VerifyError> {
        let statement = statement::statement(sources, self.manifest, self.digest)?;
        let envelope = statement::envelope(&statement)?;
        let files = [(STATEMENT, statement), (ENVELOPE, envelope)];
        let files = files.map(|(path, bytes)| (path.to_owned(), bytes)).into();
        if self.compare(&files, found)? {
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
        let (files, _) = contents::of(sources)?;
        let mut are_same = self.compare(&files, found)?;
        for file in &self.manifest.files {
            if !files.contains_key(&file.path) && !OWN.contains(&file.path.as_str()) {
                are_same = false;
                let what = "it does not belong to this pack, although the manifest lists it";
                found.problem(&*file.path, what);
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

/// The origins against the documents that come from them.
fn origins(sources: &Sources, provenance: &Provenance, found: &mut Verification) {
    let origins = provenance.documents.iter().map(|origin| &origin.path);
    if !origins.eq(sources.documents.iter().map(|named| &named.path)) {
        let what = "`documents` are not the reports and campaigns of the pack";
        found.problem(PROVENANCE_PATH, what);
        return;
    }
    let file = sources.subject.file.as_ref();
    let wrote_it = |written: &Origin| wrote(&written.provenance) == file.map(|file| file.sha256);
    let is_right = match sources.subject.basis {
        Basis::Executable => file.is_some() && provenance.documents.iter().all(wrote_it),
        Basis::File => file.is_some(),
        Basis::Description => file.is_none(),
    };
    if !is_right {
        let what = "`basis` does not follow from `file` and the provenance";
        found.problem(sources.subject_path(), what);
    }
}

/// The cases of a challenge against those that its seed makes, which may differ where another build made them.
fn challenge(path: &str, report: &Report, found: &mut Verification) -> Result<(), VerifyError> {
    let is_same_build = report.tool == provenance::tool();
    match &report.challenge {
        Some(seed) if !is_same_build => found.not_verified.push(format!(
            "that the cases of `{path}` are those of the seed `{seed}`: another build made them"
        )),
        _ => {
            if let Some(problem) = Challenge::contradiction(report)? {
                found.problem(path, problem);
            }
        }
    }
    Ok(())
}

/// Whether all documents are of the subject's backend.
fn backend(sources: &Sources, found: &mut Verification) {
    for (path, head) in sources.heads() {
        if let Some((member, says, differs)) = differing(head.backend, &sources.subject.backend) {
            let subject = sources.subject_path();
            found.problem(
                path,
                format!("`{member}` is `{says}`, but in `{subject}` it is `{differs}`"),
            );
        }
    }
}
