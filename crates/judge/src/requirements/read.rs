//! Strict reading of catalogues: every defect is an error that names file and line.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use serde::Deserialize;
use toml::Spanned;

use super::{Catalogue, Requirement, RequirementKind, SourceDocument};
use crate::digest::Digest;
use crate::profile::Strictness;
use crate::text::natural_order;
use crate::verdict::Aspect;
use values::limits;

/// A catalogue that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("failed to read the requirements in `{file}`, line {line}: {defect}")]
pub struct CatalogueError {
    /// Name of the file.
    pub file: String,
    /// Line of the defect, from 1.
    pub line: usize,
    /// What is wrong there, and how to mend it.
    pub defect: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DocumentFile {
    key: Spanned<String>,
    title: Spanned<String>,
    sha256: Option<Digest>,
    source: Spanned<String>,
    strictness: Option<Strictness>,
    requirement: Vec<Entry>,
}

/// Most versions that one entry is stated for; no operator of ONNX has as many.
const MAX_VERSIONS: usize = 32;

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: Spanned<String>,
    section: Spanned<String>,
    aliases: Vec<Spanned<String>>,
    kind: RequirementKind,
    aspect: Spanned<Vec<Aspect>>,
    strictness: Option<Spanned<Strictness>>,
    provisional: Spanned<bool>,
    statement: Spanned<String>,
    untestable: Option<Spanned<String>>,
    /// The versions of the operator that it is stated for, one requirement each: `{since}` in the texts stands for
    /// the operator set that brought the version.
    since: Option<Spanned<Vec<u32>>>,
}

impl Entry {
    /// The same with the number of a version in its texts.
    fn of_version(&self, version: u32) -> Self {
        let filled = |text: &Spanned<String>| {
            let filled = text.get_ref().replace("{since}", &version.to_string());
            Spanned::new(text.span(), filled)
        };
        Self {
            id: filled(&self.id),
            section: filled(&self.section),
            aliases: self.aliases.iter().map(filled).collect(),
            statement: filled(&self.statement),
            untestable: self.untestable.as_ref().map(filled),
            since: None,
            ..self.clone()
        }
    }
}

/// Where ids, and the aliases of each document, stand first: by document and name, file and offset.
type Names<'a> = BTreeMap<(Option<String>, String), (File<'a>, usize)>;

impl Catalogue {
    /// The catalogues in some files, given by name and text.
    pub fn from_files(files: &[(impl AsRef<str> + Sync, &str)]) -> Result<Self, CatalogueError> {
        let mut documents = Vec::new();
        let mut requirements = Vec::new();
        let mut names = Names::new();
        let files = files.par_iter().map(|(name, text)| File { name: name.as_ref(), text });
        let files: Vec<_> = files.map(|file| (file, file.content())).collect();
        for (file, content) in files {
            let content = content?;
            let is_of_file = file.name.strip_suffix(".toml") == Some(content.key.get_ref());
            let key = content.key.get_ref().clone();
            let told = format!("the key `{key}` is not the file's name without `.toml`");
            file.ensure(is_of_file, &content.key, told + "; rename one of them")?;
            for stated in content.requirement {
                for entry in file.of_each_version(stated)? {
                    file.enter(&mut names, None, &entry.id)?;
                    for alias in &entry.aliases {
                        file.enter(&mut names, Some(&key), alias)?;
                    }
                    requirements.push(file.requirement(&key, content.strictness, entry)?);
                }
            }
            documents.push(SourceDocument {
                key,
                title: file.not_empty("title", content.title)?,
                sha256: content.sha256,
                source: file.not_empty("source", content.source)?,
            });
        }
        Ok(Self::of(documents, requirements))
    }

    /// The catalogue of documents and their requirements, each of which is there once.
    pub fn of(documents: Vec<SourceDocument>, mut requirements: Vec<Requirement>) -> Self {
        requirements.sort_by(|a, b| natural_order(&a.id, &b.id));
        requirements.dedup_by(|a, b| a.id == b.id);
        let places =
            requirements.iter().enumerate().map(|(at, one)| (one.id.clone(), at)).collect();
        Self { documents, requirements, places }
    }
}

#[derive(Clone, Copy)]
struct File<'a> {
    name: &'a str,
    text: &'a str,
}

