//! The catalogue of backends behind the adapter protocol, `adapters/backends.toml`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use crate::foundation::embedded;
use crate::limits::{self, TOML_LIMIT};

/// The file, relative to the root of the checkout.
pub const FILE: &str = "adapters/backends.toml";

/// What is set up lies in a folder per backend in this one, relative to the root of the checkout.
const HOME: &str = "target/adapters";

/// As which a command names the running tool, which serves libraries of C kernels itself.
const TOOL: &str = env!("CARGO_PKG_NAME");

/// The backends that have a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Catalogue {
    entries: Vec<Entry>,
}

/// A backend that has a name. Its paths are relative to the root of the checkout.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its name: letters, digits, `-` and `_`.
    #[serde(skip)]
    pub name: String,
    /// What it is, for lists.
    pub title: String,
    /// The program, a path or a name to be searched for as the system does, but for the tool's own;
    /// and its arguments.
    #[serde(deserialize_with = "not_empty")]
    pub command: Vec<String>,
    /// What has to be made before it can be started.
    pub setup: Setup,
}

fn not_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let command = Vec::deserialize(deserializer)?;
    if command.is_empty() {
        return Err(D::Error::custom("the command is empty"));
    }
    Ok(command)
}

/// What has to be made before a backend can be started, in [`Entry::home`].
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Setup {
    /// A virtual environment with the requirements in this file.
    Python(PathBuf),
    /// A release build of the package in this folder.
    Cargo(PathBuf),
    /// A shared library of these C sources.
    Cc(Vec<PathBuf>),
}

/// The catalogue cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    /// The file cannot be read.
    #[error("failed to read `{path}`; run in a checkout of the project", path = .0.display())]
    Read(PathBuf, #[source] io::Error),
    /// The file is not as it has to be: the line, counted from 1, and what is wrong there.
    #[error("{path}:{1}: {2}; restore it from version control", path = .0.display())]
    Parse(PathBuf, usize, String),
    /// No backend has the name, but these have theirs.
    #[error("unknown backend `{0}`; there are: {1}")]
    Unknown(String, String),
    /// Outside a checkout no backend is set up.
    #[error(
        "backend `{0}` is set up in a checkout of the project, by `cargo xtask adapters setup \
         {0}`; elsewhere, use --adapter CMD"
    )]
    NoCheckout(String),
    /// The backend was not set up, or not to its end: this program is not there.
    #[error("failed to find `{path}`; run `cargo xtask adapters setup {0}`", path = .1.display())]
    NotSetUp(String, PathBuf),
}

impl Catalogue {
    /// The catalogue of the checkout at `root`.
    pub fn read(root: &Path) -> Result<Self, CatalogueError> {
        let path = root.join(FILE);
        match limits::read_text(&path, TOML_LIMIT) {
            Ok(text) => Self::parse(&path, &text),
            Err(error) => Err(CatalogueError::Read(path, error)),
        }
    }

    /// The catalogue that the program carries, for use outside a checkout.
    pub fn embedded() -> Result<Self, CatalogueError> {
        let text = embedded::file(FILE).unwrap_or_default();
        Self::parse(Path::new(FILE), &String::from_utf8_lossy(text))
    }

    /// The catalogue in the text of a file; `path` names it in errors.
    pub fn parse(path: &Path, text: &str) -> Result<Self, CatalogueError> {
        let error = |start: usize, message: String| {
            let line = 1 + text.bytes().take(start).filter(|&byte| byte == b'\n').count();
            CatalogueError::Parse(path.to_owned(), line, message)
        };
        let entries: BTreeMap<toml::Spanned<String>, Entry> = limits::from_toml(text)
            .map_err(|e| error(e.span().map_or(0, |span| span.start), e.message().to_owned()))?;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        if let Some(name) = entries.keys().find(|name| !name.get_ref().chars().all(is_plain)) {
            let message = format!("`{}` is no name for a backend", name.get_ref());
            return Err(error(name.span().start, message));
        }
        let named = |(name, entry)| Entry { name: toml::Spanned::into_inner(name), ..entry };
        Ok(Self { entries: entries.into_iter().map(named).collect() })
    }

    /// The backends in order of their names.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The backend of this name.
    pub fn get(&self, name: &str) -> Result<&Entry, CatalogueError> {
        self.entries.iter().find(|entry| entry.name == name).ok_or_else(|| {
            let names: Vec<_> = self.entries.iter().map(|entry| entry.name.as_str()).collect();
            CatalogueError::Unknown(name.to_owned(), names.join(", "))
        })
    }
}

impl Entry {
    /// The folder that holds what is set up for it, in the checkout at `root`.
    pub fn home(&self, root: &Path) -> PathBuf {
        root.join(HOME).join(&self.name)
    }

