//! Every file of a pack that its manifest lists, made from its sources and from this program.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::OnceLock;

use super::document::{File, Limitations, Manifest, Seeds, Tool};
use super::html;
use super::limitations;
use super::locks;
use super::named::Named;
use super::requirements;
use super::sbom::sbom;
use super::sources::{Sources, profile_path};
use crate::corpus::Digest;
use crate::document::JsonDocument;
use crate::document::provenance;
use crate::documents::matrix::document::Matrix;
use crate::documents::matrix::{self, Source};
use crate::documents::qualification::{self, document::Tally};
use crate::documents::report;
use crate::judge::profile::Profile;
use crate::judge::requirements::Catalogue;
use crate::measure::campaign;
use crate::models::inspect;

pub(super) const FRONT: &str = "index.html";
pub(super) const PLATFORM_PATH: &str = "platform.json";
pub(super) const TOOL_PATH: &str = "tool/tool.json";

/// Address of the matrix' page as seen from the pages of reports and campaigns.
const MATRIX_FROM_DOCUMENT: &str = "../../matrix.html";

pub(super) type Files = BTreeMap<String, Vec<u8>>;

/// Why a file could not be made: no input leads there.
pub(super) type ContentsError = Box<dyn Error + Send + Sync>;

/// The qualification of the tool: document and page, without their endings.
const QUALIFICATION: &str = "qualification/qualification";

pub(super) fn tool() -> Tool {
    let [toolchain, target] = [env!("BUILD_TOOLCHAIN"), env!("BUILD_TARGET")].map(str::to_owned);
    Tool::new(provenance::tool(), toolchain, target)
}

/// The documents and what belongs to each: what the sources alone decide.
pub(super) fn of_sources(sources: &Sources) -> serde_json::Result<Files> {
    let documents = sources.documents.iter().map(|named| (named.path.clone(), named.bytes.clone()));
    let profiles = sources.own_profiles.iter();
    let profiles = profiles.map(|(name, text)| (profile_path(name), text.clone().into_bytes()));
    let others = [
        (sources.subject_path(), sources.subject.to_bytes()?),
        (PLATFORM_PATH.to_owned(), sources.platforms.to_bytes()?),
        ("seeds.json".to_owned(), Seeds::new(sources.seeds()).to_bytes()?),
    ];
    let models = sources.models.iter().map(|model| (model.path.clone(), model.bytes.clone()));
    Ok(documents.chain(profiles).chain(others).chain(models).collect())
}

/// Every file that the manifest lists, as this program makes them, and the number of limitations.
pub(super) fn of(sources: &Sources) -> Result<(Files, usize), ContentsError> {
    let mut files = of_sources(sources)?;
    let mut add = |path: String, bytes: Vec<u8>| {
        files.insert(path, bytes);
    };
    for (named, report) in sources.reports() {
        let page = report::html::to_text(report, Some(MATRIX_FROM_DOCUMENT))?;
        add(named.page.clone(), page.into_bytes());
        add(format!("{}/junit.xml", named.folder), report::junit::to_bytes(report)?);
    }
    for (named, campaign) in sources.campaigns() {
        let page = campaign::page(campaign, Some(MATRIX_FROM_DOCUMENT))?;
        add(named.page.clone(), page.into_bytes());
    }
    for model in &sources.models {
        let page = inspect::html::to_text(&model.document)?;
        add(model.page.clone(), page.into_bytes());
    }
    let tool = tool();
    add(TOOL_PATH.to_owned(), tool.to_bytes()?);
    add("tool/sbom.cdx.json".to_owned(), sbom()?);
    for (name, text) in Catalogue::files() {
        add(format!("requirements/{name}"), text.into());
    }
    for name in sources.profiles() {
        if let Some(text) = Profile::embedded(name) {
            add(profile_path(name), text.into());
        }
    }
    for corpus in sources.corpora() {
        if let Some(lock) = locks::of(&corpus.name).filter(|lock| lock.digest == corpus.digest) {
            add(format!("locks/{}.toml", corpus.name), lock.text.as_bytes().to_vec());
        }
    }
    let (found, page) = qualification()?;
    add(format!("{QUALIFICATION}.json"), qualification::bytes().to_vec());
    add(format!("{QUALIFICATION}.html"), page.clone().into_bytes());
    let reports: Vec<_> = sources.reports().map(source).collect();
    let campaigns: Vec<_> = sources.campaigns().map(source).collect();
    let matrix = Matrix::of(requirements::catalogue()?, &reports, &campaigns)?;
    add(matrix::DOCUMENT.to_owned(), matrix.to_bytes()?);
    add(matrix::PAGE.to_owned(), matrix::html::to_text(&matrix)?.into_bytes());
    let limitations = limitations::of(sources, &tool.tool, &matrix, found);
    let limitations = Limitations::new(limitations);
    add("limitations.json".to_owned(), limitations.to_bytes()?);
    let listed = manifest(&files).files;
    let Limitations { limitations, .. } = &limitations;
    let front = html::to_text(sources, &tool, &matrix, found, limitations, &listed)?;
    files.insert(FRONT.to_owned(), front.into_bytes());
    Ok((files, limitations.len()))
}

/// What was found of the defects in this version of the tool, and the page of it: both are the same in every pack.
fn qualification() -> Result<&'static (Tally, String), ContentsError> {
    static MADE: OnceLock<(Tally, String)> = OnceLock::new();
    if let Some(made) = MADE.get() {
        return Ok(made);
    }
    let document = qualification::embedded()?;
    let page = qualification::html(&document)?;
    Ok(MADE.get_or_init(|| (document.summary, page)))
}

/// What the matrix is made of, with its page.
fn source<'a, T>((named, document): (&'a Named, &'a T)) -> Source<'a, T> {
    Source { document, page: Some(&named.page) }
}

pub(super) fn manifest(files: &Files) -> Manifest {
    let files = files.iter().map(|(path, bytes)| File {
        path: path.clone(),
        size: bytes.len() as u64,
        sha256: Digest::of(bytes),
    });
    Manifest::new(files.collect())
}
