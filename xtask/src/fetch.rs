//! `cargo xtask fetch`: corpora onto the disk.

use std::path::{Path, PathBuf};
use std::time::Duration;

use indicatif::{HumanBytes, ProgressBar, ProgressStyle};
use onnx_conformance::corpus::export::{self, ExportError};
use onnx_conformance::corpus::fetch::{Event, FetchError, Fetched, Request, Source, fetch};
use onnx_conformance::corpus::{DEFAULT_RELEASES, Home, name_of_release};

use crate::Failure;

/// Fetch the ONNX node cases and verify them against their locks
///
/// A copy that is there and matches its lock is kept. Else the corpus comes from pip, which honours
/// your mirror and proxy settings, or from the source archive of the release's git tag. Releases
/// since 1.23 ship no cases: their Python package computes them here, in an environment of its own,
/// with what testdata/materialise pins. Whatever the source, only what matches the lock is
/// installed, whole or not at all.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask fetch
  cargo xtask fetch --release 1.22.0 --release 1.23.2
  cargo xtask fetch --release 1.22.0 --archive onnx-1.22.0-cp312-abi3-...whl
  cargo xtask fetch --release 1.22.0 --url https://mirror/onnx-1.22.0.tar.gz
  cargo xtask fetch --release 1.21.0 --archive onnx-1.21.0.tar.gz --write-lock
  cargo xtask fetch --release 1.23.2 --export ~/fixtures
  cargo xtask fetch --release 1.23.2 --archive onnx-1.23.2-node.tar.gz

Exit codes: 0 done; 2 usage; 4 content does not match its lock; 5 anything else")]
pub(crate) struct Args {
    /// Release of ONNX; may be given several times [default: 1.22.0 1.2.1 1.1.2]
    #[arg(long = "release", value_name = "V")]
    releases: Vec<String>,
    /// Take the one release from this wheel, zip, tar, tar.gz or unpacked folder
    #[arg(long, value_name = "FILE", conflicts_with = "url")]
    archive: Option<PathBuf>,
    /// Take the one release from the archive at this address
    #[arg(long)]
    url: Option<String>,
    /// Python that makes the environment for releases since 1.23 [python3 or python]
    #[arg(long, conflicts_with_all = ["archive", "url"])]
    python: Option<PathBuf>,
    /// Also write each corpus as onnx-V-node.tar.gz into this folder, its lock beside it
    #[arg(long, value_name = "DIR")]
    export: Option<PathBuf>,
    /// Make the lock of a release that has none, trusting the source
    #[arg(long)]
    write_lock: bool,
}

/// Which of several releases the one source belongs to is not said.
#[derive(Debug, thiserror::Error)]
#[error("`--archive` and `--url` need exactly one `--release`")]
struct OneRelease;

/// Fetches into the `testdata` of the checkout at `root`, and says what is there then.
pub(crate) fn run(root: &Path, args: &Args) -> Result<(), Failure> {
    let source = match (&args.archive, &args.url) {
        (Some(path), _) => Some(Source::Archive(path.clone())),
        (None, url) => url.clone().map(Source::Url),
    };
    let releases = match args.releases.as_slice() {
        [_] => args.releases.clone(),
        _ if source.is_some() => return Err(Failure { error: OneRelease.into(), code: 2 }),
        [] => DEFAULT_RELEASES.map(str::to_owned).to_vec(),
        several => several.to_vec(),
    };
    for release in releases {
        let request = match source.clone() {
            Some(source) => Request::from_source(&release, source),
            None => Request::new(&release).with_python(args.python.as_deref()),
        };
        print(&watched(root, &Request { write_lock: args.write_lock, ..request })?);
        if let Some(folder) = &args.export {
            export(root, &release, folder)?;
        }
    }
    Ok(())
}

/// Writes the corpus of a release, which is there, into a folder.
fn export(root: &Path, release: &str, folder: &Path) -> Result<(), Failure> {
    let corpus = Home::at(root.join("testdata")).corpus(&name_of_release(release));
    let exported = corpus.map_err(ExportError::from).and_then(|it| export::export(&it, folder));
    let exported =
        exported.map_err(|error| Failure { code: error.exit_code(), error: error.into() })?;
    println!("  export  {}", exported.archive.display());
    println!("          {}", exported.lock.display());
    println!("  sha256  {}", exported.digest);
    Ok(())
}

/// Fetches those of the releases that are missing or do not match their locks.
pub(crate) fn ensure(root: &Path, releases: &[String]) -> Result<(), Failure> {
    releases.iter().try_for_each(|release| watched(root, &Request::new(release)).map(drop))
}

fn watched(root: &Path, request: &Request) -> Result<Fetched, Failure> {
    let bar = Bar::new();
    let fetched = fetch(&Home::at(root.join("testdata")), request, &|event| bar.show(&event));
    bar.0.finish_and_clear();
    let fetched = fetched
        .map_err(|error: FetchError| Failure { code: error.exit_code(), error: error.into() })?;
    for (source, error) in &fetched.failed {
        eprintln!("{}: not from {source}: {}", fetched.name, error.with_causes());
    }
    Ok(fetched)
}

fn print(fetched: &Fetched) {
    let verified = &fetched.verified;
    println!("{}", fetched.name);
    println!("  at      {}", fetched.path.display());
    match &fetched.source {
        Some(source) => println!("  from    {source}"),
        None => println!("  from    there already"),
    }
    println!("  holds   {} cases, {} files", verified.cases, verified.files);
    println!("  sha256  {}", verified.digest);
    if fetched.settled > 0 {
        println!("  took    the reference for {} outputs of other last bits", fetched.settled);
    }
    if let Some(lock) = &fetched.new_lock {
        println!("  locked  {}", lock.display());
    }
}

/// A line that moves on a terminal; elsewhere only the events that matter are printed.
struct Bar(ProgressBar);

impl Bar {
    fn new() -> Self {
        // Draws to standard error, and nothing where that is no terminal.
        let bar = Self(ProgressBar::new_spinner());
        bar.style("{spinner} {wide_msg}");
        bar.0.enable_steady_tick(Duration::from_millis(100));
        bar
    }

    fn show(&self, event: &Event<'_>) {
        match event {
            Event::Waiting(name) => self.say(format!("{name}: waiting for another fetch of it")),
            Event::Unusable(error) => self.0.suspend(|| eprintln!("{error}")),
            Event::Trying(name, source) => self.say(format!("{name}: from {source}")),
            Event::Step(step) => self.say((*step).to_owned()),
            Event::Downloaded(bytes, None) => {
                self.0.set_message(format!("downloaded {}", HumanBytes(*bytes)));
            }
            Event::Downloaded(bytes, Some(total)) => {
                self.advance(*bytes, *total, "downloading {bar:30} {bytes} of {total_bytes}");
            }
            Event::Unpacked(files, None) => self.0.set_message(format!("unpacked {files} files")),
            Event::Unpacked(files, Some(total)) => {
                self.advance(*files, *total, "unpacking {bar:30} {pos} of {len} files");
            }
        }
    }

    fn say(&self, line: String) {
        if self.0.is_hidden() {
            eprintln!("{line}");
        }
        self.style("{spinner} {wide_msg}");
        self.0.set_message(line);
    }

    fn advance(&self, done: u64, total: u64, template: &str) {
        if self.0.length() != Some(total) {
            self.0.set_length(total);
            self.style(template);
        }
        self.0.set_position(done);
    }

    fn style(&self, template: &str) {
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.0.set_style(style);
        }
    }
}
