//! Strict reading of catalogues: every defect is an error that names file and line.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use toml::Spanned;

use super::{Catalogue, Document, Kind, Requirement};
use crate::corpus::{Digest, natural_order};
use crate::limits;
use crate::profile::Strictness;
use crate::verdict::Aspect;

/// A catalogue that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("failed to read the requirements in `{file}`, line {line}: {defect}")]
pub struct CatalogueError {
    /// Name of the file.
    pub file: String,
    /// Line of the defect, from 1.
    pub line: usize,
    /// What is wrong there.
    pub defect: Defect,
}

/// What is wrong with a catalogue.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Defect {
    /// No TOML, a field too many or too few, or a value of the wrong kind.
    #[error("{0}")]
    Malformed(String),
    /// The key is not the file's name.
    #[error("the key `{0}` is not the file's name without `.toml`; rename one of them")]
    Key(String),
    /// A text that says nothing.
    #[error("`{0}` is empty; write it or leave it out")]
    Empty(&'static str),
    /// An id of another form.
    #[error("`{0}` is no id; they read GR1, E_DIV_INT_FUNC_0010 or, provisional, P_DIVDRAFT_R4")]
    Id(String),
    /// The id and `provisional` contradict each other.
    #[error("`provisional` does not go with `{0}`; it is true for ids with P_ and for no others")]
    Provisional(String),
    /// No aspect, or the same one twice.
    #[error(
        "`{0}` has no aspect, or one twice; name what it states: type, shape, value, refusal, accuracy"
    )]
    Aspect(String),
    /// A strictness where nothing is judged by a profile.
    #[error("`{0}` has a strictness, but neither value nor accuracy is among its aspects")]
    Strictness(String),
    /// An id or alias that something else has.
    #[error("`{name}` stands already in `{file}`, line {line}; every requirement needs its own")]
    Taken {
        /// The id or alias.
        name: String,
        /// File that had it first.
        file: String,
        /// Line there, from 1.
        line: usize,
    },
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: Spanned<String>,
    section: Spanned<String>,
    aliases: Vec<Spanned<String>>,
    kind: Kind,
    aspect: Spanned<Vec<Aspect>>,
    strictness: Option<Spanned<Strictness>>,
    provisional: Spanned<bool>,
    statement: Spanned<String>,
    untestable: Option<Spanned<String>>,
}

/// Where ids, and the aliases of each document, stand first: by document and name, file and line.
type Names = BTreeMap<(Option<String>, String), (String, usize)>;

/// See [`Catalogue::from_files`].
pub(super) fn catalogue(files: &[(&str, &str)]) -> Result<Catalogue, CatalogueError> {
    let mut documents = Vec::new();
    let mut requirements = Vec::new();
    let mut names = Names::new();
    for &(name, text) in files {
        let file = File { name, text };
        let content: DocumentFile = limits::from_toml(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            file.error(at, Defect::Malformed(error.message().replace('\n', " ")))
        })?;
        let is_of_file = name.strip_suffix(".toml") == Some(content.key.get_ref());
        let key = content.key.get_ref().clone();
        file.ensure(is_of_file, &content.key, Defect::Key(key.clone()))?;
        for entry in content.requirement {
            file.enter(&mut names, None, &entry.id)?;
            for alias in &entry.aliases {
                file.enter(&mut names, Some(&key), alias)?;
            }
            requirements.push(file.requirement(&key, content.strictness, entry)?);
        }
        documents.push(Document {
            key,
            title: file.not_empty("title", content.title)?,
            sha256: content.sha256,
            source: file.not_empty("source", content.source)?,
        });
    }
    requirements.sort_by(|a, b| natural_order(&a.id, &b.id));
    let by_id = requirements.iter().enumerate().map(|(at, one)| (one.id.clone(), at)).collect();
    Ok(Catalogue { documents, requirements, by_id })
}

/// A file being read.
struct File<'a> {
    name: &'a str,
    text: &'a str,
}

impl File<'_> {
    /// The defect at an offset in the text, in bytes.
    fn error(&self, at: usize, defect: Defect) -> CatalogueError {
        CatalogueError { file: self.name.to_owned(), line: self.line(at), defect }
    }

    fn line(&self, at: usize) -> usize {
        1 + self.text.bytes().take(at).filter(|&byte| byte == b'\n').count()
    }

    fn ensure<T>(
        &self,
        holds: bool,
        at: &Spanned<T>,
        defect: Defect,
    ) -> Result<(), CatalogueError> {
        if holds { Ok(()) } else { Err(self.error(at.span().start, defect)) }
    }

    fn not_empty(
        &self,
        field: &'static str,
        text: Spanned<String>,
    ) -> Result<String, CatalogueError> {
        self.ensure(!text.get_ref().trim().is_empty(), &text, Defect::Empty(field))?;
        Ok(text.into_inner())
    }

    /// Notes a name, which may not be there.
    fn enter(
        &self,
        names: &mut Names,
        document: Option<&str>,
        name: &Spanned<String>,
    ) -> Result<(), CatalogueError> {
        let text = name.get_ref().clone();
        let place = (self.name.to_owned(), self.line(name.span().start));
        match names.insert((document.map(str::to_owned), text.clone()), place) {
            None => Ok(()),
            Some((file, line)) => {
                Err(self.error(name.span().start, Defect::Taken { name: text, file, line }))
            }
        }
    }

    fn requirement(
        &self,
        document: &str,
        strictness: Option<Strictness>,
        entry: Entry,
    ) -> Result<Requirement, CatalogueError> {
        let id = entry.id.get_ref().clone();
        self.ensure(is_id(&id), &entry.id, Defect::Id(id.clone()))?;
        let is_provisional = id.starts_with("P_");
        let goes_with_id = *entry.provisional.get_ref() == is_provisional;
        self.ensure(goes_with_id, &entry.provisional, Defect::Provisional(id.clone()))?;
        let aspects: BTreeSet<_> = entry.aspect.get_ref().iter().copied().collect();
        let is_each_once = !aspects.is_empty() && aspects.len() == entry.aspect.get_ref().len();
        self.ensure(is_each_once, &entry.aspect, Defect::Aspect(id.clone()))?;
        if let Some(own) = &entry.strictness {
            let is_of_elements = aspects.iter().any(|aspect| aspect.is_of_elements());
            self.ensure(is_of_elements, own, Defect::Strictness(id.clone()))?;
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
