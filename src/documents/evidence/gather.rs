//! From the files that are given to what a pack is made of.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::document::{Basis, Origin, Platforms, Subject, SubjectFile};
use super::models::{self, Inspected};
use super::named::{DocumentKind, Evidence, Named};
use super::redact::Redactor;
use super::requirements::{self, RequirementError};
use super::sources::{Sources, differing};
use crate::backend::builtin;
use crate::corpus::Digest;
use crate::document::provenance::{self, EXECUTABLE};
use crate::document::{JsonDocument, ReadError};
use crate::documents::challenge::{Challenge, ChallengeError};
use crate::documents::report::document::{Backend, Provenance, Report};
use crate::judge::profile::{Profile, ProfileError};
use crate::judge::requirements::CatalogueError;
use crate::limits::{self, TOML_LIMIT};
use crate::measure::campaign::{self, Campaign};
use crate::models::file::{FileError, ModelFile};
use crate::models::inspect::{Against, InspectError, inspect};

pub(super) const MOST_DOCUMENTS: usize = 1000;
/// Most bytes in them together.
pub(super) const MOST_BYTES: u64 = 512 << 20;

/// The files that evidence is made of.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// The `report.json` of each run.
    pub reports: Vec<PathBuf>,
    /// The `campaign.json` of each campaign, or a folder with one.
    pub campaigns: Vec<PathBuf>,
    /// The implementation under test: a library, a wheel, a binary.
    pub subject: Option<PathBuf>,
    /// The files of the profiles that are not the tool's.
    pub profiles: Vec<PathBuf>,
    /// The models whose uses of operators the evidence is set against.
    pub models: Vec<PathBuf>,
}

/// What a pack is made of, and where that came from.
#[derive(Clone, Debug)]
pub struct Gathered {
    pub(super) sources: Sources,
    pub(super) origins: Vec<Origin>,
}

