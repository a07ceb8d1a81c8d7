//! `cargo xtask adapters`: what the backends behind the adapter protocol need before they start.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Subcommand;
use onnx_conformance::backend::catalogue::{Catalogue, CatalogueError, Entry, Setup};
use onnx_conformance::corpus::Digest;

/// Holds the digest of the requirements that a virtual environment was made from.
const STAMP: &str = "requirements.sha256";

/// What to do with them.
#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    /// Make what backends need in target/adapters; what is there and up to date is kept
    #[command(after_help = "\
Examples:
  cargo xtask adapters setup
  cargo xtask adapters setup onnxruntime onnx-reference")]
    Setup {
        /// Names of backends [default: all]
        #[arg(value_name = "NAME")]
        names: Vec<String>,
    },
    /// List the backends with a name, and whether they are set up
    List,
}

/// A backend cannot be set up.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    #[error("failed to {action} {}", path.display())]
    Io { action: &'static str, path: PathBuf, source: io::Error },
    #[error("failed to start `{0}`; is it installed?")]
    Start(String, #[source] io::Error),
    #[error("failed to set up {name}: `{command}` ended with {status}")]
    Failed { name: String, command: String, status: String },
}

/// Sets up or lists backends of the checkout at `root`.
pub(crate) fn run(root: &Path, action: &Action) -> Result<(), Error> {
    let catalogue = Catalogue::read(root)?;
    match action {
        Action::Setup { names } if names.is_empty() => {
            catalogue.entries().iter().try_for_each(|entry| set_up(root, entry))
        }
        Action::Setup { names } => {
            // Every name is looked up before any work is done.
            let entries: Result<Vec<_>, _> = names.iter().map(|name| catalogue.get(name)).collect();
            entries?.into_iter().try_for_each(|entry| set_up(root, entry))
        }
        Action::List => {
            for entry in catalogue.entries() {
                let state = if is_set_up(root, entry) { "set up" } else { "-" };
                println!("{:<16}{state:<8}{}", entry.name, entry.title);
            }
            Ok(())
        }
    }
}

/// Whether the backend is there, as the committed files want it.
fn is_set_up(root: &Path, entry: &Entry) -> bool {
    let current = match &entry.setup {
        Setup::Python(requirements) => {
            let stamp = fs::read_to_string(entry.home(root).join(STAMP));
            stamp.is_ok_and(|stamp| stamp == digest(&root.join(requirements)).unwrap_or_default())
        }
        Setup::Cargo(_) => true,
        Setup::Cc(_) => library(root, entry).is_file(),
    };
    current && entry.words(root).is_ok()
}

fn set_up(root: &Path, entry: &Entry) -> Result<(), Error> {
    let home = entry.home(root);
    fs::create_dir_all(parent(&home)).map_err(failed_to("create", parent(&home)))?;
    let path = home.with_file_name(format!(".{}.lock", entry.name));
    let lock = File::create(&path).map_err(failed_to("create", &path))?;
    // Whoever sets up the same backend at the same time goes first.
    lock.lock().map_err(failed_to("lock", &path))?;
    match &entry.setup {
        Setup::Python(requirements) => python(root, entry, &root.join(requirements))?,
        Setup::Cargo(package) => cargo(root, entry, package)?,
        Setup::Cc(sources) => cc(root, entry, sources)?,
    }
    println!("{}: set up in {}", entry.name, home.display());
    Ok(())
}

/// Makes a virtual environment elsewhere and moves it into place when it is whole. Only its
/// interpreter is used, which finds itself wherever it lies.
fn python(root: &Path, entry: &Entry, requirements: &Path) -> Result<(), Error> {
    if is_set_up(root, entry) {
        return Ok(());
    }
    let home = entry.home(root);
    let staging = home.with_file_name(format!(".{}~", entry.name));
    remove(&staging)?;
    let mut venv = Command::new("python3");
    succeed(entry, venv.args(["-m", "venv"]).arg(&staging))?;
    let mut pip = Command::new(staging.join("bin/python"));
    // The requirements are the whole environment: none is added to them.
    pip.args(["-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]);
    succeed(entry, pip.args(["--no-deps", "--requirement"]).arg(requirements))?;
    let stamp = staging.join(STAMP);
    fs::write(&stamp, digest(requirements)?).map_err(failed_to("write", &stamp))?;
    remove(&home)?;
    fs::rename(&staging, &home).map_err(failed_to("install", &home))
}

/// Builds a package; Cargo knows what is up to date.
fn cargo(root: &Path, entry: &Entry, package: &Path) -> Result<(), Error> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--release", "--locked", "--manifest-path"]);
    cargo.arg(root.join(package).join("Cargo.toml"));
    succeed(entry, cargo.arg("--target-dir").arg(entry.home(root)))
}

/// Compiles a shared library, under another name until it is whole.
fn cc(root: &Path, entry: &Entry, sources: &[PathBuf]) -> Result<(), Error> {
    let library = library(root, entry);
    fs::create_dir_all(parent(&library)).map_err(failed_to("create", parent(&library)))?;
    let staging = library.with_extension("new");
    let mut cc = Command::new("cc");
    cc.args(["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-o"]);
    cc.arg(&staging).args(sources.iter().map(|source| root.join(source)));
    succeed(entry, cc.arg("-lm"))?;
    fs::rename(&staging, &library).map_err(failed_to("install", &library))
}

/// The shared library of a backend that is set up with a C compiler.
fn library(root: &Path, entry: &Entry) -> PathBuf {
    use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
    entry.home(root).join(format!("{DLL_PREFIX}{}{DLL_SUFFIX}", entry.name))
}

fn digest(file: &Path) -> Result<String, Error> {
    let content = fs::read(file).map_err(failed_to("read", file))?;
    Ok(Digest::of(&content).to_string())
}

fn remove(folder: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(failed_to("remove", folder)(error))
        }
        _ => Ok(()),
    }
}

/// Runs a program to its end, which has to be a success.
fn succeed(entry: &Entry, command: &mut Command) -> Result<(), Error> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| Error::Start(program, error))?;
    if status.success() {
        return Ok(());
    }
    let words: Vec<_> = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| word.to_string_lossy())
        .collect();
    Err(Error::Failed {
        name: entry.name.clone(),
        command: words.join(" "),
        status: status.to_string(),
    })
}

fn parent(path: &Path) -> &Path {
    path.parent().unwrap_or(path)
}

fn failed_to(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_owned();
    move |source| Error::Io { action, path, source }
}
