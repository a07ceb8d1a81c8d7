//! `cargo xtask fetch`: corpora onto the disk.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use indicatif::{HumanBytes, ProgressBar, ProgressStyle};
use onnx_conformance::corpus::fetch::{self, Event, FetchError, Fetched, Request, Source};
use onnx_conformance::corpus::{CorpusError, DEFAULT_RELEASES, Home};

use crate::Failure;

/// Fetch the ONNX node cases, verified against the locks in testdata/locks
///
/// A copy that is there and matches its lock is kept. Else the corpus comes from pip, which honours
/// your mirror and proxy settings, or from the source archive of the release's git tag. Whatever
/// the source, only what matches the lock is installed, whole or not at all.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo xtask fetch
  cargo xtask fetch --release 1.22.0
  cargo xtask fetch --release 1.22.0 --archive onnx-1.22.0-cp312-abi3-...whl
  cargo xtask fetch --release 1.22.0 --url https://mirror/onnx-1.22.0.tar.gz
  cargo xtask fetch --release 1.21.0 --archive onnx-1.21.0.tar.gz --write-lock

Exit codes: 0 done; 2 usage; 4 content does not match its lock; 5 anything else")]
pub(crate) struct Fetch {
    /// Release of ONNX; may be given more than once [default: 1.22.0 1.2.1 1.1.2]
    #[arg(long = "release", value_name = "V")]
    releases: Vec<String>,
    /// Take the one release from this wheel, zip, tar, tar.gz or unpacked folder
    #[arg(long, value_name = "FILE", conflicts_with = "url")]
    archive: Option<PathBuf>,
    /// Take the one release from the archive at this address
    #[arg(long)]
    url: Option<String>,
    /// Make the lock of a release that has none, trusting the source
    #[arg(long)]
    write_lock: bool,
}

impl Fetch {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let home = Home::find()?;
        let source = self.archive.map(Source::Archive).or(self.url.map(Source::Url));
        if source.is_some() && self.releases.len() != 1 {
            return Err(Failure {
                error: "`--archive` and `--url` need exactly one `--release`".into(),
                exit_code: 2,
            });
        }
        let releases = match self.releases.is_empty() {
            true => DEFAULT_RELEASES.map(str::to_owned).to_vec(),
            false => self.releases,
        };
        for release in releases {
            let request = match source.clone() {
                Some(source) => Request::from_source(&release, source),
                None => Request::new(&release),
            };
            let request = Request { write_lock: self.write_lock, ..request };
            let bar = Bar::new();
            let fetched = fetch::fetch(&home, &request, &|event| bar.show(&event));
            bar.finish();
            print(&fetched?);
        }
        Ok(())
    }
}

fn print(fetched: &Fetched) {
    let verified = &fetched.verified;
    for (source, error) in &fetched.failed {
        eprintln!("{}: not from {source}: {}", fetched.name, error.with_causes());
    }
    println!("{}", fetched.name);
    println!("  at      {}", fetched.path.display());
    match &fetched.source {
        Some(source) => println!("  from    {source}"),
        None => println!("  from    there already"),
    }
    println!("  holds   {} cases, {} files", verified.cases, verified.files);
    println!("  sha256  {}", verified.digest);
    if let Some(lock) = &fetched.new_lock {
        println!("  locked  {}", lock.display());
    }
}

impl From<FetchError> for Failure {
    fn from(error: FetchError) -> Self {
        Self { exit_code: error.exit_code(), error: error.into() }
    }
}

impl From<CorpusError> for Failure {
    fn from(error: CorpusError) -> Self {
        Self { exit_code: error.exit_code(), error: error.into() }
    }
}

/// A line that moves on a terminal; elsewhere only the events that matter are printed.
struct Bar(ProgressBar);

impl Bar {
    fn new() -> Self {
        // Draws to standard error, and nothing where that is no terminal.
        let bar = ProgressBar::new_spinner();
        let style = ProgressStyle::with_template("{spinner} {wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.enable_steady_tick(Duration::from_millis(100));
        Self(bar)
    }

    fn show(&self, event: &Event<'_>) {
        match event {
            Event::Waiting(name) => self.say(&format!("{name}: waiting for another fetch of it")),
            Event::Unusable(error) => self.0.suspend(|| eprintln!("{error}")),
            Event::Trying(name, source) => self.say(&format!("{name}: from {source}")),
            Event::Downloaded(bytes, None) => {
                self.0.set_message(format!("downloaded {}", HumanBytes(*bytes)));
            }
            Event::Downloaded(bytes, Some(total)) => {
                let (bytes, total) = (HumanBytes(*bytes), HumanBytes(*total));
                self.0.set_message(format!("downloaded {bytes} of {total}"));
            }
            Event::Unpacked(files) => self.0.set_message(format!("unpacked {files} files")),
        }
    }

    fn say(&self, line: &str) {
        if self.0.is_hidden() {
            eprintln!("{line}");
        } else {
            self.0.set_message(line.to_owned());
        }
    }

    fn finish(&self) {
        self.0.finish_and_clear();
    }
}