/// Why there is nothing to make a pack of.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum GatherError {
    #[error("there is no report and no campaign; give at least one with --report or --campaign")]
    Nothing,
    #[error(
        "there are more than {MOST_DOCUMENTS} reports and campaigns, or more than {} MiB of them; \
         merge the shards of campaigns, or make several packs",
        MOST_BYTES >> 20
    )]
    TooMuch,
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(
        "failed to use the report `{path}`: it was edited, or written by another version of this program; \
         run it again"
    )]
    Requirements { path: PathBuf, source: Box<RequirementError> },
    #[error("`{one}` and `{other}` are the same document; give each report and campaign once")]
    Twice { one: PathBuf, other: PathBuf },
    #[error(
        "`{one}` and `{other}` are of different implementations: `{member}` is `{says}` in the one and \
         `{differs}` in the other; make a pack of each"
    )]
    OtherBackend { one: PathBuf, other: PathBuf, member: String, says: String, differs: String },
    #[error("nothing was compared in any report or campaign, so there is no evidence")]
    NothingCompared,
    #[error("failed to read the subject `{path}`; give the file that was tested")]
    Subject { path: PathBuf, source: io::Error },
    #[error("failed to read the profile `{path}`")]
    ReadProfile { path: PathBuf, source: io::Error },
    #[error("failed to use a profile")]
    Profile(#[from] ProfileError),
    #[error("failed to use the {what} `{path}`: {problem}")]
    Unusable { what: &'static str, path: PathBuf, problem: String },
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    #[error(transparent)]
    Challenge(#[from] Box<ChallengeError>),
    #[error(transparent)]
    Model(#[from] Box<FileError>),
    #[error(transparent)]
    Inspect(#[from] Box<InspectError>),
    #[error("`{0}` is a model that was given before; give each once")]
    SameModel(PathBuf),
    #[error("failed to serialise the evidence")]
    Serialise(#[from] serde_json::Error),
}

impl GatherError {
    /// Whether a file is not as it was written.
    pub fn is_of_integrity(&self) -> bool {
        match self {
            Self::Read(error) => error.is_of_integrity(),
            Self::Requirements { source, .. } => !matches!(**source, RequirementError::Unknown(_)),
            _ => false,
        }
    }
}

/// What is known of the file of a document.
struct Given {
    file: PathBuf,
    /// Its path in the pack is not known yet.
    origin: Origin,
}

/// Reads the files, checks each, and takes out of them what tells of the machine.
pub fn gather(inputs: &Inputs, redactor: &Redactor) -> Result<Gathered, GatherError> {
    let Inputs { reports, campaigns, subject, profiles, models } = inputs;
    if reports.is_empty() && campaigns.is_empty() {
        return Err(GatherError::Nothing);
    }
    if reports.len() + campaigns.len() > MOST_DOCUMENTS {
        return Err(GatherError::TooMuch);
    }
    let mut room = MOST_BYTES;
    let mut read = Vec::new();
    let campaigns = campaigns.iter().map(|path| (DocumentKind::Campaign, path));
    for (kind, path) in reports.iter().map(|path| (DocumentKind::Report, path)).chain(campaigns) {
        let (document, given) = document(kind, path, redactor)?;
        room = room.checked_sub(given.origin.size).ok_or(GatherError::TooMuch)?;
        read.push((document, given));
    }
    let backend = one_backend(&read)?;
    if read.iter().all(|(document, _)| document.head().compared == 0) {
        return Err(GatherError::NothingCompared);
    }
    let subject = self::subject(subject.as_deref(), backend, &read, redactor)?;
    let named = Named::all(read)?;
    for pair in named.windows(2) {
        // What has the same content has the same name but for a number.
        if let [(one, first), (other, second)] = pair
            && one.bytes == other.bytes
        {
            let (one, other) = (first.file.clone(), second.file.clone());
            return Err(GatherError::Twice { one, other });
        }
    }
    let placed = |(named, Given { origin, .. }): (Named, Given)| {
        let path = named.path.clone();
        (named, Origin { path, ..origin })
    };
    let (documents, origins): (Vec<_>, Vec<_>) = named.into_iter().map(placed).unzip();
    let platforms = Platforms::of(&origins);
    let own_profiles = BTreeMap::new();
    let models = inspected(models, &documents)?;
    let mut sources = Sources { documents, subject, platforms, own_profiles, models };
    for path in profiles {
        let (name, text) = profile(path, &sources, redactor)?;
        sources.own_profiles.insert(name, text);
    }
    Ok(Gathered { sources, origins })
}

/// The inspections of models, set against the documents of the pack.
fn inspected(models: &[PathBuf], documents: &[Named]) -> Result<Vec<Inspected>, GatherError> {
    let results = models::results(documents);
    let mut known = BTreeSet::new();
    let mut all = Vec::new();
    for path in models {
        let file = ModelFile::read(path).map_err(Box::new)?;
        if !known.insert(file.digest) {
            return Err(GatherError::SameModel(path.clone()));
        }
        let mut inspected = inspect(&file, &Against::default()).map_err(Box::new)?.document;
        inspected.set_against(&results);
        all.push(inspected);
    }
    Ok(Inspected::all(all)?)
}

/// The name and the text of a profile of a user's own, under which a document was made.
fn profile(
    path: &Path,
    sources: &Sources,
    redactor: &Redactor,
) -> Result<(String, String), GatherError> {
    let text = limits::read_text(path, TOML_LIMIT)
        .map_err(|source| GatherError::ReadProfile { path: path.to_owned(), source })?;
    let name = Profile::own(&path.display().to_string(), &text)?.name().to_owned();
    let problem = if !sources.profiles().contains(name.as_str()) {
        format!(
            "no report and no campaign was made under `{name}`; use the file as it was when they were made"
        )
    } else if redactor.text(&text) != text {
        // Without what is told of the machine it would be another file.
        "it names a path, the host or the user of this machine, which a pack must not contain; remove that \
         from the file and run again"
            .to_owned()
    } else {
        return Ok((name, text));
    };
    Err(GatherError::Unusable { what: "profile", path: path.to_owned(), problem })
}

/// A document in a file, without what tells of the machine and without its provenance, and what is
/// known of the file.
fn document(
    kind: DocumentKind,
    path: &Path,
    redactor: &Redactor,
) -> Result<(Evidence, Given), GatherError> {
    let catalogue = requirements::catalogue()?;
    let is_folder = kind == DocumentKind::Campaign && path.is_dir();
    let file = if is_folder { path.join(campaign::DOCUMENT) } else { path.to_owned() };
    let bytes = match kind {
        DocumentKind::Report => Report::read_bytes(&file)?,
        DocumentKind::Campaign => Campaign::read_bytes(&file)?,
    };
    let mut document = match kind.document(&file, &bytes)? {
        Evidence::Report(report) => {
            let checked = requirements::check(&report, catalogue).map_err(Box::new);
            checked.map_err(|source| GatherError::Requirements { path: file.clone(), source })?;
            if report.tool == provenance::tool()
                && let Some(problem) = Challenge::contradiction(&report).map_err(Box::new)?
            {
                return Err(GatherError::Unusable { what: "report", path: file, problem });
            }
            Evidence::Report(redactor.report(*report)?.into())
        }
        Evidence::Campaign(campaign) => {
            if let Some(id) = campaign.requirements.iter().find(|id| catalogue.get(id).is_none()) {
                let problem = format!(
                    "its `requirements` name `{id}`, which no catalogue of this program has; execute it \
                     anew"
                );
                return Err(GatherError::Unusable { what: "campaign", path: file, problem });
            }
            Evidence::Campaign(redactor.campaign(*campaign)?.into())
        }
    };
    let (size, sha256) = (bytes.len() as u64, Digest::of(&bytes));
    let provenance = redactor.provenance(std::mem::take(document.provenance_mut()))?;
    *document.provenance_mut() = neutral(&provenance);
    let origin = Origin { path: String::new(), size, sha256, provenance };
    Ok((document, Given { file, origin }))
}

/// What is left of a provenance in the pack's documents: the seeds, which are the same in every run.
pub(super) fn neutral(provenance: &Provenance) -> Provenance {
    Provenance { seeds: provenance.seeds.clone(), ..Provenance::default() }
}

fn one_backend(read: &[(Evidence, Given)]) -> Result<Backend, GatherError> {
    let mut all = read.iter().map(|(document, given)| (document.head().backend, &given.file));
    let (first, one) = all.next().ok_or(GatherError::Nothing)?;
    for (backend, other) in all {
        if let Some((member, says, differs)) = differing(first, backend) {
            let (one, other) = (one.clone(), other.clone());
            return Err(GatherError::OtherBackend { one, other, member, says, differs });
        }
    }
    Ok(first.clone())
}

/// The implementation under test: the file that was given, this very program where every document
/// says that it was, or else what the backend says of itself.
fn subject(
    path: Option<&Path>,
    backend: Backend,
    read: &[(Evidence, Given)],
    redactor: &Redactor,
) -> Result<Subject, GatherError> {
    let (basis, file) = match path {
        Some(path) => (Basis::File, Some(given(path, redactor)?)),
        None => match this_program(&backend, read) {
            Some(file) => (Basis::Executable, Some(file)),
            None => (Basis::Description, None),
        },
    };
    Ok(Subject::new(basis, file, backend))
}

fn given(path: &Path, redactor: &Redactor) -> Result<SubjectFile, GatherError> {
    let io = |source| GatherError::Subject { path: path.to_owned(), source };
    let wrong = |problem: &str| {
        let (path, problem) = (path.to_owned(), problem.to_owned());
        GatherError::Unusable { what: "subject", path, problem }
    };
    // What is no plain file may never end.
    if !path.metadata().map_err(io)?.is_file() {
        return Err(wrong("it is not a regular file; pack a folder into an archive first"));
    }
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| wrong("its name is not UTF-8; rename it"))?;
    let (sha256, size) = Digest::of_reader(File::open(path).map_err(io)?).map_err(io)?;
    Ok(SubjectFile { name: redactor.text(name), size, sha256 })
}

/// This program, where its own kernels were tested and every document was written by the very file
/// that runs now.
fn this_program(backend: &Backend, read: &[(Evidence, Given)]) -> Option<SubjectFile> {
    if backend.name != builtin::NAME {
        return None;
    }
    let sha256 = provenance::executable()?;
    read.iter().all(|(_, given)| wrote(&given.origin.provenance) == Some(sha256)).then_some(())?;
    let path = std::env::current_exe().ok()?;
    let size = path.metadata().ok()?.len();
    Some(SubjectFile { name: env!("CARGO_PKG_NAME").to_owned(), size, sha256 })
}

pub(super) fn wrote(provenance: &Provenance) -> Option<Digest> {
    provenance.host.get(EXECUTABLE)?.parse().ok()
}