    /// The words of its command, to be started in the root of the checkout, which is at `root`.
    pub fn words(&self, root: &Path) -> Result<Vec<OsString>, CatalogueError> {
        let Some((named, arguments)) = self.command.split_first() else { return Ok(Vec::new()) };
        let mut program = OsString::from(named);
        if named == TOOL {
            program = std::env::current_exe().map_or(program, OsString::from);
        } else if named.contains('/') {
            let path = root.join(named);
            if !path.is_file() {
                return Err(CatalogueError::NotSetUp(self.name.clone(), path));
            }
            program = path.into();
        }
        Ok(std::iter::once(program).chain(arguments.iter().map(OsString::from)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = env!("CARGO_MANIFEST_DIR");

    fn parse(text: &str) -> Result<Catalogue, String> {
        Catalogue::parse(Path::new("b.toml"), text).map_err(|error| error.to_string())
    }

    #[test]
    fn the_projects_own_catalogue_names_files_that_are_there() {
        let root = Path::new(ROOT);
        for entry in Catalogue::read(root).unwrap().entries() {
            let sources = match &entry.setup {
                Setup::Python(file) => vec![file.clone()],
                Setup::Cargo(folder) => vec![folder.join("Cargo.toml")],
                Setup::Cc(files) => files.clone(),
            };
            let scripts = entry.command.iter().filter(|a| a.starts_with("adapters/"));
            for path in sources.into_iter().chain(scripts.map(PathBuf::from)) {
                assert!(root.join(&path).is_file(), "{}: no {}", entry.name, path.display());
            }
        }
    }

    #[test]
    fn an_entry_is_read_with_each_kind_of_setup() {
        let text = r#"
            [b]
            title = "B"
            command = ["target/adapters/b/bin/python", "b.py"]
            setup = { python = "b.txt" }
            [a-1]
            title = "A"
            command = ["a"]
            setup = { cc = ["x.c", "y.c"] }
            [c]
            title = "C"
            command = ["a"]
            setup = { cargo = "adapters/c" }"#;
        let catalogue = parse(text).unwrap();
        let names: Vec<_> = catalogue.entries().iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(names, ["a-1", "b", "c"]);
        let b = catalogue.get("b").unwrap();
        assert_eq!(b.command, ["target/adapters/b/bin/python", "b.py"]);
        assert_eq!(b.setup, Setup::Python("b.txt".into()));
        assert_eq!(catalogue.entries()[0].setup, Setup::Cc(vec!["x.c".into(), "y.c".into()]));
        assert_eq!(b.home(Path::new("/r")), Path::new("/r/target/adapters/b"));
    }

    #[test]
    fn an_unknown_backend_is_told_the_names_there_are() {
        let text = "[b]\ntitle=''\ncommand=['b']\nsetup={cargo=''}\n[a]\ntitle=''\ncommand=['a']\nsetup={cargo=''}";
        let error = parse(text).unwrap().get("x").unwrap_err().to_string();
        assert_eq!(error, "unknown backend `x`; there are: a, b");
    }

    #[test]
    fn a_wrong_catalogue_is_refused_with_its_line() {
        let with = |line: &str| parse(&format!("[a]\ntitle = ''\n{line}\n"));
        for (line, wrong) in [
            ("setup = { cargo = '' }", "b.toml:1: missing field `command`"),
            ("command = []\nsetup = { cargo = '' }", "b.toml:3: the command is empty"),
            ("command = ['a']\nsetup = { npm = '' }", "b.toml:4: unknown variant `npm`"),
            ("command = ['a']\nsetup = { cargo = '' }\ncwd = '/'", "b.toml:5: unknown field `cwd`"),
            (
                "command = ['a']\nsetup = { cargo = '' }\n['../b']\ntitle = ''\ncommand = ['b']\nsetup = { cargo = '' }",
                "b.toml:5: `../b` is no name for a backend",
            ),
        ] {
            let error = with(line).unwrap_err();
            assert!(error.starts_with(wrong), "{error}");
            assert!(error.ends_with("; restore it from version control"), "{error}");
        }
    }

    #[test]
    fn a_backend_that_was_not_set_up_names_the_command_that_does() {
        let entry = |program: &str| Entry {
            name: "a".to_owned(),
            title: String::new(),
            command: vec![program.to_owned(), "a.py".to_owned()],
            setup: Setup::Cargo("a".into()),
        };
        let root = Path::new(ROOT);
        let error = entry("target/adapters/no such/a").words(root).unwrap_err().to_string();
        assert!(error.ends_with("no such/a`; run `cargo xtask adapters setup a`"), "{error}");
        let found = entry("src/lib.rs").words(root).unwrap();
        assert_eq!(found, [root.join("src/lib.rs").into_os_string(), "a.py".into()]);
        assert_eq!(entry("python3").words(root).unwrap(), ["python3", "a.py"]);
        let own = std::env::current_exe().unwrap().into_os_string();
        assert_eq!(entry("onnx-conformance").words(root).unwrap(), [own, "a.py".into()]);
    }
}