impl<'a> File<'a> {
    /// What it says, whether or not that can be used.
    fn content(&self) -> Result<DocumentFile, CatalogueError> {
        limits::from_toml(self.text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            self.error(at, error.message().replace('\n', " "))
        })
    }

    /// The defect at an offset in the text, in bytes.
    fn error(&self, at: usize, defect: String) -> CatalogueError {
        CatalogueError { file: self.name.to_owned(), line: self.line(at), defect }
    }

    fn line(&self, at: usize) -> usize {
        1 + self.text.bytes().take(at).filter(|&byte| byte == b'\n').count()
    }

    fn ensure<T>(
        &self,
        holds: bool,
        at: &Spanned<T>,
        defect: String,
    ) -> Result<(), CatalogueError> {
        if holds { Ok(()) } else { Err(self.error(at.span().start, defect)) }
    }

    fn not_empty(&self, field: &str, text: Spanned<String>) -> Result<String, CatalogueError> {
        let told = format!("`{field}` is empty; write it or leave it out");
        self.ensure(!text.get_ref().trim().is_empty(), &text, told)?;
        Ok(text.into_inner())
    }

    /// Notes a name, which may not be there.
    fn enter(
        &self,
        names: &mut Names<'a>,
        document: Option<&str>,
        name: &Spanned<String>,
    ) -> Result<(), CatalogueError> {
        let text = name.get_ref();
        let key = (document.map(str::to_owned), text.clone());
        let Some((file, at)) = names.insert(key, (*self, name.span().start)) else { return Ok(()) };
        let place =
            format!("`{}`, line {}; every requirement needs its own", file.name, file.line(at));
        Err(self.error(name.span().start, format!("`{text}` already exists in {place}")))
    }

    /// The entry for each version that it is stated for; the entry itself where it is stated for none.
    fn of_each_version(&self, entry: Entry) -> Result<Vec<Entry>, CatalogueError> {
        let Some(since) = &entry.since else { return Ok(vec![entry]) };
        let versions = since.get_ref();
        let told = format!("`{}` is stated for so many versions", entry.id.get_ref());
        let is_some = (1..=MAX_VERSIONS).contains(&versions.len());
        self.ensure(is_some, since, format!("{told}; name 1 to {MAX_VERSIONS}"))?;
        Ok(versions.iter().map(|version| entry.of_version(*version)).collect())
    }

    fn requirement(
        &self,
        document: &str,
        strictness: Option<Strictness>,
        entry: Entry,
    ) -> Result<Requirement, CatalogueError> {
        let id = entry.id.get_ref().clone();
        let form = "they read GR1, E_DIV_INT_FUNC_0010 or, provisional, P_DIVDRAFT_R4";
        self.ensure(is_id(&id), &entry.id, format!("`{id}` is not an id; {form}"))?;
        let is_provisional = id.starts_with("P_");
        let goes_with_id = *entry.provisional.get_ref() == is_provisional;
        let told = format!("`provisional` does not go with `{id}`; it is true for ids with P_");
        self.ensure(goes_with_id, &entry.provisional, told + " and for no others")?;
        let aspects: BTreeSet<_> = entry.aspect.get_ref().iter().copied().collect();
        let is_each_once = !aspects.is_empty() && aspects.len() == entry.aspect.get_ref().len();
        let told = format!("`{id}` has no aspect, or one twice; name what it states: ");
        let all = "type, shape, value, refusal, accuracy";
        self.ensure(is_each_once, &entry.aspect, told + all)?;
        if let Some(own) = &entry.strictness {
            let is_of_elements = aspects.iter().any(|aspect| aspect.is_of_elements());
            let told = "has a strictness, but neither value nor accuracy is among its aspects";
            self.ensure(is_of_elements, own, format!("`{id}` {told}"))?;
        }
        let aliases = entry.aliases.into_iter().map(|alias| self.not_empty("aliases", alias));
        let untestable = entry.untestable.map(|reason| self.not_empty("untestable", reason));
        Ok(Requirement {
            aspects,
            strictness: entry
                .strictness
                .map(Spanned::into_inner)
                .or(strictness)
                .unwrap_or(Strictness::Exact),
            document: document.to_owned(),
            section: self.not_empty("section", entry.section)?,
            aliases: aliases.collect::<Result<_, _>>()?,
            kind: entry.kind,
            provisional: is_provisional,
            statement: self.not_empty("statement", entry.statement)?,
            untestable: untestable.transpose()?,
            id,
        })
    }
}

/// `GR` and a number, or `E_` or `P_` and words of capitals and digits joined by `_`.
fn is_id(id: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty()
            && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    };
    if let Some(number) = id.strip_prefix("GR") {
        return !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    }
    id.strip_prefix("E_")
        .or_else(|| id.strip_prefix("P_"))
        .is_some_and(|words| words.split('_').all(is_word))
}
